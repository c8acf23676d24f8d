"""Writes pictures as SVG text, without any library."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

from adv_envs.position import Position

from . import palette
from .heat import heat_map
from .picture import draw
from .shapes import Circle, Drawing, Line, Point, Polygon, Rect, Shape, Text

SANS = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"

KNOWS_BOTH = "@supports(color:light-dark(#000,#fff))"
"""Other programs skip the rules after this, and show light colours."""


def svg(position: Position, last: int | None = None) -> str:
    """Returns the position as an SVG picture; ``last`` is the action to mark as the latest move."""
    return to_svg(draw(position, last))


def heat_map_svg(position: Position, values: Mapping[int, float], last: int | None = None) -> str:
    """Draws ``heat_map``, the position with the value of each action, as an SVG picture."""
    return to_svg(heat_map(position, values, last))


def to_svg(drawing: Drawing) -> str:
    """Writes a drawing as SVG, on a card of its own: the first line, the card, a line a shape.

    Its colours are light or dark: as the ``color-scheme`` of the page that contains it says, or as
    the reader prefers where it is shown by itself. Programs that do not know the CSS function
    ``light-dark`` show the light ones. On a narrow page the picture is scaled down.
    """
    title = _escape(drawing.title)
    box = f"{drawing.x:g} {drawing.y:g} {drawing.width} {drawing.height}"
    shapes = on_card(drawing)
    colours = (getattr(shape, name, None) for shape in shapes for name in ("fill", "stroke"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="adv-envs" width="{drawing.width}" '
            f'height="{drawing.height}" viewBox="{box}" role="img" aria-label="{title}" '
            f'font-family="{SANS}" stroke-linecap="round" stroke-linejoin="round" '
            f'style="max-width:100%;height:auto"><style>{rules(colours)}</style>',
            *map(element, shapes),
            "</svg>",
        ]
    )


def on_card(drawing: Drawing) -> list[Shape]:
    """Writes the rectangle below a drawing, with its shapes upon it."""
    corner, size = (drawing.x + 0.5, drawing.y + 0.5), (drawing.width - 1, drawing.height - 1)
    return [Rect(*corner, *size, 12, palette.CARD, palette.CARD_RIM, 1), *drawing.shapes]


def shapes_text(drawing: Drawing) -> str:
    """Writes a drawing's shapes as SVG elements, a line each, for a page's ``svg`` element."""
    return "\n".join(map(element, drawing.shapes))


def rules(colours: Iterable[str | None]) -> str:
    """Writes CSS for shapes of these colours, in SVG of the class "adv-envs", on all pages."""
    found = [
        f'.adv-envs [{name}="{colour}"]{{{name}:light-dark({colour},{colour.dark})}}'
        for colour in dict.fromkeys(colours)
        if isinstance(colour, palette.Colour) and colour.dark != colour
        for name in ("fill", "stroke")
    ]
    root = "svg:root{color-scheme:light dark}"  # a file of its own, not SVG within a page
    return f"{KNOWS_BOTH}{{{root}{''.join(found)}}}"


def palette_rules() -> str:
    """Writes ``rules`` for all colours of boards and pieces, for pages of many positions."""
    return rules(colour for colour in vars(palette).values() if isinstance(colour, palette.Colour))


def element(shape: Shape) -> str:
    """Returns a shape as an SVG element, in its light colours."""
    match shape:
        case Rect():
            return (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
                f'height="{_n(shape.height)}" rx="{_n(shape.radius)}"{_paint(shape)}/>'
            )
        case Circle(x, y, radius):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{_paint(shape)}/>'
        case Polygon(points):
            return f'<polygon points="{_points(points)}"{_paint(shape)}/>'
        case Line(points, stroke, line, dash):
            dashes = f' stroke-dasharray="{_n(dash)}"' if dash else ""
            return (
                f'<polyline points="{_points(points)}" fill="none" stroke="{stroke}" '
                f'stroke-width="{_n(line)}"{dashes}/>'
            )
        case Text():
            return _text_element(shape)


def _text_element(shape: Text) -> str:
    text, font = _escape(shape.text), ""
    if shape.mono:  # no-break spaces are not run together
        text = text.replace(" ", "\N{NO-BREAK SPACE}")
        font = f' font-family="{MONO}" textLength="{_n(0.6 * shape.size * len(shape.text))}"'
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    return (
        f'<text x="{_n(shape.x)}" y="{_n(shape.y + 0.35 * shape.size)}" '
        f'font-size="{_n(shape.size)}" fill="{shape.fill}"{anchor}{font}>{text}</text>'
    )


def _paint(shape: Rect | Circle | Polygon) -> str:
    fill = f' fill="{shape.fill or "none"}"'
    if shape.stroke is None:
        return fill
    return f'{fill} stroke="{shape.stroke}" stroke-width="{_n(shape.line)}"'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """Returns a length to a tenth of a pixel."""
    return f"{round(number, 1):g}"


def _escape(text: str) -> str:
    """Escapes text for XML; characters that XML cannot contain become question marks."""
    return html.escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text))
