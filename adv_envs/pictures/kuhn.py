"""Draws Kuhn poker, and what any poker is made of: cards, chips, a table of who did what.

Every player has a row: the card, the chips in the pot, and the actions, a column for each time that
the turn went around. What may be done next stands below, each action in a box of its own. The top
left is (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from adv_envs.games.kuhn import Kuhn, rank_names

from . import palette
from .picture import Miniature, Picture, Place, boxes, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Polygon, Rect, Shape, Text, dashed

# ---- a table of any poker

WIDE, HIGH = 38, 54
"""The size of a card."""
ROW = HIGH + 10
HEAD = 24  # above the rows
WORDS = 150  # where the columns of actions begin
COLUMN = 56
SMALL = 16
"""The width of a card of a miniature."""
BOX = 46
"""The size of the boxes of the next actions."""


def poker_picture(table: Callable[[Any], PokerTable]) -> Picture:
    """Returns the picture's record of a game; ``table`` says what is seen of a position."""
    return Picture(
        draw=lambda position, last: table(position).draw(last),
        places=lambda position: table(position).places(),
        miniature=lambda position: table(position).miniature(),
    )


class Seat(NamedTuple):
    """Describes what is seen of a player."""

    card: str
    """Such as "Q" or "Qh", "?" face down, "" not dealt."""
    chips: int
    out: bool = False


class Round(NamedTuple):
    """Describes a round of betting: its name, and (player, action) in turn, as words."""

    name: str
    actions: Sequence[tuple[int, str]]
    room: int = 2
    """How many columns there may be."""

    def columns(self) -> list[int]:
        """Returns the column of each action: a new one where the turn has come around."""
        found: list[int] = []
        for i, (player, _) in enumerate(self.actions):
            around = i > 0 and player <= self.actions[i - 1][0]
            found.append(found[-1] + around if found else 0)
        return found


class PokerTable(NamedTuple):
    """Describes all that is seen of a game: ``public`` is a card of all, None without one."""

    position: Any
    seats: Sequence[Seat]
    rounds: Sequence[Round]
    public: str | None = None

    @property
    def bottom(self) -> float:
        """Returns where the rows end: of the players, and of the pot."""
        public = ROW if self.public is not None else 30
        return HEAD + len(self.seats) * ROW + public

    @property
    def width(self) -> float:
        """Returns the width of all."""
        return WORDS + COLUMN * sum(each.room for each in self.rounds)

    def draw(self, last: int | None) -> Drawing:
        """Returns the table, with the latest card or action in a frame unless ``last`` is None."""
        new = self.latest_card() if last is not None else None
        shapes = [*self.draw_rounds(last is not None and new is None), *self.draw_pot(new)]
        for player, seat in enumerate(self.seats):
            y = HEAD + (player + 0.5) * ROW
            shapes += playing_card(WIDE / 2, y, seat.card, seat.out, player == new)
            shapes += self.draw_seat(player, y)
        for place in self.places().values():
            shapes.append(place.outline(0, palette.CELL, palette.GRID, 1))
            shapes.append(Text(place.x, place.y, place.name, 14, palette.INK))
        return card(shapes, (0, 0, self.width, self.bottom + 14 + BOX), outcome(self.position)[0])

    def latest_card(self) -> int | None:
        """Returns whose card was dealt in the last ply, the public one nobody's; None: no card."""
        players = len(self.seats)
        if self.rounds[-1].actions or (self.rounds[0].actions and not self.public):
            return None
        return players if self.public else sum(seat.card != "" for seat in self.seats) - 1

    def draw_seat(self, player: int, y: float) -> list[Shape]:
        """Says whose row it is, the chips put in, and at the end what was won."""
        position, seat = self.position, self.seats[player]
        over = position.is_terminal()
        here = player == position.to_move and not over
        ink = palette.INK if here else palette.MUTED
        shapes: list[Shape] = [
            Text(WIDE + 12, y - 12, position.side_names[player], 14, ink, "start")
        ]
        shapes += chips(WIDE + 12, y + 12, seat.chips)
        if over:
            won = position.utility(player)
            ink = palette.INK if won > 0 else palette.MUTED
            shapes.append(Text(WORDS - 22, y + 12, f"{won:+g}", 16, ink, "end"))
        return shapes

    def draw_rounds(self, marked: bool) -> list[Shape]:
        """Draws the actions under the names of the rounds, the latest framed if ``marked``."""
        shapes: list[Shape] = []
        left, frame = WORDS, None
        for each in self.rounds:
            width = COLUMN * each.room
            shapes.append(Text(left, 8, each.name, 13, palette.MUTED, "start"))
            shapes.append(
                Line(((left, HEAD - 4), (left + width - 10, HEAD - 4)), palette.CARD_RIM, 1.5)
            )
            for column, (player, word) in zip(each.columns(), each.actions, strict=True):
                x, y = left + COLUMN * column, HEAD + (player + 0.5) * ROW
                shapes.append(Text(x, y, word, 15, palette.INK, "start"))
                frame = Rect(x - 6, y - 12, COLUMN - 5, 24, 7, None, palette.GOLD, 2)
            left += width
        return [*shapes, frame] if frame is not None and marked else shapes

    def draw_pot(self, new: int | None) -> list[Shape]:
        """Returns the public card, if the game has one, and all the chips."""
        x, y = 0.0, self.bottom - 15
        shapes: list[Shape] = []
        if self.public is not None:
            x, y = WIDE + 12, self.bottom - ROW / 2
            framed = new == len(self.seats)
            shapes = playing_card(WIDE / 2, y, self.public, False, framed)
            shapes.append(Text(x, y - 12, "public", 14, palette.MUTED, "start"))
            y += 12
        shapes += chips(x, y, sum(seat.chips for seat in self.seats))
        shapes.append(Text(x + 50, y, "in the pot", 13, palette.MUTED, "start"))
        return shapes

    def miniature(self) -> Miniature:
        """Returns the cards side by side, the public one at a distance."""
        names = [seat.card for seat in self.seats]
        names += [] if self.public is None else [self.public]
        pitch, apart = SMALL + 3, 6 if self.public is not None else 0
        width = pitch * len(names) - 3 + apart
        shapes: list[Shape] = []
        for i, name in enumerate(names):
            x = i * pitch + SMALL / 2 - width / 2 + (apart if i == len(self.seats) else 0)
            shapes += small_card(x, name)
        return Miniature(width, 1.4 * SMALL, shapes)

    def places(self) -> dict[int, Place]:
        """Returns a box below the table for each action of a player; none while cards are dealt."""
        if self.position.is_terminal() or self.position.to_move < 0:
            return {}
        return boxes(self.position, 0, self.bottom + 14 + BOX / 2, BOX, 8)


