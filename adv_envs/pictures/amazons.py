"""Draws Amazons: white and black crowns, burnt cells as dark tiles, the chosen one in a frame."""

from __future__ import annotations

from adv_envs.games.amazons import CHOOSE, Amazons

from . import palette
from .grids import WHITE_BLACK, Cell, Grid, by_rows, cells, small_board
from .picture import Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Line, Polygon, Shape, square

CROWN = (
    (-0.62, 0.8), (-0.94, -0.42), (-0.42, 0.08), (0.0, -0.72), (0.42, 0.08), (0.94, -0.42),
    (0.62, 0.8),
)  # fmt: skip
"""A crown around (0, 0), on the scale of its radius."""

POINTS = ((-0.94, -0.42), (0.0, -0.72), (0.94, -0.42))
"""Where its pearls are."""


def draw(position: Amazons, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws crowns on a grid; frames around the last cell and the amazon that moves and shoots."""
    grid = Grid(position, flipped)
    frames = [grid.tile(cell, None, palette.GOLD) for cell in framed(position, last)]
    shapes = [*board(grid), *frames, *grid.labels()]
    return card(shapes, grid.box, *outcome(position), crown)


def board(grid: Grid) -> list[Shape]:
    """Draws burnt cells and crowns."""
    shapes, position = grid.ground(), grid.position
    for cell in position.cells_in(position.burnt()):
        shapes += ashes(*grid.centre(*cell), 0.44 * grid.side)
    return shapes + grid.pieces(crown, 0.33)


def framed(position: Amazons, last: int | None) -> list[Cell]:
    """Returns the cell of the last action, and that of the amazon in the middle of a turn."""
    bits = set() if position.part == CHOOSE else {position.chosen}
    if last is not None and 0 <= last < position.num_actions:
        bits.add(position.entry(last))
    return [cell for cell in cells(position) if position.bit(*cell) in bits]


def ashes(x: float, y: float, half: float) -> list[Shape]:
    """Returns a burnt cell around (x, y)."""
    r, line = 0.36 * half, max(1.5, 0.12 * half)
    return [
        square(x, y, half, 0.3 * half, palette.GRID),
        Line(((x - r, y - r), (x + r, y + r)), palette.INK, line),
        Line(((x - r, y + r), (x + r, y - r)), palette.INK, line),
    ]


def crown(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns the amazon of a player around (x, y)."""
    fill, rim, line = *WHITE_BLACK[player], max(1.2, 0.1 * radius)
    outline = tuple((x + a * radius, y + b * radius) for a, b in CROWN)
    tips = [(x + a * radius, y + b * radius) for a, b in POINTS]
    pearls = [Circle(*tip, 0.17 * radius, fill, rim, line) for tip in tips]
    return [Polygon(outline, fill, rim, line), *pearls]


def clicks(position: Amazons, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the cell of each action."""
    grid, n = Grid(position, flipped), position.size
    return {a: (grid.target(divmod(a, n)),) for a in position.legal_actions()}


register_picture(
    Amazons, two_sided(draw, by_rows, clicks, miniature=small_board(board), stones="\u25cb\u25cf")
)
