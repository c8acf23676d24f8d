"""Exact margins, in games whose players gather points until there are none left.

What the players have gathered does not matter to what they can still gather. So the value of a
position is how many points the player to move is ahead, plus the margin of the *rest*, which is the
same for all positions that differ in the points gathered only. The search and its table know rests.
It is alpha-beta to the end of the game, called with null windows until one margin is left (MTD(f):
A. Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87, 1996).

What it has to know of a game is in the field ``margins`` of its ``Knowledge``.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Position
from adv_envs.jit import kernel
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_position,
    require_table,
    require_unfinished,
)
from agents.knowledge import ExactValues, Margins, MoveValue, knowledge_of

from .limits import ABORTED, NODE_LIMIT, NODES, STOP, Counts, counters, prepared, run
from .transposition_table import WORK, WorkTable, find, work_table

LOWER_BOUND, UPPER_BOUND = range(2)
"""The numbers of an entry of the table; its value is the best action, its work the points left."""

UNINTERRUPTED = 16
"""Points left up to which a search is so short that it runs without a watch for interrupts."""

Search = Callable[[Position, Counts], int]
"""``search(position, counts)``: the exact margin for the player to move."""


@dataclass(repr=False)
class MarginSolver(SearchAgent):
    """The exact margin of a position for the player to move: own points minus the other's.

    For games of two players whose record in ``agents.knowledge`` has ``margins``; ValueError for
    others. It searches to the end of the game, however long that takes. ``table_mb`` bounds the
    transposition table, which is kept from one call to the next.
    """

    table_mb: float = 128
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""

    name: ClassVar[str] = "margin_solver"
    _searches: dict[Any, Search] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table of no size."""
        require_table(self.table_mb)

    def value(self, position: Position) -> float:
        """Returns the exact margin for the player to move."""
        require_position(position)
        return float(self._margin(position, counters()))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the exact margin of each legal action for the player to move."""
        require_position(position)
        return next(reversed(list(self._values(position, counters()))), {})

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """``values`` as they become known."""
        require_position(position)
        return self._values(position, counters())

    def analyse(self, position: Position) -> SearchResult:
        """Returns the margins of all moves and best play; ValueError if the game is over."""
        return super().analyse(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result after each move that is solved; the last one, with all, is proven."""
        require_unfinished(position)
        self._search_for(position)  # compiles
        counts, began = counters(), time.perf_counter()
        for values in self._values(position, counts):
            action = max(values, key=values.__getitem__)
            found = SearchResult(
                action,
                values[action],
                (action,),
                nodes=int(counts[NODES]),
                seconds=time.perf_counter() - began,
                values=values,
            )
            yield found
        line = (action, *self._line(position.play(action), counts))
        yield dataclasses.replace(
            found,
            principal_variation=line,
            nodes=int(counts[NODES]),
            depth=len(line),
            seconds=time.perf_counter() - began,
            proven=True,
        )

    def _values(self, position: Position, counts: Counts) -> Iterator[dict[int, float]]:
        """Yields the margins of the moves that are solved, one more each time."""
        values: dict[int, float] = {}
        for action in position.legal_actions():
            child = position.play(action)
            sign = 1 if child.to_move == position.to_move else -1
            values = values | {action: float(sign * self._margin(child, counts))}
            yield values

    def _line(self, position: Position, counts: Counts) -> Iterator[int]:
        """Yields best play to the end of the game."""
        while not position.is_terminal():
            margin = self._margin(position, counts)
            for action in position.legal_actions():
                child = position.play(action)
                sign = 1 if child.to_move == position.to_move else -1
                if sign * self._margin(child, counts) == margin:
                    break
            yield action
            position = child

    def _margin(self, position: Position, counts: Counts) -> int:
        """Returns the exact margin for the player to move."""
        return self._search_for(position)(position, counts)

    def _search_for(self, position: Position) -> Search:
        """Returns the search of the game of ``position``; the last game's table is kept."""
        game = type(position), position[: len(position.parameters)]
        if game not in self._searches:
            self._searches = {game: new_search(position, self.table_mb)}
        return self._searches[game]

    def __getstate__(self) -> dict[str, Any]:
        """All but the tables: a copy begins without one."""
        return self.__dict__ | {"_searches": {}}


def new_search(start: Position, table_mb: float) -> Search:
    """Returns the search for margins in the game of ``start``, compiled, with an empty table."""
    margins = margins_of(start)
    table, kernel = work_table(start, table_mb), margin_of_rest.bind(**vars(margins))
    search = prepared(kernel, margins.rest(start), table, counters())

    def margin(position: Position, counts: Counts) -> int:
        points = int(margins.ahead(position))
        if position.is_terminal():
            return points
        rest = margins.rest(position)
        if margins.left(rest) <= UNINTERRUPTED:
            return points + int(search(rest, table, counts))
        return points + int(run(search, counts, rest, table, counts))

    return margin


