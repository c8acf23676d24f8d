"""The Domineering solver: an agent that knows who wins every position of boards up to 7 x 8."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Domineering, Position
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_position,
    require_seconds,
    require_table,
    require_unfinished,
)
from agents.search.limits import NODES, STOP, Deadline, counters, prepared, run

from .evaluations import room
from .safe_moves import SearchArrays, wins, workspace

MOST_BITS = 63
"""The search keeps the cells of a board, and one more for each row, in one word."""


def fits(position: Domineering) -> bool:
    """Returns whether the solver takes the board."""
    return position.height * (position.width + 1) <= MOST_BITS


@dataclass(repr=False)
class DomineeringSolver(SearchAgent):
    """Perfect play of Domineering: values are 1 for a win and -1 for a loss.

    Of several winning moves, and in a lost position of all, it plays the one that leaves most room
    (``domineering.room``). ``seconds`` limits a decision, but not ``value`` and ``values``, which
    are always exact. ``table_mb`` bounds the table, which is kept until ``reset``.
    """

    seconds: float | None = None
    """Wall-clock time for one decision, not for ``value`` and ``values``, which are always exact;
    None: no limit."""
    table_mb: float = 64
    """Bounds the table, in megabytes; it is kept until ``reset``."""

    name: ClassVar[str] = "domineering_solver"
    _kept: dict[tuple[int, int], SearchArrays] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for a limit that allows nothing."""
        require_seconds(self.seconds)
        require_table(self.table_mb)

    def reset(self, seed: int | None = None) -> None:
        """Clears the table; the result of a search does not depend on ``seed``."""
        self._kept.clear()

    def value(self, position: Position) -> float:
        """Returns 1 if the player to move wins, else -1."""
        board = self._board(position)
        return 1.0 if self._wins(board, counters()) else -1.0

    def values(self, position: Position) -> dict[int, float]:
        """Returns 1 for every move that wins, -1 for the others; empty where the game is over."""
        *_, found = self.solving(position)
        return found

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields ``values`` as they are found: more of them each time, at the end all."""
        board, found = self._board(position), dict[int, float]()
        yield {}
        for action in board.legal_actions():
            found[action] = -1.0 if self._wins(board.play(action), counters()) else 1.0
            yield dict(found)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the most promising move, then the best one; ValueError if the game is over."""
        board, counts, began = self._board(position), counters(), time.perf_counter()
        require_unfinished(board)
        promising = sorted(board.legal_actions(), key=lambda a: room(board.play(a)))
        yield SearchResult(promising[0], 0.0, (promising[0],), depth=1)
        with Deadline(counts, self.seconds):
            for action in promising:
                won = not self._wins(board.play(action), counts)
                if won or counts[STOP]:
                    break
        if counts[STOP]:
            return
        best, value = (action, 1.0) if won else (promising[0], -1.0)
        seconds = time.perf_counter() - began
        yield SearchResult(
            best, value, (best,), int(counts[NODES]), depth=1, seconds=seconds, proven=True
        )

    def _board(self, position: Position) -> Domineering:
        require_position(position)
        if not isinstance(position, Domineering):
            raise ValueError(f"{self.name} plays Domineering, not {type(position).__name__}")
        if not fits(position):
            raise ValueError(
                f"{self.name} takes boards with height * (width + 1) up to {MOST_BITS}, such as "
                f"7 x 8; not {position.height} x {position.width}"
            )
        return position

    def _wins(self, board: Domineering, counts: Any) -> bool:
        """Returns whether the player to move wins; one thread at a time has the table."""
        size = board.height, board.width
        work = self._kept.pop(size, None) or workspace(self.table_mb)
        args = board.free(), board.to_move, 0, *size, work, counts
        try:
            return bool(run(prepared(wins, *args), counts, *args) == 1)
        finally:
            self._kept[size] = work
