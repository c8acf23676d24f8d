"""Draws Othello: black and white discs on a green board, dots where the next may be set."""

from __future__ import annotations

from adv_envs.games.othello import Othello

from . import palette
from .grids import BLACK_WHITE, Grid, by_rows, cells, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Shape


def draw(position: Othello, last: int | None = None) -> Drawing:
    """Draws the board; the last disc has a mark, and the cells of legal moves a dot."""
    grid = Grid(position)
    shapes = [*felt(grid), *grid.labels()]
    for cell in position.cells_in(position.moves):
        shapes.append(Circle(*grid.centre(*cell), 0.09 * grid.side, palette.FELT_LINE))
    latest = [cell for cell in cells(position) if position.bit(*cell) == last]
    shapes += BLACK_WHITE.on(position, grid.centre, 0.41 * grid.side, latest)
    return card(shapes, grid.box, *outcome(position), BLACK_WHITE.piece)


def felt(grid: Grid) -> list[Shape]:
    """Returns the board without discs."""
    return grid.ground(palette.FELT, palette.FELT_LINE)


register_picture(
    Othello,
    Picture(
        draw=draw,
        places=by_rows,
        clicks=whole_cells(by_rows),
        miniature=small_board(lambda grid: felt(grid) + grid.pieces(BLACK_WHITE.piece, 0.4)),
    ),
)
