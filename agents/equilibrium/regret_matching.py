"""Minimises counterfactual regret: CFR, CFR+ and discounted CFR, compiled over flat arrays.

One iteration updates the players one after another. The one whose turn it is works out the
counterfactual value q(a) of each own action (see ``best_response``), given the present policies:

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

*Monte Carlo* CFR looks at a sample of the tree in each iteration, from which the regrets are
estimated without bias. *External sampling* draws the actions of chance and of the other players,
and tries every own action. *Outcome sampling* draws one line of play: own actions by
(1 - ε) · policy + ε · uniform, and weighs what it finds by the probability of having drawn it.
Regrets and sums of policies then begin with a millionth, as in OpenSpiel. Source: M. Lanctot,
K. Waugh, M. Zinkevich and M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive
Games (NIPS 2009); the averages by stochastic weights: M. Lanctot's thesis (2013), chapter 4.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from adv_envs.jit import kernel
from adv_envs.position import require_competitive
from adv_envs.random import advanced, fraction, scattered
from agents.agent import require_limit

from .best_response import SequenceForm, reach_of, sequence_form
from .game_tree import LONGEST, Floats, GameTree, Ints
from .tabular_policy import TabularPolicy, uniform_probabilities

SAMPLING = ("external", "outcome")

INITIAL = 1e-6
"""What regrets and sums of policies of Monte Carlo CFR begin with."""

Weights = tuple[float, float, float]
"""The factor of positive regrets, that of negative ones, and the weight in the average."""

Schedule = Callable[[int], Weights]
"""The weights of iteration t, counted from 1."""


def constant(t: int) -> Weights:
    """Returns the weights of CFR in iteration ``t``: the same in all."""
    return 1.0, 1.0, 1.0


def plus(t: int) -> Weights:
    """Returns the weights of CFR+ in iteration ``t``, counted from 1."""
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
        require_competitive(tree.start, "regret minimisation")
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
        tables = Tables(self.current, self.regrets, self.cumulative, self._reach)
        minimise(histories_of(self.tree), sequence_form(self.tree), tables, values, weights)
        self.iterations += iterations

    def average(self) -> TabularPolicy:
        """Returns the average policy; uniform at sets that were never reached."""
        return TabularPolicy.of_weights(self.tree, self.cumulative)


class MCCFR:
    """Minimises regret by sampling; ``run`` goes on where it stopped.

    An iteration updates one player after another, each by a sample of its own. ``exploration`` is ε
    of outcome sampling. The same ``seed`` gives the same policies.
    """

    def __init__(
        self, tree: GameTree, sampling: str = "external", exploration: float = 0.6, seed: int = 0
    ) -> None:
        require_sampling(sampling, exploration)
        require_competitive(tree.start, "regret minimisation")
        self.tree, self.sampling, self.exploration = tree, sampling, exploration
        self.iterations = 0
        self.regrets = np.full(tree.num_slots, INITIAL)
        """Cumulative regrets, shape (num_slots,)."""
        self.cumulative = np.full(tree.num_slots, INITIAL)
        """The sum of which the average policy is made, shape (num_slots,)."""
        self._policy = np.zeros(tree.num_slots)
        self._state = scattered(seed)

    def run(self, iterations: int = 1) -> None:
        """Runs as many more iterations."""
        require_limit("iterations", iterations)
        tables = Tables(self._policy, self.regrets, self.cumulative, np.zeros(0))
        game, external = (histories_of(self.tree), tables), self.sampling == "external"
        size = self.tree.num_nodes if external else LONGEST
        turns = np.zeros(size, np.int64), np.zeros(size, np.int64)
        if external:
            sample = Sample(*turns, np.zeros(size))
            self._state = sample_externally(*game, sample, iterations, self._state)
        else:
            line, explore = DrawnLine(*turns, np.zeros((size, 4))), float(self.exploration)
            self._state = sample_outcomes(*game, line, explore, iterations, self._state)
        self.iterations += iterations

    def average(self) -> TabularPolicy:
        """Returns the average policy; uniform at sets that were never reached."""
        return TabularPolicy.of_weights(self.tree, self.cumulative)


def require_sampling(sampling: str, exploration: float) -> None:
    """Raises ValueError for another way to sample, and unless 0 < exploration <= 1."""
    if sampling not in SAMPLING:
        raise ValueError(f"sampling must be {' or '.join(SAMPLING)}, not {sampling!r}")
    if not 0 < exploration <= 1:
        raise ValueError(f"exploration must be above 0 and at most 1, not {exploration}")


# ---- what the kernels take, of n nodes, m sets, s slots, d decisions and p players


class Histories(NamedTuple):
    """Holds the tree of a game. A decision is a node where a player is to move."""

    first_child: Ints
    """(n,), as the other fields up to ``set_player`` (m,) are in ``GameTree``."""
    num_children: Ints
    set_of: Ints
    probability: Floats
    utilities: Floats
    """(n, p)."""
    first_slot: Ints
    """(m + 1,)."""
    set_player: Ints
    decisions: Ints
    """(d,): the nodes, sorted by player, then by number."""
    first_decision: Ints
    """(p + 1,): the first of each player in ``decisions``."""
    last_slots: Ints
    """(d, p) and ``chance`` (d,): of these nodes, as in ``GameTree``."""
    chance: Floats


class Tables(NamedTuple):
    """Holds what an algorithm knows of each slot."""

    policy: Floats
    """(s,): the present one; in Monte Carlo CFR, where it was asked for last."""
    regrets: Floats
    """(s,)."""
    cumulative: Floats
    """(s,): the sum of policies."""
    reach: Floats
    """(s + 1,); Monte Carlo CFR has no use for it."""


class Sample(NamedTuple):
    """Holds the nodes of external sampling, parents first."""

    nodes: Ints
    """(n,)."""
    chosen: Ints
    """(n,): the child drawn at each node of the tree."""
    values: Floats
    """(n,): the value of each node of the tree."""


class DrawnLine(NamedTuple):
    """Holds the turns of the line of play that outcome sampling draws."""

    nodes: Ints
    """(LONGEST,)."""
    picks: Ints
    """(LONGEST,): the number of the action taken."""
    chances: Floats
    """(LONGEST, 4): the reach of the player who is updated, that of all others with chance, the
    probability to have come so far, and that of the action drawn."""


@functools.lru_cache(maxsize=8)
def histories_of(tree: GameTree) -> Histories:
    """Returns the histories of a tree for the kernels."""
    order = np.argsort(tree.player, kind="stable")
    order = order[tree.player[order] >= 0]
    first = np.searchsorted(tree.player[order], np.arange(tree.num_players + 1))
    tables = tree.first_child, tree.num_children, tree.set_of, tree.probability, tree.utilities
    own = tree.first_slot, tree.set_player, order, first
    return Histories(*tables, *own, tree.last_slots[order], tree.chance[order])


# ---- CFR


@kernel
def match(begin: int, end: int, policy: Floats, regrets: Floats) -> None:
    """Sets the policy of one information set, whose slots are begin .. end - 1, by its regrets."""
    total = 0.0
    for slot in range(begin, end):
        total += max(regrets[slot], 0.0)
    for slot in range(begin, end):
        policy[slot] = max(regrets[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)


@kernel
def minimise(
    histories: Histories, form: SequenceForm, tables: Tables, values: Floats, weights: Floats
) -> None:
    """Runs an iteration for each row of ``weights`` (iterations, 3); ``values`` is (n,).

    It adds and multiplies in the order in which a walk through the histories would, so that regrets
    that are equal stay equal.
    """
    for t in range(len(weights)):
        for player in range(histories.utilities.shape[1]):
            evaluate_nodes(histories, player, tables.policy, values)
            add_regrets(histories, player, tables, values)
            match_regrets(form, player, tables, weights[t])


@kernel
def evaluate_nodes(histories: Histories, player: int, policy: Floats, values: Floats) -> None:
    """Writes the value of every node for ``player`` into ``values`` (n,)."""
    first_child, num_children, set_of, probability, utilities = histories[:5]
    first_slot = histories.first_slot
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
def add_regrets(histories: Histories, player: int, tables: Tables, values: Floats) -> None:
    """Adds the regret of every action at the nodes of ``player``, given all ``values`` (n,)."""
    first_child, last_slots = histories.first_child, histories.last_slots
    first_slot = histories.first_slot
    regrets, reach = tables.regrets, tables.reach
    for at in range(histories.first_decision[player], histories.first_decision[player + 1]):
        others = 1.0
        for other in range(last_slots.shape[1]):
            if other != player:
                others *= reach[last_slots[at, other]]
        others *= histories.chance[at]
        node = histories.decisions[at]
        child, slot = first_child[node], first_slot[histories.set_of[node]]
        for i in range(histories.num_children[node]):
            regrets[slot + i] += others * (values[child + i] - values[node])


@kernel
def match_regrets(form: SequenceForm, player: int, tables: Tables, weights: Floats) -> None:
    """Weighs the regrets of ``player``, adds to the average, sets the next policy and reach."""
    first_set, first_slot, parent_slot = form.first_set, form.first_slot, form.parent_slot
    policy, regrets, cumulative, reach = tables
    for number in range(first_set[player], first_set[player + 1]):
        begin, end = first_slot[number], first_slot[number + 1]
        for slot in range(begin, end):
            regrets[slot] *= weights[0] if regrets[slot] > 0.0 else weights[1]
            cumulative[slot] += weights[2] * reach[slot]
        match(begin, end, policy, regrets)
        before = reach[parent_slot[number]]
        for slot in range(begin, end):
            reach[slot] = before * policy[slot]


# ---- Monte Carlo CFR


@kernel
def drawn(shares: Floats, begin: int, number: int, explore: float, mark: float) -> int:
    """Returns the one of ``number`` actions, from 0, that ``mark``, a number from 0 to 1, falls on.

    Their probabilities are shares[begin:], mixed with ``explore`` of the uniform ones.
    """
    left, last = mark, 0
    for i in range(number):
        share = explore / number + (1.0 - explore) * shares[begin + i]
        if share > 0.0:
            last = i
            left -= share
            if left < 0.0:
                break
    return last


@kernel
def sample_externally(
    histories: Histories, tables: Tables, sample: Sample, iterations: int, state: int
) -> int:
    """Runs the iterations; returns the state of the generator."""
    for _ in range(iterations):
        for player in range(histories.utilities.shape[1]):
            number, state = grow_sample(histories, tables, sample, player, state)
            update_sample(histories, tables, sample, player, number)
    return state


@kernel
def grow_sample(
    histories: Histories, tables: Tables, sample: Sample, player: int, state: int
) -> tuple[int, int]:
    """Writes the nodes of a sample, parents first; returns how many, and the generator's state."""
    first_child, num_children, set_of, probability = histories[:4]
    nodes, first_slot, set_player = sample.nodes, histories.first_slot, histories.set_player
    nodes[0] = 0
    at, number = 0, 1
    while at < number:
        node = nodes[at]
        at += 1
        child, children = first_child[node], num_children[node]
        if children == 0:
            continue
        if set_of[node] < 0:
            state = advanced(state)
            pick = drawn(probability, child, children, 0.0, fraction(state))
        else:
            slot = first_slot[set_of[node]]
            match(slot, slot + children, tables.policy, tables.regrets)
            if set_player[set_of[node]] == player:
                for i in range(children):
                    nodes[number + i] = child + i
                number += children
                continue
            state = advanced(state)
            pick = drawn(tables.policy, slot, children, 0.0, fraction(state))
        sample.chosen[node] = child + pick
        nodes[number] = child + pick
        number += 1
    return number, state


