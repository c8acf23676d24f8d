"""The connection store of the sparse H-search: what it keeps of connections, and the or-rule.

A pair is an anchor and a point, numbered anchor * points + point; the points are the cells, then
the anchors. All kernels work on the arrays of ``new_workspace``. Carriers are sets of cells in
WORDS words of 63 bits, which are rows of arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count
from adv_envs.jit import kernel

Indices = NDArray[np.int64]

Workspace = tuple[Indices, Indices, Indices, Indices, Indices]
"""(pairs, carriers, sets, queue, anchor), see ``new_workspace``."""

BITS = 63
"""Cells in a word: the bits of a signed word of 64 bits without its sign."""

WORDS = 2
"""The number of words of a set of cells; bound for larger boards."""

FIRST, LAST, GROUPS = range(3)
"""Anchors: the first edge of the player (top, left), the last one, and from GROUPS on groups."""

MAX_ANCHORS = 32
"""Anchors that are considered; further groups join nothing."""

FULLS, DONE, SEMIS, SEMIS_DONE, QUEUED, COLUMNS = range(6)
"""Columns of ``pairs``: the number of full connections, and the set of those that were combined
with others; the same for semi-connections; whether the pair is in the queue."""

MAX_FULLS, MAX_SEMIS = 4, 8
"""Connections that are kept of each pair: those with the smallest carriers."""

ROWS = MAX_FULLS + MAX_SEMIS
"""Rows of ``carriers`` for each pair: its full connections, then its semi-connections."""

NEW, COMMON, MUST, KEYS, NUM_SETS = range(5)
"""Rows of ``sets``: the carrier at hand; what some have in common; the cells that every
semi-connection of the edges needs; those on which one of them begins."""

HEAD, LENGTH, ANCHORS, ITEMS = range(4)
"""The queue: where it begins, how many pairs it holds, the number of anchors; then the pairs."""


def words_for(size: int) -> int:
    """Returns the words of a set of cells; at least two, so that small boards share their code."""
    return max(2, -(-size * size // BITS))


def new_workspace(size: int) -> Workspace:
    """Returns the arrays for searches on a board: (pairs, carriers, sets, queue, anchor).

    All are int64: ``pairs`` (pairs, COLUMNS); ``carriers`` (pairs * ROWS, WORDS + 1), with the cell
    on which a semi-connection begins in the last column; ``sets`` (NUM_SETS, WORDS); ``queue``
    (pairs + ITEMS,); ``anchor`` (cells,): the anchor that an own stone belongs to, or -1.
    """
    pairs = MAX_ANCHORS * (size * size + MAX_ANCHORS)
    return (
        np.zeros((pairs, COLUMNS), np.int64),
        np.zeros((pairs * ROWS, words_for(size) + 1), np.int64),
        np.zeros((NUM_SETS, words_for(size)), np.int64),
        np.zeros(pairs + ITEMS, np.int64),
        np.zeros(size * size, np.int64),
    )


# ---- connections


@kernel
def add_full(
    a: int,
    point: int,
    cells: int,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Adds the full connection with the carrier NEW, unless one with a subset of it is known."""
    pair = a * (cells + MAX_ANCHORS) + point
    if is_superfluous(pair, FULLS, pairs, carriers, sets):
        return
    if insert(pair, FULLS, pairs, carriers, sets) >= 0:
        enqueue(pair, pairs, queue)


