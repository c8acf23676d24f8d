"""A search while it thinks: in a terminal a table that grows, elsewhere lines."""

from __future__ import annotations

import dataclasses
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import agents
from adv_envs.notation import write_line
from adv_envs.position import Position

from .board import mark
from .console import out
from .describe import worth
from .heat import heat_text
from .lists import table
from .solve import speed
from .values import Worth, on_one_scale, told

LINE = 12  # moves of a principal variation that are shown

COLUMNS = (("depth", 5), ("value", 13), ("nodes", 13), ("nodes/s", 12), ("seconds", 8))
"""What a row says before its line of play, and how wide it is as plain text."""


class View:
    """What is seen of a search: in a terminal a table that grows, elsewhere lines."""

    def __init__(self, position: Position, agent: agents.SearchAgent, quiet: bool) -> None:
        self.position, self.agent, self.quiet = position, agent, quiet
        self.console: Console = out()
        self.rows: list[agents.SearchResult] = []
        self.worths: dict[int, Worth] = {}
        self.interrupted = False
        watched = self.console.is_terminal and not quiet
        self.live = Live(console=self.console, auto_refresh=False) if watched else None

    def latest(self) -> agents.SearchResult:
        """The latest result, of which there must be one."""
        return self.rows[-1]

    @property
    def values(self) -> dict[int, float]:
        """What each move is worth, on one scale."""
        if getattr(self.agent, "evaluate", None) is not None:
            return on_one_scale(self.worths)
        return {action: worth.value for action, worth in self.worths.items()}

    def __enter__(self) -> View:
        """Begin to show."""
        if not self.quiet:
            who = mark(self.console, self.position, self.position.to_move)
            self.console.print(Text(f"{self.agent!r} for ", "bold") + who)
        if self.live is not None:
            self.live.start()
            self.live.update(Text("the first time ever, it compiles", "dim"), refresh=True)
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
        """One more result; it takes the place of the last one if it looked no deeper."""
        if self.rows and result.depth == self.rows[-1].depth:
            self.rows.pop()
        elif self.rows and self.live is None and not self.quiet:
            self.print_row(self.rows[-1])
        self.rows.append(result)
        self.set_values(told(result))

    def busy(self, what: str) -> None:
        """Say below the table what is being done."""
        if self.live is not None:
            self.live.update(Group(self.table(), Text(what, "dim")), refresh=True)

    def set_values(self, worths: dict[int, Worth]) -> None:
        """The values of the moves, and all that is known, on the screen."""
        self.worths = worths
        if self.live is not None:
            parts: list[Table | Text] = [self.table()]
            if self.values:
                parts.append(heat_text(self.console, self.position, self.values))
            self.live.update(Group(*parts), refresh=True)

    def print_row(self, result: agents.SearchResult) -> None:
        """A row as a plain line."""
        *cells, line = self.cells(result)
        widths = [width for _, width in COLUMNS]
        text = " ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        print(f"{text}  {line}", flush=True)

    def table(self) -> Table:
        """The rows, as many of the last ones as fit."""
        grown = table(*(name for name, _ in COLUMNS), "line")
        for column in grown.columns[:-1]:
            column.justify, column.no_wrap = "right", True
        for row in self.rows[-max(self.console.height - 30, 8) :]:
            grown.add_row(*self.cells(row))
        return grown

    def cells(self, result: agents.SearchResult) -> tuple[str, ...]:
        """A result in words: depth, value, nodes, nodes per second, seconds, line."""
        rate, line = speed(result), result.principal_variation
        text = write_line(self.position, line[:LINE]) + " ..." * (len(line) > LINE)
        value = f"{result.value:{'+' * (result.value != 0)}.3g}" + " proven" * result.proven
        fast = "" if rate is None else f"{rate:,.0f}"
        return str(result.depth), value, f"{result.nodes:,}", fast, f"{result.seconds:.2f}", text

    def conclude(self) -> None:
        """The board with the values of the moves, and the best one in words."""
        found = self.latest()
        if self.values:
            self.console.print()
            text = heat_text(self.console, self.position, self.values)
            self.console.print(text, no_wrap=True, crop=False)
            self.console.print()
        value = f"value {found.value:{'+' * (found.value != 0)}.4g}"
        if found.proven:
            value = f"{worth(found.value, self.position.max_utility)}, proven"
        name = self.position.name(found.action)
        self.console.print(Text("Best: ") + Text(name, "bold") + Text(f", {value}"))
        if not self.values and self.position.num_players != 2:
            note = f"{self.agent.name} tells no values of single moves with more than two players"
            self.console.print(note, style="dim")

    def data(self) -> dict[str, Any]:
        """All of it for a script."""
        found, name = self.latest(), self.position.name
        facts = dataclasses.asdict(found)
        return {
            "agent": repr(self.agent),
            "to_move": self.position.to_move,
            **facts,
            "action": name(found.action),
            "principal_variation": write_line(self.position, found.principal_variation),
            "nodes_per_second": speed(found),
            "values": {name(action): worth._asdict() for action, worth in self.worths.items()},
            "visits": {name(action): count for action, count in found.visits.items()},
            "interrupted": self.interrupted,
            "iterations": [
                {
                    "depth": row.depth,
                    "value": row.value,
                    "nodes": row.nodes,
                    "seconds": row.seconds,
                    "action": name(row.action),
                }
                for row in self.rows
            ],
        }
