"""Draws Y: red and blue stones on a triangle of hexagons."""

from __future__ import annotations

from adv_envs.games.y import GameOfY

from .hex import STONES
from .hexagons import shaped_picture
from .picture import register_picture

register_picture(GameOfY, shaped_picture(0.5, STONES))
