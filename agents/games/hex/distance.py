"""Distances on a Hex board, for all cells at once on sets of cells as integers."""

from __future__ import annotations

from adv_envs.bits import lowest, single
from adv_envs.games.hex import Hex
from adv_envs.position import Wide

Sums = tuple[Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide]
"""A number below 1024 for every cell: the first set has its bit 0, the next its bit 1, ..."""


def distance(position: Hex, player: int) -> int:
    """The least number of empty cells that ``player`` must fill; size * size if there is no way."""
    own = position.stones(player)
    free = board(position) & ~position.stones(1 - player)
    beside, last = first_edge(position, player), last_edge(position, player)
    reached = own & 0
    for steps in range(position.size * position.size):
        stones = beside & own & ~reached
        while stones != 0:
            reached |= stones
            beside |= position.neighbours(stones)
            stones = beside & own & ~reached
        if reached & last != 0:
            return steps
        cells = beside & free & ~reached
        if cells == 0:
            break
        reached |= cells
        beside |= position.neighbours(cells)
    return position.size * position.size


def nearest(position: Hex, player: int, ways: int) -> tuple[int, Wide]:
    """The smallest sum of the distances of an empty cell to both edges, and the cells that have it.

    Distances with ``ways`` = 1 are the usual ones, with 2 they are two-distances.
    """
    own = position.stones(player)
    none = own & 0
    sums = none, none, none, none, none, none, none, none, none, none
    sums, cells = _add_distances(position, own, first_edge(position, player), ways, sums)
    sums, others = _add_distances(position, own, last_edge(position, player), ways, sums)
    cells &= others
    smallest, bit = 2, 512
    for plane in sums[::-1]:  # from the most significant bit: keep those without it, if any
        if cells & ~plane != 0:
            cells &= ~plane
        else:
            smallest += bit
        bit >>= 1
    return smallest, cells


def _add_distances(
    position: Hex, own: Wide, edge: Wide, ways: int, sums: Sums
) -> tuple[Sums, Wide]:
    """Add to every empty cell its distance to ``edge`` less 1; also the cells that can reach it."""
    empty = board(position) & ~(position.own | position.opp)
    touching = position.neighbours(own)
    new = through(position, own, edge) & empty
    reached, once, twice = new, own & 0, own & 0
    while new != 0:
        sums = _increment(sums, empty & ~reached)
        if ways == 1:
            twice = through(position, own, position.neighbours(new))
        else:
            once, twice = _meet(position, new & ~touching, once, twice)
            new &= touching
            while new != 0:  # through stones, one by one: two neighbours must be different cells
                cell = single(lowest(new), new)
                beside = through(position, own, position.neighbours(cell))
                twice |= once & beside
                once |= beside
                new &= ~cell
        new = twice & empty & ~reached
        reached |= new
    return sums, reached


def through(position: Hex, own: Wide, beside: Wide) -> Wide:
    """``beside`` and all that touches a group of ``own`` that has a stone in ``beside``."""
    stones, new = own & 0, beside & own
    while new != 0:
        stones |= new
        beside |= position.neighbours(new)
        new = beside & own & ~stones
    return beside


def _meet(position: Hex, cells: Wide, once: Wide, twice: Wide) -> tuple[Wide, Wide]:
    """Add the neighbours of ``cells`` to those met ``once`` (or more) and ``twice`` (or more)."""
    below, above = cells << position.size + 1, cells >> position.size + 1
    for beside in (cells << 1, cells >> 1, below, below >> 1, above, above << 1):
        twice |= once & beside
        once |= beside
    return once, twice


def _increment(sums: Sums, cells: Wide) -> Sums:
    """Add 1 to the number of each of ``cells``: one carry into each plane."""
    a, b, c, d, e, f, g, h, i, j = sums
    to_b = cells & a
    to_c = to_b & b
    to_d = to_c & c
    to_e = to_d & d
    to_f = to_e & e
    to_g = to_f & f
    to_h = to_g & g
    to_i = to_h & h
    return (
        a ^ cells,
        b ^ to_b,
        c ^ to_c,
        d ^ to_d,
        e ^ to_e,
        f ^ to_f,
        g ^ to_g,
        h ^ to_h,
        i ^ to_i,
        j ^ to_i & i,
    )


# ---- parts of the board


def board(position: Hex) -> Wide:
    """All cells."""
    return _repeated(first_edge(position, 0), position.size, position.size + 1)


def first_edge(position: Hex, player: int) -> Wide:
    """The cells of the top row for player 0, of the left column for player 1."""
    corner = single(0, position.own)
    return _repeated(corner, position.size, 1 if player == 0 else position.size + 1)


def last_edge(position: Hex, player: int) -> Wide:
    """The cells of the bottom row for player 0, of the right column for player 1."""
    across = position.size + 1 if player == 0 else 1
    return first_edge(position, player) << (position.size - 1) * across


def _repeated(cells: Wide, times: int, stride: int) -> Wide:
    """``cells`` and copies of them, ``times`` in all, each ``stride`` after the one before."""
    length = 1
    while length < times:
        step = min(length, times - length)
        cells |= cells << step * stride
        length += step
    return cells
