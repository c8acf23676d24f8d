"""Domineering: dominoes in the colours of the players on a bare grid."""

from __future__ import annotations

from adv_envs.games.domineering import Domineering

from . import palette
from .grids import Grid, SmallGrid
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Drawing, Point, Rect, Shape

FILLS = palette.RED, palette.BLUE
RIMS = palette.RED_RIM, palette.BLUE_RIM


def draw(position: Domineering, last: int | None = None) -> Drawing:
    """Upright dominoes and flat ones; the last one has a bar on it."""
    grid = Grid(position)
    shapes: list[Shape] = [
        Rect(0, 0, *grid.size, 0.08 * grid.side, palette.CELL, palette.GRID, 1.5),
        *grid.lines(1),
        *grid.labels(),
    ]
    for player in (0, 1):
        latest = (
            None if last is None or player == position.to_move else divmod(last, position.width)
        )
        for first, second in position.dominoes(player):
            ends = grid.centre(*first), grid.centre(*second)
            shapes.append(domino(player, ends, grid.side))
            if first == latest:
                shapes.append(mark(ends, grid.side))
    return card(shapes, grid.box, *outcome(position), piece)


def domino(player: int, ends: tuple[Point, Point], side: float) -> Shape:
    """A domino over two cells with these middles."""
    (x, y), (right, bottom) = ends
    half, line = 0.42 * side, max(1.0, 0.04 * side)
    width, height = right - x + 2 * half, bottom - y + 2 * half
    return Rect(x - half, y - half, width, height, 0.16 * side, FILLS[player], RIMS[player], line)


def mark(ends: tuple[Point, Point], side: float) -> Shape:
    """The bar on the domino that was laid last."""
    (x, y), (right, bottom) = ends
    half = 0.07 * side
    width, height = right - x + 2 * half, bottom - y + 2 * half
    return Rect(x - half, y - half, width, height, half, palette.ON_DARK)


def piece(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """A small domino, upright for player 0 and flat for player 1."""
    wide, high = (0.5 * radius, radius) if player == 0 else (radius, 0.5 * radius)
    return [Rect(x - wide, y - high, 2 * wide, 2 * high, 2, FILLS[player], RIMS[player], 1)]


def places(position: Domineering) -> dict[int, Place]:
    """Each move between the two cells of its domino."""
    grid = Grid(position)
    down, right = (0.5, 0.0) if position.to_move == 0 else (0.0, 0.5)
    found = {}
    for action in position.legal_actions():
        x, y = grid.centre(*divmod(action, position.width))
        here = x + right * grid.side, y + down * grid.side
        found[action] = Place(*here, 0.3 * grid.side, "disc")
    return found


def clicks(position: Domineering) -> dict[int, tuple[Target, ...]]:
    """Between the two cells, where the domino is marked."""
    half = Grid(position).side / 2
    wide, high = (0.84 * half, 1.84 * half) if position.to_move == 0 else (1.84 * half, 0.84 * half)
    return {
        action: (Target(x, y, half, half, shown=Target(x, y, wide, high)),)
        for action, (x, y, *_) in places(position).items()
    }


def miniature(position: Domineering) -> Miniature | None:
    """The board without names."""
    small = SmallGrid.of(position)
    if small is None:
        return None
    x, y = small.width / 2, small.height / 2
    shapes: list[Shape] = [
        Rect(-x, -y, small.width, small.height, 2, palette.CELL, palette.GRID, 0.8),
        *small.lines(),
    ]
    for player in (0, 1):
        for first, second in position.dominoes(player):
            shapes.append(domino(player, (small.centre(*first), small.centre(*second)), small.step))
    return Miniature(small.width, small.height, shapes)


register_picture(
    Domineering,
    Picture(
        draw=draw,
        places=places,
        clicks=clicks,
        miniature=miniature,
        tasks=("upright", "flat"),
        stones=Domineering.symbols,
    ),
)
