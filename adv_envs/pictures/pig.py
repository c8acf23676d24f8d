"""Draws Pig: the two scores on their way to the target, the turn total, and the die."""

from __future__ import annotations

from adv_envs.games.pig import Pig

from . import palette
from .picture import Picture, card, outcome, register_picture
from .shapes import Drawing, Line, Point, Polygon, Shape, Text, die

WIDTH = 260
ROW = 66  # from one player to the next
HALF = 33  # of the die's width
COLOURS = (palette.RED, palette.BLUE)


def draw(position: Pig, last: int | None = None) -> Drawing:
    """Draws scores as bars that are full at the target, the turn total on top of one, and a die."""
    shapes: list[Shape] = []
    for player in (0, 1):
        shapes += score(position, player, player * ROW)
    y = 2 * ROW + HALF
    if position.rolling:
        shapes += rolling_die(HALF, y)
    elif face := shown(position, last):
        ink = palette.RED if face == 1 else palette.ON_LIGHT
        shapes += die(HALF, y, HALF, face, ink=ink)
    else:
        shapes += die(HALF, y, HALF, 0, fill=palette.CELL, rim=palette.GRID)
    if not position.is_terminal():
        shapes.append(Text(2 * HALF + 20, y - 8, f"+{position.turn}", 34, palette.INK, "start"))
        shapes.append(Text(2 * HALF + 20, y + 22, "this turn", 14, palette.MUTED, "start"))
    return card(shapes, (0, 0, WIDTH, y + HALF), outcome(position)[0])


def shown(position: Pig, last: int | None) -> int | None:
    """Returns the face that the die shows, if ``last``, a face or an action, tells it."""
    if last is None or (position.turn == 0) != (last == 0):
        return None  # a player rolled, with whatever result, or held
    return last + 1


def score(position: Pig, player: int, top: float) -> list[Shape]:
    """Returns a player's score, as a number and as a bar, and what the turn adds to it."""
    points, start, end, y = position.score(player), 4, WIDTH - 4, top + 42
    name = position.side_names[player]
    shapes: list[Shape] = [
        Text(-1, top + 15, str(points), 34, palette.INK, "start"),
        Text(WIDTH, top + 20, f"{name}, of {position.target}", 14, palette.MUTED, "end"),
        Line(((start, y), (end, y)), palette.CARD_RIM, 8),
    ]
    turn = position.turn if player == position.mover else 0
    for reached, colour in ((points + turn, palette.GOLD), (points, COLOURS[player])):
        if reached > 0:
            part = min(reached / position.target, 1)
            shapes.append(Line(((start, y), (start + (end - start) * part, y)), colour, 8))
    return shapes


def rolling_die(x: float, y: float) -> list[Shape]:
    """Draws a die that rolls: tilted, with a question mark."""
    long, short = 0.86 * HALF, 0.42 * HALF  # turned by some 26 degrees
    corners: tuple[Point, ...] = (
        (x + long, y + short),
        (x - short, y + long),
        (x - long, y - short),
        (x + short, y - long),
    )
    return [
        Polygon(corners, palette.WHITE, palette.GOLD, 8),
        Polygon(corners, palette.WHITE, palette.WHITE, 5),
        Text(x, y, "?", 28, palette.ON_LIGHT),
    ]


register_picture(Pig, Picture(draw=draw))
