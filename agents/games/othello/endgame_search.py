"""The compiled search of the Othello solver, and its transposition table.

Scores are differences of discs for the player to move. ``search`` is a principal variation search
with fail-soft bounds. It first tries the moves that leave the opponent the fewest answers, which
need the smallest trees (fastest first). With few empty cells ``finish`` takes over, which prefers
regions with an odd number of empty cells, where the player can be the last to move (parity), and
needs neither table nor stack. Source for both: G. Andersson, "Writing an Othello program", 2007.
``benchmarks/othello.py`` prints what each technique gains: without fastest first, there are ten
times as many nodes.

The table
---------
An entry has three words: the two sets of discs, each xor the note, and the note (0: no entry): the
number of empty cells, the best move, a lower and an upper bound of the score. The whole position is
kept, so two positions are never taken for each other; as a bound stays true, a table may be kept
from one search to the next and shared by threads: where the words of two positions are mixed, they
fit to none (R. Hyatt and T. Mann, "A lock-less transposition table", 2002). Of the two entries of a
bucket, the first keeps the position with more empty cells, the second the latest (D. M. Breuker,
"Memory versus Search in Games", 1998: TwoDeep).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest, pack_row, single, unpack_row
from adv_envs.games.othello import Othello, enclosed, enclosing
from adv_envs.jit import inlined, kernel
from agents.search.limits import ABORTED, NODE_LIMIT, NODES, STOP
from agents.search.transposition_table import hash_word

from .evaluations import corner_cells

Words = NDArray[np.int64]
"""An int64 array: a table (n, 3), a stack (rows, 5), or counters."""

GAME: Any = Othello()
"""The start position, bound by the solver: the size of the board becomes a constant."""

FEW = 6
"""Empty cells up to which ``finish`` searches."""

PROBED_FROM = 9
"""Empty cells from which on the table is asked about every answer before the first is searched."""

MOST = 64
"""No score is larger."""

ROWS = 64
"""Rows of the stack for each number of empty cells: more than there can be moves."""

NOTE = 4
"""The column of the stack after the words of a position: the priority of the move that led to it,
times 128, plus the move."""

OWN, OPP = 0, 1
"""The columns of the sets of discs in the words of a position, and in an entry of the table."""

FIRST, ANSWER = 1 << 20, 1
"""What is added to the priority of the table's move, and what each answer of the opponent takes
away; an answer in a corner counts twice."""

PARITY = True
"""Whether ``finish`` tries moves into odd regions first."""


@kernel
def search(  # noqa: C901, PLR0912 - calls with arrays are slow
    position: Othello,
    alpha: int,
    beta: int,
    table: Words,
    stack: Words,
    counts: Words,
) -> int:
    """Returns the score of a position, or a bound of it where it is not above alpha or below beta.

    Meaningless once counts[ABORTED] is set. ``table`` is that of ``new_table``, ``stack`` that of
    ``new_stack``, ``counts`` are counters of ``agents.search.limits``.
    """
    empty = GAME.num_actions - 1 - count(position.own | position.opp)
    if empty <= FEW:
        return finish(position.own, position.opp, empty, alpha, beta, counts)
    counts[NODES] += 1
    if counts[STOP] != 0 or counts[NODES] >= counts[NODE_LIMIT]:
        counts[ABORTED] = 1
        return 0
    if position.moves == 0:
        after = position.play(position.num_actions - 1)
        if after.moves == 0:
            return count(position.own) - count(position.opp)
        return -search(after, -beta, -alpha, table, stack, counts)
    scratch = stack.shape[0] - 1
    pack_row(position, stack, scratch)
    own, opp = int(stack[scratch, OWN]), int(stack[scratch, OPP])
    note = probe(own, opp, table)
    lower, upper = lower_bound(note), upper_bound(note)
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    number = write_children(position, empty, best_action(note), stack)
    if empty >= PROBED_FROM:
        lower = best_known(empty, number, table, stack)
        if lower >= beta:
            return lower
    best, best_move, low = -MOST - 1, 0, alpha
    for i in range(number):
        row = empty * ROWS + pick(i, number, empty, stack)
        child, move = unpack_row(position, stack, row), int(stack[row, NOTE]) & 127
        if i == 0:
            value = -search(child, -beta, -low, table, stack, counts)
        else:
            value = -search(child, -low - 1, -low, table, stack, counts)
            if low < value < beta:
                value = -search(child, -beta, -value, table, stack, counts)
        if counts[ABORTED] != 0:
            return 0
        if value > best:
            best, best_move = value, move
        low = max(low, best)
        if low >= beta:
            break
    at_least = best if best > alpha else -MOST
    at_most = best if best < beta else MOST
    store(own, opp, empty, best_move, at_least, at_most, table)
    return best


# ---- the order of moves


@kernel
def write_children(position: Othello, empty: int, first: int, stack: Words) -> int:
    """Writes the positions after each move and their priorities into the stack; how many.

    ``first`` is the move to try first, or none.
    """
    row, moves = empty * ROWS, position.moves
    while moves != 0:
        move = lowest(moves)
        moves ^= single(move, moves)
        child = position.play(move)
        answers = count(child.moves) + count(child.moves & corner_cells(moves, GAME.size))
        priority = 1024 - ANSWER * answers + (FIRST if move == first else 0)
        pack_row(child, stack, row)
        stack[row, NOTE] = priority * 128 + move
        row += 1
    return row - empty * ROWS


@kernel
def pick(i: int, number: int, empty: int, stack: Words) -> int:
    """Moves the best of the children from the i-th on to the i-th place; returns ``i``."""
    first, best = empty * ROWS + i, empty * ROWS + i
    for row in range(first + 1, empty * ROWS + number):
        if stack[row, NOTE] > stack[best, NOTE]:
            best = row
    if best != first:
        for column in range(NOTE + 1):
            stack[first, column], stack[best, column] = stack[best, column], stack[first, column]
    return i


@kernel
def best_known(empty: int, number: int, table: Words, stack: Words) -> int:
    """Returns the best score that the table promises by one of the children.

    Enhanced transposition cut-off: A. Plaat et al., 1996.
    """
    best = -MOST
    for row in range(empty * ROWS, empty * ROWS + number):
        note = probe(int(stack[row, OWN]), int(stack[row, OPP]), table)
        best = max(best, -upper_bound(note))
    return best


# ---- the last moves


@kernel
def finish(own: int, opp: int, empty: int, alpha: int, beta: int, counts: Words) -> int:
    """Returns what ``search`` does, for positions with few empty cells."""
    counts[NODES] += 1
    if empty == 0:
        return count(own) - count(opp)
    if empty == 1:
        return last_move(own, opp)
    moves = enclosing(own, opp, GAME.size)
    if moves == 0:
        if enclosing(opp, own, GAME.size) == 0:
            return count(own) - count(opp)
        return -finish(opp, own, empty, -beta, -alpha, counts)
    best = -MOST - 1
    likely = moves
    if PARITY and empty > 3:
        likely = moves & odd_regions(~(own | opp), GAME.size)
        if likely == 0:
            likely = moves
    while moves != 0:
        disc = single(lowest(likely), own)
        moves ^= disc
        likely ^= disc
        if likely == 0:
            likely = moves
        turned = enclosed(disc, own, opp, GAME.size)
        value = -finish(opp ^ turned, own | disc | turned, empty - 1, -beta, -alpha, counts)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@inlined
@kernel
def last_move(own: int, opp: int) -> int:
    """Returns the score of a position with one empty cell."""
    difference = count(own) - count(opp)
    disc = single(lowest(~(own | opp)), own)
    turned = enclosed(disc, own, opp, GAME.size)
    if turned != 0:
        return difference + 2 * count(turned) + 1
    turned = enclosed(disc, opp, own, GAME.size)
    return difference - 2 * count(turned) - (1 if turned != 0 else 0)


@inlined
@kernel
def odd_regions(free: int, size: int) -> int:
    """Returns the quarters of the board with an odd number of free cells."""
    odd, half = free & 0, size // 2
    row = (1 << half) - 1
    quarter = odd | row | row << size
    if size > 4:
        quarter |= row << 2 * size
    if size > 6:
        quarter |= row << 3 * size
    for i in range(4):
        cells = quarter << (i & 1) * half + (i >> 1) * half * size
        if count(free & cells) & 1 != 0:
            odd |= cells
    return odd


# ---- the transposition table


def new_table(megabytes: float) -> Words:
    """Returns an empty table of at most ``megabytes``."""
    return np.zeros((2 << max(int(megabytes * 2**20 // 48).bit_length() - 1, 0), 3), np.int64)


def new_stack(start: Othello) -> Words:
    """Returns the workspace of a search: a row for each move at each number of empty cells."""
    return np.zeros((ROWS * start.num_actions + 1, NOTE + 1), np.int64)


@inlined
@kernel
def bucket(own: int, opp: int, table: Words) -> int:
    """Returns the first of the two entries where a position may be."""
    return int(hash_word(hash_word(0, own), opp) & (table.shape[0] - 2))


@inlined
@kernel
def probe(own: int, opp: int, table: Words) -> int:
    """Returns the note about a position; 0 if there is none."""
    at = bucket(own, opp, table)
    for entry in (at, at + 1):
        note = int(table[entry, 2])
        if table[entry, OWN] ^ note == own and table[entry, OPP] ^ note == opp and note != 0:
            return note
    return 0


@inlined
@kernel
def store(own: int, opp: int, empty: int, move: int, lower: int, upper: int, table: Words) -> None:
    """Stores bounds of the score of a position, with the best move."""
    at = bucket(own, opp, table)
    first = int(table[at, 2])
    same = table[at, OWN] ^ first == own and table[at, OPP] ^ first == opp
    if not same and first >> 24 > empty:
        at += 1
    elif not same:
        for column in range(3):
            table[at + 1, column] = table[at, column]
    note = empty << 24 | move << 16 | lower + MOST << 8 | upper + MOST
    table[at, OWN], table[at, OPP], table[at, 2] = own ^ note, opp ^ note, note


@inlined
@kernel
def lower_bound(note: int) -> int:
    """Returns the lower bound of a score in a note."""
    return (note >> 8 & 255) - MOST if note != 0 else -MOST


@inlined
@kernel
def upper_bound(note: int) -> int:
    """Returns the upper bound of a score in a note."""
    return (note & 255) - MOST if note != 0 else MOST


@inlined
@kernel
def best_action(note: int) -> int:
    """Returns the best move in a note; -1 if it has none."""
    return note >> 16 & 255 if note != 0 else -1
