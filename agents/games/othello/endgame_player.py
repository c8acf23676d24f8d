"""An agent for whole games of Othello: a search with an evaluation, then the solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Position
from adv_envs.games.othello import Othello
from agents.agent import SearchAgent, SearchResult, require_unfinished
from agents.search.alpha_beta import AlphaBeta

from .evaluations import mobility
from .solver import OthelloSolver

LIMITS = "depth", "nodes", "seconds", "table_mb"
"""The parameters that the search has too."""

MOST_EXACT = 64
"""As many empty cells as there can be."""


@dataclass(repr=False)
class OthelloPlayer(SearchAgent):
    """Alpha-beta with ``othello.mobility``, and the exact solver from ``exact`` empty cells on.

    ``depth``, ``nodes``, ``seconds`` and ``table_mb`` are those of ``alpha_beta``. The solver takes
    the time that it needs: a tenth of a second for 16 empty cells, seconds for 20.
    """

    depth: int | None = None
    """Plies that alpha-beta looks ahead at most; None: as deep as the other limits allow."""
    nodes: int | None = None
    """Positions that alpha-beta may visit for one decision; None: no limit of nodes. With no limit
    at all, a million nodes."""
    seconds: float | None = None
    """Wall-clock time of alpha-beta for one decision, not of the solver; None: no limit."""
    exact: int = 16
    """Empty cells from which on the solver plays."""
    table_mb: float = 64
    """Bounds the table of each of the two, in megabytes."""

    name: ClassVar[str] = "othello_player"
    _search: AlphaBeta = field(init=False, repr=False, compare=False)
    _solver: OthelloSolver = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for limits that allow nothing."""
        if isinstance(self.exact, bool) or not isinstance(self.exact, int):
            raise TypeError(f"exact must be a number of empty cells, not {self.exact!r}")
        if not 0 <= self.exact <= MOST_EXACT:
            raise ValueError(f"exact must be 0 to {MOST_EXACT}, not {self.exact}")
        limits: dict[str, Any] = {name: getattr(self, name) for name in LIMITS}
        self._search = AlphaBeta(**limits, evaluate=mobility)
        self._solver = OthelloSolver(self.table_mb)

    def act(self, position: Position) -> int:
        """Returns the best action found."""
        return self._agent(position).act(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the results of the search or of the solver as they improve."""
        yield from self._agent(position).analysis(position)

    def _agent(self, position: Position) -> SearchAgent:
        """Returns the search or the solver; ValueError if the game is over or another one."""
        require_unfinished(position)
        if not isinstance(position, Othello):
            raise ValueError(f"{self.name} plays othello, not {type(position).__name__}")
        empty = position.size**2 - (position.own | position.opp).bit_count()
        return self._solver if empty <= self.exact else self._search
