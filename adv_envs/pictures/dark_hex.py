"""Draws dark Hex: the board of Hex; in a view, fog where a player has not been.

Small numbers tell the order of the attempts that are shown.
"""

from __future__ import annotations

from adv_envs.games.dark_hex import DarkHex

from .grids import set_by
from .hex import STONES, Rhombus, draw_rhombus, miniature, rhombus_picture
from .phantom_tic_tac_toe import caption, clouds, foggy, numbers
from .picture import card, outcome, register_picture
from .shapes import Drawing


def draw(position: DarkHex, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws stones in a rhombus of hexagons; a view has fog on cells not tried."""
    board = Rhombus(position.size, upright=flipped)
    radius, fog = board.radius, clouds(position, board.centre, 0.42 * board.radius)
    shapes, box = draw_rhombus(position, 0.52, set_by(position, last), fog, flipped)
    shapes += numbers(position, board.centre, (0.62 * radius, 0.34 * radius))
    return card(shapes, box, caption(position), outcome(position)[1], STONES.piece)


register_picture(
    DarkHex,
    rhombus_picture(draw, miniature=lambda position: miniature(position, foggy(position))),
)
