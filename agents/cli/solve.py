"""``adv-envs solve``: what a position is worth, exactly, or as far as a search can see."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

import agents
from adv_envs.games.pig import Pig
from adv_envs.notation import write_line
from adv_envs.position import Position

from .board import draw, mark
from .console import Refusal, busy, out, print_json, refusing, warn
from .describe import game_data, outcome, title, worth
from .files import check_files
from .lists import Json, print_table, table
from .odds import odds, print_odds
from .scores import has_scores, print_scores, scores
from .show import Moves, replay
from .winners import has_winners, print_winners, winners

EXAMPLES = (
    "adv-envs solve tic_tac_toe",
    "adv-envs solve thirty_one 5 6 6",
    "adv-envs solve connect_four 4455 --svg scores.svg",
    "adv-envs solve connect_four --height 5 --width 4",
    "adv-envs solve hex --size 6 a1 c4 --png winners.png",
    "adv-envs solve pig roll 6 roll 5",
    'adv-envs solve connect_four --agent "alpha_beta(seconds=10)"',
)

LIMIT = 250_000

Limit = Annotated[
    int,
    typer.Option(metavar="N", min=1, help="Give up on games with more positions."),
]
Spec = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="Search instead, with an agent such as alpha_beta()."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="For agents that search at random.")]


def solve(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    max_positions: Limit = LIMIT,
    seed: Seed = 0,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw every value.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw every value.")] = None,
    json: Json = False,
) -> None:
    """Solve a game: who wins, every winning move, the value of each move.

    Connect Four is solved on any board, Hex up to 8x8 (7x7 takes minutes at most, 8x8 may take
    days), Pig up to 200 points. Elsewhere every position is looked at, so the game must be small;
    --agent searches larger ones. Ctrl-C prints what is known by then.
    """
    before, position, last = replay(start, moves)
    if position.is_terminal():
        raise Refusal(f"the game is over after these moves: {outcome(position)}")
    check_files(svg, png=png)
    find, show = solver_for(position, agent, max_positions, seed)
    data = find()
    save_pictures(position, values_of(position, data), last, svg, png)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **data})
    else:
        draw(out(), position, before)
        show(position, data)
    if data.get("interrupted", agent is None and not data.get("proven", True)):
        warn("interrupted: this is the best so far")
        raise typer.Exit(130)


def solver_for(
    position: Position, agent: str | None, limit: int, seed: int
) -> tuple[Callable[[], dict[str, Any]], Callable[[Any, dict[str, Any]], None]]:
    """What finds all there is to know of a position, and what prints it."""
    if agent is not None:
        return lambda: searched(position, agent, seed), print_searched
    if isinstance(position, Pig):
        return lambda: odds(position), print_odds
    if has_scores(position):
        return lambda: scores(position), print_scores
    if has_winners(position):
        return lambda: winners(position), print_winners
    return lambda: exact(position, limit), print_exact


def values_of(position: Position, data: dict[str, Any]) -> dict[int, float]:
    """The value of each action, of those that were found."""
    named = data.get("scores") or data.get("win_probabilities") or data.get("values") or {}
    if all(isinstance(name, int) for name in named):
        return dict(named)
    numbers = {name: v["value"] if isinstance(v, dict) else v for name, v in named.items()}
    return {
        a: numbers[position.name(a)]
        for a in position.legal_actions()
        if position.name(a) in numbers
    }


def save_pictures(
    position: Position,
    values: dict[int, float],
    last: int | None,
    svg: Path | None,
    png: Path | None,
) -> None:
    """Write the board with every value upon it. Refusal where there are none."""
    from .analyse import write_heat_png, write_svg

    for path, write in ((svg, write_svg), (png, write_heat_png)):
        if path is not None:
            if not values:
                raise Refusal("there are no values of moves to draw", 1)
            with refusing(1):
                write(path, position, values, last)


# ---- exactly


def exact(position: Position, limit: int) -> dict[str, Any]:
    """Everything there is to know, by retrograde analysis. Refusal where that is too much."""
    solver = agents.Retrograde(limit=limit)
    try:
        with busy(out(), f"looking at up to {limit:,} positions"):
            solution = solver.solve(position)
    except ValueError as error:
        raise Refusal(too_large(position, limit, error), 1) from error
    moves = {}
    for action, value in solver.values(position).items():
        child = position.play(action)
        plies = 1 if child.is_terminal() else 1 + solver.analyse(child).depth
        moves[position.name(action)] = {"value": value, "plies": plies}
    return {
        "to_move": position.to_move,
        **dataclasses.asdict(solution),
        "winning": [name for name, found in moves.items() if found["value"] > 0],
        "values": moves,
        "line": write_line(position, solver.analyse(position).principal_variation),
    }


def too_large(position: Position, limit: int, error: ValueError) -> str:
    """Why retrograde analysis cannot do it, and what can."""
    if "too many" not in str(error):
        return str(error)
    return (
        f"{title(position)} has more than {limit:,} positions to look at: raise --max-positions, "
        'or search: --agent "alpha_beta(seconds=10)"'
    )


def print_exact(position: Position, data: dict[str, Any]) -> None:
    """The solution for people."""
    console, most = out(), position.max_utility
    mover = mark(console, position, position.to_move)
    result = worth(data["value"], most)
    plies = f"{data['plies']} more moves" if data["plies"] > 1 else "the next move"
    console.print(mover, f"to move: {result} with best play, after {plies}: {data['line']}")
    console.print(advice(data, most), style="bold")
    moves = table("move", "worth", "moves to the end")
    ranked = sorted(data["values"].items(), key=lambda item: -item[1]["value"])
    for name, found in ranked:
        moves.add_row(name, worth(found["value"], most), str(found["plies"]))
    print_table(moves)
    can_be = "" if data["positions"] is None else f" of {data['positions']:,} that can be written"
    console.print(
        f"{data['explored']:,} positions{can_be}, {data['terminal']:,} of them final; "
        f"{data['seconds']:.2f} s",
        style="dim",
    )


def advice(data: dict[str, Any], most: float) -> str:
    """What to play: every winning move; where there is more than winning, every best one."""
    worths = {name: found["value"] for name, found in data["values"].items()}
    if not {*worths.values()} <= {0, most, -most}:
        best = [name for name, value in worths.items() if value == max(worths.values())]
        return f"Best moves: {', '.join(best)}"
    return f"Winning moves: {', '.join(data['winning'])}" if data["winning"] else "No move wins."


# ---- by searching


def searched(position: Position, spec: str, seed: int) -> dict[str, Any]:
    """What a search agent finds, or has found by then, if it is interrupted.

    Refusal for agents that do not search.
    """
    with refusing():
        agent = agents.make(spec)
    if not isinstance(agent, agents.SearchAgent):
        raise Refusal(f"{agent.name} does not search; {searchers()} do")
    agent.reset(seed)
    found: agents.SearchResult | None = None
    interrupted = False
    with busy(out(), f"{agent!r} searches"), refusing(1):
        try:
            for result in agent.analysis(position):
                found = result
        except KeyboardInterrupt:
            if found is None:
                raise
            interrupted = True
    assert found is not None
    names = {
        "agent": repr(agent),
        "to_move": position.to_move,
        "interrupted": interrupted,
        "action": position.name(found.action),
        "principal_variation": write_line(position, found.principal_variation),
    }
    return {**dataclasses.asdict(found), **names, "nodes_per_second": speed(found)}


def searchers() -> str:
    """The names of the agents that search."""
    from agents.spec import agent_class

    names = [n for n in agents.AGENTS if issubclass(agent_class(n), agents.SearchAgent)]
    return ", ".join(names)


def speed(found: agents.SearchResult) -> float | None:
    """Nodes per second; None for no time at all."""
    return found.nodes / found.seconds if found.seconds else None


def print_searched(position: Position, data: dict[str, Any]) -> None:
    """What a search found, for people."""
    console = out()
    value = f"{data['value']:+.4g}"
    if data["proven"]:
        value = f"{worth(data['value'], position.max_utility)}, proven"
    mover = mark(console, position, position.to_move)
    console.print(Text(f"{data['agent']} for ", "bold") + mover)
    rate = f" ({data['nodes_per_second']:,.0f}/s)" if data["nodes_per_second"] else ""
    facts = {
        "value": value,
        "best": data["action"],
        "line": data["principal_variation"],
        "depth": f"{data['depth']} plies",
        "nodes": f"{data['nodes']:,} in {data['seconds']:.2f} s{rate}",
    }
    for name, fact in facts.items():
        console.print(f"{name:6} {fact}", soft_wrap=True)
