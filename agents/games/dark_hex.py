"""Dark Hex: how far a game has come, and what it is offered with."""

from __future__ import annotations

from adv_envs import DarkHex
from adv_envs.bits import count
from agents.games.phantom import without_tree
from agents.knowledge import Knowledge, register_knowledge


def progress(position: DarkHex) -> float:
    """Returns the share of the cells that have a stone, of those that are shown."""
    return count(position.own | position.opp) / position.num_actions


RUNGS = {
    "random": "random",
    "ismcts 10": "ismcts(simulations=10)",
    "ismcts 30": "ismcts(simulations=30)",
    "ismcts 100": "ismcts(simulations=100)",
    "ismcts 300": "ismcts(simulations=300)",
    "ismcts 1000": "ismcts(simulations=1000)",
}
"""Opponents from random play on, with more and more simulations."""


def equilibrium(position: DarkHex) -> str | None:
    """Returns the spec of an exact equilibrium on 2 x 2, the only size whose tree is small."""
    return "equilibrium()" if position.size == 2 else None


register_knowledge(
    DarkHex,
    Knowledge(
        progress=progress,
        opponent=equilibrium,
        analyst=equilibrium,
        strong=equilibrium,
        rungs=RUNGS,
        without_tree=without_tree,
    ),
)
