"""Gomoku: black and white stones on the crossings of lines, as on a Go board."""

from __future__ import annotations

from adv_envs.games.gomoku import Gomoku

from . import palette
from .grids import BLACK_WHITE, Grid, SmallGrid, on_cells, set_by, whole_cells
from .picture import Miniature, Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Rect, Shape


def draw(position: Gomoku, last: int | None = None) -> Drawing:
    """Stones on the crossings of lines; the last one has a dot, those that won have rings."""
    grid = Grid(position)
    side = grid.side
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.3 * side, palette.CELL, palette.GRID, 1.5),
        *crossing_lines(position, (0, 0), side, max(1, 0.03 * side)),
    ]
    for row, column in star_points(position):
        shapes.append(Circle(*grid.centre(row, column), max(2, 0.09 * side), palette.GRID))
    shapes += grid.labels()
    shapes += BLACK_WHITE.on(position, grid.centre, 0.44 * side, set_by(position, last))
    caption, player = outcome(position)
    return card(shapes, grid.box, *with_colour(position, caption, player), BLACK_WHITE.piece)


def with_colour(position: Gomoku, caption: str, player: int | None) -> tuple[str, int | None]:
    """The caption, and the colour of the player it is about: not the same after swap2."""
    if player is None:
        return caption, None
    colour_to_move = (position.own | position.opp).bit_count() % 2
    return caption, colour_to_move if player == position.to_move else 1 - colour_to_move


def crossing_lines(position: Gomoku, corner: Point, side: float, line: float) -> list[Shape]:
    """The lines through the middles of cells; ``corner`` is the top left of the board."""
    left, top = corner[0] + side / 2, corner[1] + side / 2
    right, bottom = left + (position.width - 1) * side, top + (position.height - 1) * side
    rows = [((left, top + i * side), (right, top + i * side)) for i in range(position.height)]
    columns = [((left + i * side, top), (left + i * side, bottom)) for i in range(position.width)]
    return [Line(points, palette.GRID, line) for points in rows + columns]


def star_points(position: Gomoku) -> list[tuple[int, int]]:
    """The crossings that boards of 9 lines and more have dots on; odd ones in the middle too."""

    def marked(lines: int) -> list[int]:
        edge = 3 if lines >= 13 else 2
        return sorted({edge, lines - 1 - edge} | ({lines // 2} if lines % 2 else set()))

    height, width = position.height, position.width
    if min(height, width) < 9:
        return []
    points = [(row, column) for row in marked(height) for column in marked(width)]
    sides = (height // 2, width // 2)
    few = height * width < 19 * 19  # only the corners and the middle
    return [p for p in points if not few or (p[0] == sides[0]) == (p[1] == sides[1])]


def miniature(position: Gomoku) -> Miniature | None:
    """The board without names."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    x, y = small.width / 2, small.height / 2
    ground = Rect(-x, -y, small.width, small.height, 2, palette.CELL, palette.GRID, 0.8)
    lines = crossing_lines(position, (-x, -y), small.step, max(0.6, 0.05 * small.step))
    return Miniature(small.width, small.height, [ground, *lines, *small.stones(BLACK_WHITE)])


register_picture(
    Gomoku, Picture(draw=draw, places=on_cells, clicks=whole_cells(on_cells), miniature=miniature)
)
