"""Draws no-limit hold'em, as ``holdem.py`` does."""

from __future__ import annotations

from adv_envs.games.texas_holdem_no_limit import TexasHoldemNoLimit

from .holdem import HOLDEM_PICTURE
from .picture import register_picture

register_picture(TexasHoldemNoLimit, HOLDEM_PICTURE)
