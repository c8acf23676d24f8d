"""Solves animal shogi outright: the value and distance of every position that play can reach.

One byte stands for each number of ``numbering``. *Forwards*, from the start on, every position is
expanded that is reached; of those in which the lion can be caught, or is across, it is only noted
that they are reached. An expanded position counts its moves but for those that let the lion be
caught. *Backwards*, distance by distance, the moves that led to what is lost in n plies make wins
in n + 1; those that led to a win in n take one move from the count, and where none is left, the
position is lost in n + 1. What keeps a move that nobody can force to an end is a draw.

A distance counts plies until a lion is caught or has got across. Source: T. Tanaka, An Analysis of
a Board Game "Doubutsu Shogi" (IPSJ SIG Technical Report 2009-GI-22-3): 246,803,167 positions, and
the second player wins in 78 plies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import scratch
from adv_envs.games.animal_shogi import (
    ALL,
    FAR_ROW,
    IGNORED,
    UP,
    AnimalShogi,
    step,
    turned,
)
from adv_envs.jit import kernel

from .numbering import SIZE, Pieces, number_of, pieces_in, pieces_of

UNSEEN, NEW, CATCH, ACROSS, DECIDED = range(5)
"""Bytes: not reached; reached; the lion to be caught can be; the other lion is across, safely;
DECIDED + n: won or lost in n plies, won if n is odd."""
OPEN = 192
"""OPEN + n: n moves may still be good enough."""
WORDS = -(-SIZE // 8)
"""The table is read in words of eight bytes, the last of them filled up."""
CHUNK = 1 << 20
"""Words between two signs of life."""

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]


def position_of(p: Pieces, like: AnimalShogi) -> AnimalShogi:
    """Returns the position of these pieces in a game without repetition, that of ``like``."""
    return AnimalShogi(
        like.max_plies, IGNORED, p.own, p.opp, p.chicks, p.elephants, p.giraffes, p.hens,
        p.hands, 0, 0, like.history & 0,
    )  # fmt: skip


# ---- forwards


@kernel
def expand(number: int, table: Bytes, like: AnimalShogi) -> int:
    """Notes what the moves of a position lead to, and how many of them there are."""
    position = position_of(pieces_of(number), like)
    _, _, symmetric = number_of(pieces_in(position))
    actions, wins, moves = scratch(position.num_actions), False, 0
    all_moves = position.write_legal(actions)
    for i in range(all_moves):
        child = position.play(int(actions[i]))
        after, side, _ = number_of(pieces_in(child))
        if child.takers(child.opp & child.lions) != 0:
            table[after] = CATCH
        elif child.is_across():
            table[after], wins = ACROSS, True
        else:
            moves += symmetric == 0 or side == 0
            if table[after] == UNSEEN:
                table[after] = NEW
    if wins:
        table[number] = DECIDED + 1
    elif moves == 0:
        table[number] = DECIDED + 2 if all_moves != 0 else DECIDED
    else:
        table[number] = OPEN + moves
    return 1


@kernel
def expand_new(first: int, last: int, words: Longs, table: Bytes, like: AnimalShogi) -> int:
    """Expands the new positions of some words; returns how many there were."""
    found = 0
    for i in range(first, last):
        if has_byte(words[i], NEW):
            for number in range(8 * i, 8 * i + 8):
                if table[number] == NEW:
                    found += expand(number, table, like)
    return found


def has_byte(word: int, byte: int) -> bool:
    """Returns whether one of the eight bytes of a word is ``byte``."""
    word ^= byte * 0x0101010101010101
    return (word - 0x0101010101010101) & ~word & -0x7F7F7F7F7F7F7F80 != 0


# ---- backwards


@kernel
def tell(before: Pieces, plies: int, is_symmetric: int, table: Bytes) -> int:
    """Tells an open position that a move leads to a win or loss in ``plies``.

    Returns 1 if its own value is known now.
    """
    number, side, _ = number_of(before)
    if table[number] < OPEN or is_symmetric & side != 0:
        return 0
    table[number] -= 1
    if plies % 2 == 0 or table[number] == OPEN:
        table[number] = DECIDED + plies + 1
        return 1
    return 0


@kernel
def tell_captures(p: Pieces, end: int, plies: int, symmetric: int, table: Bytes) -> int:
    """Tells the positions before a step to ``end``, on which a piece may have been captured.

    ``p`` is the position before it, if none was.
    """
    found = tell(p, plies, symmetric, table)
    own, opp, chicks, elephants, giraffes, hens, hands = p
    opp |= end
    if hands & 3 != 0:
        chick = Pieces(own, opp, chicks | end, elephants, giraffes, hens, hands - 1)
        hen = Pieces(own, opp, chicks, elephants, giraffes, hens | end, hands - 1)
        found += tell(chick, plies, symmetric, table) + tell(hen, plies, symmetric, table)
    if hands & 12 != 0:
        elephant = Pieces(own, opp, chicks, elephants | end, giraffes, hens, hands - 4)
        found += tell(elephant, plies, symmetric, table)
    if hands & 48 != 0:
        giraffe = Pieces(own, opp, chicks, elephants, giraffes | end, hens, hands - 16)
        found += tell(giraffe, plies, symmetric, table)
    return found


@kernel
def tell_before(number: int, plies: int, table: Bytes, like: AnimalShogi) -> int:
    """Tells all positions from which a move leads to that number; returns how many know by that."""
    _, _, symmetric = number_of(pieces_of(number))
    q, found = turned_round(pieces_of(number)), 0
    position, pieces = position_of(q, like), q.own
    while pieces != 0:
        end = pieces & -pieces
        pieces ^= end
        found += tell_drop(q, end, plies, symmetric, table)
        for direction in range(8):
            start = step(end, 7 - direction) & ALL & ~(q.own | q.opp)
            if start != 0:
                became = direction == UP and q.hens & end & FAR_ROW != 0
                stays = q.chicks & end & FAR_ROW == 0
                if stays and position.goers(end, direction) != 0:
                    p = stepped_back(q, start, end, False)
                    found += tell_captures(p, end, plies, symmetric, table)
                if became:
                    p = stepped_back(q, start, end, True)
                    found += tell_captures(p, end, plies, symmetric, table)
    return found


@kernel
def tell_drop(q: Pieces, end: int, plies: int, symmetric: int, table: Bytes) -> int:
    """Tells the position before the piece on ``end`` was dropped, if it can have been."""
    own, opp, chicks, elephants, giraffes, hens, hands = q
    if chicks & end != 0:
        hands += 1
    elif elephants & end != 0:
        hands += 4
    elif giraffes & end != 0:
        hands += 16
    else:
        return 0
    p = Pieces(own ^ end, opp, chicks & ~end, elephants & ~end, giraffes & ~end, hens, hands)
    return tell(p, plies, symmetric, table)


@kernel
def stepped_back(q: Pieces, start: int, end: int, as_chick: bool) -> Pieces:
    """Returns the pieces with that on ``end`` on ``start``, perhaps a hen that was a chick."""
    own, opp, chicks, elephants, giraffes, hens, hands = q
    both = start | end
    if as_chick:
        return Pieces(own ^ both, opp, chicks | start, elephants, giraffes, hens ^ end, hands)
    chicks ^= both if chicks & end != 0 else 0
    elephants ^= both if elephants & end != 0 else 0
    giraffes ^= both if giraffes & end != 0 else 0
    hens ^= both if hens & end != 0 else 0
    return Pieces(own ^ both, opp, chicks, elephants, giraffes, hens, hands)


@kernel
def turned_round(p: Pieces) -> Pieces:
    """Returns the pieces as the other player sees them."""
    hands = p.hands >> 6 | (p.hands & 63) << 6
    return Pieces(
        turned(p.opp), turned(p.own), turned(p.chicks), turned(p.elephants),
        turned(p.giraffes), turned(p.hens), hands,
    )  # fmt: skip


@kernel
def work_back(
    first: int, last: int, plies: int, words: Longs, table: Bytes, like: AnimalShogi
) -> tuple[int, int]:
    """Tells the positions before those that are decided in ``plies``, of some words.

    Returns how many these are, and of how many more the value is known by that.
    """
    there, found = 0, 0
    for i in range(first, last):
        if has_byte(words[i], DECIDED + plies):
            for number in range(8 * i, 8 * i + 8):
                if table[number] == DECIDED + plies:
                    there += 1
                    found += tell_before(number, plies, table, like)
    return there, found


# ---- the whole


class TableProgress(NamedTuple):
    """Says how far the table has come."""

    positions: int
    """How many positions have been expanded."""
    plies: int
    """The distance that is worked on; -1 as long as positions are expanded."""
    decided: int
    """How many positions are known to be won or lost since then."""


def filled_table(table: Bytes) -> Iterator[TableProgress]:
    """Fills ``table``, zeroed, of 8 * WORDS bytes; yields from time to time."""
    words, like = table.view(np.int64), AnimalShogi(repetition="ignored")
    chunks = [(i, min(i + CHUNK, WORDS)) for i in range(0, WORDS, CHUNK)]
    table[number_of(pieces_in(like))[0]] = NEW
    expanded, latest = 0, 1
    while latest:
        latest = 0
        for first, last in chunks:
            latest += int(expand_new(first, last, words, table, like))
            yield TableProgress(expanded + latest, -1, 0)
        expanded += latest
    decided, plies, ahead = 0, 0, 1
    while ahead or plies < 4:
        ahead = 0
        for first, last in chunks:
            there, found = work_back(first, last, plies, words, table, like)
            decided, ahead = decided + int(there), ahead + int(there) + int(found)
            yield TableProgress(expanded, plies, decided)
        plies += 1


@dataclass(frozen=True)
class TableCounts:
    """Counts what a filled table says, by the player to move."""

    positions: int
    wins: int
    losses: int
    draws: int
    catches: int
    """Wins by catching the lion at once."""
    across: int
    """Losses as the other lion is across."""
    longest: int
    """The largest distance of a position."""
    plies: int
    """The distance of the start, which is lost if it is even."""


def counts_of(table: Bytes) -> TableCounts:
    """Returns what a filled table counts."""
    number = np.zeros(256, np.int64)
    for first in range(0, len(table), 1 << 26):
        number += np.bincount(table[first : first + (1 << 26)], minlength=256)
    decided = number[DECIDED:OPEN]
    start = number_of.plain(pieces_in(AnimalShogi(repetition="ignored")))[0]
    return TableCounts(
        positions=int(number[1:].sum()),
        wins=int(number[CATCH] + decided[1::2].sum()),
        losses=int(number[ACROSS] + decided[0::2].sum()),
        draws=int(number[OPEN:].sum()),
        catches=int(number[CATCH]),
        across=int(number[ACROSS]),
        longest=int(np.flatnonzero(decided)[-1]),
        plies=int(table[start]) - DECIDED,
    )
