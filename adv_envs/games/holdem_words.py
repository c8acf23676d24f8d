"""Says the rules of games of hold'em in words: all but what may be bet."""

from __future__ import annotations

from typing import Any

from adv_envs.position import reflowed


def holdem_rules(game: Any, to_raise: str, raises: str, moves: str) -> str:
    """Returns the rules of a ``Holdem``, as ``Position.rules`` does.

    ``to_raise`` is the move that raises, ``raises`` what a raise may be, in sentences, and
    ``moves`` how moves are written.
    """
    even_fold = ", or even fold" if game.rlcard else ""
    return reflowed(f"""
        **Goal.** Win chips with the best five of seven cards, or by making all others fold.
        {table_rules(game)}

        **Moves.** {turn_rules(game)} A player who has put in less than another must `call`, which
        puts in as much, {to_raise}, or `fold` and be out; one who has not may `check` or
        {to_raise}{even_fold}. {raises}

        {SHOWDOWN_RULES}

        **Notation.** A move is {moves}. A card is a rank and a suit: `Ah`, `Td`, `7c`.

        {PRINTED}
        """)


def table_rules(game: Any) -> str:
    """Returns the rules of the seats and of the deal."""
    chips = ", ".join(str(game.stack_of(player)) for player in range(game.players))
    have = f"Each has {game.stack} chips" if game.stacks == 0 else f"They have {chips} chips"
    button = "Player 0 has the button. " if game.players == 2 and not game.rlcard else ""
    return f"""
        There are {game.players} players. {have}. {button}Player 0 posts the small blind of
        {game.small_blind} and player 1 the big blind of {game.big_blind}. Each is dealt two cards
        of a deck of 52, one after the other. Deals are moves of chance.
        """.strip()


def turn_rules(game: Any) -> str:
    """Returns the rules of the rounds, and of who acts."""
    after = "player 1 begins" if game.players == 2 else "the first who is in from player 0 on does"
    if game.keeps_turn:
        after = "the player after the last one to act does"
    elif game.rlcard:
        after = "the first who is in from player 0 on does"
    return f"""
        There are four rounds of betting: now, after the flop of three cards for all, after a
        fourth card, the turn, and after a fifth, the river. Player {2 % game.players} begins the
        first round; in the others {after}. The players who are in and have chips take turns. A
        round ends when all of them have acted since the last raise and have put in as much as it
        asks. One who has not enough chips puts in all and is all in.
        """.strip()


SHOWDOWN_RULES = """
    **Hidden.** A player sees the own cards and those of all. Everybody sees what is bet. At the end
    the player who raised last shows the cards first, or the first from the left of the button; the
    next ones only if they are as good. If somebody is all in, all show.

    **End.** The game is over when all but one have folded, who takes the pot, or after the last
    round. The best five of the own two cards and the five of all win: a straight flush, four of a
    kind, a full house, a flush, a straight, three of a kind, two pair, a pair, or the highest
    cards. Equal hands share the pot, and odd chips go to the first of them from the left of the
    button. A player who is all in takes part in the pot only as far as the own chips go: what
    others put in beyond is a side pot among them, and what nobody has matched is given back. A
    player gets the chips won: what is taken of the pots less the chips put in.
    """

PRINTED = """
    **Board.** A line for each player tells the cards, ? if one is face down and - if none is dealt,
    the chips put in and those left; > marks the player to move. Below are the cards of all, the
    pot, and the moves of each round.
    """
