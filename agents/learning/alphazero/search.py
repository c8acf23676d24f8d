"""Runs one search in each of n games at once, guided by one network.

In each round every tree gets one simulation, and the network evaluates the new leaves of all games
in one batch: see ``agents.mcts.policy_search``. At the root actions are chosen as Gumbel AlphaZero
does: a few are drawn without replacement by the network's probabilities, and the simulations are
shared among them by sequential halving. However few they are, the improved policy is in expectation
no worse than the network's (I. Danihelka et al., "Policy improvement by planning with Gumbel", ICLR
2022). Or by PUCT with Dirichlet noise, as AlphaZero does (D. Silver et al., Science 2018).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, unpack_row
from adv_envs.jit import kernel
from adv_envs.random import hash_word
from agents.mcts.nodes import AT, NODE_POLICY, PENDING, SCORE, TreeArrays, new_tree
from agents.mcts.playouts import STAMP, USED
from agents.mcts.policy_search import Leaves, bound_for, new_leaves, tree_of
from agents.mcts.selection import (
    SearchSettings,
    completed_value,
    halving_phases,
    mean_value,
    write_scores,
)
from agents.networks.encoding import Encoder, Floats, Words, write_planes
from agents.search.limits import counters

from .settings import AlphaZeroSettings

Evaluate = Callable[[Floats], tuple[Floats, Floats]]
"""Inputs (n, *shape) to logits (n, num_actions) and values (n,) from -1 to 1."""


class Evaluations(NamedTuple):
    """Keeps the network's evaluations, by position, and the requests for new ones."""

    keys: Words
    """(entries, num_words + 1): positions; the last number is 1 where there is an entry."""
    priors: Floats
    """(entries, num_actions): weights of the legal actions, the largest of which is 1."""
    values: Floats
    """(entries,): from -1 to 1, for the player to move."""
    waiting: NDArray[np.int64]
    """(games,): the numbers of the leaves that wait for the network."""
    planes: Floats
    """(games, *shape): the network's inputs for them."""
    legal: NDArray[np.int64]
    """(num_actions,): workspace."""


def new_evaluations(encoder: Encoder, games: int, entries: int) -> Evaluations:
    """Returns room for ``entries`` evaluations, a power of two, and a request of each game."""
    start = encoder.start
    return Evaluations(
        keys=np.zeros((entries, num_words(start) + 1), np.int64),
        priors=np.zeros((entries, start.num_actions), np.float32),
        values=np.zeros(entries, np.float32),
        waiting=np.zeros(games, np.int64),
        planes=np.zeros((games, *encoder.shape), np.float32),
        legal=np.zeros(start.num_actions, np.int64),
    )


@kernel
def look_up(start: Position, number: int, leaves: Leaves, kept: Evaluations) -> int:
    """Gives the first ``number`` of ``leaves`` what is kept of them.

    Returns how many wait for the network, whose inputs are written.
    """
    waiting = 0
    for i in range(number):
        position, slot = unpack_row(start, leaves.words, i), slot_of(leaves.words, i, kept.keys)
        if is_kept(leaves.words, i, kept.keys, slot):
            take(position, i, slot, leaves, kept)
        else:
            kept.waiting[waiting] = i
            write_planes(position, kept.planes[waiting])
            waiting += 1
    return waiting


@kernel
def keep(
    start: Position, number: int, logits: Floats, values: Floats, leaves: Leaves, kept: Evaluations
) -> None:
    """Keeps what the network says of the ``number`` leaves that wait, and gives it to them.

    ``logits`` are (number, num_actions), ``values`` (number,).
    """
    for k in range(number):
        i = kept.waiting[k]
        position, slot = unpack_row(start, leaves.words, i), slot_of(leaves.words, i, kept.keys)
        for word in range(leaves.words.shape[1]):
            kept.keys[slot, word] = leaves.words[i, word]
        kept.keys[slot, leaves.words.shape[1]], kept.values[slot] = 1, values[k]
        legal, largest = position.write_legal(kept.legal), -inf
        for j in range(legal):
            largest = max(largest, logits[k, kept.legal[j]])
        for j in range(legal):
            action = kept.legal[j]
            kept.priors[slot, action] = exp(logits[k, action] - largest)
        take(position, i, slot, leaves, kept)


def take(position: Any, i: int, slot: int, leaves: Leaves, kept: Evaluations) -> None:
    """Gives leaf ``i`` what is kept at ``slot``."""
    for action in range(position.num_actions):
        leaves.priors[i, action] = kept.priors[slot, action]
    value = kept.values[slot] * position.max_utility
    leaves.values[i, position.to_move] = value
    leaves.values[i, 1 - position.to_move] = -value


