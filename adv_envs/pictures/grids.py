"""Draws what boards share: grids of square cells and round stones.

This is also how a ``Board`` without a picture of its own is drawn. The top left corner of the board
is (0, 0), and a cell is (row, column).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from adv_envs.position import Board

from . import palette
from .picture import (
    Miniature,
    Picture,
    Piece,
    Place,
    Target,
    card,
    enlarged,
    outcome,
    register_picture,
)
from .shapes import (
    Circle,
    Drawing,
    Line,
    Point,
    Rect,
    Shape,
    Text,
    clamp,
    moved,
    on_the_way,
    square,
)

Cell = tuple[int, int]

MOST_SMALL = 64
"""Cells of the largest board that is recognised as a miniature."""


def board(grid: Grid) -> list[Shape]:
    """Draws black and white stones on a grid."""
    return [*grid.ground(), *grid.pieces(BLACK_WHITE.piece, 0.4)]


def draw_board(position: Board, last: int | None = None) -> Drawing:
    """Returns the same with names and marks."""
    grid = Grid(position)
    stones = BLACK_WHITE.on(position, grid.centre, 0.4 * grid.side, set_by(position, last))
    shapes = [*grid.ground(), *grid.labels(), *stones]
    return card(shapes, grid.box, *outcome(position), BLACK_WHITE.piece)


def on_cells(position: Board) -> dict[int, Place]:
    """Returns each move on the cell where it sets a stone."""
    grid = Grid(position)
    cell_of = {position.bit(*cell): cell for cell in cells(position)}
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {
        action: Place(*grid.centre(*cell_of[position.entry(action)]), 0.46 * grid.side, "square")
        for action in stones
    }


def by_rows(position: Board, flipped: bool = False, form: str = "square") -> dict[int, Place]:
    """Returns each move on its cell, in games whose first actions are the cells, row by row."""
    grid, width = Grid(position, flipped), position.width
    actions = [a for a in position.legal_actions() if a < width * position.height]
    return {a: Place(*grid.centre(*divmod(a, width)), 0.46 * grid.side, form) for a in actions}


def whole_cells(
    places: Callable[[Any], dict[int, Place]],
) -> Callable[[Any], dict[int, tuple[Target, ...]]]:
    """Returns clicks on whole cells: each around the place of a move, which is marked upon it."""

    def clicks(position: Board) -> dict[int, tuple[Target, ...]]:
        half = Grid(position).side / 2
        return enlarged(places(position), half, half)

    return clicks


Ways = Callable[[Any, int], tuple[Cell, Cell]]
"""``ways(position, action)`` returns the cells that a piece leaves and enters."""


def from_and_to(ways: Ways) -> Callable[..., dict[int, tuple[Target, ...]]]:
    """Returns the function that has moves clicked on the cell they leave and the one they enter."""

    def clicks(position: Board, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
        grid = Grid(position, flipped)
        return {
            action: tuple(
                grid.target(cell, position.cell_name(*cell)) for cell in ways(position, action)
            )
            for action in position.legal_actions()
        }

    return clicks


def where_entered(ways: Ways) -> Callable[..., dict[int, Place]]:
    """Returns the function that puts moves in the cell they enter, on the side they come from."""

    def places(position: Board, flipped: bool = False) -> dict[int, Place]:
        grid, found = Grid(position, flipped), {}
        for action in position.legal_actions():
            start, end = (grid.centre(*cell) for cell in ways(position, action))
            found[action] = Place(*on_the_way(start, end, 0.69), 0.155 * grid.side, "disc")
        return found

    return places


def small_board(paint: Callable[[Grid], list[Shape]]) -> Callable[[Any], Miniature | None]:
    """Draws miniatures, on a small grid; none of boards that would not be recognised."""

    def miniature(position: Board) -> Miniature | None:
        if position.height * position.width > MOST_SMALL:
            return None
        grid = Grid(position, small=True)
        width, height = grid.size
        shapes = [moved(shape, -width / 2, -height / 2) for shape in paint(grid)]
        return Miniature(width, height, shapes)

    return miniature


# ---- grids


class Grid:
    """Returns square cells of a size that suits the board, or those of a miniature."""

    def __init__(self, position: Board, flipped: bool = False, small: bool = False) -> None:
        self.position: Any = position
        self.flipped = flipped
        """Whether the last row is at the top, and the last column at the left."""
        self.small = small
        longest = max(position.height, position.width)
        self.side = clamp(14, min(360 + 14 * longest, 900) // longest, 96)
        if small:
            self.side = min(14 * max(longest, 3), 90) / longest
        self.size = position.width * self.side, position.height * self.side
        self.text = clamp(9, 0.26 * self.side, 15)
        self.box = (-1.5 * self.text, -1.4 * self.text, *self.size)

    def centre(self, row: int, column: int) -> Point:
        """Returns the middle of a cell."""
        if self.flipped:
            row, column = self.position.height - 1 - row, self.position.width - 1 - column
        return (column + 0.5) * self.side, (row + 0.5) * self.side

    def target(self, cell: Cell, label: str = "", shown: Target | None = None) -> Target:
        """Returns a whole cell, to be clicked."""
        return Target(*self.centre(*cell), self.side / 2, self.side / 2, "box", label, shown)

    def tile(self, cell: Cell, fill: str | None, stroke: str | None = None) -> Shape:
        """Returns a cell, within its lines."""
        return square(*self.centre(*cell), 0.44 * self.side, 0.132 * self.side, fill, stroke, 2)

    def ground(self, fill: str = palette.CELL, rim: str = palette.GRID) -> list[Shape]:
        """Returns the board and the lines between its cells."""
        return [self.plate(fill, rim), *self.lines(1, rim)]

    def plate(self, fill: str, rim: str | None = None) -> Shape:
        """Returns the board without lines."""
        corner, line = (2, 0.8) if self.small else (0.08 * self.side, 1.5)
        return Rect(0, 0, *self.size, corner, fill, rim, line if rim else 0)

    def lines(self, line: float, colour: str = palette.GRID) -> list[Shape]:
        """Returns the lines between the cells; all are as thin on small boards."""
        width, height = self.size
        line = max(0.8, 0.06 * self.side) if self.small else line
        rows = [i * self.side for i in range(1, self.position.height)]
        columns = [i * self.side for i in range(1, self.position.width)]
        ends = [((0, y), (width, y)) for y in rows] + [((x, 0), (x, height)) for x in columns]
        return [Line(points, colour, line) for points in ends]

    def crossings(self, colour: str) -> list[Shape]:
        """Draws lines through the middles of the cells, with dots on boards that are not small."""
        line = max(0.8, 0.05 * self.side) if self.small else max(1, 0.03 * self.side)
        last = self.position.height - 1, self.position.width - 1
        rows = [(self.centre(i, 0), self.centre(i, last[1])) for i in range(last[0] + 1)]
        columns = [(self.centre(0, i), self.centre(last[0], i)) for i in range(last[1] + 1)]
        dots = [] if self.small else star_points(self.position)
        return [
            *(Line(points, colour, line) for points in rows + columns),
            *(Circle(*self.centre(*cell), max(2, 0.09 * self.side), colour) for cell in dots),
        ]

    def pieces(self, piece: Piece, size: float) -> list[Shape]:
        """Returns every stone, of a radius that is given as a part of a cell's side."""
        return [
            shape
            for cell in cells(self.position)
            if (player := self.position.cell(*cell)) is not None
            for shape in piece(player, *self.centre(*cell), size * self.side)
        ]

    def labels(self) -> list[Shape]:
        """Returns the names of columns and rows."""
        size, (columns, rows) = self.text, self.position.labels()
        return [
            *(
                Text(self.centre(0, i)[0], -0.8 * size, name, size, palette.MUTED)
                for i, name in enumerate(columns)
            ),
            *(
                Text(-0.6 * size, self.centre(i, 0)[1], name, size, palette.MUTED, "end")
                for i, name in enumerate(rows)
            ),
        ]


