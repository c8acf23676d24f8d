"""Counterfactual regret minimisation (CFR), CFR+ and discounted CFR, compiled over flat arrays.

One iteration updates the players one after another. The one whose turn it is works out the
counterfactual value q(a) of each own action (see ``counterfactual``), given the present policies:

    R(a) ← f · (R(a) + q(a) - Σ_b σ(b) q(b))        f depends on the sign of what is in brackets
    C(a) ← C(a) + w · reach(a)                      reach: by own actions, a included
    σ(a) ← R⁺(a) / Σ_b R⁺(b),  R⁺ = max(R, 0)       uniform where the sum is 0

The average policy, C(a) / Σ_b C(b), goes to an equilibrium of games of two players in which one
wins what the other loses. In iteration t:

=====================  ===============  ===============  =====
algorithm              f for R > 0      f for R < 0      w
=====================  ===============  ===============  =====
CFR                    1                1                1
CFR+                   1                0                t
discounted CFR         t^α / (t^α + 1)  t^β / (t^β + 1)  t^γ
=====================  ===============  ===============  =====

Sources: M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, Regret Minimization in Games with
Incomplete Information (NIPS 2007); O. Tammelin, N. Burch, M. Johanson and M. Bowling, Solving
Heads-up Limit Texas Hold'em (IJCAI 2015); N. Brown and T. Sandholm, Solving Imperfect-Information
Games via Discounted Regret Minimization (AAAI 2019), whose α = 3/2, β = 0, γ = 2 are the defaults.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel
from agents.agent import require_limit

from .counterfactual import Form, reach_of, sequence_form
from .game_tree import Floats, GameTree
from .tabular_policy import TabularPolicy, uniform_probabilities

Weights = tuple[float, float, float]
"""The factor of positive regrets, that of negative ones, and the weight in the average."""

Schedule = Callable[[int], Weights]
"""The weights of iteration t, counted from 1."""


def constant(t: int) -> Weights:
    """The weights of CFR in iteration ``t``: the same in all."""
    return 1.0, 1.0, 1.0


def plus(t: int) -> Weights:
    """The weights of CFR+ in iteration ``t``, counted from 1."""
    return 1.0, 0.0, float(t)


def discounted(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Schedule:
    """Returns the weights of discounted CFR; those of linear CFR are ``discounted(1, 1, 1)``.

    ``alpha``, ``beta`` and ``gamma`` are the exponents of positive regrets, negative ones and the
    average.
    """

    def weights(t: int) -> Weights:
        positive, negative = float(t) ** alpha, float(t) ** beta
        return positive / (positive + 1), negative / (negative + 1), float(t) ** gamma

    return weights


class CFR:
    """Minimises counterfactual regret in a game tree; ``run`` goes on where it stopped.

    ``schedule`` gives the weights of each iteration: ``constant`` (CFR), ``plus`` (CFR+), or those
    that ``discounted`` returns. ``iterations`` says how many there were.
    """

    def __init__(self, tree: GameTree, schedule: Schedule = constant) -> None:
        self.tree, self.schedule, self.iterations = tree, schedule, 0
        self.current = uniform_probabilities(tree)
        """The present policy, shape (num_slots,)."""
        self.regrets = np.zeros(tree.num_slots)
        """Cumulative counterfactual regrets, shape (num_slots,)."""
        self.cumulative = np.zeros(tree.num_slots)
        """The sum of which the average policy is made, shape (num_slots,)."""
        self._reach = reach_of(tree, self.current)

    def run(self, iterations: int = 1) -> None:
        """Runs as many more iterations."""
        require_limit("iterations", iterations)
        turns = range(self.iterations + 1, self.iterations + iterations + 1)
        weights = np.array([self.schedule(t) for t in turns])
        values = np.zeros(self.tree.num_nodes)
        tables = self.current, self.regrets, self.cumulative, self._reach
        minimise(nodes_of(self.tree), sequence_form(self.tree), tables, values, weights)
        self.iterations += iterations

    def average(self) -> TabularPolicy:
        """Returns the average policy; uniform at sets that were never reached."""
        return TabularPolicy.of_weights(self.tree, self.cumulative)


Nodes = tuple[NDArray[Any], ...]
"""The histories as the kernels take them, with n nodes, d decisions and p players.

