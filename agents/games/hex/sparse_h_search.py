"""Runs H-search on boards of any size, from groups and edges only: cheap enough for MCTS.

The full H-search of ``virtual_connections`` joins every two points, which grows with the fourth
power of the size. Here each connection begins at an *anchor*, a group of stones or an edge of the
player; the empty cells in between are joined to each other only where they are adjacent or form a
bridge. So there are few connections, and edge templates, ladders of bridges and what is made of
them are found all the same. The rules are those of ``virtual_connections``:

- *and* over a stone: full connections a-g and g-y make a full connection a-y;
- *and* over an empty cell m: full connections a-m and m-y make a semi-connection a-y;
- of two that meet in a stone, if one is a semi-connection, so is their combination;
- *or*: up to four semi-connections of one pair without a common cell make a full one.

The search is sound, not complete. ``proven_moves`` has what follows for the moves of a position.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
P. Henderson, B. Arneson, R. B. Hayward, Solving 8x8 Hex, IJCAI 2009 (limits, the order of work).
"""

from __future__ import annotations

import threading
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex
from adv_envs.bits import count
from adv_envs.jit import inlined, kernel
from adv_envs.position import checked

from .inferior_cells import RING, dead_patterns, fill_board, neighbour_table
from .virtual_connections import CONNECTED, NONE_FOUND, SEMI_CONNECTED

# ---- what is kept of connections
#
# A pair is an anchor and a point, numbered anchor * points + point; the points are the cells, then
# the anchors. Carriers are sets of cells in WORDS words of 63 bits, which are rows of arrays.

Indices = NDArray[np.int64]

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


class SparseArrays(NamedTuple):
    """Holds what a sparse H-search works on."""

    owner: Indices
    """(cells,): 0 or 1 for the stones of the players, EMPTY for empty cells."""
    steps: Indices
    """(cells, STEPS, 3): see ``step_table``."""
    pairs: Indices
    """(pairs, COLUMNS)."""
    carriers: Indices
    """(pairs * ROWS, WORDS + 1): the last column is the cell on which a semi-connection begins."""
    sets: Indices
    """(NUM_SETS, WORDS)."""
    queue: Indices
    """(pairs + ITEMS,)."""
    anchor: Indices
    """(cells,): the anchor that an own stone belongs to, or -1."""


def sparse_arrays(size: int, steps: Indices) -> SparseArrays:
    """Returns the arrays for searches on a board."""
    pairs = MAX_ANCHORS * (size * size + MAX_ANCHORS)
    return SparseArrays(
        np.zeros(size * size, np.int64),
        steps,
        np.zeros((pairs, COLUMNS), np.int64),
        np.zeros((pairs * ROWS, words_for(size) + 1), np.int64),
        np.zeros((NUM_SETS, words_for(size)), np.int64),
        np.zeros(pairs + ITEMS, np.int64),
        np.zeros(size * size, np.int64),
    )


@inlined
def pair_of(a: int, point: int, arrays: SparseArrays) -> int:
    """Returns the number of the pair of an anchor and a point."""
    return int(a * (arrays.owner.shape[0] + MAX_ANCHORS) + point)


# ---- connections


@kernel
def add_full(a: int, point: int, arrays: SparseArrays) -> None:
    """Adds the full connection with the carrier NEW, unless one with a subset of it is known."""
    pair = pair_of(a, point, arrays)
    if not is_superfluous(pair, FULLS, arrays) and insert(pair, FULLS, arrays) >= 0:
        enqueue(pair, arrays)


@kernel
def add_semi(a: int, point: int, key: int, arrays: SparseArrays) -> None:
    """Adds the semi-connection with the carrier NEW that begins with a stone on ``key``.

    Unless a better one is known; the or-rule is applied to it.
    """
    cells, sets = arrays.owner.shape[0], arrays.sets
    pair = pair_of(a, point, arrays)
    if is_superfluous(pair, FULLS, arrays) or is_superfluous(pair, SEMIS, arrays):
        return
    if a == FIRST and point == cells + LAST:
        add_cell(sets, KEYS, key)
        for w in range(WORDS):
            sets[MUST, w] &= sets[NEW, w]
    row = insert(pair, SEMIS, arrays)
    if row >= 0:
        arrays.carriers[row, WORDS] = key
        if point >= cells:
            enqueue(pair, arrays)
        if set_size(sets, COMMON) == 0:
            apply_or_rule(a, point, row, arrays)


