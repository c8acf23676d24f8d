"""Breakthrough: white and black pawns on a grid, the last move from its frame to its frame."""

from __future__ import annotations

from adv_envs.games.breakthrough import Breakthrough

from . import palette
from .grids import Cell, Grid, SmallGrid, cells
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Polygon, Rect, Shape, on_the_way

FILLS = (palette.WHITE, palette.BLACK)
RIMS = (palette.WHITE_RIM, palette.BLACK_RIM)

OUTLINE = (
    (-0.78, 0.9), (-0.78, 0.66), (-0.46, 0.42), (-0.26, -0.05), (0.26, -0.05), (0.46, 0.42),
    (0.78, 0.66), (0.78, 0.9),
)  # fmt: skip
"""A pawn without its head, around (0, 0), on the scale of its radius."""


def draw(position: Breakthrough, last: int | None = None, flipped: bool = False) -> Drawing:
    """Pawns on a grid, the one that reached the far row on gold."""
    grid = Grid(position, flipped)
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.CELL, palette.GRID, 1.5),
        *(grid.tile(cell, palette.GOLD_PALE) for cell in position.winning_cells()),
        *grid.lines(1),
        *(grid.tile(cell, None, palette.GOLD) for cell in moved_by_last(position, last)),
        *grid.labels(),
    ]
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += pawn(player, *grid.centre(*cell), 0.36 * grid.side)
    return card(shapes, grid.box, *outcome(position), pawn)


def moved_by_last(position: Breakthrough, last: int | None) -> list[Cell]:
    """The cells that ``last`` left and entered, if it can have led to ``position``."""
    if last is None or not 0 <= last < position.num_actions:
        return []
    width, start = position.width, last // 3
    end = start - position.ahead + last % 3 - 1  # the other player moved
    if not 0 <= end < position.height * width or not position.opp >> end & 1:
        return []
    return [(start // width, start % width), (end // width, end % width)]


def pawn(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """A pawn of a player around (x, y)."""
    fill, rim, line = FILLS[player], RIMS[player], max(1.2, 0.09 * radius)
    body = tuple((x + a * radius, y + b * radius) for a, b in OUTLINE)
    return [
        Polygon(body, fill, rim, line),
        Circle(x, y - 0.4 * radius, 0.44 * radius, fill, rim, line),
    ]


def ways(position: Breakthrough, action: int) -> tuple[Cell, Cell]:
    """The cells that the man leaves and enters."""
    start = action // 3
    end = start + position.ahead + action % 3 - 1
    return (start // position.width, start % position.width), (
        end // position.width,
        end % position.width,
    )


def clicks(position: Breakthrough, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """The cell of the man, and the one where it goes."""
    grid = Grid(position, flipped)
    return {
        action: tuple(
            grid.target(cell, position.cell_name(*cell)) for cell in ways(position, action)
        )
        for action in position.legal_actions()
    }


def places(position: Breakthrough, flipped: bool = False) -> dict[int, Place]:
    """Each move in the cell that the man enters, on the side from which it comes."""
    grid, found = Grid(position, flipped), {}
    for action in position.legal_actions():
        start, end = (grid.centre(*cell) for cell in ways(position, action))
        x, y = on_the_way(start, end, 0.69)
        found[action] = Place(x, y, 0.155 * grid.side, "disc")
    return found


def miniature(position: Breakthrough) -> Miniature | None:
    """The board without frames and names."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    width, height = small.width, small.height
    ground = Rect(-width / 2, -height / 2, width, height, 2, palette.CELL, palette.GRID, 0.8)
    shapes: list[Shape] = [ground, *small.lines()]
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += pawn(player, *small.centre(*cell), 0.38 * small.step)
    return Miniature(width, height, shapes)


register_picture(
    Breakthrough,
    two_sided(
        draw,
        places,
        clicks,
        miniature=miniature,
        tasks=("bottom to top", "top to bottom"),
        stones="\u25cb\u25cf",
    ),
)
