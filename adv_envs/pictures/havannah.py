"""Draws Havannah: white and black stones on a hexagon, the corners darker."""

from __future__ import annotations

from adv_envs.games.havannah import Havannah

from . import palette
from .grids import WHITE_BLACK, Discs
from .hexagons import shaped_picture
from .picture import register_picture

(_WHITE, _WHITE_RIM), (_BLACK, _BLACK_RIM) = WHITE_BLACK
STONES = Discs(
    (_WHITE, _BLACK), (_WHITE_RIM, _BLACK_RIM), 0.08, (palette.ON_LIGHT, palette.ON_DARK)
)

register_picture(Havannah, shaped_picture(-0.5, STONES, corners=True))
