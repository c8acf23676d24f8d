"""Draws Lines of Action: black and white stones on a grid, with a line along the last move."""

from __future__ import annotations

from adv_envs.games.lines_of_action import DOWN, RIGHT, LinesOfAction

from . import palette
from .grids import BLACK_WHITE, Cell, Grid, cells, from_and_to, small_board
from .picture import Picture, Place, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Rect, Shape, on_the_way


def draw(position: LinesOfAction, last: int | None = None) -> Drawing:
    """Draws stones on squares, and the way of the last move from a small dot."""
    grid = Grid(position)
    moved = moved_by_last(position, last)
    way = trace(grid, *moved) if moved else []
    stones = BLACK_WHITE.on(position, grid.centre, 0.4 * grid.side, moved[1:])
    shapes = [*squares(grid), *way, *grid.labels(), *stones]
    return card(shapes, grid.box, *outcome(position), BLACK_WHITE.piece)


def squares(grid: Grid) -> list[Shape]:
    """Draws light and dark squares, on which diagonals are easy to follow."""
    side = grid.side
    corners = [(x - side / 2, y - side / 2) for x, y in (grid.centre(*c) for c in dark_cells(grid))]
    tiles = [Rect(x, y, side, side, 0, palette.SQUARE_DARK) for x, y in corners]
    rim = Rect(0, 0, *grid.size, 2, None, palette.SQUARE_DARK, 2)
    return [Rect(0, 0, *grid.size, 2, palette.SQUARE_LIGHT), *tiles, rim]


def dark_cells(grid: Grid) -> list[Cell]:
    """Returns every second cell; the bottom left one is dark, as in chess."""
    height = grid.position.height
    return [cell for cell in cells(grid.position) if (cell[0] + cell[1] + height) % 2]


def board(grid: Grid) -> list[Shape]:
    """Draws the miniature."""
    return [*grid.ground(), *grid.pieces(BLACK_WHITE.piece, 0.4)]


def trace(grid: Grid, start: Cell, end: Cell) -> list[Shape]:
    """Returns the way of a man, from a dot where it was."""
    points, width = (grid.centre(*start), grid.centre(*end)), 0.09 * grid.side
    return [Line(points, palette.GOLD, width), Circle(*points[0], 0.14 * grid.side, palette.GOLD)]


def moved_by_last(position: LinesOfAction, last: int | None) -> list[Cell]:
    """Returns the cells that ``last`` left and entered, if it can have led to ``position``.

    A captured man was counted on the line as well, so the man went one cell further then.
    """
    if last is None or not 0 <= last < position.num_actions:
        return []
    start, direction = divmod(last, 8)
    row, column = divmod(start, position.size)
    steps = position.distance(start, direction) + (position.quiet == 0)
    end = row + steps * DOWN[direction], column + steps * RIGHT[direction]
    if not (0 <= end[0] < position.size and 0 <= end[1] < position.size):
        return []
    if position.cell(row, column) is not None or position.cell(*end) != 1 - position.to_move:
        return []
    return [(row, column), end]


def ways(position: LinesOfAction, action: int) -> tuple[Cell, Cell]:
    """Returns the cells that the man leaves and enters."""
    start, end = action // 8, position.end_of(action)
    return divmod(start, position.size), divmod(end, position.size)


def places(position: LinesOfAction) -> dict[int, Place]:
    """Returns each move at the edge of the cell of its man, in the direction of the move."""
    grid, found = Grid(position), {}
    for action in position.legal_actions():
        row, column = divmod(action // 8, position.size)
        beside = grid.centre(row + DOWN[action % 8], column + RIGHT[action % 8])
        found[action] = Place(
            *on_the_way(grid.centre(row, column), beside, 0.37), 0.11 * grid.side, "disc"
        )
    return found


register_picture(
    LinesOfAction,
    Picture(draw=draw, places=places, clicks=from_and_to(ways), miniature=small_board(board)),
)
