"""Cells that need no thought: dead ones, and captured pairs.

A cell is *dead* if its colour cannot matter to who wins, whatever stands in the other empty cells;
it may be filled with either colour. Two empty neighbours are *captured* by a player if, whichever
of them the opponent takes, the other one makes that stone dead; both may be filled for the player.
Filling in changes the value of no position.

Both are read off the six neighbours of a cell. A stone matters only where it separates or joins:
if the neighbours, in a circle, can still become two arcs of each colour. If they cannot, the
neighbours of one colour all touch each other and the stone in the middle joins nothing new.

R. B. Hayward, J. van Rijswijck, Hex and combinatorics, Discrete Mathematics 306 (2006).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import lowest
from adv_envs.jit import kernel


@cache
def patterns() -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """For every code of a ring: is the cell inside dead, and whose stones would make it so?

    A code is the set of neighbours of player 0, times 64, plus that of player 1, neighbours being
    numbered as in RING. ``dead`` (4096,) bool; ``killers`` (2, 4096) int64: the set of empty
    neighbours on which a stone of player 0 (player 1) makes the cell dead.
    """
    dead = np.zeros(4096, np.bool_)
    for zero in range(64):
        for one in range(64):
            dead[zero << 6 | one] = zero & one == 0 and _never_matters(zero, one)
    killers = np.zeros((2, 4096), np.int64)
    for code in range(4096):
        for i in range(6):
            for player, stone in ((0, 64 << i), (1, 1 << i)):
                if not (code | code >> 6) >> i & 1 and dead[code | stone]:
                    killers[player, code] |= 1 << i
    return dead, killers


def _never_matters(zero: int, one: int) -> bool:
    """Whether no way to fill the empty neighbours gives each colour two arcs of the ring."""
    free = 63 & ~(zero | one)
    fillings = [zero | more for more in range(64) if more & ~free == 0]
    return all((f & ~(f << 1 | f >> 5)).bit_count() <= 1 for f in fillings)


@kernel
def ring(zero, one, cell, beside):  # type: ignore[no-untyped-def]
    """The code of what stands around ``cell``."""
    of_zero, of_one = 0, 0
    for i in range(6):
        neighbour = beside[cell, i]
        if neighbour >= 0:
            of_zero |= (zero >> neighbour & 1) << i
            of_one |= (one >> neighbour & 1) << i
        elif neighbour == -1:
            of_zero |= 1 << i
        else:
            of_one |= 1 << i
    return of_zero << 6 | of_one


@kernel
def fill_in(zero, one, doubtful, rules):  # type: ignore[no-untyped-def]
    """(stones of player 0, of player 1, dead cells) once every dead and captured cell is filled.

    ``doubtful`` are the cells to look at first: all empty ones, or, where everything was filled in
    before the last stone was set, its neighbours. Dead cells are filled for player 0. ``rules`` is
    a tuple from ``board.rules``.
    """
    beside, near, dead, killers = rules
    gone = 0
    while doubtful != 0:
        cell = lowest(doubtful)
        doubtful &= doubtful - 1
        if (zero | one) >> cell & 1 != 0:
            continue
        code = ring(zero, one, cell, beside)
        if dead[code]:
            zero |= 1 << cell
            gone |= 1 << cell
            doubtful |= int(near[cell])
            continue
        for player in range(2):
            partner = captured_with(zero, one, cell, player, int(killers[player, code]), rules)
            if partner >= 0:
                pair = 1 << cell | 1 << partner
                if player == 0:
                    zero |= pair
                else:
                    one |= pair
                doubtful |= int(near[cell] | near[partner])
                break
    return int(zero), int(one), int(gone)


@kernel
def captured_with(zero, one, cell, player, options, rules):  # type: ignore[no-untyped-def]
    """A neighbour of ``cell`` that is captured with it by ``player``, or -1.

    ``options``: the neighbours that make ``cell`` dead; one that ``cell`` makes dead is wanted.
    """
    beside, _, _, killers = rules
    while options != 0:
        i = lowest(options)
        options &= options - 1
        partner = beside[cell, i]
        back = (i + 3) % 6
        if killers[player, ring(zero, one, partner, beside)] >> back & 1 != 0:
            return int(partner)
    return -1


# ---- the same on boards of any size, as an array


@kernel
def fill_board(owner, for_dead, size, rows, columns, tables):  # type: ignore[no-untyped-def]
    """Fill every dead and captured cell of ``owner`` (cells,): 0, 1, or 2 for empty cells.

    ``rows`` and ``columns`` (6,) are the steps to the neighbours of a cell in a circle, ``tables``
    are those of ``patterns``. Dead cells are filled for the player ``for_dead``.
    """
    dead, killers = tables
    changed = True
    while changed:
        changed = False
        for cell in range(size * size):
            if owner[cell] != 2:
                continue
            code = around(owner, cell, size, rows, columns)
            if dead[code]:
                owner[cell] = for_dead
                changed = True
            for player in range(2):
                options = int(killers[player, code]) if owner[cell] == 2 else 0
                while options != 0:
                    i = lowest(options)
                    options &= options - 1
                    partner = cell + rows[i] * size + columns[i]
                    beyond = around(owner, partner, size, rows, columns)
                    if killers[player, beyond] >> (i + 3) % 6 & 1 != 0:
                        owner[cell] = owner[partner] = player
                        changed, options = True, 0


@kernel
def around(owner, cell, size, rows, columns):  # type: ignore[no-untyped-def]
    """The code of what stands around ``cell``, as ``ring``."""
    row = cell // size
    column = cell - row * size
    of_zero, of_one = 0, 0
    for i in range(6):
        there, beside = row + rows[i], column + columns[i]
        stone = 0
        if 0 <= there < size:
            stone = owner[there * size + beside] if 0 <= beside < size else 1
        of_zero |= (stone == 0) << i
        of_one |= (stone == 1) << i
    return of_zero << 6 | of_one
