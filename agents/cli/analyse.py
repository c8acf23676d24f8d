"""``adv-envs analyse``: a search while it runs, and the value that it finds for every move."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import agents
from adv_envs.notation import write_line
from adv_envs.pictures.raster import heat_map_pixels
from adv_envs.pictures.svg import heat_map_svg
from adv_envs.position import Position
from agents.describe import game_data, signed, solution_text, speed
from agents.move_values import FoundValue, move_values, on_one_scale, values_in
from agents.suitable import suitable_analyst

from .board_text import mark, print_values, values_text
from .console import (
    CommandError,
    check_files,
    command_errors,
    out,
    print_json,
    save_file,
    save_png,
    table,
    warn,
)
from .show import Json, Moves, replay_unfinished

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
    float | None, typer.Option(metavar="S", help="Time limit, for agents that have one.")
]
AllValues = Annotated[
    bool, typer.Option("--values/--no-values", help="Find the value of every move as well.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="For agents that search at random.")]
ValuePicture = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a picture of the values.")
]

NO_VALUES = "no move has a value that could be drawn"


def analyse(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    seconds: Seconds = None,
    values: AllValues = True,
    svg: ValuePicture = None,
    png: ValuePicture = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Watch a search: a row for each depth, then the value of every move on the board.

    Ctrl-C stops it and prints what was found so far.
    """
    _, position, last = replay_unfinished(start, moves)
    if not values and (svg or png):
        raise CommandError(f"with --no-values {NO_VALUES}")
    check_files(svg, png=png)
    searcher = searching_agent(position, agent, seconds)
    searcher.reset(seed)
    view = View(position, searcher, quiet=json)
    watch(view, values)
    save_pictures(position, view.values, last, svg, png)
    if json:
        print_json({**game_data(position), "moves": " ".join(moves or []), **view.data()})
    else:
        view.conclude()
    if view.interrupted:
        warn("interrupted: this is the best so far")
        raise typer.Exit(130)


def searching_agent(
    position: Position, spec: str | None, seconds: float | None = None
) -> agents.SearchAgent:
    """The agent, with a time limit if it is given. CommandError for agents that do not search."""
    with command_errors():
        agent = agents.make(spec or suitable_analyst(position))
        if not isinstance(agent, agents.SearchAgent):
            raise CommandError(f"{agent.name} does not search; {searchers()} do")
        if seconds is None:
            return agent
        if not any(field.name == "seconds" for field in dataclasses.fields(agent)):
            raise CommandError(f"{agent.name} has no limit of time: leave --seconds out")
        limit: dict[str, Any] = {"seconds": seconds}
        return dataclasses.replace(agent, **limit)


def searchers() -> str:
    """The names of the agents that search."""
    from agents.spec import agent_class

    names = [n for n in agents.AGENTS if issubclass(agent_class(n), agents.SearchAgent)]
    return ", ".join(names)


def watch(view: View, values: bool) -> None:
    """Search and show it; an interrupted search keeps what it has found."""
    try:
        with view, command_errors(1):
            for result in view.agent.analysis(view.position):
                view.add(result)
            if values:
                view.busy("now the value of every move")
                view.set_values(move_values(view.agent, view.position, view.latest()))
    except KeyboardInterrupt:
        if not view.rows:
            raise
        view.interrupted = True


def save_pictures(
    position: Position,
    values: Mapping[int, float],
    last: int | None,
    svg: Path | None,
    png: Path | None,
) -> None:
    """Write the board with the value of every move. CommandError where there are none."""
    if (svg or png) and not values:
        raise CommandError(NO_VALUES, 1)
    with command_errors(1):
        if svg is not None:
            save_file(svg, heat_map_svg(position, values, last) + "\n")
        if png is not None:
            save_png(png, heat_map_pixels(position, values, last, 2))


# ---- what is seen of it

LINE = 12
"""Moves of a principal variation that are shown."""

COLUMNS = (("depth", 5), ("value", 13), ("nodes", 13), ("nodes/s", 12), ("seconds", 8))
"""The columns before the principal variation, and their widths in plain text."""