@kernel
def is_superfluous(pair: int, kind: int, arrays: SparseArrays) -> bool:
    """Returns whether a carrier of the pair, of FULLS or SEMIS, is a subset of NEW."""
    begin = pair * ROWS + (0 if kind == FULLS else MAX_FULLS)
    for k in range(arrays.pairs[pair, kind]):
        if is_subset(arrays.carriers, begin + k, arrays.sets, NEW):
            return True
    return False


@kernel
def insert(pair: int, kind: int, arrays: SparseArrays) -> int:
    """Writes NEW among the FULLS or SEMIS of the pair; returns its row, -1 if it is too large.

    Supersets of it are removed. COMMON becomes the set of the cells in all carriers.
    """
    pairs, carriers, sets = arrays.pairs, arrays.carriers, arrays.sets
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
def enqueue(pair: int, arrays: SparseArrays) -> None:
    """Puts the pair into the queue, unless it is there."""
    pairs, queue = arrays.pairs, arrays.queue
    if pairs[pair, QUEUED] == 0:
        pairs[pair, QUEUED] = 1
        at = queue[HEAD] + queue[LENGTH]
        if at >= pairs.shape[0]:
            at -= pairs.shape[0]
        queue[ITEMS + at] = pair
        queue[LENGTH] += 1


@kernel
def dequeue(arrays: SparseArrays) -> int:
    """Removes the oldest pair from the queue and returns it."""
    pairs, queue = arrays.pairs, arrays.queue
    pair = int(queue[ITEMS + queue[HEAD]])
    queue[HEAD] += 1
    if queue[HEAD] == pairs.shape[0]:
        queue[HEAD] = 0
    queue[LENGTH] -= 1
    pairs[pair, QUEUED] = 0
    return pair


@kernel
def apply_or_rule(a: int, point: int, x: int, arrays: SparseArrays) -> None:
    """Combines the semi-connection in row ``x`` with up to three others of its pair."""
    pair = pair_of(a, point, arrays)
    carriers, sets, begin = arrays.carriers, arrays.sets, pair * ROWS + MAX_FULLS
    for i in range(begin, begin + arrays.pairs[pair, SEMIS]):
        for j in range(begin, i + 1):
            for k in range(begin, j + 1):  # with j = i or k = j it is fewer
                if is_intersection_empty(carriers, x, i, j, k):
                    for w in range(WORDS):
                        sets[NEW, w] = carriers[x, w] | carriers[i, w]
                        sets[NEW, w] |= carriers[j, w] | carriers[k, w]
                    add_full(a, point, arrays)


@kernel
def is_adjacent(pair: int, arrays: SparseArrays) -> bool:
    """Returns whether the pair is connected with an empty carrier: nothing is better."""
    if arrays.pairs[pair, FULLS] != 1:
        return False
    for w in range(WORDS):
        if arrays.carriers[pair * ROWS, w] != 0:
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
    """Adds ``cell`` to the set whose words begin at a place of an array."""
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
    """Copies a set, all its words, to another place of the array."""
    for w in range(WORDS):
        into[to_row, w] = sets[row, w]


@kernel
def set_size(sets: Indices, row: int) -> int:
    """Returns the number of cells of a set."""
    number = 0
    for w in range(WORDS):
        number += count(int(sets[row, w]))
    return number


EMPTY = 2
"""The owner of an empty cell; stones belong to 0 or 1."""

NEIGHBOURS, STEPS = 6, 12
"""Of the STEPS from a cell the first NEIGHBOURS lead to adjacent cells, the others over bridges."""

MAX_GAP, MAX_SECOND_GAP = 6, 4
"""Where the rows of a player's stones leave a gap of more than MAX_GAP steps, or two gaps of more
than MAX_SECOND_GAP, no connection of the edges was found in thousands of positions of games: the
search is left out."""

MAX_EXTENSIONS = 600
"""Pairs that are extended at most, which is enough up to 13x13: a few milliseconds."""


# ---- the moves of a position


