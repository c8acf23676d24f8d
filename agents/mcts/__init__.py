"""Searches Monte Carlo trees in preallocated arrays: ``MCTS`` is the agent, the rest its parts.

``nodes.py`` describes ``TreeArrays`` and its nodes. A simulation selects a way down
(``selection.py``), expands the leaf, evaluates it by a playout or an evaluation (``playouts.py``),
and backs its value up: ``simulation.py`` is that loop, compiled. ``policy_search.py`` has the same
parts for leaves that a policy values, in one tree or in those of many games at once, as self-play
has them. ``mcts.py`` runs searches within limits. ``information_set.py`` is the search for games in
which players do not see everything.
"""

from .information_set import InformationSetMCTS
from .mcts import MCTS
from .nodes import SearchTree

__all__ = ["MCTS", "InformationSetMCTS", "SearchTree"]
