"""Hex: hexagons on their tips, and around them the edges in the colours of those who join them.

The middle of the top left cell is (0, 0).
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from adv_envs.games.hex import Hex

from . import palette
from .boards import RED_BLUE, cells, names, set_by
from .card import between, card, draw, outcome
from .shapes import Point, Polygon, Scene, Shape, Text

CORNERS = [(sin(i * pi / 3), -cos(i * pi / 3)) for i in range(6)]  # clockwise from the top


@draw.register
def draw_hex(position: Hex, last: int | None = None) -> Scene:
    """Stones in a rhombus of hexagons."""
    n = position.size
    board = Rhombus(n)
    radius, rim, size = board.radius, board.rim, between(11, 0.32 * board.step, 15)
    shapes = edges(board)
    for cell in cells(position):
        corners = hexagon(board.centre(*cell), radius)
        shapes.append(Polygon(corners, palette.CELL, palette.GRID, 0.6 + 0.05 * radius))
    columns, rows = names(position)
    for i in range(n):
        x, y = board.centre(-1, i)
        shapes.append(Text(x, y, columns[i], size, palette.MUTED))
        x, y = board.centre(i, 0)
        shapes.append(Text(x - rim - 0.1 * size, y, rows[i], size, palette.MUTED, "end"))
    swapped = last == n * n and position.swap and position.ply == 2
    latest = cells(position) if swapped else set_by(position, last)
    shapes += RED_BLUE.on(position, board.centre, 0.66 * radius, latest)
    right, bottom = board.centre(n - 1, n - 1)
    left, top = -rim - 1.4 * size, -1.5 * radius - 0.6 * size
    box = left, top, right + rim, bottom + rim
    return card(shapes, box, *outcome(position), RED_BLUE.piece)


class Rhombus:
    """``n`` rows of ``n`` hexagons; each row starts half a cell to the right of the one above."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.step = between(31, 640 / (1.5 * n - 0.5), 72)  # from cell to cell
        self.radius = self.step / sqrt(3)  # of a cell, to its corners
        self.rim = self.radius + between(6, 0.24 * self.radius, 9)  # of what edges lie below it

    def centre(self, row: float, column: float) -> Point:
        """The middle of a cell."""
        return (column + row / 2) * self.step, row * 1.5 * self.radius


def hexagon(centre: Point, radius: float) -> tuple[Point, ...]:
    """Its corners, clockwise from the top."""
    return tuple((centre[0] + radius * x, centre[1] + radius * y) for x, y in CORNERS)


def edges(board: Rhombus) -> list[Shape]:
    """Larger hexagons, to lie below those at the edge: red at top and bottom, blue at the sides."""
    last = board.n - 1
    red = [(row, i) for row in (0, last) for i in range(board.n)]
    blue = [(i, column) for column in (0, last) for i in range(board.n)]
    shapes: list[Shape] = []
    for places, colour in ((red, palette.RED), (blue, palette.BLUE)):
        for cell in places:
            shapes.append(Polygon(hexagon(board.centre(*cell), board.rim), colour))
    halves = {  # of the corner cells are red: from corner to corner, 0.5 being halfway from 0 to 1
        (0, 0): (5, 0, 1, 2),
        (last, last): (2, 3, 4, 5),
        (0, last): (0.5, 0, 5, 4, 3.5),
        (last, 0): (0.5, 1, 2, 3, 3.5),
    }
    for cell, half in halves.items():
        corners = hexagon(board.centre(*cell), board.rim)
        points = [(corners[int(i)], corners[int(i + 0.5)]) for i in half]
        red_half = tuple(((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in points)
        shapes.append(Polygon(red_half, palette.RED))
    return shapes
