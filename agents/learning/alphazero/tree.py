"""Monte Carlo trees of many games, grown together by one leaf each, in compiled steps.

A search of n games makes ``simulations`` rounds. In each, ``select_leaves`` goes down every tree to
a position that it has not seen; the network evaluates those of all games in one batch; ``expand``
puts what it says into the trees, and ``back_up`` counts it along the paths. Values are utilities
divided by the largest there is, so from -1 to 1, and for the player to move.

At the root actions are chosen as Gumbel AlphaZero does: a few are drawn without replacement by the
network's probabilities, and the simulations are shared among them by sequential halving. However
few they are, the improved policy is in expectation no worse than the network's (I. Danihelka et
al., "Policy improvement by planning with Gumbel", ICLR 2022). Or by PUCT with Dirichlet noise, as
AlphaZero does (D. Silver et al., Science 2018).

Functions with loops over actions are inlined: to call one with all these arrays takes longer.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Any

from adv_envs import Position
from adv_envs.bits import pack_row, unpack_row
from adv_envs.jit import inlined, kernel
from agents.mcts.playouts import winning_move
from agents.mcts.selection import sigma

from .encoding import Words, output_of, write_planes
from .search_arrays import Considered, Evaluations, Floats, Paths, Trees

GUMBEL, SCALE, EXPLORATION = True, 1.0, 1.5
"""Whether actions are chosen as Gumbel AlphaZero does, else by PUCT; c_scale of the one, and the
weight of the priors in the other; bound by the search."""

MASK = (1 << 62) - 1


# ---- what is known of a node


@inlined
def mean_value(trees: Trees, game: int, node: int, action: int, otherwise: float) -> float:
    """Returns the mean value of the simulations that took the action, ``otherwise`` without any."""
    tried = int(trees.visits[game, node, action])
    return float(trees.totals[game, node, action]) / tried if tried > 0 else otherwise


@inlined
def completed_value(trees: Trees, game: int, node: int) -> tuple[float, int, int]:
    """Returns (value of actions without visits, sum of all visits, the most visits).

    The value mixes the network's with the mean of the visited actions, weighted by their
    probabilities: equation 33 of Danihelka et al.
    """
    number, most, weight, weighted = 0, 0, 0.0, 0.0
    for action in range(trees.visits.shape[2]):
        tried = int(trees.visits[game, node, action])
        if tried > 0:
            number += tried
            most = max(most, tried)
            prior = exp(trees.logits[game, node, action])
            weight += prior
            weighted += prior * trees.totals[game, node, action] / tried
    mean = weighted / weight if weight > 0.0 else 0.0
    return (trees.values[game, node] + number * mean) / (1 + number), number, most


def sigma_of(value: float, most: int) -> float:
    """Returns ``sigma`` of a value from -1 to 1, scaled from 0 to 1."""
    return sigma(0.5 * (value + 1.0), most, SCALE)


@inlined
def write_improved_policy(trees: Trees, game: int, node: int) -> tuple[int, float]:
    """Writes the improved policy into ``trees.policy``; returns (sum of all visits, its value).

    That is softmax(logits + sigma(completed values)): equation 11 of Danihelka et al.
    """
    completed, number, most = completed_value(trees, game, node)
    policy, largest = trees.policy, -inf
    for action in range(policy.shape[0]):
        policy[action] = trees.logits[game, node, action]
        if policy[action] > -inf:
            policy[action] += sigma_of(mean_value(trees, game, node, action, completed), most)
            largest = max(largest, policy[action])
    total, expected = 0.0, 0.0
    for action in range(policy.shape[0]):
        policy[action] = exp(policy[action] - largest) if policy[action] > -inf else 0.0
        total += policy[action]
    for action in range(policy.shape[0]):
        policy[action] /= total
        expected += policy[action] * mean_value(trees, game, node, action, completed)
    return number, expected


# ---- which action to try


@inlined
def choose(trees: Trees, considered: Considered, game: int, node: int, simulation: int) -> int:
    """Returns the action to try at a node, -1 if there is none."""
    if not GUMBEL:
        return choose_puct(trees, game, node)
    if node == 0:
        return choose_in_turn(trees, considered, game, simulation)
    return choose_improved(trees, game, node)


@inlined
def choose_puct(trees: Trees, game: int, node: int) -> int:
    """Returns the action with the largest PUCT score; untried ones have the node's value."""
    number, total = 0, 0.0
    for action in range(trees.visits.shape[2]):
        number += trees.visits[game, node, action]
        total += trees.totals[game, node, action]
    untried = (trees.values[game, node] + total) / (1 + number)
    best, chosen, spread = -inf, 0, EXPLORATION * sqrt(number + 1.0)
    for action in range(trees.visits.shape[2]):
        logit = trees.logits[game, node, action]
        if logit > -inf:
            score = spread * exp(logit) / (1 + trees.visits[game, node, action])
            score += mean_value(trees, game, node, action, untried)
            if score > best:
                best, chosen = score, action
    return chosen


