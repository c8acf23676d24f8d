"""Rock-paper-scissors: the text of a position."""

from __future__ import annotations

from adv_envs.games.rock_paper_scissors import RockPaperScissors

from .picture import Picture, register_picture, text_card

register_picture(RockPaperScissors, Picture(draw=text_card))
