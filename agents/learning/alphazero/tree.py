"""Monte Carlo trees of many games, grown together by one leaf each, in compiled steps.

A search of n games makes ``simulations`` rounds. In each, ``select_leaves`` goes down every tree to
a position that it has not seen; the network values those of all games in one batch; and
``expand_and_backup`` puts what it says into the trees. The arrays of a tree:

========== ============================ ====================================================
words      (games, nodes, num_words)    the position; node 0 is the root
to_move    (games, nodes)               who is to move there
values     (games, nodes)               the network's value, or the exact one, for ``to_move``
ended      (games, nodes)               the exact value is known: the game is over, or a move wins
logits     (games, nodes, actions)      logarithms of the network's probabilities; -inf: illegal
visits     (games, nodes, actions)      simulations that took the action
totals     (games, nodes, actions)      the sum of their values, for the player to move
children   (games, nodes, actions)      the node after the action; 0: not seen yet
========== ============================ ====================================================

Values are utilities divided by the largest there is, so from -1 to 1.

At the root actions are chosen as Gumbel AlphaZero does: a few are drawn without replacement by the
network's probabilities, and the simulations are shared among them by sequential halving. However
few they are, the improved policy is in expectation no worse than the network's (I. Danihelka et
al., "Policy improvement by planning with Gumbel", ICLR 2022). Or by PUCT with Dirichlet noise, as
AlphaZero does (D. Silver et al., Science 2018).
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack_row, unpack_row
from adv_envs.jit import kernel
from agents.mcts.playouts import SCRATCH, Workspace, winning_move

from .encoding import Words, output_of, write_planes

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

TreeArrays = tuple[
    Words, NDArray[np.int8], Floats, NDArray[np.bool_], Floats, Integers, Floats, Integers
]
"""The arrays of the trees, in the order of the table in the module."""

CacheArrays = tuple[Words, Floats, Floats]
"""Evaluations by position: keys (entries, num_words), logits (entries, actions), values; the last
number of a key row is 1 where there is an entry."""

VISIT_OFFSET = 50.0
"""c_visit of Gumbel AlphaZero: by how much values count before there are visits."""

GUMBEL, SCALE, EXPLORATION = True, 1.0, 1.5
"""Whether actions are chosen as Gumbel AlphaZero does, else by PUCT; c_scale of the one, and the
weight of the priors in the other; bound by the search."""

MASK = (1 << 62) - 1


# ---- what is known of a node


def completed_value(
    game: int,
    node: int,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
) -> tuple[float, int, int]:
    """Returns (value for actions without visits, sum of all visits, the most visits).

    The value mixes the network's with the mean of the visited actions, weighted by their
    probabilities: equation 33 of Danihelka et al.
    """
    number, most, weight, weighted = 0, 0, 0.0, 0.0
    for action in range(visits.shape[2]):
        tried = int(visits[game, node, action])
        if tried > 0:
            number += tried
            most = max(most, tried)
            prior = exp(logits[game, node, action])
            weight += prior
            weighted += prior * totals[game, node, action] / tried
    mean = weighted / weight if weight > 0.0 else 0.0
    return (values[game, node] + number * mean) / (1 + number), number, most


def transformed(value: float, most: int) -> float:
    """Returns what a value adds to a logit, for a node whose most tried action has ``most`` visits.

    The function sigma of Danihelka et al. (equation 8), of the value from 0 to 1.
    """
    return (VISIT_OFFSET + most) * SCALE * 0.5 * (value + 1.0)


def write_improved_policy(
    game: int,
    node: int,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> tuple[int, float]:
    """Writes the improved policy into ``policy`` (actions,); returns (all visits, its value).

    That is softmax(logits + sigma(completed values)): equation 11 of Danihelka et al.
    """
    completed, number, most = completed_value(game, node, values, logits, visits, totals)
    largest = -inf
    for action in range(visits.shape[2]):
        score = logits[game, node, action]
        if score > -inf:
            tried = visits[game, node, action]
            value = totals[game, node, action] / tried if tried > 0 else completed
            score += transformed(value, most)
            largest = max(largest, score)
        policy[action] = score
    total, expected = 0.0, 0.0
    for action in range(visits.shape[2]):
        policy[action] = exp(policy[action] - largest) if policy[action] > -inf else 0.0
        total += policy[action]
    for action in range(visits.shape[2]):
        policy[action] /= total
        tried = visits[game, node, action]
        value = totals[game, node, action] / tried if tried > 0 else completed
        expected += policy[action] * value
    return number, expected


# ---- which action to try


def choose_inside(
    game: int,
    node: int,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> int:
    """Returns the action to try at a node below the root."""
    if GUMBEL:
        return choose_improved(game, node, values, logits, visits, totals, policy)
    return choose_puct(game, node, values, logits, visits, totals, policy)


def choose_improved(
    game: int,
    node: int,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> int:
    """Returns the action whose share of the visits is most below the improved policy.

    Equation 14 of Danihelka et al.
    """
    number, _ = write_improved_policy(game, node, values, logits, visits, totals, policy)
    best, chosen = -inf, 0
    for action in range(visits.shape[2]):
        score = policy[action] - visits[game, node, action] / (1.0 + number)
        if logits[game, node, action] > -inf and score > best:
            best, chosen = score, action
    return chosen


def choose_puct(
    game: int,
    node: int,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> int:
    """Returns the action with the largest PUCT score; untried ones have the node's value."""
    number, total = 0, 0.0
    for action in range(visits.shape[2]):
        number += visits[game, node, action]
        total += totals[game, node, action]
    untried = (values[game, node] + total) / (1 + number)
    best, chosen, spread = -inf, 0, EXPLORATION * sqrt(number + 1.0)
    for action in range(visits.shape[2]):
        if logits[game, node, action] > -inf:
            tried = visits[game, node, action]
            value = totals[game, node, action] / tried if tried > 0 else untried
            score = value + spread * exp(logits[game, node, action]) / (1 + tried)
            if score > best:
                best, chosen = score, action
    return chosen


