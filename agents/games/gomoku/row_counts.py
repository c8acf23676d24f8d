"""How many stones stand in each row of k cells: kept up to date from stone to stone, and undone.

A *row* is k cells in a line. For a colour it is alive if no stone of the other colour stands in it
(nor, where exactly k win, a stone of the same colour at one of its ends, which would make it too
long). A live row *needs* as many more stones as it has empty cells: it is a threat to win if it
needs one, and a threat of that if it needs two.

``Rows`` says which cells are in which rows; it is the same for all positions of a game. ``Counts``
is a position: ``place`` and ``remove`` change only what depends on the rows of one cell.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.games.gomoku import Gomoku
from adv_envs.jit import inlined, kernel

Ints = NDArray[np.int64]

WEIGHTS = 5
"""A live row with n stones weighs WEIGHTS ** (n - 1), but no more than HEAVIEST."""

HEAVIEST = 5**7

NEEDS = 3
"""Rows are counted cell by cell if they need 1, 2 or 3 more stones."""


class Rows(NamedTuple):
    """The rows of a board, and which cells are in them."""

    cells: Ints
    """The cells of each row, shape (rows, k)."""
    through: Ints
    """The rows through each cell, -1 after the last, shape (cells, 4 * k + 1)."""
    beside: Ints
    """The rows that a stone of their colour on this cell makes too long, likewise (cells, 9)."""
    weight: Ints
    """What a live row with 0 .. k stones weighs, shape (k + 1,)."""
    key: NDArray[np.int64]
    """Random numbers, shape (2, cells): the exclusive or of those of all stones is the hash."""


class Counts(NamedTuple):
    """The stones of a position and what follows from them, for both colours: 0 black, 1 white."""

    stone: Ints
    """The colour of the stone on each cell, -1 if it is empty, shape (cells,)."""
    stones: Ints
    """How many stones each row has, shape (2, rows)."""
    long: Ints
    """How many stones of the colour make the row too long, shape (2, rows)."""
    weight: Ints
    """The sum of the weights of the live rows through a cell, shape (2, cells)."""
    needs: Ints
    """How many live rows through a cell need n more stones, shape (2, NEEDS + 1, cells)."""
    total: Ints
    """How many live rows need n more stones, n < NEEDS + 1, then the weight of all, (2, 5)."""
    hash: Ints
    """The exclusive or of the keys of all stones, shape (1,)."""


@lru_cache(maxsize=8)
def rows_of(height: int, width: int, k: int, exact: bool) -> Rows:
    """Returns the rows of a board."""
    number = height * width
    rows: list[list[int]] = []
    through: list[list[int]] = [[] for _ in range(number)]
    beside: list[list[int]] = [[] for _ in range(number)]

    def inside(row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width

    for start in range(number):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [
                (start // width + i * down, start % width + i * right) for i in range(-1, k + 1)
            ]
            if not inside(*line[-2]):
                continue
            for row, column in line[1:-1]:
                through[row * width + column].append(len(rows))
            for row, column in (line[0], line[-1]) if exact else ():
                if inside(row, column):
                    beside[row * width + column].append(len(rows))
            rows.append([row * width + column for row, column in line[1:-1]])
    weight = [0, *(min(WEIGHTS**n, HEAVIEST) for n in range(k))]
    key = np.random.default_rng(1).integers(1, 2**62, (2, number))
    return Rows(
        np.array(rows, np.int64).reshape(-1, k),
        _padded(through, 4 * k + 1),
        _padded(beside, 9),
        np.array(weight, np.int64),
        key,
    )


def _padded(lists: list[list[int]], length: int) -> Ints:
    return np.array([one + [-1] * (length - len(one)) for one in lists], np.int64)


def counts_of(position: Gomoku) -> tuple[Rows, Counts]:
    """Returns the rows of the board of ``position``, and its counts."""
    rows = rows_of(position.height, position.width, position.k, position.exact)
    cells, number = position.height * position.width, len(rows.cells)
    counts = Counts(
        np.full(cells, -1),
        np.zeros((2, number), np.int64),
        np.zeros((2, number), np.int64),
        np.zeros((2, cells), np.int64),
        np.zeros((2, NEEDS + 1, cells), np.int64),
        np.zeros((2, NEEDS + 2), np.int64),
        np.zeros(1, np.int64),
    )
    board = np.full(cells, -1)
    for cell in range(cells):
        colour = position.cell(cell // position.width, cell % position.width)
        board[cell] = -1 if colour is None else colour
    place_all(board, rows, counts)
    return rows, counts


@kernel
def place_all(board: Ints, rows: Rows, counts: Counts) -> int:
    """Places the stones of ``board``, the colour of each cell, shape (cells,)."""
    for row in range(rows.cells.shape[0]):
        weigh(row, 0, 0, 1, rows, counts)
        weigh(row, 1, 0, 1, rows, counts)
    for cell in range(board.shape[0]):
        if board[cell] >= 0:
            place(cell, int(board[cell]), rows, counts)
    return 0


@kernel
def place(cell: int, colour: int, rows: Rows, counts: Counts) -> None:
    """Sets a stone on an empty cell."""
    change(cell, colour, 1, rows, counts)
    counts.stone[cell] = colour


@kernel
def remove(cell: int, colour: int, rows: Rows, counts: Counts) -> None:
    """Takes the stone from a cell again."""
    counts.stone[cell] = -1
    change(cell, colour, -1, rows, counts)


@kernel
def change(cell: int, colour: int, by: int, rows: Rows, counts: Counts) -> None:
    """Counts one stone more or less in the rows of ``cell``, which is what takes the time."""
    for i in range(rows.through.shape[1]):
        row = rows.through[cell, i]
        if row < 0:
            break
        own, opp = counts.stones[colour, row], counts.stones[1 - colour, row]
        if opp == 0 and counts.long[colour, row] == 0:
            weigh(row, colour, own, -1, rows, counts)
            weigh(row, colour, own + by, 1, rows, counts)
        if (own == 0 or own + by == 0) and counts.long[1 - colour, row] == 0:
            weigh(row, 1 - colour, opp, -by, rows, counts)
        counts.stones[colour, row] = own + by
    for i in range(rows.beside.shape[1]):
        row = rows.beside[cell, i]
        if row < 0:
            break
        alive = counts.stones[1 - colour, row] == 0
        if alive and counts.long[colour, row] == (0 if by > 0 else 1):
            weigh(row, colour, int(counts.stones[colour, row]), -by, rows, counts)
        counts.long[colour, row] += by
    counts.hash[0] ^= rows.key[colour, cell]


@kernel
@inlined
def weigh(row: int, colour: int, stones: int, by: int, rows: Rows, counts: Counts) -> None:
    """Adds a live row to the sums of its cells, or takes it away, with ``by`` -1."""
    k = rows.cells.shape[1]
    if stones == 0 and k > NEEDS:
        return
    weight, missing = by * rows.weight[stones], k - stones
    counts.total[colour, NEEDS + 1] += weight
    if missing <= NEEDS:
        counts.total[colour, missing] += by
    for i in range(k):
        cell = rows.cells[row, i]
        counts.weight[colour, cell] += weight
        if missing <= NEEDS:
            counts.needs[colour, missing, cell] += by


# ---- questions


@kernel
def winning_cell(colour: int, besides: int, counts: Counts) -> int:
    """Returns an empty cell that completes a row of ``colour``, not ``besides``; -1: none."""
    if counts.total[colour, 1] > 0:
        for cell in range(counts.stone.shape[0]):
            if counts.needs[colour, 1, cell] > 0 and counts.stone[cell] < 0 and cell != besides:
                return cell
    return -1


@kernel
def double_cell(colour: int, rows: Rows, counts: Counts) -> int:
    """Returns a cell after which two cells would each complete a row of ``colour``; -1: none.

    An open three has such cells, and so have two threes that cross.
    """
    if counts.total[colour, 2] > 1:
        for cell in range(counts.stone.shape[0]):
            likely = counts.needs[colour, 2, cell] > 1 and counts.stone[cell] < 0
            if likely and completions(cell, colour, rows, counts) > 1:
                return cell
    return -1


@kernel
def completions(cell: int, colour: int, rows: Rows, counts: Counts) -> int:
    """Returns how many cells, 2 standing for more, would complete rows after a stone here."""
    first = -1
    for i in range(rows.through.shape[1]):
        row = rows.through[cell, i]
        if row < 0:
            break
        alive = counts.stones[1 - colour, row] == 0 and counts.long[colour, row] == 0
        if alive and counts.stones[colour, row] == rows.cells.shape[1] - 2:
            for j in range(rows.cells.shape[1]):
                other = rows.cells[row, j]
                if other != cell and counts.stone[other] < 0:
                    if first >= 0 and other != first:
                        return 2
                    first = other
    return 0 if first < 0 else 1
