"""Draws tic-tac-toe: strokes of a pen on a bare grid."""

from __future__ import annotations

from collections.abc import Sequence

from adv_envs.games.tic_tac_toe import TicTacToe

from . import palette
from .grids import Grid, on_cells, set_by, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Shape


def draw(position: TicTacToe, last: int | None = None) -> Drawing:
    """Draws X and O on a bare grid, the winning ones on gold."""
    grid = Grid(position)
    return card(strokes(grid, last, 0.28), grid.box, *outcome(position), x_or_o)


def strokes(grid: Grid, last: int | None, size: float, fog: Sequence[Shape] = ()) -> list[Shape]:
    """Draws X and O of this size, as a share of a cell's, on a grid with ``fog`` below it."""
    position = grid.position
    return [
        *(grid.tile(cell, palette.GOLD_PALE) for cell in position.winning_cells()),
        *fog,
        *(grid.tile(cell, None, palette.GOLD) for cell in set_by(position, last)),
        *grid.lines(max(2, 0.035 * grid.side)),
        *([] if grid.small else grid.labels()),
        *grid.pieces(x_or_o, size),
    ]


def x_or_o(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns the stroke of a player around (x, y)."""
    line = 0.36 * radius
    if player == 1:
        return [Circle(x, y, radius, None, palette.BLUE, line)]
    r = 0.9 * radius
    return [
        Line(((x - r, y - r), (x + r, y + r)), palette.RED, line),
        Line(((x - r, y + r), (x + r, y - r)), palette.RED, line),
    ]


register_picture(
    TicTacToe,
    Picture(
        draw=draw,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=small_board(lambda grid: strokes(grid, None, 0.27)),
        stones=TicTacToe.symbols,
    ),
)
