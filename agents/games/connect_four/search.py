"""The search of the Connect Four solver: is a position worth more than ``alpha``?

Scores are for the player to move: k for a win with the k-th last of the winner's stones, -k for a
loss, 0 for a draw. The search answers only yes or no (a null window); ``score`` asks until one
number is left. It keeps its own stack, which runs faster than recursion with the same arrays.

What each technique buys, over two positions after 8 plies, is printed by
``benchmarks/connect_four.py --ablation``: without threats in the order there are 70 times as many
nodes, without looking up children 15 % more (and a little less time), without forcing moves late
8 %, without claimeven 2 %. The near table costs 2 % more nodes and saves 8 % of the time. Mirror
images gain nothing there; they halve the work of a book.
"""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.jit import inlined, kernel
from agents.search.limits import ABORTED, NODE_LIMIT, NODES, STOP

from .bitboard import (
    BOARD,
    CELLS,
    COLUMN,
    FIRST,
    FLOOR,
    FRAME,
    LANES,
    PROBED_UNTIL,
    SECOND,
    UP,
    WIDTH,
    completing,
    has_four,
)
from .table import product_of, recall, remember

CLAIMEVEN = True
"""Whether to end lines that a player who answers in the same column cannot lose."""

THREATS, FORCING = 32, 16
"""What a cell to win on is worth in the order of moves, and what a move loses that only forces an
answer; 7 to 0 are for how central a column is."""

OWN, OPP, MOVES, PRODUCT = range(4)
"""Columns of ``room`` behind the 2 * LANES of ``expand``: what to come back to."""

WON_AT_ONCE = 1 << 25
"""The promise of a move after which the opponent cannot help losing."""


@kernel
def null_window(  # type: ignore[no-untyped-def]  # noqa: C901, PLR0912, PLR0915 - see below
    own, opp, stones, alpha, table, shift, room, counts
):
    """1 if the score of a position is more than ``alpha``, else 0; 0 once counts[ABORTED] is set.

    The game is not over, and the player to move can neither win at once nor lose at once.
    ``room`` (CELLS + 1, 2 * LANES + 4) int64 is the stack, a row for each number of stones. It is
    all in one function because calls with arrays are slow: in three parts it took
    1.8 times as long.
    """
    root, nodes = stones, 0
    threats = completing(opp) & ~(own | opp)  # cells where the opponent would win
    while True:
        nodes += 1
        if nodes & 1023 == 0:
            counts[NODES] += 1024
            if counts[STOP] != 0 or counts[NODES] >= counts[NODE_LIMIT]:
                counts[ABORTED] = 1
                return 0
        both = own | opp
        moves = not_losing(both, threats)
        several = moves & (moves - 1) != 0
        product = -1  # a position with one move is not worth a place in the table
        answer = from_limits(own, opp, both, stones, alpha)
        if answer < 0 and several:
            product = product_of(own, both, stones)
            lower, upper = recall(product, stones, table, shift)
            if lower > alpha:
                answer = 1
            elif upper <= alpha:
                answer = 0
        best = -1
        if answer < 0:
            best = expand(own, both, moves, threats, room[stones])
            if best >= WON_AT_ONCE:
                answer = 1
            elif several and stones < PROBED_UNTIL:
                # enhanced transposition cut-off: A. Plaat et al., 1996
                for column in range(WIDTH):
                    stone = moves & COLUMN << column * UP
                    if stone != 0:
                        child = product_of(opp, both | stone, stones + 1)
                        lower, upper = recall(child, stones + 1, table, shift)
                        if -upper > alpha:
                            answer = 1
                            break
            if answer == 1:
                best = -1
                if several:
                    remember(product, alpha + 1, 63, stones, table, shift)
        if answer < 0:  # go down
            room[stones, FRAME + OWN] = own
            room[stones, FRAME + OPP] = opp
            room[stones, FRAME + MOVES] = moves
            room[stones, FRAME + PRODUCT] = product
        else:
            while best < 0 and stones > root:  # go up, to where a move is left to try
                stones -= 1
                alpha = -alpha - 1
                if answer == 0:
                    answer = 1
                else:
                    best = most_promising(room[stones])
                    answer = 0
                product = int(room[stones, FRAME + PRODUCT])
                if best < 0 and product >= 0:
                    if answer == 1:
                        remember(product, alpha + 1, 63, stones, table, shift)
                    else:
                        remember(product, -63, alpha, stones, table, shift)
            if best < 0:
                counts[NODES] += nodes & 1023
                return answer
            own, opp = int(room[stones, FRAME + OWN]), int(room[stones, FRAME + OPP])
            moves = int(room[stones, FRAME + MOVES])
        column = best & 31
        room[stones, column] = -1
        threats = int(room[stones, LANES + column])
        own, opp = opp, own | moves & COLUMN << column * UP
        stones += 1
        alpha = -alpha - 1


