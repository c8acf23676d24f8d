"""Exact tools for games of hidden information, over the whole tree of a game as flat arrays.

``game_tree.py`` is where to begin to read: histories, information sets, sequences of own actions.
``counterfactual.py`` values the actions at information sets, and on it stand the others:
``regret_matching.py`` has CFR, CFR+ and discounted CFR, ``best_response.py`` best responses,
NashConv, exploitability and what is lost where. ``tabular_policy.py`` has policies as tables.
"""

from .best_response import (
    BestResponse,
    Losses,
    best_response,
    best_value,
    expected_utilities,
    exploitability,
    losses,
    nash_conv,
)
from .game_tree import TERMINAL, GameTree, game_tree
from .regret_matching import CFR, constant, discounted, plus
from .tabular_policy import TabularPolicy, uniform_policy

__all__ = [
    "CFR",
    "TERMINAL",
    "BestResponse",
    "GameTree",
    "Losses",
    "TabularPolicy",
    "best_response",
    "best_value",
    "constant",
    "discounted",
    "expected_utilities",
    "exploitability",
    "game_tree",
    "losses",
    "nash_conv",
    "plus",
    "uniform_policy",
]
