"""The long proof that engines play and search as Python does: ``make engines-check``.

Random games of every module are played by compiled Python, some of them by plain Python, in Node.js
and in Chromium, and a digest of all that the rules answer at every position is compared, game by
game. Then every agent that an engine can play searches positions of random games. The table has a
row for each game of a module; the exit status is 1 if anything differs.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random, SystemRandom
from typing import Any, NamedTuple

from browser import NoBrowserError

from adv_envs import Position
from adv_envs.registry import parameters_of, start_position
from agents.engines import engine_info

from .compare import compare_games, compare_searches
from .hosts import Host, chromium, node


class Row(NamedTuple):
    """What was compared of one game."""

    name: str
    plies: int
    searches: int
    lacking: int
    """Agents that no engine plays."""
    differences: list[str]


def starts(only: list[str]) -> Iterator[tuple[str, Position]]:
    """The games of the modules."""
    for module, info in engine_info().items():
        for start in info["starts"]:
            if not only or info["game"] in only:
                yield module, start_position(info["game"], **start["parameters"])


def compare(given: argparse.Namespace, hosts: dict[str, Host]) -> Iterator[Row]:
    """Compares all games."""
    games = [*starts(given.games)]
    for module, start in games:
        rng = Random(f"{given.seed} {start!r}")
        plies, wrong = compare_games(module, start, given.plies // len(games), rng, hosts)
        done, lacking, more = compare_searches(module, start, given.positions, rng, hosts)
        told = ", ".join(f"{key}={value!r}" for key, value in parameters_of(start).items())
        yield Row(f"{module} ({told})", plies, done, lacking, wrong + more)


def parsed() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="engine_check", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--plies", type=int, default=1_000_000, help="of all games together")
    parser.add_argument("--positions", type=int, default=20, help="searched by each agent, a game")
    known = sorted({info["game"] for info in engine_info().values()})
    parser.add_argument(
        "--games", nargs="+", default=[], choices=known, metavar="GAME", help="only these, as chess"
    )
    parser.add_argument("--seed", type=int, default=SystemRandom().getrandbits(32))
    parser.add_argument("--without-browser", action="store_true", help="in Node.js only")
    given = parser.parse_args()
    if given.plies < 1 or given.positions < 0:
        parser.error("--plies must be at least 1, --positions at least 0")
    return given


def main() -> int:
    """Compares, prints the table; returns the exit status."""
    given, began = parsed(), time.perf_counter()
    print(f"seed {given.seed}", flush=True)
    with ExitStack() as stack:
        hosts: dict[str, Any] = {"Node.js": stack.enter_context(node())}
        if not given.without_browser:
            try:
                hosts["Chromium"] = stack.enter_context(chromium())
            except NoBrowserError as error:
                sys.exit(f"{error}; or say --without-browser")
        rows = []
        print(f"{'module, game':60} {'plies':>9} {'searches':>9} {'no engine':>9} differences")
        for row in compare(given, hosts):
            rows.append(row)
            numbers = f"{row.plies:9,} {row.searches:9,} {row.lacking:9}"
            print(f"{row.name:60} {numbers} {len(row.differences)}", flush=True)
            for difference in row.differences[:3]:
                print(f"  {difference}", file=sys.stderr, flush=True)
    wrong = sum(len(row.differences) for row in rows)
    plies, searches = (sum(getattr(row, name) for row in rows) for name in ("plies", "searches"))
    print(
        f"{plies:,} plies and {searches:,} searches in Python, {' and '.join(hosts)}: "
        f"{wrong} differences, {time.perf_counter() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
