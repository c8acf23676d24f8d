"""Who wins Domineering: a search that stops where safe moves are enough.

A player with s safe moves makes at least s more moves, one with r real moves at most r. So the
player to move wins if s > r of the opponent, and loses if the opponent's s is at least the own r.
Where that decides nothing the moves are tried, the most promising first, and the result is kept in
a table. Cells where nobody has a place, and which way the board is turned over, do not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel
from agents.search.limits import NODES, STOP
from agents.search.limits import Counts as Counters

from .evaluations import balance, real_moves, safe_moves

UNKNOWN = -1


class SearchArrays(NamedTuple):
    """The arrays of the search."""

    known: NDArray[np.int64]
    """For each player to move, free cells and 1 for a win or 0, shape (2, entries, 2)."""
    moves: NDArray[np.int64]
    """The free cells after each move of a ply, shape (plies, cells)."""
    score: NDArray[np.int64]
    """How promising they are, likewise."""


def workspace(table_mb: float) -> SearchArrays:
    """Returns the arrays for boards of up to 63 bits."""
    known = np.full((2, max(int(table_mb * 2**20 / 32), 1), 2), -1)
    return SearchArrays(known, np.zeros((40, 64), np.int64), np.zeros((40, 64), np.int64))


@kernel
def wins(
    free: int,
    player: int,
    ply: int,
    height: int,
    width: int,
    work: SearchArrays,
    counters: Counters,
) -> int:
    """Returns 1 if ``player``, to move on the ``free`` cells, wins, otherwise 0.

    Bit row * (width + 1) + column is a cell. The answer means nothing once counters[STOP] is set.
    """
    counters[NODES] += 1
    step, other = (width + 1, 1) if player == 0 else (1, width + 1)
    known = decided(free, step, other)
    if known != UNKNOWN or counters[STOP] != 0:
        return known
    key = smallest_image(with_places(free, width + 1), height, width)
    entry = hashed(key) % work.known.shape[1]
    if work.known[player, entry, 0] == key:
        return int(work.known[player, entry, 1])
    number = write_moves(free, step, other, ply, work)
    won = 0
    for i in range(number):
        rest = int(work.moves[ply, i])
        if wins(rest, 1 - player, ply + 1, height, width, work, counters) == 0:
            won = 1
            break
    if counters[STOP] == 0:
        work.known[player, entry, 0], work.known[player, entry, 1] = key, won
    return won


@kernel
def decided(free: int, step: int, other: int) -> int:
    """Returns 1 or 0 where safe moves decide who wins, otherwise UNKNOWN."""
    if safe_moves(free, step, other) > real_moves(free, other):
        return 1
    return 0 if safe_moves(free, other, step) >= real_moves(free, step) else UNKNOWN


@kernel
def write_moves(free: int, step: int, other: int, ply: int, work: SearchArrays) -> int:
    """Writes the free cells after each move, the most promising first; returns their number."""
    number, places = 0, free & free >> step
    while places != 0:
        cell = places & -places
        places ^= cell
        rest = free & ~(cell | cell << step)
        score, at = balance(rest, step, other), number
        while at > 0 and work.score[ply, at - 1] < score:
            work.score[ply, at] = work.score[ply, at - 1]
            work.moves[ply, at] = work.moves[ply, at - 1]
            at -= 1
        work.score[ply, at], work.moves[ply, at] = score, rest
        number += 1
    return number


def with_places(free: int, stride: int) -> int:
    """Returns the free cells on which some domino can lie."""
    return free & (free << 1 | free >> 1 | free << stride | free >> stride)


def smallest_image(free: int, height: int, width: int) -> int:
    """Returns the smallest of the four sets that are ``free`` with rows or columns reversed."""
    upside_down, stride, row = 0, width + 1, (1 << width) - 1
    for i in range(height):
        upside_down |= (free >> i * stride & row) << (height - 1 - i) * stride
    last = height * stride - 1  # the turned set has the empty bit of each row in front
    turned, across = reversed_bits(free, last), reversed_bits(upside_down, last)
    return min(free, upside_down, turned, across)


def reversed_bits(cells: int, number: int) -> int:
    """Returns the lowest ``number`` bits of a set in the opposite order."""
    turned = 0
    for i in range(number):
        turned |= (cells >> i & 1) << number - 1 - i
    return turned


def hashed(key: int) -> int:
    """Returns a number that is not negative and depends on all bits of ``key``."""
    mixed = key ^ key >> 29
    mixed = (mixed & 0x7FFFFFFF) * 0x5851F42D ^ (mixed >> 31) * 0x4C957F2D
    return (mixed ^ mixed >> 23) & 0x7FFFFFFFFFFFFFFF