def star_points(position: Board) -> list[Cell]:
    """Returns the crossings with a dot: nine on the largest boards, four or five from 7 lines."""

    def marked(lines: int) -> list[int]:
        edge = 3 if lines > 11 else 2
        return sorted({edge, lines - 1 - edge} | ({lines // 2} if lines % 2 else set()))

    height, width = position.height, position.width
    if min(height, width) < 7:
        return []
    points = [(row, column) for row in marked(height) for column in marked(width)]
    few = height * width < 19 * 19  # only the corners and the middle
    return [p for p in points if not few or (p[0] == height // 2) == (p[1] == width // 2)]


def cells(position: Board) -> list[Cell]:
    """Returns every cell of a board, row by row."""
    return [(row, column) for row in range(position.height) for column in range(position.width)]


def set_by(position: Board, action: int | None) -> list[Cell]:
    """Returns the cell where ``action`` set a stone, if one stands there."""
    if action is None or not 0 <= action < position.num_stone_actions:
        return []
    bit = position.entry(action)
    return [c for c in cells(position) if position.bit(*c) == bit and position.cell(*c) is not None]


# ---- stones


class Discs(NamedTuple):
    """Describes round stones of two players: their colours, rims, and signs upon them."""

    fills: tuple[str, str]
    rims: tuple[str, str]
    rim: float  # width, as a part of the radius
    signs: tuple[str, str]

    def colours(self, player: int) -> tuple[str, str, str]:
        """Returns the fill, the rim and the sign of a player's stones."""
        return self.fills[player], self.rims[player], self.signs[player]

    def piece(self, player: int, x: float, y: float, radius: float) -> list[Shape]:
        """Returns one stone."""
        line = max(1.2, self.rim * radius)
        return [Circle(x, y, radius - line / 2, *self.colours(player)[:2], line)]

    def on(
        self,
        position: Board,
        centre: Callable[[int, int], Point],
        radius: float,
        last: Collection[Cell],
    ) -> list[Shape]:
        """Draws every stone on a board, rings on those that won and a dot on the ``last`` one."""
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

WHITE_BLACK = (palette.WHITE, palette.WHITE_RIM), (palette.BLACK, palette.BLACK_RIM)
"""The fill and the rim of player 0 and of player 1, where White begins."""

register_picture(
    Board,
    Picture(
        draw=draw_board,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=small_board(board),
    ),
)
