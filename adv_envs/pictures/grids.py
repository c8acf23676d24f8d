"""What the pictures of boards share: grids of square cells and round stones.

This is also how a ``Board`` without a picture of its own is drawn. The top left corner of the board
is (0, 0), and a cell is (row, column).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from adv_envs.position import Board

from . import palette
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Rect, Shape, Text, clamp

Cell = tuple[int, int]

MOST_SMALL = 64
"""Cells of the largest board that is recognised as a miniature."""


def draw_board(position: Board, last: int | None = None) -> Drawing:
    """Black and white stones on a grid."""
    grid = Grid(position)
    shapes = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.CELL, palette.GRID, 1.5),
        *grid.lines(1),
        *grid.labels(),
        *BLACK_WHITE.on(position, grid.centre, 0.4 * grid.side, set_by(position, last)),
    ]
    return card(shapes, grid.box, *outcome(position), BLACK_WHITE.piece)


def on_cells(position: Board) -> dict[int, Place]:
    """Each move on the cell where it sets a stone."""
    grid = Grid(position)
    cell_of = {position.bit(*cell): cell for cell in cells(position)}
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {
        action: Place(*grid.centre(*cell_of[position.entry(action)]), 0.46 * grid.side, "square")
        for action in stones
    }


def whole_cells(
    places: Callable[[Any], dict[int, Place]],
) -> Callable[[Any], dict[int, tuple[Target, ...]]]:
    """Clicks on whole cells: each around the place of a move, which is marked upon it."""

    def clicks(position: Board) -> dict[int, tuple[Target, ...]]:
        half = Grid(position).side / 2
        return {
            action: (Target(place.x, place.y, half, half, shown=Target.around(place)),)
            for action, place in places(position).items()
        }

    return clicks


def small_board(position: Board) -> Miniature | None:
    """Round stones on a grid."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    half_width, half_height = small.width / 2, small.height / 2
    ground = Rect(
        -half_width, -half_height, small.width, small.height, 2, palette.CELL, palette.GRID, 0.8
    )
    shapes = [ground, *small.lines(), *small.stones(BLACK_WHITE)]
    return Miniature(small.width, small.height, shapes)


# ---- grids


class Grid:
    """Square cells of a size that suits the board."""

    def __init__(self, position: Board, flipped: bool = False) -> None:
        self.position = position
        self.flipped = flipped
        """Whether the last row is at the top, and the last column at the left."""
        longest = max(position.height, position.width)
        self.side = clamp(14, min(360 + 14 * longest, 900) // longest, 96)
        self.size = position.width * self.side, position.height * self.side
        self.text = clamp(9, 0.26 * self.side, 15)
        self.box = (-1.5 * self.text, -1.4 * self.text, *self.size)

    def centre(self, row: int, column: int) -> Point:
        """The middle of a cell."""
        if self.flipped:
            row, column = self.position.height - 1 - row, self.position.width - 1 - column
        return (column + 0.5) * self.side, (row + 0.5) * self.side

    def target(self, cell: Cell, label: str = "", shown: Target | None = None) -> Target:
        """A whole cell, to be clicked."""
        return Target(*self.centre(*cell), self.side / 2, self.side / 2, "box", label, shown)

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


class SmallGrid:
    """The cells of a miniature, around (0, 0)."""

    def __init__(self, position: Board, side: float) -> None:
        self.position = position
        self.step = side / max(position.width, position.height)
        """The side of a cell."""
        self.width, self.height = position.width * self.step, position.height * self.step

    @classmethod
    def of(cls, position: Board, cell: float = 14.0) -> SmallGrid | None:
        """One with cells of about that size; None for a board that would not be recognised."""
        if position.height * position.width > MOST_SMALL:
            return None
        return cls(position, min(cell * max(position.height, position.width, 3), 90))

    def centre(self, row: int, column: int) -> Point:
        """The middle of a cell."""
        x = (column + 0.5) * self.step - self.width / 2
        return x, (row + 0.5) * self.step - self.height / 2

    def lines(self) -> list[Shape]:
        """The lines between the cells."""
        x, y, step = self.width / 2, self.height / 2, self.step
        rows = [-y + i * step for i in range(1, self.position.height)]
        columns = [-x + i * step for i in range(1, self.position.width)]
        ends = [((-x, at), (x, at)) for at in rows] + [((at, -y), (at, y)) for at in columns]
        return [Line(points, palette.GRID, max(0.8, 0.06 * step)) for points in ends]

    def stones(self, discs: Discs) -> list[Shape]:
        """Every stone."""
        shapes: list[Shape] = []
        for cell in cells(self.position):
            player = self.position.cell(*cell)
            if player is not None:
                shapes += discs.piece(player, *self.centre(*cell), 0.4 * self.step)
        return shapes


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
    """Round stones of two players: their colours, their rims, and the signs upon them."""

    fills: tuple[str, str]
    rims: tuple[str, str]
    rim: float  # width, as a part of the radius
    signs: tuple[str, str]

    def piece(self, player: int, x: float, y: float, radius: float) -> list[Shape]:
        """One stone."""
        line = max(1.2, self.rim * radius)
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
                shapes.append(Circle(x, y, 0.62 * radius, None, self.signs[player], line))
            if cell in last:
                shapes.append(Circle(x, y, 0.24 * radius, self.signs[player]))
        return shapes


BLACK_WHITE = Discs(
    (palette.BLACK, palette.WHITE),
    (palette.BLACK_RIM, palette.WHITE_RIM),
    0.06,
    (palette.ON_DARK, palette.ON_LIGHT),
)

register_picture(
    Board,
    Picture(draw=draw_board, places=on_cells, clicks=whole_cells(on_cells), miniature=small_board),
)
