"""Go: stones on the crossings of a wooden board, and at the end a square on every point."""

from __future__ import annotations

from adv_envs.games.go import Go

from . import palette
from .grids import BLACK_WHITE, Cell, Grid, SmallGrid, cells, set_by, whole_cells
from .picture import Miniature, Picture, Place, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Rect, Shape


def draw(position: Go, last: int | None = None) -> Drawing:
    """Black and white stones; the caption tells of a pass and of the points."""
    grid = Grid(position)
    corners = [grid.centre(i, i) for i in (0, position.size - 1)]
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.WOOD),
        *lines(corners[0], corners[1], grid.side, max(1.0, 0.03 * grid.side)),
    ]
    for cell in star_points(position.size):
        shapes.append(Circle(*grid.centre(*cell), max(2.0, 0.09 * grid.side), palette.WOOD_LINE))
    radius = 0.46 * grid.side
    shapes += [
        *grid.labels(),
        *BLACK_WHITE.on(position, grid.centre, radius, set_by(position, last)),
    ]
    if position.is_terminal():
        for player, cell in points(position):
            x, y = grid.centre(*cell)
            half = 0.14 * grid.side
            colour, rim = BLACK_WHITE.fills[player], BLACK_WHITE.rims[player]
            shapes.append(Rect(x - half, y - half, 2 * half, 2 * half, 0, colour, rim, 1))
    return card(shapes, grid.box, *caption(position, last), BLACK_WHITE.piece)


def caption(position: Go, last: int | None) -> tuple[str, int | None]:
    """Who is to move, after a pass; or who won, and by how many points."""
    words, player = outcome(position)
    if position.is_terminal():
        lead = abs(position.lead())
        return (words if lead == 0 else f"{words} by {lead:g}"), player
    return (f"Pass. {words}" if last == position.num_stone_actions else words), player


def points(position: Go) -> list[tuple[int, Cell]]:
    """The empty cells that are points of a player."""
    return [
        (player, cell)
        for player in (0, 1)
        for cell in cells(position)
        if position.area(player) & position.free & 1 << position.bit(*cell)
    ]


def lines(first: Point, last: Point, step: float, width: float) -> list[Shape]:
    """The lines of a board whose corners are crossings, ``step`` apart."""
    (left, top), (right, bottom) = first, last
    number = round((right - left) / step) + 1
    ends = [((left, top + i * step), (right, top + i * step)) for i in range(number)]
    ends += [((left + i * step, top), (left + i * step, bottom)) for i in range(number)]
    return [Line(each, palette.WOOD_LINE, width) for each in ends]


def star_points(size: int) -> list[Cell]:
    """The crossings with a dot: nine on the largest board, five on smaller ones of odd size."""
    if size < 7:
        return []
    edge = 3 if size > 11 else 2
    rows = [edge, size - 1 - edge] + ([size // 2] if size % 2 else [])
    found = [(row, column) for row in rows for column in rows]
    if size < 19:
        found = [(i, j) for i, j in found if (i == size // 2) == (j == size // 2)]
    return found


def places(position: Go) -> dict[int, Place]:
    """Each move on the crossing where it sets a stone; the pass has none."""
    grid, size = Grid(position), position.size
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {a: Place(*grid.centre(a // size, a % size), 0.46 * grid.side, "disc") for a in stones}


def miniature(position: Go) -> Miniature | None:
    """The board without names and star points."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    width, height = small.width, small.height
    corners = [small.centre(i, i) for i in (0, position.size - 1)]
    shapes: list[Shape] = [
        Rect(-width / 2, -height / 2, width, height, 2, palette.WOOD),
        *lines(corners[0], corners[1], small.step, max(0.8, 0.05 * small.step)),
        *small.stones(BLACK_WHITE),
    ]
    return Miniature(width, height, shapes)


register_picture(
    Go, Picture(draw=draw, places=places, clicks=whole_cells(places), miniature=miniature)
)
