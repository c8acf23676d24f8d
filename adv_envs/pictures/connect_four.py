"""Draws Connect Four: discs in the holes of an upright board, the columns' numbers below."""

from __future__ import annotations

from adv_envs.games.connect_four import ConnectFour

from . import palette
from .grids import Discs, Grid, cells, small_board
from .picture import Picture, Place, Target, card, enlarged, outcome, register_picture
from .shapes import Circle, Drawing, Rect, Shape, Text

DISCS = Discs(
    (palette.RED, palette.YELLOW),
    (palette.RED_RIM, palette.YELLOW_RIM),
    0.14,
    (palette.ON_DARK, palette.ON_LIGHT),
)


def draw(position: ConnectFour, last: int | None = None) -> Drawing:
    """Returns a blue board with dark holes, red and yellow discs."""
    grid = Grid(position)
    (width, height), rim = grid.size, 0.12 * grid.side
    box = (-rim, -rim, width + rim, height + rim + 1.5 * grid.text)
    fallen = [cell for cell in position.cells_in(position.own | position.opp) if cell[1] == last]
    shapes = [*holes(grid, rim), *DISCS.on(position, grid.centre, 0.4 * grid.side, fallen[:1])]
    for column in range(position.width):
        x, y = grid.centre(0, column)[0], height + rim + grid.text
        shapes.append(Text(x, y, position.name(column), grid.text, palette.MUTED))
    return card(shapes, box, *outcome(position), DISCS.piece)


def holes(grid: Grid, rim: float = 0) -> list[Shape]:
    """Returns the empty board, that much larger than its cells."""
    (width, height), side = grid.size, grid.side
    return [
        Rect(-rim, -rim, width + 2 * rim, height + 2 * rim, 0.25 * side, palette.BOARD),
        *(Circle(*grid.centre(*cell), 0.4 * side, palette.HOLE) for cell in cells(grid.position)),
    ]


def places(position: ConnectFour) -> dict[int, Place]:
    """Returns each move in the hole where its disc comes to rest."""
    grid, found = Grid(position), {}
    for row, column in cells(position):  # from the top: the last empty hole is the lowest
        if position.cell(row, column) is None:
            found[column] = Place(*grid.centre(row, column), 0.4 * grid.side, "disc")
    return found


def clicks(position: ConnectFour) -> dict[int, tuple[Target, ...]]:
    """Returns the whole column, where the hole is marked."""
    grid = Grid(position)
    half = grid.size[1] / 2
    return enlarged(places(position), grid.side / 2, half, y=half)


register_picture(
    ConnectFour,
    Picture(
        draw=draw,
        places=places,
        clicks=clicks,
        miniature=small_board(lambda grid: holes(grid) + grid.pieces(DISCS.piece, 0.4)),
        column_names_below=True,
    ),
)
