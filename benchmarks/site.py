"""Measures a site that ``adv-envs site`` has written: bytes, and seconds to a board and a reply.

The site is served by Python's own file server, which compresses nothing, and opened in Chromium
without a window, which runs already. A board is there once its targets can be clicked; a reply is
the position after a click, for which Python must have been loaded. "Cold" is a browser that has
never been there, "warm" the same one when it opens another game later, which its service worker
brings. Bytes are those of the whole site, which the first visit brings, as they lie on the host and
compressed by gzip, as most hosts send them. The games must be ones in which a click is a move. No
other program is measured.

    python benchmarks/site.py [--site build/site] [--games tic_tac_toe connect_four chess]

Needs the extra `browser`, `apt-get install chromium`, and `make site`.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from compare import at_least, printer
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import NoBrowserError, open_chromium
from file_server import serving

from adv_envs.registry import GAMES

PATIENCE = 120_000
"""The longest time that anything is waited for, in ms."""


class Visit(NamedTuple):
    """Holds the seconds from the address to a board, and to the position after a first move."""

    board: float
    reply: float


def visit(page: Any, address: str) -> Visit:
    """Opens the page of a game and makes a move."""
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(".target").first.wait_for()
    board = time.perf_counter() - began
    page.locator(".target").first.click()
    page.locator("#moves button").first.wait_for()
    return Visit(board, time.perf_counter() - began)


def visits(browser: Any, address: str, games: list[str]) -> dict[str, list[Visit]]:
    """Returns for "cold" and "warm" a visit to each game."""
    found: dict[str, list[Visit]] = {"cold": [], "warm": []}
    for game in games:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        found["cold"].append(visit(page, f"{address}game/{game}/"))
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        found["warm"].append(visit(page, f"{address}game/{game}/"))
        context.close()
    return found


def sizes(site: Path) -> tuple[int, int, int]:
    """Returns the bytes of all files, the same compressed, and the number of files."""
    files = [path for path in site.rglob("*") if path.is_file()]
    data = [path.read_bytes() for path in files]
    return sum(map(len, data)), sum(min(len(gzip.compress(d)), len(d)) for d in data), len(files)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=Path("build/site"))
    usual = ["tic_tac_toe", "connect_four", "othello"]
    parser.add_argument("--games", nargs="+", default=usual, choices=list(GAMES), metavar="GAME")
    parser.add_argument("--rounds", type=at_least(1), default=3, help="visits to each game (3)")
    options = parser.parse_args()
    if not (options.site / "files.json").exists():
        print(f"{options.site} has no site: make site", file=sys.stderr)
        sys.exit(77)
    total, compressed, files = sizes(options.site)
    console = printer()
    console.print(f"{files} files, {total / 1e6:.2f} MB; compressed {compressed / 1e6:.2f} MB")
    try:
        with open_chromium() as browser, serving(options.site) as address:
            browser.new_context().new_page().goto("about:blank")
            table = Table("browser", "board", "first reply", "slowest board", "slowest reply")
            found = visits(browser, address, options.games * options.rounds)
            for name, seen in found.items():
                boards, replies = [v.board for v in seen], [v.reply for v in seen]
                medians = map(statistics.median, (boards, replies))
                worst = map(max, (boards, replies))
                table.add_row(name, *(f"{s:.2f} s" for s in (*medians, *worst)))
            console.print(table)
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
