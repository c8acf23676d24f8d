"""Values a position and its moves: exactly, by ``adv-envs solve``, or by a search.

``adv-envs analyse`` shows a search while it runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import agents
from adv_envs.notation import write_line
from adv_envs.pictures.raster import heat_map_pixels
from adv_envs.pictures.svg import heat_map_svg
from adv_envs.position import CHANCE, Board, Position, require_competitive
from adv_envs.registry import GAMES, game, title
from agents.describe import game_data, signed, solution_text, speed
from agents.equilibrium.best_response import expected_utilities, exploitability
from agents.equilibrium.game_tree import set_labels
from agents.equilibrium.hidden_agents import PolicyAgent
from agents.equilibrium.tabular_policy import TabularPolicy
from agents.knowledge import (
    SolutionText,
    general_analyst,
    knowledge_of,
    knowledge_of_class,
    suitable_analyst,
)
from agents.move_values import FoundValue, move_values, on_one_scale, searching_agent, values_in

from .board_text import draw, mark, print_apart, values_text
from .console import (
    CommandError,
    Json,
    Moves,
    busy,
    check_files,
    command_errors,
    end,
    err,
    option,
    out,
    print_json,
    print_table,
    progress_bar,
    save_file,
    save_png,
    table,
    warn,
)
from .show import replay

EXAMPLES = (
    "adv-envs solve tic_tac_toe",
    "adv-envs solve thirty_one 5 6 6",
    "adv-envs solve connect_four 4455 --svg scores.svg",
    "adv-envs solve connect_four --height 5 --width 4",
    "adv-envs solve animal_shogi b2b3 b4b3 C@b2 b3b2",
    "adv-envs solve hex --size 6 a1 c4 --png winners.png",
    "adv-envs solve pig roll 6 roll 5",
    "adv-envs solve kuhn",
    'adv-envs solve leduc --agent "cfr(iterations=1000)"',
    'adv-envs solve connect_four --agent "alpha_beta(seconds=10)"',
)

ANALYSE_EXAMPLES = (
    "adv-envs analyse tic_tac_toe b2 a1",
    "adv-envs analyse connect_four 44444752752 --svg values.svg",
    'adv-envs analyse hex --size 7 d4 --agent "mcts(seconds=5)" --png values.png',
    'adv-envs analyse thirty_one 1 5 3 --agent "minimax()" --json',
)

SOLVER = "Search instead, with an agent: alpha_beta()."
SEARCHER = "An agent that searches; by default one for the game."
TIME = "Time limit, for agents that have one."
BUILD = "Build the table of all positions first, in a game that is solved by one."
ALL_VALUES = "Find the value of every move as well."

MostPositions = Annotated[int, option("Give up on games with more positions.", "N", min=1)]
SearchSeed = Annotated[int, option("For agents that search at random.", "N")]
Solution = Annotated[Path | None, option("Draw every value.", "FILE")]
Heat = Annotated[Path | None, option("Write a picture of the values.", "FILE")]


def solve(
    start: Position,
    moves: Moves = None,
    agent: Annotated[str | None, option(SOLVER, "SPEC")] = None,
    max_positions: MostPositions = 250_000,
    build: Annotated[bool, option(BUILD, None, "--table")] = False,
    seed: SearchSeed = 0,
    svg: Solution = None,
    png: Solution = None,
    json: Json = False,
) -> None:
    """Solves a game: who wins, every winning move, the value of each move.

    Many games have a solver of their own, up to a size: Connect Four and Nim any, Hex up to 8x8
    (7x7 takes minutes at most, 8x8 may take days), Y up to 8 in seconds, Pig up to 200 points.
    Otherwise every position is visited, so the game must be small; --agent searches larger ones.
    Ctrl-C prints what is known by then.

    Where players do not see everything, it prints an equilibrium: the value of the game and how
    likely each move is at each information set. --agent asks another: "cfr(iterations=1000)".
    """
    if not start.perfect_information:
        if svg or png:
            raise CommandError("pictures show values where players see everything")
        solve_hidden(start, moves, agent, json)
        return
    before, position, last = replay(start, moves, unfinished=True)
    check_files(svg, png=png)
    if build:
        build_table(start)
    solution = search(position, agent, seed) if agent else exact(position, max_positions)
    save_pictures(position, solution.values, last, svg, png)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **solution.data()})
    else:
        solution.print(before)
    end(BEST_SO_FAR * solution.interrupted)


NO_VALUES = "no move has a value that could be drawn"
BEST_SO_FAR = "interrupted: this is the best so far"


def analyse(
    start: Position,
    moves: Moves = None,
    agent: Annotated[str | None, option(SEARCHER, "SPEC")] = None,
    seconds: Annotated[float | None, option(TIME, "S")] = None,
    values: Annotated[bool, option(ALL_VALUES, None, "--values/--no-values")] = True,
    svg: Heat = None,
    png: Heat = None,
    seed: SearchSeed = 0,
    json: Json = False,
) -> None:
    """Watches a search: a row for each depth, then the value of every move on the board.

    Ctrl-C stops it and prints what was found so far.
    """
    _, position, last = replay(start, moves, unfinished=True)
    if not values and (svg or png):
        raise CommandError(f"with --no-values {NO_VALUES}")
    check_files(svg, png=png)
    searcher = analyst(position, agent, seconds)
    searcher.reset(seed)
    view = View(position, searcher, quiet=json)
    view.watch(values)
    save_pictures(position, view.values, last, svg, png)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **view.data()})
    else:
        view.conclude()
    end(BEST_SO_FAR * view.interrupted)


def analyst(
    position: Position, spec: str | None, seconds: float | None = None
) -> agents.SearchAgent:
    """Returns an agent, with a time limit if given. CommandError for those that do not search."""
    with command_errors():
        agent = searching_agent(agents.make(spec or suitable_analyst(position)), seconds)
    if seconds is not None and not hasattr(agent, "seconds"):
        raise CommandError(f"{agent.name} has no limit of time: leave --seconds out")
    return agent


def save_pictures(
    position: Position,
    values: Mapping[int, float],
    last: int | None,
    svg: Path | None,
    png: Path | None,
) -> None:
    """Writes the board with the value of every move. CommandError where there are none."""
    if (svg or png) and not values:
        raise CommandError(NO_VALUES, 1)
    with command_errors(1):
        if svg is not None:
            save_file(svg, heat_map_svg(position, values, last) + "\n")
        if png is not None:
            save_png(png, heat_map_pixels(position, values, last, 2))


def search_data(
    position: Position,
    agent: agents.SearchAgent,
    result: agents.SearchResult,
    values: Mapping[int, FoundValue],
) -> dict[str, Any]:
    """Returns a search's result for JSON, with the keys that ``analyse`` and ``solve`` share."""
    name = position.name
    return {
        "agent": repr(agent),
        "to_move": position.to_move,
        **dataclasses.asdict(result),
        "action": name(result.action),
        "principal_variation": write_line(position, result.principal_variation),
        "nodes_per_second": speed(result),
        "values": {name(action): found._asdict() for action, found in values.items()},
        "visits": {name(action): count for action, count in result.visits.items()},
        "probabilities": {name(action): p for action, p in result.probabilities.items()},
    }


