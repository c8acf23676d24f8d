"""H-search for boards of any size, from groups and edges only: cheap enough for a search to ask.

The full H-search of ``connections`` joins every two points, which grows with the fourth power of
the size. Here each connection begins at an *anchor*, a group of stones or an edge of the player;
the empty cells in between are joined to each other only where they touch or form a bridge. So
there are few connections, and edge templates, ladders of bridges and what is made of them are
found all the same. The rules are those of ``connections``:

- *and* over a stone: full connections a-g and g-y make a full connection a-y;
- *and* over an empty cell m: full connections a-m and m-y make a semi-connection a-y;
- if of two that meet in a stone one is a semi-connection, so is what they make;
- *or*: up to four semi-connections of one pair without a common cell make a full one.

What is found is true, not all that is true is found. Carriers are sets of cells in WORDS words of
63 bits.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
P. Henderson, B. Arneson, R. B. Hayward, Solving 8x8 Hex, IJCAI 2009 (limits, the order of work).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

from .carriers import (
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
    add_full,
    add_semi,
    copy,
    disjoint,
    first_waiting,
    has,
    include,
    touching,
    unite,
)
from .connections import JOINED, NOTHING, THREAT

EMPTY = 2
"""The owner of an empty cell; stones belong to 0 or 1."""

TOUCHES, STEPS = 6, 12
"""Of the ``steps`` from a cell the first six lead to neighbours, the others over bridges."""

WIDEST, WIDE = 6, 4
"""Where the rows of a player's stones leave a gap of more steps than WIDEST, or two of more than
WIDE, no connection of the edges was found in thousands of positions of games: it is not looked for.
"""

PATIENCE = 600
"""So many pairs are extended at most, which is enough up to 13x13: a few milliseconds."""


@cache
def steps_on(size: int) -> NDArray[np.int64]:
    """(cells, STEPS, 3): where one gets from each cell, and the two cells between, or -1 and -1.

    A step that leads off the board is -1.
    """
    around = (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)
    steps = np.full((size * size, STEPS, 3), -1, np.int64)

    def cell(row: int, column: int) -> int:
        return row * size + column if 0 <= row < size and 0 <= column < size else -1

    for here in range(size * size):
        row, column = divmod(here, size)
        beside = [cell(row + down, column + right) for down, right in around]
        for i in range(6):
            (down, right), (also_down, also_right) = around[i], around[(i + 1) % 6]
            over = cell(row + down + also_down, column + right + also_right)
            steps[here, i, 0] = beside[i]
            if over >= 0 and beside[i] >= 0 and beside[(i + 1) % 6] >= 0:
                steps[here, TOUCHES + i] = over, beside[i], beside[(i + 1) % 6]
    return steps


@kernel
def anchored_search(owner, player, size, enough, steps, space):  # type: ignore[no-untyped-def]
    """What ``player`` can join: NOTHING, THREAT or JOINED for their edges.

    It ends as soon as that is at least ``enough``. ``owner`` (cells,): whose stones there are, 0, 1
    or EMPTY; ``steps``: from ``steps_on``. Afterwards ``space`` has in its ``sets``: MUST, the
    cells that all semi-connections of the edges need, or of one full connection if there is one
    all of its cells; KEYS, the cells on which a semi-connection begins.
    """
    heads, carriers, sets, queue, anchor = space
    cells = size * size
    points = cells + MAX_ANCHORS
    for w in range(WORDS):
        sets[MUST, w], sets[KEYS, w] = (1 << BITS) - 1, 0
    if not may_join(owner, player, size):
        return NOTHING
    queue[HEAD] = queue[LENGTH] = 0
    queue[ANCHORS] = name_groups(owner, player, size, steps, queue, anchor)
    if queue[ANCHORS] < 0:
        sets[MUST, :] = 0
        return JOINED
    heads[: queue[ANCHORS] * points, :] = 0
    touch(owner, player, size, steps, anchor, heads, carriers, sets, queue)
    goal = FIRST * points + cells + LAST
    steps_left = PATIENCE
    while queue[LENGTH] != 0 and steps_left != 0:
        steps_left -= 1
        pair = first_waiting(heads, queue)
        extend(pair, owner, cells, steps, heads, carriers, sets, queue)
        if heads[goal, FULLS] != 0:
            copy(carriers, goal * ROWS, sets, MUST)
            return JOINED
        if enough <= THREAT and heads[goal, SEMIS] != 0:
            return THREAT
    return THREAT if heads[goal, SEMIS] != 0 else NOTHING


# ---- the board


@kernel
def may_join(owner, player, size):  # type: ignore[no-untyped-def]
    """Whether a search may find something: no gap between the rows of the stones is too wide.

    Rows are those between the player's edges, which count as rows too.
    """
    along, across = (1, size) if player == 0 else (size, 1)
    last, widest, second = -1, 0, 0
    for row in range(size + 1):
        found = row == size
        for i in range(size):
            found = found or owner[row * across + i * along] == player
        if found:
            gap = row - last
            widest, second = max(widest, gap), max(second, min(widest, gap))
            last = row
    return widest <= WIDEST and second <= WIDE


@kernel
def name_groups(owner, player, size, steps, stack, anchor):  # type: ignore[no-untyped-def]
    """Write the ``anchor`` of every own stone, -1 elsewhere; how many anchors are there?

    -1 if the stones join both edges.
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
            for i in range(TOUCHES):
                beside = steps[cell, i, 0]
                if beside >= 0 and owner[beside] == player and anchor[beside] < 0:
                    anchor[beside] = name
                    stack[ITEMS + left] = beside
                    left += 1
    return number


