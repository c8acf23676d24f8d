"""``adv-envs solve``: the exact value of a position and of every move, or a search's best."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

import agents
from adv_envs.notation import write_line
from adv_envs.position import CHANCE, Board, Position
from adv_envs.registry import title
from agents.describe import game_data, signed, solution_text, speed
from agents.knowledge import SolutionText
from agents.move_values import FoundValue

from .analyse import Seed, save_pictures, search_data, searching_agent
from .board_text import draw, mark, print_values
from .console import (
    CommandError,
    busy,
    check_files,
    command_errors,
    out,
    print_json,
    print_table,
    table,
    warn,
)
from .show import Json, Moves, replay_unfinished
from .solve_hidden import solve_hidden

EXAMPLES = (
    "adv-envs solve tic_tac_toe",
    "adv-envs solve thirty_one 5 6 6",
    "adv-envs solve connect_four 4455 --svg scores.svg",
    "adv-envs solve connect_four --height 5 --width 4",
    "adv-envs solve hex --size 6 a1 c4 --png winners.png",
    "adv-envs solve pig roll 6 roll 5",
    "adv-envs solve kuhn",
    'adv-envs solve leduc --agent "cfr(iterations=1000)"',
    'adv-envs solve connect_four --agent "alpha_beta(seconds=10)"',
)

Limit = Annotated[
    int, typer.Option(metavar="N", min=1, help="Give up on games with more positions.")
]
Spec = Annotated[
    str | None, typer.Option(metavar="SPEC", help="Search instead, with an agent: alpha_beta().")
]
ValuePicture = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw every value.")]


def solve(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    max_positions: Limit = 250_000,
    seed: Seed = 0,
    svg: ValuePicture = None,
    png: ValuePicture = None,
    json: Json = False,
) -> None:
    """Solve a game: who wins, every winning move, the value of each move.

    Connect Four is solved on any board, Hex up to 8x8 (7x7 takes minutes at most, 8x8 may take
    days), Pig up to 200 points. In other games every position is visited, so the game must be
    small; --agent searches larger ones. Ctrl-C prints what is known by then.

    Where players do not see everything, it prints an equilibrium: the value of the game and how
    likely each move is at each information set. --agent asks another: "cfr(iterations=1000)".
    """
    if not start.perfect_information:
        if svg or png:
            raise CommandError("pictures show values where players see everything")
        solve_hidden(start, moves, agent, json)
        return
    before, position, last = replay_unfinished(start, moves)
    check_files(svg, png=png)
    solution = search(position, agent, seed) if agent else exact(position, max_positions)
    save_pictures(position, solution.values, last, svg, png)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **solution.data()})
    else:
        solution.print(before)
    if solution.interrupted:
        warn("interrupted: this is the best so far")
        raise typer.Exit(130)


# ---- finding


@dataclass
class SolvedPosition:
    """What is known about a position: a value, best play, and the value of each move."""

    position: Position
    agent: agents.SearchAgent
    text: SolutionText
    """How values are shown."""
    result: agents.SearchResult | None = None
    """The value and best play; None where chance is to move or nothing is known yet."""
    values: Mapping[int, float] = field(default_factory=dict)
    """The value of each move that is known."""
    plies: Mapping[int, int] = field(default_factory=dict)
    """The length of the game after each move with best play, if that is known."""
    counts: dict[str, Any] = field(default_factory=dict)
    """How many positions there are, if they were counted."""
    interrupted: bool = False

    @property
    def value(self) -> float | None:
        """The value of the position, if it is known."""
        if self.result is not None:
            return self.result.value
        return None if self.position.to_move != CHANCE else self.agent.value(self.position)

    @property
    def proven(self) -> bool:
        """Whether the values are exact."""
        return self.result is None or self.result.proven

    def words(self, value: float) -> str:
        """The meaning of an exact value, or the number of an estimate."""
        return self.text.in_words(self.position, value) if self.proven else signed(value)

    @property
    def best(self) -> list[str]:
        """The names of the best moves of those whose value is known."""
        most = max(self.values.values(), default=0)
        return [self.position.name(a) for a, value in self.values.items() if value == most]

    def data(self) -> dict[str, Any]:
        """Everything for JSON; the keys that ``analyse`` has too mean the same."""
        position, proven, text = self.position, self.proven, self.text
        found = {action: FoundValue(value, proven) for action, value in self.values.items()}
        shared: dict[str, Any] = {"agent": repr(self.agent), "to_move": position.to_move}
        if self.result is not None:
            shared = search_data(position, self.agent, self.result, found)
        values = {
            position.name(action): {
                "value": value,
                "proven": proven,
                "words": self.words(value),
                **({"plies": self.plies[action]} if action in self.plies else {}),
            }
            for action, value in self.values.items()
        }
        return {
            **shared,
            "value": self.value,
            "value_name": text.name,
            "values": values,
            "best": self.best,
            "winning": [position.name(a) for a, value in self.values.items() if value > 0],
            "interrupted": self.interrupted,
            **self.counts,
        }

    def print(self, before: Position | None) -> None:
        """Everything for people; ``before`` is the position before the last move."""
        console, position = out(), self.position
        if isinstance(position, Board) and self.values:
            print_values(console, position, self.values)
        else:
            draw(console, position, before)
        console.print(self.headline(), soft_wrap=True)
        if advice := self.advice():
            console.print(advice, style="bold", soft_wrap=True)
        if self.values:
            print_table(self.table())
        if note := self.text.note(position, self.agent):
            console.print(note)
        console.print(self.effort(), style="dim", soft_wrap=True)

    def headline(self) -> Text:
        """Who is to move, the value of the position, and best play."""
        console, position, result = out(), self.position, self.result
        said = mark(console, position, position.to_move) + Text(" to move: ")
        if position.to_move == CHANCE:
            said += mark(console, position, 0) + Text(" has ")
        if self.value is None:
            return said + Text("not known yet")
        if not self.proven:
            return said + Text(f"value {signed(self.value)}, not proven")
        said += Text(f"{self.words(self.value)} with best play")
        if result is not None and result.principal_variation:
            length = f", after {result.depth} more moves" if self.plies else ""
            said += Text(f"{length}: {write_line(position, result.principal_variation)}")
        return said

    def advice(self) -> str | None:
        """What to play: every winning move; where winning is not all, every best move."""
        position, values, result = self.position, self.values, self.result
        if position.to_move == CHANCE or not (values or result):
            return None
        if result is not None and not (values and result.proven):
            return f"Best: {write_line(position, result.principal_variation)}"
        known = len(values) == len(position.legal_actions())
        results = {0, position.max_utility}
        if self.text.name == "value" and {*map(abs, values.values())} <= results:
            winning = [position.name(a) for a, value in values.items() if value > 0]
            return f"Winning moves: {', '.join(winning)}" if winning else "No move wins." * known
        return f"Best moves{' so far' * (not known)}: {', '.join(self.best)}"

    def table(self) -> Table:
        """A row for each move; where many have the same meaning, a row for each meaning."""
        position, text = self.position, self.text
        legal = position.legal_actions()
        words = {
            a: self.words(self.values[a]) if a in self.values else "not known yet"
            for a in sorted(legal, key=lambda a: -self.values.get(a, -1e9))
        }
        if not self.plies and len(set(words.values())) < len(legal) / 2:
            grouped = table("value", "moves", "")
            for word in dict.fromkeys(words.values()):
                names = [position.name(a) for a in legal if words[a] == word]
                grouped.add_row(word, str(len(names)), " ".join(names))
            return grouped
        chance = position.to_move == CHANCE
        name = f"{text.name} of {mark(out(), position, 0).plain}" if chance else text.name
        numbers = {a: text.in_numbers(position, value) for a, value in self.values.items()}
        if not self.proven:
            numbers = words
        meant = any(number not in words[a] for a, number in numbers.items())
        more = ["meaning"] * meant + ["moves to the end"] * bool(self.plies)
        listed = table("outcome" if chance else "move", name, *more)
        for action, word in words.items():
            cells = [numbers.get(action, ""), *[word] * meant, str(self.plies.get(action, ""))]
            listed.add_row(position.name(action), *cells[: 1 + len(more)])
        return listed

    def effort(self) -> str:
        """Who found it, and with how much work."""
        result, counts = self.result, self.counts
        if "explored" in counts:
            of = f" of {counts['positions']:,} that can be written" if counts["positions"] else ""
            return (
                f"{self.agent!r}: {counts['explored']:,} positions{of}, {counts['terminal']:,} of "
                f"them final; {counts['seconds']:.2f} s"
            )
        if result is None:
            return f"{self.agent!r}"
        rate = speed(result)
        fast = f" ({rate:,.0f}/s)" if rate else ""
        deep = "" if result.proven else f", depth {result.depth}"
        return f"{self.agent!r}: {result.nodes:,} nodes in {result.seconds:.2f} s{fast}{deep}"


def exact(position: Position, limit: int) -> SolvedPosition:
    """The solution by the game's solver, or else by visiting all positions, up to ``limit``."""
    solver = agents.Perfect().solver(position)
    if isinstance(solver, agents.Retrograde):
        return by_all_positions(position, limit)
    solution = SolvedPosition(position, solver, solution_text(position, solver))
    actions = position.legal_actions()
    try:
        with busy(out(), "solving") as status, command_errors(1):
            if position.to_move != CHANCE:
                for result in solver.analysis(position):
                    if result.proven:
                        solution.result = result
                    solution.values = result.values
            if len(solution.values) < len(actions):
                for solution.values in solver.solving(position):
                    if status is not None:
                        known = f"{len(solution.values)} of {len(actions)} moves are known"
                        status.update(f"solving: {known}; Ctrl-C prints those")
    except KeyboardInterrupt:
        if not solution.values and solution.result is None:
            warn("no move is solved yet; `adv-envs analyse` says which one looks best")
            raise
        solution.interrupted = True
    except CommandError as error:
        raise CommandError(f'{error}; search instead: --agent "mcts(seconds=10)"', 1) from error
    return solution


