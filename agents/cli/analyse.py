"""``adv-envs analyse``: a search while it thinks, and what it makes of every move."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

import agents
from adv_envs.position import Position
from agents.knowledge import knowledge_of

from .console import Refusal, print_json, refusing, warn
from .describe import game_data, outcome
from .files import check_files, write_whole
from .lists import Json
from .show import Moves, replay, write_png
from .solve import Seed, searchers
from .thinking import View
from .values import move_values

EXAMPLES = (
    "adv-envs analyse tic_tac_toe b2 a1",
    "adv-envs analyse connect_four 44444752752 --svg values.svg",
    'adv-envs analyse hex --size 7 d4 --agent "mcts(seconds=5)" --png values.png',
    'adv-envs analyse thirty_one 1 5 3 --agent "minimax()" --json',
)

Spec = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="An agent that searches; by default one for the game."),
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="S", help="How long to search, for agents with a limit of time."),
]
File = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture of the values.")]


def analyse(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    seconds: Seconds = None,
    values: Annotated[
        bool, typer.Option("--values/--no-values", help="Find the value of every move as well.")
    ] = True,
    svg: File = None,
    png: File = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Watch a search think: a row for each depth, then the value of every move on the board.

    Ctrl-C stops it, and what was found so far is printed.
    """
    _, position, last = replay(start, moves)
    if position.is_terminal():
        raise Refusal(f"the game is over after these moves: {outcome(position)}")
    check_files(svg, png=png)
    searcher = chosen(position, agent, seconds)
    searcher.reset(seed)
    view = View(position, searcher, quiet=json)
    watch(view, values)
    for path, write in ((svg, write_svg), (png, write_heat_png)):
        if path is not None:
            if not view.values:
                raise Refusal("there are no values of moves to draw", 1)
            with refusing(1):
                write(path, position, view.values, last)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **view.data()})
    else:
        view.conclude()
    if view.interrupted:
        warn("interrupted: this is the best so far")
        raise typer.Exit(130)


def chosen(position: Position, spec: str | None, seconds: float | None) -> agents.SearchAgent:
    """The agent, with its limit of time. Refusal for agents that do not search."""
    with refusing():
        agent = agents.make(spec or suitable(position))
        if not isinstance(agent, agents.SearchAgent):
            raise Refusal(f"{agent.name} does not search; {searchers()} do")
        if seconds is None:
            return agent
        if not any(field.name == "seconds" for field in dataclasses.fields(agent)):
            raise Refusal(f"{agent.name} has no limit of time: leave --seconds out")
        limit: dict[str, Any] = {"seconds": seconds}
        return dataclasses.replace(agent, **limit)


def suitable(position: Position) -> str:
    """An agent that analyses a game well."""
    own = knowledge_of(position).analyst
    if own is not None and (spec := own(position)) is not None:
        return spec
    if position.num_players != 2:
        return "mcts(seconds=3)"
    return "expectiminimax(seconds=3)" if position.has_chance else "alpha_beta(seconds=3)"


# ---- searching


def watch(view: View, values: bool) -> None:
    """Search, and show it; what an interrupted search has found is kept."""
    try:
        with view, refusing(1):
            for result in view.agent.analysis(view.position):
                view.add(result)
            if values:
                view.busy("and now the value of every move")
                view.set_values(move_values(view.agent, view.position, view.latest()))
    except KeyboardInterrupt:
        if not view.rows:
            raise
        view.interrupted = True


# ---- pictures


def write_svg(path: Path, position: Position, values: dict[int, float], last: int | None) -> None:
    """The heat map as SVG."""
    from adv_envs.pictures.svg import heat_map_svg

    write_whole(path, heat_map_svg(position, values, last) + "\n")


def write_heat_png(
    path: Path, position: Position, values: dict[int, float], last: int | None
) -> None:
    """The heat map as PNG, twice as large; ImportError without Pillow."""
    from adv_envs.pictures.raster import heat_map_pixels

    write_png(heat_map_pixels(position, values, last, 2), path)