@inlined
def choose_in_turn(trees: Trees, considered: Considered, game: int, simulation: int) -> int:
    """Returns the most promising of the considered actions of a root whose turn it is."""
    completed, _, most = completed_value(trees, game, 0)
    turn = considered.visits_in_turn[game, simulation]
    best, chosen = -inf, -1
    for action in range(trees.visits.shape[2]):
        score = considered.logits[game, action]
        if score > -inf and trees.visits[game, 0, action] == turn:
            score += sigma_of(mean_value(trees, game, 0, action, completed), most)
            if score > best:
                best, chosen = score, action
    return chosen


@inlined
def choose_improved(trees: Trees, game: int, node: int) -> int:
    """Returns the action whose share of the visits is most below the improved policy.

    Equation 14 of Danihelka et al.
    """
    number, _ = write_improved_policy(trees, game, node)
    best, chosen = -inf, 0
    for action in range(trees.visits.shape[2]):
        score = trees.policy[action] - trees.visits[game, node, action] / (1.0 + number)
        if trees.logits[game, node, action] > -inf and score > best:
            best, chosen = score, action
    return chosen


# ---- evaluations that are kept


def slot_of(words: Any, row: int, entries: int) -> int:
    """Returns where the evaluation of words[row] is kept; ``entries`` is a power of two."""
    key = 0
    for i in range(words.shape[1]):
        key = (key ^ (int(words[row, i]) & MASK)) * 0x1F58476D1CE4E5B9 & MASK
        key ^= key >> 29
    return int(key & (entries - 1))


def is_cached(words: Any, row: int, slot: int, keys: Words) -> bool:
    """Returns whether the entry at ``slot`` is that of words[row]."""
    size = words.shape[1]
    if keys[slot, size] == 0:
        return False
    for i in range(size):
        if keys[slot, i] != words[row, i]:
            return False
    return True


def keep(trees: Trees, evaluations: Evaluations, game: int, node: int) -> None:
    """Keeps the network's evaluation of a node."""
    size = trees.words.shape[2]
    slot = slot_of(trees.words[game], node, evaluations.keys.shape[0])
    for i in range(size):
        evaluations.keys[slot, i] = trees.words[game, node, i]
    evaluations.keys[slot, size] = 1
    evaluations.logits[slot] = trees.logits[game, node]
    evaluations.values[slot] = trees.values[game, node]


# ---- the steps of a search


@kernel
def begin(
    start: Position, roots: Words, trees: Trees, evaluations: Evaluations, paths: Paths
) -> int:
    """Makes ``roots`` (games, num_words) the roots; returns how many wait for the network."""
    number = 0
    for game in range(roots.shape[0]):
        paths.leaves[game] = 0
        for i in range(roots.shape[1]):
            trees.words[game, 0, i] = roots[game, i]
        number = add_node(start, trees, evaluations, game, 0, number)
    return number


