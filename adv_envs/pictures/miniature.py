"""Boards as small as a stamp, without names and captions, to be put into other pictures."""

from __future__ import annotations

from functools import singledispatch

from adv_envs.games.connect_four import ConnectFour
from adv_envs.games.hex import Hex
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.position import Board, Position

from . import palette
from .boards import BLACK_WHITE, RED_YELLOW, Discs, cells, x_or_o
from .hex import hexagon
from .shapes import Circle, Line, Point, Polygon, Rect, Shape

SQRT3 = 3**0.5


@singledispatch
def miniature(position: Position, side: float) -> tuple[float, float, list[Shape]]:
    """The width and height, both at most about ``side``, and the shapes around (0, 0).

    Games that are not boards have none: (0, 0, []).
    """
    return 0, 0, []


@miniature.register
def small_board(position: Board, side: float) -> tuple[float, float, list[Shape]]:
    """Round stones on a grid."""
    width, height, step = size(position, side)
    board = Rect(-width / 2, -height / 2, width, height, 2, palette.CELL, palette.GRID, 0.8)
    shapes = [board, *grid(position, width, height, step)]
    return width, height, shapes + stones(position, BLACK_WHITE, step)


@miniature.register
def small_tic_tac_toe(position: TicTacToe, side: float) -> tuple[float, float, list[Shape]]:
    """Strokes of the pen, the winning ones on gold."""
    width, height, step = size(position, side)
    shapes: list[Shape] = []
    for cell in position.winning_cells():
        x, y = centre(position, cell, step)
        shapes.append(Rect(x - step / 2, y - step / 2, step, step, 0, palette.GOLD_PALE))
    shapes += grid(position, width, height, step)
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *centre(position, cell, step), 0.27 * step)
    return width, height, shapes


@miniature.register
def small_connect_four(position: ConnectFour, side: float) -> tuple[float, float, list[Shape]]:
    """Discs in the holes of a board."""
    width, height, step = size(position, side)
    shapes: list[Shape] = [Rect(-width / 2, -height / 2, width, height, step / 4, palette.BOARD)]
    for cell in cells(position):
        shapes.append(Circle(*centre(position, cell, step), 0.4 * step, palette.HOLE))
    return width, height, shapes + stones(position, RED_YELLOW, step)


@miniature.register
def small_hex(position: Hex, side: float) -> tuple[float, float, list[Shape]]:
    """A rhombus of hexagons, filled in the colours of the players."""
    n = position.size
    step = side / (1.5 * n - 0.5)
    radius = step / SQRT3
    shapes: list[Shape] = []
    for row, column in cells(position):
        middle = n / 2 - 0.5
        x = (column - middle + (row - middle) / 2) * step
        y = (row - middle) * 1.5 * radius
        player = position.cell(row, column)
        fill = palette.CELL if player is None else (palette.RED, palette.BLUE)[player]
        shapes.append(Polygon(hexagon((x, y), radius), fill, palette.GRID, 0.6))
    x, y = side / 2 + 0.25 * step, (0.75 * (n - 1) + 1.1) * radius
    wide = (n + 0.5) * step
    for colour, ends in (  # the edges that are to be joined
        (palette.BLUE, [((-x, -y), (x - wide, y)), ((-x + wide, -y), (x, y))]),
        (palette.RED, [((-x, -y), (-x + wide, -y)), ((x - wide, y), (x, y))]),
    ):
        shapes += [Line(points, colour, 1.8) for points in ends]
    return 2 * x, 2 * y, shapes


def size(position: Board, side: float) -> tuple[float, float, float]:
    """Width, height, and the side of a cell."""
    step = side / max(position.width, position.height)
    return position.width * step, position.height * step, step


def centre(position: Board, cell: tuple[int, int], step: float) -> Point:
    """The middle of a cell."""
    row, column = cell
    return (column + 0.5 - position.width / 2) * step, (row + 0.5 - position.height / 2) * step


def grid(position: Board, width: float, height: float, step: float) -> list[Shape]:
    """The lines between the cells."""
    x, y = width / 2, height / 2
    rows = [-y + i * step for i in range(1, position.height)]
    columns = [-x + i * step for i in range(1, position.width)]
    ends = [((-x, at), (x, at)) for at in rows] + [((at, -y), (at, y)) for at in columns]
    return [Line(points, palette.GRID, max(0.8, 0.06 * step)) for points in ends]


def stones(position: Board, discs: Discs, step: float) -> list[Shape]:
    """Every stone."""
    shapes: list[Shape] = []
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += discs.piece(player, *centre(position, cell, step), 0.4 * step)
    return shapes
