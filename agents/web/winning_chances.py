"""Values of every kind as winning chances, and what a move has thrown away of them.

Winning chances go from -1 for a lost position to 1 for a won one; 0 is a draw, or even. Exact
values and those of searches without an evaluation are utilities, which are divided by the largest
one. Evaluations have scales of their own: value v becomes 2 / (1 + exp(-v / s)) - 1, where s is the
typical size of the evaluation in random games, so that v = s is a chance of 0.46.

What is thrown away has a name (``severity``):

- where both values are exact and the game has neither chance nor amounts: a "blunder" turns a win
  into a loss, a "mistake" a win into a draw or a draw into a loss, and an "inaccuracy" is a slower
  win or a faster loss;
- elsewhere a blunder loses 0.3 of winning chances, a mistake 0.2, an inaccuracy 0.1. These
  are the limits of lichess (lila, modules/analyse/src/main/Advice.scala).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Any

from adv_envs import CHANCE, Position

LIMITS = (("blunder", 0.3), ("mistake", 0.2), ("inaccuracy", 0.1))
"""Winning chances that are lost, where values are not exact."""
SEVERITIES = tuple(name for name, _ in LIMITS)

RANDOM_GAMES, RANDOM_PLIES = 4, 40
"""The games in which the size of an evaluation is measured, and how long they are at most."""
NOISE = 1e-9


@dataclass(frozen=True)
class ValuedMove:
    """A move with its value for the player who makes it."""

    name: str
    winning: float
    """Winning chances."""
    shown: float
    """The number that is drawn on the board; among proven wins, larger for quicker ones."""
    text: str
    """The value in words or numbers."""
    proven: bool
    score: float = 0.0
    """Among moves of the same exact value, larger for quicker wins and slower losses."""


def severity(best: ValuedMove, played: ValuedMove, chance: bool) -> str:
    """What is thrown away by a move: "blunder", "mistake", "inaccuracy", or "" for none of them."""
    lost = best.winning - played.winning
    decided = all(move.proven and move.winning in (-1, 0, 1) for move in (best, played))
    if decided and not chance:
        if lost >= 1:
            return "blunder" if lost == 2 else "mistake"
        return "inaccuracy" if played.score < best.score else ""
    return next((name for name, limit in LIMITS if lost >= limit - NOISE), "")


def winning_of(position: Position, value: float, proven: bool, evaluate: Any) -> float:
    """A value as winning chances; ``evaluate`` is the evaluation it is of, or None."""
    if proven or evaluate is None:
        return max(-1.0, min(1.0, value / position.max_utility)) + 0.0
    if math.isinf(value):
        return math.copysign(1.0, value)
    ratio = value / typical_size(position.start(), evaluate)
    return math.tanh(ratio / 2)  # which is 2 / (1 + exp(-ratio)) - 1


@lru_cache(maxsize=32)
def typical_size(start: Position, evaluate: Callable[[Any], float]) -> float:
    """The median size of an evaluation in random games, where it is not 0; 1 if it always is."""
    rng, sizes = random.Random(0), []
    for _ in range(RANDOM_GAMES):
        position = start
        for _ in range(RANDOM_PLIES):
            position = position.play(rng.choice(position.legal_actions()))
            if position.is_terminal():
                break
            if position.to_move != CHANCE:
                sizes.append(abs(float(evaluate(position))))
    return median([size for size in sizes if size] or [1.0])
