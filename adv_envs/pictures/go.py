"""Draws Go: stones on the crossings of a wooden board, at the end a square on every point."""

from __future__ import annotations

import functools

from adv_envs.games.go import Go

from . import palette
from .grids import BLACK_WHITE, Grid, by_rows, set_by, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Drawing, Shape, square


def draw(position: Go, last: int | None = None) -> Drawing:
    """Draws black and white stones; the caption tells of a pass and of the points."""
    grid = Grid(position)
    stones = BLACK_WHITE.on(position, grid.centre, 0.46 * grid.side, set_by(position, last))
    shapes = [*empty(grid), *grid.labels(), *stones]
    words, player = outcome(position)
    if position.is_terminal():
        for owner in (0, 1):
            colours = BLACK_WHITE.colours(owner)[:2]
            for cell in position.cells_in(position.area(owner) & position.free):
                shapes.append(square(*grid.centre(*cell), 0.14 * grid.side, 0, *colours, 1))
    elif last == position.num_stone_actions:
        words = f"Pass. {words}"
    return card(shapes, grid.box, words, player, BLACK_WHITE.piece)


def empty(grid: Grid) -> list[Shape]:
    """Returns the board without stones."""
    return [grid.plate(palette.WOOD), *grid.crossings(palette.WOOD_LINE)]


places = functools.partial(by_rows, form="disc")

register_picture(
    Go,
    Picture(
        draw=draw,
        places=places,
        clicks=whole_cells(places),
        miniature=small_board(lambda grid: empty(grid) + grid.pieces(BLACK_WHITE.piece, 0.4)),
    ),
)
