"""Measures how much duplicate deals shorten intervals: the spread of pairs with the same chance.

Two agents play pairs of games with seats swapped, once with the same dice or deal in both games of
a pair and once with two. The mean is the same; the variance of a pair is printed for both, and
their quotient: as many times fewer games are needed for the same interval.

    python benchmarks/duplicate_deals.py [PAIRS]
"""

from __future__ import annotations

import random
import sys
from statistics import fmean, variance

from adv_envs import Backgammon, Kuhn, Leduc, Pig, Position, TexasHoldem, TexasHoldemNoLimit
from agents import make, play_game

GAMES: list[tuple[str, Position, str, str]] = [
    ("Kuhn", Kuhn(), "ismcts(simulations=50)", "random"),
    ("Leduc", Leduc(), "ismcts(simulations=100)", "ismcts(simulations=20)"),
    ("Leduc", Leduc(), "ismcts(simulations=100)", "random"),
    ("hold'em", TexasHoldem(), "equity_player()", "equity_player(trust=0)"),
    ("hold'em", TexasHoldem(), "equity_player()", "random"),
    ("no limit", TexasHoldemNoLimit(), "equity_player()", "equity_player(trust=0)"),
    ("no limit", TexasHoldemNoLimit(), "equity_player()", "random"),
    ("Pig", Pig(), "random", "random"),
    ("Backgammon", Backgammon(), "greedy", "random"),
]
"""Each with two agents."""


def pairs(start: Position, specs: tuple[str, str], number: int, duplicate: bool) -> list[float]:
    """Returns what the first agent won per game in each pair."""
    rng = random.Random(number)
    first, second = map(make, specs)
    found = []
    for _ in range(number):
        deals = [rng.getrandbits(64)] * 2 if duplicate else [rng.getrandbits(64) for _ in "12"]
        one = play_game(start, (first, second), rng.getrandbits(32), chance_seed=deals[0])
        other = play_game(start, (second, first), rng.getrandbits(32), chance_seed=deals[1])
        found.append((one.utilities[0] + other.utilities[1]) / 2)
    return found


def main() -> None:
    """Prints the table."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    head = (
        f"{'game':<11} {'agents':<50} {'mean':>7} {'variance':>9} {'duplicate':>9} {'quotient':>8}"
    )
    print(f"{number} pairs of each\n{head}")
    for name, start, *specs in GAMES:
        two = specs[0], specs[1]
        apart, same = (pairs(start, two, number, duplicate) for duplicate in (False, True))
        quotient = variance(apart) / variance(same)
        agents = f"{two[0]}, {two[1]}"
        print(
            f"{name:<11} {agents:<50} {fmean(apart + same):>+7.3f} {variance(apart):>9.3f} "
            f"{variance(same):>9.3f} {quotient:>8.2f}"
        )


if __name__ == "__main__":
    main()
