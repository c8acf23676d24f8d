"""Ranks hands of poker: the best five of up to seven cards, by bits alone.

A card is 4 * rank + suit: 0 is the two of clubs, 51 the ace of spades. A hand is one number with
sixteen bits for each suit, of which the lowest thirteen are the ranks, the two lowest::

        spades           hearts           diamonds         clubs
    ...AKQJT98765432 ...AKQJT98765432 ...AKQJT98765432 ...AKQJT98765432

The strength of a hand is its category, then two sets of ranks: those that make the category, and
the kickers. Each set is cut to its highest ranks, so greater numbers are better hands.
"""

from __future__ import annotations

from adv_envs.bits import count

RANKS, SUITS = "23456789TJQKA", "cdhs"
SUIT_BITS = 0x1FFF
"""The ranks of a suit."""

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""What a hand is called, from the weakest to the strongest."""


def card_text(card: int) -> str:
    """Returns a card's rank and suit, such as "Ah"."""
    return RANKS[card // 4] + SUITS[card % 4]


def card_of(text: str) -> int:
    """Returns the card that is written so; ValueError for anything else."""
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"a card is one of {RANKS} and one of {SUITS}, such as Ah, not {text!r}")
    return 4 * RANKS.index(text[0]) + SUITS.index(text[1])


def card_bit(card: int) -> int:
    """Returns the hand that is one card."""
    return 1 << 16 * (card % 4) + card // 4


def highest_ranks(ranks: int, number: int) -> int:
    """Returns the ``number`` highest of some ranks; all of them if there are not as many."""
    while count(ranks) > number:
        ranks &= ranks - 1
    return ranks


def straight_in(ranks: int) -> int:
    """Returns the highest straight in some ranks, as the bit of its lowest card; 0 if none.

    Bit 0 is the ace below the two, bit 1 the two.
    """
    line = ranks << 1 | ranks >> 12
    return highest_ranks(line & line >> 1 & line >> 2 & line >> 3 & line >> 4, 1)


def flush_in(hand: int) -> int:
    """Returns the ranks of the suit that has five cards or more; 0 if there is none."""
    found = 0
    for suit in range(4):
        ranks = hand >> 16 * suit & SUIT_BITS
        if count(ranks) >= 5:
            found = ranks
    return found


def hand_strength(hand: int) -> int:
    """Returns a number that is higher for better hands, and equal for equal ones.

    ``hand`` is a set of five to seven cards. The category is ``strength >> 26``.
    """
    flush = flush_in(hand)
    if flush != 0 and straight_in(flush) != 0:
        return 8 << 26 | straight_in(flush)
    clubs, diamonds = hand & SUIT_BITS, hand >> 16 & SUIT_BITS
    hearts, spades = hand >> 32 & SUIT_BITS, hand >> 48 & SUIT_BITS
    black, red = clubs & spades, diamonds & hearts
    any_black, any_red = clubs | spades, diamonds | hearts
    ranks, twos = any_black | any_red, black | red | any_black & any_red
    threes, fours = black & any_red | red & any_black, black & red
    if fours != 0:
        return 7 << 26 | fours << 13 | highest_ranks(ranks ^ fours, 1)
    three = highest_ranks(threes, 1)
    others = twos & ~three
    if three != 0 and others != 0:
        return 6 << 26 | three << 13 | highest_ranks(others, 1)
    if flush != 0:
        return 5 << 26 | highest_ranks(flush, 5)
    straight = straight_in(ranks)
    if straight != 0:
        return 4 << 26 | straight
    if three != 0:
        return 3 << 26 | three << 13 | highest_ranks(ranks ^ three, 2)
    pairs = highest_ranks(twos, 2)
    number = count(pairs)
    return number << 26 | pairs << 13 | highest_ranks(ranks ^ pairs, 5 - 2 * number)


def category_of(strength: int) -> str:
    """Returns what a hand of this strength is called, such as "two pair"."""
    return CATEGORIES[strength >> 26]