def proven_moves(position: Hex) -> dict[int, float]:
    """Returns the exact value, 1 or -1, of the moves of an unfinished game that have a proof.

    Dead and captured cells are filled in first, which changes no winner. If the player to move has
    a semi-connection of their edges, a move on which one begins wins. If the opponent has a full
    one every move loses; if they have semi-connections, every move loses that is outside of the
    must-play region. A move on a cell that was filled in is a pass, unless the opponent captured
    it: those moves are left out then.
    """
    position = checked(position)
    size, player = position.size, position.to_move
    stones = owner_array(position)
    owner, empty = stones.copy(), np.flatnonzero(stones == EMPTY)
    fill_board(owner, player, neighbour_table(size), dead_patterns())
    winning = joining_cells(owner, player, size)
    if winning == []:  # the cells that were filled in join the edges: find out where
        winning = joining_cells(stones, player, size) or empty[owner[empty] == player].tolist()
    if winning:
        return dict.fromkeys(winning, 1.0)
    sets, found = search_edges(owner, 1 - player, size, CONNECTED)
    if found == NONE_FOUND:
        return {}
    must = empty_cells(sets[MUST], owner) if found == SEMI_CONNECTED else []
    if not must:
        return dict.fromkeys(empty.tolist(), -1.0)
    losing = np.setdiff1d(empty[owner[empty] != 1 - player], must, assume_unique=True)
    return dict.fromkeys(losing.tolist(), -1.0)


def joining_cells(owner: Indices, player: int, size: int) -> list[int] | None:
    """Returns cells on which ``player``, to move, joins their edges; None if none is known.

    If the edges are fully connected these are the cells of the connection, which may be none.
    """
    sets, found = search_edges(owner, player, size, SEMI_CONNECTED)
    if found == NONE_FOUND:
        return None
    return empty_cells(sets[MUST if found == CONNECTED else KEYS], owner)


_workspaces = threading.local()
"""The workspaces of every thread, one for each size."""


def search_edges(owner: Indices, player: int, size: int, enough: int) -> tuple[Indices, int]:
    """Returns the sets and the result of a ``sparse_search`` in the workspace of the thread."""
    by_size: dict[int, SparseArrays] = _workspaces.__dict__.setdefault("by_size", {})
    if size not in by_size:
        by_size[size] = sparse_arrays(size, step_table(size))
    arrays = by_size[size]._replace(owner=owner)
    found = sparse_search.bind(WORDS=words_for(size))(player, size, enough, arrays)
    return arrays.sets, found


