"""Rock-paper-scissors: how much of a game has been played, and who cannot be exploited."""

from __future__ import annotations

from adv_envs import RockPaperScissors
from agents.knowledge import Knowledge, register_knowledge

SOLVED = 3
"""Up to how many rounds the whole game is gone through to be analysed."""


def progress(position: RockPaperScissors) -> float:
    """Returns how much of the game has been played, 0 to 1."""
    return position.ply / (2 * position.rounds)


def opponent(start: RockPaperScissors) -> str:
    """Returns the spec of random play, which is an equilibrium."""
    return "random()"


def analyst(position: RockPaperScissors) -> str | None:
    """Returns the spec of the same equilibrium, which CFR begins with."""
    return "cfr(iterations=1)" if position.rounds <= SOLVED else None


register_knowledge(
    RockPaperScissors,
    Knowledge(progress=progress, opponent=opponent, analyst=analyst, strong=opponent),
)
