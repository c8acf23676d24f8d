"""Makes the sets of positions that report cards ask by default: balanced, seeded, solved.

    python benchmarks/positions.py            # all of them, into agents/data/positions
    python benchmarks/positions.py --check    # are they what would be made?

Openings of Connect Four that the book does not hold take minutes in all, and so does Hex 7x7.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from rich.console import Console

from adv_envs import ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, name_of
from agents.grading.exact_values import exact_for
from agents.grading.position_sampling import sample
from agents.grading.position_sets import PositionSet, load_positions, shipped_path, slug
from agents.knowledge import ExactValues

SETS: tuple[tuple[Position, int], ...] = (
    (TicTacToe(), 240),
    (ConnectFour(), 300),
    (Hex(5), 180),
    (Hex(6), 180),
    (Hex(7), 180),
    (ThirtyOne(), 240),
    (Pig(), 240),
    (Fig52(), 4),
)
"""The games, and how many test positions there are of each."""

SEED = 0


def make(exact: ExactValues, number: int) -> PositionSet:
    """A set of ``number`` test positions."""
    tests = sample(exact, number, SEED, exact.is_feasible)
    return PositionSet(exact.start, tuple(tests), SEED, exact.has_scores, exact.in_points)


def main() -> None:
    """Make, or check, every set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these: pig, hex-size-7")
    options, console = parser.parse_args(), Console(highlight=False)
    known = {name for start, _ in SETS for name in (name_of(start), slug(start))}
    if unknown := set(options.games) - known:
        parser.error(
            f"no set of {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}"
        )
    for start, number in SETS:
        if options.games and not {name_of(start), slug(start)} & set(options.games):
            continue
        exact, path, began = exact_for(start), shipped_path(start), time.perf_counter()
        found = make(exact, number)
        if options.check and load_positions(path, exact).digest != found.digest:
            raise SystemExit(f"{path} is not what this script makes")
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            found.save(path)
        phases = Counter(test.phase for test in found.positions)
        values = Counter(f"{test.value:.1g}" for test in found.positions)
        seconds = time.perf_counter() - began
        size = f"{path.stat().st_size:,} bytes, {seconds:.1f} s"
        console.print(f"{found.name}: {size}; {dict(phases)}; values {dict(values)}")


if __name__ == "__main__":
    main()
