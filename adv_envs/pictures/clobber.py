"""Draws Clobber: white and black stones on a grid, the last move from frame to frame."""

from __future__ import annotations

from adv_envs.games.clobber import Clobber

from . import palette
from .grids import WHITE_BLACK, Cell, Discs, Grid, from_and_to, small_board, where_entered
from .picture import Picture, card, outcome, register_picture
from .shapes import Drawing, Shape

STONES = Discs(
    (WHITE_BLACK[0][0], WHITE_BLACK[1][0]),
    (WHITE_BLACK[0][1], WHITE_BLACK[1][1]),
    0.07,
    (palette.ON_LIGHT, palette.ON_DARK),
)


def draw(position: Clobber, last: int | None = None) -> Drawing:
    """Draws all stones, and frames on the cells that the last move has left and entered."""
    grid = Grid(position)
    frames = [grid.tile(cell, None, palette.GOLD) for cell in clobbered(position, last)]
    shapes = [*board(grid), *frames, *grid.labels()]
    return card(shapes, grid.box, *outcome(position), STONES.piece)


def board(grid: Grid) -> list[Shape]:
    """Returns the stones on their cells."""
    return [*grid.ground(), *grid.pieces(STONES.piece, 0.37)]


def cells_of(position: Clobber, action: int) -> tuple[Cell, Cell]:
    """Returns the cells that the stone of a move leaves and enters."""
    row, column = divmod(action // 4, position.width)
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[action % 4]
    return (row, column), (row + down, column + right)


def clobbered(position: Clobber, last: int | None) -> tuple[Cell, ...]:
    """Returns the cells that ``last`` left and entered, if it can have led to ``position``."""
    if last is None or not 0 <= last < position.num_actions:
        return ()
    start, end = cells_of(position, last)
    inside = 0 <= end[0] < position.height and 0 <= end[1] < position.width
    moved = inside and position.cell(*start) is None and position.cell(*end) == 1 - position.turn
    return (start, end) if moved else ()


register_picture(
    Clobber,
    Picture(
        draw=draw,
        places=where_entered(cells_of),
        clicks=from_and_to(cells_of),
        miniature=small_board(board),
        stones="\u25cb\u25cf",
    ),
)
