"""Dark Hex: the board of Hex; in a view, fog where a player has not been.

Small numbers tell the order of the attempts that are shown.
"""

from __future__ import annotations

from adv_envs.games.dark_hex import DarkHex

from . import palette
from .grids import cells, names, set_by
from .hex import STONES, Rhombus, edges
from .phantom_tic_tac_toe import caption, fog, foggy, numbered
from .picture import Miniature, Picture, Place, card, outcome, register_picture
from .shapes import Circle, Drawing, Polygon, Text, clamp, hexagon, moved


def draw(position: DarkHex, last: int | None = None) -> Drawing:
    """Stones in a rhombus of hexagons; a view has fog on cells not tried."""
    n = position.size
    board = Rhombus(n)
    radius, rim, size = board.radius, board.rim, clamp(11, 0.32 * board.step, 15)
    shapes = edges(board)
    for cell in cells(position):
        corners = hexagon(board.centre(*cell), radius)
        shapes.append(Polygon(corners, palette.CELL, palette.GRID, 0.6 + 0.05 * radius))
    for cell in foggy(position):
        shapes += fog(*board.centre(*cell), 0.42 * radius)
    columns, rows = names(position)
    for i in range(n):
        x, y = board.centre(-1, i)
        shapes.append(Text(x, y, columns[i], size, palette.MUTED))
        x, y = board.centre(i, 0)
        shapes.append(Text(x - rim - 0.1 * size, y, rows[i], size, palette.MUTED, "end"))
    stones = STONES.on(position, board.centre, 0.52 * radius, set_by(position, last))
    shapes += stones
    for player, cell, number in numbered(position):
        x, y = board.centre(*cell)
        side = -0.62 if player == 0 else 0.62
        shapes.append(Text(x + side * radius, y + 0.34 * radius, number, 10, palette.INK))
    right, bottom = board.centre(n - 1, n - 1)
    left, top = -rim - 1.4 * size, -1.5 * radius - 0.6 * size
    box = left, top, right + rim, bottom + rim
    return card(shapes, box, caption(position), outcome(position)[1], STONES.piece)


def places(position: DarkHex) -> dict[int, Place]:
    """Each attempt on its cell."""
    board, n = Rhombus(position.size), position.size
    return {
        action: Place(*board.centre(action // n, action % n), board.radius, "hexagon")
        for action in position.legal_actions()
    }


def miniature(position: DarkHex) -> Miniature | None:
    """The board without names and numbers."""
    n = position.size
    board = Rhombus(n, min(20.0 * max(n, 3), 90) / (1.5 * n - 0.5), 2.5)
    x, y = board.centre((n - 1) / 2, (n - 1) / 2)
    shapes = edges(board)
    hidden = foggy(position)
    for cell in cells(position):
        corners = hexagon(board.centre(*cell), board.radius)
        shapes.append(Polygon(corners, palette.CELL, palette.GRID, 0.6))
        player = position.cell(*cell)
        if player is not None:
            shapes += STONES.piece(player, *board.centre(*cell), 0.72 * board.radius)
        elif cell in hidden:
            shapes.append(Circle(*board.centre(*cell), 0.4 * board.radius, palette.GRID))
    width, height = 2 * x + 3**0.5 * board.rim, 2 * (y + board.rim)
    return Miniature(width, height, [moved(shape, -x, -y) for shape in shapes])


register_picture(
    DarkHex,
    Picture(
        draw=draw,
        places=places,
        miniature=miniature,
        tasks=("top to bottom", "left to right"),
        row_shift=0.5,
    ),
)