@inlined
@kernel
def not_losing(both, threats):  # type: ignore[no-untyped-def]
    """The moves after which the opponent, who would win on ``threats``, cannot win at once.

    None if two threats can be played; only the answer if one can; and never below a threat.
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
def from_limits(own, opp, both, stones, alpha):  # type: ignore[no-untyped-def]
    """What is known without a search: 1 for a score above ``alpha``, 0 for no, -1 for unknown.

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
    if CLAIMEVEN and alpha >= -1 and (both + FLOOR) & SECOND == 0:
        empty = BOARD & ~both
        if not has_four(own | empty & FIRST) and (alpha >= 0 or has_four(opp | empty & SECOND)):
            return 0
    return -1


@inlined
@kernel
def expand(own, both, moves, opp_threats, row):  # type: ignore[no-untyped-def]
    """Write how promising each column is into row[:LANES]; the most promising.

    row[LANES:2 * LANES] becomes the cells where the player then would win. A promise is made of
    the number of those cells that are not above a threat of the opponent, less a little for a
    move that only forces an answer, then of how central the column is; the last 5 bits are the
    column, and -1 stands for no move. A move that leaves the opponent no answer is WON_AT_ONCE.
    The loop has no branches, so that all columns are computed at once in vector registers.
    Source: P. Pons, part 8; forcing moves late: our measurement.
    """
    for column in range(LANES):
        stone = moves & COLUMN << column * UP
        after = both | stone
        threats = completing(own | stone) & ~after
        playable = (after + FLOOR) & BOARD
        now = threats & playable
        answers = now if now != 0 else playable
        answers = 0 if now & (now - 1) != 0 else answers
        answers &= ~(threats >> 1)
        promise = 4096 + THREATS * count(threats & ~(opp_threats << 1))
        promise -= FORCING if now != 0 else 0
        promise += WIDTH - abs(2 * column - (WIDTH - 1)) + (2 * column < WIDTH)
        promise = WON_AT_ONCE >> 5 if answers == 0 else promise
        row[column] = promise * 32 + column if stone != 0 else -1
        row[LANES + column] = threats
    return most_promising(row)


@inlined
@kernel
def most_promising(row):  # type: ignore[no-untyped-def]
    """The largest promise left; -1 if none is."""
    best = -1
    for column in range(LANES):
        best = max(best, int(row[column]))
    return best


@kernel
def score(own, opp, stones, low, high, table, shift, room, counts):  # type: ignore[no-untyped-def]
    """The score of a position, or the nearer of ``low`` and ``high`` if it is outside.

    Meaningless once counts[ABORTED] is set. Halves what is possible, beginning near 0, where the
    answer comes quickest (P. Pons, part 11).
    """
    both = own | opp
    threats = completing(opp) & ~both
    counts[NODES] += 1
    if has_four(opp):  # with the last stone: over, as is a full board
        return min(max(-((CELLS + 2 - stones) // 2), low), high)
    if completing(own) & (both + FLOOR) & BOARD & ~both != 0:
        return min(max((CELLS + 1 - stones) // 2, low), high)
    if stones >= CELLS - 1:
        return min(max(0, low), high)
    if not_losing(both, threats) == 0:
        return min(max(-((CELLS - stones) // 2), low), high)
    least, most = -((CELLS - 2 - stones) // 2), (CELLS - 1 - stones) // 2
    least, most = min(max(least, low), high), min(max(most, low), high)
    while least < most:
        middle = (least + most) // 2
        if middle < 0:
            middle = min(max(middle, -(-least // 2)), most - 1)
        else:
            middle = min(max(most // 2, least), middle)
        if null_window(own, opp, stones, middle, table, shift, room, counts) != 0:
            least = middle + 1
        else:
            most = middle
        if counts[ABORTED] != 0:
            return 0
    return least
