"""Searches the Game of 31 to its end: it is small enough."""

from __future__ import annotations

from adv_envs import ThirtyOne
from agents.knowledge import Knowledge, by_number, register_knowledge

register_knowledge(
    ThirtyOne,
    Knowledge(
        names=("31", "thirty-one game"),
        progress=lambda position: position.total / position.limit,
        analyst=lambda position: "alpha_beta()" if position.num_players == 2 else None,
        rungs={
            "random": "random",
            "greedy": "greedy",
            **by_number("mcts %d", "mcts(simulations=%d, solver=False)", 10, 100),
            **by_number("depth %d", "alpha_beta(depth=%d)", 4, 8),
            "perfect": "perfect",
        },
    ),
)
