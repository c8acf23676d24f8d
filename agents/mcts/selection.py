"""Which child to try next: UCT, RAVE and GRAVE, PUCT, or the least visited one.

The formulas take numbers only, no arrays: see ``simulate`` for why.
"""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

from .nodes import Nodes

EXPLORATION, FIRST_PLAY, REFERENCE, BIAS, EXPAND, SOLVER, ASK, EVENLY = range(8)
"""The elements of the settings of a search: the weight of UCT's second term; the value, for the
player to move, that an action is taken to have before it was tried; from how many visits on the
all-moves-as-first statistics of a node are used below it; how fast those lose weight; how many
visits make a leaf a node with children; whether what is proven is backed up and not tried again;
after how many visits of a node the game is asked for proven moves, 0: never; whether all moves of
the root are tried equally often until each is proven, instead of the best ones until one is."""

Settings = NDArray[np.float64]
"""The settings of a search, shape (8,)."""

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