0. first_child, 1. num_children, 2. set_of, 3. probability (n,), 4. utilities (n, p): as in
   ``GameTree``;
5. decisions (d,): the nodes where a player is to move, sorted by player, then by number;
6. first_decision (p + 1,): the first of each player in ``decisions``;
7. last_slots (d, p) and 8. chance (d,): of these nodes, as in ``GameTree``.
"""

Tables = tuple[Floats, Floats, Floats, Floats]
"""The policy (s,), the regrets (s,), the sum of policies (s,), and the reach (s + 1,)."""


@functools.lru_cache(maxsize=8)
def nodes_of(tree: GameTree) -> Nodes:
    """Returns the histories of a tree for the kernels."""
    order = np.argsort(tree.player, kind="stable")
    order = order[tree.player[order] >= 0]
    first = np.searchsorted(tree.player[order], np.arange(tree.num_players + 1))
    tables = tree.first_child, tree.num_children, tree.set_of, tree.probability, tree.utilities
    return (*tables, order, first, tree.last_slots[order], tree.chance[order])


@kernel
def minimise(nodes: Nodes, form: Form, tables: Tables, values: Floats, weights: Floats) -> None:
    """Run an iteration for each row of ``weights`` (iterations, 3); ``values`` is (n,).

    It adds and multiplies in the order in which a walk through the histories would, so that regrets
    that are equal stay equal.
    """
    for t in range(len(weights)):
        for player in range(len(form[0]) - 1):
            evaluate_nodes(nodes, form, player, tables[0], values)
            add_regrets(nodes, form, player, tables, values)
            match_regrets(form, player, tables, weights[t])


@kernel
def evaluate_nodes(nodes: Nodes, form: Form, player: int, policy: Floats, values: Floats) -> None:
    """Write the value of every node for ``player`` into ``values`` (n,)."""
    first_child, num_children, set_of, probability, utilities = nodes[:5]
    first_slot = form[1]
    for node in range(len(set_of) - 1, -1, -1):
        child, number = first_child[node], num_children[node]
        if number == 0:
            values[node] = utilities[node, player]
            continue
        value = 0.0
        if set_of[node] >= 0:
            slot = first_slot[set_of[node]]
            for i in range(number):
                value += policy[slot + i] * values[child + i]
        else:
            for i in range(number):
                value += probability[child + i] * values[child + i]
        values[node] = value


@kernel
def add_regrets(nodes: Nodes, form: Form, player: int, tables: Tables, values: Floats) -> None:
    """Add the regret of every action at the nodes of ``player``, given all ``values`` (n,)."""
    first_child, num_children, set_of = nodes[:3]
    decisions, first_decision, last_slots, chance = nodes[5:]
    regrets, reach, first_slot = tables[1], tables[3], form[1]
    for at in range(first_decision[player], first_decision[player + 1]):
        others = 1.0
        for other in range(last_slots.shape[1]):
            if other != player:
                others *= reach[last_slots[at, other]]
        others *= chance[at]
        node = decisions[at]
        child, slot = first_child[node], first_slot[set_of[node]]
        for i in range(num_children[node]):
            regrets[slot + i] += others * (values[child + i] - values[node])


@kernel
def match_regrets(form: Form, player: int, tables: Tables, weights: Floats) -> None:
    """Weigh the regrets of ``player``, add to the average, and set the next policy and reach."""
    first_set, first_slot, parent_slot = form[0], form[1], form[2]
    policy, regrets, cumulative, reach = tables
    for number in range(first_set[player], first_set[player + 1]):
        begin, end = first_slot[number], first_slot[number + 1]
        total = 0.0
        for slot in range(begin, end):
            regret = regrets[slot]
            regret *= weights[0] if regret > 0.0 else weights[1]
            regrets[slot] = regret
            cumulative[slot] += weights[2] * reach[slot]
            total += max(regret, 0.0)
        before = reach[parent_slot[number]]
        for slot in range(begin, end):
            policy[slot] = max(regrets[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)
            reach[slot] = before * policy[slot]
