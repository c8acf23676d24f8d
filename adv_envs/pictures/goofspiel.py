"""Goofspiel: the text of a position."""

from __future__ import annotations

from adv_envs.games.goofspiel import Goofspiel

from .picture import Picture, register_picture, text_card

register_picture(Goofspiel, Picture(draw=text_card))