@kernel
def touch(owner, player, size, steps, anchor, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Connect the anchors with all empty cells that they touch: carriers are empty."""
    cells = size * size
    for w in range(WORDS):
        sets[NEW, w] = 0
    for cell in range(cells):
        if owner[cell] != EMPTY:
            continue
        row = cell // size
        place = row if player == 0 else cell - row * size
        if place == 0:
            add_full(FIRST, cell, cells, heads, carriers, sets, queue)
        if place == size - 1:
            add_full(LAST, cell, cells, heads, carriers, sets, queue)
        for i in range(TOUCHES):
            beside = steps[cell, i, 0]
            if beside >= 0 and anchor[beside] >= 0:
                add_full(anchor[beside], cell, cells, heads, carriers, sets, queue)


# ---- the and-rule


@kernel
def extend(pair, owner, cells, steps, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Combine what is new of a pair with all that was known before."""
    points = cells + MAX_ANCHORS
    a, row = pair // points, pair * ROWS
    point = pair - a * points
    for k in range(heads[pair, FULLS]):
        if heads[pair, DONE] >> k & 1 == 0:
            over_stone(point, a, row + k, False, cells, heads, carriers, sets, queue)
            if point < cells:
                over_cell(a, point, row + k, owner, cells, steps, heads, carriers, sets, queue)
            else:
                b = point - cells
                over_stone(cells + a, b, row + k, False, cells, heads, carriers, sets, queue)
    heads[pair, DONE] = (1 << heads[pair, FULLS]) - 1
    row += MAX_FULLS
    for k in range(heads[pair, SEMIS] if point >= cells else 0):
        if heads[pair, SEMIS_DONE] >> k & 1 == 0:
            b = point - cells
            over_stone(point, a, row + k, True, cells, heads, carriers, sets, queue)
            over_stone(cells + a, b, row + k, True, cells, heads, carriers, sets, queue)
    heads[pair, SEMIS_DONE] = (1 << heads[pair, SEMIS]) - 1


@kernel
def over_cell(a, m, row, owner, cells, steps, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Combine a full connection of anchor ``a`` and the empty cell ``m`` with those from ``m``."""
    points = cells + MAX_ANCHORS
    for i in range(STEPS):
        y, left, right = steps[m, i, 0], steps[m, i, 1], steps[m, i, 2]
        if (
            y < 0
            or owner[y] != EMPTY
            or has(carriers, row, y)
            or touching(a * points + y, heads, carriers)
        ):
            continue
        if i >= TOUCHES and (
            owner[left] != EMPTY
            or owner[right] != EMPTY
            or has(carriers, row, left)
            or has(carriers, row, right)
        ):
            continue
        copy(carriers, row, sets, NEW)
        include(sets, NEW, m)
        if i >= TOUCHES:
            include(sets, NEW, left)
            include(sets, NEW, right)
        add_semi(a, y, m, cells, heads, carriers, sets, queue)
    for b in range(queue[ANCHORS]):
        pair = b * points + m
        for j in range(heads[pair, FULLS] if b != a else 0):
            if disjoint(carriers, row, pair * ROWS + j):
                unite(carriers, row, pair * ROWS + j, sets)
                include(sets, NEW, m)
                add_semi(min(a, b), cells + max(a, b), m, cells, heads, carriers, sets, queue)


@kernel
def over_stone(x, middle, row, semi, cells, heads, carriers, sets, queue):  # type: ignore[no-untyped-def]
    """Combine a connection of point ``x`` and anchor ``middle`` with all others of the latter.

    ``semi``: it is a semi-connection; these are combined with full connections only.
    """
    if middle < GROUPS:
        return  # beyond an edge there is nothing
    points = cells + MAX_ANCHORS
    begin = 0 if x >= cells else cells  # two cells are not joined to each other
    for y in range(begin, cells + queue[ANCHORS]):
        if y == x or y == cells + middle:
            continue
        pair = middle * points + y
        if y >= cells:
            pair = min(middle, y - cells) * points + cells + max(middle, y - cells)
        if (y < cells and has(carriers, row, y)) or (semi and heads[pair, FULLS] == 0):
            continue
        a, point = x - cells, y
        if y >= cells:
            a, point = y - cells, x
            if x >= cells:
                a, point = min(x, y) - cells, max(x, y)
        fulls = heads[pair, FULLS]
        for j in range(fulls + (0 if semi else heads[pair, SEMIS])):
            other = pair * ROWS + (j if j < fulls else MAX_FULLS + j - fulls)
            if not disjoint(carriers, row, other) or (x < cells and has(carriers, other, x)):
                continue
            unite(carriers, row, other, sets)
            if semi or j >= fulls:
                key = carriers[row if semi else other, WORDS]
                add_semi(a, point, key, cells, heads, carriers, sets, queue)
            else:
                add_full(a, point, cells, heads, carriers, sets, queue)
