"""Connect Four on whole boards at once: threats, lines and mirror images as shifts of words.

The cells are numbered as in ``adv_envs.games.connect_four``: up each column, one empty cell on top,
so that a step up, right and along the diagonals is a shift by 1, UP, UP + 1 and UP - 1. The names
in capitals stand for the board of 7 columns of 6 until ``constants`` are bound in their place, and
so are constants in the compiled code. Source: J. Tromp's and P. Pons' solvers, and J. D. Allen,
"The Complete Book of Connect 4", for the parity of threats.
"""

from __future__ import annotations

from typing import Any

from adv_envs.jit import inlined, kernel

HEIGHT, WIDTH, LANES, CELLS, UP = 6, 7, 8, 42, 7
"""The board; LANES is WIDTH rounded up for vector units, and UP the cells of a column with the one
on top."""

FLOOR = sum(1 << UP * column for column in range(WIDTH))
"""The lowest cell of each column."""

COLUMN = (1 << HEIGHT) - 1
"""The cells of the first column."""

BOARD = FLOOR * COLUMN
"""Every cell."""

FIRST = sum(FLOOR << row for row in range(HEIGHT) if (HEIGHT - row) % 2 == 0)
"""The cells with an odd number of cells above them in their column."""

SECOND = BOARD & ~FIRST
"""The others: those that are played in answer, by a player who always answers in the same
column."""

KEY_BITS = UP * WIDTH
"""A board has a number below 2 ** KEY_BITS of its own: see ``number_of``."""

FRAME = 2 * LANES
"""How many words of the stack the moves of a position take."""

MIRRORED_UNTIL, PROBED_UNTIL, NEAR_FROM = CELLS - 18, CELLS - 16, CELLS - 14
"""Numbers of stones: up to which a position and its mirror image are taken for one, up to which the
table is asked about all children, and from which on the near table is used."""

NEAR_BITS = 14
"""The near table has 2 ** NEAR_BITS buckets."""


def constants(height: int, width: int) -> dict[str, Any]:
    """What the names above are on a board of this size, to be bound to a kernel."""
    up = height + 1
    floor = sum(1 << up * column for column in range(width))
    column = (1 << height) - 1
    first = sum(floor << row for row in range(height) if (height - row) % 2 == 0)
    padded = -(-width // 4) * 4
    bits = up * width
    lanes = padded if up * (padded - 1) < 63 else width
    cells = height * width
    return {
        "HEIGHT": height,
        "WIDTH": width,
        "LANES": lanes,
        "CELLS": cells,
        "UP": up,
        "FLOOR": floor,
        "COLUMN": column,
        "BOARD": floor * column,
        "FIRST": first,
        "SECOND": floor * column & ~first,
        "KEY_BITS": bits,
        "FRAME": 2 * lanes,
        "MIRRORED_UNTIL": cells - 18,
        "PROBED_UNTIL": cells - 16,
        "NEAR_FROM": max(cells - 14, 0),
        "NEAR_BITS": min(max(14, bits - 43), bits),
    }


@inlined
@kernel
def completing(stones):  # type: ignore[no-untyped-def]
    """The cells of the board, empty or not, that make four in a row with three of ``stones``.

    In each direction: at either end of three stones, or in a gap among them.
    """
    cells = (stones << 1) & (stones << 2) & (stones << 3)
    below = (stones << UP) & (stones << 2 * UP)
    above = (stones >> UP) & (stones >> 2 * UP)
    cells |= below & (stones << 3 * UP) | above & (stones >> 3 * UP)
    cells |= below & (stones >> UP) | above & (stones << UP)
    below = (stones << (UP - 1)) & (stones << 2 * (UP - 1))
    above = (stones >> (UP - 1)) & (stones >> 2 * (UP - 1))
    cells |= below & (stones << 3 * (UP - 1)) | above & (stones >> 3 * (UP - 1))
    cells |= below & (stones >> (UP - 1)) | above & (stones << (UP - 1))
    below = (stones << (UP + 1)) & (stones << 2 * (UP + 1))
    above = (stones >> (UP + 1)) & (stones >> 2 * (UP + 1))
    cells |= below & (stones << 3 * (UP + 1)) | above & (stones >> 3 * (UP + 1))
    cells |= below & (stones >> (UP + 1)) | above & (stones << (UP + 1))
    return cells & BOARD


@inlined
@kernel
def has_four(cells):  # type: ignore[no-untyped-def]
    """Whether ``cells`` hold four in a row."""
    up, falling, across, rising = (
        cells & (cells >> 1),
        cells & (cells >> (UP - 1)),
        cells & (cells >> UP),
        cells & (cells >> (UP + 1)),
    )
    found = up & (up >> 2) | falling & (falling >> 2 * (UP - 1))
    found |= across & (across >> 2 * UP) | rising & (rising >> 2 * (UP + 1))
    return found != 0


@inlined
@kernel
def number_of(own, both):  # type: ignore[no-untyped-def]
    """A number for the board with stones ``both``, of which ``own`` are the mover's.

    No other board has it: a column of h stones adds 2**h - 1 for ``both`` and 0 to 2**h - 1 for
    ``own``. That is 0 for none, 1 to 2 for one, 3 to 6 for two stones, and so on: the column can be
    read back, and as it stays below 2**UP no column touches the next. Source: P. Pons.
    """
    return own + both


@inlined
@kernel
def mirrored(number):  # type: ignore[no-untyped-def]
    """The number of the mirror image: the columns in the opposite order."""
    image = 0
    for column in range(WIDTH):
        image |= (number >> column * UP & (1 << UP) - 1) << (WIDTH - 1 - column) * UP
    return image


@inlined
@kernel
def canonical(own, both):  # type: ignore[no-untyped-def]
    """The smaller of the numbers of a board and of its mirror image, whose score is the same."""
    number = number_of(own, both)
    return min(number, mirrored(number))
