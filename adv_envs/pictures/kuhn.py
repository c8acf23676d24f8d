"""Kuhn poker: the cards, the chips and the actions, as text."""

from __future__ import annotations

from adv_envs.games.kuhn import Kuhn

from .picture import Picture, register_picture, text_card

register_picture(Kuhn, Picture(draw=text_card))
