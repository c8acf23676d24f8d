"""Registers how a game is drawn: one record for each game, found by a position's class.

A game without a record of its own is drawn as what it is: a ``Board`` as round stones on a grid,
any other position as its text. One call gives it a picture everywhere: in notebooks, windows, heat
maps, search trees and reports::

    register_picture(Nim, Picture(draw=draw_heaps, places=on_heaps))

A subclass has the record of its base class unless it has one of its own. To change a part of a
record, replace it: ``dataclasses.replace(picture_of(Nim()), places=on_heaps)``. The records of the
games that come with the package are in the modules of the same names here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from adv_envs.position import CHANCE, Position, checked, winners_of
from adv_envs.registry import Records

from . import palette
from .shapes import Circle, Drawing, Polygon, Rect, Shape, Text, hexagon

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Piece = Callable[[int, float, float, float], Sequence[Shape]]
"""``piece(player, x, y, radius)``: the shapes of a player's piece around (x, y)."""

MARGIN = 22
CAPTION = 15
"""The size of the line below a picture."""
MONO = 15
"""The size of a game's text."""


class Place(NamedTuple):
    """Says where a move is shown on the picture of a position, for heat maps and marks."""

    x: float
    y: float
    half: float
    """Half the width, or the radius."""
    form: str
    """"square", "disc", "hexagon" or "label", a rounded box, a line of text high or more."""
    name: str = ""
    """What a mark would hide, to be written in its corner; before the value on a "label"."""

    @property
    def high(self) -> float:
        """Returns half the height."""
        if self.form == "label":
            return min(self.half, max(10.5, 0.34 * self.half))
        return self.half

    def outline(self, inset: float, fill: str | None, stroke: str, line: float) -> Shape:
        """Returns the shape of the place, the middle of its stroke ``inset`` inside the border."""
        x, y, half, form, _ = self
        if form == "disc":
            return Circle(x, y, half - inset, fill, stroke, line)
        if form == "hexagon":
            return Polygon(hexagon((x, y), half - 1.16 * inset), fill, stroke, line)
        wide, high = half - inset, self.high - inset
        corner = self.high if form == "label" else 0.3 * half
        return Rect(x - wide, y - high, 2 * wide, 2 * high, corner, fill, stroke, line)


class Target(NamedTuple):
    """Describes something to click on a position's picture: a whole square, a column, an edge."""

    x: float
    y: float
    wide: float
    """Half the width, or the radius."""
    high: float
    """Half the height, or the radius."""
    form: str = "box"
    """"box", "disc", "hexagon" or "diamond"."""
    label: str = ""
    """What it is called, for those who do not see it: "e2, white pawn"."""
    shown: Target | None = None
    """What is marked when a pointer is over it, where that is not the target itself."""

    @classmethod
    def around(cls, place: Place) -> Target:
        """Returns the target that is as large as a place."""
        form = {"square": "box", "label": "box"}.get(place.form, place.form)
        return cls(place.x, place.y, place.half, place.high, form)


class Miniature(NamedTuple):
    """Draws a position as small as a stamp, without names and caption: shapes around (0, 0)."""

    width: float
    height: float
    shapes: list[Shape]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Says how the positions of one game are shown. Only ``draw`` is required."""

    draw: Callable[[Any, int | None], Drawing]
    """``draw(position, last)``: the picture of a position; ``last`` is the action to mark as the
    latest move, or None."""
    places: Callable[[Any], dict[int, Place]] = lambda position: {}
    """Where each legal action is shown on that picture. Heat maps show the actions that are left
    out as bars below it."""
    clicks: Callable[[Any], dict[int, tuple[Target, ...]]] | None = None
    """What a person clicks on that picture, one target after the other, to make each legal action:
    the square of a piece, and the square where it goes. Targets of several actions that lie on the
    same place are one thing to click. Where actions have equal clicks the person then chooses by
    name; those that are left out are buttons below the board. None: the place of ``places``."""
    labels: Callable[[Any], dict[int, str]] = lambda position: {}
    """What a button says for an action whose name would be cryptic there."""
    flipped: Picture | None = None
    """How the game looks from the other side of the board; None where it has no sides."""
    upright: bool = False
    """Whether ``flipped`` is no other side, but a higher picture for narrow screens."""
    miniature: Callable[[Any], Miniature | None] = lambda position: None
    """The position as a small picture for the nodes of search trees; None where it would not be
    recognised or the game has none: its nodes are triangles then."""

    # ---- in words and in a terminal

    tasks: tuple[str, ...] = ()
    """What each player has to do, where the players have different tasks."""
    stones: str = "\u25cf\u25cb"
    """The stones of a board's two players in terminals that can show them."""
    row_shift: float = 0.0
    """By how many cells each row of a board begins to the right of the row above it."""
    column_names_below: bool = False
    """Whether moves are columns of a board, with their names below it and none at its rows."""


