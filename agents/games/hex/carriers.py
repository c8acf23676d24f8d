"""The connections that an ``anchored`` H-search knows: what it keeps of them, and the or-rule.

A pair is an anchor and a point, numbered anchor * points + point; the points are the cells and then
the anchors. All functions work on the arrays of ``space_for``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count
from adv_envs.jit import kernel

BITS = 63
"""Cells in a word: as many as a signed word of 64 bits has without its sign."""

WORDS = 2
"""How many words a set of cells has; bound for larger boards."""

FIRST, LAST, GROUPS = range(3)
"""Anchors: the first edge of the player (top, left), the last one, and from GROUPS on groups."""

MAX_ANCHORS = 32
"""So many are looked at; stones of further groups join nothing."""

FULLS, DONE, SEMIS, SEMIS_DONE, WAITING, COLUMNS = range(6)
"""Columns of ``heads``: how many full connections are known, and the set of those that were
combined with others; the same of semi-connections; whether the pair waits in the queue."""

MAX_FULLS, MAX_SEMIS = 4, 8
"""Of each pair so many are kept, those with the smallest carriers."""

ROWS = MAX_FULLS + MAX_SEMIS
"""Rows of ``carriers`` for each pair: its full connections, then its semi-connections."""

NEW, COMMON, MUST, KEYS, SCRATCH_ROWS = range(5)
"""Rows of ``sets``: the carrier at hand; what some have in common; the cells that every
semi-connection of the edges needs; those on which one of them begins."""

HEAD, LENGTH, ANCHORS, ITEMS = range(4)
"""The queue: where it begins, how many pairs wait, how many anchors there are; then the pairs."""

Space = tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]


def words_for(size: int) -> int:
    """Words for a set of cells of a board; two at least, so that small boards share their code."""
    return max(2, -(-size * size // BITS))


def space_for(size: int) -> Space:
    """Room for searches on a board, as (heads, carriers, sets, queue, anchor).

    Points are the cells, then the anchors; pairs are numbered anchor * points + point. ``heads``
    (pairs, COLUMNS); ``carriers`` (pairs * ROWS, WORDS + 1), with the cell on which a
    semi-connection begins in the last column; ``sets`` (SCRATCH_ROWS, WORDS); ``queue``; ``anchor``
    (cells,): the anchor that an own stone belongs to, or -1.
    """
    pairs = MAX_ANCHORS * (size * size + MAX_ANCHORS)
    return (
        np.zeros((pairs, COLUMNS), np.int64),
        np.zeros((pairs * ROWS, words_for(size) + 1), np.int64),
        np.zeros((SCRATCH_ROWS, words_for(size)), np.int64),
        np.zeros(pairs + ITEMS, np.int64),
        np.zeros(size * size, np.int64),
    )


# ---- what is known


@kernel
def add_full(a, point, cells, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Note the full connection with the carrier NEW, unless one is known that needs no more."""
    pair = a * (cells + MAX_ANCHORS) + point
    if known(pair, FULLS, heads, carriers, sets):
        return
    if keep(pair, FULLS, heads, carriers, sets) >= 0:
        wait(pair, heads, queue)


