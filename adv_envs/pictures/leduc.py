"""Leduc hold'em: the cards, face up or face down, the chips, and what each player did."""

from __future__ import annotations

from adv_envs.games.leduc import NAMES, Leduc

from .picture import Miniature, Picture, Place, register_picture
from .poker import PokerTable, Round, Seat
from .shapes import Drawing


def table(position: Leduc) -> PokerTable:
    """What is seen of a position."""
    seats = [
        Seat(
            position.card_name(position.card(player)) if player < position.ply else "",
            position.chips(player),
            position.has_folded(player),
        )
        for player in range(position.players)
    ]
    public = position.card(position.players)
    rounds = [
        Round(f"round {number}", [(player, NAMES[action]) for player, action in taken])
        for number, taken in enumerate(position.actions_taken(), 1)
    ]
    return PokerTable(position, seats, rounds, position.card_name(public) if public else "")


def draw(position: Leduc, last: int | None = None) -> Drawing:
    """The table, with the latest card or action in a frame unless ``last`` is None."""
    return table(position).draw(last)


def places(position: Leduc) -> dict[int, Place]:
    """Each action in its box below the table."""
    return table(position).places()


def miniature(position: Leduc) -> Miniature:
    """The cards side by side."""
    return table(position).miniature()


register_picture(Leduc, Picture(draw=draw, places=places, miniature=miniature))
