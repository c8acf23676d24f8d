"""Finds inferior cells: dead cells and captured pairs, which can be filled in without search.

A cell is *dead* if its colour cannot matter to who wins, whatever stands in the other empty cells;
it may be filled with either colour. Two empty neighbours are *captured* by a player if, whichever
of them the opponent takes, the other one makes that stone dead; both may be filled for the player.
Filling in changes the value of no position.

Both are found from the six neighbours of a cell. A stone matters only where it separates or joins:
if its neighbours, in a circle, can still become two arcs of each colour. If they cannot, the
neighbours of one colour are adjacent to each other and the stone in the middle joins nothing new.

R. B. Hayward, J. van Rijswijck, Hex and combinatorics, Discrete Mathematics 306 (2006).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import lowest
from adv_envs.jit import kernel

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class BoardTables(NamedTuple):
    """Holds what kernels need to know of a board."""

    neighbours: Indices
    """(cells, 6): the neighbours of every cell in the order of ``RING``; -1 and
    -2 for stones of player 0 and 1 beside the board, -2 - k for places beside a cell of kind k."""
    neighbour_sets: Indices
    """(cells,): the same as sets."""
    dead: Flags
    """(4096 * kinds,): see ``dead_patterns``."""
    killers: Indices
    """(2, 4096 * kinds): see ``dead_patterns``."""


RING = (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)
"""(row, column) steps to the six neighbours of a cell in a circle: each touches the next."""


@cache
def neighbour_table(size: int) -> Indices:
    """Returns the ``neighbours`` of ``BoardTables`` on a board of any size."""
    row, column = np.indices((size, size)).reshape(2, -1, 1) + np.array(RING).T[:, None]
    beside = np.where((column < 0) | (column >= size), -2, row * size + column)
    return np.where((row < 0) | (row >= size), -1, beside)


@cache
def dead_patterns(outside: tuple[int, ...] = ()) -> tuple[Flags, Indices]:
    """Returns, for every ring code, whether the cell inside is dead and which stones would kill it.

    A ring code is the set of neighbours of player 0, times 64, plus that of player 1; neighbours
    are numbered as in ``RING``. ``dead`` (4096,); ``killers`` (2, 4096): the
    set of empty neighbours on which a stone of player 0 (player 1) makes the cell dead.
    Each set of ``outside`` are places beside the board, on an edge of both players: it may be worth
    a stone of either.
    """
    dead = np.zeros(4096, np.bool_)
    beside = sum(outside)
    for zero in range(64):
        for one in range(64):
            if (zero & one) | (zero | one) & beside == 0:
                dead[zero << 6 | one] = _never_matters(zero, one, outside)
    killers = np.zeros((2, 4096), np.int64)
    for code in range(4096):
        for i in range(6):
            for player, stone in ((0, 64 << i), (1, 1 << i)):
                if not (code | code >> 6 | beside) >> i & 1 and dead[code | stone]:
                    killers[player, code] |= 1 << i
    return dead, killers


def _never_matters(zero: int, one: int, outside: tuple[int, ...]) -> bool:
    """Returns whether no filling of the empty neighbours gives each colour two arcs."""
    free = 63 & ~(zero | one)
    fillings = [
        zero | more
        for more in range(64)
        if more & ~free == 0 and all(more & edge in (0, edge) for edge in outside)
    ]
    return all((f & ~(f << 1 | f >> 5)).bit_count() <= 1 for f in fillings)


@kernel
def ring_code(zero: int, one: int, cell: int, neighbours: Indices) -> int:
    """Returns the ring code of ``cell``; ``neighbours`` as in ``BoardTables``."""
    of_zero, of_one, kind = 0, 0, 0
    for i in range(6):
        neighbour = int(neighbours[cell, i])
        if neighbour >= 0:
            of_zero |= (zero >> neighbour & 1) << i
            of_one |= (one >> neighbour & 1) << i
        elif neighbour == -1:
            of_zero |= 1 << i
        elif neighbour == -2:
            of_one |= 1 << i
        else:
            kind = -2 - neighbour
    return kind << 12 | of_zero << 6 | of_one


@kernel
def fill_in(zero: int, one: int, candidates: int, tables: BoardTables) -> tuple[int, int, int]:
    """Fills every dead and captured cell; returns the stones of both players and the dead cells.

    ``candidates`` are the cells to examine first: all empty ones, or, where everything was filled
    in before the last stone, its neighbours. Dead cells are filled for player 0.
    """
    neighbours, neighbour_sets, dead, killers = tables
    dead_cells = 0
    while candidates != 0:
        cell = lowest(candidates)
        candidates &= candidates - 1
        if (zero | one) >> cell & 1 != 0:
            continue
        code = ring_code(zero, one, cell, neighbours)
        if dead[code]:
            zero |= 1 << cell
            dead_cells |= 1 << cell
            candidates |= int(neighbour_sets[cell])
            continue
        for player in range(2):
            partner = captured_with(zero, one, cell, player, int(killers[player, code]), tables)
            if partner >= 0:
                pair = 1 << cell | 1 << partner
                if player == 0:
                    zero |= pair
                else:
                    one |= pair
                candidates |= int(neighbour_sets[cell] | neighbour_sets[partner])
                break
    return int(zero), int(one), int(dead_cells)


@kernel
def captured_with(
    zero: int, one: int, cell: int, player: int, options: int, tables: BoardTables
) -> int:
    """Returns a neighbour of ``cell`` that is captured with it by ``player``, or -1.

    ``options``: the neighbours on which a stone makes ``cell`` dead; of these one is returned that
    a stone on ``cell`` makes dead.
    """
    neighbours, _, _, killers = tables
    while options != 0:
        i = lowest(options)
        options &= options - 1
        partner = neighbours[cell, i]
        back = (i + 3) % 6
        if killers[player, ring_code(zero, one, partner, neighbours)] >> back & 1 != 0:
            return int(partner)
    return -1


# ---- the same for boards of any size, given as arrays


@kernel
def fill_board(
    owner: Indices, for_dead: int, neighbours: Indices, patterns: tuple[Flags, Indices]
) -> None:
    """Fills every dead and captured cell of ``owner`` (cells,): 0, 1, or 2 for empty cells.

    ``neighbours`` is that of ``BoardTables``, ``patterns`` those of ``dead_patterns``. Dead cells
    are filled for the player ``for_dead``.
    """
    dead, killers = patterns
    changed = True
    while changed:
        changed = False
        for cell in range(owner.shape[0]):
            if owner[cell] != 2:
                continue
            code = ring_code_of(owner, cell, neighbours)
            if dead[code]:
                owner[cell] = for_dead
                changed = True
            for player in range(2):
                options = int(killers[player, code]) if owner[cell] == 2 else 0
                while options != 0:
                    i = lowest(options)
                    options &= options - 1
                    partner = int(neighbours[cell, i])
                    beyond = ring_code_of(owner, partner, neighbours)
                    if killers[player, beyond] >> (i + 3) % 6 & 1 != 0:
                        owner[cell] = owner[partner] = player
                        changed, options = True, 0


@kernel
def ring_code_of(owner: Indices, cell: int, neighbours: Indices) -> int:
    """Returns the ring code of ``cell``, see ``fill_board`` for the arrays."""
    of_zero, of_one = 0, 0
    for i in range(6):
        neighbour = neighbours[cell, i]
        stone = owner[neighbour] if neighbour >= 0 else -1 - neighbour
        of_zero |= (stone == 0) << i
        of_one |= (stone == 1) << i
    return of_zero << 6 | of_one
