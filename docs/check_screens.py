"""Open the built manual in Chromium, check what a reader would see, and keep pictures of it.

    python docs/check_screens.py docs/_build/html docs/_build/screens

Five pages, on a phone (390 pixels) and on a screen (1280), in light and dark: no error may be
reported in the browser's console, no page may be wider than the window, the search must answer,
and axe must find no serious fault of accessibility. Each of the twenty is kept as a PNG. The pages
come from a server on this machine, as files alone cannot be searched everywhere. Needs the extra
``browser``, and Chromium; where there is none, it says so and ends.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import NoBrowserError, open_chromium, size, widths

PAGES = ("index", "training", "games/chess", "statistics", "reference/agents/mcts")
WIDTHS = (390, 1280)
WORD, LEADS_TO = "tournament", "tournaments.html"
"""What is searched for, and a page that must be among the results."""

AXE = {"resultTypes": ["violations"], "preload": False}
"""Preloading, axe asks for styles at wrong addresses."""


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that does not tell of every request."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which the files of a folder are, until the block is left."""
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def look(page: Any, address: str, out: Path) -> Iterator[str]:
    """Look at every page in every way; yields what is wrong."""
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    for name, width, dark in product(PAGES, WIDTHS, (False, True)):
        size(page, width, dark)
        page.goto(f"{address}/{name}.html")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)  # colours fade in
        which = f"{name.replace('/', '_')}_{width}_{'dark' if dark else 'light'}"
        page.screenshot(path=out / f"{which}.png")
        room, taken = widths(page)
        if taken > room:
            yield f"{which}: {taken} pixels wide"
        for found in axe.run(page, options=AXE).response["violations"]:
            if found["impact"] in ("serious", "critical"):
                where = "; ".join(str(node["target"]) for node in found["nodes"][:3])
                yield f"{which}: {found['id']} ({found['help']}): {where}"


def search(page: Any, address: str, out: Path) -> Iterator[str]:
    """Search for a word as a reader does; yields what is wrong."""
    for width, dark in product(WIDTHS, (False, True)):
        size(page, width, dark)
        page.goto(f"{address}/index.html")
        page.wait_for_load_state("networkidle")
        page.locator(".search-button:visible, .search-button__button:visible").first.click()
        page.keyboard.type(WORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html*")
        results = page.locator("#search-results ul.search li a")
        try:
            results.first.wait_for(timeout=15_000)
            page.wait_for_load_state("networkidle")
        except Exception as error:
            yield f"search at {width} pixels: no results ({error})"
            continue
        page.screenshot(path=out / f"search_{width}_{'dark' if dark else 'light'}.png")
        found = [link.get_attribute("href") or "" for link in results.all()]
        if not any(LEADS_TO in link for link in found):
            yield f"search at {width} pixels: {LEADS_TO} is not among {len(found)} results"


def errors(said: Any) -> Iterator[str]:
    """What the console reports, if it is an error; the theme also tells there what it does."""
    if said.type == "error":
        yield f"{said.location['url']}: {said.text}"


def main() -> None:
    """Look at a site."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    try:
        with open_chromium() as chromium, served(given.folder) as address:
            page = chromium.new_page()
            page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
            page.on("console", lambda said: faults.extend(errors(said)))
            faults += look(page, address, given.out)
            faults += search(page, address, given.out)
    except NoBrowserError as error:
        print(f"the pages were not looked at: {error}")
        return
    pictures = sorted(given.out.glob("*.png"))
    print(f"{len(pictures)} pictures in {given.out}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
