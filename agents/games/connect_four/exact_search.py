"""Searches Connect Four exactly: the solver's compiled search, and its transposition table.

Scores are for the player to move: k for a win with the k-th last stone that the winner may have, -k
for a loss, 0 for a draw. ``null_window`` answers whether a score is more than ``alpha``;
``solve_score`` calls it until one score is left. The search keeps its own stack, which is faster
than recursion with the same arrays.

The effect of each technique, over 20 positions after 8 plies, is printed by
``benchmarks/connect_four.py --ablation``: without threats in the move order there are 41 times as
many nodes, without trying forcing moves late 19 % more, without looking up children 17 %, without
claimeven 7 %. The near table costs 10 % more nodes and saves 29 % of the time. Mirror images gain
nothing there; they halve the work of a book.

The cells are numbered as in ``adv_envs.games.connect_four``: up each column, one empty cell on top,
so that a step up, right and along the diagonals is a shift by 1, UP, UP + 1 and UP - 1. Sources:
the solvers of J. Tromp and P. Pons; J. D. Allen, "The Complete Book of Connect 4", 2010, for the
parity of threats.

The table
---------
A position is one word:  tag | stones (6 bits) | lower bound + 64 (7 bits) | upper bound + 64
(7 bits); 0 is an empty entry. The key of a position, below 2**KEY_BITS, is multiplied by an odd
constant modulo 2**KEY_BITS, which permutes the keys. The leading bits of this hash are the bucket,
the others the tag, so bucket and tag together determine the position: two positions are never taken
for each other. As a bound of a score stays true, a table may be kept from one search to the next,
and shared by threads, which read and write whole words.

The first 2**NEAR_BITS buckets are the near table, for positions with NEAR_FROM stones or more: most
positions are there, and return soon or never. It fits into the processor's cache. A bucket has two
words: the first for the position with the fewest stones, which took the longest to search, the
second for the latest (D. M. Breuker, "Memory versus Search in Games", 1998: TwoDeep).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, line_among
from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import inlined, kernel
from adv_envs.random import GOLDEN
from agents.search.limits import ABORTED, NODES, must_end

# ---- the board of 7 columns and 6 rows: for another size ``constants`` are bound to these names

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
    """Returns the values of the names above for a board of this size, to be bound to a kernel."""
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

    In each direction a cell is at either end of three stones, or in a gap between them. Written
    out it is a sixth faster than ``completing_cells``.
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


Words = NDArray[np.int64]
"""An int64 array: a table (words,), a stack (CELLS + 1, FRAME + 4), a row of it, or counters."""

CLAIMEVEN = True
"""Whether to end lines in which a player who answers in the same column cannot lose."""

THREAT_PRIORITY, FORCING_PENALTY = 32, 16
"""What a cell to win on adds to the priority of a move, and what a move loses that only forces an
answer; 7 to 0 are for how central a column is."""

OWN, OPP, MOVES, HASH = range(4)
"""Columns of the stack after the FRAME words of ``order_moves``: the position to return to."""

WINNING = 1 << 25
"""The priority of a move after which the opponent cannot avoid losing."""


# ---- the search


class ExactArrays(NamedTuple):
    """Holds what a search works on."""

    table: Words
    """(words,): see above."""
    shift: int
    """From a hash to its bucket, see ``new_table``."""
    stack: Words
    """(CELLS + 1, FRAME + 4): a row for each number of stones."""
    counts: Words
    """(10,): see ``agents.search.limits``."""


@kernel
def solve_score(own: int, opp: int, stones: int, low: int, high: int, arrays: ExactArrays) -> int:
    """Returns the score of a position, or the nearer of ``low`` and ``high`` if it is outside.

    Undefined once counts[ABORTED] is set. Halves the range of possible scores with null windows,
    beginning near 0, where they are quickest (P. Pons, part 11).
    """
    counts = arrays.counts
    both = own | opp
    threats = completing(opp) & ~both
    counts[NODES] += 1
    if line_among(opp, 4, UP):  # the game is over, as it is on a full board
        return min(max(-((CELLS + 2 - stones) // 2), low), high)
    if completing(own) & (both + FLOOR) & BOARD & ~both != 0:
        return min(max((CELLS + 1 - stones) // 2, low), high)
    if stones >= CELLS - 1:
        return min(max(0, low), high)
    if non_losing_moves(both, threats) == 0:
        return min(max(-((CELLS - stones) // 2), low), high)
    least, most = -((CELLS - 2 - stones) // 2), (CELLS - 1 - stones) // 2
    least, most = min(max(least, low), high), min(max(most, low), high)
    while least < most:
        middle = (least + most) // 2
        if middle < 0:
            middle = min(max(middle, -(-least // 2)), most - 1)
        else:
            middle = min(max(most // 2, least), middle)
        if null_window(own, opp, stones, middle, arrays) != 0:
            least = middle + 1
        else:
            most = middle
        if counts[ABORTED] != 0:
            return 0
    return least


@kernel
def position_score(position: ConnectFour, low: int, high: int, arrays: ExactArrays) -> int:
    """Returns ``solve_score`` of a position."""
    return solve_score(position.own, position.opp, position.ply, low, high, arrays)


@kernel
def null_window(own: int, opp: int, stones: int, alpha: int, arrays: ExactArrays) -> int:
    """Returns 1 if the score of a position is more than ``alpha``, else 0.

    0 once counts[ABORTED] is set. The game is not over, and the player to move can neither win nor
    lose at once.
    """
    stack, counts = arrays.stack, arrays.counts
    root, nodes = stones, 0
    threats = completing(opp) & ~(own | opp)  # cells where the opponent would win
    while True:
        nodes += 1
        if nodes & 1023 == 0:
            counts[NODES] += 1024
            if must_end(counts):
                return 0
        both = own | opp
        moves = non_losing_moves(both, threats)
        several = moves & (moves - 1) != 0
        best, hashed = -1, -1  # a position with one move is not stored
        answer = static_answer(own, opp, both, stones, alpha)
        if answer < 0 and several:
            hashed = hash_of(own, both, stones)
            answer = stored_answer(hashed, stones, alpha, arrays)
        if answer < 0:
            best = order_moves(own, both, moves, threats, stack[stones])
            if best >= WINNING or (
                several
                and stones < PROBED_UNTIL
                and a_child_is_stored(opp, both, moves, stones, alpha, arrays)
            ):
                answer = 1
                if several:
                    store_answer(answer, hashed, alpha, stones, arrays)
        if answer < 0:  # go down
            stack[stones, FRAME + OWN], stack[stones, FRAME + OPP] = own, opp
            stack[stones, FRAME + MOVES], stack[stones, FRAME + HASH] = moves, hashed
        else:
            stones, alpha, answer, best = go_up(root, stones, alpha, answer, arrays)
            if best < 0:
                counts[NODES] += nodes & 1023
                return answer
            own, opp = int(stack[stones, FRAME + OWN]), int(stack[stones, FRAME + OPP])
            moves = int(stack[stones, FRAME + MOVES])
        column = best & 31
        stack[stones, column] = -1
        threats = int(stack[stones, PADDED_WIDTH + column])
        own, opp = opp, own | moves & COLUMN << column * UP
        stones += 1
        alpha = -alpha - 1


@inlined
@kernel
def go_up(
    root: int, stones: int, alpha: int, answer: int, arrays: ExactArrays
) -> tuple[int, int, int, int]:
    """Returns the nearest position above, with ``alpha``, answer and best move, that has a move.

    The best move is -1 if none is left on the way to ``root``, whose answer is known then.
    """
    best = -1
    while best < 0 and stones > root:
        stones -= 1
        alpha = -alpha - 1
        best = best_move(arrays.stack[stones]) if answer == 1 else -1
        answer = 1 - answer
        hashed = int(arrays.stack[stones, FRAME + HASH])
        if best < 0 and hashed >= 0:
            store_answer(answer, hashed, alpha, stones, arrays)
    return stones, alpha, answer, best


@inlined
@kernel
def stored_answer(hashed: int, stones: int, alpha: int, arrays: ExactArrays) -> int:
    """Returns 1 if the table knows that the score is above ``alpha``, 0 if not, -1 else."""
    lower, upper = probe(hashed, stones, arrays.table, arrays.shift)
    if lower > alpha:
        return 1
    return 0 if upper <= alpha else -1


@inlined
@kernel
def a_child_is_stored(
    opp: int, both: int, moves: int, stones: int, alpha: int, arrays: ExactArrays
) -> bool:
    """Returns whether the table knows of a move that its score is above ``alpha``.

    The enhanced transposition cut-off: A. Plaat et al., 1996.
    """
    for column in range(WIDTH):
        stone = moves & COLUMN << column * UP
        if stone != 0:
            child = hash_of(opp, both | stone, stones + 1)
            _, upper = probe(child, stones + 1, arrays.table, arrays.shift)
            if -upper > alpha:
                return True
    return False


@inlined
@kernel
def store_answer(answer: int, hashed: int, alpha: int, stones: int, arrays: ExactArrays) -> None:
    """Stores whether the score of a position is above ``alpha``, 1 or 0."""
    lower, upper = (alpha + 1, 63) if answer == 1 else (-63, alpha)
    store(hashed, lower, upper, stones, arrays.table, arrays.shift)


@inlined
@kernel
def non_losing_moves(both: int, threats: int) -> int:
    """Returns the moves after which the opponent, who would win on ``threats``, cannot win at once.

    None if two threats can be played, only the answer if one can, and never a move below a threat.
    Source: P. Pons, part 9.
    """
    possible = (both + FLOOR) & BOARD
    forced = possible & threats
    if forced != 0:
        possible = forced
        if forced & (forced - 1) != 0:
            possible = 0
    return possible & ~(threats >> 1)


@inlined
@kernel
def static_answer(own: int, opp: int, both: int, stones: int, alpha: int) -> int:
    """Returns 1 if the score is above ``alpha``, 0 if not, -1 if that takes a search.

    Nobody wins with the next stone, so the score lies within what is left to win or to lose
    (P. Pons, part 7). Where every column has an even number of empty cells, the opponent can answer
    each move in its column. If the cells that this leaves to the player make no four, the player
    cannot win, and loses if those of the opponent do (claimeven: V. Allis, 1988).
    """
    if stones >= CELLS - 2:
        return 1 if alpha < 0 else 0
    if (CELLS - 1 - stones) // 2 <= alpha:
        return 0
    if -((CELLS - 2 - stones) // 2) > alpha:
        return 1
    if CLAIMEVEN and alpha >= -1 and (both + FLOOR) & SECOND_PLAYER_ROWS == 0:
        empty = BOARD & ~both
        if not line_among(own | empty & FIRST_PLAYER_ROWS, 4, UP) and (
            alpha >= 0 or line_among(opp | empty & SECOND_PLAYER_ROWS, 4, UP)
        ):
            return 0
    return -1


@inlined
@kernel
def order_moves(own: int, both: int, moves: int, opp_threats: int, row: Words) -> int:
    """Writes the priority of each column into ``row`` (FRAME,); returns the highest.

    row[:PADDED_WIDTH] are the priorities, row[PADDED_WIDTH:] the cells where the player would win
    after the move. A priority is made of the number of those cells that are not above a threat of
    the opponent, less a little for a move that only forces an answer, then of how central the
    column is; its last 5 bits are the column, and -1 stands for no move. A move that leaves the
    opponent no answer is WINNING. The loop has no branches, so that all columns are computed at
    once in vector registers. Source: P. Pons, part 8; forcing moves late: our measurement.
    """
    for column in range(PADDED_WIDTH):
        stone = moves & COLUMN << column * UP
        after = both | stone
        threats = completing(own | stone) & ~after
        playable = (after + FLOOR) & BOARD
        now = threats & playable
        answers = now if now != 0 else playable
        answers = 0 if now & (now - 1) != 0 else answers
        answers &= ~(threats >> 1)
        priority = 4096 + THREAT_PRIORITY * count(threats & ~(opp_threats << 1))
        priority -= FORCING_PENALTY if now != 0 else 0
        priority += WIDTH - abs(2 * column - (WIDTH - 1)) + (2 * column < WIDTH)
        priority = WINNING >> 5 if answers == 0 else priority
        row[column] = priority * 32 + column if stone != 0 else -1
        row[PADDED_WIDTH + column] = threats
    return best_move(row)


@inlined
@kernel
def best_move(row: Words) -> int:
    """Returns the highest priority left in a row of the stack; -1 if there is none."""
    best = -1
    for column in range(PADDED_WIDTH):
        best = max(best, int(row[column]))
    return best


# ---- the transposition table

SLOTS = 2
"""Words in a bucket."""

TAG_BITS = 43
"""The most bits that a tag may have."""


def new_table(constants: dict[str, int], megabytes: float) -> tuple[Words, int]:
    """Returns an empty table of at most ``megabytes``, and the shift from a hash to its bucket.

    ``constants`` are those of ``bitboard.constants``. ValueError if the memory is so small that
    tags do not fit into the words.
    """
    key_bits, near_bits = constants["KEY_BITS"], constants["NEAR_BITS"]
    near = SLOTS << near_bits
    least = max(key_bits - TAG_BITS, 0)
    buckets = (int(megabytes * 2**20) // 8 - near) // SLOTS
    bits = min(buckets.bit_length() - 1, key_bits) if buckets > 0 else -1
    if bits < least:
        needed = 8 * (near + (SLOTS << least)) / 2**20
        raise ValueError(
            f"table_mb={megabytes:g} is too small: a board of {constants['HEIGHT']} x "
            f"{constants['WIDTH']} needs at least {needed:.2g}"
        )
    return np.zeros(near + (SLOTS << bits), np.int64), key_bits - bits


@inlined
@kernel
def hash_of(own: int, both: int, stones: int) -> int:
    """Returns the hash of a position, the same as that of its mirror image with few stones."""
    key = board_key(own, both)
    if stones < MIRRORED_UNTIL:
        key = min(key, mirrored_key(key))
    return (key * GOLDEN) & ((1 << KEY_BITS) - 1)


@inlined
@kernel
def bucket(hashed: int, stones: int, shift: int) -> tuple[int, int]:
    """Returns where the bucket begins in the table, and the tag."""
    if stones >= NEAR_FROM:
        shift = KEY_BITS - NEAR_BITS
        return (hashed >> shift) * SLOTS, hashed & ((1 << shift) - 1)
    return (SLOTS << NEAR_BITS) + (hashed >> shift) * SLOTS, hashed & ((1 << shift) - 1)


@inlined
@kernel
def probe(hashed: int, stones: int, table: Words, shift: int) -> tuple[int, int]:
    """Returns a lower and an upper bound of the score of a position; -64 and 64 if unknown."""
    at, tag = bucket(hashed, stones, shift)
    word = int(table[at])
    if word == 0 or word >> 20 != tag:
        word = int(table[at + 1])
        if word == 0 or word >> 20 != tag:
            return -64, 64
    return (word >> 7 & 127) - 64, (word & 127) - 64


@inlined
@kernel
def store(hashed: int, lower: int, upper: int, stones: int, table: Words, shift: int) -> None:
    """Stores bounds, -63 to 63, of the score of a position, merged with those in the table."""
    at, tag = bucket(hashed, stones, shift)
    first = int(table[at])
    if first != 0 and first >> 20 == tag:
        lower, upper = max(lower, (first >> 7 & 127) - 64), min(upper, (first & 127) - 64)
    else:
        second = int(table[at + 1])
        if second != 0 and second >> 20 == tag:
            lower, upper = max(lower, (second >> 7 & 127) - 64), min(upper, (second & 127) - 64)
            at += 1
        elif first == 0 or stones <= (first >> 14 & 63):
            table[at + 1] = first
        else:
            at += 1
    table[at] = tag << 20 | stones << 14 | (lower + 64) << 7 | (upper + 64)
