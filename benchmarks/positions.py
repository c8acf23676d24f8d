"""Makes the sets of positions that report cards ask by default: balanced, seeded, solved.

    python benchmarks/positions.py            # all of them, into agents/data/positions
    python benchmarks/positions.py --check    # are they what would be made?

Openings of Connect Four that the book does not hold take minutes in all, and so do Hex 7x7 and
Breakthrough.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console

from adv_envs import (
    Breakthrough,
    ConnectFour,
    Fig52,
    Hex,
    Othello,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    name_of,
)
from agents.games.connect_four.classes import CLASSES_PATH, draw_classes
from agents.grading.exact_values import exact_for
from agents.grading.position_sets import PositionSet, load_positions, sample, shipped_path, slug
from agents.knowledge import ExactValues

SETS: tuple[tuple[Position, int], ...] = (
    (TicTacToe(), 240),
    (ConnectFour(), 300),
    (Hex(5), 180),
    (Hex(6), 180),
    (Hex(7), 180),
    (Breakthrough(5, 5), 180),
    (Breakthrough(6, 6), 180),
    (Othello(6), 180),
    (ThirtyOne(), 240),
    (Pig(), 240),
    (Fig52(), 4),
)
"""The games, and how many test positions there are of each."""

SEED = 0

CLASS_SIZE = 200
"""Positions of each of the classes of Connect Four."""


def make(exact: ExactValues, number: int) -> PositionSet:
    """Returns a set of ``number`` test positions."""
    tests = sample(exact, number, SEED, exact.is_feasible)
    return PositionSet(exact.start, tuple(tests), SEED, exact.has_scores, exact.in_points)


def main() -> None:
    """Makes or checks every set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these: pig, hex-size-7")
    options = parser.parse_args()
    known = {name for start, _ in SETS for name in (name_of(start), slug(start))}
    known.add(CLASSES_PATH.stem)
    if unknown := set(options.games) - known:
        parser.error(
            f"no set of {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}"
        )
    for start, number in SETS:
        names = {name_of(start), slug(start)}
        if not options.games or names & set(options.games):
            exact = exact_for(start)
            keep(shipped_path(start), exact, partial(make, exact, number), options.check)
    if not options.games or CLASSES_PATH.stem in options.games:
        exact = exact_for(ConnectFour())
        keep(CLASSES_PATH, exact, lambda: draw_classes(exact, CLASS_SIZE, SEED), options.check)


def keep(path: Path, exact: ExactValues, make_set: Callable[[], PositionSet], check: bool) -> None:
    """Makes a set and writes it, or checks that it is what was written."""
    began = time.perf_counter()
    found = make_set()
    if check and load_positions(path, exact).digest != found.digest:
        raise SystemExit(f"{path} is not what this script makes")
    if not check:
        path.parent.mkdir(exist_ok=True)
        found.save(path)
    phases = Counter(test.phase for test in found.positions)
    values = Counter(f"{test.value:.1g}" for test in found.positions)
    seconds = time.perf_counter() - began
    size = f"{path.stat().st_size:,} bytes, {seconds:.1f} s"
    console = Console(highlight=False)
    console.print(f"{found.name}: {size}; {dict(phases)}; values {dict(values)}")


if __name__ == "__main__":
    main()
