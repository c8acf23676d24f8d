"""Counts how replies of language models are read, over all games: legal moves, and what is none.

Random positions, in which half of the replies name a legal move, in some spelling and wrapping,
and must be read as that action. The others have the name of a move of another position or game, a
changed name, or no move at all in its place, and must not be read as a legal action. A changed name
that is legal by chance is counted apart.

    python benchmarks/reading.py [--samples 1000000] [--seed 0]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from adv_envs import GAMES, start_position
from adv_envs.testing.reading_laws import count_reads

KINDS = ("elsewhere", "changed", "foreign", "prose")


def line(game: str, counts: Counter[tuple[str, str]], seconds: float) -> str:
    """Returns a line of the table."""
    total, wrong = (
        counts.total(),
        sum(n for (_, outcome), n in counts.items() if outcome == "wrong"),
    )
    legal = sum(n for (kind, _), n in counts.items() if kind == "legal")
    found = {
        outcome: sum(counts[kind, outcome] for kind in KINDS)
        for outcome in ("illegal", "unreadable")
    }
    return (
        f"{game:<20} {total:>9} {legal:>9} {found['illegal']:>9} {found['unreadable']:>10} "
        f"{wrong:>6} {1e6 * seconds / total:>8.0f}"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=100_000, help="replies of all games")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(
        f"{'game':<20} {'replies':>9} {'legal':>9} {'illegal':>9} {'unreadable':>10} {'wrong':>6} "
        f"{'us each':>8}"
    )
    total, began = Counter[tuple[str, str]](), time.perf_counter()
    for number, game in enumerate(GAMES):
        replies = options.samples // len(GAMES) + (number < options.samples % len(GAMES))
        game_began = time.perf_counter()
        counts = count_reads(start_position(game), replies, options.seed)
        print(line(game, counts, time.perf_counter() - game_began), flush=True)
        total += counts
    print(line("all", total, time.perf_counter() - began))


if __name__ == "__main__":
    main()
