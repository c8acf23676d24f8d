"""Plays no-limit hold'em by equity and pot odds."""

from __future__ import annotations

from dataclasses import replace

from adv_envs import TexasHoldemNoLimit
from agents.knowledge import register_knowledge

from .holdem import HOLDEM

register_knowledge(TexasHoldemNoLimit, replace(HOLDEM, names=(*HOLDEM.names, "no limit", "nlhe")))