@kernel
def add_semi(a, point, key, cells, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Note the semi-connection with the carrier NEW that begins with a stone on ``key``.

    Unless a better one is known; the or-rule is applied to it.
    """
    pair = a * (cells + MAX_ANCHORS) + point
    if known(pair, FULLS, heads, carriers, sets) or known(pair, SEMIS, heads, carriers, sets):
        return
    if a == FIRST and point == cells + LAST:
        include(sets, KEYS, key)
        for w in range(WORDS):
            sets[MUST, w] &= sets[NEW, w]
    row = keep(pair, SEMIS, heads, carriers, sets)
    if row >= 0:
        carriers[row, WORDS] = key
        if point >= cells:
            wait(pair, heads, queue)
        if size_of(sets, COMMON) == 0:
            combine(a, point, row, cells, heads, carriers, sets, queue)


@kernel
def known(pair, kind, heads, carriers, sets):  # type: ignore[no-untyped-def]
    """Whether a connection of the pair, of FULLS or SEMIS, needs no other cells than NEW."""
    begin = pair * ROWS + (0 if kind == FULLS else MAX_FULLS)
    for k in range(heads[pair, kind]):
        if within(carriers, begin + k, sets, NEW):
            return True
    return False


@kernel
def keep(pair, kind, heads, carriers, sets):  # type: ignore[no-untyped-def]
    """Write NEW among the FULLS or SEMIS of the pair, if it is not too large; its row, or -1.

    What needs more cells goes. COMMON becomes the set of the cells that all of them need.
    """
    begin, most = pair * ROWS, MAX_FULLS
    if kind == SEMIS:
        begin, most = begin + MAX_FULLS, MAX_SEMIS
    copy(sets, NEW, sets, COMMON)
    kept, done, worst, largest = 0, 0, -1, size_of(sets, NEW)
    for k in range(heads[pair, kind]):
        if within(sets, NEW, carriers, begin + k):
            continue
        copy(carriers, begin + k, carriers, begin + kept)
        carriers[begin + kept, WORDS] = carriers[begin + k, WORDS]
        done |= (heads[pair, kind + 1] >> k & 1) << kept
        for w in range(WORDS):
            sets[COMMON, w] &= carriers[begin + kept, w]
        size = size_of(carriers, begin + kept)
        if size > largest:
            worst, largest = kept, size
        kept += 1
    if kept < most:
        worst = kept
        kept += 1
    if worst >= 0:
        copy(sets, NEW, carriers, begin + worst)
        done &= ~(1 << worst)
    heads[pair, kind], heads[pair, kind + 1] = kept, done
    return begin + worst if worst >= 0 else -1


@kernel
def wait(pair, heads, queue):  # type: ignore[no-untyped-def]
    """Put the pair into the queue, unless it is there."""
    if heads[pair, WAITING] == 0:
        heads[pair, WAITING] = 1
        at = queue[HEAD] + queue[LENGTH]
        if at >= heads.shape[0]:
            at -= heads.shape[0]
        queue[ITEMS + at] = pair
        queue[LENGTH] += 1


@kernel
def first_waiting(heads, queue):  # type: ignore[no-untyped-def]
    """Take the pair out of the queue that waited longest."""
    pair = int(queue[ITEMS + queue[HEAD]])
    queue[HEAD] += 1
    if queue[HEAD] == heads.shape[0]:
        queue[HEAD] = 0
    queue[LENGTH] -= 1
    heads[pair, WAITING] = 0
    return pair


@kernel
def combine(a, point, x, cells, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """The or-rule: the semi-connection in row ``x`` and up to three others of its pair."""
    pair = a * (cells + MAX_ANCHORS) + point
    begin = pair * ROWS + MAX_FULLS
    for i in range(begin, begin + heads[pair, SEMIS]):
        for j in range(begin, i + 1):
            for k in range(begin, j + 1):  # with j = i or k = j it is fewer
                if none_common(carriers, x, i, j, k):
                    for w in range(WORDS):
                        sets[NEW, w] = carriers[x, w] | carriers[i, w]
                        sets[NEW, w] |= carriers[j, w] | carriers[k, w]
                    add_full(a, point, cells, heads, carriers, sets, queue)


@kernel
def touching(pair, heads, carriers):  # type: ignore[no-untyped-def]
    """Whether the pair is connected without a carrier: nothing is better."""
    if heads[pair, FULLS] != 1:
        return False
    for w in range(WORDS):
        if carriers[pair * ROWS, w] != 0:
            return False
    return True


# ---- sets of cells, rows of arrays (rows, WORDS)


@kernel
def has(sets, row, cell):  # type: ignore[no-untyped-def]
    """Whether ``cell`` is in the set."""
    word = cell // BITS
    return sets[row, word] >> cell - word * BITS & 1 != 0


@kernel
def include(sets, row, cell):  # type: ignore[no-untyped-def]
    """Add ``cell`` to the set."""
    word = cell // BITS
    sets[row, word] |= 1 << cell - word * BITS


@kernel
def within(sets, row, others, other):  # type: ignore[no-untyped-def]
    """Whether all cells of a set are in the other."""
    for w in range(WORDS):
        if sets[row, w] & ~others[other, w] != 0:
            return False
    return True


@kernel
def disjoint(sets, row, other):  # type: ignore[no-untyped-def]
    """Whether two sets have no cell in common."""
    for w in range(WORDS):
        if sets[row, w] & sets[other, w] != 0:
            return False
    return True


@kernel
def none_common(sets, i, j, k, m):  # type: ignore[no-untyped-def]
    """Whether no cell is in all four sets."""
    for w in range(WORDS):
        if sets[i, w] & sets[j, w] & sets[k, w] & sets[m, w] != 0:
            return False
    return True


@kernel
def unite(sets, row, other, into):  # type: ignore[no-untyped-def]
    """NEW becomes the union of two sets."""
    for w in range(WORDS):
        into[NEW, w] = sets[row, w] | sets[other, w]


@kernel
def copy(sets, row, into, there):  # type: ignore[no-untyped-def]
    """Copy a set."""
    for w in range(WORDS):
        into[there, w] = sets[row, w]


@kernel
def size_of(sets, row):  # type: ignore[no-untyped-def]
    """How many cells a set has."""
    number = 0
    for w in range(WORDS):
        number += count(int(sets[row, w]))
    return number
