"""Says of rock-paper-scissors how much has been played, and who cannot be exploited."""

from __future__ import annotations

from adv_envs import RockPaperScissors
from agents.knowledge import Knowledge, register_knowledge

SOLVED = 3
"""Up to how many rounds the whole game is gone through to be analysed."""


def opponent(start: RockPaperScissors) -> str:
    """Returns the spec of random play, which is an equilibrium."""
    return "random()"


register_knowledge(
    RockPaperScissors,
    Knowledge(
        names=("rps", "roshambo", "stone paper scissors"),
        progress=lambda position: position.ply / (2 * position.rounds),
        settings=({"rounds": 3},),
        opponent=opponent,
        analyst=lambda position: (  # the same equilibrium, which CFR begins with
            "cfr(iterations=1)" if position.rounds <= SOLVED else None
        ),
        strong=opponent,
    ),
)