@kernel
def add_semi(
    a: int,
    point: int,
    key: int,
    cells: int,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Adds the semi-connection with the carrier NEW that begins with a stone on ``key``.

    Unless a better one is known; the or-rule is applied to it.
    """
    pair = a * (cells + MAX_ANCHORS) + point
    if is_superfluous(pair, FULLS, pairs, carriers, sets) or is_superfluous(
        pair, SEMIS, pairs, carriers, sets
    ):
        return
    if a == FIRST and point == cells + LAST:
        add_cell(sets, KEYS, key)
        for w in range(WORDS):
            sets[MUST, w] &= sets[NEW, w]
    row = insert(pair, SEMIS, pairs, carriers, sets)
    if row >= 0:
        carriers[row, WORDS] = key
        if point >= cells:
            enqueue(pair, pairs, queue)
        if set_size(sets, COMMON) == 0:
            apply_or_rule(a, point, row, cells, pairs, carriers, sets, queue)


@kernel
def is_superfluous(pair: int, kind: int, pairs: Indices, carriers: Indices, sets: Indices) -> bool:
    """Returns whether a carrier of the pair, of FULLS or SEMIS, is a subset of NEW."""
    begin = pair * ROWS + (0 if kind == FULLS else MAX_FULLS)
    for k in range(pairs[pair, kind]):
        if is_subset(carriers, begin + k, sets, NEW):
            return True
    return False


@kernel
def insert(pair: int, kind: int, pairs: Indices, carriers: Indices, sets: Indices) -> int:
    """Writes NEW among the FULLS or SEMIS of the pair; returns its row, -1 if it is too large.

    Supersets of it are removed. COMMON becomes the set of the cells in all carriers.
    """
    begin, most = pair * ROWS, MAX_FULLS
    if kind == SEMIS:
        begin, most = begin + MAX_FULLS, MAX_SEMIS
    copy_set(sets, NEW, sets, COMMON)
    kept, done, largest, largest_size = 0, 0, -1, set_size(sets, NEW)
    for k in range(pairs[pair, kind]):
        if is_subset(sets, NEW, carriers, begin + k):
            continue
        copy_set(carriers, begin + k, carriers, begin + kept)
        carriers[begin + kept, WORDS] = carriers[begin + k, WORDS]
        done |= (pairs[pair, kind + 1] >> k & 1) << kept
        for w in range(WORDS):
            sets[COMMON, w] &= carriers[begin + kept, w]
        size = set_size(carriers, begin + kept)
        if size > largest_size:
            largest, largest_size = kept, size
        kept += 1
    if kept < most:
        largest = kept
        kept += 1
    if largest >= 0:
        copy_set(sets, NEW, carriers, begin + largest)
        done &= ~(1 << largest)
    pairs[pair, kind], pairs[pair, kind + 1] = kept, done
    return begin + largest if largest >= 0 else -1


@kernel
def enqueue(pair: int, pairs: Indices, queue: Indices) -> None:
    """Puts the pair into the queue, unless it is there."""
    if pairs[pair, QUEUED] == 0:
        pairs[pair, QUEUED] = 1
        at = queue[HEAD] + queue[LENGTH]
        if at >= pairs.shape[0]:
            at -= pairs.shape[0]
        queue[ITEMS + at] = pair
        queue[LENGTH] += 1


@kernel
def dequeue(pairs: Indices, queue: Indices) -> int:
    """Removes the oldest pair from the queue and returns it."""
    pair = int(queue[ITEMS + queue[HEAD]])
    queue[HEAD] += 1
    if queue[HEAD] == pairs.shape[0]:
        queue[HEAD] = 0
    queue[LENGTH] -= 1
    pairs[pair, QUEUED] = 0
    return pair


@kernel
def apply_or_rule(
    a: int,
    point: int,
    x: int,
    cells: int,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Combines the semi-connection in row ``x`` with up to three others of its pair."""
    pair = a * (cells + MAX_ANCHORS) + point
    begin = pair * ROWS + MAX_FULLS
    for i in range(begin, begin + pairs[pair, SEMIS]):
        for j in range(begin, i + 1):
            for k in range(begin, j + 1):  # with j = i or k = j it is fewer
                if is_intersection_empty(carriers, x, i, j, k):
                    for w in range(WORDS):
                        sets[NEW, w] = carriers[x, w] | carriers[i, w]
                        sets[NEW, w] |= carriers[j, w] | carriers[k, w]
                    add_full(a, point, cells, pairs, carriers, sets, queue)


@kernel
def is_adjacent(pair: int, pairs: Indices, carriers: Indices) -> bool:
    """Returns whether the pair is connected with an empty carrier: nothing is better."""
    if pairs[pair, FULLS] != 1:
        return False
    for w in range(WORDS):
        if carriers[pair * ROWS, w] != 0:
            return False
    return True


# ---- sets of cells, rows of arrays (rows, WORDS)


@kernel
def contains(sets: Indices, row: int, cell: int) -> bool:
    """Returns whether ``cell`` is in the set."""
    word = cell // BITS
    return bool(sets[row, word] >> cell - word * BITS & 1 != 0)


@kernel
def add_cell(sets: Indices, row: int, cell: int) -> None:
    """Adds ``cell`` to the set."""
    word = cell // BITS
    sets[row, word] |= 1 << cell - word * BITS


@kernel
def is_subset(sets: Indices, row: int, others: Indices, other: int) -> bool:
    """Returns whether all cells of a set are in the other."""
    for w in range(WORDS):
        if sets[row, w] & ~others[other, w] != 0:
            return False
    return True


@kernel
def are_disjoint(sets: Indices, row: int, other: int) -> bool:
    """Returns whether two sets have no cell in common."""
    for w in range(WORDS):
        if sets[row, w] & sets[other, w] != 0:
            return False
    return True


@kernel
def is_intersection_empty(sets: Indices, i: int, j: int, k: int, m: int) -> bool:
    """Returns whether no cell is in all four sets."""
    for w in range(WORDS):
        if sets[i, w] & sets[j, w] & sets[k, w] & sets[m, w] != 0:
            return False
    return True


@kernel
def write_union(sets: Indices, row: int, other: int, into: Indices) -> None:
    """Writes the union of two sets into NEW of ``into``."""
    for w in range(WORDS):
        into[NEW, w] = sets[row, w] | sets[other, w]


@kernel
def copy_set(sets: Indices, row: int, into: Indices, to_row: int) -> None:
    """Copies a set."""
    for w in range(WORDS):
        into[to_row, w] = sets[row, w]


@kernel
def set_size(sets: Indices, row: int) -> int:
    """Returns the number of cells of a set."""
    number = 0
    for w in range(WORDS):
        number += count(int(sets[row, w]))
    return number