def slot_of(words: Words, row: int, keys: Words) -> int:
    """Returns where the evaluation of the position words[row] is kept."""
    key = 0
    for i in range(words.shape[1]):
        key = hash_word(key, words[row, i])
    return int(key & (keys.shape[0] - 1))


def is_kept(words: Words, row: int, keys: Words, slot: int) -> bool:
    """Returns whether the entry at ``slot`` is that of the position words[row]."""
    size = words.shape[1]
    if keys[slot, size] == 0:
        return False
    for i in range(size):
        if keys[slot, i] != words[row, i]:
            return False
    return True


@kernel
def improve(
    start: Position, scale: float, trees: TreeArrays, policies: Floats, values: Floats
) -> None:
    """Writes the improved policy of each root (games, num_actions), and its value (games,)."""
    for game in range(policies.shape[0]):
        tree = tree_of(trees, game)
        write_scores(0, scale, tree)
        completed, _, _ = completed_value(0, tree.nodes)
        scores, width = tree.statistics[SCORE], int(tree.nodes[0]["width"])
        largest, total, expected = -inf, 0.0, 0.0
        for i in range(width):
            largest = max(largest, scores[i])
        for i in range(width):
            weight = exp(scores[i] - largest)
            total += weight
            expected += weight * mean_value(1 + i, completed, tree.nodes)
        for action in range(policies.shape[1]):
            policies[game, action] = 0.0
        for i in range(width):
            policies[game, tree.nodes[1 + i]["action"]] = exp(scores[i] - largest) / total
        values[game] = expected / total / start.max_utility


class Found(NamedTuple):
    """Holds what the searches of n games found."""

    actions: NDArray[np.int64]
    """(n,): what to play."""
    policies: Floats
    """(n, num_actions): what the network's policy is to become."""
    values: Floats
    """(n,): the value of each position for its player to move, from -1 to 1."""


