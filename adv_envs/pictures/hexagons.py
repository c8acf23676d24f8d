"""Draws boards of hexagons with rows of different lengths. The middle of cell (0, 0) is (0, 0)."""

from __future__ import annotations

import functools
from collections.abc import Collection
from math import sqrt

from adv_envs.games.hexagons import ShapedBoard

from . import palette
from .grids import MOST_SMALL, Cell, Discs
from .picture import Box, Miniature, Picture, Place, card, outcome
from .shapes import Drawing, Point, Polygon, Shape, Text, clamp, hexagon, moved


class HexagonCells:
    """Returns where the cells of a board are: each row ``lean`` cells further to the right."""

    def __init__(self, position: ShapedBoard, lean: float, step: float = 0) -> None:
        self.position, self.lean = position, lean
        self.step = step or clamp(31, 640 / position.width, 72)
        self.radius = self.step / sqrt(3)  # of a cell, to its corners
        self.text = clamp(11, 0.32 * self.step, 15)

    def centre(self, row: float, column: float) -> Point:
        """Returns the middle of a cell."""
        return (column + self.lean * row) * self.step, row * 1.5 * self.radius

    def box(self, margin: float) -> Box:
        """Returns the smallest box with this margin around the middles of all cells."""
        points = [self.centre(*cell) for cell in self.position.cells()]
        x, y = zip(*points, strict=True)
        return min(x) - margin, min(y) - margin, max(x) + margin, max(y) + margin

    def ground(self, line: float, rim: float, marked: Collection[Cell]) -> list[Shape]:
        """Returns the cells upon a rim of this width, those that are ``marked`` darker."""
        cells = [(cell, self.centre(*cell)) for cell in self.position.cells()]
        shapes: list[Shape] = [
            Polygon(hexagon(centre, self.radius + rim), palette.MUTED) for _, centre in cells
        ]
        for cell, centre in cells:
            fill = palette.POINT_PALE if cell in marked else palette.CELL
            shapes.append(Polygon(hexagon(centre, self.radius), fill, palette.GRID, line))
        return shapes

    def labels(self) -> list[Shape]:
        """Returns the names of rows at their left, and of columns where they begin."""
        columns, rows = self.position.labels()
        shapes: list[Shape] = []
        for row, name in enumerate(rows):
            x, y = self.centre(row, self.position.begin(row))
            left = x - self.radius - 0.5 * self.text
            shapes.append(Text(left, y, name, self.text, palette.MUTED, "end"))
        for column, name in enumerate(columns):
            first = min(row for row, other in self.position.cells() if other == column)
            x, y = self.centre(first - 1, column)
            shapes.append(Text(x, y + 0.25 * self.radius, name, self.text, palette.MUTED))
        return shapes


def shaped_picture(lean: float, discs: Discs, corners: bool = False) -> Picture:
    """Returns the record of a game on such a board; ``corners`` are marked where they matter."""

    def marked(position: ShapedBoard) -> list[Cell]:
        return corner_cells(position) if corners else []

    def draw(position: ShapedBoard, last: int | None = None) -> Drawing:
        cells = HexagonCells(position, lean)
        rim = clamp(3, 0.14 * cells.radius, 5)
        shapes = cells.ground(0.6 + 0.05 * cells.radius, rim, marked(position))
        shapes += cells.labels()
        shapes += discs.on(position, cells.centre, 0.66 * cells.radius, set_on(position, last))
        left, top, right, bottom = cells.box(cells.radius + 5)
        box = left - 1.8 * cells.text, top - 1.2 * cells.text, right + cells.text, bottom
        return card(shapes, box, *outcome(position), discs.piece)

    return Picture(
        draw=draw,
        places=functools.partial(places_on, lean),
        miniature=functools.partial(small, lean, discs),
        row_shift=lean,
    )


def corner_cells(position: ShapedBoard) -> list[Cell]:
    """Returns the cells that have no more than three neighbours."""
    found = position.cells()
    bits = [1 << position.bit(*cell) for cell in found]
    board = sum(bits)
    return [
        cell
        for cell, bit in zip(found, bits, strict=True)
        if (position.neighbours(bit) & board).bit_count() <= 3
    ]


def set_on(position: ShapedBoard, action: int | None) -> list[Cell]:
    """Returns the cell where ``action`` set a stone, or the stone that was just taken over."""
    if action is None or not 0 <= action < position.num_actions or not position.opp:
        return []
    if action == position.num_stone_actions:
        return position.cells_in(position.opp) if position.ply == 2 else []
    cell = position.cells()[action]
    return [cell] if position.cell(*cell) is not None else []


def places_on(lean: float, position: ShapedBoard) -> dict[int, Place]:
    """Returns each move on the cell where it sets a stone."""
    cells, every = HexagonCells(position, lean), position.cells()
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {a: Place(*cells.centre(*every[a]), cells.radius, "hexagon") for a in stones}


def small(lean: float, discs: Discs, position: ShapedBoard) -> Miniature | None:
    """Returns the board without names."""
    if position.num_stone_actions > MOST_SMALL:
        return None
    cells = HexagonCells(position, lean, min(20.0 * max(position.width, 3), 90) / position.width)
    shapes = cells.ground(0.6, 2, [])
    for cell in position.cells():
        player = position.cell(*cell)
        if player is not None:
            shapes += discs.piece(player, *cells.centre(*cell), 0.72 * cells.radius)
    left, top, right, bottom = cells.box(cells.radius + 2)
    x, y = (left + right) / 2, (top + bottom) / 2
    return Miniature(right - left, bottom - top, [moved(shape, -x, -y) for shape in shapes])