# ---- solving


@dataclass
class SolvedPosition:
    """Holds what is known about a position: a value, best play, and the value of each move."""

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
        """Returns the value of the position, if it is known."""
        if self.result is not None:
            return self.result.value
        return None if self.position.to_move != CHANCE else self.agent.value(self.position)

    @property
    def proven(self) -> bool:
        """Returns whether the values are exact."""
        return self.result is None or self.result.proven

    def words(self, value: float) -> str:
        """Returns the meaning of an exact value, or the number of an estimate."""
        return self.text.in_words(self.position, value) if self.proven else signed(value)

    @property
    def best(self) -> list[str]:
        """Returns the names of the best moves of those whose value is known."""
        most = max(self.values.values(), default=0)
        return [self.position.name(a) for a, value in self.values.items() if value == most]

    def data(self) -> dict[str, Any]:
        """Returns everything for JSON; the keys that ``analyse`` has too mean the same."""
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
        """Prints everything for people; ``before`` is the position before the last move."""
        console, position = out(), self.position
        if isinstance(position, Board) and self.values:
            print_apart(console, values_text(console, position, self.values))
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
        """Returns who is to move, the value of the position, and best play."""
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
        """Returns what to play: every winning move; where winning is not all, every best move."""
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
        """Returns a row for each move; where many have the same meaning, a row for each meaning."""
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
        """Returns who found it, and with how much work."""
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


