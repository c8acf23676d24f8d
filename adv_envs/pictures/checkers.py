"""Draws checkers: a green and buff board, black and white pieces, kings with a crown."""

from __future__ import annotations

from adv_envs.games.checkers import Checkers

from . import palette
from .grids import BLACK_WHITE
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Drawing, Point, Polygon, Rect, Shape, Text, moved

SIDE = 58
"""The width of a square."""

CROWN = (
    (-0.48, 0.34), (-0.56, -0.3), (-0.26, 0.02), (0, -0.46), (0.26, 0.02), (0.56, -0.3),
    (0.48, 0.34),
)  # fmt: skip
"""Around (0, 0), on the scale of the radius of a piece."""

WAYS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The directions of moves, to the right and down."""


NAMES = {
    "b": "{}, black man",
    "w": "{}, white man",
    "B": "{}, black king",
    "W": "{}, white king",
    ".": "{}",
}
"""What stands on a square, in words."""


def draw(position: Checkers, last: int | None = None, flipped: bool = False) -> Drawing:
    """Returns the board; frames mark the squares that the last move left and came to."""
    shapes = board(position, SIDE, flipped)
    for square in range(position.size * position.size // 2):
        x, y = corner(position, square, SIDE, flipped)
        number = Text(x + 3, y + 8, str(square + 1), 10, palette.ON_FELT, "start")
        shapes.append(number)
    for square in marked(position, last):
        x, y = corner(position, square, SIDE, flipped)
        shapes.append(Rect(x + 1.5, y + 1.5, SIDE - 3, SIDE - 3, 3, None, palette.ON_DARK, 3))
    shapes += pieces(position, SIDE, flipped)
    length = position.size * SIDE
    return card(shapes, (0, 0, length, length), *outcome(position), BLACK_WHITE.piece)


def board(position: Checkers, side: float, flipped: bool = False) -> list[Shape]:
    """Draws light and dark squares."""
    length = position.size * side
    shapes: list[Shape] = [Rect(0, 0, length, length, 0, palette.CELL, palette.FELT_LINE, 2)]
    for square in range(position.size * position.size // 2):
        shapes.append(Rect(*corner(position, square, side, flipped), side, side, 0, palette.FELT))
    return shapes


def pieces(position: Checkers, side: float, flipped: bool = False) -> list[Shape]:
    """Returns every piece."""
    shapes: list[Shape] = []
    for square in range(position.size * position.size // 2):
        symbol = position.symbol(square)
        if symbol != ".":
            x, y = corner(position, square, side, flipped)
            x, y, player = x + side / 2, y + side / 2, "bw".index(symbol.lower())
            shapes += BLACK_WHITE.piece(player, x, y, 0.37 * side)
            if symbol.isupper():
                mark = (palette.ON_DARK, palette.ON_LIGHT)[player]
                points = tuple((x + 0.37 * side * a, y + 0.37 * side * b) for a, b in CROWN)
                shapes.append(Polygon(points, mark, mark, 1))
    return shapes


def corner(position: Checkers, square: int, side: float, flipped: bool = False) -> Point:
    """Returns a square's top left corner, numbered from 0 as seen if not ``flipped``."""
    half = position.size // 2
    square = 2 * half * half - 1 - square if flipped else square
    row, column = square // half, 2 * (square % half)
    return (column + 1 - row % 2) * side, row * side


def marked(position: Checkers, last: int | None) -> list[int]:
    """Returns the squares that ``last`` left and came to, if it can have led to ``position``."""
    if last is None or not 0 <= last < position.num_actions:
        return []
    player = position.to_move if position.jumping else 1 - position.to_move
    start, direction = last // 4, last % 4
    end = position.shifted(1 << position.bit(start), direction)
    if not end & position.pieces(player):
        end = position.shifted(end, direction)
    if not end & position.pieces(player):
        return []
    bit = end.bit_length() - 1
    return [start, bit - bit // (position.size + 1)]


def clicks(position: Checkers, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the square of the piece, and the one where it goes."""

    def target(number: int) -> Target:
        x, y = corner(position, number - 1, SIDE, flipped)
        symbol = position.symbol(number - 1)
        words = NAMES[symbol].format(number)
        return Target(x + SIDE / 2, y + SIDE / 2, SIDE / 2, SIDE / 2, label=words)

    return {
        action: tuple(target(number) for number in position.squares(action))
        for action in position.legal_actions()
    }


def places(position: Checkers, flipped: bool = False) -> dict[int, Place]:
    """Returns each move on the corner of the square that its piece leaves."""
    found = {}
    for action in position.legal_actions():
        x, y = corner(position, action // 4, SIDE, flipped)
        right, down = WAYS[action % 4 ^ 2 * flipped]
        x, y = x + SIDE / 2 * (1 + right), y + SIDE / 2 * (1 + down)
        found[action] = Place(x, y, 0.25 * SIDE, "disc")
    return found


def miniature(position: Checkers) -> Miniature:
    """Returns the board without numbers."""
    side = 80 / position.size
    shapes = [*board(position, side), *pieces(position, side)]
    return Miniature(80, 80, [moved(shape, -40, -40) for shape in shapes])


register_picture(Checkers, two_sided(draw, places, clicks, miniature=miniature))
