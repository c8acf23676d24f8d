"""Boards of square cells: tic-tac-toe, Connect Four, and stones on a grid for every other game.

The top left corner of the board is (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from adv_envs.games.connect_four import ConnectFour
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.position import Board

from . import palette
from .card import between, card, draw, outcome
from .shapes import Circle, Line, Point, Rect, Scene, Shape, Text

Cell = tuple[int, int]  # row, column


@draw.register
def draw_board(position: Board, last: int | None = None) -> Scene:
    """Black and white stones on a grid."""
    grid = Grid(position)
    shapes = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.CELL, palette.GRID, 1.5),
        *grid.lines(1),
        *grid.labels(),
        *BLACK_WHITE.on(position, grid.centre, 0.4 * grid.side, set_by(position, last)),
    ]
    return card(shapes, grid.box, *outcome(position), BLACK_WHITE.piece)


@draw.register
def draw_tic_tac_toe(position: TicTacToe, last: int | None = None) -> Scene:
    """Strokes of the pen on a bare grid."""
    grid = Grid(position)
    shapes = [grid.tile(cell, palette.GOLD_PALE) for cell in position.winning_cells()]
    shapes += [grid.tile(cell, None, palette.GOLD) for cell in set_by(position, last)]
    shapes += [*grid.lines(max(2, 0.035 * grid.side)), *grid.labels()]
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *grid.centre(*cell), 0.28 * grid.side)
    return card(shapes, grid.box, *outcome(position), x_or_o)


@draw.register
def draw_connect_four(position: ConnectFour, last: int | None = None) -> Scene:
    """Discs in the holes of an upright board, with the numbers of the columns below."""
    grid = Grid(position)
    side, (width, height), rim = grid.side, grid.size, 0.12 * grid.side
    box = (-rim, -rim, width + rim, height + rim + 1.5 * grid.text)
    filled = [cell for cell in cells(position) if position.cell(*cell) is not None]
    fallen = [cell for cell in filled if cell[1] == last][:1]
    shapes: list[Shape] = [
        Rect(-rim, -rim, width + 2 * rim, height + 2 * rim, 0.25 * side, palette.BOARD),
        *(Circle(*grid.centre(*cell), 0.4 * side, palette.HOLE) for cell in cells(position)),
        *RED_YELLOW.on(position, grid.centre, 0.4 * side, fallen),
    ]
    for column in range(position.width):
        x, y = grid.centre(position.height, column)
        y = height + rim + grid.text
        shapes.append(Text(x, y, position.name(column), grid.text, palette.MUTED))
    return card(shapes, box, *outcome(position), RED_YELLOW.piece)


# ---- grids


class Grid:
    """Square cells of a size that suits the board."""

    def __init__(self, position: Board) -> None:
        self.position = position
        longest = max(position.height, position.width)
        self.side = between(14, min(360 + 14 * longest, 900) // longest, 96)
        self.size = position.width * self.side, position.height * self.side
        self.text = between(9, 0.26 * self.side, 15)
        self.box = (-1.5 * self.text, -1.4 * self.text, *self.size)

    def centre(self, row: int, column: int) -> Point:
        """The middle of a cell."""
        return (column + 0.5) * self.side, (row + 0.5) * self.side

    def tile(self, cell: Cell, fill: str | None, stroke: str | None = None) -> Shape:
        """A cell, within its lines."""
        x, y = self.centre(*cell)
        half = 0.44 * self.side
        return Rect(x - half, y - half, 2 * half, 2 * half, 0.3 * half, fill, stroke, 2)

    def lines(self, line: float) -> list[Shape]:
        """The lines between the cells."""
        width, height = self.size
        rows = [i * self.side for i in range(1, self.position.height)]
        columns = [i * self.side for i in range(1, self.position.width)]
        ends = [((0, y), (width, y)) for y in rows] + [((x, 0), (x, height)) for x in columns]
        return [Line(points, palette.GRID, line) for points in ends]

    def labels(self) -> list[Shape]:
        """The names of columns and rows."""
        size, (columns, rows) = self.text, names(self.position)
        above = [(self.centre(0, i)[0], -0.8 * size) for i in range(len(columns))]
        before = [(-0.6 * size, self.centre(i, 0)[1]) for i in range(len(rows))]
        return [
            *(
                Text(*at, name, size, palette.MUTED)
                for at, name in zip(above, columns, strict=True)
            ),
            *(
                Text(*at, name, size, palette.MUTED, "end")
                for at, name in zip(before, rows, strict=True)
            ),
        ]


def cells(position: Board) -> list[Cell]:
    """Every cell of a board, row by row."""
    return [(row, column) for row in range(position.height) for column in range(position.width)]


def names(position: Board) -> tuple[list[str], list[str]]:
    """The names of columns and rows, as the names of the first cells have them."""
    columns = [position.cell_name(0, i).rstrip("0123456789") for i in range(position.width)]
    return columns, [position.cell_name(i, 0)[len(columns[0]) :] for i in range(position.height)]


def set_by(position: Board, action: int | None) -> list[Cell]:
    """The cell where ``action`` set a stone, if one stands there."""
    if action is None or not 0 <= action < position.num_stone_actions:
        return []
    bit = position.entry(action)
    return [c for c in cells(position) if position.bit(*c) == bit and position.cell(*c) is not None]


# ---- stones


class Discs(NamedTuple):
    """Round stones of two players: their colours, their rims, and the marks upon them."""

    fills: tuple[str, str]
    rims: tuple[str, str]
    rim: float  # width, as a part of the radius
    marks: tuple[str, str]

    def piece(self, player: int, x: float, y: float, radius: float) -> list[Shape]:
        """One stone."""
        line = self.rim * radius
        return [Circle(x, y, radius - line / 2, self.fills[player], self.rims[player], line)]

    def on(
        self,
        position: Board,
        centre: Callable[[int, int], Point],
        radius: float,
        last: Collection[Cell],
    ) -> list[Shape]:
        """Every stone on a board, with rings on those that won and a dot on the ``last`` one."""
        shapes: list[Shape] = []
        winning = position.winning_cells()
        for cell in cells(position):
            player = position.cell(*cell)
            if player is None:
                continue
            x, y = centre(*cell)
            shapes += self.piece(player, x, y, radius)
            if cell in winning:
                line = max(1.5, 0.15 * radius)
                shapes.append(Circle(x, y, 0.62 * radius, None, self.marks[player], line))
            if cell in last:
                shapes.append(Circle(x, y, 0.24 * radius, self.marks[player]))
        return shapes


BLACK_WHITE = Discs(
    (palette.BLACK, palette.WHITE),
    (palette.BLACK_RIM, palette.WHITE_RIM),
    0.06,
    (palette.WHITE, palette.INK),
)
RED_YELLOW = Discs(
    (palette.RED, palette.YELLOW),
    (palette.RED_RIM, palette.YELLOW_RIM),
    0.14,
    (palette.WHITE, palette.INK),
)
RED_BLUE = Discs(
    (palette.RED, palette.BLUE),
    (palette.RED_RIM, palette.BLUE_RIM),
    0.08,
    (palette.WHITE, palette.WHITE),
)


def x_or_o(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """The marks of tic-tac-toe."""
    line = 0.36 * radius
    if player == 1:
        return [Circle(x, y, radius, None, palette.BLUE, line)]
    r = 0.9 * radius
    return [
        Line(((x - r, y - r), (x + r, y + r)), palette.RED, line),
        Line(((x - r, y + r), (x + r, y - r)), palette.RED, line),
    ]
