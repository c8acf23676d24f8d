"""H-search: what a player can join by force, found by combining small connections into larger ones.

Two points (empty cells, groups of own stones, own edges) are *fully* connected if the player can
join them although the opponent moves first, *semi*-connected if they can when they move first. The
cells needed for it are the connection's carrier. Larger ones come from two rules:

- *and*: connections x-m and m-y with disjoint carriers make a full connection x-y if m is an own
  group, and a semi-connection, which begins with a stone on m, if m is empty;
- *or*: semi-connections of the same two points whose carriers have no cell in common make a full
  one, whose carrier is their union: wherever the opponent moves, one of them is still there.

A full connection of a player's two edges is a won game, whoever is to move. Every semi-connection
of the opponent's edges is a threat, and a move that is not in its carrier loses to it: what is in
all those carriers is the *must-play* region.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
R. Hayward et al., Solving 7x7 Hex with domination, fill-in, and virtual connections, Theoretical
Computer Science 349 (2005).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest
from adv_envs.jit import kernel

from .board import all_cells

FULLS, DONE, SEMIS, WAITING = range(4)
"""Columns of ``pairs``: how many full connections are known, the set of those that were combined
with others, how many semi-connections, and whether the pair waits in the queue."""

MAX_FULLS, MAX_SEMIS = 12, 24
"""Of each pair of points so many are kept, those with the smallest carriers."""

FULL = 4
SEMI = FULL + MAX_FULLS
"""The columns in which their carriers begin."""

HEAD, LENGTH, ITEMS = range(3)
"""The queue: where it begins, how many pairs wait in it, and then a ring of pairs."""

NOTHING, THREAT, JOINED = range(3)
"""What a player's edges are by now: not known to be connected, semi-connected, fully connected."""

Room = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def room(size: int) -> Room:
    """Room for one H-search, as (pairs, links, queue, name).

    Points are the cells, a group being known by its first one, and then the first and the last
    edge: n = cells + 2. ``pairs`` (n * n, columns): the connections of x < y in row x * n + y;
    ``links`` (n, n): how many points a point is fully connected to, and which; ``queue``;
    ``name`` (cells,): the point that a stone belongs to.
    """
    n = size * size + 2
    return (
        np.zeros((n * n, SEMI + MAX_SEMIS), np.int64),
        np.zeros((n, n), np.int64),
        np.zeros(n * n + ITEMS, np.int64),
        np.zeros(n - 2, np.int64),
    )


