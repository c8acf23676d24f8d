"""Draws the Game of 31: the total, its way to the limit, the tokens. (0, 0) is the top left."""

from __future__ import annotations

from adv_envs.games.thirty_one import ThirtyOne

from . import palette
from .picture import Picture, Place, Target, card, enlarged, outcome, register_picture
from .shapes import Drawing, Line, Point, Shape, Text, clamp, square

TOP = 80  # where the tokens begin


def draw(position: ThirtyOne, last: int | None = None) -> Drawing:
    """Draws the tokens of each value in a column, taken from its top; many as a number."""
    shelf = Shelf(position)
    pitch, many = shelf.pitch, shelf.many
    shapes = progress(position, shelf.width)
    for action in range(position.highest):
        left = position.left(action)
        latest = position.copies - left - 1  # the row of the token taken last
        for row in range(shelf.rows):
            gone = left == 0 if many else row <= latest
            marked = action == last and (many or row == latest)
            shapes += token(action, *shelf.centre(action, row), 0.43 * pitch, gone, marked)
        if many:
            x, _ = shelf.centre(action, 0)
            size = clamp(8, 0.28 * pitch, 13)
            shapes.append(Text(x, TOP + 1.3 * pitch, f"x{left}", size, palette.MUTED))
    bottom = TOP + (shelf.rows + 0.5 * many) * pitch
    return card(shapes, (0, 0, shelf.width, bottom), *outcome(position))


def places(position: ThirtyOne) -> dict[int, Place]:
    """Returns each move on the token that would be taken next."""
    shelf, found = Shelf(position), {}
    for action in position.legal_actions():
        row = 0 if shelf.many else position.copies - position.left(action)
        x, y = shelf.centre(action, row)
        found[action] = Place(x, y, 0.43 * shelf.pitch, "square", position.name(action))
    return found


def clicks(position: ThirtyOne) -> dict[int, tuple[Target, ...]]:
    """Returns the whole column, where the token is marked."""
    shelf = Shelf(position)
    high = shelf.rows * shelf.pitch / 2
    return enlarged(places(position), shelf.pitch / 2, high, y=TOP + high)


class Shelf:
    """Returns where the tokens stand: a column for each value, one row where there are many."""

    def __init__(self, position: ThirtyOne) -> None:
        self.columns = position.highest
        self.pitch = clamp(15, 400 // position.highest, 58)  # from token to token
        self.width = max(240, position.highest * self.pitch)
        self.many = position.copies > 6
        self.rows = 1 if self.many else position.copies

    def centre(self, action: int, row: int) -> Point:
        """Returns the middle of a token."""
        x = self.width / 2 + (action + 0.5 - self.columns / 2) * self.pitch
        return x, TOP + (row + 0.5) * self.pitch


def progress(position: ThirtyOne, width: float) -> list[Shape]:
    """Returns the total as a number and as a bar that is full at the limit."""
    start, y, end = 4, 60, width - 4
    shapes: list[Shape] = [
        Text(-2, 20, str(position.total), 52, palette.INK, "start"),
        Text(width, 31, f"of {position.limit}", 17, palette.MUTED, "end"),
        Line(((start, y), (end, y)), palette.CARD_RIM, 8),
    ]
    if position.total > 0:
        full = start + (end - start) * position.total / position.limit
        shapes.append(Line(((start, y), (full, y)), palette.BLUE, 8))
    return shapes


def token(action: int, x: float, y: float, half: float, gone: bool, marked: bool) -> list[Shape]:
    """Returns a token of value ``action + 1``, as wide as two halves; faded if it is gone."""
    colours = (palette.CELL, palette.GRID, palette.INK)
    fill, rim, ink = (palette.CARD, palette.CARD_RIM, palette.GRID) if gone else colours
    rim = palette.GOLD if marked else rim
    body = square(x, y, half, 0.4 * half, fill, rim, 1 + marked)
    return [body, Text(x, y, str(action + 1), 0.95 * half, ink)]


register_picture(ThirtyOne, Picture(draw=draw, places=places, clicks=clicks))