def text_card(position: Position, last: int | None = None) -> Drawing:
    """Returns the text of a position, for games that have no picture."""
    lines = [line.expandtabs() for line in str(position).splitlines()]
    step = 1.35 * MONO
    shapes = [
        Text(0, (i + 0.5) * step, line, MONO, palette.INK, "start", mono=True)
        for i, line in enumerate(lines)
    ]
    width = 0.6 * MONO * max(map(len, lines), default=0)
    return card(shapes, (0, 0, width, len(lines) * step), *outcome(position))


_records = Records(Picture, __package__, Picture(draw=text_card))


def register_picture(game: type[Position], picture: Picture) -> None:
    """Registers how ``game`` is drawn, for it and for its subclasses.

    A game that has a record already gets the new one in its place. TypeError unless ``game`` is a
    class of positions and ``picture`` a record.
    """
    _records.register(game, picture)


def picture_of(position: Position) -> Picture:
    """Returns the record of a position's game: its own, or that of the nearest base class."""
    return _records.of_class(type(position))


def draw(position: Position, last: int | None = None) -> Drawing:
    """Returns the picture of a position; ``last`` is the action to mark as the latest move."""
    position = checked(position)
    return picture_of(position).draw(position, last)


def places(position: Position) -> dict[int, Place]:
    """Returns where each legal action is shown on the picture, if it has a place there."""
    position = checked(position)
    return picture_of(position).places(position)


def clicks(position: Position, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns what a person clicks to make each legal action, see ``Picture.clicks``."""
    picture = sided(position, flipped)
    if picture.clicks is not None:
        return picture.clicks(position)
    places = picture.places(position)
    return {action: (Target.around(place),) for action, place in places.items()}


def enlarged(
    places: dict[int, Place], wide: float, high: float, y: float | None = None
) -> dict[int, tuple[Target, ...]]:
    """Returns clicks on more than what is marked: half sizes, and perhaps another middle."""
    return {
        action: (Target(p.x, p.y if y is None else y, wide, high, shown=Target.around(p)),)
        for action, p in places.items()
    }


def boxes(position: Position, left: float, y: float, size: float, gap: float) -> dict[int, Place]:
    """Returns a box for each legal action, side by side from ``left`` on, with its name."""
    return {
        action: Place(left + (i + 0.5) * (size + gap), y, size / 2, "square", position.name(action))
        for i, action in enumerate(position.legal_actions())
    }


def two_sided(
    draw: Callable[..., Drawing],
    places: Callable[..., dict[int, Place]],
    clicks: Callable[..., dict[int, tuple[Target, ...]]],
    **others: Any,
) -> Picture:
    """Returns the record of a game with sides; functions take ``flipped`` for the other one."""
    other: dict[str, Any] = {
        "draw": functools.partial(draw, flipped=True),
        "places": functools.partial(places, flipped=True),
        "clicks": functools.partial(clicks, flipped=True),
    }
    flipped = Picture(**other, **others)
    return Picture(draw=draw, places=places, clicks=clicks, flipped=flipped, **others)


def sided(position: Position, flipped: bool) -> Picture:
    """Returns the record of a position's game, from the other side if ``flipped``."""
    picture = picture_of(position)
    return picture.flipped or picture if flipped else picture


# ---- the card that every picture lies on


def card(
    shapes: Sequence[Shape],
    box: Box,
    caption: str,
    player: int | None = None,
    piece: Piece | None = None,
) -> Drawing:
    """Places ``shapes``, which fill ``box``, above a caption, perhaps with a ``piece``."""
    left, top, right, bottom = box
    missing = max(0, 180 - (right - left))  # the caption needs this width
    left, right = left - missing / 2, right + missing / 2
    x, y = left, bottom + 14 + CAPTION / 2
    symbol: Sequence[Shape] = ()
    if piece is not None and player is not None:
        symbol = piece(player, x + 7, y, 7)
        x += 22
    text = Text(x, y, caption, CAPTION, palette.INK, "start")
    width, high = round(right - left + 2 * MARGIN), round(y - top + CAPTION / 2 + 2 * MARGIN - 4)
    below = len(symbol) + 1, round(high - (bottom - top + 2 * MARGIN))
    every = [*shapes, *symbol, text]
    return Drawing(left - MARGIN, top - MARGIN, width, high, caption, every, below)


def outcome(position: Position) -> tuple[str, int | None]:
    """Says whose turn it is or how the game ended, and the one player whose piece goes with it."""
    if not position.is_terminal():
        player = position.to_move
        return position.turn_text(), None if player == CHANCE else player
    winners = winners_of(position)
    return position.result_text(), winners[0] if len(winners) == 1 else None
