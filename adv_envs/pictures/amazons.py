"""Amazons: white and black crowns, burnt cells as dark tiles, the chosen amazon in a frame."""

from __future__ import annotations

from adv_envs.games.amazons import CHOOSE, Amazons

from . import palette
from .grids import Cell, Grid, SmallGrid, cells
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Line, Point, Polygon, Rect, Shape

FILLS = (palette.WHITE, palette.BLACK)
RIMS = (palette.WHITE_RIM, palette.BLACK_RIM)

CROWN = (
    (-0.62, 0.8), (-0.94, -0.42), (-0.42, 0.08), (0.0, -0.72), (0.42, 0.08), (0.94, -0.42),
    (0.62, 0.8),
)  # fmt: skip
"""A crown around (0, 0), on the scale of its radius."""

POINTS = ((-0.94, -0.42), (0.0, -0.72), (0.94, -0.42))
"""Where its pearls are."""


def draw(position: Amazons, last: int | None = None, flipped: bool = False) -> Drawing:
    """Crowns on a grid; frames around the last cell and the amazon that moves and shoots."""
    grid = Grid(position, flipped)
    burnt = position.burnt()
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.CELL, palette.GRID, 1.5),
        *grid.lines(1),
    ]
    for cell in cells(position):
        if burnt >> position.bit(*cell) & 1:
            shapes += ashes(*grid.centre(*cell), 0.44 * grid.side)
    shapes += [grid.tile(cell, None, palette.GOLD) for cell in framed(position, last)]
    shapes += grid.labels()
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += crown(player, *grid.centre(*cell), 0.33 * grid.side)
    return card(shapes, grid.box, *caption(position), crown)


def caption(position: Amazons) -> tuple[str, int | None]:
    """Who moves, shoots or has won, in words, and the player whose piece goes with it."""
    words, player = outcome(position)
    if position.part != CHOOSE:
        words = f"Player {position.turn} {('moves', 'shoots')[position.part - 1]}"
    return words, player


def framed(position: Amazons, last: int | None) -> list[Cell]:
    """The cell of the last action, and that of the amazon in the middle of a turn."""
    bits = set() if position.part == CHOOSE else {position.chosen}
    if last is not None and 0 <= last < position.num_actions:
        bits.add(position.entry(last))
    return [cell for cell in cells(position) if position.bit(*cell) in bits]


def ashes(x: float, y: float, half: float) -> list[Shape]:
    """A burnt cell around (x, y)."""
    r, line = 0.36 * half, max(1.5, 0.12 * half)
    tile = Rect(x - half, y - half, 2 * half, 2 * half, 0.3 * half, palette.GRID)
    strokes: list[tuple[Point, ...]] = [
        ((x - r, y - r), (x + r, y + r)),
        ((x - r, y + r), (x + r, y - r)),
    ]
    return [tile, *(Line(points, palette.INK, line) for points in strokes)]


def crown(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """The amazon of a player around (x, y)."""
    fill, rim, line = FILLS[player], RIMS[player], max(1.2, 0.1 * radius)
    outline = tuple((x + a * radius, y + b * radius) for a, b in CROWN)
    tips = [(x + a * radius, y + b * radius) for a, b in POINTS]
    pearls = [Circle(*tip, 0.17 * radius, fill, rim, line) for tip in tips]
    return [Polygon(outline, fill, rim, line), *pearls]


def clicks(position: Amazons, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """The cell of each action."""
    grid, n = Grid(position, flipped), position.size
    return {a: (grid.target(divmod(a, n)),) for a in position.legal_actions()}


def places(position: Amazons, flipped: bool = False) -> dict[int, Place]:
    """Each action on its cell."""
    grid, n = Grid(position, flipped), position.size
    return {
        action: Place(*grid.centre(action // n, action % n), 0.46 * grid.side, "square")
        for action in position.legal_actions()
    }


def miniature(position: Amazons) -> Miniature | None:
    """The board without frames and names."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    width, height = small.width, small.height
    ground = Rect(-width / 2, -height / 2, width, height, 2, palette.CELL, palette.GRID, 0.8)
    shapes: list[Shape] = [ground, *small.lines()]
    burnt = position.burnt()
    for cell in cells(position):
        player = position.cell(*cell)
        if player is not None:
            shapes += crown(player, *small.centre(*cell), 0.34 * small.step)
        elif burnt >> position.bit(*cell) & 1:
            shapes += ashes(*small.centre(*cell), 0.44 * small.step)
    return Miniature(width, height, shapes)


register_picture(
    Amazons, two_sided(draw, places, clicks, miniature=miniature, stones="\u25cb\u25cf")
)
