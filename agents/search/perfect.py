"""Perfect play: the exact solver that knows the game best."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
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

SOLVERS: dict[str, str | Callable[..., SearchAgent]] = {
    "Hex": "agents.games.hex.solver:HexSolver",
    "ConnectFour": "agents.games.connect_four:ConnectFourSolver",
    "Pig": "agents.games.pig_solver:PigSolver",
}
"""The exact solver of each class of positions, by the name of the class, or where to find it.

Games that are not here are solved by Retrograde: their positions must be few. A solver has
``value``, ``values``, ``analyse`` and ``analysis``, and is given those parameters of Perfect that
it has itself. A class that does not solve every game of its kind says which ones:
``solves(position)``.
"""

GENERAL = "agents.search.retrograde:Retrograde"


@dataclass(repr=False)
class Perfect(SearchAgent):
    """Plays and values positions exactly, by the solver in SOLVERS for their game.

    ``book`` allows the solver its book of openings, or for Connect Four is the path of one that
    ``adv-envs book`` made; ``table_mb`` bounds its transposition table,
    and ``weak`` asks only who wins. Values are on the scale of the solver: where the game has one
    of its own that is a score, which counts stones for Connect Four (see
    ``agents.games.connect_four.ConnectFourSolver``); elsewhere, and with ``weak``, it is the utility.
    """

    book: bool | str | Path = True
    table_mb: float = 64
    weak: bool = False

    name: ClassVar[str] = "perfect"
    _solvers: dict[Callable[..., SearchAgent], SearchAgent] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for a table of no size and for what is no book."""
        require_table(self.table_mb)
        self.book = book_or_path(self.book)

    def solver(self, position: Position) -> SearchAgent:
        """The solver for the game of ``position``; the same one for all such games."""
        make = find(position)
        if make not in self._solvers:
            self._solvers[make] = self._make(make)
        return self._solvers[make]

    def _make(self, make: Callable[..., Any]) -> SearchAgent:
        """A solver with those of this agent's parameters that it takes."""
        wanted = {"book": self.book, "table_mb": self.table_mb, "weak": self.weak}
        takes = inspect.signature(make).parameters
        solver: SearchAgent = make(**{name: v for name, v in wanted.items() if name in takes})
        return solver

    def value(self, position: Position) -> float:
        """What ``position`` is worth to the player to move, exactly."""
        return self.solver(position).value(position)

    def values(self, position: Position) -> dict[int, float]:
        """What each legal action is worth to the player to move, exactly."""
        return self.solver(position).values(position)

    def analyse(self, position: Position) -> SearchResult:
        """The best action, its value and best play; ValueError if the game is over."""
        require_unfinished(position)
        return self.solver(position).analyse(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """The solver's results as they improve."""
        require_unfinished(position)
        return self.solver(position).analysis(position)


def find(position: Position) -> Callable[..., SearchAgent]:
    """What makes the exact solver for the game of ``position``."""
    require_position(position)
    for base in type(position).__mro__:
        solver = SOLVERS.get(base.__name__)
        if solver is not None:
            made = load(solver)
            if getattr(made, "solves", _anything)(position):
                return made
    return load(GENERAL)


def load(solver: str | Callable[..., SearchAgent]) -> Callable[..., SearchAgent]:
    """A solver, imported if it is named as "module:Class"."""
    if not isinstance(solver, str):
        return solver
    module, _, attribute = solver.partition(":")
    return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]


def _anything(position: Position) -> bool:
    return True
