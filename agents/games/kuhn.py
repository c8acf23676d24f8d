"""Plays Kuhn poker by an equilibrium of the whole game, or near to one, found at once."""

from __future__ import annotations

from adv_envs import Kuhn
from agents.knowledge import Knowledge, register_knowledge

MOST_PLAYERS = 4
"""Games of so many players are solved within a second."""


def near_equilibrium(position: Kuhn) -> str | None:
    """Returns the spec of CFR+ with some hundred iterations, where the game is small enough."""
    return "cfr_plus(iterations=300)" if position.players <= MOST_PLAYERS else None


def strong(position: Kuhn) -> str | None:
    """Returns the spec of an exact equilibrium for two players, of CFR+ for three or four."""
    return "equilibrium()" if position.players == 2 else near_equilibrium(position)


RUNGS = {
    "random": "random",
    "ismcts 10": "ismcts(simulations=10)",
    "cfr 3": "cfr(iterations=3)",
    "cfr 10": "cfr(iterations=10)",
    "cfr+ 100": "cfr_plus(iterations=100)",
    "equilibrium": "equilibrium",
}
"""Opponents from random play to one that nobody beats on average."""

register_knowledge(
    Kuhn,
    Knowledge(
        names=("poker", "cards"),
        progress=lambda position: position.ply / (3 * position.players - 1),
        settings=({"players": 3},),
        utility_unit="chips per hand",
        opponent=near_equilibrium,
        analyst=near_equilibrium,
        strong=strong,
        rungs=RUNGS,
    ),
)