def build_table(start: Position) -> None:
    """Builds the table of a game, unless it is there, and says before what that takes."""
    make_writer = knowledge_of(start).table_writer
    if make_writer is None:
        known = [name for name in GAMES if knowledge_of_class(game(name)).table_writer]
        raise CommandError(f"no table is built of {title(start)}, only of {', '.join(known)}")
    with command_errors(1):
        writer = make_writer(start)
    if writer is None:
        return
    err().print(f"{writer.about}; Ctrl-C stops it", soft_wrap=True)
    with command_errors(1), progress_bar("building the table", writer.total) as update:
        for done in writer.fill():
            update(done)
        content = writer.save()
    err().print(f"kept for the next time: {content}", soft_wrap=True)


def exact(position: Position, limit: int) -> SolvedPosition:
    """Returns the solution by the game's solver, else by visiting up to ``limit`` positions."""
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
        raise CommandError(f"{error}; {instead(position)}", 1) from error
    return solution


def instead(position: Position) -> str:
    """Returns the advice to search a game that cannot be solved, with an agent that can."""
    spec = suitable_analyst(position)
    if "=" not in spec:  # without a limit: the very solver, or a search to the end
        spec = general_analyst(position)
    advice = f'search instead: --agent "{spec}"'
    if position.to_move == CHANCE:
        throw = position.name(position.legal_actions()[0])
        advice = f"name what chance does, such as {throw}, and {advice}"
    return advice


def by_all_positions(position: Position, limit: int) -> SolvedPosition:
    """Returns the solution by retrograde analysis. CommandError if there are too many positions."""
    solver = agents.Retrograde(limit=limit)
    try:
        with busy(out(), f"visiting up to {limit:,} positions"):
            counts = dataclasses.asdict(solver.solve(position))
    except ValueError as error:
        why = str(error)
        if "too many" in why:
            why = (
                f"{title(position)} has more than {limit:,} positions to visit: raise "
                f"--max-positions; {instead(position)}"
            )
        raise CommandError(why, 1) from error
    plies = {}
    for action in position.legal_actions():
        child = position.play(action)
        plies[action] = 1 if child.is_terminal() else 1 + solver.analyse(child).depth
    found, values = solver.analyse(position), solver.values(position)
    return SolvedPosition(position, solver, SolutionText(), found, values, plies, counts)


def search(position: Position, spec: str, seed: int) -> SolvedPosition:
    """Returns what a search agent finds, or has found when it is interrupted."""
    agent = analyst(position, spec)
    agent.reset(seed)
    view = View(position, agent, quiet=True)
    with busy(out(), f"{agent!r} searches"):
        view.watch(values=False)
    text, found = solution_text(position, agent), view.rows[-1]
    return SolvedPosition(position, agent, text, found, found.values, interrupted=view.interrupted)


# ---- what is seen of a search

LINE = 12
"""Moves of a principal variation that are shown."""

COLUMNS = (("depth", 5), ("value", 13), ("nodes", 13), ("nodes/s", 12), ("seconds", 8))
"""The columns before the principal variation, and their widths in plain text."""


