"""Measures the page in a browser: from the command to a board, from a click to the reply, bytes.

``adv-envs serve GAME`` is started as a user starts it, and its page is opened in Chromium without a
window, which runs already. A board is playable once a move can be made on it. A reply is there once
the browser has drawn the picture after the agent's message; the agent is the one that the page
offers. "Cold" is with an empty cache of compiled code, "warm" with the one that this has left; in
each case the server is a new one. Bytes are those of the network, compressed, headers included,
messages of searches aside, which are counted as text. No other program is measured beside it.

    python benchmarks/browser.py [--games tic_tac_toe connect_four hex] [--moves 4] [--starts 3]

Needs the extra `browser`, and `apt-get install chromium`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from compare import at_least, printer
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import NoBrowserError, open_chromium
from local_page import Site

from adv_envs.registry import GAMES

PATIENCE = 180_000
"""The longest time that anything is waited for, in ms."""
ATTEMPTS = 400
"""A server that is not there yet is asked this often, every 25 ms."""

CLOCK = """
window.times = {click: null, seconds: []};
addEventListener("pointerdown", (event) => {
  if (event.target.closest?.(".target")) times.click = performance.now();
}, true);
const heard = (text) => {
  if (times.click === null || !text.includes('"state"')) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    times.seconds.push((performance.now() - times.click) / 1000);
  }));
};
const Socket = WebSocket;
window.WebSocket = class extends Socket {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", ({data}) => heard(data));
  }
};
const ask = window.fetch;
window.fetch = async (path, ...args) => {
  const answer = await ask(path, ...args);
  if (String(path).endsWith("/api/found")) answer.clone().text().then(heard);
  return answer;
};
"""
"""Notes when a target is clicked, and when what brings the reply has been drawn: a message of the
server, or its answer to what an engine has found."""


class Traffic:
    """Counts what the browser receives."""

    def __init__(self, page: Any) -> None:
        self.bytes = self.requests = self.messages = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self.loaded)
        session.on("Network.webSocketFrameReceived", self.received)

    def loaded(self, event: dict[str, Any]) -> None:
        """Counts a request that has been answered."""
        self.requests += 1
        self.bytes += int(event["encodedDataLength"])

    def received(self, event: dict[str, Any]) -> None:
        """Counts a message that has come over the WebSocket."""
        self.messages += len(event["response"]["payloadData"])

    @property
    def counts(self) -> tuple[int, int, int]:
        """Returns requests, their bytes, and characters of messages."""
        return self.requests, self.bytes, self.messages


class Visit(NamedTuple):
    """Holds what one visit to the page of a game has shown."""

    start: float
    """Seconds from the command to a playable board."""
    replies: list[float]
    """Seconds from each click to the reply."""
    page: tuple[int, int, int]
    """What was received until the board was playable: requests, bytes, text of messages."""
    moves: tuple[int, int, int]
    """The same from then on."""


def visit(browser: Any, game: str, cache: str, moves: int) -> Visit:
    """Starts a server, opens its page and makes some moves."""
    began = time.perf_counter()
    with Site(game, ADV_ENVS_CACHE=cache) as site:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.add_init_script(CLOCK)
        traffic = Traffic(page)
        open_page(page, site.address)
        page.locator(".target").first.wait_for()
        start, first = time.perf_counter() - began, traffic.counts
        replies = []
        for _ in range(moves):
            reply = answered(page)
            if reply is None:
                break
            replies.append(reply)
        page.wait_for_timeout(100)
        later = tuple(b - a for a, b in zip(first, traffic.counts, strict=True))
        context.close()
    return Visit(start, replies, first, later)  # type: ignore[arg-type]


def open_page(page: Any, address: str) -> None:
    """Goes to the page as soon as the server answers."""
    from playwright.sync_api import Error

    for attempt in range(ATTEMPTS):
        try:
            page.goto(address)
        except Error:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.025)
        else:
            return


def answered(page: Any) -> float | None:
    """Clicks the first target; returns the seconds to the reply, None if none comes."""
    known = page.evaluate("times.seconds.length")
    page.locator(".target").first.click()
    for _ in range(PATIENCE // 20):
        page.wait_for_timeout(20)
        seconds = page.evaluate("times.seconds")
        if len(seconds) > known:
            page.wait_for_timeout(50)
            return float(seconds[known]) if page.locator(".target").count() else None
    return None


def show(games: dict[str, dict[str, list[Visit]]]) -> None:
    """Prints the tables."""
    seconds = Table("game", "cache", "board", "first reply", "later replies", "slowest")
    sizes = Table("game", "requests", "page", "requests a move", "a move", "messages a move")
    for game, runs in games.items():
        for name, visits in runs.items():
            later = [reply for each in visits for reply in each.replies[1:]]
            seconds.add_row(
                game,
                name,
                in_seconds([each.start for each in visits]),
                in_seconds([each.replies[0] for each in visits if each.replies]),
                in_seconds(later),
                f"{max(later):.2f} s" if later else "",
            )
        warm = runs["warm"][-1]
        number = max(len(warm.replies), 1)
        sizes.add_row(
            game,
            str(warm.page[0]),
            f"{warm.page[1] / 1000:.1f} kB",
            f"{warm.moves[0] / number:.1f}",
            f"{warm.moves[1] / number / 1000:.1f} kB",
            f"{warm.moves[2] / number / 1000:.1f} kB",
        )
    console = printer()
    console.print("Seconds (medians): from the command to a board, and from a click to the reply")
    console.print(seconds)
    console.print("What the browser receives")
    console.print(sizes)


def in_seconds(numbers: list[float]) -> str:
    """Returns the median, or nothing."""
    return f"{statistics.median(numbers):.2f} s" if numbers else ""


def main() -> None:
    """Visits every game, cold once and then warm."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    usual = ["tic_tac_toe", "connect_four", "hex"]
    parser.add_argument("--games", nargs="+", default=usual, choices=list(GAMES), metavar="GAME")
    parser.add_argument("--moves", type=at_least(2), default=4, help="made in each game (4)")
    parser.add_argument("--starts", type=at_least(1), default=3, help="visits with a cache (3)")
    options = parser.parse_args()
    found: dict[str, dict[str, list[Visit]]] = {}
    try:
        with open_chromium() as browser, tempfile.TemporaryDirectory() as folder:
            browser.new_context().new_page().goto("about:blank")
            for game in options.games:
                cache = str(Path(folder) / game)
                cold = visit(browser, game, cache, options.moves)
                warm = [visit(browser, game, cache, options.moves) for _ in range(options.starts)]
                found[game] = {"cold": [cold], "warm": warm}
    except NoBrowserError as error:
        print(f"Nothing was measured: it {error}")
        return
    show(found)


if __name__ == "__main__":
    main()
