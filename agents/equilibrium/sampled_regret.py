"""Monte Carlo counterfactual regret minimisation: external and outcome sampling, compiled.

Instead of walking through the whole tree, an iteration looks at a sample of it, from which the
regrets are estimated without bias. *External sampling* draws the actions of chance and of the other
players, and tries every own action. *Outcome sampling* draws one line of play: own actions by
(1 - ε) · policy + ε · uniform, and weighs what it finds by the probability of having drawn it.

Regrets and sums of policies begin with a millionth, as in OpenSpiel. Source: M. Lanctot, K. Waugh,
M. Zinkevich and M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive Games (NIPS
2009); the averages by stochastic weights: M. Lanctot's thesis (2013), chapter 4.
"""

from __future__ import annotations

import numpy as np

from adv_envs.jit import kernel
from adv_envs.random import advanced, fraction, scattered
from agents.agent import require_limit

from .game_tree import LONGEST, Floats, GameTree, Ints
from .regret_matching import Nodes, nodes_of
from .tabular_policy import TabularPolicy

SAMPLING = ("external", "outcome")

INITIAL = 1e-6
"""What regrets and sums of policies begin with."""


class MCCFR:
    """Minimises regret by sampling; ``run`` goes on where it stopped.

    An iteration updates one player after another, each by a sample of its own. ``exploration`` is ε
    of outcome sampling. The same ``seed`` gives the same policies.
    """

    def __init__(
        self, tree: GameTree, sampling: str = "external", exploration: float = 0.6, seed: int = 0
    ) -> None:
        require_sampling(sampling, exploration)
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
        tree = self.tree
        tables = self._policy, self.regrets, self.cumulative
        game = nodes_of(tree), tree.first_slot, tree.set_player
        if self.sampling == "external":
            room = np.zeros(tree.num_nodes, np.int64), np.zeros(tree.num_nodes, np.int64)
            values = np.zeros(tree.num_nodes)
            self._state = sample_externally(*game, tables, room, values, iterations, self._state)
        else:
            line = np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64)
            chances, explore = np.zeros((LONGEST, 4)), float(self.exploration)
            self._state = sample_outcomes(
                *game, tables, line, chances, explore, iterations, self._state
            )
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


Tables = tuple[Floats, Floats, Floats]
"""The policy where it was last asked for, the regrets, and the sums of policies, each (s,)."""

Room = tuple[Ints, Ints]


