"""Draws playing cards of the usual deck: face up, face down, empty places, rows and fans.

A card is written as its rank, one of A 2 3 4 5 6 7 8 9 T J Q K, and its suit, one of s h d c: "Th"
is the ten of hearts. "?" is a card that lies face down, and "" a place without one. Cards stand
around (x, y) and are 1.4 times as high as they are wide; rank and suit are in the top left corner,
so that a card which others overlap from the right can still be read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from . import palette
from .shapes import Circle, Polygon, Rect, Shape, Text, dashed

RATIO = 1.4
"""The height of a card, where its width is 1."""
SUIT_RED = palette.Colour("#b3261a")
"""Hearts and diamonds, on cards that are light on every page."""
LEAST_BIG = 30
"""The least width of a card with a second, larger sign of its suit."""


def playing_card_shapes(
    x: float, y: float, width: float, card: str, *, framed: bool = False, pale: bool = False
) -> list[Shape]:
    """Returns any card, see above; in a gold frame, or paler as one that is out of play."""
    if card == "":
        return [dashed(x, y, width / 2, RATIO * width / 2, 1.5)]
    if card == "?":
        return card_back(x, y, width, framed=framed, pale=pale)
    return card_face(x, y, width, card, framed=framed, pale=pale)


def card_face(
    x: float, y: float, width: float, card: str, *, framed: bool = False, pale: bool = False
) -> list[Shape]:
    """Returns a card face up: rank and suit in the corner, and the suit once more if there is room.

    Ranks can be read from a width of about 14 on.
    """
    rank, suit = card[0], card[1]
    fill = palette.CELL if pale else palette.WHITE
    ink = palette.MUTED if pale else SUIT_RED if suit in "hd" else palette.ON_LIGHT
    shapes: list[Shape] = [card_body(x, y, width, fill, palette.WHITE_RIM, framed)]
    left, top = x - width / 2, y - RATIO * width / 2
    if width < LEAST_BIG:
        shapes.append(rank_text(x, top + 0.4 * width, rank, 0.72 * width, ink))
        return [*shapes, *suit_sign(x, y + 0.32 * width, 0.5 * width, suit, ink)]
    corner = left + 0.25 * width
    shapes.append(rank_text(corner, top + 0.27 * width, rank, 0.42 * width, ink))
    shapes += suit_sign(corner, top + 0.6 * width, 0.26 * width, suit, ink)
    return [*shapes, *suit_sign(x + 0.18 * width, y + 0.3 * width, 0.5 * width, suit, ink)]


def card_back(
    x: float, y: float, width: float, *, framed: bool = False, pale: bool = False
) -> list[Shape]:
    """Returns a card face down: a blue back with a lattice."""
    fill = palette.CARD_RIM if pale else palette.BLUE
    rim = palette.GRID if pale else palette.BLUE_RIM
    inset, high = 0.13 * width, RATIO * width
    left, top = x - width / 2 + inset, y - high / 2 + inset
    wide, high = width - 2 * inset, high - 2 * inset
    step = wide / 3
    lattice: list[Shape] = []
    for i in range(3):
        for j in range(4):
            centre = left + (i + 0.5) * step, top + (j + 0.5) * high / 4
            lattice.append(diamond(*centre, 0.3 * step, 0.3 * high / 4, rim))
    return [
        card_body(x, y, width, fill, rim, framed),
        Rect(left, top, wide, high, 0.06 * width, None, rim, max(0.8, 0.03 * width)),
        *(lattice if width >= LEAST_BIG else ()),
    ]


def card_body(x: float, y: float, width: float, fill: str, rim: str, framed: bool) -> Rect:
    """Returns the rounded rectangle of a card, with a rim, or in a gold frame."""
    high, corner = RATIO * width, max(2.0, 0.11 * width)
    stroke, line = (palette.GOLD, 2.8) if framed else (rim, 1.4 if width >= LEAST_BIG else 1.0)
    return Rect(x - width / 2, y - high / 2, width, high, corner, fill, stroke, line)


def card_fan(
    x: float, y: float, width: float, cards: Sequence[str], pitch: float = 0, *,
    framed: Collection[str] = (), pale: Collection[str] = (),
) -> list[Shape]:  # fmt: skip
    """Returns cards in a row around (x, y), their middles ``pitch`` apart; 0: side by side.

    A pitch below ``width`` makes a fan, in which each card lies upon the one to its left.
    ``framed`` and ``pale`` are cards of the row that are marked so.
    """
    shapes: list[Shape] = []
    for middle, card in zip(fan_places(x, width, len(cards), pitch), cards, strict=True):
        look = {"framed": card in framed, "pale": card in pale}
        shapes += playing_card_shapes(middle, y, width, card, **look)
    return shapes


def fan_places(x: float, width: float, number: int, pitch: float = 0) -> list[float]:
    """Returns the middles of the cards of a ``card_fan`` of ``number`` cards, from the left."""
    step = pitch or 1.12 * width
    return [x + (i - (number - 1) / 2) * step for i in range(number)]


def rank_text(x: float, y: float, rank: str, size: float, ink: str) -> Text:
    """Returns a rank around (x, y); T is written as 10."""
    return Text(x, y, "10", 0.82 * size, ink) if rank == "T" else Text(x, y, rank, size, ink)


def suit_sign(x: float, y: float, size: float, suit: str, ink: str) -> list[Shape]:
    """Returns the sign of a suit, one of s h d c, about ``size`` wide and high around (x, y)."""
    unit = size / 18
    if suit == "d":
        return [diamond(x, y, 7.4 * unit, 9.4 * unit, ink)]
    if suit == "h":
        lobes = [Circle(x + i * 4 * unit, y - 3 * unit, 4.6 * unit, ink) for i in (-1, 1)]
        return [*lobes, polygon_of(x, y, unit, ((-8.2, -0.8), (8.2, -0.8), (0, 9)), ink)]
    stem = polygon_of(x, y, unit, ((0, -1), (3.5, 9), (-3.5, 9)), ink)
    if suit == "s":
        lobes = [Circle(x + i * 4 * unit, y + 1.5 * unit, 4.6 * unit, ink) for i in (-1, 1)]
        return [*lobes, polygon_of(x, y, unit, ((-8.2, -0.6), (8.2, -0.6), (0, -9)), ink), stem]
    leaves = ((-4.6, 1.6), (4.6, 1.6), (0, -4.8))
    return [*(Circle(x + a * unit, y + b * unit, 4.4 * unit, ink) for a, b in leaves), stem]


def polygon_of(
    x: float, y: float, unit: float, corners: Sequence[tuple[float, float]], ink: str
) -> Polygon:
    """Returns a filled polygon around (x, y), whose corners are given in units."""
    return Polygon(tuple((x + a * unit, y + b * unit) for a, b in corners), ink)


def diamond(x: float, y: float, wide: float, high: float, ink: str) -> Polygon:
    """Returns a square on its corner around (x, y), given half its width and height."""
    return Polygon(((x, y - high), (x + wide, y), (x, y + high), (x - wide, y)), ink)


def dealer_button(x: float, y: float, radius: float = 9) -> list[Shape]:
    """Returns the round button D that says who deals."""
    button = Circle(x, y, radius, palette.WHITE, palette.WHITE_RIM, 1.5)
    return [button, Text(x, y, "D", 1.2 * radius, palette.ON_LIGHT)]
