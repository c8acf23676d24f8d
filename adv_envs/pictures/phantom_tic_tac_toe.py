"""Phantom tic-tac-toe: strokes of a pen; in a view, fog where a player has not been.

Small numbers tell the order of the attempts that are shown.
"""

from __future__ import annotations

from adv_envs.games.phantom import EVERYBODY, Phantom
from adv_envs.games.phantom_tic_tac_toe import PhantomTicTacToe

from . import palette
from .grids import Cell, Grid, SmallGrid, cells, on_cells, set_by, whole_cells
from .picture import Miniature, Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Rect, Shape, Text
from .tic_tac_toe import x_or_o


def draw(position: PhantomTicTacToe, last: int | None = None) -> Drawing:
    """X and O on a bare grid, the winning ones on gold; a view has fog on cells not tried."""
    grid = Grid(position)
    shapes = [grid.tile(cell, palette.GOLD_PALE) for cell in position.winning_cells()]
    shapes += [grid.tile(cell, palette.CELL) for cell in foggy(position)]
    for cell in foggy(position):
        shapes += fog(*grid.centre(*cell), 0.26 * grid.side)
    shapes += [grid.tile(cell, None, palette.GOLD) for cell in set_by(position, last)]
    shapes += [*grid.lines(max(2, 0.035 * grid.side)), *grid.labels()]
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *grid.centre(*cell), 0.24 * grid.side)
    for player, cell, number in numbered(position):
        x, y = grid.centre(*cell)
        side = -0.37 if player == 0 else 0.37
        shapes.append(Text(x + side * grid.side, y + 0.36 * grid.side, number, 11, palette.INK))
    return card(shapes, grid.box, caption(position), outcome(position)[1], x_or_o)


def miniature(position: PhantomTicTacToe) -> Miniature | None:
    """The same without frames, names and numbers."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    step = small.step
    shapes: list[Shape] = []
    for colour, which in (
        (palette.CELL, foggy(position)),
        (palette.GOLD_PALE, position.winning_cells()),
    ):
        for cell in which:
            x, y = small.centre(*cell)
            shapes.append(Rect(x - step / 2, y - step / 2, step, step, 0, colour))
    shapes += small.lines()
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += x_or_o(player, *small.centre(*cell), 0.27 * step)
    return Miniature(small.width, small.height, shapes)


# ---- what pictures of phantom games share


def foggy(position: Phantom) -> list[Cell]:
    """The cells of a view of which its player knows nothing."""
    if position.viewer == EVERYBODY:
        return []
    return [cell for cell in cells(position) if position.cell(*cell) is None]


def fog(x: float, y: float, radius: float) -> list[Shape]:
    """A small cloud around (x, y)."""
    puffs = ((-0.55, 0.15, 0.45), (0.0, -0.15, 0.6), (0.55, 0.15, 0.45), (0.0, 0.25, 0.4))
    return [
        Circle(x + i * radius, y + j * radius, size * radius, palette.GRID) for i, j, size in puffs
    ]


def numbered(position: Phantom) -> list[tuple[int, Cell, str]]:
    """Every attempt that is shown: the player, the cell, and which attempt of theirs it was."""
    where = {position.bit(*cell): cell for cell in cells(position)}
    return [
        (player, where[position.entry(action)], str(i))
        for player in (0, 1)
        for i, action in enumerate(position.attempts(player), 1)
    ]


def caption(position: Phantom) -> str:
    """Who is to move or has won, and whose view it is."""
    text, _ = outcome(position)
    return text if position.viewer == EVERYBODY else f"{text} (seen by {position.viewer})"


register_picture(
    PhantomTicTacToe,
    Picture(
        draw=draw,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=miniature,
        stones=PhantomTicTacToe.symbols,
    ),
)
