"""The Kalah solver: the exact margin of every position of which not too many seeds are left.

What is in the stores does not matter to what can still be won: the value of a position is the
margin of the stores plus that of the *rest*, the same pits with empty stores. So the search, and
its transposition table, know rests only, with the player to move as player 0. It is alpha-beta to
the end of the game, called with null windows until one margin is left (MTD(f): A. Plaat et al.,
Best-first fixed-depth minimax algorithms, 1996).

An entry of the table is three words: the row of the player to move, the other row, and from the
lowest bit on 10 bits for the lower and 10 for the upper bound of the margin, both plus 256, 3 bits
for the best action and 8 for the seeds that are left. 0 is an empty entry. A bucket has two of
them: the first for the rest with the most seeds, the second for the latest.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.games.kalah import BYTE, Kalah
from adv_envs.jit import kernel
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_position,
    require_table,
    require_unfinished,
)
from agents.search.limits import ABORTED, NODE_LIMIT, NODES, STOP, Counts, counters, prepared, run
from agents.search.transposition_table import hash_word

Table = NDArray[np.int64]
"""Entries, of shape (n, 3); n is a power of two."""

MOST = 255
"""No margin is larger."""

UNINTERRUPTED = 20
"""Seeds left up to which a search is so short that it runs without a watch for interrupts."""


@dataclass(repr=False)
class KalahSolver(SearchAgent):
    """The exact margin of positions of Kalah, for the player to move: own seeds minus the other's.

    The work depends on the seeds that are left in the pits; with 6 pits, 24 take a fraction of a
    second and 36 half a minute. ``table_mb`` bounds the transposition table, which is kept from one
    call to the next. ValueError for other games.
    """

    table_mb: float = 96

    name: ClassVar[str] = "kalah_solver"
    _tables: dict[tuple[int, ...], Table] = field(
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
        *_, values = [{}, *self._values(position, counters())]
        return values

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result after each move that is solved; the last one is proven."""
        require_unfinished(position)
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
        line = self._line(position, counts)
        yield dataclasses.replace(
            found,
            principal_variation=line,
            nodes=int(counts[NODES]),
            depth=len(line),
            seconds=time.perf_counter() - began,
            proven=True,
        )

    def _values(self, position: Position, counts: Counts) -> Iterator[dict[int, float]]:
        """Yields the margins of the moves solved so far, one more each time."""
        values: dict[int, float] = {}
        for action in position.legal_actions():
            child = position.play(action)
            sign = 1 if child.to_move == position.to_move else -1
            values = values | {action: sign * self._margin(child, counts) + 0.0}
            yield values

    def _line(self, position: Position, counts: Counts) -> tuple[int, ...]:
        """Returns best play to the end of the game."""
        line: list[int] = []
        while not position.is_terminal():
            *_, values = self._values(position, counts)
            line.append(max(values, key=values.__getitem__))
            position = position.play(line[-1])
        return tuple(line)

    def _margin(self, position: Position, counts: Counts) -> int:
        """Returns the exact margin for the player to move."""
        if not isinstance(position, Kalah):
            raise ValueError(f"{self.name} solves kalah, not {type(position).__name__}")
        ahead = position.store(position.to_move) - position.store(1 - position.to_move)
        if position.is_terminal():
            return ahead
        rest, table = stripped(position), self._table(position)
        search = prepared(margin_of_rest, rest, 0, table, counts)
        if seeds_left(position) <= UNINTERRUPTED:
            return ahead + int(search(rest, 0, table, counts))
        return ahead + int(run(search, counts, rest, 0, table, counts))

    def _table(self, position: Kalah) -> Table:
        """Returns the table for the game of ``position``, an empty one at first.

        Rests of boards with other numbers of seeds are the same.
        """
        game = position.pits, position.empty_capture
        if game not in self._tables:
            slots = max(2, int(self.table_mb * 2**20) // 24)
            self._tables = {game: np.zeros((1 << slots.bit_length() - 1, 3), np.int64)}
        return self._tables[game]


# ---- the search


@kernel
def margin_of_rest(rest: Kalah, guess: int, table: Table, counts: Counts) -> int:
    """Returns the margin of an unfinished rest; meaningless once counts[ABORTED] is set."""
    left = seeds_left(rest)
    low, high, value = -left, left, guess
    while low < high and counts[ABORTED] == 0:
        beta = max(value, low + 1)
        value = best_margin(rest, left, beta, table, counts)
        if value < beta:
            high = value
        else:
            low = value
    return value


@kernel
def best_margin(rest: Kalah, left: int, beta: int, table: Table, counts: Counts) -> int:
    """Returns a lower bound of the margin that is at least ``beta``, or an upper bound below it.

    ``left`` is the number of seeds in the pits.
    """
    counts[NODES] += 1
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0
    lower, upper, first = probe(rest, left, table)
    if lower >= beta:
        return lower
    if upper < beta:
        return upper
    best, best_action, tried = -MOST - 1, 0, 0
    while best < beta:
        action = next_action(rest, first, tried)
        if action < 0:
            break
        tried |= 1 << action
        child = rest.play(action)
        value = gained = child.store(0) - child.store(1)
        after, fewer = stripped(child), left - child.store(0) - child.store(1)
        if fewer > 0 and child.to_move == 0:
            value += best_margin(after, fewer, beta - gained, table, counts)
        elif fewer > 0:
            value -= best_margin(after, fewer, gained - beta + 1, table, counts)
        if counts[ABORTED] != 0:
            return 0
        if value > best:
            best, best_action = value, action
    lower, upper = (best, max(upper, best)) if best >= beta else (min(lower, best), best)
    store(rest, left, lower, upper, best_action, table)
    return best


def next_action(rest: Kalah, first: int, tried: int) -> int:
    """Returns the most promising action that was not tried yet; -1 if there is none.

    That is ``first``, then those after which the player moves again, and of two the later pit.
    """
    found = -1
    for action in range(rest.pits):
        if tried >> action & 1 == 0 and rest.legal(action):
            if action == first:
                return action
            if found < 0 or moves_again(rest, action) or not moves_again(rest, found):
                found = action
    return found


def moves_again(rest: Kalah, action: int) -> bool:
    """Returns whether the last seed falls into the store, without a lap around the board."""
    return rest.own >> 8 * action & BYTE == rest.pits - action


def stripped(position: Kalah) -> Kalah:
    """Returns the rest of a position: its pits, with the player to move as player 0."""
    row = (1 << 8 * position.pits) - 1
    pits, seeds, empty_capture = position.pits, position.seeds, position.empty_capture
    return Kalah(pits, seeds, empty_capture, position.own & row, position.opp & row, 0)


def seeds_left(position: Kalah) -> int:
    """Returns how many seeds are in the pits."""
    seeds = 0
    for pit in range(position.pits):
        seeds += (position.own >> 8 * pit & BYTE) + (position.opp >> 8 * pit & BYTE)
    return seeds


# ---- the table


@kernel
def probe(rest: Kalah, left: int, table: Table) -> tuple[int, int, int]:
    """Returns a lower and an upper bound of a margin, and the best action.

    Where the table has none these are the number of seeds that are left, minus and plus, and -1.
    """
    at = slot_of(rest, table)
    for i in range(at, at + 2):
        if table[i, 0] == rest.own and table[i, 1] == rest.opp and table[i, 2] != 0:
            word = int(table[i, 2])
            return (word & 1023) - 256, (word >> 10 & 1023) - 256, word >> 20 & 7
    return -left, left, -1


@kernel
def store(rest: Kalah, left: int, lower: int, upper: int, action: int, table: Table) -> None:
    """Stores bounds of the margin of a rest and the best action."""
    at = slot_of(rest, table)
    same = table[at, 0] == rest.own and table[at, 1] == rest.opp
    if not same and table[at, 2] >> 23 > left:
        at += 1
    table[at, 0] = rest.own
    table[at, 1] = rest.opp
    table[at, 2] = left << 23 | action << 20 | upper + 256 << 10 | lower + 256


@kernel
def slot_of(rest: Kalah, table: Table) -> int:
    """Returns the first of the two slots where a rest may be."""
    return int(hash_word(hash_word(0, rest.own), rest.opp) & (table.shape[0] - 2))
