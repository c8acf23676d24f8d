"""Draws Breakthrough: white and black pawns on a grid, the last move from frame to frame."""

from __future__ import annotations

from adv_envs.games.breakthrough import Breakthrough

from . import palette
from .grids import WHITE_BLACK, Cell, Grid, from_and_to, small_board, where_entered
from .picture import card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Polygon, Shape

OUTLINE = (
    (-0.78, 0.9), (-0.78, 0.66), (-0.46, 0.42), (-0.26, -0.05), (0.26, -0.05), (0.46, 0.42),
    (0.78, 0.66), (0.78, 0.9),
)  # fmt: skip
"""A pawn without its head, around (0, 0), on the scale of its radius."""


def draw(position: Breakthrough, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws pawns on a grid, frames where the last move began and ended."""
    grid = Grid(position, flipped)
    frames = [grid.tile(cell, None, palette.GOLD) for cell in moved_by_last(position, last)]
    shapes = [*board(grid), *frames, *grid.labels()]
    return card(shapes, grid.box, *outcome(position), pawn)


def board(grid: Grid) -> list[Shape]:
    """Draws pawns, the one that reached the far row on gold."""
    won = [grid.tile(cell, palette.GOLD_PALE) for cell in grid.position.winning_cells()]
    return [*grid.ground(), *won, *grid.pieces(pawn, 0.36)]


def moved_by_last(position: Breakthrough, last: int | None) -> list[Cell]:
    """Returns the cells that ``last`` left and entered, if it can have led to ``position``."""
    if last is None or not 0 <= last < position.num_actions:
        return []
    width, start = position.width, last // 3
    end = start - position.ahead + last % 3 - 1  # the other player moved
    if not 0 <= end < position.height * width or not position.opp >> end & 1:
        return []
    return [divmod(start, width), divmod(end, width)]


def pawn(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns a pawn of a player around (x, y)."""
    fill, rim, line = *WHITE_BLACK[player], max(1.2, 0.09 * radius)
    body = tuple((x + a * radius, y + b * radius) for a, b in OUTLINE)
    head = Circle(x, y - 0.4 * radius, 0.44 * radius, fill, rim, line)
    return [Polygon(body, fill, rim, line), head]


def ways(position: Breakthrough, action: int) -> tuple[Cell, Cell]:
    """Returns the cells that the man leaves and enters."""
    start = action // 3
    end = start + position.ahead + action % 3 - 1
    return divmod(start, position.width), divmod(end, position.width)


register_picture(
    Breakthrough,
    two_sided(
        draw,
        where_entered(ways),
        from_and_to(ways),
        miniature=small_board(board),
        tasks=("bottom to top", "top to bottom"),
        stones="\u25cb\u25cf",
    ),
)
