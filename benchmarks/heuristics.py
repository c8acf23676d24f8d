"""Measures how many evaluations per second there are, compiled and as plain Python, on one core.

Each is asked for every position one move after some random positions with a third of the board
filled: what a search does at its leaves, the making of the move included. The first row of each
board only counts stones and shows what making the moves alone allows.

    python benchmarks/heuristics.py [--seconds 1] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from adv_envs import Position
from adv_envs.bits import count
from adv_envs.games.connect_four import ConnectFour
from adv_envs.games.hex import Hex
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.jit import kernel
from agents.games import tic_tac_toe
from agents.games.connect_four import evaluations as connect_four
from agents.games.hex import evaluations as hex

HEX = [
    hex.shortest_path,
    hex.two_distance,
    hex.resistance,
    hex.connected,
    hex.relevant_connected,
]
CASES: list[tuple[str, Position, list[Any]]] = [
    ("Hex 5x5", Hex(5), HEX),
    ("Hex 7x7", Hex(7), HEX),
    ("Hex 11x11", Hex(11), HEX),
    ("Connect Four 6x7", ConnectFour(), [connect_four.lines, connect_four.threats]),
    ("tic-tac-toe 5x5, k = 4", TicTacToe(5, 5, 4), [tic_tac_toe.lines]),
]


def evaluate(position: Position) -> float:
    """Stands for the evaluation to be measured; the stones of the player who just moved."""
    return float(count(position.opp))  # type: ignore[attr-defined]


@kernel
def children(position: Position, times: int) -> float:
    """Evaluates every position that is one move away, ``times`` times over; the sum of it all."""
    total = 0.0
    for _ in range(times):
        for action in range(position.num_actions):
            if position.legal(action):
                total += evaluate(position.play(action))
    return total


def main() -> None:
    """Prints a table for every board."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each number (1)")
    parser.add_argument("--seed", type=int, default=0, help="which random positions (0)")
    options = parser.parse_args()
    for name, start, evaluations in CASES:
        positions = [some_position(start, options.seed + i) for i in range(8)]
        print(f"\n{name:24} {'compiled':>14} {'plain Python':>14} {'times':>7}")
        for evaluation in [evaluate, *evaluations]:
            bound = children.bind(evaluate=evaluation)
            fast = per_second(bound, positions, options.seconds)
            slow = per_second(bound.plain, positions, options.seconds)
            title = "(moves alone)" if evaluation is evaluate else evaluation.__name__
            print(f"  {title:22} {fast:12,.0f}/s {slow:12,.0f}/s {fast / slow:7,.0f}", flush=True)


def some_position(start: Position, seed: int) -> Position:
    """Returns a random position, a third of the board filled, in which nobody can win at once."""
    rng = random.Random(seed)
    while True:
        position = start
        for _ in range(len(start.rows()) * len(start.rows()[0]) // 3):  # type: ignore[attr-defined]
            position = position.play(rng.choice(position.legal_actions()))
            if position.is_terminal():
                break
        children = map(position.play, position.legal_actions())
        if not any(child.is_terminal() for child in children) and not position.is_terminal():
            return position


def per_second(
    run: Callable[[Any, int], float], positions: list[Position], seconds: float
) -> float:
    """Returns evaluations per second: the best of many short runs, the least disturbed."""
    run(positions[0], 1)  # compile
    times, elapsed, stop = 1, clock(run, positions, 1), time.perf_counter() + seconds
    while elapsed < seconds / 50:
        times *= 2
        elapsed = clock(run, positions, times)
    while time.perf_counter() < stop:
        elapsed = min(elapsed, clock(run, positions, times))
    return times * sum(len(position.legal_actions()) for position in positions) / elapsed


def clock(run: Callable[[Any, int], float], positions: list[Position], times: int) -> float:
    """Returns the seconds for evaluating the children of all positions ``times`` times."""
    begin = time.perf_counter()
    for position in positions:
        run(position, times)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
