"""Draws Leduc hold'em: cards, face up or face down, the chips, and what each player did."""

from __future__ import annotations

from adv_envs.games.leduc import NAMES, Leduc

from .kuhn import PokerTable, Round, Seat, poker_picture
from .picture import register_picture


def table(position: Leduc) -> PokerTable:
    """Returns what is seen of a position."""
    seats = [
        Seat(
            position.card_name(position.card(player)) if player < position.ply else "",
            position.chips(player),
            position.has_folded(player),
        )
        for player in range(position.players)
    ]
    public = position.card(position.players)
    room = 2 if position.players == 2 else 3  # two raises, the second by who checked at first
    rounds = [
        Round(f"round {number}", [(player, NAMES[action]) for player, action in taken], room)
        for number, taken in enumerate(position.actions_taken(), 1)
    ]
    return PokerTable(position, seats, rounds, position.card_name(public) if public else "")


register_picture(Leduc, poker_picture(table))
