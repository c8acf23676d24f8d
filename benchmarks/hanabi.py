"""Prints the mean scores of Hanabi's players by rules, for teams of 2 to 5.

    python benchmarks/hanabi.py [--games 10000] [--seed 0]

Each team is of one style; the intervals are of 95 %. ``bombed`` is the share of games in which all
lives were lost, which are worth 0 points.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from compare import printer
from rich.table import Table

from adv_envs import CHANCE, Hanabi
from adv_envs.jit import kernel
from adv_envs.random import advanced, fraction, scattered
from agents.games.hanabi import STYLES, choose
from agents.statistics import Z95


@kernel
def play_teams(start: Hanabi, style: int, state: int, scores: Any) -> None:
    """Plays a game for each of ``scores`` (n, 2): the points, and whether all lives were lost."""
    for game in range(len(scores)):
        position = start
        while not position.is_terminal():
            if position.to_move == CHANCE:
                state = advanced(state)
                left, kind = fraction(state), -1
                while left >= 0.0 and kind < position.num_kinds - 1:
                    kind += 1
                    left -= position.probability(kind)
                position = position.play(kind)
            else:
                position = position.play(choose(position.hidden(position.to_move), style))
        scores[game, 0] = position.score
        scores[game, 1] = position.mistakes >= position.lives


def main() -> None:
    """Prints a table, with a row for each style and number of players."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    table = Table("style", "players", "points", "95 %", "bombed")
    for number, style in enumerate(STYLES):
        for players in range(2, 6):
            start = Hanabi(players)
            if style == "recommendations" and start.held >= players:
                continue
            scores = np.zeros((given.games, 2))
            play_teams(start, number, scattered(given.seed), scores)
            mean, bombed = scores.mean(0)
            half = Z95 * scores[:, 0].std(ddof=1) / given.games**0.5
            table.add_row(style, str(players), f"{mean:.2f}", f"±{half:.2f}", f"{bombed:.1%}")
    printer().print(table)


if __name__ == "__main__":
    main()
