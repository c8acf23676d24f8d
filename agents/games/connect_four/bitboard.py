"""Connect Four on whole boards at once: threats, lines and mirror images as shifts of words.

The cells are numbered as in ``adv_envs.games.connect_four``: up each column, one empty cell on top,
so that a step up, right and along the diagonals is a shift by 1, UP, UP + 1 and UP - 1. The names
in capitals are those of the board of 7 columns and 6 rows; for another size ``constants`` are bound
in their place, so that they are constants in the compiled code. Sources: the solvers of J. Tromp
and P. Pons; J. D. Allen, "The Complete Book of Connect 4", 2010, for the parity of threats.
"""

from __future__ import annotations

from typing import Any

from adv_envs.jit import inlined, kernel

HEIGHT, WIDTH, PADDED_WIDTH, CELLS, UP = 6, 7, 8, 42, 7
"""The board. PADDED_WIDTH is WIDTH rounded up to a multiple of the vector length; UP is the number
of bits of a column, the empty one on top included."""

FLOOR = sum(1 << UP * column for column in range(WIDTH))
"""The lowest cell of each column."""

COLUMN = (1 << HEIGHT) - 1
"""The cells of the first column."""

BOARD = FLOOR * COLUMN
"""Every cell."""

FIRST_PLAYER_ROWS = sum(FLOOR << row for row in range(HEIGHT) if (HEIGHT - row) % 2 == 0)
"""The cells with an odd number of cells above them in their column: those that are left to a player
whose opponent always answers in the same column."""

SECOND_PLAYER_ROWS = BOARD & ~FIRST_PLAYER_ROWS
"""The other cells: those of the player who always answers in the same column."""

KEY_BITS = UP * WIDTH
"""Every board has its own key below 2 ** KEY_BITS: see ``board_key``."""

FRAME = 2 * PADDED_WIDTH
"""Words that the moves of a position take in a row of the search's stack."""

MIRRORED_UNTIL, PROBED_UNTIL, NEAR_FROM = CELLS - 18, CELLS - 16, CELLS - 14
"""Numbers of stones: below the first a position and its mirror image share a table entry, below the
second all children are looked up in the table, and from the third on the near table is used."""

NEAR_BITS = 14
"""The near table has 2 ** NEAR_BITS buckets."""


def constants(height: int, width: int) -> dict[str, Any]:
    """The values of the names above for a board of this size, to be bound to a kernel."""
    up = height + 1
    floor = sum(1 << up * column for column in range(width))
    column = (1 << height) - 1
    first = sum(floor << row for row in range(height) if (height - row) % 2 == 0)
    padded = -(-width // 4) * 4
    bits = up * width
    padded = padded if up * (padded - 1) < 63 else width
    cells = height * width
    return {
        "HEIGHT": height,
        "WIDTH": width,
        "PADDED_WIDTH": padded,
        "CELLS": cells,
        "UP": up,
        "FLOOR": floor,
        "COLUMN": column,
        "BOARD": floor * column,
        "FIRST_PLAYER_ROWS": first,
        "SECOND_PLAYER_ROWS": floor * column & ~first,
        "KEY_BITS": bits,
        "FRAME": 2 * padded,
        "MIRRORED_UNTIL": cells - 18,
        "PROBED_UNTIL": cells - 16,
        "NEAR_FROM": max(cells - 14, 0),
        "NEAR_BITS": min(max(14, bits - 43), bits),
    }


@inlined
@kernel
def completing(stones: int) -> int:
    """Returns the cells, empty or not, that make four in a row with three of ``stones``.

    In each direction a cell is at either end of three stones, or in a gap between them.
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
def has_four(cells: int) -> bool:
    """Returns whether ``cells`` contain four in a row."""
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
def board_key(own: int, both: int) -> int:
    """Returns the key of the board with stones ``both``, ``own`` those of the player to move.

    No other board has it: a column of h stones adds 2**h - 1 for ``both`` and 0 to 2**h - 1 for
    ``own``: 0 for no stone, 1 to 2 for one, 3 to 6 for two, and so on. So a column can be read
    back, and as it stays below 2**UP it does not carry into the next. Source: P. Pons.
    """
    return own + both


@inlined
@kernel
def mirrored_key(key: int) -> int:
    """Returns the key of the mirror image: the columns in the opposite order."""
    image = 0
    for column in range(WIDTH):
        image |= (key >> column * UP & (1 << UP) - 1) << (WIDTH - 1 - column) * UP
    return image


@inlined
@kernel
def canonical_key(own: int, both: int) -> int:
    """Returns the smaller of the keys of a board and of its mirror image, which has its score."""
    key = board_key(own, both)
    return min(key, mirrored_key(key))