def margins_of(position: Position) -> Margins:
    """Returns the margins of the game's record; ValueError if it has none."""
    margins = knowledge_of(position).margins
    if margins is None:
        name = type(position).__name__
        raise ValueError(
            f"margin_solver solves games with margins in their record of agents.knowledge, which "
            f"{name} has not; use retrograde or alpha_beta"
        )
    return margins


class MarginValues(ExactValues):
    """The exact margins of moves, where few points are left.

    In a game that is only won or lost they are the scores of the moves.
    """

    def __init__(
        self, start: Position, work: Callable[[Any], int], quick: int, feasible: int
    ) -> None:
        """``work(position)``: what the time to solve a position depends on.

        ``quick`` takes a second at most for all moves, ``feasible`` some seconds.
        """
        super().__init__(start)
        self.has_scores = self.in_points = start.max_utility == 1
        self._solver, self._work = MarginSolver(), work
        self._quick, self._feasible = quick, feasible

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the margin that each legal action leads to."""
        value = MoveValue.of_score if self.in_points else MoveValue.of_value
        return {a: value(margin) for a, margin in self._solver.values(position).items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether all moves are solved in a second at most."""
        return self._work(position) <= self._quick

    def is_feasible(self, position: Position) -> bool:
        """Returns whether all moves are solved in some seconds."""
        return self._work(position) <= self._feasible


def margin_in_words(position: Position, margin: float) -> str:
    """Returns who wins, and by how much."""
    if margin == 0:
        return "a draw"
    return f"a win by {margin:g}" if margin > 0 else f"a loss by {-margin:g}"


# ---- what is bound for a game: see ``agents.knowledge.Margins``


def ahead(position: Position) -> int:
    """Returns how many points the player to move has more than the other."""
    return 0


def left(position: Position) -> int:
    """Returns how many points are left to be gathered."""
    return 0


def rest(position: Position) -> Position:
    """Returns the position that stands for all that differ in the points gathered only."""
    return position


def next_action(position: Position, first: int, tried: int) -> int:
    """Returns the most promising action not in the set ``tried``; -1 if none needs a trial."""
    return -1


# ---- the search

UNKNOWN = 1 << 40
"""Larger than any margin."""


@kernel
def margin_of_rest(position: Position, table: WorkTable, counts: Counts) -> int:
    """Returns the margin of a rest that is not over; meaningless once counts[ABORTED] is set."""
    high = left(position)
    low, margin = -high, 0
    while low < high and counts[ABORTED] == 0:
        beta = max(margin, low + 1)
        margin = bound_of_margin(position, beta, table, counts)
        if margin < beta:
            high = margin
        else:
            low = margin
    return margin


@kernel
def bound_of_margin(position: Position, beta: int, table: WorkTable, counts: Counts) -> int:
    """Returns a lower bound of the margin that is at least ``beta``, or an upper bound below it.

    ``position`` is a rest that is not over.
    """
    counts[NODES] += 1
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0
    lower, upper, first = probe_margin(position, table)
    if lower >= beta or upper < beta:
        return lower if lower >= beta else upper
    best, best_action, tried, before = -UNKNOWN, -1, 0, ahead(position)
    while best < beta:
        action = next_action(position, first, tried)
        if action < 0:
            break
        tried |= 1 << action
        child = position.play(action)
        sign = 1 if child.to_move == position.to_move else -1
        margin = sign * ahead(child) - before  # gained by the move
        if not child.is_terminal():
            enough = beta - margin if sign > 0 else margin - beta + 1
            margin += sign * bound_of_margin(rest(child), enough, table, counts)
        if counts[ABORTED] != 0:
            return 0
        if margin > best:
            best, best_action = margin, action
    store_margin(position, beta, best, lower, upper, best_action, table)
    return best


@kernel
def probe_margin(position: Position, table: WorkTable) -> tuple[int, int, int]:
    """Returns (a lower bound, an upper bound, the best action); unknown: all that is left, -1."""
    entries, actions, words = table
    known, at = find(position, entries, words)
    if not known:
        most = left(position)
        return -most, most, -1
    return int(entries[at, LOWER_BOUND]), int(entries[at, UPPER_BOUND]), int(actions[at])


@kernel
def store_margin(
    position: Position,
    beta: int,
    margin: int,
    lower: int,
    upper: int,
    action: int,
    table: WorkTable,
) -> None:
    """Stores what a search found, with the bounds that were known before."""
    entries, actions, words = table
    _, at = find(position, entries, words)
    entries[at, LOWER_BOUND] = max(margin, lower) if margin >= beta else lower
    entries[at, UPPER_BOUND] = upper if margin >= beta else min(margin, upper)
    entries[at, WORK] = left(position)
    actions[at] = action
    for i in range(words.shape[0]):
        entries[at, 3 + i] = words[i]