class View:
    """What is seen of a search: in a terminal a table that grows, elsewhere lines."""

    def __init__(self, position: Position, agent: agents.SearchAgent, quiet: bool) -> None:
        self.position, self.agent, self.quiet = position, agent, quiet
        self.console: Console = out()
        self.rows: list[agents.SearchResult] = []
        self.found: dict[int, FoundValue] = {}
        self.interrupted = False
        watched = self.console.is_terminal and not quiet
        self.live = Live(console=self.console, auto_refresh=False) if watched else None

    def latest(self) -> agents.SearchResult:
        """The latest result; there must be one."""
        return self.rows[-1]

    @property
    def values(self) -> dict[int, float]:
        """The value of each move, on one scale."""
        if getattr(self.agent, "evaluate", None) is not None:
            return on_one_scale(self.found)
        return {action: found.value for action, found in self.found.items()}

    def __enter__(self) -> View:
        """Begin to show."""
        if not self.quiet:
            who = mark(self.console, self.position, self.position.to_move)
            self.console.print(Text(f"{self.agent!r} for ", "bold") + who)
        if self.live is not None:
            self.live.start()
            self.live.update(Text("compiling or searching ...", "dim"), refresh=True)
        elif not self.quiet:
            print(" ".join(f"{name:>{width}}" for name, width in COLUMNS) + "  line", flush=True)
        return self

    def __exit__(self, *exception: object) -> None:
        """Leave the table as it is."""
        if self.live is not None:
            self.live.update(self.table(), refresh=True)
            self.live.stop()
        elif not self.quiet and self.rows:
            self.print_row(self.rows[-1])

    def add(self, result: agents.SearchResult) -> None:
        """One more result; it replaces the last one if it has the same depth."""
        if self.rows and result.depth == self.rows[-1].depth:
            self.rows.pop()
        elif self.rows and self.live is None and not self.quiet:
            self.print_row(self.rows[-1])
        self.rows.append(result)
        self.set_values(values_in(result))

    def busy(self, what: str) -> None:
        """Say below the table what is being done."""
        if self.live is not None:
            self.live.update(Group(self.table(), Text(what, "dim")), refresh=True)

    def set_values(self, found: dict[int, FoundValue]) -> None:
        """Show the values of the moves below the table."""
        self.found = found
        if self.live is not None:
            parts: list[Table | Text] = [self.table()]
            if self.values:
                parts.append(values_text(self.console, self.position, self.values))
            self.live.update(Group(*parts), refresh=True)

    def print_row(self, result: agents.SearchResult) -> None:
        """A row as a plain line."""
        *cells, line = self.cells(result)
        widths = [width for _, width in COLUMNS]
        text = " ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        print(f"{text}  {line}", flush=True)

    def table(self) -> Table:
        """The last of the rows, those for which there is room."""
        grown = table(*(name for name, _ in COLUMNS), "line")
        for column in grown.columns[:-1]:
            column.justify, column.no_wrap = "right", True
        for row in self.rows[-max(self.console.height - 30, 8) :]:
            grown.add_row(*self.cells(row))
        return grown

    def cells(self, result: agents.SearchResult) -> tuple[str, ...]:
        """A result as text: depth, value, nodes, nodes per second, seconds, line."""
        rate, line = speed(result), result.principal_variation
        text = write_line(self.position, line[:LINE]) + " ..." * (len(line) > LINE)
        value = signed(result.value, 3) + " proven" * result.proven
        fast = "" if rate is None else f"{rate:,.0f}"
        return str(result.depth), value, f"{result.nodes:,}", fast, f"{result.seconds:.2f}", text

    def conclude(self) -> None:
        """Print the board with the values of the moves, and the best move."""
        found = self.latest()
        if self.values:
            print_values(self.console, self.position, self.values)
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
        """All results, for JSON."""
        return {
            **search_data(self.position, self.agent, self.latest(), self.found),
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


def search_data(
    position: Position,
    agent: agents.SearchAgent,
    result: agents.SearchResult,
    values: Mapping[int, FoundValue],
) -> dict[str, Any]:
    """A search's result for JSON, with the keys that ``analyse`` and ``solve`` share."""
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
