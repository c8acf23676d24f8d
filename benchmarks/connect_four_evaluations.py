"""Compares evaluations of Connect Four with the exact scores and with each other.

First positions of random play in which nobody wins at once or loses at once: how often the sign of
an evaluation tells who wins (draws aside), and its rank correlation with the exact score. Then
alpha-beta with ``threats`` against the same depth with ``lines``, and with nothing; then against
itself, two plies shallower. Every opening is played twice with seats swapped; points of a pair are
what the 95 % are from.

    python benchmarks/connect_four_evaluations.py [--positions 1000] [--pairs 200] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import ConnectFour
from agents import AlphaBeta, match
from agents.games.connect_four import ConnectFourSolver
from agents.games.connect_four.evaluations import lines, threats

PLIES = 4  # of each opening of a match, drawn at random


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--positions", type=int, default=1000, help="for the first table (1000)")
    parser.add_argument("--pairs", type=int, default=200, help="openings of each match (200)")
    parser.add_argument("--seed", type=int, default=0, help="draws positions and openings (0)")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    positions = [quiet_position(rng) for _ in range(options.positions)]
    scores = np.array(ConnectFourSolver().scores(positions))
    outcomes = np.sign(scores)
    print(f"{'quiet positions':18} {'sign right':>10} {'correlation':>12}")
    for evaluate in (lines, threats):
        values = np.array([evaluate(position) for position in positions])
        right = float((np.sign(values) == outcomes)[outcomes != 0].mean())
        related = float(np.corrcoef(ranks(values), ranks(scores))[0, 1])
        print(f"{evaluate.__name__:18} {right:10.1%} {related:12.2f}")
    print(f"\n{'points of threats against':32} {'games':>14} {'points':>7} {'95 %':>12}")
    for depth in range(2, 7):
        for other in (lines, None):
            name = getattr(other, "__name__", "no evaluation")
            row(f"{name}, depth {depth} each", depth, depth, other, options)
    for depth in range(3, 9):
        row(f"threats, depth {depth} against {depth - 2}", depth, depth - 2, threats, options)


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns how many values are smaller, and half of those that are the same."""
    ordered = np.sort(values)
    left, right = np.searchsorted(ordered, values), np.searchsorted(ordered, values, "right")
    return (left + right) / 2


def quiet_position(rng: random.Random) -> ConnectFour:
    """Returns an unfinished position of random play that nobody can win within two plies."""
    while True:
        position = ConnectFour()
        for _ in range(rng.randrange(10, 36)):
            if position.is_terminal():
                break
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal() and not AlphaBeta(depth=2).analyse(position).proven:
            return position


def row(
    name: str,
    depth: int,
    against: int,
    other: Callable[[Any], float] | None,
    options: argparse.Namespace,
) -> None:
    """Plays a match and prints what it was."""
    players = (
        AlphaBeta(depth=depth, evaluate=threats, table_mb=1),
        AlphaBeta(depth=against, evaluate=other, table_mb=1),
    )
    result = match(ConnectFour(), *players, pairs=options.pairs, seed=options.seed, plies=PLIES)
    ours = [game.utilities[i % 2] for i, game in enumerate(result.games)]
    points = 0.5 + np.array(ours).reshape(-1, 2).mean(axis=1) / 2
    sure = 1.96 * float(points.std()) / options.pairs**0.5
    low, high = float(points.mean()) - sure, float(points.mean()) + sure
    spread = f"{low:.0%} to {min(high, 1):.0%}"
    print(f"{name:32} {result.total!s:>14} {points.mean():7.1%} {spread:>12}", flush=True)


if __name__ == "__main__":
    main()
