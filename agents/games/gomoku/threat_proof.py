"""Proves wins by threats: every move of the attacker leaves the defender no choice, or few.

A *row* is k cells in a line. For a colour it is alive if no stone of the other colour stands in it
(nor, where exactly k win, a stone of the same colour at one of its ends, which would make it too
long). A live row *needs* as many more stones as it has empty cells: it is a threat to win if it
needs one, and a threat of that if it needs two. ``Rows`` says which cells are in which rows; it is
the same for all positions of a game. ``Counts`` is a position: ``place`` and ``remove`` change only
what depends on the rows of one cell.

A move that makes a row need one more stone (a four, in gomoku) has one answer; two cells that would
complete rows have none. A move that threatens to make two such cells at once (an open three) can be
answered only on a cell of a row of the attacker that needs two, or by a four of the defender's own:
after any other move the attacker makes the two. So the answers tried are all that there are, and a
win that is found is proven. What is not found may still be there: quiet moves are not tried.

L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and Threat-Space Search (1993), call
sequences of fours and threes such wins; here they are searched depth first, deeper and deeper, with
a table of the positions in which no win was found.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.games.gomoku import Gomoku
from adv_envs.jit import inlined, kernel
from agents.search.limits import ABORTED, CUT_OFF, NODE_LIMIT, NODES, STOP, counters
from agents.search.limits import Counts as Counters
from agents.search.transposition_table import (
    HashTable,
    find,
    new_table,
    note_at,
    slot_for,
    work_of,
    write,
)

Ints = NDArray[np.int64]

WEIGHTS = 5
"""A live row with n stones weighs WEIGHTS ** (n - 1), but no more than HEAVIEST."""

HEAVIEST = 5**7

WORD = 62
"""Cells in a word."""

NEEDS = 3
"""Rows are counted cell by cell if they need 1, 2 or 3 more stones."""


class Rows(NamedTuple):
    """Holds the rows of a board, and which cells are in them."""

    cells: Ints
    """The cells of each row, shape (rows, k)."""
    through: Ints
    """The rows through each cell, -1 after the last, shape (cells, 4 * k + 1)."""
    beside: Ints
    """The rows that a stone of their colour on this cell makes too long, likewise (cells, 9)."""
    weight: Ints
    """What a live row with 0 .. k stones weighs, shape (k + 1,)."""


class Counts(NamedTuple):
    """Holds the stones of a position and what follows from them: 0 black, 1 white."""

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
    words: Ints
    """The set of the stones of each colour, of WORD cells in a word, shape (2, words)."""


@lru_cache(maxsize=8)
def rows_of(height: int, width: int, k: int, exact: bool) -> Rows:
    """Returns the rows of a board."""
    number = height * width
    rows: list[list[int]] = []
    through: list[list[int]] = [[] for _ in range(number)]
    beside: list[list[int]] = [[] for _ in range(number)]

    def inside(row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width

    def padded(lists: list[list[int]], length: int) -> Ints:
        return np.array([one + [-1] * (length - len(one)) for one in lists], np.int64)

    for start in range(number):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            top, left = divmod(start, width)
            line = [(top + i * down, left + i * right) for i in range(-1, k + 1)]
            if not inside(*line[-2]):
                continue
            for row, column in line[1:-1]:
                through[row * width + column].append(len(rows))
            for row, column in (line[0], line[-1]) if exact else ():
                if inside(row, column):
                    beside[row * width + column].append(len(rows))
            rows.append([row * width + column for row, column in line[1:-1]])
    weight = [0, *(min(WEIGHTS**n, HEAVIEST) for n in range(k))]
    cells = np.array(rows, np.int64).reshape(-1, k)
    return Rows(cells, padded(through, 4 * k + 1), padded(beside, 9), np.array(weight, np.int64))


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
        np.zeros((2, -(-cells // WORD)), np.int64),
    )
    colours = (position.cell(*divmod(cell, position.width)) for cell in range(cells))
    board = np.array([-1 if colour is None else colour for colour in colours])
    place_all(board, rows, counts)
    return rows, counts


@kernel
def place_all(board: Ints, rows: Rows, counts: Counts) -> None:
    """Places the stones of ``board``, the colour of each cell, shape (cells,)."""
    for row in range(rows.cells.shape[0]):
        weigh(row, 0, 0, 1, rows, counts)
        weigh(row, 1, 0, 1, rows, counts)
    for cell in range(board.shape[0]):
        if board[cell] >= 0:
            place(cell, int(board[cell]), rows, counts)


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
    counts.words[colour, cell // WORD] ^= 1 << cell % WORD


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


# ---- the search


class ThreatArrays(NamedTuple):
    """Holds what a search works on."""

    rows: Rows
    """The rows of the board."""
    counts: Counts
    """The position that is searched: it is changed, and changed back."""
    counters: Counters
    """(10,): see ``agents.search.limits``."""
    moves: Ints
    """The moves to try at each ply, shape (plies, cells)."""
    score: Ints
    """How promising they are, of the same shape."""
    line: Ints
    """The moves from each ply on that the search expects, -1 after the last, (plies, plies + 2)."""
    width: int
    """How many moves alpha-beta tries where none is forced."""
    table: HashTable
    """What was found about positions with the player to move, apart for proofs: see ``set_key``."""


def threat_arrays(position: Gomoku, plies: int, width: int, table_mb: float) -> ThreatArrays:
    """Returns what a search of at most ``plies`` plies from ``position`` works on."""
    rows, counts = counts_of(position)
    cells = position.num_stone_actions
    return ThreatArrays(
        rows,
        counts,
        counters(),
        np.zeros((plies, cells), np.int64),
        np.zeros((plies, cells), np.int64),
        np.full((plies, plies + 2), -1),
        width,
        new_table(counts.words.size + 1, table_mb, numbers=1, least=2),
    )


@kernel
def set_key(kind: int, work: ThreatArrays) -> None:
    """Makes the position the key of the table, with who is to move and what for.

    ``kind``: 2 * colour + attacking in a proof, 4 + colour otherwise.
    """
    words, number = work.counts.words, work.counts.words.shape[1]
    for word in range(number):
        work.table.key[0, word] = words[0, word]
        work.table.key[0, number + word] = words[1, word]
    work.table.key[0, 2 * number] = kind


OPEN = -1
"""Neither won nor given up without a search."""


@kernel
def prove(colour: int, attacking: int, depth: int, ply: int, work: ThreatArrays) -> int:
    """Returns 1 if the attacker wins by at most ``depth`` threats; 0 if that is not known.

    ``colour`` is to move; it is the attacker's if ``attacking`` is 1, the defender's if it is 0.
    The win is in work.line[ply]. counters[ABORTED] is set if a limit came first.
    """
    counters = work.counters
    counters[NODES] += 1
    if counters[NODES] >= counters[NODE_LIMIT] or counters[STOP] != 0:
        counters[ABORTED] = 1
        return 0
    set_key(2 * colour + attacking, work)
    at = find(work.table)
    if at >= 0 and work_of(note_at(work.table, at)) >= depth:
        return 0  # no win was found by as many threats
    number = 0
    if attacking != 0:
        known = attack(colour, depth, ply, work)
        if known == OPEN:
            number = write_cells(colour, colour, 3, ply, work)
    else:
        known = defend(colour, ply, work)
        if known == OPEN:
            number = write_answers(colour, ply, work)
    if known != OPEN:
        return known
    longest, won = -1, 0
    for i in range(number):
        cell = int(work.moves[ply, i])
        place(cell, colour, work.rows, work.counts)
        won = prove(1 - colour, 1 - attacking, depth - attacking, ply + 1, work)
        remove(cell, colour, work.rows, work.counts)
        if won == 1 and line_length(ply + 1, work) > longest:
            longest = line_length(ply + 1, work)
            write_line(cell, ply, work)
        if won == attacking:
            break
    if won == 0 and counters[ABORTED] == 0:
        set_key(2 * colour + attacking, work)
        write(work.table, slot_for(work.table, depth), 0, depth)
    return won


@kernel
def attack(colour: int, depth: int, ply: int, work: ThreatArrays) -> int:
    """Returns 1 if the attacker wins at once or by two cells, 0 if that is too late, else OPEN."""
    counts = work.counts
    win = winning_cell(colour, -1, counts)
    block = winning_cell(1 - colour, -1, counts)
    if win < 0 and block < 0:
        win = double_cell(colour, work.rows, counts)
    if win >= 0:
        work.line[ply, 0], work.line[ply, 1] = win, -1
        return 1
    if depth == 0 or ply + 3 >= work.line.shape[0]:
        work.counters[CUT_OFF] += 1
        return 0
    return 0 if block >= 0 and winning_cell(1 - colour, block, counts) >= 0 else OPEN


@kernel
def defend(colour: int, ply: int, work: ThreatArrays) -> int:
    """Returns 0 if the defender wins or nothing threatens, 1 if two cells do, otherwise OPEN."""
    counts = work.counts
    if winning_cell(colour, -1, counts) >= 0:
        return 0
    only = winning_cell(1 - colour, -1, counts)
    if only >= 0:
        if winning_cell(1 - colour, only, counts) < 0:
            return OPEN
        work.line[ply, 0], work.line[ply, 1] = only, -1
        return 1
    return OPEN if double_cell(1 - colour, work.rows, counts) >= 0 else 0


@kernel
def write_answers(colour: int, ply: int, work: ThreatArrays) -> int:
    """Writes the moves of the defender that may answer what the attacker threatens."""
    return write_cells(colour, 1 - colour, 2, ply, work)


@kernel
def write_cells(colour: int, other: int, most: int, ply: int, work: ThreatArrays) -> int:
    """Writes the moves of ``colour`` in live rows, the heaviest first; returns their number.

    The rows need two stones of ``colour``, or ``most`` of ``other``. Where a row of the opponent
    needs one, it is the only move.
    """
    counts = work.counts
    work.moves[ply, 0] = winning_cell(1 - colour, -1, counts)
    if work.moves[ply, 0] >= 0:
        return 1
    number = 0
    for cell in range(counts.stone.shape[0]):
        rows_through = counts.needs[colour, 2, cell] + counts.needs[other, most, cell]
        if rows_through > 0 and counts.stone[cell] < 0:
            number = insert(cell, ply, number, work)
    return number


@inlined
def insert(cell: int, ply: int, number: int, work: ThreatArrays) -> int:
    """Adds a cell to the ``number`` moves of ``ply``, the heaviest first; returns their number."""
    moves, scores, at = work.moves, work.score, number
    score = work.counts.weight[0, cell] + work.counts.weight[1, cell]
    while at > 0 and scores[ply, at - 1] < score:
        moves[ply, at], scores[ply, at] = moves[ply, at - 1], scores[ply, at - 1]
        at -= 1
    moves[ply, at], scores[ply, at] = cell, score
    return number + 1


@kernel
def write_line(cell: int, ply: int, work: ThreatArrays) -> None:
    """Writes ``cell``, and the line of the next ply behind it, as the line of ``ply``."""
    work.line[ply, 0] = cell
    length = line_length(ply + 1, work)
    for i in range(length + 1):
        work.line[ply, i + 1] = work.line[ply + 1, i]


@kernel
def line_length(ply: int, work: ThreatArrays) -> int:
    """Returns how many moves the line of ``ply`` has."""
    length = 0
    while work.line[ply, length] >= 0:
        length += 1
    return length
