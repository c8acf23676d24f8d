"""Describes pictures as lists of shapes, before they become SVG or pixels.

Lengths are in pixels, x to the right and y down; later shapes cover earlier ones.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

from . import palette

Point: TypeAlias = tuple[float, float]


class Rect(NamedTuple):
    """Describes a rectangle from its top left corner (x, y), with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    fill: str | None = None
    stroke: str | None = None
    line: float = 0  # width of the stroke, half of it outside


class Circle(NamedTuple):
    """Describes a disc, a ring or both."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 0


class Polygon(NamedTuple):
    """Describes a filled polygon, its joins round."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    line: float = 0


class Line(NamedTuple):
    """Describes a line from point to point, joins and ends round, dashed if dashes are long."""

    points: tuple[Point, ...]
    stroke: str
    line: float
    dash: float = 0


class Text(NamedTuple):
    """Describes one line of text with the middle of its capitals at height ``y``.

    ``anchor`` says where x is: "start", "middle" or "end". ``mono`` text starts at x, and each of
    its characters is 0.6 ``size`` wide.
    """

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "middle"
    mono: bool = False


Shape: TypeAlias = Rect | Circle | Polygon | Line | Text


class Drawing(NamedTuple):
    """Holds a picture: its shapes, and the visible part of the plane, from (x, y) on."""

    x: float
    y: float
    width: int
    height: int
    title: str
    shapes: list[Shape]
    below: tuple[int, int] = 0, 0
    """How many of the shapes, the last ones, are a caption, and the height that it takes."""

    def without_caption(self) -> Drawing:
        """Returns the picture for those who write its title elsewhere."""
        number, height = self.below
        shapes = self.shapes[: len(self.shapes) - number]
        return self._replace(shapes=shapes, height=self.height - height, below=(0, 0))

    def trimmed(self, by: int) -> Drawing:
        """Returns the picture with less around it."""
        x, y, width, height = self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by
        return self._replace(x=x, y=y, width=width, height=height)


def square(
    x: float, y: float, half: float, corner: float = 0, fill: str | None = None,
    stroke: str | None = None, line: float = 0,
) -> Rect:  # fmt: skip
    """Returns a square around (x, y), ``half`` of whose side is given."""
    return Rect(x - half, y - half, 2 * half, 2 * half, corner, fill, stroke, line)


def dashed(x: float, y: float, wide: float, high: float, line: float) -> Line:
    """Draws a dashed rectangle around (x, y), given half its size: a place of nothing."""
    left, top, right, bottom = x - wide, y - high, x + wide, y + high
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return Line(corners, palette.GRID, line, 4)


PIPS = {
    1: [(0, 0)],
    2: [(-1, 1), (1, -1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""Where the pips of each face are, from the middle of the die; higher faces show their number."""


def die(
    x: float, y: float, half: float, face: int, *, fill: str = palette.WHITE,
    rim: str = palette.WHITE_RIM, line: float = 1.5, ink: str = palette.ON_LIGHT,
) -> list[Shape]:  # fmt: skip
    """Returns a die with a face up, around (x, y); a blank one for face 0."""
    body = square(x, y, half, 0.35 * half, fill, rim, line)
    step, radius = 0.52 * half, 0.18 * half
    pips: list[Shape] = [
        Circle(x + i * step, y + j * step, radius, ink) for i, j in PIPS.get(face, ())
    ]
    return [body, *(pips or [Text(x, y, str(face or ""), half, ink)])]


def moved(shape: Shape, x: float, y: float) -> Shape:
    """Returns the shape, ``x`` further to the right and ``y`` further down."""
    if isinstance(shape, Polygon | Line):
        return shape._replace(points=tuple((a + x, b + y) for a, b in shape.points))
    return shape._replace(x=shape.x + x, y=shape.y + y)


def triangle(player: int, x: float, y: float, here: bool) -> Shape:
    """Returns a node where ``player`` moves; filled if it is the current one."""
    up = (-1, 1)[player]
    colour = (palette.RED, palette.BLUE)[player]
    points = ((x, y + up * 18), (x + 18, y - up * 13), (x - 18, y - up * 13))
    return Polygon(points, colour if here else palette.CARD, colour, 2.5)


def on_the_way(start: Point, end: Point, part: float) -> Point:
    """Returns the point at ``part``, 0 to 1, of the straight way between two points."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


HEXAGON = [(sin(i * pi / 3), -cos(i * pi / 3)) for i in range(6)]


def hexagon(centre: Point, radius: float) -> tuple[Point, ...]:
    """Returns the corners of a hexagon that stands on a corner, clockwise from the top."""
    return tuple((centre[0] + radius * x, centre[1] + radius * y) for x, y in HEXAGON)


def clamp(low: float, length: float, high: float) -> float:
    """Returns ``length``, but at least ``low`` and at most ``high``."""
    return max(low, min(length, high))
