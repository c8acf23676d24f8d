"""Liar's dice: how much of a game has been played."""

from __future__ import annotations

from adv_envs import LiarsDice
from agents.knowledge import Knowledge, register_knowledge


def progress(position: LiarsDice) -> float:
    """Returns how much of the game has been played, 0 to 1."""
    return (position.last_bid + 1) / position.liar


register_knowledge(LiarsDice, Knowledge(progress=progress))
