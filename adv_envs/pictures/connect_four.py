"""Connect Four: discs in the holes of an upright board, with the numbers of the columns below."""

from __future__ import annotations

from adv_envs.games.connect_four import ConnectFour

from . import palette
from .grids import Discs, Grid, SmallGrid, cells
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Circle, Drawing, Rect, Shape, Text

DISCS = Discs(
    (palette.RED, palette.YELLOW),
    (palette.RED_RIM, palette.YELLOW_RIM),
    0.14,
    (palette.ON_DARK, palette.ON_LIGHT),
)


def draw(position: ConnectFour, last: int | None = None) -> Drawing:
    """A blue board with dark holes, red and yellow discs."""
    grid = Grid(position)
    side, (width, height), rim = grid.side, grid.size, 0.12 * grid.side
    box = (-rim, -rim, width + rim, height + rim + 1.5 * grid.text)
    filled = [cell for cell in cells(position) if position.cell(*cell) is not None]
    fallen = [cell for cell in filled if cell[1] == last][:1]
    shapes: list[Shape] = [
        Rect(-rim, -rim, width + 2 * rim, height + 2 * rim, 0.25 * side, palette.BOARD),
        *(Circle(*grid.centre(*cell), 0.4 * side, palette.HOLE) for cell in cells(position)),
        *DISCS.on(position, grid.centre, 0.4 * side, fallen),
    ]
    for column in range(position.width):
        x, y = grid.centre(position.height, column)
        y = height + rim + grid.text
        shapes.append(Text(x, y, position.name(column), grid.text, palette.MUTED))
    return card(shapes, box, *outcome(position), DISCS.piece)


def places(position: ConnectFour) -> dict[int, Place]:
    """Each move in the hole where its disc comes to rest."""
    grid, found = Grid(position), {}
    for row, column in cells(position):  # from the top: the last empty hole is the lowest
        if position.cell(row, column) is None:
            found[column] = Place(*grid.centre(row, column), 0.4 * grid.side, "disc")
    return found


def clicks(position: ConnectFour) -> dict[int, tuple[Target, ...]]:
    """The whole column, where the hole is marked."""
    grid = Grid(position)
    found: dict[int, tuple[Target, ...]] = {}
    half = grid.size[1] / 2
    for action, place in places(position).items():
        target = Target(place.x, half, grid.side / 2, half, shown=Target.around(place))
        found[action] = (target,)
    return found


def miniature(position: ConnectFour) -> Miniature | None:
    """The board without the numbers."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    width, height, step = small.width, small.height, small.step
    shapes: list[Shape] = [Rect(-width / 2, -height / 2, width, height, step / 4, palette.BOARD)]
    for cell in cells(position):
        shapes.append(Circle(*small.centre(*cell), 0.4 * step, palette.HOLE))
    return Miniature(width, height, shapes + small.stones(DISCS))


register_picture(
    ConnectFour,
    Picture(draw=draw, places=places, clicks=clicks, miniature=miniature, column_names_below=True),
)
