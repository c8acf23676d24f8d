"""Says the cards and the rules of gin rummy in words."""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, counted, reflowed

RANKS, SUITS = "A23456789TJQK", "shdc"


def card_name(card: int) -> str:
    """Returns the name of card 0 to 51: "As", "Th"."""
    return RANKS[card % 13] + SUITS[card // 13]


def card_number(name: str) -> int:
    """Returns the card of a name, such as "Th"."""
    return RANKS.index(name[0].upper()) + 13 * SUITS.index(name[1].lower())


def is_variant(game: Any, name: str) -> bool:
    """Returns whether a ``GinRummy`` has the rules of this name."""
    return bool(game.written("variant", game.variant) == name)


def gin_rules(game: Any, most_discards: int) -> str:
    """Returns the rules of a ``GinRummy``, dead after ``most_discards``, as ``Position.rules``."""
    simplified = is_variant(game, "simplified")
    dealt = counted(game.hand_size, "card")
    start = f"Each is dealt {dealt}, and one is turned up, the first upcard."
    if simplified:
        start = (
            f"Player 0 is dealt {game.hand_size + 1} cards and begins with a discard, "
            f"player 1 is dealt {game.hand_size}."
        )
    return reflowed(f"""
        **Goal.** {GOALS[simplified]} There are {4 * game.ranks} cards, of the
        ranks {RANKS[: game.ranks]} in the suits s, h, d and c. {start} The others are the
        stock. A meld is a set, three or four cards of a rank, or a run, three or more cards of
        a suit with ranks in a row. Cards outside of melds are deadwood: an ace counts 1,
        2 to 9 their number, others 10. A hand is melded in the way with the least deadwood.

        **Moves.** {OFFERS[simplified]} In a turn the player gets a card,
        `draw` from the stock or `take` the top of the pile, and then discards another one,
        but not a card just taken. With the discard one may go out. {knock_rules(game)}
        {GINS[simplified]}

        **Hidden.** A player sees the own hand, the pile, and which cards the other takes from
        it. At the end all is shown.

        **End.** {end_rules(game, most_discards)}

        **Notation.** A card is its rank and suit, such as 7h. A discard, and a card that chance
        deals, is written as the card; a knock as knock- and the card. Other moves are `draw`,
        `take`, gin and {OTHERS[simplified]}.

        {PRINTED}
        """)


def knock_rules(game: Any) -> str:
    """Returns when one may knock."""
    points = f"at most {counted(game.knock, 'point')}"
    if is_variant(game, "oklahoma"):
        points = "at most as many points as the first upcard counts, which must not be an ace,"
    if not is_variant(game, "oklahoma") and game.knock == 0:
        return "One may not knock."
    return f"One may knock if the cards that are left have {points} of deadwood."


def end_rules(game: Any, most_discards: int) -> str:
    """Returns how the hand ends and what it is worth."""
    if is_variant(game, "simplified"):
        return SIMPLIFIED_END.format(most_discards)
    return f"""
        Who goes gin wins {game.gin_bonus} points and the deadwood of the other. After a knock
        the other lays off deadwood on the melds of who knocked: the fourth card of a set, and
        cards that go on with a run. This is done in the best way. Then who knocked wins the
        difference in deadwood. If the other has no more, that is an undercut: the other wins
        the difference and {game.undercut_bonus} points. The hand is dead, a draw, after a
        discard with two cards left in the stock, and after {most_discards} discards."""


def gin_example(game: Any) -> Example:
    """Returns a hand with few cards that shows the rules of a ``GinRummy``."""
    if is_variant(game, "simplified"):
        return Example(SIMPLIFIED_EXAMPLE, ranks=4, hand_size=2)
    last = KNOCKS[is_variant(game, "oklahoma")]
    return Example(f"{STANDARD_EXAMPLE}\n{last}", ranks=4, hand_size=2)


GOALS = (
    "Meld your cards, and have less deadwood than the other player when one of you goes out.",
    "Meld your cards and go out before the other player does; failing that, have little deadwood.",
)
OFFERS = (
    "First player 0 may `take` the upcard, or `pass`; then so may player 1. If both pass, player 0 "
    "must draw from the stock.",
    "There is no first upcard.",
)
GINS = (
    "Who would have none left may go gin, which discards the card that is not needed.",
    "Who can have none left must go gin.",
)
OTHERS = ("`pass`", "dead")
SIMPLIFIED_END = """
    Who goes gin is rewarded with 1, who knocks with 0.5; any other player with less the own
    deadwood, divided by 100. Nothing is laid off and there is no undercut. With two cards left in
    the stock, one may no longer draw, but declare the hand dead; after {} discards one
    must. A player wins half the difference of both rewards.
"""
PRINTED = """
    **Board.** A line for each player has the hand: its melds, its deadwood, and in brackets how
    much that is; ? is a card that is not seen; > marks the player to move. Below are the top of the
    pile and its number of cards, the number of cards of the stock, and the most deadwood to knock
    with.
"""
"""How boards are printed, for ``rules``."""
STANDARD_EXAMPLE = """
    4s is dealt to player 0
    Ah
    4d and to player 1
    4c
    2s is turned up
    take player 0 now has 4s, Ah and 2s
"""
KNOCKS = (
    "knock-4s player 0 has 3 points of deadwood left, player 1 has 8",
    "4s player 0 has 3 points of deadwood left, too many for a knock as 2s was turned up",
)
SIMPLIFIED_EXAMPLE = """
    4s is dealt to player 0
    Ah
    2s
    4d and to player 1
    4c
    knock-4s player 0 has 3 points of deadwood left
"""