@kernel
def h_search(own, opp, player, size, enough, near, space):  # type: ignore[no-untyped-def]
    """What ``player`` with stones ``own`` can join: NOTHING, THREAT or JOINED for their edges.

    It ends as soon as that is at least ``enough``. ``space``, a ``room``, holds what was found.
    """
    pairs, links, queue, _ = space
    cells = size * size
    n = cells + 2
    links[:, 0] = 0
    pairs[:, :FULL] = 0
    queue[HEAD], queue[LENGTH] = 0, 0
    touch(own, opp, player, size, near, space)
    goal = cells * n + cells + 1
    while queue[LENGTH] != 0:
        p = int(queue[ITEMS + queue[HEAD]])
        queue[HEAD] = (queue[HEAD] + 1) % (n * n)
        queue[LENGTH] -= 1
        pairs[p, WAITING] = 0
        k = 0
        while k < pairs[p, FULLS]:
            if pairs[p, DONE] >> k & 1 == 0:
                pairs[p, DONE] |= 1 << k
                carrier = int(pairs[p, FULL + k])
                extend(p // n, p % n, carrier, own, cells, pairs, links, queue)
                extend(p % n, p // n, carrier, own, cells, pairs, links, queue)
            k += 1
        if pairs[goal, FULLS] != 0:
            return JOINED
        if enough <= THREAT and pairs[goal, SEMIS] != 0:
            return THREAT
    return THREAT if pairs[goal, SEMIS] != 0 else NOTHING


@kernel
def touch(own, opp, player, size, near, space):  # type: ignore[no-untyped-def]
    """Connect all points that touch: full connections without a carrier."""
    pairs, links, queue, name = space
    cells = size * size
    along, across = (1, size) if player == 0 else (size, 1)
    first = 0
    for i in range(size):
        first |= 1 << i * along
    last = first << (size - 1) * across
    empty = all_cells(size) & ~(own | opp)
    todo = own
    while todo != 0:
        group, border = group_at(lowest(todo), own, near)
        point = lowest(todo)
        if group & first != 0:
            point = cells
            if group & last != 0:
                add_full(cells, cells + 1, 0, cells, pairs, links, queue)
        elif group & last != 0:
            point = cells + 1
        todo &= ~group
        while group != 0:
            name[lowest(group)] = point
            group &= group - 1
        connect_all(point, border & empty, cells, pairs, links, queue)
    connect_all(cells, first & empty, cells, pairs, links, queue)
    connect_all(cells + 1, last & empty, cells, pairs, links, queue)
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        connect_all(cell, int(near[cell]) & empty, cells, pairs, links, queue)


@kernel
def group_at(cell, own, near):  # type: ignore[no-untyped-def]
    """The stones of ``own`` joined to ``cell``, itself included, and all cells beside them."""
    group, border, new = 0, 0, 1 << cell
    while new != 0:
        group |= new
        while new != 0:
            border |= int(near[lowest(new)])
            new &= new - 1
        new = border & own & ~group
    return group, border


@kernel
def connect_all(point, beside, cells, pairs, links, queue):  # type: ignore[no-untyped-def]
    """``point`` touches every cell of ``beside``."""
    while beside != 0:
        add_full(point, lowest(beside), 0, cells, pairs, links, queue)
        beside &= beside - 1


@kernel
def extend(x, m, carrier, own, cells, pairs, links, queue):  # type: ignore[no-untyped-def]
    """The and-rule: the connection x-m with this carrier, and all connections m-y known by now."""
    if m >= cells:
        return  # beyond an edge there is nothing
    n = cells + 2
    stone = own >> m & 1 != 0
    here = 0 if stone else 1 << m
    taken = carrier | (1 << x if x < cells else 0)
    for i in range(1, 1 + links[m, 0]):
        y = int(links[m, i])
        if y == x or (y < cells and carrier >> y & 1 != 0):
            continue
        q = x * n + y if x < y else y * n + x
        if pairs[q, FULLS] == 1 and pairs[q, FULL] == 0:
            continue  # they touch: nothing is better
        r = m * n + y if m < y else y * n + m
        for j in range(pairs[r, FULLS]):
            other = int(pairs[r, FULL + j])
            if other & taken == 0:
                if stone:
                    add_full(x, y, carrier | other, cells, pairs, links, queue)
                else:
                    add_semi(x, y, carrier | other | here, cells, pairs, links, queue)


@kernel
def add_full(x, y, carrier, cells, pairs, links, queue):  # type: ignore[no-untyped-def]
    """Note a full connection, unless one is known that needs no other cells."""
    n = cells + 2
    p = x * n + y if x < y else y * n + x
    row = pairs[p]
    before = row[FULLS]
    for k in range(before):
        if row[FULL + k] & ~carrier == 0:
            return
    kept, done, worst, most = 0, 0, -1, count(carrier)
    for k in range(before):
        old = int(row[FULL + k])
        if carrier & ~old != 0:
            row[FULL + kept] = old
            done |= (int(row[DONE]) >> k & 1) << kept
            if count(old) > most:
                worst, most = kept, count(old)
            kept += 1
    if kept < MAX_FULLS:
        worst = kept
        kept += 1
    if worst >= 0:
        row[FULL + worst] = carrier
        done &= ~(1 << worst)
    row[FULLS], row[DONE] = kept, done
    if before == 0:
        for a, b in ((x, y), (y, x)):
            links[a, 0] += 1
            links[a, links[a, 0]] = b
    if worst >= 0 and row[WAITING] == 0:
        row[WAITING] = 1
        queue[ITEMS + (queue[HEAD] + queue[LENGTH]) % (n * n)] = p
        queue[LENGTH] += 1


@kernel
def add_semi(x, y, carrier, cells, pairs, links, queue):  # type: ignore[no-untyped-def]
    """Note a semi-connection, unless a better one is known, and apply the or-rule to it."""
    n = cells + 2
    row = pairs[x * n + y if x < y else y * n + x]
    for k in range(row[FULLS]):
        if row[FULL + k] & ~carrier == 0:
            return
    for k in range(row[SEMIS]):
        if row[SEMI + k] & ~carrier == 0:
            return
    kept, common, worst, most = 0, carrier, -1, count(carrier)
    for k in range(row[SEMIS]):
        old = int(row[SEMI + k])
        if carrier & ~old != 0:
            row[SEMI + kept] = old
            common &= old
            if count(old) > most:
                worst, most = kept, count(old)
            kept += 1
    if kept == MAX_SEMIS and worst >= 0:
        kept -= 1
        row[SEMI + worst] = row[SEMI + kept]
    if kept < MAX_SEMIS:
        row[SEMI + kept] = carrier
        row[SEMIS] = kept + 1
        if common == 0:
            combine(x, y, carrier, kept, row, cells, pairs, links, queue)
    else:
        row[SEMIS] = kept


@kernel
def combine(x, y, carrier, number, row, cells, pairs, links, queue):  # type: ignore[no-untyped-def]
    """The or-rule: sets of ``carrier`` and up to three of the first ``number`` semi-connections.

    None of such a set may be superfluous, or a smaller one does the same.
    """
    for i in range(number):
        a = row[SEMI + i]
        if carrier & a == 0:
            add_full(x, y, carrier | a, cells, pairs, links, queue)
            continue
        for j in range(i):
            b = row[SEMI + j]
            if carrier & b == 0:
                continue
            if carrier & a & b == 0:
                if a & b != 0:
                    add_full(x, y, carrier | a | b, cells, pairs, links, queue)
                continue
            for k in range(j):
                c = row[SEMI + k]
                if carrier & a & b & c == 0 and carrier & a & c != 0 and carrier & b & c != 0:
                    add_full(x, y, carrier | a | b | c, cells, pairs, links, queue)
