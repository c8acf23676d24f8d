"""Computes equities at hold'em: the share of the pot that hands win on average.

Hands are ranked as ``adv_envs.games.poker_hands`` does, by tables of 8,192 entries that are made
when they are first needed. A hand is held as five numbers. Four are sets of ranks: those it has
once or more, twice or more, three times or more, four times. The fifth has its suits: 16 bits of
ranks for each.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.games.poker_hands import (
    CATEGORIES,
    card_of,
    card_text,
    highest_ranks,
    straight_in,
)
from adv_envs.jit import kernel
from adv_envs.random import advanced, below

Tables = NDArray[np.int32]
"""int32, (6, 8192): by a set of ranks, its highest straight, then its 1, 2, 3 and 5 highest ranks;
the last row, its size."""

STRAIGHT, TOP1, TOP2, TOP3, TOP5, SIZE = range(6)
DECK = 52


@functools.cache
def rank_tables() -> Tables:
    """Returns the tables for ``strength_of``."""
    tables = np.zeros((6, 1 << 13), np.int32)
    for ranks in range(1 << 13):
        tables[STRAIGHT, ranks] = straight_in(ranks)
        for row, number in ((TOP1, 1), (TOP2, 2), (TOP3, 3), (TOP5, 5)):
            tables[row, ranks] = highest_ranks(ranks, number)
        tables[SIZE, ranks] = ranks.bit_count()
    tables.flags.writeable = False
    return tables


Held = tuple[int, int, int, int, int]
"""A hand: the ranks that it has once, twice, three and four times, and its suits."""


@kernel
def with_card(hand: Held, card: int) -> Held:
    """Returns a hand with one more card."""
    ones, twos, threes, fours, suits = hand
    rank = 1 << (card >> 2)
    return (
        ones | rank,
        twos | ones & rank,
        threes | twos & rank,
        fours | threes & rank,
        suits | rank << 16 * (card & 3),
    )


@kernel
def flush_ranks(suits: int, tables: Tables) -> int:
    """Returns the ranks of the suit that has five cards or more; 0 if none has."""
    for suit in range(4):
        ranks = suits >> 16 * suit & 0x1FFF
        if tables[5, ranks] >= 5:
            return ranks
    return 0


@kernel
def strength_of(hand: Held, flush: int, tables: Tables) -> int:
    """Returns what ``hand_strength`` does for seven cards; ``flush`` has the ranks of a flush."""
    ones, twos, threes, fours, _ = hand
    if flush != 0:
        if tables[0, flush] != 0:
            return 8 << 26 | int(tables[0, flush])
        return 5 << 26 | int(tables[4, flush])
    if threes == 0:
        if tables[0, ones] != 0:
            return 4 << 26 | int(tables[0, ones])
        if twos == 0:
            return int(tables[4, ones])
        pairs = int(tables[2, twos])
        if pairs & pairs - 1 != 0:
            return 2 << 26 | pairs << 13 | int(tables[1, ones ^ pairs])
        return 1 << 26 | pairs << 13 | int(tables[3, ones ^ pairs])
    if fours != 0:
        return 7 << 26 | fours << 13 | int(tables[1, ones ^ fours])
    three = int(tables[1, threes])
    if twos != three:
        return 6 << 26 | three << 13 | int(tables[1, twos ^ three])
    if tables[0, ones] != 0:
        return 4 << 26 | int(tables[0, ones])
    return 3 << 26 | three << 13 | int(tables[2, ones ^ three])


@kernel
def count_categories(tables: Tables, counts: NDArray[np.int64]) -> int:
    """Ranks all 133,784,560 hands of seven cards; returns a checksum, the sum of all strengths.

    ``counts``, int64 (9,), gets how many there are of each category.
    """
    total = 0
    for a in range(DECK):
        hand1 = with_card((0, 0, 0, 0, 0), a)
        for b in range(a):
            hand2 = with_card(hand1, b)
            for c in range(b):
                hand3 = with_card(hand2, c)
                for d in range(c):
                    hand4 = with_card(hand3, d)
                    for e in range(d):
                        hand5 = with_card(hand4, e)
                        for f in range(e):
                            total += count_last(with_card(hand5, f), f, tables, counts)
    return total


@kernel
def count_last(hand: Held, end: int, tables: Tables, counts: NDArray[np.int64]) -> int:
    """Ranks six cards with each seventh below ``end``; returns the sum of the strengths."""
    total, most = 0, 0
    for suit in range(4):
        most = max(most, int(tables[5, hand[4] >> 16 * suit & 0x1FFF]))
    for card in range(end):
        seven = with_card(hand, card)
        flush = flush_ranks(seven[4], tables) if most >= 4 else 0
        strength = strength_of(seven, flush, tables)
        counts[strength >> 26] += 1
        total += strength
    return total


# ---- equities


@kernel
def next_choice(chosen: NDArray[np.int64], number: int, total: int) -> bool:
    """Chooses the next ``number`` of ``total`` things, increasing; returns False after the last."""
    i = number - 1
    while i >= 0 and chosen[i] == total - number + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for j in range(i + 1, number):
        chosen[j] = chosen[j - 1] + 1
    return True


@kernel
def share_boards(
    holes: NDArray[np.int64],
    board: NDArray[np.int64],
    deck: NDArray[np.int64],
    tables: Tables,
    shares: NDArray[np.float64],
) -> int:
    """Adds up who wins on every board that ``board`` can become; returns how many there are.

    ``holes``, int64 (players, 2), has the cards of all; ``deck``, int64, those that are left.
    ``shares``, float64 (players, 2), gets how often each wins alone, and the shares of ties.
    """
    players, missing = holes.shape[0], 5 - board.shape[0]
    chosen, strengths = np.arange(5), np.zeros(players, np.int64)
    known, boards = (0, 0, 0, 0, 0), 0
    for i in range(board.shape[0]):
        known = with_card(known, int(board[i]))
    while True:
        common = known
        for i in range(missing):
            common = with_card(common, int(deck[chosen[i]]))
        best, winners = 0, 0
        for player in range(players):
            hand = with_card(with_card(common, int(holes[player, 0])), int(holes[player, 1]))
            strength = strength_of(hand, flush_ranks(hand[4], tables), tables)
            strengths[player] = strength
            if strength > best:
                best, winners = strength, 0
            winners += strength == best
        for player in range(players):
            if strengths[player] == best:
                shares[player, min(winners - 1, 1)] += 1.0 / winners
        boards += 1
        if not next_choice(chosen, missing, deck.shape[0]):
            return boards


@kernel
def drawn(used: int, state: int) -> tuple[int, int, int]:
    """Returns a card that is not in the set ``used``, the set with it, and the next state."""
    while True:
        card = below(state, DECK)
        state = advanced(state)
        if used >> card & 1 == 0:
            return card, used | 1 << card, state


@kernel
def sampled_equity(
    cards: NDArray[np.int64], opponents: int, samples: int, state: int, tables: Tables
) -> float:
    """Returns the average share of the pot against random hands.

    ``cards``, int64 (2 to 7), are the own two and those of all; the others are drawn.
    """
    hand, common, used, total = (0, 0, 0, 0, 0), (0, 0, 0, 0, 0), 0, 0.0
    for i in range(cards.shape[0]):
        hand = with_card(hand, int(cards[i]))
        used |= 1 << int(cards[i])
        if i >= 2:
            common = with_card(common, int(cards[i]))
    for _ in range(samples):
        mine, board, taken = hand, common, used
        for _ in range(7 - cards.shape[0]):
            card, taken, state = drawn(taken, state)
            mine, board = with_card(mine, card), with_card(board, card)
        own, sharing = strength_of(mine, flush_ranks(mine[4], tables), tables), 1
        for _ in range(opponents):
            first, taken, state = drawn(taken, state)
            second, taken, state = drawn(taken, state)
            other = with_card(with_card(board, first), second)
            strength = strength_of(other, flush_ranks(other[4], tables), tables)
            if strength > own:
                sharing = 0
                break
            sharing += strength == own
        if sharing > 0:
            total += 1.0 / sharing
    return total / samples


def cards_in(text: str) -> list[int]:
    """Returns the cards of a text such as "Ah Kd" or "AhKd"; ValueError for what is no card."""
    joined = "".join(text.split())
    return [card_of(joined[i : i + 2]) for i in range(0, len(joined), 2)]


def _require_different(cards: Sequence[int]) -> None:
    twice = [card_text(card) for i, card in enumerate(cards) if card in cards[:i]]
    if twice:
        raise ValueError(f"each card is there once: {', '.join(twice)} is given twice")


def hand_equities(hands: Sequence[str], board: str = "") -> list[tuple[float, float]]:
    """Returns, for each hand, how often it wins alone, and its share of ties: exact, on all boards.

    The equity is the sum of both. ``hands`` are two cards each, such as "Ah Ad"; ``board`` has the
    cards of all that are known, at most five. Two hands before the flop meet 1,712,304 boards.
    Raises ValueError for cards that cannot be.
    """
    holes, common = [cards_in(hand) for hand in hands], cards_in(board)
    if any(len(hole) != 2 for hole in holes) or not 2 <= len(holes) <= 22:
        raise ValueError(f"hands must be 2 to 22 of two cards each, not {list(hands)}")
    if len(common) > 5:
        raise ValueError(f"the board has at most five cards, not {len(common)}")
    known = [card for hole in holes for card in hole] + common
    _require_different(known)
    deck = np.array([card for card in range(DECK) if card not in known], np.int64)
    shares = np.zeros((len(holes), 2))
    boards = share_boards(
        np.array(holes, np.int64), np.array(common, np.int64), deck, rank_tables(), shares
    )
    return [(float(win), float(tie)) for win, tie in shares / boards]


def equity_by_chance(
    hand: str, board: str = "", opponents: int = 1, samples: int = 100_000, seed: int = 0
) -> float:
    """Returns the average share of the pot of a hand against random ones, by ``samples`` boards.

    Raises ValueError for cards that cannot be, or no or more than 9 opponents.
    """
    own, common = cards_in(hand), cards_in(board)
    if len(own) != 2 or len(common) > 5:
        raise ValueError("a hand has two cards, and the board at most five")
    if not 1 <= opponents <= 9 or samples < 1:
        raise ValueError("opponents must be 1 to 9, and samples 1 or more")
    _require_different(own + common)
    cards: Any = np.array(own + common, np.int64)
    return sampled_equity(cards, opponents, samples, seed & 0xFFFFFFFF, rank_tables())


def category_counts() -> dict[str, int]:
    """Returns how many of all 133,784,560 hands of seven cards have each category."""
    counts = np.zeros(9, np.int64)
    count_categories(rank_tables(), counts)
    return {name: int(number) for name, number in zip(CATEGORIES, counts, strict=True)}