@kernel
def match(begin: int, end: int, policy: Floats, regrets: Floats) -> None:
    """Set the policy of one information set, whose slots are begin .. end - 1, by its regrets."""
    total = 0.0
    for slot in range(begin, end):
        total += max(regrets[slot], 0.0)
    for slot in range(begin, end):
        policy[slot] = max(regrets[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)


@kernel
def drawn(shares: Floats, begin: int, number: int, explore: float, mark: float) -> int:
    """The one of ``number`` actions, from 0, that ``mark``, a number from 0 to 1, falls on.

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
    nodes: Nodes,
    first_slot: Ints,
    set_player: Ints,
    tables: Tables,
    room: Room,
    values: Floats,
    iterations: int,
    state: int,
) -> int:
    """Run the iterations; returns the state of the generator.

    ``room`` has two arrays (n,): the nodes of the sample, and the child drawn at each node.
    """
    players = nodes[4].shape[1]
    for _ in range(iterations):
        for player in range(players):
            number, state = grow_sample(nodes, first_slot, set_player, tables, room, player, state)
            update_sample(nodes, first_slot, set_player, tables, room, values, player, number)
    return state


@kernel
def grow_sample(
    nodes: Nodes,
    first_slot: Ints,
    set_player: Ints,
    tables: Tables,
    room: Room,
    player: int,
    state: int,
) -> tuple[int, int]:
    """Write the nodes of a sample, parents first; returns how many, and the generator's state."""
    first_child, num_children, set_of, probability = nodes[:4]
    sample, chosen = room
    sample[0] = 0
    at, number = 0, 1
    while at < number:
        node = sample[at]
        at += 1
        child, children = first_child[node], num_children[node]
        if children == 0:
            continue
        if set_of[node] < 0:
            state = advanced(state)
            pick = drawn(probability, child, children, 0.0, fraction(state))
        else:
            slot = first_slot[set_of[node]]
            match(slot, slot + children, tables[0], tables[1])
            if set_player[set_of[node]] == player:
                for i in range(children):
                    sample[number + i] = child + i
                number += children
                continue
            state = advanced(state)
            pick = drawn(tables[0], slot, children, 0.0, fraction(state))
        chosen[node] = child + pick
        sample[number] = child + pick
        number += 1
    return number, state


@kernel
def update_sample(
    nodes: Nodes,
    first_slot: Ints,
    set_player: Ints,
    tables: Tables,
    room: Room,
    values: Floats,
    player: int,
    number: int,
) -> None:
    """Value the nodes of a sample, children first; add to regrets, and to the next one's sum."""
    first_child, num_children, set_of, _, utilities = nodes[:5]
    policy, regrets, cumulative = tables
    sample, chosen = room
    for at in range(number - 1, -1, -1):
        node = sample[at]
        children = num_children[node]
        if children == 0:
            values[node] = utilities[node, player]
            continue
        if set_of[node] < 0:
            values[node] = values[chosen[node]]
            continue
        owner, slot = set_player[set_of[node]], first_slot[set_of[node]]
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
    nodes: Nodes,
    first_slot: Ints,
    set_player: Ints,
    tables: Tables,
    room: Room,
    chances: Floats,
    explore: float,
    iterations: int,
    state: int,
) -> int:
    """Run the iterations; returns the state of the generator.

    Of the turns of one line, ``room`` has the node and the number of the action taken, (LONGEST,)
    each, and ``chances`` (LONGEST, 4) the reach of the player who is updated, that of all others
    with chance, the probability to have come so far, and that of the action drawn.
    """
    first_child, num_children, set_of, probability, utilities = nodes[:5]
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
                match(slot, slot + children, tables[0], tables[1])
                mine = set_player[set_of[node]] == player
                epsilon = explore if mine else 0.0
                pick = drawn(tables[0], slot, children, epsilon, fraction(state))
                share = tables[0][slot + pick]
                room[0][length], room[1][length] = node, pick
                chances[length, 0], chances[length, 1], chances[length, 2] = own, others, sampled
                chances[length, 3] = epsilon / children + (1.0 - epsilon) * share
                sampled *= chances[length, 3]
                own *= share if mine else 1.0
                others *= 1.0 if mine else share
                length += 1
            node = child + pick
        update_line(
            nodes,
            first_slot,
            set_player,
            tables,
            room,
            chances,
            player,
            length,
            utilities[node, player],
        )
    return state


@kernel
def update_line(
    nodes: Nodes,
    first_slot: Ints,
    set_player: Ints,
    tables: Tables,
    room: Room,
    chances: Floats,
    player: int,
    length: int,
    value: float,
) -> None:
    """Add to regrets and sums at the turns of ``player`` in a line that ended with ``value``."""
    num_children, set_of = nodes[1], nodes[2]
    policy, regrets, cumulative = tables
    for at in range(length - 1, -1, -1):
        node, pick = room[0][at], room[1][at]
        slot = first_slot[set_of[node]]
        estimate = value / chances[at, 3]
        value = policy[slot + pick] * estimate
        if set_player[set_of[node]] != player:
            continue
        weight = chances[at, 1] / chances[at, 2]
        for i in range(num_children[node]):
            gained = estimate if i == pick else 0.0
            regrets[slot + i] += weight * (gained - value)
            cumulative[slot + i] += chances[at, 0] * policy[slot + i] / chances[at, 2]
