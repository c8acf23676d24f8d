"""Which child to try next: UCT, RAVE and GRAVE, PUCT, Gumbel AlphaZero, or the least visited one.

The formulas take numbers only, no arrays: see ``simulate`` for why.
"""

from __future__ import annotations

from math import ceil, exp, inf, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

from .nodes import Nodes

EXPLORATION, FIRST_PLAY, REFERENCE, BIAS, EXPAND, SOLVER, ASK, EVENLY, VALUE_SCALE = range(9)
"""The elements of the settings of a search: the weight of UCT's second term; the value, for the
player to move, that an action is taken to have before it was tried; from how many visits on the
all-moves-as-first statistics of a node are used below it; how fast those lose weight; how many
visits make a leaf a node with children; whether what is proven is backed up and not tried again;
after how many visits of a node the game is asked for proven moves, 0: never; whether all moves of
the root are tried equally often until each is proven, instead of the best ones until one is; how
much values weigh beside a policy in Gumbel AlphaZero, for values of this game."""

Settings = NDArray[np.float64]
"""The settings of a search, shape (9,)."""

Scores = NDArray[np.float64]
"""What ``write_scores`` makes of children, shape (num_actions,), the first of them in use."""

LOGS: NDArray[np.float64] = np.log(np.arange(1, 4097, dtype=np.float64))
"""The logarithm of 1 .. 4096: most nodes have few visits, and ``log`` takes time."""

LOG_64 = log(64)


def logarithm(number: int, logs: NDArray[np.float64]) -> float:
    """Returns log(number), by a table."""
    number, extra = int(number), 0.0
    while number > logs.shape[0]:  # good to 0.2 %
        number >>= 6
        extra += LOG_64
    return float(logs[number - 1]) + extra


def uct(n: float, total: float, exploration_term: float, untried: float) -> float:
    """Returns mean and confidence bound of ``n`` visits.

    ``exploration_term`` is exploration**2 * log(all visits). Source: Kocsis and Szepesvari, Bandit
    based Monte-Carlo planning, 2006.
    """
    return (total + sqrt(exploration_term * n)) / n if n > 0 else untried


def grave(
    n: float,
    total: float,
    m: float,
    amaf_total: float,
    exploration_term: float,
    untried: float,
    bias: float,
) -> float:
    """Returns ``uct`` with the ``m`` times that the action was played at once or later mixed in.

    Both means have the weights that minimise the error of their sum: later plays have m / (n + m +
    ``bias`` * n * m), by which the code divides only once. Sources: Gelly and Silver, Combining
    online and offline knowledge in UCT, 2007 (RAVE); Cazenave, 2015 (GRAVE).
    """
    number = n + m + bias * n * m
    if number == 0.0:
        return untried
    score = (amaf_total + total * (1.0 + bias * m)) / number
    return score + sqrt(exploration_term / n) if n > 0 and exploration_term > 0.0 else score


def puct(n: int, total: float, prior: float, exploration_term: float, untried: float) -> float:
    """Returns the mean and a bonus for what the policy prefers.

    ``exploration_term`` is exploration * sqrt(all visits). Source: Silver et al., Mastering the
    game of Go without human knowledge, 2017.
    """
    return (total / n if n > 0 else untried) + exploration_term * prior / (1 + n)


@kernel
def select_puct(node: int, low: float, exploration: float, nodes: Nodes) -> int:
    """Returns the best child by ``puct`` of those whose value may be above ``low``.

    A child that was never tried counts with the mean of those that were.
    """
    begin = int(nodes[node]["first"])
    end = begin + int(nodes[node]["width"])
    tried, total = 0, 0.0
    for child in range(begin, end):
        tried += nodes[child]["visits"]
        total += nodes[child]["total"]
    untried, exploration_term = total / max(tried, 1), exploration * sqrt(1.0 + tried)
    best, chosen = -inf, begin
    for child in range(begin, end):
        if nodes[child]["upper"] > low:
            visits, value = nodes[child]["visits"], nodes[child]["total"]
            score = puct(visits, value, nodes[child]["prior"], exploration_term, untried)
            if score > best:
                best, chosen = score, child
    return chosen


@kernel
def least_visited(solver: bool, nodes: Nodes) -> int:
    """Returns the child of the root with the fewest visits, if possible one that is not proven."""
    begin = int(nodes[0]["first"])
    chosen, least = begin, -1
    for child in range(begin, begin + int(nodes[0]["width"])):
        visits = int(nodes[child]["visits"])
        proven = solver and nodes[child]["lower"] == nodes[child]["upper"]
        if not proven and (least < 0 or visits < least):
            chosen, least = child, visits
    return chosen