def owner_array(position: Hex) -> Indices:
    """Returns (cells,) int64: 0 or 1 for the stones of the players, EMPTY for empty cells."""
    size = position.size
    owner = np.full(size * size, EMPTY, np.int64)
    for player in (0, 1):
        raw = position.stones(player).to_bytes(size * (size + 1) // 8 + 1, "little")
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")
        rows = bits[: size * (size + 1)].reshape(size, size + 1)[:, :size]
        owner[rows.ravel() == 1] = player
    return owner


def empty_cells(words: Indices, owner: Indices) -> list[int]:
    """Returns the empty cells of a set (WORDS,)."""
    cells = np.flatnonzero(owner == EMPTY)
    inside = words[cells // BITS] >> cells % BITS & 1
    return cells[inside == 1].tolist()  # type: ignore[no-any-return]


# ---- the search


@cache
def step_table(size: int) -> Indices:
    """Returns (cells, STEPS, 3) int64: the target of each step, and the two cells in between.

    The two cells are -1 for adjacent cells; a step that leads off the board is -1.
    """
    steps = np.full((size * size, STEPS, 3), -1, np.int64)

    def cell(row: int, column: int) -> int:
        return row * size + column if 0 <= row < size and 0 <= column < size else -1

    for here in range(size * size):
        row, column = divmod(here, size)
        adjacent = [cell(row + down, column + right) for down, right in RING]
        for i in range(6):
            (down, right), (also_down, also_right) = RING[i], RING[(i + 1) % 6]
            over = cell(row + down + also_down, column + right + also_right)
            steps[here, i, 0] = adjacent[i]
            if over >= 0 and adjacent[i] >= 0 and adjacent[(i + 1) % 6] >= 0:
                steps[here, NEIGHBOURS + i] = over, adjacent[i], adjacent[(i + 1) % 6]
    return steps


@kernel
def sparse_search(player: int, size: int, enough: int, arrays: SparseArrays) -> int:
    """Returns NONE_FOUND, SEMI_CONNECTED or CONNECTED for the edges of ``player``.

    The search ends as soon as the result is at least ``enough``. Afterwards the ``sets`` have in
    MUST the cells that all semi-connections of the edges need, or all cells of one full connection
    if there is one, and in KEYS the cells on which a semi-connection begins.
    """
    pairs, sets, queue = arrays.pairs, arrays.sets, arrays.queue
    cells = size * size
    points = cells + MAX_ANCHORS
    for w in range(WORDS):
        sets[MUST, w], sets[KEYS, w] = (1 << BITS) - 1, 0
    if not may_connect(arrays.owner, player, size):
        return NONE_FOUND
    queue[HEAD] = queue[LENGTH] = 0
    queue[ANCHORS] = label_groups(player, size, arrays)
    if queue[ANCHORS] < 0:
        sets[MUST, :] = 0
        return CONNECTED
    pairs[: queue[ANCHORS] * points, :] = 0
    connect_adjacent(player, size, arrays)
    goal = FIRST * points + cells + LAST
    steps_left = MAX_EXTENSIONS
    while queue[LENGTH] != 0 and steps_left != 0:
        steps_left -= 1
        apply_and_rule(dequeue(arrays), arrays)
        if pairs[goal, FULLS] != 0:
            copy_set(arrays.carriers, goal * ROWS, sets, MUST)
            return CONNECTED
        if enough <= SEMI_CONNECTED and pairs[goal, SEMIS] != 0:
            return SEMI_CONNECTED
    return SEMI_CONNECTED if pairs[goal, SEMIS] != 0 else NONE_FOUND


@kernel
def may_connect(owner: Indices, player: int, size: int) -> bool:
    """Returns whether no gap between the rows of the stones is too wide for a connection.

    Rows are those between the player's edges, which count as rows too.
    """
    along, across = (1, size) if player == 0 else (size, 1)
    last, largest, second = -1, 0, 0
    for row in range(size + 1):
        found = row == size
        for i in range(size):
            found = found or owner[row * across + i * along] == player
        if found:
            gap = row - last
            largest, second = max(largest, gap), max(second, min(largest, gap))
            last = row
    return largest <= MAX_GAP and second <= MAX_SECOND_GAP


@kernel
def label_groups(player: int, size: int, arrays: SparseArrays) -> int:
    """Writes the ``anchor`` of every own stone, -1 elsewhere; returns the number of anchors.

    -1 if the stones join both edges. The queue is overwritten from ITEMS on.
    """
    owner, steps, stack, anchor = arrays.owner, arrays.steps, arrays.queue, arrays.anchor
    cells = size * size
    along, across = (1, size) if player == 0 else (size, 1)
    anchor[:] = -1
    number = GROUPS
    for begin in range(2 * size + cells):  # the edges first: their groups are part of them
        name = FIRST if begin < size else LAST if begin < 2 * size else number
        if name == FIRST:
            cell = begin * along
        elif name == LAST:
            cell = (begin - size) * along + (size - 1) * across
        else:
            cell = begin - 2 * size
        if owner[cell] != player or anchor[cell] >= 0 or number == MAX_ANCHORS:
            if name == LAST and owner[cell] == player and anchor[cell] == FIRST:
                return -1
            continue
        number += name == number
        anchor[cell] = name
        stack[ITEMS], left = cell, 1
        while left > 0:
            left -= 1
            cell = stack[ITEMS + left]
            for i in range(NEIGHBOURS):
                neighbour = steps[cell, i, 0]
                if neighbour >= 0 and owner[neighbour] == player and anchor[neighbour] < 0:
                    anchor[neighbour] = name
                    stack[ITEMS + left] = neighbour
                    left += 1
    return number


@kernel
def connect_adjacent(player: int, size: int, arrays: SparseArrays) -> None:
    """Connects the anchors with all adjacent empty cells, with empty carriers."""
    cells, owner, anchor = size * size, arrays.owner, arrays.anchor
    for w in range(WORDS):
        arrays.sets[NEW, w] = 0
    for cell in range(cells):
        if owner[cell] != EMPTY:
            continue
        row = cell // size
        place = row if player == 0 else cell - row * size
        if place == 0:
            add_full(FIRST, cell, arrays)
        if place == size - 1:
            add_full(LAST, cell, arrays)
        for i in range(NEIGHBOURS):
            neighbour = arrays.steps[cell, i, 0]
            if neighbour >= 0 and anchor[neighbour] >= 0:
                add_full(anchor[neighbour], cell, arrays)


# ---- the and-rule


@kernel
def apply_and_rule(pair: int, arrays: SparseArrays) -> None:
    """Combines the new connections of a pair with all that were known before."""
    cells, pairs = arrays.owner.shape[0], arrays.pairs
    points = cells + MAX_ANCHORS
    a, row = pair // points, pair * ROWS
    point = pair - a * points
    for k in range(pairs[pair, FULLS]):
        if pairs[pair, DONE] >> k & 1 == 0:
            over_stone(point, a, row + k, False, arrays)
            if point < cells:
                over_cell(a, point, row + k, arrays)
            else:
                b = point - cells
                over_stone(cells + a, b, row + k, False, arrays)
    pairs[pair, DONE] = (1 << pairs[pair, FULLS]) - 1
    row += MAX_FULLS
    for k in range(pairs[pair, SEMIS] if point >= cells else 0):
        if pairs[pair, SEMIS_DONE] >> k & 1 == 0:
            b = point - cells
            over_stone(point, a, row + k, True, arrays)
            over_stone(cells + a, b, row + k, True, arrays)
    pairs[pair, SEMIS_DONE] = (1 << pairs[pair, SEMIS]) - 1


@kernel
def over_cell(a: int, m: int, row: int, arrays: SparseArrays) -> None:
    """Combines a full connection of anchor ``a`` and empty cell ``m`` with those from ``m``."""
    cells, owner, steps = arrays.owner.shape[0], arrays.owner, arrays.steps
    pairs, carriers, sets = arrays.pairs, arrays.carriers, arrays.sets
    for i in range(STEPS):
        y, left, right = steps[m, i, 0], steps[m, i, 1], steps[m, i, 2]
        if (
            y < 0
            or owner[y] != EMPTY
            or contains(carriers, row, y)
            or is_adjacent(pair_of(a, y, arrays), arrays)
        ):
            continue
        if i >= NEIGHBOURS and (
            owner[left] != EMPTY
            or owner[right] != EMPTY
            or contains(carriers, row, left)
            or contains(carriers, row, right)
        ):
            continue
        copy_set(carriers, row, sets, NEW)
        add_cell(sets, NEW, m)
        if i >= NEIGHBOURS:
            add_cell(sets, NEW, left)
            add_cell(sets, NEW, right)
        add_semi(a, y, m, arrays)
    for b in range(arrays.queue[ANCHORS]):
        pair = pair_of(b, m, arrays)
        for j in range(pairs[pair, FULLS] if b != a else 0):
            if are_disjoint(carriers, row, pair * ROWS + j):
                write_union(carriers, row, pair * ROWS + j, sets)
                add_cell(sets, NEW, m)
                add_semi(min(a, b), cells + max(a, b), m, arrays)


@kernel
def over_stone(x: int, middle: int, row: int, semi: bool, arrays: SparseArrays) -> None:
    """Combines a connection of point ``x`` and anchor ``middle`` with all others of the latter.

    ``semi``: it is a semi-connection; these are combined with full connections only.
    """
    if middle < GROUPS:
        return  # nothing lies beyond an edge
    cells, pairs, carriers = arrays.owner.shape[0], arrays.pairs, arrays.carriers
    begin = 0 if x >= cells else cells  # two cells are not joined to each other
    for y in range(begin, cells + arrays.queue[ANCHORS]):
        if y == x or y == cells + middle:
            continue
        pair = pair_of(middle, y, arrays)
        if y >= cells:
            pair = pair_of(min(middle, y - cells), cells + max(middle, y - cells), arrays)
        if (y < cells and contains(carriers, row, y)) or (semi and pairs[pair, FULLS] == 0):
            continue
        a, point = x - cells, y
        if y >= cells:
            a, point = y - cells, x
            if x >= cells:
                a, point = min(x, y) - cells, max(x, y)
        fulls = pairs[pair, FULLS]
        for j in range(fulls + (0 if semi else pairs[pair, SEMIS])):
            other = pair * ROWS + (j if j < fulls else MAX_FULLS + j - fulls)
            if not are_disjoint(carriers, row, other) or (
                x < cells and contains(carriers, other, x)
            ):
                continue
            write_union(carriers, row, other, arrays.sets)
            if semi or j >= fulls:
                key = carriers[row if semi else other, WORDS]
                add_semi(a, point, key, arrays)
            else:
                add_full(a, point, arrays)
