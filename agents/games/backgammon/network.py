"""A small network that estimates how a game of Backgammon ends, trained by playing against itself.

The inputs are 0 or 1, one for each man: the first, second, third or a further man of the player to
roll, or of the other, on a place. One hidden layer; five outputs, the probabilities that the player
to roll wins, wins a gammon, a backgammon, loses a gammon, a backgammon. The weights were found by
``benchmarks/backgammon.py train``, by temporal differences as in G. Tesauro, Temporal Difference
Learning and TD-Gammon, Communications of the ACM 38 (1995).
"""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adv_envs import Backgammon
from adv_envs.bits import digit, scratch
from adv_envs.jit import kernel
from adv_envs.position import Wide

FILE = Path(__file__).parents[2] / "data" / "backgammon.npz"
"""The weights: ``inputs`` (hidden, INPUTS + 1) and ``outputs`` (hidden + 1, OUTPUTS); the last
column and the last row are the biases."""

INPUTS, MEN, OUTPUTS = 2 * 26 * 4, 30, 5

WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON = range(5)

Weights = NDArray[np.float32]
Numbers = NDArray[np.float64]

with np.load(FILE) as _weights:
    INPUT_WEIGHTS: Weights = _weights["inputs"]
    OUTPUT_WEIGHTS: Weights = _weights["outputs"]


@kernel
def write_inputs(own: Wide, opp: Wide, inputs: NDArray[np.int64]) -> None:
    """Writes the numbers of the inputs that are 1, one for each man, into ``inputs`` (30,)."""
    at = 0
    for place in range(26):
        for number in range(digit(own, place)):
            inputs[at] = 4 * place + min(number, 3)
            at += 1
        for number in range(digit(opp, place)):
            inputs[at] = 104 + 4 * place + min(number, 3)
            at += 1


@kernel
def network(position: Backgammon) -> float:
    """Returns the points that the player whose turn it is will win, if the dice are to be rolled.

    Dice that are left to play are ignored.
    """
    inputs = scratch(MEN)
    write_inputs(position.own, position.opp, inputs)
    hidden_units = INPUT_WEIGHTS.shape[0]
    win, gammon, backgammon, lost_gammon, lost_backgammon = OUTPUT_WEIGHTS[hidden_units]
    for unit in range(hidden_units):
        total = INPUT_WEIGHTS[unit, INPUTS]
        for i in range(MEN):
            total += INPUT_WEIGHTS[unit, inputs[i]]
        value = total / (1 + abs(total))
        win += value * OUTPUT_WEIGHTS[unit, WIN]
        gammon += value * OUTPUT_WEIGHTS[unit, WIN_GAMMON]
        backgammon += value * OUTPUT_WEIGHTS[unit, WIN_BACKGAMMON]
        lost_gammon += value * OUTPUT_WEIGHTS[unit, LOSE_GAMMON]
        lost_backgammon += value * OUTPUT_WEIGHTS[unit, LOSE_BACKGAMMON]
    points = 2 * logistic(win) - 1
    if position.gammons:
        points += logistic(gammon) + logistic(backgammon)
        points -= logistic(lost_gammon) + logistic(lost_backgammon)
    return float(points)


@kernel
def logistic(number: float) -> float:
    """Returns the logistic function, from 0 to 1."""
    return 1.0 / (1.0 + exp(-number))
