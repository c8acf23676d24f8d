"""Draws Hex: hexagons on their corners, and the edges of the players who connect them.

The middle of the top left cell is (0, 0).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from adv_envs.games.hex import Hex

from . import palette
from .grids import MOST_SMALL, Cell, Discs, cells, set_by
from .picture import Box, Miniature, Picture, Place, card, outcome, register_picture
from .shapes import Circle, Drawing, Point, Polygon, Shape, Text, clamp, hexagon, moved

if TYPE_CHECKING:
    from adv_envs.games.dark_hex import DarkHex

STONES = Discs(
    (palette.RED, palette.BLUE),
    (palette.RED_RIM, palette.BLUE_RIM),
    0.08,
    (palette.ON_DARK, palette.ON_DARK),
)


def draw(position: Hex, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws stones in a rhombus of hexagons, which stands on a corner if ``flipped``."""
    swapped = last == position.size**2 and position.swap and position.ply == 2
    latest = cells(position) if swapped else set_by(position, last)
    shapes, box = draw_rhombus(position, 0.66, latest, flipped=flipped)
    return card(shapes, box, *outcome(position), STONES.piece)


def draw_rhombus(
    position: Hex | DarkHex,
    stone: float,
    latest: Collection[Cell],
    fog: Sequence[Shape] = (),
    flipped: bool = False,
) -> tuple[list[Shape], Box]:
    """Draws the board, ``fog`` below stones of this share of a cell's size, and its box."""
    n = position.size
    board = Rhombus(n, upright=flipped)
    radius, rim, size = board.radius, board.rim, clamp(11, 0.32 * board.step, 15)
    shapes = edges(board)
    for cell in cells(position):
        corners = hexagon(board.centre(*cell), radius)
        shapes.append(Polygon(corners, palette.CELL, palette.GRID, 0.6 + 0.05 * radius))
    shapes += fog
    columns, rows = position.labels()
    for i in range(n):
        x, y = board.centre(-1, i)
        shapes.append(Text(x, y, columns[i], size, palette.MUTED))
        if flipped:
            shapes.append(Text(*board.centre(i, -1), rows[i], size, palette.MUTED))
        else:
            x, y = board.centre(i, 0)
            shapes.append(Text(x - rim - 0.1 * size, y, rows[i], size, palette.MUTED, "end"))
    shapes += STONES.on(position, board.centre, stone * radius, latest)
    right, bottom = board.centre(n - 1, n - 1)
    left, top = -rim - 1.4 * size, -1.5 * radius - 0.6 * size
    if flipped:
        right = board.centre(0, n - 1)[0] + 0.2 * board.step
        left, top = -right - rim, top + 0.2 * size
    return shapes, (left, top, right + rim, bottom + rim)


def places(position: Hex | DarkHex, flipped: bool = False) -> dict[int, Place]:
    """Returns each move on the cell where it sets a stone."""
    board, n = Rhombus(position.size, upright=flipped), position.size
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {a: Place(*board.centre(a // n, a % n), board.radius, "hexagon") for a in stones}


def miniature(position: Hex | DarkHex, foggy: Collection[Cell] = ()) -> Miniature | None:
    """Returns the board without names."""
    n = position.size
    if n * n > MOST_SMALL:
        return None
    board = Rhombus(n, min(20.0 * max(n, 3), 90) / (1.5 * n - 0.5), 2.5)
    x, y = board.centre((n - 1) / 2, (n - 1) / 2)
    shapes = edges(board)
    for cell in cells(position):
        corners = hexagon(board.centre(*cell), board.radius)
        shapes.append(Polygon(corners, palette.CELL, palette.GRID, 0.6))
        player = position.cell(*cell)
        if player is not None:
            shapes += STONES.piece(player, *board.centre(*cell), 0.72 * board.radius)
        elif cell in foggy:
            shapes.append(Circle(*board.centre(*cell), 0.4 * board.radius, palette.GRID))
    width, height = 2 * x + sqrt(3) * board.rim, 2 * (y + board.rim)
    return Miniature(width, height, [moved(shape, -x, -y) for shape in shapes])


class Rhombus:
    """Draws ``n`` rows of ``n`` hexagons, each half a cell to the right of the one above.

    ``step`` is the distance of neighbours, and ``edge`` the width of the coloured edges. If it is
    ``upright``, the first cell is on top and the last one below it.
    """

    def __init__(self, n: int, step: float = 0, edge: float = 0, upright: bool = False) -> None:
        self.n, self.upright = n, upright
        self.step = step or clamp(31, 640 / (1.5 * n - 0.5), 72)
        self.radius = self.step / sqrt(3)  # of a cell, to its corners
        self.rim = self.radius + (edge or clamp(6, 0.24 * self.radius, 9))  # of what is below them

    def centre(self, row: float, column: float) -> Point:
        """Returns the middle of a cell."""
        if self.upright:  # turned by 60 degrees, the hexagons as they were
            return (column - row) / 2 * self.step, (row + column) * 1.5 * self.radius
        return (column + row / 2) * self.step, row * 1.5 * self.radius


def edges(board: Rhombus) -> list[Shape]:
    """Draws larger hexagons below those at the edge: red at top and bottom, blue at the sides."""
    last = board.n - 1
    red = [(row, i) for row in (0, last) for i in range(board.n)]
    blue = [(i, column) for column in (0, last) for i in range(board.n)]
    shapes: list[Shape] = []
    for edge, colour in ((red, palette.RED), (blue, palette.BLUE)):
        for cell in edge:
            shapes.append(Polygon(hexagon(board.centre(*cell), board.rim), colour))
    halves = {  # of the corner cells are red: from corner to corner, 0.5 being halfway from 0 to 1
        (0, 0): (5, 0, 1, 2),
        (last, last): (2, 3, 4, 5),
        (0, last): (0.5, 0, 5, 4, 3.5),
        (last, 0): (0.5, 1, 2, 3, 3.5),
    }
    for cell, half in halves.items():
        corners = hexagon(board.centre(*cell), board.rim)
        turn = 1 if board.upright else 0
        points = [(corners[int(i + turn) % 6], corners[int(i + turn + 0.5) % 6]) for i in half]
        red_half = tuple(((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in points)
        shapes.append(Polygon(red_half, palette.RED))
    return shapes


TASKS = ("top to bottom", "left to right")
UPRIGHT_TASKS = ("upper right to lower left", "upper left to lower right")


def rhombus_picture(draw: Callable[..., Drawing], **others: Any) -> Picture:
    """Returns the record of a game on a rhombus, which stands on a corner on narrow screens."""
    flipped = Picture(
        draw=functools.partial(draw, flipped=True),
        places=functools.partial(places, flipped=True),
        tasks=UPRIGHT_TASKS,
    )
    return Picture(
        draw=draw,
        places=places,
        tasks=TASKS,
        row_shift=0.5,
        flipped=flipped,
        upright=True,
        **others,
    )


register_picture(Hex, rhombus_picture(draw, miniature=miniature))