class View:
    """Shows a search: in a terminal as a table that grows, elsewhere as lines."""

    def __init__(self, position: Position, agent: agents.SearchAgent, quiet: bool) -> None:
        self.position, self.agent, self.quiet = position, agent, quiet
        self.console: Console = out()
        self.rows: list[agents.SearchResult] = []
        self.found: dict[int, FoundValue] = {}
        self.interrupted = False
        watched = self.console.is_terminal and not quiet
        self.live = Live(console=self.console, auto_refresh=False) if watched else None

    @property
    def values(self) -> dict[int, float]:
        """Returns the value of each move, on one scale."""
        if getattr(self.agent, "evaluate", None) is not None:
            return on_one_scale(self.found)
        return {action: found.value for action, found in self.found.items()}

    def __enter__(self) -> View:
        """Begins to show."""
        if self.live is not None:
            self.live.start()
            self.live.update(Text("compiling or searching ...", "dim"), refresh=True)
        return self

    def print_header(self) -> None:
        """Prints who searches for whom, and what the columns are where there is no table."""
        who = mark(self.console, self.position, self.position.to_move)
        self.console.print(Text(f"{self.agent!r} for ", "bold") + who)
        if self.live is None:
            print(" ".join(f"{name:>{width}}" for name, width in COLUMNS) + "  line", flush=True)

    def __exit__(self, *exception: object) -> None:
        """Leaves the table as it is."""
        if self.live is not None:
            self.live.update(self.table() if self.rows else Text(), refresh=True)
            self.live.stop()
        elif not self.quiet and self.rows:
            self.print_row(self.rows[-1])

    def watch(self, values: bool) -> None:
        """Searches and shows it; an interrupted search keeps what it has found."""
        try:
            with self, command_errors(1):
                for result in self.agent.analysis(self.position):
                    self.add(result)
                if values:
                    if self.live is not None:
                        said = Text("now the value of every move", "dim")
                        self.live.update(Group(self.table(), said), refresh=True)
                    self.set_values(move_values(self.agent, self.position, self.rows[-1]))
        except KeyboardInterrupt:
            if not self.rows:
                raise
            self.interrupted = True

    def add(self, result: agents.SearchResult) -> None:
        """Adds a result; it replaces the last one if it has the same depth."""
        if self.rows and result.depth == self.rows[-1].depth:
            self.rows.pop()
        elif not self.quiet and not self.rows:
            self.print_header()
        elif not self.quiet and self.live is None:
            self.print_row(self.rows[-1])
        self.rows.append(result)
        self.set_values(values_in(result))

    def set_values(self, found: dict[int, FoundValue]) -> None:
        """Shows the values of the moves below the table."""
        self.found = found
        if self.live is not None:
            parts: list[Table | Text] = [self.table()]
            if self.values:
                parts.append(values_text(self.console, self.position, self.values))
            self.live.update(Group(*parts), refresh=True)

    def print_row(self, result: agents.SearchResult) -> None:
        """Prints a row as a plain line."""
        *cells, line = self.cells(result)
        widths = [width for _, width in COLUMNS]
        text = " ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        print(f"{text}  {line}", flush=True)

    def table(self) -> Table:
        """Returns the last of the rows, those for which there is room."""
        grown = table(*(name for name, _ in COLUMNS), "line")
        for column in grown.columns[:-1]:
            column.justify, column.no_wrap = "right", True
        for row in self.rows[-max(self.console.height - 30, 8) :]:
            grown.add_row(*self.cells(row))
        return grown

    def cells(self, result: agents.SearchResult) -> tuple[str, ...]:
        """Returns a result as text: depth, value, nodes, nodes per second, seconds, line."""
        rate, line = speed(result), result.principal_variation
        text = write_line(self.position, line[:LINE]) + " ..." * (len(line) > LINE)
        value = signed(result.value, 3) + " proven" * result.proven
        fast = "" if rate is None else f"{rate:,.0f}"
        return str(result.depth), value, f"{result.nodes:,}", fast, f"{result.seconds:.2f}", text

    def conclude(self) -> None:
        """Prints the board with the values of the moves, and the best move."""
        found = self.rows[-1]
        if self.values:
            print_apart(self.console, values_text(self.console, self.position, self.values))
        value = f"value {signed(found.value)}"
        if found.proven:
            text = solution_text(self.position, self.agent)
            value = f"{text.in_words(self.position, found.value)}, proven"
        name = self.position.name(found.action)
        if found.probabilities:
            shares = [f"{self.position.name(a)} {p:.4g}" for a, p in found.probabilities.items()]
            self.console.print(f"Plays: {', '.join(shares)}; {value}")
        else:
            self.console.print(Text("Best: ") + Text(name, "bold") + Text(f", {value}"))
        if not self.values and self.position.num_players != 2:
            note = f"{self.agent.name} has no values of moves with more than two players"
            self.console.print(note, style="dim")

    def data(self) -> dict[str, Any]:
        """Returns all results, for JSON."""
        return {
            **search_data(self.position, self.agent, self.rows[-1], self.found),
            "interrupted": self.interrupted,
            "iterations": [
                {
                    "depth": row.depth,
                    "value": row.value,
                    "nodes": row.nodes,
                    "seconds": row.seconds,
                    "action": self.position.name(row.action),
                }
                for row in self.rows
            ],
        }


