"""Liar's dice: the text of a position."""

from __future__ import annotations

from adv_envs.games.liars_dice import LiarsDice

from .picture import Picture, register_picture, text_card

register_picture(LiarsDice, Picture(draw=text_card))
