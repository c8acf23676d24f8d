"""Draws Domineering: dominoes in the colours of the players on a bare grid."""

from __future__ import annotations

from adv_envs.games.domineering import Domineering

from . import palette
from .grids import Cell, Grid, small_board
from .picture import Picture, Place, Target, card, outcome, register_picture
from .shapes import Drawing, Rect, Shape

FILLS = palette.RED, palette.BLUE
RIMS = palette.RED_RIM, palette.BLUE_RIM


def draw(position: Domineering, last: int | None = None) -> Drawing:
    """Draws upright dominoes and flat ones; the last one has a bar on it."""
    grid = Grid(position)
    shapes = [*board(grid), *grid.labels()]
    if last is not None:
        latest = divmod(last, position.width)
        for ends in position.dominoes(1 - position.to_move):
            if ends[0] == latest:
                shapes.append(over(grid, ends, 0.07, 0.07)._replace(fill=palette.ON_DARK))
    return card(shapes, grid.box, *outcome(position), piece)


def board(grid: Grid) -> list[Shape]:
    """Returns all dominoes."""
    shapes = grid.ground()
    for player in (0, 1):
        for ends in grid.position.dominoes(player):
            domino = over(grid, ends, 0.42, 0.16)
            line = max(1.0, 0.04 * grid.side)
            shapes.append(domino._replace(fill=FILLS[player], stroke=RIMS[player], line=line))
    return shapes


def over(grid: Grid, ends: tuple[Cell, Cell], half: float, corner: float) -> Rect:
    """Returns a bar over two cells, from ``half`` a cell's side before their middles on."""
    (x, y), (right, bottom) = (grid.centre(*cell) for cell in ends)
    half *= grid.side
    width, height = right - x + 2 * half, bottom - y + 2 * half
    return Rect(x - half, y - half, width, height, corner * grid.side)


def piece(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns a small domino, upright for player 0 and flat for player 1."""
    wide, high = (0.5 * radius, radius) if player == 0 else (radius, 0.5 * radius)
    return [Rect(x - wide, y - high, 2 * wide, 2 * high, 2, FILLS[player], RIMS[player], 1)]


def places(position: Domineering) -> dict[int, Place]:
    """Returns each move between the two cells of its domino."""
    grid = Grid(position)
    down, right = (0.5, 0.0) if position.to_move == 0 else (0.0, 0.5)
    found = {}
    for action in position.legal_actions():
        x, y = grid.centre(*divmod(action, position.width))
        here = x + right * grid.side, y + down * grid.side
        found[action] = Place(*here, 0.3 * grid.side, "disc")
    return found


def clicks(position: Domineering) -> dict[int, tuple[Target, ...]]:
    """Returns the place between the two cells, where the domino is marked."""
    half = Grid(position).side / 2
    wide, high = (0.84 * half, 1.84 * half) if position.to_move == 0 else (1.84 * half, 0.84 * half)
    return {
        action: (Target(x, y, half, half, shown=Target(x, y, wide, high)),)
        for action, (x, y, *_) in places(position).items()
    }


register_picture(
    Domineering,
    Picture(
        draw=draw,
        places=places,
        clicks=clicks,
        miniature=small_board(board),
        tasks=("upright", "flat"),
        stones=Domineering.symbols,
    ),
)
