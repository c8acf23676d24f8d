"""Pictures as lists of shapes, before they become SVG or pixels: what ``drawings`` makes.

Lengths are in pixels, x to the right and y down; later shapes cover earlier ones.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]


class Rect(NamedTuple):
    """A rectangle from its top left corner (x, y), with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    fill: str | None = None
    stroke: str | None = None
    line: float = 0  # width of the stroke, half of it outside


class Circle(NamedTuple):
    """A disc, a ring or both."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 0


class Polygon(NamedTuple):
    """A filled polygon, its joins round."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    line: float = 0


class Line(NamedTuple):
    """A line from point to point, its joins and ends round; drawn in dashes if they have a length.

    Only the first and the last point of a dashed line count.
    """

    points: tuple[Point, ...]
    stroke: str
    line: float
    dash: float = 0


class Text(NamedTuple):
    """One line of text with the middle of its capitals at height ``y``.

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


class Scene(NamedTuple):
    """A picture: what is drawn, and the part of the plane that is seen, from (x, y) on."""

    x: float
    y: float
    width: int
    height: int
    title: str
    shapes: list[Shape]


def moved(shape: Shape, x: float, y: float) -> Shape:
    """The shape, ``x`` further to the right and ``y`` further down."""
    if isinstance(shape, Polygon | Line):
        return shape._replace(points=tuple((a + x, b + y) for a, b in shape.points))
    return shape._replace(x=shape.x + x, y=shape.y + y)
