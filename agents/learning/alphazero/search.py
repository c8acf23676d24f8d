"""One search in each of n games at once, guided by one network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import Kernel
from agents.mcts.playouts import winning_move_for
from agents.mcts.selection import halving_phases

from . import tree
from .encoding import Encoder, Words
from .search_arrays import Considered, new_evaluations, new_paths, new_trees
from .settings import AlphaZeroSettings

Evaluate = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Inputs (n, *shape) to logits (n, num_actions) and values (n,) from -1 to 1."""


class Found(NamedTuple):
    """What the searches of n games found."""

    actions: NDArray[np.int64]
    """(n,): what to play."""
    policies: NDArray[np.float32]
    """(n, num_actions): what the network's policy is to become."""
    values: NDArray[np.float32]
    """(n,): the value of each position for its player to move, from -1 to 1."""


class BatchedSearch:
    """Searches of ``games`` games at once, with one evaluation for all of them per simulation.

    ``evaluate`` may be changed at any time; call ``clear_cache`` then, as evaluations are kept.
    """

    def __init__(
        self, encoder: Encoder, games: int, settings: AlphaZeroSettings, evaluate: Evaluate
    ) -> None:
        self.encoder, self.settings, self.evaluate = encoder, settings, evaluate
        self.start, nodes = encoder.start, 1 + max(settings.simulations, settings.fast_simulations)
        entries = 1 << max(settings.cache - 1, 1).bit_length()
        self.trees = new_trees(self.start, games, nodes)
        self.cache = new_evaluations(self.start, games, encoder.shape, entries)
        self.paths = new_paths(games, nodes)
        self.policies = np.zeros((games, self.start.num_actions), np.float32)
        self.values = np.zeros(games, np.float32)
        self.evaluations = 0
        self._turns: dict[tuple[int, int], list[int]] = {}
        self._bind()

    def _bind(self) -> None:
        facts: dict[str, Any] = self.encoder.bindings | {
            "winning_move": winning_move_for(self.start),
            "GUMBEL": self.settings.method == "gumbel",
            "SCALE": float(self.settings.value_scale),
            "EXPLORATION": float(self.settings.exploration),
        }
        bound: list[Kernel[..., Any]] = [
            each.bind_used(**facts)
            for each in (tree.begin, tree.select_leaves, tree.expand, tree.back_up, tree.improve)
        ]
        self._begin, self._select, self._expand, self._back_up, self._improve = bound

    def clear_cache(self) -> None:
        """Forgets all evaluations, which were those of another network."""
        self.cache.keys[:, -1] = 0

    def search(
        self,
        words: Words,
        full: NDArray[np.bool_],
        sampled: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> Found:
        """Searches unfinished positions (games, num_words).

        ``full`` (games,) says where the search is a full one, else a fast one; ``sampled`` (games,)
        where the action is drawn, else the best is played.
        """
        settings = self.settings
        self._ask(self._begin(self.start, words, self.trees, self.cache, self.paths))
        budgets = np.where(full, settings.simulations, settings.fast_simulations).astype(np.int64)
        if settings.method == "gumbel":
            considered = self._consider(budgets, full | sampled, rng)
            self._simulate(considered)
            self._improve(self.start, self.trees, self.policies, self.values)
            actions = self._most_promising(considered)
            return Found(actions, self.policies.copy(), self.values.copy())
        self._add_noise(full, rng)
        self._simulate(self._consider(budgets, full | sampled, rng))
        policies, actions = self._visits(sampled, rng)
        return Found(actions, policies, self._mean_values())

    def _simulate(self, considered: Considered) -> None:
        """Adds all simulations to the trees, one to each at a time."""
        for simulation in range(int(considered.budgets.max())):
            number = self._select(
                self.start, simulation, considered, self.trees, self.cache, self.paths
            )
            self._ask(number)
            self._back_up(self.start, self.trees, self.paths)

    def _ask(self, number: int) -> None:
        """Gives the ``number`` nodes that wait what the network says of them."""
        if number:
            outputs, values = self.evaluate(self.cache.planes[:number])
            self._expand(self.start, number, outputs, values, self.trees, self.cache, self.paths)
            self.evaluations += number

    def _consider(
        self, budgets: NDArray[np.int64], sampled: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Draws the actions that are considered, where ``sampled`` with Gumbel noise."""
        logits = self.trees.logits[:, 0]
        noise = rng.gumbel(size=logits.shape).astype(np.float32) * sampled[:, None]
        drawn = logits + noise
        number = np.minimum(np.isfinite(logits).sum(1), self.settings.max_num_considered_actions)
        number = np.minimum(number, budgets)
        order = np.argsort(-drawn, 1, kind="stable")
        rank = np.argsort(order, 1, kind="stable")
        drawn = np.where(rank < number[:, None], drawn, np.float32(-np.inf))
        in_turn = np.zeros((len(logits), int(budgets.max())), np.int32)
        for m, budget in {(int(m), int(b)) for m, b in zip(number, budgets, strict=True)}:
            if (m, budget) not in self._turns:
                self._turns[m, budget] = visits_in_turn(m, budget)
            in_turn[(number == m) & (budgets == budget), :budget] = self._turns[m, budget]
        return Considered(drawn, in_turn, budgets)

    def _most_promising(self, considered: Considered) -> NDArray[np.int64]:
        """Returns the action with the most visits, then the best of them with the noise."""
        drawn, logits = considered.logits, self.trees.logits[:, 0]
        counts = np.where(np.isfinite(drawn), self.trees.visits[:, 0], -1)
        most = counts == counts.max(1, keepdims=True)
        # the improved policy's logarithm is the logits plus sigma, up to a constant
        gains = np.log(np.maximum(self.policies, 1e-30)) - np.where(np.isfinite(logits), logits, 0)
        scores = np.where(most, np.where(np.isfinite(drawn), drawn, 0) + gains, -np.inf)
        best: NDArray[np.int64] = scores.argmax(1)
        return best

    def _add_noise(self, full: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Mixes Dirichlet noise into the priors of the roots that are searched in full."""
        share, logits = self.settings.dirichlet_fraction, self.trees.logits[:, 0]
        legal = np.isfinite(logits)
        noise = rng.standard_gamma(self.settings.dirichlet_alpha, logits.shape) * legal
        noise /= np.maximum(noise.sum(1, keepdims=True), 1e-12)
        with np.errstate(divide="ignore"):
            mixed = np.log((1 - share) * np.exp(logits) + share * noise)
        logits[full] = np.where(legal, np.maximum(mixed, -30), -np.inf)[full]

    def _visits(
        self, sampled: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Returns the shares of the visits, and actions that are drawn by them or have most."""
        visits = self.trees.visits[:, 0].astype(np.float32)
        shares = visits / visits.sum(1, keepdims=True)
        numbers = rng.random((len(shares), 1))
        drawn = (shares.cumsum(1) <= numbers).sum(1)
        drawn = np.minimum(drawn, shares.shape[1] - 1)
        drawn = np.where(shares[np.arange(len(shares)), drawn] > 0, drawn, shares.argmax(1))
        return shares, np.where(sampled, drawn, visits.argmax(1))

    def _mean_values(self) -> NDArray[np.float32]:
        """Returns the mean value of all simulations of each game."""
        visits = self.trees.visits[:, 0].sum(1)
        mean: NDArray[np.float32] = self.trees.totals[:, 0].sum(1) / np.maximum(visits, 1)
        return mean.astype(np.float32)


def visits_in_turn(actions: int, simulations: int) -> list[int]:
    """Returns how many visits an action must have to be tried next, for each simulation.

    Those that are left in each phase of sequential halving are tried in turn.
    """
    found: list[int] = []
    visits = 0
    for left, number in halving_phases(actions, simulations):
        found += [visits + i // left for i in range(number)]
        visits += number // left
    return found