@kernel
def update_sample(
    histories: Histories, tables: Tables, sample: Sample, player: int, number: int
) -> None:
    """Values a sample's nodes, children first; adds to regrets, and to the next one's sum."""
    first_child, num_children, set_of, _, utilities = histories[:5]
    policy, regrets, cumulative, _ = tables
    nodes, chosen, values = sample
    for at in range(number - 1, -1, -1):
        node = nodes[at]
        children = num_children[node]
        if children == 0:
            values[node] = utilities[node, player]
            continue
        if set_of[node] < 0:
            values[node] = values[chosen[node]]
            continue
        owner = histories.set_player[set_of[node]]
        slot = histories.first_slot[set_of[node]]
        if owner != player:
            values[node] = values[chosen[node]]
            if owner == (player + 1) % utilities.shape[1]:
                for i in range(children):
                    cumulative[slot + i] += policy[slot + i]
            continue
        child, value = first_child[node], 0.0
        for i in range(children):
            value += policy[slot + i] * values[child + i]
        for i in range(children):
            regrets[slot + i] += values[child + i] - value
        values[node] = value


@kernel
def sample_outcomes(
    histories: Histories,
    tables: Tables,
    line: DrawnLine,
    explore: float,
    iterations: int,
    state: int,
) -> int:
    """Runs the iterations; returns the state of the generator."""
    first_child, num_children, set_of, probability, utilities = histories[:5]
    first_slot, chances = histories.first_slot, line.chances
    players = utilities.shape[1]
    for turn in range(iterations * players):
        player = turn % players
        node, length, own, others, sampled = 0, 0, 1.0, 1.0, 1.0
        while num_children[node] > 0:
            child, children = first_child[node], num_children[node]
            state = advanced(state)
            if set_of[node] < 0:
                pick = drawn(probability, child, children, 0.0, fraction(state))
                others *= probability[child + pick]
                sampled *= probability[child + pick]
            else:
                slot = first_slot[set_of[node]]
                match(slot, slot + children, tables.policy, tables.regrets)
                mine = histories.set_player[set_of[node]] == player
                epsilon = explore if mine else 0.0
                pick = drawn(tables.policy, slot, children, epsilon, fraction(state))
                share = tables.policy[slot + pick]
                line.nodes[length], line.picks[length] = node, pick
                chances[length, 0], chances[length, 1], chances[length, 2] = own, others, sampled
                chances[length, 3] = epsilon / children + (1.0 - epsilon) * share
                sampled *= chances[length, 3]
                own *= share if mine else 1.0
                others *= 1.0 if mine else share
                length += 1
            node = child + pick
        update_line(histories, tables, line, player, length, utilities[node, player])
    return state


@kernel
def update_line(
    histories: Histories, tables: Tables, line: DrawnLine, player: int, length: int, value: float
) -> None:
    """Adds to regrets and sums at the turns of ``player`` in a line that ended with ``value``."""
    policy, regrets, cumulative, _ = tables
    chances = line.chances
    for at in range(length - 1, -1, -1):
        node, pick = line.nodes[at], line.picks[at]
        number = histories.set_of[node]
        slot = histories.first_slot[number]
        estimate = value / chances[at, 3]
        value = policy[slot + pick] * estimate
        if histories.set_player[number] != player:
            continue
        weight = chances[at, 1] / chances[at, 2]
        for i in range(histories.num_children[node]):
            gained = estimate if i == pick else 0.0
            regrets[slot + i] += weight * (gained - value)
            cumulative[slot + i] += chances[at, 0] * policy[slot + i] / chances[at, 2]
