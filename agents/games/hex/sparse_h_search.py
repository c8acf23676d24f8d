"""H-search for boards of any size, from groups and edges only: cheap enough for MCTS to call.

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

import numpy as np

from adv_envs import Hex
from adv_envs.jit import kernel

from .connection_store import (
    ANCHORS,
    BITS,
    DONE,
    FIRST,
    FULLS,
    GROUPS,
    HEAD,
    ITEMS,
    KEYS,
    LAST,
    LENGTH,
    MAX_ANCHORS,
    MAX_FULLS,
    MUST,
    NEW,
    ROWS,
    SEMIS,
    SEMIS_DONE,
    WORDS,
    Indices,
    Workspace,
    add_cell,
    add_full,
    add_semi,
    are_disjoint,
    contains,
    copy_set,
    dequeue,
    is_adjacent,
    new_workspace,
    words_for,
    write_union,
)
from .inferior_cells import dead_patterns, fill_board
from .virtual_connections import CONNECTED, NONE_FOUND, RING, SEMI_CONNECTED

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

RING_ROWS, RING_COLUMNS = np.array(RING).T.copy()
"""The steps to the neighbours of a cell."""


# ---- the moves of a position


def proven_moves(position: Hex) -> dict[int, float]:
    """Returns the exact value, 1 or -1, of the moves of an unfinished game that have a proof.

    Dead and captured cells are filled in first, which changes no winner. If the player to move has
    a semi-connection of their edges, a move on which one begins wins. If the opponent has a full
    one every move loses; if they have semi-connections, every move loses that is outside of the
    must-play region. A move on a cell that was filled in is a pass, unless the opponent captured
    it: those moves are left out then.
    """
    size, player = position.size, position.to_move
    stones = owner_array(position)
    owner, empty = stones.copy(), np.flatnonzero(stones == EMPTY)
    fill_board(owner, player, size, RING_ROWS, RING_COLUMNS, dead_patterns())
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
    by_size: dict[int, Workspace] = _workspaces.__dict__.setdefault("by_size", {})
    if size not in by_size:
        by_size[size] = new_workspace(size)
    search = sparse_search.bind(WORDS=words_for(size))
    found = search(owner, player, size, enough, step_table(size), by_size[size])
    return by_size[size][2], found


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
    return [
        cell
        for cell in np.flatnonzero(owner == EMPTY).tolist()
        if int(words[cell // BITS]) >> cell % BITS & 1
    ]


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
def sparse_search(
    owner: Indices, player: int, size: int, enough: int, steps: Indices, workspace: Workspace
) -> int:
    """Returns NONE_FOUND, SEMI_CONNECTED or CONNECTED for the edges of ``player``.

    The search ends as soon as the result is at least ``enough``. ``owner`` (cells,): 0, 1 or EMPTY;
    ``steps`` as ``step_table``. Afterwards the ``sets`` of ``workspace`` have in MUST the cells
    that all semi-connections of the edges need, or all cells of one full connection if there is
    one, and in KEYS the cells on which a semi-connection begins.
    """
    pairs, carriers, sets, queue, anchor = workspace
    cells = size * size
    points = cells + MAX_ANCHORS
    for w in range(WORDS):
        sets[MUST, w], sets[KEYS, w] = (1 << BITS) - 1, 0
    if not may_connect(owner, player, size):
        return NONE_FOUND
    queue[HEAD] = queue[LENGTH] = 0
    queue[ANCHORS] = label_groups(owner, player, size, steps, queue, anchor)
    if queue[ANCHORS] < 0:
        sets[MUST, :] = 0
        return CONNECTED
    pairs[: queue[ANCHORS] * points, :] = 0
    connect_adjacent(owner, player, size, steps, anchor, pairs, carriers, sets, queue)
    goal = FIRST * points + cells + LAST
    steps_left = MAX_EXTENSIONS
    while queue[LENGTH] != 0 and steps_left != 0:
        steps_left -= 1
        pair = dequeue(pairs, queue)
        apply_and_rule(pair, owner, cells, steps, pairs, carriers, sets, queue)
        if pairs[goal, FULLS] != 0:
            copy_set(carriers, goal * ROWS, sets, MUST)
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
def label_groups(
    owner: Indices, player: int, size: int, steps: Indices, stack: Indices, anchor: Indices
) -> int:
    """Writes the ``anchor`` of every own stone, -1 elsewhere; returns the number of anchors.

    -1 if the stones join both edges. ``stack`` is overwritten from ITEMS on.
    """
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
def connect_adjacent(
    owner: Indices,
    player: int,
    size: int,
    steps: Indices,
    anchor: Indices,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Connects the anchors with all adjacent empty cells, with empty carriers."""
    cells = size * size
    for w in range(WORDS):
        sets[NEW, w] = 0
    for cell in range(cells):
        if owner[cell] != EMPTY:
            continue
        row = cell // size
        place = row if player == 0 else cell - row * size
        if place == 0:
            add_full(FIRST, cell, cells, pairs, carriers, sets, queue)
        if place == size - 1:
            add_full(LAST, cell, cells, pairs, carriers, sets, queue)
        for i in range(NEIGHBOURS):
            neighbour = steps[cell, i, 0]
            if neighbour >= 0 and anchor[neighbour] >= 0:
                add_full(anchor[neighbour], cell, cells, pairs, carriers, sets, queue)


