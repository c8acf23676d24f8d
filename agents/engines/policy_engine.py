"""Makes engines play policies for whole games of hidden information, as tables.

A table is solved when a plan is made, and says what is played at each view of a player.
"""

from __future__ import annotations

from typing import Any

from adv_envs import Position
from adv_envs.bits import words_of
from agents.equilibrium.game_tree import estimated_histories
from agents.equilibrium.hidden_agents import PolicyAgent

from .array_plans import seed_told

NAME = "policy"

MOST_HISTORIES = 20_000
"""Histories of the largest game whose policies are small enough for a plan: Leduc has 9,457."""


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays the policy of ``agent``; None for others, and for large games."""
    if not isinstance(agent, PolicyAgent) or start.perfect_information:
        return None
    if estimated_histories(start.start()) > MOST_HISTORIES:
        return None
    try:
        policy = agent.policy(start)
    except (ImportError, ValueError):  # no linear programming here, or not for so many players
        return None
    tree = policy.tree
    views = {key_of_view(view): told(agent, view) for view in tree.views}
    return {
        "seed": seed_told(agent.seed),
        "views": views,
        "nodes": tree.num_nodes,
        "leaves": len(tree.leaves),
    }


def told(agent: PolicyAgent, view: Position) -> list[Any]:
    """Returns the value of a view, and for each legal action the probability and the value."""
    found = agent.analyse(view)
    return [found.value, list(found.probabilities.values()), list(found.values.values())]


def key_of_view(view: Position) -> str:
    """Returns the words of the state of a position as one text."""
    return " ".join(map(str, words_of(view)[len(view.parameters) :]))


def exports(agent: PolicyAgent, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns no kernels: the rules say what a player sees."""
    return {}
