"""Shares what solvers of games have in which who makes the last move wins: Domineering, Clobber."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from adv_envs import Position
from agents.agent import SearchAgent, SearchResult, require_unfinished
from agents.search.limits import NODES, STOP, Counts, Deadline, counters


@dataclass(repr=False)
class LastMoveSolver(SearchAgent):
    """Plays by who wins each position: values are 1 for a win and -1 for a loss.

    Of several winning moves, and in a lost position of all, it plays the one that ``_promise`` puts
    first. A game says which positions it takes, who wins them, and keeps its tables in ``_kept``.
    """

    seconds: float | None = None
    """Wall-clock time for one decision, not for ``value`` and ``values``, which are always exact;
    None: no limit."""
    table_mb: float = 64
    """Bounds the table, in megabytes; it is kept until ``reset``."""

    _kept: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @abstractmethod
    def _board(self, position: Position) -> Any:
        """Returns the position, if it is taken; ValueError, which says what is."""

    @abstractmethod
    def _promise(self, board: Any) -> float:
        """Returns how good the position after a move is for the player who then has to move."""

    @abstractmethod
    def _player_wins(self, board: Any, counts: Counts) -> bool:
        """Returns whether the player to move wins; one thread at a time has the table.

        The answer means nothing once ``counts[STOP]`` is set.
        """

    def reset(self, seed: int | None = None) -> None:
        """Clears the table; the result of a search does not depend on ``seed``."""
        self._kept.clear()

    def value(self, position: Position) -> float:
        """Returns 1 if the player to move wins, else -1."""
        return 1.0 if self._player_wins(self._board(position), counters()) else -1.0

    def values(self, position: Position) -> dict[int, float]:
        """Returns 1 for every move that wins, -1 for the others; empty where the game is over."""
        *_, found = self.solving(position)
        return found

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields ``values`` as they are found: more of them each time, at the end all."""
        board, found = self._board(position), dict[int, float]()
        yield {}
        for action in board.legal_actions():
            found[action] = -1.0 if self._player_wins(board.play(action), counters()) else 1.0
            yield dict(found)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the most promising move, then the best one; ValueError if the game is over."""
        board, counts = require_unfinished(self._board(position)), counters()
        began = time.perf_counter()
        promising = sorted(board.legal_actions(), key=lambda a: self._promise(board.play(a)))
        yield SearchResult(promising[0], 0.0, (promising[0],), depth=1)
        with Deadline(counts, self.seconds):
            for action in promising:
                won = not self._player_wins(board.play(action), counts)
                if won or counts[STOP]:
                    break
        if not counts[STOP]:
            best, value = (action, 1.0) if won else (promising[0], -1.0)
            nodes, seconds = int(counts[NODES]), time.perf_counter() - began
            yield SearchResult(best, value, (best,), nodes, depth=1, seconds=seconds, proven=True)
