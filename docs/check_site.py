"""Check the built manual as a reader meets it: `make docs` ends with this.

    python docs/check_site.py docs/_build/html

Every link, picture, style and script of every page must lead to a file of the site, and every ``#``
to a place on its page. From the front page every page is reached by links in the text, without the
menus and the search, and what people come for is at most three clicks away. Addresses of other
sites are not asked for: nothing here uses the network. Prints the number of pages, the size of the
site, and with ``--since`` how long the build took; the exit status is 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FRONT = "index.html"
GOALS = {
    "a trained agent": "training.html",
    "an own game": "own-game.html",
    "an own agent": "own-agent.html",
    "a tournament": "tournaments.html",
    "a report card": "grading.html",
}
CLICKS = 3
"""The most that a goal may be away from the front page."""
WITHOUT_LINKS = {"genindex.html", "search.html", "py-modindex.html"}
"""Pages that menus lead to."""


@dataclass
class Page(HTMLParser):
    """What a page refers to, and the places on it that can be referred to."""

    links: list[str] = field(default_factory=list)
    """Everything that it refers to."""
    in_text: list[str] = field(default_factory=list)
    """The links in its article."""
    places: set[str] = field(default_factory=set)
    """The ids of its elements."""
    _articles: int = 0

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag refers to, and what it is called."""
        found = {name: value for name, value in attrs if value}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        self._articles += tag == "article"
        for name in ("href", "src", "poster", "data"):
            if name in found and not (tag == "meta" or found.get("rel") == "canonical"):
                self.links.append(found[name])
        self.links += [each.split()[0] for each in found.get("srcset", "").split(",") if each]
        if tag == "a" and self._articles and "href" in found:
            self.in_text.append(found["href"])

    def handle_endtag(self, tag: str) -> None:
        """Note where the article ends."""
        self._articles -= tag == "article"


@dataclass
class Site:
    """The files of a built site."""

    root: Path

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Every page, parsed."""
        found = {}
        for path in sorted(self.root.rglob("*.html")):
            if "_static" not in path.relative_to(self.root).parts:
                found[path] = page = Page()
                page.feed(path.read_text(encoding="utf-8"))
        return found

    def target(self, page: Path, link: str) -> tuple[Path, str] | None:
        """The file and the place on it that a link leads to; None for those of other sites."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None
        path = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
        return (path / FRONT if path.is_dir() else path), unquote(parts.fragment)

    def broken(self) -> Iterator[str]:
        """What leads nowhere, in words."""
        for path, page in self.pages.items():
            for link in dict.fromkeys(page.links):
                why = self.fault(path, link)
                if why:
                    yield f"{path.relative_to(self.root)}: {link}: {why}"
        for path in self.root.rglob("*.css"):
            for link in re.findall(r"url\(['\"]?([^'\")]+)", path.read_text(encoding="utf-8")):
                target = self.target(path, link)
                if target is not None and not target[0].exists():
                    yield f"{path.relative_to(self.root)}: {link}: no such file"

    def fault(self, page: Path, link: str) -> str:
        """What is wrong with a link; empty for a good one."""
        target = self.target(page, link)
        if target is None:
            good = urlsplit(link).scheme in ("http", "https", "mailto", "data")
            return "" if good else "not an address for readers"
        path, place = target
        if not path.exists():
            return "no such file"
        if not path.is_relative_to(self.root):
            return "outside the site"
        if place and path in self.pages and place not in self.pages[path].places:
            return "no such place on the page"
        return ""

    @cached_property
    def clicks(self) -> dict[str, int]:
        """How many clicks on links in texts lead from the front page to each page."""
        front = self.root / FRONT
        found, todo = {front: 0}, deque([front])
        while todo:
            page = todo.popleft()
            for link in self.pages[page].in_text:
                target = self.target(page, link)
                if target is not None and target[0] in self.pages and target[0] not in found:
                    found[target[0]] = found[page] + 1
                    todo.append(target[0])
        return {path.relative_to(self.root).as_posix(): n for path, n in found.items()}

    def far(self) -> Iterator[str]:
        """What is too far from the front page, in words."""
        for goal, page in GOALS.items():
            if self.clicks.get(page, CLICKS + 1) > CLICKS:
                yield f"{goal} ({page}) is more than {CLICKS} clicks from the front page"
        for path in self.pages:
            name = path.relative_to(self.root).as_posix()
            if name not in self.clicks and name not in WITHOUT_LINKS:
                yield f"{name} is not reached from the front page by links in texts"

    def size(self) -> int:
        """The bytes of all files."""
        return sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file())


def main() -> None:
    """Check a site, and say what it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--since", type=float, metavar="SECONDS", help="when the build began")
    given = parser.parse_args()
    site = Site(given.folder.resolve())
    if not (site.root / FRONT).exists():
        sys.exit(f"{given.folder} has no {FRONT}: `make docs` builds the site")
    faults = [*site.broken(), *site.far()]
    links = sum(len(page.links) for page in site.pages.values())
    took = "" if given.since is None else f", built in {time.time() - given.since:.0f} s"
    print(f"{len(site.pages)} pages, {site.size() / 1e6:.1f} MB{took}; {links} links followed")
    away = ", ".join(f"{goal} {site.clicks.get(page, '?')}" for goal, page in GOALS.items())
    print(f"clicks from the front page: {away}; to any page at most {max(site.clicks.values())}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
