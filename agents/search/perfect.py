"""Perfect play, by the exact solver of each game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from adv_envs import Position
from agents.agent import (
    SearchAgent,
    SearchResult,
    book_or_path,
    require_position,
    require_table,
    require_unfinished,
)
from agents.knowledge import knowledge_of

from .retrograde import Retrograde


@dataclass(repr=False)
class Perfect(SearchAgent):
    """Plays and values positions exactly, by the solver that the game's ``Knowledge`` names.

    Games without one are solved by ``Retrograde``: their positions must be few.

    ``book`` allows the solver its book of openings, or is the path of one that ``adv-envs book``
    made; ``table_mb`` bounds its transposition table, and ``weak`` asks only who wins. A solver
    gets those of the three that it has. Values are on the scale of the solver: a utility, or the
    score of a solver that tells quick wins from slow ones, unless it is asked only who wins.
    """

    book: bool | str | Path = True
    """Whether the solver may use its book of openings, or the path of one that ``adv-envs book``
    made."""
    table_mb: float = 64
    """Bounds the transposition table of the solver, in megabytes."""
    weak: bool = False
    """Asks only who wins, not by how much, which is found sooner."""

    name: ClassVar[str] = "perfect"
    _solvers: dict[type[SearchAgent], SearchAgent] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table without size and for what is no book."""
        require_table(self.table_mb)
        self.book = book_or_path(self.book)

    def reset(self, seed: int | None = None) -> None:
        """Resets the solvers, which forget what they know."""
        for solver in self._solvers.values():
            solver.reset(seed)

    def solver(self, position: Position) -> SearchAgent:
        """Returns the solver for the game of ``position``; the same one for all such games."""
        cls = solver_class(position)
        if cls not in self._solvers:
            self._solvers[cls] = self._make(cls)
        return self._solvers[cls]

    def _make(self, cls: type[SearchAgent]) -> SearchAgent:
        """Returns a solver with those of this agent's parameters that it has."""
        wanted: dict[str, Any] = {"book": self.book, "table_mb": self.table_mb, "weak": self.weak}
        takes = inspect.signature(cls).parameters
        return cls(**{name: v for name, v in wanted.items() if name in takes})

    def value(self, position: Position) -> float:
        """Returns the exact value of ``position`` for the player to move."""
        return self.solver(position).value(position)

    def values(self, position: Position) -> dict[int, float]:
        """Returns the exact value of each legal action for the player to move."""
        return self.solver(position).values(position)

    def analyse(self, position: Position) -> SearchResult:
        """Returns the best action, its value and best play; ValueError if the game is over."""
        require_unfinished(position)
        return self.solver(position).analyse(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the solver's results as they improve."""
        require_unfinished(position)
        return self.solver(position).analysis(position)


def solver_class(position: Position) -> type[SearchAgent]:
    """Returns the class of the exact solver of the game: its own, or ``Retrograde``."""
    require_position(position)
    solver = knowledge_of(position).solver
    return (solver(position) if solver is not None else None) or Retrograde
