"""Draws Gardner's minichess as chess is drawn."""

from __future__ import annotations

from adv_envs.games.minichess import MiniChess

from .chess import clicks, draw, labels, miniature, places
from .picture import register_picture, two_sided

register_picture(MiniChess, two_sided(draw, places, clicks, labels=labels, miniature=miniature))
