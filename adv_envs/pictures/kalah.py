"""Draws Kalah: the board from above, every seed, and their number beside each pit.

The middle of the board is (0, 0); player 0 sits below, player 1 above.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from adv_envs.games.kalah import Kalah

from . import palette
from .picture import Miniature, Place, Target, card, enlarged, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Point, Rect, Shape, Text

STEP = 74  # from pit to pit
PIT = 32  # the radius of a pit
ROW = 43  # from the middle to the middle of a row
SIDES = (palette.RED, palette.BLUE)
TURN = pi * (3 - sqrt(5))
"""The golden angle: seeds laid out by it lie evenly in a disc."""


def draw(position: Kalah, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws pits and stores with their seeds; the pit that was sown last has a golden rim."""
    half = STEP * position.pits / 2
    right, bottom = half + STEP, ROW + PIT + 11
    shapes: list[Shape] = [
        Rect(-right, -bottom, 2 * right, 2 * bottom, 34, palette.CELL, palette.GRID, 1.5)
    ]
    sown = sown_last(position, last)
    for player in (0, 1):
        for pit in range(position.pits):
            x, y = centre(position, player ^ flipped, pit)
            seeds = position.side(player) >> 8 * pit & 255
            marked = (player, pit) == sown
            rim = palette.GOLD if marked else palette.GRID
            shapes.append(Circle(x, y, PIT, palette.CARD, rim, 3.5 if marked else 1.5))
            shapes += seeds_in(x, y, seeds, PIT - 4)
            outside = y + (1 if y > 0 else -1) * (PIT + 24)
            shapes.append(Text(x, outside, str(seeds), 15, palette.MUTED))
        x = half + STEP / 2
        shapes += store(position, player, x if player == flipped else -x)
    words, who = outcome(position)
    box = (-right, -bottom - 24, right, bottom + 24)
    return card(
        shapes, box, words, who, lambda player, x, y, radius: [Circle(x, y, radius, SIDES[player])]
    )


def centre(position: Kalah, row: int, pit: int) -> Point:
    """Returns the middle of a pit of the row below, 0, or above, 1, from its player's left."""
    along = (pit + 0.5 - position.pits / 2) * STEP
    return (along, ROW) if row == 0 else (-along, -ROW)


def store(position: Kalah, player: int, x: float) -> list[Shape]:
    """Returns the store of a player, with the number of seeds in the player's colour."""
    half, high = PIT - 3, ROW + PIT - 3
    won = position.is_terminal() and position.utility(player) > 0
    rim, line = (palette.GOLD, 3.5) if won else (palette.GRID, 1.5)
    number = position.store(player)
    return [
        Rect(x - half, -high, 2 * half, 2 * high, half, palette.CARD, rim, line),
        *seeds_in(x, 22, number, half - 3),
        Text(x, -38, str(number), 26, SIDES[player]),
    ]


def seeds_in(x: float, y: float, number: int, radius: float) -> list[Shape]:
    """Draws a number of seeds around (x, y), within ``radius``; small ones where there are many."""
    size = min(5.2, 0.74 * radius / sqrt(max(number, 1)))
    pace = 0.0 if number < 2 else min((radius - size) / sqrt(number - 0.5), 2.15 * size)
    shapes: list[Shape] = []
    for i in range(number):
        out = pace * sqrt(i + 0.5)
        angle = i * TURN
        shapes.append(Circle(x + out * cos(angle), y + out * sin(angle), size, palette.INK))
    return shapes


def sown_last(position: Kalah, last: int | None) -> tuple[int, int] | None:
    """Returns the player and the pit of the last move, as far as the board tells; its pit is empty.

    A player who moves again has just sown all own pits from there to the store.
    """
    if last is None or not 0 <= last < position.pits or position.is_terminal():
        return None
    me = position.to_move
    own, other = position.numbers(me), position.numbers(1 - me)
    again = own[last] == 0 and all(own[last + 1 :])
    if again == (other[last] == 0):
        return None
    return (me if again else 1 - me), last


def places(position: Kalah, flipped: bool = False) -> dict[int, Place]:
    """Returns each move on the pit that it would sow."""
    row = position.to_move ^ flipped
    return {
        action: Place(*centre(position, row, action), PIT, "disc")
        for action in position.legal_actions()
    }


def clicks(position: Kalah, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the whole half of the board where the pit is."""
    return enlarged(places(position, flipped), STEP / 2, ROW)


def miniature(position: Kalah) -> Miniature:
    """Returns the numbers of seeds."""
    step, high = 13.0, 15.0
    width, height = step * (position.pits + 2), 2 * high
    shapes: list[Shape] = [
        Rect(-width / 2, -high, width, height, 5, palette.CELL, palette.GRID, 0.8)
    ]
    for player in (0, 1):
        side = 1 if player == 0 else -1
        for place, number in enumerate(position.numbers(player)):
            x = side * (place + 0.5 - position.pits / 2) * step
            y = 0.0 if place == position.pits else side * high / 2
            colour = SIDES[player] if place == position.pits else palette.INK
            shapes.append(Text(x, y, str(number), 9, colour))
    return Miniature(width, height, shapes)


register_picture(Kalah, two_sided(draw, places, clicks, miniature=miniature))
