"""The Connect Four solver: an agent that knows the exact score of every position."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.games.connect_four import ConnectFour
from agents.agent import (
    SearchAgent,
    SearchResult,
    book_or_path,
    require_position,
    require_table,
    require_unfinished,
)
from agents.search.limits import ABORTED, NODE_LIMIT, NODES, STOP, UNLIMITED, counters, run

from .bitboard import constants
from .book import book_for
from .exact_search import new_table, solve_score

MAX_SCORE = 63
"""No score is larger."""

UNINTERRUPTED_NODES = 100_000
"""Nodes of a search so short that it runs without a watch for interrupts."""

UNINTERRUPTED_EMPTY = 18
"""Empty cells up to which a search takes a millisecond and runs without such a watch, too."""


@dataclass(repr=False)
class ConnectFourSolver(SearchAgent):
    """The exact score of positions of Connect Four, four in a row, on any board of the game.

    A score is for the player to move: k for a win with the k-th last of the winner's stones (on
    7 x 6, 18 is a win with the fourth), -k for a loss, 0 for a draw. With ``weak`` it is 1, -1 or
    0, which is found sooner. ``table_mb`` bounds the memory of the transposition table, which is
    kept from one call to the next; ``book`` allows the shipped book of openings, or is the path of
    one that ``adv-envs book`` made for the board. Values are exact, so neither changes one. Threads
    may share a solver.

    ValueError for other games, and for rows of another length than four; BookError, at the first
    position, for a file that is torn, of another version or about another board.
    """

    book: bool | str | Path = True
    """Whether the shipped book of openings is used, or the path of one that ``adv-envs book``
    made."""
    table_mb: float = 64
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""
    weak: bool = False
    """Tells only who wins, 1, -1 or 0, which is found sooner."""

    name: ClassVar[str] = "connect_four_solver"
    _searches: dict[Any, BoardSearch] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for a table of no size and for what is no book."""
        require_table(self.table_mb)
        self.book = book_or_path(self.book)

    # ---- exact values

    def value(self, position: Position) -> float:
        """Returns the score of ``position``; that of a finished game is a loss or 0."""
        return float(self.scores([position])[0])

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move."""
        require_position(position)
        actions = position.legal_actions()
        scores = self.scores([position.play(action) for action in actions])
        return {a: 0.0 - score for a, score in zip(actions, scores, strict=True)}

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """Returns the scores of positions of one board, searched one after the other."""
        return self._solve(positions, counters())

    def analyse(self, position: Position) -> SearchResult:
        """Returns all moves' scores, the best one and best play; ValueError if the game is over."""
        return super().analyse(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result after each move that is solved, the central ones first.

        ``values`` are the moves solved so far and ``value`` is the best of them: what the player
        to move is sure of. The last result, with all of them and best play, is ``proven``.
        """
        require_unfinished(position)
        counts, began = counters(), time.perf_counter()
        values: dict[int, float] = {}
        for action in central_first(position):
            (score,) = self._solve([position.play(action)], counts)
            values[action] = 0.0 - score
            best = max(values, key=lambda a: values[a])
            yield SearchResult(
                best,
                values[best],
                (best,),
                nodes=int(counts[NODES]),
                values=dict(sorted(values.items())),
                seconds=time.perf_counter() - began,
            )
        line = (best, *self.line(position.play(best), int(counts[NODES]) + UNINTERRUPTED_NODES))
        yield SearchResult(
            best,
            values[best],
            line,
            nodes=int(counts[NODES]),
            depth=len(line),
            values=dict(sorted(values.items())),
            seconds=time.perf_counter() - began,
            proven=True,
        )

    def act(self, position: Position) -> int:
        """Returns the most central of the best actions; ValueError if the game is over."""
        require_unfinished(position)
        return self._best(position, counters())

    def line(self, position: Position, nodes: int = UNLIMITED) -> tuple[int, ...]:
        """Returns best play to the end of the game, as far as ``nodes`` positions suffice."""
        line: list[int] = []
        counts = counters(nodes)
        while not position.is_terminal():
            action = self._best(position, counts)
            if counts[ABORTED]:
                break
            line.append(action)
            position = position.play(action)
        return tuple(line)

    def _best(self, position: Position, counts: NDArray[np.int64]) -> int:
        """Returns the first action, central ones first, that has the score of ``position``.

        Each is searched with a null window. Any action once counts[ABORTED] is set.
        """
        (score,) = self._solve([position], counts)
        actions = central_first(position)
        for action in actions[:-1]:
            child = position.play(action)
            (reached,) = self._solve([child], counts, -score, 1 - score)
            if reached == -score:
                return action
        return actions[-1]

    # ---- the search

    def _solve(
        self,
        positions: Sequence[Position],
        counts: NDArray[np.int64],
        low: int = -MAX_SCORE,
        high: int = MAX_SCORE,
    ) -> list[int]:
        """Returns the scores, cut to ``low`` .. ``high``; undefined once counts[ABORTED] is set."""
        if not positions:
            return []
        if self.weak:
            low, high = max(low, -1), min(high, 1)
        search = self._search_for(positions)
        return [search.look_up_or_search(p, counts, low, high) for p in positions]

    def _search_for(self, positions: Sequence[Position]) -> BoardSearch:
        """Returns the search of the board of these; ValueError unless all are of one game."""
        first = positions[0]
        if len(positions) == 1 and type(first) is ConnectFour and first[:3] in self._searches:
            return self._searches[first[:3]]
        require_position(first)
        if not isinstance(first, ConnectFour):
            raise ValueError(f"{self.name} solves connect_four, not {type(first).__name__}")
        game = first[:3]
        for position in positions:
            if position[:3] != game or not isinstance(position, ConnectFour):
                raise ValueError("positions that are scored together must be of one board")
        search = self._searches.get(game)
        if search is None:
            if first.k != 4:
                raise ValueError(
                    f"{self.name} solves four in a row, not k={first.k}: use retrograde or "
                    "alpha_beta"
                )
            search = BoardSearch(first, self.table_mb, self.book)
            search = self._searches.setdefault(game, search)  # that of another thread, if faster
        return search


class BoardSearch:
    """The compiled search for boards of one size, with its table and its book.

    ``bindings`` are bound to the search, to measure it without one of its techniques.
    """

    def __init__(
        self, position: ConnectFour, table_mb: float, book: bool | str | Path, **bindings: Any
    ) -> None:
        size = position.height, position.width
        bound = constants(*size) | bindings
        self.stack_shape = bound["CELLS"] + 1, bound["FRAME"] + 8
        self.late = bound["CELLS"] - UNINTERRUPTED_EMPTY
        self.table, self.shift = new_table(bound, table_mb)
        self.book = book_for(size, book)
        self.plies = self.book.plies if self.book else -1
        self.stacks = [np.empty(self.stack_shape, np.int64)]
        kernel: Any = solve_score.bind(**bindings)
        if size != (6, 7):
            kernel = kernel.bind_used(**bound)
        bounds = -MAX_SCORE, MAX_SCORE
        args: Any = 0, 0, 0, *bounds, self.table, self.shift, self.stacks[0], counters()
        self.score: Callable[..., int] = kernel.ready(*args)

    def look_up_or_search(
        self, position: Position, counts: NDArray[np.int64], low: int, high: int
    ) -> int:
        """Returns the score of a position, cut to ``low`` .. ``high``."""
        if position[5] <= self.plies and self.book is not None:
            known = self.book.score(position)  # type: ignore[arg-type] # of this board: checked
            if known is not None:
                return min(max(known, low), high)
        return self.search(position[3:6], counts, low, high)

    def search(
        self, state: tuple[int, int, int], counts: NDArray[np.int64], low: int, high: int
    ) -> int:
        """Returns the score of (own, opp, stones), cut; long searches can be interrupted.

        Each search needs a stack of its own, as threads may search at the same time.
        """
        stack = self.stacks.pop() if self.stacks else np.empty(self.stack_shape, np.int64)
        args = *state, low, high, self.table, self.shift, stack, counts
        if state[2] >= self.late:
            found = self.score(*args)
            self.stacks.append(stack)
            return found
        limit = int(counts[NODE_LIMIT])
        counts[NODE_LIMIT] = min(limit, int(counts[NODES]) + UNINTERRUPTED_NODES)
        found = self.score(*args)
        counts[NODE_LIMIT] = limit
        if counts[ABORTED] and counts[NODES] < limit and not counts[STOP]:
            counts[ABORTED] = 0
            found = run(self.score, counts, *args)
        self.stacks.append(stack)
        return found


def central_first(position: Position) -> list[int]:
    """Returns the legal actions, the most central first."""
    middle = position.num_actions - 1
    return sorted(position.legal_actions(), key=lambda action: abs(2 * action - middle))
