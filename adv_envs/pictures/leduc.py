"""Leduc hold'em: the cards, the chips and the actions, as text."""

from __future__ import annotations

from adv_envs.games.leduc import Leduc

from .picture import Picture, register_picture, text_card

register_picture(Leduc, Picture(draw=text_card))