# ---- Gumbel AlphaZero

MAX_CONSIDERED = 16
"""Actions of the root that share the simulations, at most, as in mctx."""

VISIT_OFFSET, SCALE = 50.0, 0.25
"""c_visit of Danihelka et al.: by how much values count before there are visits; and c_scale, as
``AlphaZeroSettings`` has it."""


def sigma(value: float, most: int, scale: float) -> float:
    """Returns what a value adds to a logit, for a node whose most tried action has ``most`` visits.

    Equation 8 of I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022, of a
    value from 0 to 1.
    """
    return (VISIT_OFFSET + most) * scale * value


@kernel
def write_scores(node: int, scale: float, nodes: Nodes, scores: Scores) -> int:
    """Writes log(prior) + sigma(value) of each child of ``node``; returns the sum of their visits.

    Their softmax is the improved policy: equation 11 of Danihelka et al. Children without visits
    have a mixture of what the policy said of the node and of the mean of those with visits, by
    their priors: equation 33.
    """
    begin, width = int(nodes[node]["first"]), int(nodes[node]["width"])
    number, most, weight, weighted = 0, 0, 0.0, 0.0
    for child in range(begin, begin + width):
        visits = int(nodes[child]["visits"])
        number += visits
        most = max(most, visits)
        if visits > 0:
            weight += nodes[child]["prior"]
            weighted += nodes[child]["prior"] * nodes[child]["total"] / visits
    mean = weighted / weight if weight > 0.0 else 0.0
    completed = (nodes[node]["value"] + number * mean) / (1 + number)
    for i in range(width):
        child = begin + i
        visits = int(nodes[child]["visits"])
        value = nodes[child]["total"] / visits if visits > 0 else completed
        value = min(max(value, nodes[child]["lower"]), nodes[child]["upper"])
        scores[i] = log(max(nodes[child]["prior"], 1e-30)) + sigma(value, most, scale)
    return number


@kernel
def select_gumbel(node: int, low: float, scale: float, nodes: Nodes, scores: Scores) -> int:
    """Returns the child whose share of the visits is most below the improved policy.

    Of those whose value may be above ``low``: equation 14 of Danihelka et al.
    """
    number = write_scores(node, scale, nodes, scores)
    begin, width = int(nodes[node]["first"]), int(nodes[node]["width"])
    largest, total = -inf, 0.0
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            largest = max(largest, scores[i])
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            total += exp(scores[i] - largest)
    best, chosen = -inf, begin
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            share = nodes[begin + i]["visits"] / (1.0 + number)
            if exp(scores[i] - largest) / total - share > best:
                best, chosen = exp(scores[i] - largest) / total - share, begin + i
    return chosen


@kernel
def select_in_turn(
    solver: bool, scale: float, considered: NDArray[np.bool_], nodes: Nodes, scores: Scores
) -> int:
    """Returns the child of the root, of those ``considered``, with the fewest visits.

    Of several the one with the best score. ``considered`` (num_actions,) is by the number of the
    child; those that are proven are left out, if there are others.
    """
    write_scores(0, scale, nodes, scores)
    begin = int(nodes[0]["first"])
    chosen, least, best = begin, -1, -inf
    for i in range(int(nodes[0]["width"])):
        child = begin + i
        visits = int(nodes[child]["visits"])
        proven = solver and nodes[child]["lower"] == nodes[child]["upper"]
        fewer = least < 0 or visits < least or (visits == least and scores[i] > best)
        if considered[i] and not proven and fewer:
            chosen, least, best = child, visits, scores[i]
    return chosen


def halving_phases(actions: int, simulations: int) -> list[tuple[int, int]]:
    """Returns how many actions are left in each phase of a search, and its number of simulations.

    Sequential halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013): all ``actions`` equally
    often, then the better half, then a quarter, down to two, which get what is left.
    """
    found: list[tuple[int, int]] = []
    left, unused = max(actions, 1), simulations
    phases = max(1, ceil(log2(left)))
    while unused > 0:
        number = min(max(1, simulations // (phases * left)) * left, unused)
        found.append((left, number))
        unused -= number
        left = max(min(2, max(actions, 1)), left // 2)
    return found