def by_all_positions(position: Position, limit: int) -> SolvedPosition:
    """The solution by retrograde analysis. CommandError if there are too many positions."""
    solver = agents.Retrograde(limit=limit)
    try:
        with busy(out(), f"visiting up to {limit:,} positions"):
            counts = solver.solve(position)
    except ValueError as error:
        why = str(error)
        if "too many" in why:
            why = (
                f"{title(position)} has more than {limit:,} positions to visit: raise "
                '--max-positions, or search: --agent "alpha_beta(seconds=10)"'
            )
        raise CommandError(why, 1) from error
    children = {action: position.play(action) for action in position.legal_actions()}
    plies = {
        action: 1 if child.is_terminal() else 1 + solver.analyse(child).depth
        for action, child in children.items()
    }
    facts = {**dataclasses.asdict(counts)}
    return SolvedPosition(
        position,
        solver,
        SolutionText(),
        solver.analyse(position),
        solver.values(position),
        plies,
        facts,
    )


def search(position: Position, spec: str, seed: int) -> SolvedPosition:
    """What a search agent finds, or has found when it is interrupted."""
    agent = searching_agent(position, spec)
    agent.reset(seed)
    solution = SolvedPosition(position, agent, solution_text(position, agent))
    with busy(out(), f"{agent!r} searches"), command_errors(1):
        try:
            for solution.result in agent.analysis(position):
                solution.values = solution.result.values
        except KeyboardInterrupt:
            if solution.result is None:
                raise
            solution.interrupted = True
    return solution
