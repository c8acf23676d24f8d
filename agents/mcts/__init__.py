"""Monte Carlo tree search in preallocated arrays: ``MCTS`` is the agent, everything else its parts.

A simulation selects a way down the tree (``selection.py``), expands a leaf (``tree.py``, which
describes the nodes), evaluates it by a playout (``playouts.py``) or otherwise (``evaluation.py``)
and backs its value up; ``simulation.py`` is that loop, compiled. ``mcts.py`` runs it within limits.
``information_set.py`` is the search for games in which players do not see everything.
"""

from .information_set import InformationSetMCTS
from .mcts import MCTS
from .nodes import SearchTree

__all__ = ["MCTS", "InformationSetMCTS", "SearchTree"]
