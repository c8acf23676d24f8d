"""Pictures of report cards: the calibration chart, and boards with good and bad moves marked."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from adv_envs import Position
from adv_envs.pictures import draw, places
from adv_envs.pictures.palette import HALO, ON_DARK, Colour
from adv_envs.pictures.picture import Place
from adv_envs.pictures.shapes import Circle, Line, Shape
from adv_envs.pictures.svg import to_svg
from agents.grading.metrics import BINS

RIGHT = Colour("#12805c", "#3fb68b")
"""Around right moves."""
RIGHT_DISC, WRONG_DISC = "#12805d", "#c0262d"
"""On the move that was made."""

SIDE, LEFT, TOP, BELOW = 300.0, 44.0, 12.0, 92.0
"""The side of the square, and the space at its left, above and below it, in pixels."""

COUNTS = 36.0
"""Height of the tallest bar of the counts."""


def calibration_chart(bins: Sequence[Mapping[str, Any]]) -> str:
    """Claimed against true chances of winning as SVG: a dot with its interval for each bin.

    Bars below show the number of claims in each bin. Dots on the diagonal are right. The colours
    are classes of the page.
    """
    width, height = LEFT + SIDE + 12, TOP + SIDE + BELOW
    words = "claimed chances of winning against the true ones"
    parts = [
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{words}">',
        f'<rect class="frame" x="{LEFT:g}" y="{TOP:g}" width="{SIDE:g}" height="{SIDE:g}"/>',
        f'<line class="ideal" x1="{x(0):g}" y1="{y(0):g}" x2="{x(1):g}" y2="{y(1):g}"/>',
        *ticks(),
    ]
    most = max(each["true"]["n"] for each in bins)
    for each in bins:
        claimed, true = each["claimed"], each["true"]
        at, low, high = x(claimed), y(true["low"]), y(true["high"])
        tip = f"claimed {claimed:.2f}, true {true['value']:.2f}, {true['n']} positions"
        parts += [
            f'<g><title>{tip}</title><line class="interval" x1="{at:.1f}" y1="{low:.1f}" '
            f'x2="{at:.1f}" y2="{high:.1f}"/>',
            f'<circle class="dot" cx="{at:.1f}" cy="{y(true["value"]):.1f}" r="5"/></g>',
            count_bar(claimed, true["n"], most),
        ]
    return "".join([*parts, "</svg>"])


def x(chance: float) -> float:
    """The x of a claimed chance."""
    return LEFT + SIDE * chance


def y(chance: float) -> float:
    """The y of a true chance."""
    return TOP + SIDE * (1 - chance)


def ticks() -> list[str]:
    """The numbers and names of the axes."""
    parts = []
    for chance in (0.0, 0.25, 0.5, 0.75, 1.0):
        below = f'x="{x(chance):g}" y="{TOP + SIDE + 16:g}" text-anchor="middle"'
        beside = f'x="{LEFT - 6:g}" y="{y(chance) + 4:g}" text-anchor="end"'
        parts += [f"<text {place}>{chance:g}</text>" for place in (below, beside)]
    middle = TOP + SIDE / 2
    return [
        *parts,
        f'<text x="{x(0.5):g}" y="{TOP + SIDE + 33:g}" text-anchor="middle">claimed chance</text>',
        f'<text transform="translate(12 {middle:g}) rotate(-90)" text-anchor="middle">'
        "true chance</text>",
    ]


def count_bar(claimed: float, number: int, most: int) -> str:
    """A bar for the number of claims in the bin of ``claimed``."""
    left = min(int(claimed * BINS), BINS - 1) / BINS
    tall = max(1.5, COUNTS * number / most)
    bottom = TOP + SIDE + BELOW - 4
    return (
        f'<rect class="count" x="{x(left) + 1:.1f}" y="{bottom - tall:.1f}" '
        f'width="{SIDE / BINS - 2:g}" height="{tall:.1f}"/>'
    )


# ---- boards


def marked_board(position: Position, right: Collection[int], played: int | None) -> str:
    """The position as SVG: frames around the right moves, a disc with a cross on the one made.

    Moves that have no place on the picture are not marked. The SVG is for use inside a page of
    HTML, which needs no namespace, and has the rules of the colours.
    """
    drawing, where = draw(position), places(position)
    shapes = [shape for action in right if action in where for shape in ring(where[action])]
    if played in where:
        shapes += badge(where[played], RIGHT_DISC if played in right else WRONG_DISC)
    text = to_svg(drawing._replace(shapes=[*drawing.shapes, *shapes]))
    return re.sub(' xmlns="[^"]*"|<style>.*?</style>', "", text)


def ring(place: Place) -> list[Shape]:
    """A frame in the form of the place, between two paler ones that are seen on any ground."""
    line = max(3.0, 0.16 * place.half)
    inset = line / 2 + 2
    return [place.outline(inset, None, HALO, line + 4), place.outline(inset, None, RIGHT, line)]


def badge(place: Place, colour: str) -> list[Shape]:
    """A disc with a cross in the middle of the place, unlike any stone."""
    radius = 0.45 * min(place.half, 2 * place.high)
    arm, x, y = 0.42 * radius, place.x, place.y
    line = max(1.5, 0.2 * radius)
    strokes = (((x - arm, y - s * arm), (x + arm, y + s * arm)) for s in (1, -1))
    return [
        Circle(x, y, radius, colour, ON_DARK, 1.5),
        *(Line(ends, ON_DARK, line) for ends in strokes),
    ]
