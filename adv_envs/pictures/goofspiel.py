"""Draws Goofspiel: the prizes and the bids for them, a column for each turn, winners on gold.

The top left is (0, 0).
"""

from __future__ import annotations

from adv_envs.games.goofspiel import Goofspiel
from adv_envs.position import CHANCE

from . import palette
from .picture import Miniature, Picture, Place, boxes, card, outcome, register_picture
from .shapes import Drawing, Point, Rect, Shape, Text, dashed

WIDE, HIGH = 30, 42
"""The size of a card."""
PITCH, ROW = WIDE + 8, HIGH + 12
LABEL = 78
BOX = 38
"""The size of the boxes of the next actions."""


def draw(position: Goofspiel, last: int | None = None) -> Drawing:
    """Returns the turns so far, the latest card in a frame unless ``last`` is None."""
    shapes = [*labels(position)]
    for turn in range(position.num_turns):
        shapes += column(position, turn)
    if last is not None and position.ply > 0:
        turn, step = divmod(position.ply - 1, position.plies_each)
        x, y = centre(turn, step + (position.order != 0))
        box = x - WIDE / 2 - 3, y - HIGH / 2 - 3, WIDE + 6, HIGH + 6
        shapes.append(Rect(*box, 6, None, palette.GOLD, 2.5))
    bottom = 3 * ROW + 6
    below = places(position)
    if below:
        chance = position.to_move == CHANCE
        words = "next prize" if chance else f"{position.side_names[position.to_move]} bids"
        shapes.append(Text(0, bottom + 16, words, 13, palette.MUTED, "start"))
    for place in below.values():
        shapes.append(place.outline(0, palette.CELL, palette.GRID, 1))
        shapes.append(Text(place.x, place.y, place.name, 16, palette.INK))
    right = max(LABEL + position.num_turns * PITCH + 50, position.cards * (BOX + 6))
    return card(shapes, (0, 0, right, bottom + 32 + BOX), outcome(position)[0])


def labels(position: Goofspiel) -> list[Shape]:
    """Returns what the rows are, and the points so far at their right ends."""
    over = position.is_terminal()
    right = LABEL + position.num_turns * PITCH + 44
    shapes: list[Shape] = [Text(0, centre(0, 0)[1], "prizes", 14, palette.MUTED, "start")]
    for player in (0, 1):
        _, y = centre(0, player + 1)
        here = player == position.to_move and not over
        ink = palette.INK if here else palette.MUTED
        shapes.append(Text(0, y, position.side_names[player], 14, ink, "start"))
        shapes.append(Text(right, y, str(position.points(player)), 20, palette.INK, "end"))
    return shapes


def centre(turn: int, row: int) -> Point:
    """Returns the middle of a card: row 0 has the prizes, 1 and 2 the bids."""
    return LABEL + (turn + 0.5) * PITCH, (row + 0.5) * ROW + 6


def column(position: Goofspiel, turn: int) -> list[Shape]:
    """Returns the prize of a turn and the bids for it."""
    turned = position.is_turned_up(turn)
    prize = number_card(*centre(turn, 0), position.prize(turn) if turned else None, turned)
    shapes = [*prize]
    for player in (0, 1):
        waiting = player == 0 and position.to_move == 1 and turn == position.turn
        played = turn < position.turn or (waiting and not position.is_terminal())
        took = position.taken >> 4 * turn & 15 == player + 1
        number = position.bid(player, turn) if played else None
        shapes += number_card(*centre(turn, player + 1), number, took)
    return shapes


def number_card(x: float, y: float, number: int | None, gold: bool) -> list[Shape]:
    """Returns a card with a number, 0 face down; None is a card that is not there."""
    left, top = x - WIDE / 2, y - HIGH / 2
    if number is None:
        return [dashed(x, y, WIDE / 2, HIGH / 2, 1.2)]
    if number == 0:
        back = Rect(left, top, WIDE, HIGH, 4, palette.BLUE, palette.BLUE_RIM, 1.5)
        spot = [Rect(left + 5, top + 9, WIDE - 10, HIGH - 18, 4, palette.YELLOW)] if gold else []
        ink = palette.ON_LIGHT if gold else palette.ON_DARK
        return [back, *spot, Text(x, y, "?", 18, ink)]
    fill, rim = (palette.YELLOW, palette.YELLOW_RIM) if gold else (palette.WHITE, palette.WHITE_RIM)
    back = Rect(left, top, WIDE, HIGH, 4, fill, rim, 1.5)
    return [back, Text(x, y, str(number), 18, palette.ON_LIGHT)]


def places(position: Goofspiel) -> dict[int, Place]:
    """Places each card in its box below the table; none if the player's cards are hidden."""
    player = position.to_move
    if player != CHANCE and position.turn > 0 and position.bids(player) == 0:
        return {}
    return boxes(position, 0, 3 * ROW + 38 + BOX / 2, BOX, 6)


def miniature(position: Goofspiel) -> Miniature | None:
    """Returns the bids of both, a row each; None for many turns."""
    turns = position.num_turns
    if turns > 6:
        return None
    width, height = 12 * turns, 34
    shapes: list[Shape] = [Rect(-width / 2 - 3, -17, width + 6, height, 3, palette.CELL)]
    for player in (0, 1):
        more = player == 0 and position.to_move == 1 and not position.is_terminal()
        for turn in range(position.turn + more):
            x = (turn + 0.5) * 12 - width / 2
            word = str(position.bid(player, turn) or "?")
            shapes.append(Text(x, 16 * player - 8, word, 12, palette.INK))
    return Miniature(width + 6, height, shapes)


register_picture(Goofspiel, Picture(draw=draw, places=places, miniature=miniature))
