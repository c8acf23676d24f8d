"""How promising a child is: UCT, RAVE and GRAVE, PUCT. Numbers only: see ``simulate`` for why."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

EXPLORATION, FIRST_PLAY, REFERENCE, BIAS, EXPAND, SOLVER, ASK, EVENLY = range(8)
"""The settings of a search, a float64 array: the weight of UCT's second term; the value, for the
player to move, that an action is taken to have before it was tried; from how many visits on the
all-moves-as-first statistics of a node are used below it; how fast those lose weight; how many
visits make a leaf a node with children; whether what is proven is backed up and left alone; after
how many visits of a node the game is asked what it knows of it, 0: never; whether all moves of the
root are tried equally often until each is proven, instead of the best ones until one is."""

LOGS: NDArray[np.float64] = np.log(np.arange(1, 4097, dtype=np.float64))
"""The logarithm of 1 .. 4096: most nodes have few visits, and ``log`` takes time."""


LOG_64 = log(64)


def logarithm(number: int, logs: NDArray[np.float64]) -> float:
    """log(number)."""
    number, extra = int(number), 0.0
    while number > logs.shape[0]:  # good to 0.2 %
        number >>= 6
        extra += LOG_64
    return float(logs[number - 1]) + extra


def uct(n: int, total: float, spread: float, untried: float) -> float:
    """Mean and confidence bound of ``n`` visits; ``spread`` is exploration**2 * log(all visits).

    Source: Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006.
    """
    return (total + sqrt(spread * n)) / n if n > 0 else untried


def grave(
    n: int, total: float, m: int, amaf_total: float, spread: float, untried: float, bias: float
) -> float:
    """As ``uct``, with the ``m`` times that the action was played at once or later mixed in.

    Both means are weighted as minimises the error of their sum: that of later plays by
    m / (n + m + ``bias`` * n * m), which the code divides by but once. Sources: Gelly and Silver,
    Combining online and offline knowledge in UCT, 2007 (RAVE); Cazenave, 2015 (GRAVE).
    """
    number = n + m + bias * n * m
    if number == 0.0:
        return untried
    score = (amaf_total + total * (1.0 + bias * m)) / number
    return score + sqrt(spread / n) if n > 0 and spread > 0.0 else score


def puct(n: int, total: float, prior: float, spread: float, untried: float) -> float:
    """Mean and a bonus for what the policy likes; ``spread`` is exploration * sqrt(all visits).

    Source: Silver et al., Mastering the game of Go without human knowledge, 2017.
    """
    return (total / n if n > 0 else untried) + spread * prior / (1 + n)
