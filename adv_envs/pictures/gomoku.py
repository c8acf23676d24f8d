"""Draws gomoku: black and white stones on the crossings of lines, as on a Go board."""

from __future__ import annotations

from adv_envs.games.gomoku import Gomoku

from . import palette
from .grids import BLACK_WHITE, Grid, on_cells, set_by, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Drawing, Shape


def draw(position: Gomoku, last: int | None = None) -> Drawing:
    """Draws stones on crossings; the last one has a dot, those that won have rings."""
    grid = Grid(position)
    stones = BLACK_WHITE.on(position, grid.centre, 0.44 * grid.side, set_by(position, last))
    words, player = outcome(position)
    if player is not None:  # the colour of a player is not always the same after swap2
        colour_to_move = (position.own | position.opp).bit_count() % 2
        player = colour_to_move if player == position.to_move else 1 - colour_to_move
    shapes = [*empty(grid), *grid.labels(), *stones]
    return card(shapes, grid.box, words, player, BLACK_WHITE.piece)


def empty(grid: Grid) -> list[Shape]:
    """Returns the board without stones."""
    return [grid.plate(palette.CELL, palette.GRID), *grid.crossings(palette.GRID)]


register_picture(
    Gomoku,
    Picture(
        draw=draw,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=small_board(lambda grid: empty(grid) + grid.pieces(BLACK_WHITE.piece, 0.4)),
    ),
)
