"""Draws phantom tic-tac-toe: strokes of a pen; in a view, fog where a player has not been.

Small numbers tell the order of the attempts that are shown.
"""

from __future__ import annotations

from collections.abc import Callable

from adv_envs.games.phantom import EVERYBODY, Phantom
from adv_envs.games.phantom_tic_tac_toe import PhantomTicTacToe

from . import palette
from .grids import Cell, Grid, cells, on_cells, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Point, Shape, Text
from .tic_tac_toe import strokes, x_or_o


def draw(position: PhantomTicTacToe, last: int | None = None) -> Drawing:
    """Draws X and O on a bare grid, the winning ones on gold; a view has fog on untried cells."""
    grid = Grid(position)
    fog = [*tiles(grid), *clouds(position, grid.centre, 0.26 * grid.side)]
    shapes = strokes(grid, last, 0.24, fog)
    shapes += numbers(position, grid.centre, (0.37 * grid.side, 0.36 * grid.side))
    return card(shapes, grid.box, caption(position), outcome(position)[1], x_or_o)


def tiles(grid: Grid) -> list[Shape]:
    """Returns what lies below the fog."""
    return [grid.tile(cell, palette.CELL) for cell in foggy(grid.position)]


# ---- what pictures of phantom games share


def foggy(position: Phantom) -> list[Cell]:
    """Returns the cells of a view that its player knows nothing about."""
    if position.viewer == EVERYBODY:
        return []
    return [cell for cell in cells(position) if position.cell(*cell) is None]


def clouds(position: Phantom, centre: Callable[[int, int], Point], radius: float) -> list[Shape]:
    """Returns a small cloud on every cell in the fog."""
    puffs = ((-0.55, 0.15, 0.45), (0.0, -0.15, 0.6), (0.55, 0.15, 0.45), (0.0, 0.25, 0.4))
    return [
        Circle(x + i * radius, y + j * radius, size * radius, palette.GRID)
        for x, y in (centre(*cell) for cell in foggy(position))
        for i, j, size in puffs
    ]


def numbers(
    position: Phantom, centre: Callable[[int, int], Point], corner: tuple[float, float]
) -> list[Shape]:
    """Returns which attempt of a player every shown one was, at a lower corner of its cell."""
    shapes: list[Shape] = []
    for player in (0, 1):
        for number, action in enumerate(position.attempts(player), 1):
            x, y = centre(*divmod(action, position.width))
            side = corner[0] if player else -corner[0]
            shapes.append(Text(x + side, y + corner[1], str(number), 11, palette.INK))
    return shapes


def caption(position: Phantom) -> str:
    """Returns who is to move or has won, and whose view it is."""
    text, _ = outcome(position)
    if position.viewer == EVERYBODY:
        return text
    return f"{text} (seen by {position.side_names[position.viewer]})"


register_picture(
    PhantomTicTacToe,
    Picture(
        draw=draw,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=small_board(lambda grid: strokes(grid, None, 0.27, tiles(grid))),
        stones=PhantomTicTacToe.symbols,
    ),
)
