"""Leduc hold'em: with two players an equilibrium of the whole game is found within a second."""

from __future__ import annotations

from adv_envs import Leduc
from agents.knowledge import Knowledge, register_knowledge


def near_equilibrium(position: Leduc) -> str | None:
    """Returns the spec of CFR+ with some hundred iterations, for two players."""
    return "cfr_plus(iterations=300)" if position.players == 2 else None


def phase(view: Leduc) -> str:
    """Returns the round of betting, which the public card tells."""
    return "round 2" if view.card(view.players) > 0 else "round 1"


def progress(position: Leduc) -> float:
    """Returns the plies made as a share of the longest game's."""
    return position.ply / (position.players + 1 + 2 * position.most_actions)


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
    Leduc,
    Knowledge(
        progress=progress,
        utility_unit="chips per hand",
        phase=phase,
        opponent=near_equilibrium,
        analyst=near_equilibrium,
        strong=lambda position: "equilibrium()" if position.players == 2 else None,
        rungs=RUNGS,
    ),
)