class BatchedSearch:
    """Searches of ``games`` games at once, with one evaluation for all of them per simulation.

    ``evaluate`` may be changed at any time; call ``clear_cache`` then, as evaluations are kept.
    """

    def __init__(
        self, encoder: Encoder, games: int, settings: AlphaZeroSettings, evaluate: Evaluate
    ) -> None:
        self.encoder, self.settings, self.evaluate = encoder, settings, evaluate
        self.start, self.evaluations = encoder.start, 0
        start = self.start
        simulations = max(settings.simulations, settings.fast_simulations)
        capacity = 1 + (1 + simulations) * start.num_actions
        self.trees = new_tree(start, capacity, NODE_POLICY, 0, (games,))
        self.leaves = new_leaves(start, games, simulations)
        self.cache = new_evaluations(encoder, games, 1 << max(settings.cache - 1, 1).bit_length())
        self.gumbel, self.counts = settings.method == "gumbel", counters()
        self.most = start.max_utility
        self.how = SearchSettings(
            exploration=float(settings.exploration * self.most),
            solver=False,
            value_scale=0.5 * settings.value_scale / self.most,  # values are one apart
        )
        self._select, self._expand = bound_for(start, self.gumbel)
        self._look_up = look_up.bind_used(**encoder.bindings)

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
        settings, shape = self.settings, self.trees.considered.shape
        self._plant(words)
        budgets = np.where(full, settings.simulations, settings.fast_simulations).astype(np.int64)
        if self.gumbel:
            noise = rng.gumbel(size=shape).astype(np.float32) * (full | sampled)[:, None]
            self.trees.noise[:] = self._of_children(noise)
            self._simulate(budgets)
            policies, values = np.zeros(shape, np.float32), np.zeros(len(words), np.float32)
            improve(self.start, self.how.value_scale, self.trees, policies, values)
            return Found(self._most_promising(), policies, values)
        self._add_noise(full, rng)
        self._simulate(budgets)
        policies, actions = self._shares(sampled, rng)
        roots = self.trees.nodes[:, 0]
        values = (roots["total"] / roots["visits"] / self.most).astype(np.float32)
        return Found(actions, policies, values)

    def _plant(self, words: Words) -> None:
        trees, leaves, roots = self.trees, self.leaves, self.trees.nodes[:, 0]
        roots["visits"], roots["width"], roots["total"] = 0, PENDING, 0.0
        roots["lower"], roots["upper"] = -self.most, self.most
        trees.workspace[:, USED], trees.workspace[:, STAMP] = 1, 0
        trees.root[:], trees.considered[:] = words, True
        leaves.words[:], leaves.games[:], leaves.depths[:] = words, np.arange(len(words)), 0
        leaves.paths[:, AT, 0] = 0
        self._ask(len(words))

    def _simulate(self, budgets: NDArray[np.int64]) -> None:
        """Adds ``budgets`` (games,) simulations to the trees, one to each at a time."""
        considered = np.minimum(self.trees.nodes[:, 0]["width"], budgets)
        considered = np.minimum(considered, self.settings.max_num_considered_actions)
        pairs = np.stack([considered, budgets], 1)
        kinds, inverse = np.unique(pairs, axis=0, return_inverse=True)
        phases = [[(0, 0), *halving_phases(*kind)] for kind in kinds.tolist()]
        longest = max(map(len, phases))
        padded = np.array([each + each[-1:] * (longest - len(each)) for each in phases])
        trees = self.trees._replace(phases=padded[inverse.reshape(-1)])
        for _ in range(int(budgets.max())):
            found = self._select(self.start, 1, self.how, trees, self.leaves, self.counts)
            self._ask(found)

    def _ask(self, number: int) -> None:
        """Expands the first ``number`` leaves by what is kept of them or the network says."""
        waiting = self._look_up(self.start, number, self.leaves, self.cache)
        if waiting:
            planes = self.cache.planes[:waiting]
            players = self.encoder.players_in(planes)
            logits, values = self.evaluate(self.encoder.mirror(planes, players))
            logits = self.encoder.mirror_actions(logits, players)
            keep(self.start, waiting, logits, values, self.leaves, self.cache)
            self.evaluations += waiting
        self._expand(self.start, number, self.how, self.trees, self.leaves)

    # ---- the roots

    def _children(self) -> tuple[NDArray[np.void], NDArray[np.bool_], NDArray[np.int64]]:
        """Returns a view of the roots' children, which of it are some, and their actions.

        All of shape (games, num_actions); action 0 where there is none.
        """
        actions = self.start.num_actions
        children = self.trees.nodes[:, 1 : 1 + actions]
        there = np.arange(actions) < self.trees.nodes[:, :1]["width"]
        return children, there, np.where(there, children["action"], 0)

    def _of_children(self, of_actions: NDArray[Any]) -> NDArray[Any]:
        """Returns numbers (games, num_actions) of actions by the numbers of the roots' children."""
        _, there, actions = self._children()
        return np.where(there, np.take_along_axis(of_actions, actions, 1), 0)

    def visits(self) -> NDArray[np.int64]:
        """Returns the visits of each root's actions, (games, num_actions)."""
        children, there, actions = self._children()
        found = np.zeros(there.shape, np.int64)
        games, numbers = np.nonzero(there)
        found[games, actions[there]] = children["visits"][games, numbers]
        return found

    def _most_promising(self) -> NDArray[np.int64]:
        """Returns the action with the most visits, then the best of them with the noise."""
        children, there, actions = self._children()
        counts = np.where(there & self.trees.considered, children["visits"], -1)
        scores = self.trees.statistics[:, SCORE] + self.trees.noise
        scores = np.where(counts == counts.max(1, keepdims=True), scores, -np.inf)
        best: NDArray[np.int64] = np.take_along_axis(actions, scores.argmax(1)[:, None], 1)[:, 0]
        return best

    def _add_noise(self, full: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Mixes Dirichlet noise into the priors of the roots that are searched in full."""
        share, (children, there, _) = self.settings.dirichlet_fraction, self._children()
        noise = rng.standard_gamma(self.settings.dirichlet_alpha, there.shape)
        noise = self._of_children(noise)
        noise /= np.maximum(noise.sum(1, keepdims=True), 1e-12)
        mixed = (1 - share) * children["prior"] + share * noise
        children["prior"] = np.where(there & full[:, None], mixed, children["prior"])

    def _shares(
        self, sampled: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Returns the shares of the visits, and actions that are drawn by them or have most."""
        visits = self.visits().astype(np.float32)
        shares = visits / visits.sum(1, keepdims=True)
        numbers = rng.random((len(shares), 1))
        drawn = (shares.cumsum(1) <= numbers).sum(1)
        drawn = np.minimum(drawn, shares.shape[1] - 1)
        drawn = np.where(shares[np.arange(len(shares)), drawn] > 0, drawn, shares.argmax(1))
        return shares, np.where(sampled, drawn, visits.argmax(1))
