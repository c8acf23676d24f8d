"""Fictitious play: all players answer best what the others have done on average, again and again.

In games of two players with a zero sum the averages approach an equilibrium. Averaged are sequences
of own actions, by how likely a best response takes them: an information set that it does not reach
adds nothing.

Source: J. Heinrich, M. Lanctot and D. Silver, Fictitious Self-Play in Extensive-Form Games, ICML
(2015), there called XFP.
"""

from __future__ import annotations

import numpy as np

from .best_response import best_response
from .counterfactual import reach_of
from .game_tree import GameTree
from .tabular_policy import TabularPolicy


class FictitiousPlay:
    """Fictitious play over the whole tree of a game, from the policy that is uniform."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.iterations = 0
        self._sums = np.zeros(tree.num_slots)  # how often each sequence of actions was an answer

    def run(self, iterations: int = 1) -> None:
        """Answers best, for all players at once, ``iterations`` times."""
        owner = self.tree.set_player[self.tree.slot_set]
        for _ in range(iterations):
            average = self.average()
            for player in range(self.tree.num_players):
                answer = best_response(average, player).policy
                self._sums += np.where(owner == player, reach_of(self.tree, answer.array)[:-1], 0.0)
            self.iterations += 1

    def average(self) -> TabularPolicy:
        """Returns the average of the best responses so far, uniform where none came."""
        return TabularPolicy.of_weights(self.tree, self._sums)
