"""Draws chess: White's side below, pieces of two colours, frames around the last move."""

from __future__ import annotations

from collections import defaultdict
from math import ceil, sqrt

from adv_envs.bits import lowest
from adv_envs.games.chess import Chess
from adv_envs.games.chess_board import FILES
from adv_envs.games.chess_notation import piece_at, squares_of

from . import palette
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Point, Polygon, Rect, Shape, Text, moved

SIDE = 54.0
"""The side of a square."""
LABEL = 13.0
FILLS = palette.WHITE, palette.BLACK
RIMS = palette.PIECE_RIM, palette.BLACK_RIM

BASE = ((-0.62, 0.82), (0.62, 0.82), (0.62, 0.62), (0.5, 0.52), (-0.5, 0.52), (-0.62, 0.62))
OUTLINES: dict[str, tuple[Point, ...]] = {
    "p": ((-0.42, 0.55), (-0.16, 0.05), (0.16, 0.05), (0.42, 0.55)),
    "r": (
        (-0.46, 0.55), (-0.36, 0.4), (-0.36, -0.3), (-0.54, -0.42), (-0.54, -0.8), (-0.3, -0.8),
        (-0.3, -0.6), (-0.12, -0.6), (-0.12, -0.8), (0.12, -0.8), (0.12, -0.6), (0.3, -0.6),
        (0.3, -0.8), (0.54, -0.8), (0.54, -0.42), (0.36, -0.3), (0.36, 0.4), (0.46, 0.55),
    ),
    "n": (
        (-0.46, 0.55), (-0.4, 0.3), (-0.02, -0.06), (0.0, -0.2), (-0.14, -0.14), (-0.36, 0.06),
        (-0.54, 0.12), (-0.66, -0.06), (-0.5, -0.3), (-0.38, -0.54), (-0.18, -0.68),
        (-0.12, -0.9), (0.04, -0.7), (0.3, -0.6), (0.5, -0.3), (0.56, 0.1), (0.46, 0.55),
    ),
    "b": (
        (-0.42, 0.55), (-0.22, 0.32), (-0.4, 0.08), (-0.42, -0.18), (-0.24, -0.46), (0, -0.68),
        (0.24, -0.46), (0.42, -0.18), (0.4, 0.08), (0.22, 0.32), (0.42, 0.55),
    ),
    "q": (
        (-0.46, 0.55), (-0.5, 0.2), (-0.76, -0.5), (-0.44, -0.06), (-0.4, -0.68), (-0.12, -0.1),
        (0, -0.76), (0.12, -0.1), (0.4, -0.68), (0.44, -0.06), (0.76, -0.5), (0.5, 0.2),
        (0.46, 0.55),
    ),
    "k": (
        (-0.46, 0.55), (-0.44, 0.3), (-0.66, 0.0), (-0.6, -0.28), (-0.34, -0.36), (-0.1, -0.16),
        (-0.1, -0.5), (-0.3, -0.5), (-0.3, -0.68), (-0.1, -0.68), (-0.1, -0.9), (0.1, -0.9),
        (0.1, -0.68), (0.3, -0.68), (0.3, -0.5), (0.1, -0.5), (0.1, -0.16), (0.34, -0.36),
        (0.6, -0.28), (0.66, 0.0), (0.44, 0.3), (0.46, 0.55),
    ),
}  # fmt: skip
"""The bodies of the pieces, in a square from -1 to 1."""
BALLS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "p": ((0, -0.2, 0.32),),
    "b": ((0, -0.76, 0.13),),
    "q": ((-0.76, -0.56, 0.12), (-0.4, -0.74, 0.12), (0, -0.82, 0.12), (0.4, -0.74, 0.12),
          (0.76, -0.56, 0.12)),
}  # fmt: skip
"""Round parts: x, y and radius."""
DETAILS: dict[str, tuple[Point, ...]] = {
    "n": ((-0.3, -0.36), (-0.16, -0.36), (-0.2, -0.24)),
    "b": ((-0.05, -0.42), (0.05, -0.42), (0.05, -0.02), (-0.05, -0.02)),
}
"""An eye and a slit, in the colour of the rim."""


NAMES = {"p": "pawn", "r": "rook", "n": "knight", "b": "bishop", "q": "queen", "k": "king"}


def figure(piece: str, x: float, y: float, half: float) -> list[Shape]:
    """Returns a piece by its letter, capital for White, in a square around (x, y)."""
    player, kind = (0 if piece.isupper() else 1), piece.lower()
    fill, rim, line = FILLS[player], RIMS[player], max(0.6, 0.075 * half)

    def put(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x + half * a, y + half * b) for a, b in points)

    shapes: list[Shape] = [Polygon(put(OUTLINES[kind]), fill, rim, line)]
    for a, b, radius in BALLS.get(kind, ()):
        shapes.append(Circle(x + half * a, y + half * b, half * radius, fill, rim, line))
    if kind in DETAILS:
        shapes.append(Polygon(put(DETAILS[kind]), rim))
    return [*shapes, Polygon(put(BASE), fill, rim, line)]


