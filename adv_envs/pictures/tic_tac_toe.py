"""Tic-tac-toe: strokes of a pen on a bare grid."""

from __future__ import annotations

from adv_envs.games.tic_tac_toe import TicTacToe

from . import palette
from .grids import Grid, SmallGrid, cells, on_cells, set_by, whole_cells
from .picture import Miniature, Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Rect, Shape


def draw(position: TicTacToe, last: int | None = None) -> Drawing:
    """X and O on a bare grid, the winning ones on gold."""
    grid = Grid(position)
    shapes = [grid.tile(cell, palette.GOLD_PALE) for cell in position.winning_cells()]
    shapes += [grid.tile(cell, None, palette.GOLD) for cell in set_by(position, last)]
    shapes += [*grid.lines(max(2, 0.035 * grid.side)), *grid.labels()]
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *grid.centre(*cell), 0.28 * grid.side)
    return card(shapes, grid.box, *outcome(position), x_or_o)


def miniature(position: TicTacToe) -> Miniature | None:
    """The same without frames and names."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    step = small.step
    shapes: list[Shape] = []
    for cell in position.winning_cells():
        x, y = small.centre(*cell)
        shapes.append(Rect(x - step / 2, y - step / 2, step, step, 0, palette.GOLD_PALE))
    shapes += small.lines()
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *small.centre(*cell), 0.27 * step)
    return Miniature(small.width, small.height, shapes)


def x_or_o(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """The stroke of a player around (x, y)."""
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
        miniature=miniature,
        stones=TicTacToe.symbols,
    ),
)