def chips(x: float, y: float, number: int) -> list[Shape]:
    """Returns a chip from x on, and how many there are."""
    return [
        Circle(x + 8, y, 8, palette.YELLOW, palette.YELLOW_RIM, 1.5),
        Circle(x + 8, y, 4, None, palette.YELLOW_RIM, 1.2),
        Text(x + 22, y, str(number), 16, palette.INK, "start"),
    ]


def playing_card(x: float, y: float, name: str, out: bool, new: bool) -> list[Shape]:
    """Draws a card around (x, y), see ``Seat.card``; paler if out, framed if it is new."""
    left, top = x - WIDE / 2, y - HIGH / 2
    if not name:
        return [dashed(x, y, WIDE / 2, HIGH / 2, 1.5)]
    rim, line = (palette.GOLD, 2.5) if new else (palette.WHITE_RIM, 1.5)
    if name == "?":
        rim = rim if new else palette.BLUE_RIM
        fill = palette.CARD_RIM if out else palette.BLUE
        inner = palette.GRID if out else palette.BLUE_RIM
        return [
            Rect(left, top, WIDE, HIGH, 5, fill, palette.GRID if out else rim, line),
            Rect(left + 5, top + 5, WIDE - 10, HIGH - 10, 3, None, inner, 1.5),
            Line(((left + 8, top + 8), (left + WIDE - 8, top + HIGH - 8)), inner, 1.2),
            Line(((left + WIDE - 8, top + 8), (left + 8, top + HIGH - 8)), inner, 1.2),
        ]
    fill, ink = (palette.CELL, palette.MUTED) if out else (palette.WHITE, palette.ON_LIGHT)
    shapes: list[Shape] = [Rect(left, top, WIDE, HIGH, 5, fill, rim, line)]
    if len(name) == 1:
        return [*shapes, Text(x, y, name, 26, ink)]
    colour = palette.RED if name[1] == "h" else ink
    suit = heart(x, y + 13, colour) if name[1] == "h" else spade(x, y + 13, colour)
    return [*shapes, Text(x, y - 11, name[0], 22, ink), *suit]


def small_card(x: float, name: str) -> list[Shape]:
    """Returns a card around (x, 0) as small as can be read, of a miniature."""
    box = x - SMALL / 2, -0.7 * SMALL, SMALL, 1.4 * SMALL
    if not name:
        return [Rect(*box, 2.5, None, palette.GRID, 1)]
    if name == "?":
        return [Rect(*box, 2.5, palette.BLUE, palette.BLUE_RIM, 1)]
    return [
        Rect(*box, 2.5, palette.WHITE, palette.WHITE_RIM, 1),
        Text(x, 0, name[0], 0.85 * SMALL, palette.ON_LIGHT),
    ]


def heart(x: float, y: float, colour: str) -> list[Shape]:
    """Returns a heart of about 18 pixels."""
    return [
        Circle(x - 4, y - 3, 4.6, colour),
        Circle(x + 4, y - 3, 4.6, colour),
        Polygon(((x - 8.2, y - 0.8), (x + 8.2, y - 0.8), (x, y + 9)), colour),
    ]


def spade(x: float, y: float, colour: str) -> list[Shape]:
    """Returns a spade of about 18 pixels."""
    return [
        Circle(x - 4, y + 1.5, 4.6, colour),
        Circle(x + 4, y + 1.5, 4.6, colour),
        Polygon(((x - 8.2, y - 0.6), (x + 8.2, y - 0.6), (x, y - 9)), colour),
        Polygon(((x, y), (x + 3.5, y + 9), (x - 3.5, y + 9)), colour),
    ]


def table(position: Kuhn) -> PokerTable:
    """Returns what is seen of a position."""
    ranks = "?" + rank_names(position.players + 1)
    seats = [
        Seat(
            ranks[position.card(player)] if player < position.ply else "",
            position.chips(player),
            position.bets != 0 and position.is_terminal() and not position.has_bet(player),
        )
        for player in range(position.players)
    ]
    words = [(i % position.players, word) for i, word in enumerate(position.actions_taken())]
    return PokerTable(position, seats, [Round("bets", words)])


register_picture(Kuhn, poker_picture(table))
