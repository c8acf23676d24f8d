"""Boards with the right moves and the one that was made marked upon them."""

from __future__ import annotations

from collections.abc import Collection

from adv_envs import Position
from adv_envs.pictures import draw, places
from adv_envs.pictures.picture import Place
from adv_envs.pictures.shapes import Circle, Line, Polygon, Rect, Shape, hexagon
from adv_envs.pictures.svg import to_svg

RIGHT, WRONG, WHITE = "#12805c", "#c0262d", "#ffffff"


def marked(position: Position, right: Collection[int], played: int | None) -> str:
    """The position as SVG: rings around the right moves, a disc with a cross upon the one made.

    Moves that have no place on the picture are not marked. The SVG is for use inside a page of
    HTML, which needs no namespace.
    """
    drawing, where = draw(position, None), places(position)
    shapes = [shape for action in right if action in where for shape in ring(where[action])]
    if played in where:
        shapes += badge(where[played], RIGHT if played in right else WRONG)
    whole = drawing._replace(shapes=[*drawing.shapes, *shapes])
    return to_svg(whole).replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def ring(place: Place) -> list[Shape]:
    """A frame in the form of the place, green on a paler one that is seen on any ground."""
    line = max(3.0, 0.16 * place.half)
    return [frame(place, line + 4, WHITE), frame(place, line, RIGHT)]


def frame(place: Place, line: float, colour: str) -> Shape:
    """The outline of a place, the middle of its line where all such lines have theirs."""
    x, y, half, form, _ = place
    inner = max(3.0, 0.16 * half) / 2 + 2
    if form == "disc":
        return Circle(x, y, half - inner, None, colour, line)
    if form == "hexagon":
        return Polygon(hexagon((x, y), half - 1.5 * inner), None, colour, line)
    high = min(half, 14.0) if form == "label" else half
    wide = half - inner
    corner = 0.3 * high
    return Rect(
        x - wide, y - high + inner, 2 * wide, 2 * (high - inner), corner, None, colour, line
    )


def badge(place: Place, colour: str) -> list[Shape]:
    """A disc with a cross in the middle of the place, which no stone looks like."""
    radius = 0.45 * (place.half if place.form != "label" else min(place.half, 20.0))
    arm, x, y = 0.42 * radius, place.x, place.y
    line = max(1.5, 0.2 * radius)
    strokes = (((x - arm, y - s * arm), (x + arm, y + s * arm)) for s in (1, -1))
    return [
        Circle(x, y, radius, colour, WHITE, 1.5),
        *(Line(ends, WHITE, line) for ends in strokes),
    ]
