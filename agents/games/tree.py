"""Searches game trees, such as the one of AIMA figure 5.2, completely: they are small enough."""

from __future__ import annotations

from adv_envs import Tree
from agents.knowledge import Knowledge, register_knowledge

register_knowledge(
    Tree,
    Knowledge(
        names=("fig52", "minimax", "game tree", "aima"),
        analyst=lambda position: "alpha_beta()",
    ),
)
