"""Rock-paper-scissors: how much of a game has been played."""

from __future__ import annotations

from adv_envs import RockPaperScissors
from agents.knowledge import Knowledge, register_knowledge


def progress(position: RockPaperScissors) -> float:
    """Returns how much of the game has been played, 0 to 1."""
    return position.ply / (2 * position.rounds)


register_knowledge(RockPaperScissors, Knowledge(progress=progress))