# ---- the and-rule


@kernel
def apply_and_rule(
    pair: int,
    owner: Indices,
    cells: int,
    steps: Indices,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Combines the new connections of a pair with all that were known before."""
    points = cells + MAX_ANCHORS
    a, row = pair // points, pair * ROWS
    point = pair - a * points
    for k in range(pairs[pair, FULLS]):
        if pairs[pair, DONE] >> k & 1 == 0:
            over_stone(point, a, row + k, False, cells, pairs, carriers, sets, queue)
            if point < cells:
                over_cell(a, point, row + k, owner, cells, steps, pairs, carriers, sets, queue)
            else:
                b = point - cells
                over_stone(cells + a, b, row + k, False, cells, pairs, carriers, sets, queue)
    pairs[pair, DONE] = (1 << pairs[pair, FULLS]) - 1
    row += MAX_FULLS
    for k in range(pairs[pair, SEMIS] if point >= cells else 0):
        if pairs[pair, SEMIS_DONE] >> k & 1 == 0:
            b = point - cells
            over_stone(point, a, row + k, True, cells, pairs, carriers, sets, queue)
            over_stone(cells + a, b, row + k, True, cells, pairs, carriers, sets, queue)
    pairs[pair, SEMIS_DONE] = (1 << pairs[pair, SEMIS]) - 1


@kernel
def over_cell(
    a: int,
    m: int,
    row: int,
    owner: Indices,
    cells: int,
    steps: Indices,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Combines a full connection of anchor ``a`` and empty cell ``m`` with those from ``m``."""
    points = cells + MAX_ANCHORS
    for i in range(STEPS):
        y, left, right = steps[m, i, 0], steps[m, i, 1], steps[m, i, 2]
        if (
            y < 0
            or owner[y] != EMPTY
            or contains(carriers, row, y)
            or is_adjacent(a * points + y, pairs, carriers)
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
        add_semi(a, y, m, cells, pairs, carriers, sets, queue)
    for b in range(queue[ANCHORS]):
        pair = b * points + m
        for j in range(pairs[pair, FULLS] if b != a else 0):
            if are_disjoint(carriers, row, pair * ROWS + j):
                write_union(carriers, row, pair * ROWS + j, sets)
                add_cell(sets, NEW, m)
                add_semi(min(a, b), cells + max(a, b), m, cells, pairs, carriers, sets, queue)


@kernel
def over_stone(
    x: int,
    middle: int,
    row: int,
    semi: bool,
    cells: int,
    pairs: Indices,
    carriers: Indices,
    sets: Indices,
    queue: Indices,
) -> None:
    """Combines a connection of point ``x`` and anchor ``middle`` with all others of the latter.

    ``semi``: it is a semi-connection; these are combined with full connections only.
    """
    if middle < GROUPS:
        return  # nothing lies beyond an edge
    points = cells + MAX_ANCHORS
    begin = 0 if x >= cells else cells  # two cells are not joined to each other
    for y in range(begin, cells + queue[ANCHORS]):
        if y == x or y == cells + middle:
            continue
        pair = middle * points + y
        if y >= cells:
            pair = min(middle, y - cells) * points + cells + max(middle, y - cells)
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
            write_union(carriers, row, other, sets)
            if semi or j >= fulls:
                key = carriers[row if semi else other, WORDS]
                add_semi(a, point, key, cells, pairs, carriers, sets, queue)
            else:
                add_full(a, point, cells, pairs, carriers, sets, queue)
