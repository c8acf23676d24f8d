"""The Game of 31: it is small enough to be searched to its end."""

from __future__ import annotations

from adv_envs import ThirtyOne
from agents.knowledge import Knowledge, register_knowledge

RUNGS = {
    "random": "random",
    "greedy": "greedy",
    "mcts 10": "mcts(simulations=10, solver=False)",
    "mcts 100": "mcts(simulations=100, solver=False)",
    "depth 4": "alpha_beta(depth=4)",
    "depth 8": "alpha_beta(depth=8)",
    "perfect": "perfect",
}
"""Opponents from random to perfect, or as near to it as can be played in minutes."""

register_knowledge(
    ThirtyOne,
    Knowledge(
        progress=lambda position: position.total / position.limit,
        analyst=lambda position: "alpha_beta()" if position.num_players == 2 else None,
        rungs=RUNGS,
    ),
)
