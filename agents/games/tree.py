"""Game trees, such as the one of AIMA figure 5.2: small enough for a complete search."""

from __future__ import annotations

from adv_envs import Tree
from agents.knowledge import Knowledge, register_knowledge

register_knowledge(Tree, Knowledge(analyst=lambda position: "alpha_beta()"))
