"""Exact exploitability of phantom games whose trees are too large to be written down.

``attempt_policy.py`` has policies as arrays over a player's attempts, and finds the information
sets; ``attempt_response.py`` finds best responses by a walk that never makes a history twice.
"""

from __future__ import annotations

from adv_envs.games.phantom import Phantom

from .attempt_policy import MOST_CELLS, AttemptPolicy
from .attempt_response import best_value, exploitability

__all__ = ["AttemptPolicy", "best_value", "exploitability", "without_tree"]


def without_tree(start: Phantom) -> str:
    """Returns what finds exploitability without the tree, where the board is small enough."""
    if start.num_actions > MOST_CELLS:
        return ""
    return "call agents.games.phantom.exploitability in Python, which needs no tree"
