"""Draws Dots and Boxes: dots, the edges between them, boxes in their owners' colours.

The dot at the top left is (0, 0).
"""

from __future__ import annotations

from adv_envs.games.dots_and_boxes import DotsAndBoxes

from . import palette
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Rect, Shape, Text, clamp, moved, square

BOXES = (palette.RED, palette.BLUE)


def draw(position: DotsAndBoxes, last: int | None = None) -> Drawing:
    """Draws edges not drawn yet thin, and the last one golden."""
    step = side(position)
    width, height = position.columns * step, position.rows * step
    shapes: list[Shape] = [
        Rect(-0.3 * step, -0.3 * step, width + 0.6 * step, height + 0.6 * step, 0.2 * step,
             palette.CELL, palette.GRID, 1.5)
    ]  # fmt: skip
    shapes += board(position, step, last)
    size = clamp(9, 0.22 * step, 14)
    for column in range(position.columns + 1):
        name = chr(ord("a") + column)
        shapes.append(Text(column * step, -0.3 * step - size, name, size, palette.MUTED))
    for row in range(position.rows + 1):
        at = -0.3 * step - 0.6 * size
        shapes.append(Text(at, row * step, str(row + 1), size, palette.MUTED, "end"))
    words, player = outcome(position)
    if not position.is_terminal():
        words = f"{words}   {position.first.bit_count()} : {position.second.bit_count()}"
    edge, out = 0.3 * step, 0.5 * step  # targets reach further than what is drawn
    left, top = min(-edge - 2 * size, -out), min(-edge - 1.6 * size, -out)
    box = (left, top, width + out, height + out)
    return card(shapes, box, words, player, piece)


def board(position: DotsAndBoxes, step: float, last: int | None) -> list[Shape]:
    """Draws boxes, edges and dots."""
    shapes: list[Shape] = []
    for box in range(position.rows * position.columns):
        owner = position.owner(box)
        if owner is not None:
            row, column = divmod(box, position.columns)
            middle = (column + 0.5) * step, (row + 0.5) * step
            shapes.append(square(*middle, 0.37 * step, 0.1 * step, BOXES[owner]))
    for edge in range(position.num_actions):
        ends = ends_of(position, edge, step)
        if position.edges >> edge & 1 == 0:
            shapes.append(Line(ends, palette.GRID, max(0.8, 0.015 * step)))
        elif edge != last:
            shapes.append(Line(ends, palette.INK, max(1.5, 0.075 * step)))
    if last is not None and 0 <= last < position.num_actions and position.edges >> last & 1:
        shapes.append(Line(ends_of(position, last, step), palette.GOLD, max(2, 0.1 * step)))
    for row in range(position.rows + 1):
        for column in range(position.columns + 1):
            shapes.append(Circle(column * step, row * step, max(1.6, 0.075 * step), palette.INK))
    return shapes


def side(position: DotsAndBoxes) -> float:
    """Returns the length of an edge that suits the board."""
    return clamp(24, 380 / max(position.rows, position.columns), 96)


def ends_of(position: DotsAndBoxes, edge: int, step: float) -> tuple[Point, Point]:
    """Returns the two ends of an edge."""
    (row, column), (below, right) = position.dots(edge)
    return (column * step, row * step), (right * step, below * step)


def piece(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns a square of the player's colour."""
    return [square(x, y, radius, 0.3 * radius, BOXES[player])]


def places(position: DotsAndBoxes) -> dict[int, Place]:
    """Returns each move on the middle of its edge."""
    step, found = side(position), {}
    for edge in position.legal_actions():
        (left, top), (right, bottom) = ends_of(position, edge, step)
        found[edge] = Place((left + right) / 2, (top + bottom) / 2, 0.23 * step, "disc")
    return found


def clicks(position: DotsAndBoxes) -> dict[int, tuple[Target, ...]]:
    """Returns the diamond around each edge, as far as edges beside it leave room."""
    half = side(position) / 2
    found: dict[int, tuple[Target, ...]] = {}
    for edge, (x, y, *_) in places(position).items():
        (left, _), (right, _) = ends_of(position, edge, 1)
        thick = max(2.0, 0.12 * half)
        long = Target(x, y, half, thick) if left < right else Target(x, y, thick, half)
        found[edge] = (Target(x, y, half, half, "diamond", shown=long),)
    return found


def miniature(position: DotsAndBoxes) -> Miniature | None:
    """Returns the board without names; None for large ones."""
    if max(position.rows, position.columns) > 5:
        return None
    step = min(22.0, 70 / max(position.rows, position.columns))
    width, height = position.columns * step, position.rows * step
    shapes = [moved(shape, -width / 2, -height / 2) for shape in board(position, step, None)]
    return Miniature(width + 4, height + 4, shapes)


register_picture(
    DotsAndBoxes, Picture(draw=draw, places=places, clicks=clicks, miniature=miniature)
)
