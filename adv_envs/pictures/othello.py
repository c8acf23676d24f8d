"""Othello: black and white discs on a green board, with dots where the next one may be set."""

from __future__ import annotations

from adv_envs.games.othello import Othello

from . import palette
from .grids import BLACK_WHITE, Cell, Grid, SmallGrid, cells, whole_cells
from .picture import Miniature, Picture, Place, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Rect, Shape


def draw(position: Othello, last: int | None = None) -> Drawing:
    """The board; the disc that was set last has a mark, and the cells of legal moves a dot."""
    grid = Grid(position)
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.06 * grid.side, palette.FELT, palette.FELT_LINE, 2),
        *on_felt(grid.lines(1.2)),
        *grid.labels(),
    ]
    for cell in playable(position):
        shapes.append(Circle(*grid.centre(*cell), 0.09 * grid.side, palette.FELT_LINE))
    latest = [cell for cell in cells(position) if position.bit(*cell) == last]
    shapes += BLACK_WHITE.on(position, grid.centre, 0.41 * grid.side, latest)
    words, player = outcome(position)
    if position.is_terminal():
        discs = sorted(position.stones(player).bit_count() for player in (0, 1))
        words += f", {discs[1]} to {discs[0]}"
    return card(shapes, grid.box, words, player, BLACK_WHITE.piece)


def places(position: Othello) -> dict[int, Place]:
    """Each move on the cell where it sets a disc."""
    grid = Grid(position)
    return {
        position.bit(*cell): Place(*grid.centre(*cell), 0.46 * grid.side, "square")
        for cell in playable(position)
    }


def playable(position: Othello) -> list[Cell]:
    """The cells where the player to move may set a disc."""
    return [cell for cell in cells(position) if position.moves >> position.bit(*cell) & 1]


def miniature(position: Othello) -> Miniature | None:
    """The board without names and dots."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    width, height = small.width, small.height
    ground = Rect(-width / 2, -height / 2, width, height, 2, palette.FELT, palette.FELT_LINE, 0.8)
    shapes = [ground, *on_felt(small.lines()), *small.stones(BLACK_WHITE)]
    return Miniature(width, height, shapes)


def on_felt(lines: list[Shape]) -> list[Shape]:
    """The lines of a grid in the colour of this board."""
    return [
        Line(line.points, palette.FELT_LINE, line.line) for line in lines if isinstance(line, Line)
    ]


register_picture(
    Othello, Picture(draw=draw, places=places, clicks=whole_cells(places), miniature=miniature)
)