def add_node(
    start: Any, trees: Trees, evaluations: Evaluations, game: int, node: int, number: int
) -> int:
    """Makes a node of the position in ``trees.words``, valued by the rules or by what is kept.

    Else it waits, and the network's inputs are written. ``number`` are those that wait already;
    returns how many there are now. At the root a move that wins at once does not count as exact.
    """
    position = unpack_row(start, trees.words[game], node)
    trees.to_move[game, node] = position.to_move
    trees.visits[game, node], trees.totals[game, node] = 0, 0.0
    trees.children[game, node] = 0
    over = position.is_terminal()
    trees.exact[game, node] = node > 0 and (
        over or winning_move(position, evaluations.workspace) >= 0
    )
    if trees.exact[game, node]:
        value = position.utility(position.to_move) / position.max_utility if over else 1.0
        trees.values[game, node] = value
        return number
    slot = slot_of(trees.words[game], node, evaluations.keys.shape[0])
    if is_cached(trees.words[game], node, slot, evaluations.keys):
        trees.logits[game, node] = evaluations.logits[slot]
        trees.values[game, node] = evaluations.values[slot]
        return number
    evaluations.waiting[number] = game
    write_planes(position, evaluations.planes[number])
    return number + 1


@kernel
def select_leaves(
    start: Position,
    simulation: int,
    considered: Considered,
    trees: Trees,
    evaluations: Evaluations,
    paths: Paths,
) -> int:
    """Goes down the trees of all games whose budget is above ``simulation``; writes the paths.

    Returns how many of the leaves wait for the network.
    """
    number = 0
    for game in range(considered.budgets.shape[0]):
        paths.depths[game] = 0
        node, action = 0, -1
        if simulation < considered.budgets[game]:
            action = choose(trees, considered, game, 0, simulation)
        while action >= 0:
            depth = paths.depths[game]
            paths.steps[game, depth, 0], paths.steps[game, depth, 1] = node, action
            paths.depths[game] = depth + 1
            below = int(trees.children[game, node, action])
            if below == 0:
                below = simulation + 1
                trees.children[game, node, action] = below
                after = unpack_row(start, trees.words[game], node).play(action)
                pack_row(after, trees.words[game], below)
                number = add_node(start, trees, evaluations, game, below, number)
                action = -1
            elif trees.exact[game, below]:
                action = -1
            else:
                action = choose(trees, considered, game, below, simulation)
            node = below
        paths.leaves[game] = node
    return number


@kernel
def expand(
    start: Position,
    number: int,
    outputs: Floats,
    values: Floats,
    trees: Trees,
    evaluations: Evaluations,
    paths: Paths,
) -> None:
    """Gives the leaves of the ``number`` games that wait what the network says of them.

    ``outputs`` (number, actions) and ``values`` (number,) are its logits and values.
    """
    for i in range(number):
        game = evaluations.waiting[i]
        node = paths.leaves[game]
        position = unpack_row(start, trees.words[game], node)
        largest, total = -inf, 0.0
        logits = trees.logits[game, node]
        for action in range(logits.shape[0]):
            logits[action] = -inf
            if position.legal(action):
                logits[action] = outputs[i, output_of(position, action)]
                largest = max(largest, logits[action])
        for action in range(logits.shape[0]):
            total += exp(logits[action] - largest)
        for action in range(logits.shape[0]):
            logits[action] -= largest + log(total)
        trees.values[game, node] = values[i]
        keep(trees, evaluations, game, node)


@kernel
def back_up(start: Position, trees: Trees, paths: Paths) -> None:
    """Counts the value of each game's leaf in all actions of its path."""
    for game in range(paths.depths.shape[0]):
        leaf = paths.leaves[game]
        for step in range(paths.depths[game]):
            node, action = paths.steps[game, step, 0], paths.steps[game, step, 1]
            value = trees.values[game, leaf]
            same = trees.to_move[game, node] == trees.to_move[game, leaf]
            trees.visits[game, node, action] += 1
            trees.totals[game, node, action] += value if same else -value


@kernel
def improve(start: Position, trees: Trees, policies: Floats, values: Floats) -> None:
    """Writes the improved policy of each root and its value: (games, actions) and (games,)."""
    for game in range(policies.shape[0]):
        _, values[game] = write_improved_policy(trees, game, 0)
        for action in range(policies.shape[1]):
            policies[game, action] = trees.policy[action]
