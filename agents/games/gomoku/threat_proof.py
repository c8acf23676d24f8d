"""Wins by threats: every move of the attacker leaves the defender no choice, or few.

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

from typing import NamedTuple

import numpy as np

from adv_envs.jit import inlined, kernel
from agents.search.limits import ABORTED, CUT_OFF, NODE_LIMIT, NODES, STOP
from agents.search.limits import Counts as Counters

from .row_counts import Counts, Ints, Rows, double_cell, place, remove, winning_cell


class Workspace(NamedTuple):
    """The arrays of a search."""

    moves: Ints
    """The moves to try at each ply, shape (plies, cells)."""
    score: Ints
    """How promising they are, of the same shape."""
    line: Ints
    """The moves from each ply on that the search expects, -1 after the last, (plies, plies + 2)."""
    failures: Ints
    """A hash, and how many threats were found not to win, shape (entries, 2)."""
    table: Ints
    """A hash, a depth, a value, its kind and a move, shape (entries, 5)."""


def workspace(cells: int, plies: int, table_mb: float) -> Workspace:
    """Returns the arrays of a search of at most ``plies`` plies."""
    entries = max(int(table_mb * 2**20 / 56), 1)
    return Workspace(
        np.zeros((plies, cells), np.int64),
        np.zeros((plies, cells), np.int64),
        np.full((plies, plies + 2), -1),
        np.full((entries, 2), -1),
        np.full((entries, 5), -1),
    )


OPEN = -1
"""Neither won nor given up without a search."""


@kernel
def prove(
    colour: int, attacking: int, depth: int, ply: int,
    rows: Rows, counts: Counts, work: Workspace, counters: Counters,
) -> int:  # fmt: skip
    """Returns 1 if the attacker wins by at most ``depth`` threats; 0 if that is not known.

    ``colour`` is to move; it is the attacker's if ``attacking`` is 1, the defender's if it is 0.
    The win is in work.line[ply]. counters[ABORTED] is set if a limit came first.
    """
    counters[NODES] += 1
    if counters[NODES] >= counters[NODE_LIMIT] or counters[STOP] != 0:
        counters[ABORTED] = 1
        return 0
    code = counts.hash[0] ^ (2 * colour + attacking)
    entry = code % work.failures.shape[0]
    if work.failures[entry, 0] == code and work.failures[entry, 1] >= depth:
        return 0
    number = 0
    if attacking != 0:
        known = attack(colour, depth, ply, rows, counts, work, counters)
        if known == OPEN:
            number = write_threats(colour, ply, counts, work)
    else:
        known = defend(colour, ply, rows, counts, work)
        if known == OPEN:
            number = write_answers(colour, ply, counts, work)
    if known != OPEN:
        return known
    longest, won = -1, 0
    for i in range(number):
        cell = int(work.moves[ply, i])
        place(cell, colour, rows, counts)
        won = prove(
            1 - colour, 1 - attacking, depth - attacking, ply + 1,
            rows, counts, work, counters,
        )  # fmt: skip
        remove(cell, colour, rows, counts)
        if won == 1 and line_length(ply + 1, work) > longest:
            longest = line_length(ply + 1, work)
            write_line(cell, ply, work)
        if won == attacking:
            break
    if won == 0 and counters[ABORTED] == 0:
        work.failures[entry, 0], work.failures[entry, 1] = code, depth
    return won


@kernel
def attack(
    colour: int, depth: int, ply: int,
    rows: Rows, counts: Counts, work: Workspace, counters: Counters,
) -> int:  # fmt: skip
    """Returns 1 if the attacker wins at once or by two cells, 0 if that is too late, else OPEN."""
    win = winning_cell(colour, -1, counts)
    block = winning_cell(1 - colour, -1, counts)
    if win < 0 and block < 0:
        win = double_cell(colour, rows, counts)
    if win >= 0:
        work.line[ply, 0], work.line[ply, 1] = win, -1
        return 1
    if depth == 0 or ply + 3 >= work.line.shape[0]:
        counters[CUT_OFF] += 1
        return 0
    return 0 if block >= 0 and winning_cell(1 - colour, block, counts) >= 0 else OPEN


@kernel
def defend(colour: int, ply: int, rows: Rows, counts: Counts, work: Workspace) -> int:
    """Returns 0 if the defender wins or nothing threatens, 1 if two cells do, otherwise OPEN."""
    if winning_cell(colour, -1, counts) >= 0:
        return 0
    only = winning_cell(1 - colour, -1, counts)
    if only >= 0:
        if winning_cell(1 - colour, only, counts) < 0:
            return OPEN
        work.line[ply, 0], work.line[ply, 1] = only, -1
        return 1
    return OPEN if double_cell(1 - colour, rows, counts) >= 0 else 0


@kernel
def write_threats(colour: int, ply: int, counts: Counts, work: Workspace) -> int:
    """Writes the attacker's moves; only one if a row of the defender needs one."""
    work.moves[ply, 0] = winning_cell(1 - colour, -1, counts)
    if work.moves[ply, 0] >= 0:
        return 1
    number = 0
    for cell in range(counts.stone.shape[0]):
        rows_through = counts.needs[colour, 2, cell] + counts.needs[colour, 3, cell]
        if rows_through > 0 and counts.stone[cell] < 0:
            score = counts.weight[0, cell] + counts.weight[1, cell]
            number = insert(cell, score, ply, number, work.moves, work.score)
    return number


@kernel
def write_answers(colour: int, ply: int, counts: Counts, work: Workspace) -> int:
    """Writes the moves of the defender that may answer what the attacker threatens."""
    work.moves[ply, 0] = winning_cell(1 - colour, -1, counts)
    if work.moves[ply, 0] >= 0:
        return 1
    number = 0
    for cell in range(counts.stone.shape[0]):
        rows_through = counts.needs[0, 2, cell] + counts.needs[1, 2, cell]
        if rows_through > 0 and counts.stone[cell] < 0:
            score = counts.weight[0, cell] + counts.weight[1, cell]
            number = insert(cell, score, ply, number, work.moves, work.score)
    return number


@inlined
def insert(cell: int, score: int, ply: int, number: int, moves: Ints, scores: Ints) -> int:
    """Adds a cell to the ``number`` moves of ``ply``, best first; returns their number."""
    at = number
    while at > 0 and scores[ply, at - 1] < score:
        moves[ply, at], scores[ply, at] = moves[ply, at - 1], scores[ply, at - 1]
        at -= 1
    moves[ply, at], scores[ply, at] = cell, score
    return number + 1


@kernel
def write_line(cell: int, ply: int, work: Workspace) -> None:
    """Writes ``cell``, and the line of the next ply behind it, as the line of ``ply``."""
    work.line[ply, 0] = cell
    length = line_length(ply + 1, work)
    for i in range(length + 1):
        work.line[ply, i + 1] = work.line[ply + 1, i]


@kernel
def line_length(ply: int, work: Workspace) -> int:
    """Returns how many moves the line of ``ply`` has."""
    length = 0
    while work.line[ply, length] >= 0:
        length += 1
    return length
