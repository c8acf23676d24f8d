"""Measures what positional superko costs in Go: bytes of a position, nanoseconds by random games.

Each kind of game is played at random, compiled and on one core; then its moves are made again, its
legal moves listed again and its observations written again, many times, and timed by CPU time.

    python benchmarks/superko.py [--size 9]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from compare import Machine, printer
from numpy.typing import NDArray
from rich.table import Table

from adv_envs import Go
from adv_envs.bits import num_words
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, scattered

GAMES, TIMES = 10, 100
"""How many games are played, and how often everything is done."""

Numbers = NDArray[np.int64]


@kernel
def random_game(start: Go, state: int, actions: Numbers, line: Numbers) -> int:
    """Writes the moves of a random game into ``line``; returns how many there are."""
    position, ply = start, 0
    while not position.is_terminal():
        state = advanced(state)
        line[ply] = actions[below(state, position.write_legal(actions))]
        position = position.play(int(line[ply]))
        ply += 1
    return ply


@kernel
def moves(start: Go, plies: int, actions: Numbers, line: Numbers, planes: NDArray[np.int8]) -> int:
    """Makes the moves of a game TIMES times."""
    passes = 0
    for _ in range(TIMES):
        position = start
        for ply in range(plies):
            position = position.play(int(line[ply]))
        passes += position.passes
    return passes


@kernel
def lists(start: Go, plies: int, actions: Numbers, line: Numbers, planes: NDArray[np.int8]) -> int:
    """Lists the legal actions TIMES times before each move."""
    position, number = start, 0
    for ply in range(plies):
        for _ in range(TIMES):
            number += position.write_legal(actions)
        position = position.play(int(line[ply]))
    return number


@kernel
def views(start: Go, plies: int, actions: Numbers, line: Numbers, planes: NDArray[np.int8]) -> int:
    """Writes the observation TIMES times before each move."""
    position = start
    for ply in range(plies):
        for _ in range(TIMES):
            planes.fill(0)
            position.observe(position.to_move, planes)
        position = position.play(int(line[ply]))
    return plies


def nanoseconds(what: Callable[..., int], start: Go) -> float:
    """Returns the CPU time of one of the kernels above for a ply."""
    actions, line = np.zeros(start.num_actions, np.int64), np.zeros(start.limit, np.int64)
    rest: tuple[Any, ...] = actions, line, np.zeros(start.observation_shape, np.int8)
    plies, spent = 0, 0.0
    for seed in range(GAMES):
        number = random_game(start, scattered(seed), actions, line)
        what(start, 0, *rest)  # compiles
        began = time.process_time()
        what(start, number, *rest)
        spent += time.process_time() - began
        plies += number * TIMES
    return spent / plies * 1e9


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=9)
    size = parser.parse_args().size
    table = Table(title=f"Go {size}x{size}, one core")
    table.add_column("game")
    for column in ("bytes", "a move, ns", "all legal moves, ns", "an observation, ns"):
        table.add_column(column, justify="right")
    with Machine():
        for given in ({}, {"superko": False}, {"superko": False, "boards": 1}):
            start = Go(size, **given)
            shown = ", ".join(f"{name}={value}" for name, value in given.items())
            times = [nanoseconds(what, start) for what in (moves, lists, views)]
            table.add_row(f"Go({shown})", f"{8 * num_words(start):,}", *(f"{t:.0f}" for t in times))
    printer().print(table)


if __name__ == "__main__":
    main()