def king_of(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns the king that stands for a player in captions."""
    return figure("Kk"[player], x, y, 1.35 * radius)


def board(
    position: Chess, side: float, marked: tuple[int, ...] = (), flipped: bool = False
) -> list[Shape]:
    """Draws squares and pieces, the top left corner at (0, 0); ``marked`` squares are framed."""
    n = position.side
    shapes: list[Shape] = [Rect(0, 0, n * side, n * side, 0, palette.SQUARE_LIGHT)]
    for square in range(n * n):
        column, row = seen_at(position, square, flipped)
        left, top = column * side, row * side
        if position.dark >> square & 1:
            shapes.append(Rect(left, top, side, side, 0, palette.SQUARE_DARK))
        if square in marked:
            line = max(1.0, 0.07 * side)
            box = left + line / 2, top + line / 2, side - line, side - line
            shapes.append(Rect(*box, 0, None, palette.LAST_MOVE, line))
        piece = piece_at(position, square)
        if piece is not None:
            shapes += figure(piece, left + side / 2, top + side / 2, 0.5 * side)
    return shapes


def draw(position: Chess, last: int | None = None, flipped: bool = False) -> Drawing:
    """Returns the board as White sees it, or Black; a king in check has a red ring."""
    n, size = position.side, position.side * SIDE
    marked: tuple[int, ...] = ()
    if last is not None and position.ply > 0:
        marked = squares_of_last(position, last)
    shapes = board(position, SIDE, marked, flipped)
    if position.in_check():
        king = position.own & position.kings
        square = lowest(king)
        seen = position.opposite(square) if position.to_move == 1 else square
        x, y = centre(position, seen, flipped)
        shapes.append(Circle(x, y, 0.46 * SIDE, None, palette.CHECK, 3))
    for i in range(n):
        x, y = centre(position, (n + 1) * i, flipped)
        shapes.append(Text(x, size + LABEL, FILES[i], LABEL, palette.MUTED))
        shapes.append(Text(-0.6 * LABEL, y, str(i + 1), LABEL, palette.MUTED, "end"))
    box = (-1.6 * LABEL, 0, size, size + 1.6 * LABEL)
    return card(shapes, box, *outcome(position), king_of)


def squares_of_last(position: Chess, last: int) -> tuple[int, ...]:
    """Returns the two squares of the move that led to ``position``."""
    square, plane = divmod(last, position.num_planes)
    end = lowest(position.landing(1 << square, plane))
    if position.to_move == 1:
        return square, end
    return position.opposite(square), position.opposite(end)


def seen_at(position: Chess, square: int, flipped: bool) -> tuple[int, int]:
    """Returns column and row, from the top left, of a square, numbered as White sees it."""
    column, row = divmod(square, position.side)
    last = position.side - 1
    return (last - column, row) if flipped else (column, last - row)


def centre(position: Chess, square: int, flipped: bool = False) -> Point:
    """Returns the middle of a square, numbered as White sees the board."""
    column, row = seen_at(position, square, flipped)
    return (column + 0.5) * SIDE, (row + 0.5) * SIDE


def clicks(position: Chess, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the square of the piece, and the one where it goes."""

    def target(square: int) -> Target:
        words = position.square_name(square)
        piece = piece_at(position, square)
        if piece is not None:
            words += f", {('black', 'white')[piece.isupper()]} {NAMES[piece.lower()]}"
        return Target(*centre(position, square, flipped), SIDE / 2, SIDE / 2, label=words)

    return {
        action: tuple(target(square) for square in squares_of(position, action)[:2])
        for action in position.legal_actions()
    }


def labels(position: Chess) -> dict[int, str]:
    """Returns what pawns become."""
    pieces = {a: squares_of(position, a)[2] for a in position.legal_actions()}
    return {action: NAMES[piece.lower()] for action, piece in pieces.items() if piece}


def places(position: Chess, flipped: bool = False) -> dict[int, Place]:
    """Returns each move on the square where it ends; moves to the same square share it."""
    ends = defaultdict(list)
    for action in position.legal_actions():
        ends[squares_of(position, action)[1]].append(action)
    found = {}
    for end, actions in ends.items():
        x, y = centre(position, end, flipped)
        number = ceil(sqrt(len(actions)))
        cell = SIDE / number
        for i, action in enumerate(actions):
            left = x - SIDE / 2 + (i % number + 0.5) * cell
            top = y - SIDE / 2 + (i // number + 0.5) * cell
            name = position.san(action)[:1] if number > 1 else ""
            found[action] = Place(left, top, 0.46 * cell, "square", name)
    return found


def miniature(position: Chess) -> Miniature | None:
    """Returns the board without names."""
    side = 11.0
    size = position.side * side
    shapes = [moved(shape, -size / 2, -size / 2) for shape in board(position, side)]
    return Miniature(size, size, shapes)


register_picture(Chess, two_sided(draw, places, clicks, labels=labels, miniature=miniature))
