"""The Game of 31: it is small enough to be searched to its end."""

from __future__ import annotations

from adv_envs import ThirtyOne
from agents.knowledge import Knowledge, register_knowledge

register_knowledge(
    ThirtyOne,
    Knowledge(
        progress=lambda position: position.total / position.limit,
        analyst=lambda position: "alpha_beta()" if position.num_players == 2 else None,
    ),
)