def choose_at_root(
    game: int,
    simulation: int,
    in_turn: Integers,
    drawn: Floats,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> int:
    """Returns the action to try at the root, -1 if there is none."""
    if GUMBEL:
        return choose_in_turn(
            game, simulation, in_turn, drawn, values, logits, visits, totals, policy
        )
    return choose_puct(game, 0, values, logits, visits, totals, policy)


def choose_in_turn(
    game: int,
    simulation: int,
    in_turn: Integers,
    drawn: Floats,
    values: Floats,
    logits: Floats,
    visits: Integers,
    totals: Floats,
    policy: Any,
) -> int:
    """Returns the most promising of the considered actions whose turn it is.

    ``drawn`` (games, actions) are logits with Gumbel noise, -inf for what is not considered.
    ``in_turn`` (games, simulations) says how many visits an action must have.
    """
    completed, _, most = completed_value(game, 0, values, logits, visits, totals)
    best, chosen = -inf, -1
    for action in range(visits.shape[2]):
        tried = visits[game, 0, action]
        if drawn[game, action] > -inf and tried == in_turn[game, simulation]:
            value = totals[game, 0, action] / tried if tried > 0 else completed
            score = drawn[game, action] + transformed(value, most)
            if score > best:
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


# ---- the steps of a search


@kernel
def begin(
    start: Position,
    roots: Words,
    trees: TreeArrays,
    cache: CacheArrays,
    workspace: Workspace,
    waiting: NDArray[np.int64],
    planes: Floats,
) -> int:
    """Makes ``roots`` (games, num_words) the roots; returns how many wait for the network.

    ``waiting`` (games,) gets the numbers of these games, and ``planes`` their inputs.
    """
    words, _, _, ended, _, visits, totals, children = trees
    number = 0
    for game in range(roots.shape[0]):
        ended[game, 0] = False
        visits[game, 0], totals[game, 0], children[game, 0] = 0, 0.0, 0
        for i in range(roots.shape[1]):
            words[game, 0, i] = roots[game, i]
        number = visit(start, game, 0, trees, cache, workspace, waiting, planes, number)
    return number


def visit(
    start: Any,
    game: int,
    node: int,
    trees: TreeArrays,
    cache: CacheArrays,
    workspace: Workspace,
    waiting: NDArray[np.int64],
    planes: Floats,
    number: int,
) -> int:
    """Values a new node by the rules or by the cache, or lets it wait for the network.

    Returns the number of nodes that wait. The root waits also where a move wins at once.
    """
    words, to_move, values, ended, logits, _, _, _ = trees
    position = unpack_row(start, words[game], node)
    to_move[game, node] = position.to_move
    if node > 0:
        if position.is_terminal():
            ended[game, node] = True
            values[game, node] = position.utility(position.to_move) / position.max_utility
            return number
        if winning_move(position, workspace) >= 0:
            ended[game, node], values[game, node] = True, 1.0
            return number
    keys, cached_logits, cached_values = cache
    slot = slot_of(words[game], node, keys.shape[0])
    if is_cached(words[game], node, slot, keys):
        logits[game, node] = cached_logits[slot]
        values[game, node] = cached_values[slot]
        return number
    waiting[number] = game
    write_planes(position, planes[number])
    return number + 1


@kernel
def expand(
    start: Position,
    number: int,
    nodes: NDArray[np.int64],
    outputs: Floats,
    outcomes: Floats,
    trees: TreeArrays,
    cache: CacheArrays,
    waiting: NDArray[np.int64],
) -> None:
    """Gives the first ``number`` games in ``waiting`` what the network says of their new nodes.

    ``nodes`` (games,) are these nodes, ``outputs`` (number, actions) and ``outcomes`` (number,) the
    logits and values of the network.
    """
    words, _, values, _, logits, _, _, _ = trees
    keys, cached_logits, cached_values = cache
    for i in range(number):
        game = waiting[i]
        node = nodes[game]
        position = unpack_row(start, words[game], node)
        largest, total = -inf, 0.0
        for action in range(logits.shape[2]):
            logits[game, node, action] = -inf
            if position.legal(action):
                logit = outputs[i, output_of(position, action)]
                logits[game, node, action] = logit
                largest = max(largest, logit)
        for action in range(logits.shape[2]):
            total += exp(logits[game, node, action] - largest)
        for action in range(logits.shape[2]):
            logits[game, node, action] -= largest + log(total)
        values[game, node] = outcomes[i]
        slot = slot_of(words[game], node, keys.shape[0])
        for word in range(words.shape[2]):
            keys[slot, word] = words[game, node, word]
        keys[slot, words.shape[2]] = 1
        cached_logits[slot], cached_values[slot] = logits[game, node], outcomes[i]


@kernel
def select_leaves(
    start: Position,
    simulation: int,
    budgets: NDArray[np.int64],
    in_turn: Integers,
    drawn: Floats,
    trees: TreeArrays,
    cache: CacheArrays,
    workspace: Workspace,
    policy: NDArray[np.float64],
    paths: NDArray[np.int32],
    depths: NDArray[np.int64],
    leaves: NDArray[np.int64],
    waiting: NDArray[np.int64],
    planes: Floats,
) -> int:
    """Goes down the trees of all games whose ``budgets`` (games,) are above ``simulation``.

    Writes ``paths`` (games, nodes, 2), the node and action of each step, their ``depths`` (games,),
    0 where there is no simulation, and ``leaves`` (games,), the nodes they lead to. Returns how
    many of these wait for the network. ``policy`` (actions,) is a workspace.
    """
    words, _, values, ended, logits, visits, totals, children = trees
    number = 0
    for game in range(budgets.shape[0]):
        depths[game] = 0
        if simulation >= budgets[game]:
            continue
        node, depth = 0, 0
        action = choose_at_root(
            game, simulation, in_turn, drawn, values, logits, visits, totals, policy
        )
        if action < 0:
            continue
        while True:
            paths[game, depth, 0], paths[game, depth, 1] = node, action
            depth += 1
            below = int(children[game, node, action])
            if below == 0:
                break
            node = below
            if ended[game, node]:
                break
            action = choose_inside(game, node, values, logits, visits, totals, policy)
        depths[game] = depth
        if below == 0:
            leaf = simulation + 1
            children[game, node, action] = leaf
            after = unpack_row(start, words[game], node).play(action)
            pack_row(after, words[game], leaf)
            ended[game, leaf] = False
            visits[game, leaf], totals[game, leaf], children[game, leaf] = 0, 0.0, 0
            number = visit(start, game, leaf, trees, cache, workspace, waiting, planes, number)
            node = leaf
        leaves[game] = node
    return number


@kernel
def back_up(
    start: Position,
    trees: TreeArrays,
    paths: NDArray[np.int32],
    depths: NDArray[np.int64],
    leaves: NDArray[np.int64],
) -> None:
    """Counts the value of each game's leaf in all actions of its path."""
    _, to_move, values, _, _, visits, totals, _ = trees
    for game in range(depths.shape[0]):
        leaf = leaves[game]
        for step in range(depths[game]):
            node, action = paths[game, step, 0], paths[game, step, 1]
            same = to_move[game, node] == to_move[game, leaf]
            visits[game, node, action] += 1
            totals[game, node, action] += values[game, leaf] if same else -values[game, leaf]


@kernel
def improve(
    start: Position,
    trees: TreeArrays,
    policy: NDArray[np.float64],
    policies: Floats,
    expected: Floats,
) -> None:
    """Writes the improved policy of each root and its value: (games, actions) and (games,)."""
    _, _, values, _, logits, visits, totals, _ = trees
    for game in range(policies.shape[0]):
        _, value = write_improved_policy(game, 0, values, logits, visits, totals, policy)
        expected[game] = value
        for action in range(policies.shape[1]):
            policies[game, action] = policy[action]


def new_trees(position: Position, games: int, nodes: int) -> TreeArrays:
    """Returns the arrays of trees of at most ``nodes`` nodes."""
    shape = games, nodes, position.num_actions
    return (
        np.zeros((games, nodes, num_words(position)), np.int64),
        np.zeros((games, nodes), np.int8),
        np.zeros((games, nodes), np.float32),
        np.zeros((games, nodes), np.bool_),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int32),
    )


def new_cache(position: Position, entries: int) -> CacheArrays:
    """Returns an empty cache of ``entries`` evaluations, a power of two."""
    return (
        np.zeros((entries, num_words(position) + 1), np.int64),
        np.zeros((entries, position.num_actions), np.float32),
        np.zeros(entries, np.float32),
    )


def new_workspace(position: Position) -> Workspace:
    """Returns what ``winning_move`` needs."""
    return np.zeros(SCRATCH + position.num_actions + num_words(position) + 8, np.int64)