# ---- hidden information

ROWS = 60
"""Information sets that are listed; JSON has all."""


def solve_hidden(start: Position, moves: list[str] | None, spec: str | None, json: bool) -> None:
    """Prints an equilibrium, or the policy of an agent, and how far it can be exploited."""
    two = start.num_players == 2
    spec = spec or ("equilibrium()" if two else "cfr_plus(iterations=10000)")
    with command_errors(2):
        require_competitive(start, "an equilibrium")
        position = start.after(" ".join(moves or []))
        agent = agents.make(spec)
    if not isinstance(agent, PolicyAgent):
        raise CommandError(
            f"{agent!r} has no policy for a whole game: use equilibrium, cfr, cfr_plus, "
            "discounted_cfr or mccfr"
        )
    with busy(out(), f"{spec} solves {title(start)}"), command_errors(1):
        policy = agent.policy(start)
        values, lost = expected_utilities(policy), exploitability(policy)
    tree = policy.tree
    numbers = list(range(tree.num_sets))
    if moves:
        if position.is_terminal():
            raise CommandError("the game is over: there is nothing to solve")
        if position.to_move == CHANCE:
            raise CommandError(
                "chance is to move there: go on to the turn of a player, or name no moves"
            )
        numbers = [tree.find(position)]
    sets = list(played_at(policy, numbers if json else numbers[:ROWS]))
    if json:
        return print_json(
            {
                **game_data(start),
                "agent": repr(agent),
                "values": values,
                "exploitability": lost,
                "information_sets": tree.num_sets,
                "histories": tree.num_nodes,
                "policy": sets,
            }
        )
    what = "Value" if lost < 1e-7 and two else "Expected"
    told = ", ".join(f"{value:+.9g} for player {i}" for i, value in enumerate(values))
    out().print(Text(f"{what}: ", "bold") + Text(told))
    out().print(
        f"{agent!r}: exploitability {lost:.3g}; {tree.num_sets:,} information sets, "
        f"{tree.num_nodes:,} histories, {len(tree.leaves):,} of them ended"
    )
    print_sets(sets, len(numbers) - len(sets))


def played_at(policy: TabularPolicy, numbers: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yields what a player sees at each of these information sets, and plays there."""
    tree, labels = policy.tree, set_labels(policy.tree)
    for number in numbers:
        view = tree.views[number]
        shares = policy.probabilities(view)
        plays = {view.name(action): share for action, share in shares.items()}
        yield {"player": int(tree.set_player[number]), "sees": labels[number], "plays": plays}


def print_sets(sets: list[dict[str, Any]], more: int) -> None:
    """Prints what is played at information sets; ``more`` of them are left out."""
    filled = table("player", "what the player sees", "plays")
    for found in sets:
        plays = ", ".join(f"{name} {share:.4g}" for name, share in found["plays"].items())
        filled.add_row(str(found["player"]), found["sees"], plays)
    print_table(filled)
    if more:
        out().print(
            f"and {more:,} information sets more: --json lists all; or name the first moves",
            style="dim",
        )
