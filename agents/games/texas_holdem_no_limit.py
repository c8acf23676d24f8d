"""Plays no-limit hold'em by equity and pot odds."""

from __future__ import annotations

from adv_envs import TexasHoldemNoLimit
from agents.knowledge import Knowledge, register_knowledge

from .holdem import NAMES, RUNGS, phase, progress

register_knowledge(
    TexasHoldemNoLimit,
    Knowledge(
        names=(*NAMES, "no limit", "nlhe"),
        progress=progress,
        settings=({"players": 6},),
        utility_unit="chips per hand",
        phase=phase,
        opponent=lambda position: "equity_player()",
        analyst=lambda position: "ismcts(seconds=5)",
        strong=lambda position: "equity_player(samples=2000)",
        rungs=RUNGS,
    ),
)
