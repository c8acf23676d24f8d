"""Goofspiel: how much of a game has been played."""

from __future__ import annotations

from adv_envs import Goofspiel
from agents.knowledge import Knowledge, register_knowledge


def progress(position: Goofspiel) -> float:
    """Returns how much of the game has been played, 0 to 1."""
    return position.turn / position.num_turns


register_knowledge(Goofspiel, Knowledge(progress=progress))
