"""Finds a near-equilibrium of liar's dice with two dice of five sides, and prints its value.

CFR+ over the public lines of bids, ``agents.games.liars_dice``; the value of the game lies between
what each player can be sure of: minus the best response of the other, and the own best response.

    python benchmarks/liars_dice.py [--dice 2] [--sides 5] [--iterations 512]
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console
from rich.table import Table

from adv_envs import LiarsDice
from agents.equilibrium.large_games import best_values
from agents.games.liars_dice import PublicCFR, large_game


def main() -> None:
    """Prints a line for 1, 2, 4, ... iterations, up to those asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", type=int, default=2)
    parser.add_argument("--sides", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=512)
    options = parser.parse_args()
    game = large_game(LiarsDice(options.dice, options.sides))
    if game is None:
        parser.error("this game is too large")
    PublicCFR(large_game(LiarsDice(1, 2))).run(1)  # compiles
    table = Table("iterations", "exploitability", "value, at least", "at most", "seconds of CPU")
    solver, spent, goal = PublicCFR(game), 0.0, 1
    while solver.iterations < options.iterations:
        began = time.process_time()
        solver.run(min(goal, options.iterations) - solver.iterations)
        spent += time.process_time() - began
        first, second = best_values(game, solver.average())
        table.add_row(
            f"{solver.iterations:,}", f"{(first + second) / 2:.7f}",
            f"{-second:.6f}", f"{first:.6f}", f"{spent:.0f}",
        )  # fmt: skip
        goal *= 2
    Console().print(table)


if __name__ == "__main__":
    main()
