"""Kuhn poker: the cards, face up or face down, the chips, and what each player did."""

from __future__ import annotations

from adv_envs.games.kuhn import Kuhn, rank_names

from .picture import Miniature, Picture, Place, register_picture
from .poker import PokerTable, Round, Seat
from .shapes import Drawing


def table(position: Kuhn) -> PokerTable:
    """What is seen of a position."""
    ranks = "?" + rank_names(position.players + 1)
    seats = [
        Seat(
            ranks[position.card(player)] if player < position.ply else "",
            position.chips(player),
            position.bets != 0 and position.is_terminal() and not position.has_bet(player),
        )
        for player in range(position.players)
    ]
    words = [(i % position.players, word) for i, word in enumerate(position.actions_taken())]
    return PokerTable(position, seats, [Round("bets", words)])


def draw(position: Kuhn, last: int | None = None) -> Drawing:
    """The table, with the latest card or action in a frame unless ``last`` is None."""
    return table(position).draw(last)


def places(position: Kuhn) -> dict[int, Place]:
    """Each action in its box below the table."""
    return table(position).places()


def miniature(position: Kuhn) -> Miniature:
    """The cards side by side."""
    return table(position).miniature()


register_picture(Kuhn, Picture(draw=draw, places=places, miniature=miniature))
