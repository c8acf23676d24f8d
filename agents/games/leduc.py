"""Plays Leduc hold'em, with two players, by an equilibrium found within a second."""

from __future__ import annotations

from adv_envs import Leduc
from agents.games.kuhn import RUNGS
from agents.knowledge import Knowledge, register_knowledge


def near_equilibrium(position: Leduc) -> str | None:
    """Returns the spec of CFR+ with some hundred iterations, for two players."""
    return "cfr_plus(iterations=300)" if position.players == 2 else None


def phase(view: Leduc) -> str:
    """Returns the round of betting, which the public card tells."""
    return "round 2" if view.card(view.players) > 0 else "round 1"


register_knowledge(
    Leduc,
    Knowledge(
        names=("poker", "texas", "hold'em", "cards"),
        progress=lambda position: position.ply / (position.players + 1 + 2 * position.most_actions),
        utility_unit="chips per hand",
        phase=phase,
        opponent=near_equilibrium,
        analyst=near_equilibrium,
        strong=lambda position: "equilibrium()" if position.players == 2 else None,
        rungs=RUNGS,
    ),
)
