"""Analyses games of hidden information exactly, over the whole tree of a game as flat arrays.

``game_tree.py`` is where to begin to read: histories, information sets, sequences of own actions.
``best_response.py`` values the actions at information sets: best responses, NashConv,
exploitability, what is lost where, and fictitious play. ``regret_matching.py`` has CFR, CFR+,
discounted and Monte Carlo CFR, ``linear_program.py`` exact equilibria for two players.
``tabular_policy.py`` has policies as tables, and ``hidden_agents.py`` the agents that play them.
"""

from .best_response import (
    BestResponse,
    FictitiousPlay,
    Losses,
    best_response,
    best_value,
    expected_utilities,
    exploitability,
    losses,
    nash_conv,
)
from .game_tree import TERMINAL, GameTree, game_tree
from .hidden_agents import (
    CFRAgent,
    CFRPlusAgent,
    DiscountedCFRAgent,
    EquilibriumAgent,
    MCCFRAgent,
    PolicyAgent,
)
from .linear_program import ZeroSumSolution, solve_zero_sum
from .regret_matching import CFR, MCCFR, constant, discounted, plus
from .tabular_policy import TabularPolicy, uniform_policy

__all__ = [
    "CFR",
    "MCCFR",
    "TERMINAL",
    "BestResponse",
    "CFRAgent",
    "CFRPlusAgent",
    "DiscountedCFRAgent",
    "EquilibriumAgent",
    "FictitiousPlay",
    "GameTree",
    "Losses",
    "MCCFRAgent",
    "PolicyAgent",
    "TabularPolicy",
    "ZeroSumSolution",
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
    "solve_zero_sum",
    "uniform_policy",
]
