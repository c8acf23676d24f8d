"""Draws rock-paper-scissors: both choices, a column for each round, the winners on gold.

The top left is (0, 0).
"""

from __future__ import annotations

from math import cos, pi, sin

from adv_envs.games.rock_paper_scissors import RockPaperScissors

from . import palette
from .picture import Miniature, Picture, Place, boxes, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Polygon, Rect, Shape, Text, square

CELL = 44
LABEL = 78
PER_BAND = 15
"""How many rounds stand side by side; the next ones begin a band below."""
BAND = 2 * CELL + 26
BOX = 60
"""The size of the boxes of the next actions."""


def draw(position: RockPaperScissors, last: int | None = None) -> Drawing:
    """Returns the rounds so far, the latest choice in a frame unless ``last`` is None."""
    shapes: list[Shape] = []
    for band in range(bands(position)):
        for player in (0, 1):
            y = band * BAND + 22 + (player + 0.5) * CELL
            here = player == position.to_move and not position.is_terminal()
            ink = palette.INK if here else palette.MUTED
            shapes.append(Text(0, y, position.side_names[player], 14, ink, "start"))
    for number in range(position.rounds):
        shapes += column(position, number)
    if last is not None and position.ply > 0:
        x, y = centre((position.ply - 1) // 2, (position.ply - 1) % 2)
        shapes.append(square(x, y, CELL / 2 - 2, 8, None, palette.GOLD, 2.5))
    bottom = bands(position) * BAND
    if position.is_terminal():
        score = f"{position.score(0):+d} : {position.score(1):+d}"
        shapes.append(Text(LABEL + 4, bottom + 14, score, 18, palette.INK, "start"))
    for action, place in places(position).items():
        shapes.append(place.outline(0, palette.CELL, palette.GRID, 1))
        shapes += icon(action, place.x, place.y, 0.3 * BOX)
    width = LABEL + min(position.rounds, PER_BAND) * CELL
    box = 0, 0, max(width, LABEL - 4 + 3 * (BOX + 8)), bottom + 6 + BOX
    return card(shapes, box, outcome(position)[0])


def bands(position: RockPaperScissors) -> int:
    """Returns how many bands of rounds there are."""
    return -(-position.rounds // PER_BAND)


def centre(number: int, player: int) -> Point:
    """Returns the middle of a player's choice in a round."""
    band, place = divmod(number, PER_BAND)
    return LABEL + (place + 0.5) * CELL, band * BAND + 22 + (player + 0.5) * CELL


def column(position: RockPaperScissors, number: int) -> list[Shape]:
    """Returns both choices of a round under its number."""
    x, top = centre(number, 0)
    shapes: list[Shape] = [Text(x, top - CELL / 2 - 10, str(number + 1), 12, palette.MUTED)]
    for player in (0, 1):
        _, y = centre(number, player)
        played = number < (position.ply + 1 - player) // 2
        won = number < position.ply // 2 and position.won(player, number) == 1
        fill = palette.GOLD_PALE if won else palette.CELL if played else palette.CARD
        shapes.append(square(x, y, CELL / 2 - 2, 8, fill, palette.CARD_RIM, 1))
        if played:
            shapes += icon(position.choice(player, number), x, y, 0.31 * CELL)
    return shapes


def places(position: RockPaperScissors) -> dict[int, Place]:
    """Returns each action in its box below the rounds."""
    return boxes(position, LABEL - 4, bands(position) * BAND + 6 + BOX / 2, BOX, 8)


def miniature(position: RockPaperScissors) -> Miniature:
    """Returns the latest round."""
    number = max(position.ply - 1, 0) // 2
    shapes: list[Shape] = []
    for player in (0, 1):
        x = (player - 0.5) * 22
        shapes.append(square(x, 0, 10, 4, palette.CELL, palette.GRID, 1))
        if number < (position.ply + 1 - player) // 2:
            shapes += icon(position.choice(player, number), x, 0, 7)
    return Miniature(42, 20, shapes)


# ---- the three things


def icon(choice: int, x: float, y: float, size: float) -> list[Shape]:
    """Returns a rock, a sheet of paper or scissors around (x, y); -1 is a hidden choice."""
    if choice < 0:
        return [Text(x, y, "?", 1.6 * size, palette.MUTED)]
    return (rock, paper, scissors)[choice](x, y, size)


ROCK = (0.95, 0.8, 1.0, 0.9, 0.75, 0.95, 0.85, 0.9)
"""How far its corners are from the middle."""


def rock(x: float, y: float, size: float) -> list[Shape]:
    """Returns a grey stone with corners."""
    corners = tuple(
        (x + far * size * cos((i + 0.3) * pi / 4), y + 0.85 * far * size * sin((i + 0.3) * pi / 4))
        for i, far in enumerate(ROCK)
    )
    edge = (corners[5], (x - 0.05 * size, y - 0.1 * size), corners[1])
    return [Polygon(corners, palette.MUTED, palette.INK, 1.2), Line(edge, palette.INK, 1.2)]


def paper(x: float, y: float, size: float) -> list[Shape]:
    """Returns a white sheet with lines of writing."""
    wide, high = 0.72 * size, 0.95 * size
    sheet = Rect(x - wide, y - high, 2 * wide, 2 * high, 2, palette.WHITE, palette.WHITE_RIM, 1.2)
    lines = [
        Line(((x - 0.45 * size, y + i * size), (x + 0.45 * size, y + i * size)), palette.BLUE, 1.2)
        for i in (-0.5, -0.1, 0.3)
    ]
    return [sheet, *lines]


def scissors(x: float, y: float, size: float) -> list[Shape]:
    """Returns two crossed blades with rings for the fingers."""
    shapes: list[Shape] = []
    for side in (-1, 1):
        tip, ring = (x + side * 0.5 * size, y - size), (x - side * 0.48 * size, y + 0.66 * size)
        shapes.append(Line((tip, (x - side * 0.3 * size, y + 0.4 * size)), palette.INK, 2.2))
        shapes.append(Circle(*ring, 0.3 * size, None, palette.RED, 2.4))
    return shapes


register_picture(RockPaperScissors, Picture(draw=draw, places=places, miniature=miniature))
