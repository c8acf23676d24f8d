"""The page of a tournament: one file that needs no network, light and dark, also on a phone.

``page(page_data(start, records, "My tournament"))`` is its text. It has ratings with intervals, a
table to sort, who scored what against whom and who is likely the better, seats, time, what went
wrong, and every game: up to a number of them, that of ``replay``, on a board to step through, and
the others by their moves. Needs the extra ``lab``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from agents.arena.extra import library

from .tournament_page_data import FORMAT

TICKS = (10, 20, 50, 100, 200, 500, 1000, 2000)
"""How far apart the marks of the scale of ratings may be, in Elo."""


def page(data: Mapping[str, Any]) -> str:
    """The page of what ``page_data`` gave, also if it comes from a file of JSON.

    ValueError for other data; ImportError, which says what to install, without Jinja.
    """
    if data.get("format") != FORMAT:
        raise ValueError(f"pages are made of page_data of format {FORMAT}: {sorted(data)[:8]}")
    table = data["table"]
    ratings: list[dict[str, Any]] = table["ratings"]
    names = [rating["agent"] for rating in ratings]
    agents = [data["agents"][name] for name in names]
    template = environment().get_template("page.html.j2")
    text: str = template.render(
        data=data,
        table=table,
        ratings=ratings,
        agents=agents,
        names=names,
        scale=Scale(ratings),
        scores=scores(data["matches"], names),
        times=times(agents),
        faulty=any(agent["faults"] for agent in agents),
        shared=embedded(
            {"games": data["games"], "replays": data["replays"], "names": names},
        ),
    )
    return text


@cache
def environment() -> Any:
    """Jinja with the templates of tournament pages; what comes from outside is escaped."""
    jinja2 = library("jinja2")
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates" / "tournament"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"elo": elo, "percent": percent, "duration": duration, "likely": likely}
    found.filters["breakable"] = breakable
    return found


def embedded(data: Any) -> Any:
    """JSON for a script element: nothing in it can end the element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    escaped = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return library("markupsafe").Markup(escaped)


def breakable(name: str) -> Any:
    """The name of an agent, that may go on in the next line after a parameter and the like."""
    parts = re.split(r"(?<=[(,.=_])", name)
    return library("markupsafe").Markup("<wbr>").join(parts)


# ---- what is drawn


class Scale:
    """Ratings as places from 0 to 100, with round marks."""

    def __init__(self, ratings: Sequence[Mapping[str, Any]]) -> None:
        ends: list[float] = [
            r[key] for r in ratings for key in ("low", "elo", "high") if r[key] is not None
        ]
        low, high = min(ends), max(ends)
        margin = max(0.06 * (high - low), 20.0)
        self.low, self.high = low - margin, high + margin
        step = next((t for t in TICKS if (self.high - self.low) / t <= 6), TICKS[-1])
        first = math.ceil(self.low / step)
        ticks = [step * i for i in range(first, math.floor(self.high / step) + 1)]
        self.ticks = [tick for tick in ticks if 3 < self.at(tick) < 97]

    def at(self, value: float | None, otherwise: float = 0.0) -> float:
        """The place of a rating; ``otherwise`` where there is none."""
        if value is None:
            return otherwise
        return round(100 * (value - self.low) / float(self.high - self.low), 2)


def scores(
    matches: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[list[dict[str, Any] | None]]:
    """What each scored against each other: wins, draws, losses and the share of the points."""
    found: list[list[dict[str, Any] | None]] = [[None] * len(names) for _ in names]
    for match in matches:
        a, b = names.index(match["a"]), names.index(match["b"])
        share = match["points"] / match["games"]
        counts = [match["wins"], match["draws"], match["losses"]]
        found[a][b] = {"share": share, "counts": counts, "games": match["games"]}
        found[b][a] = {"share": 1 - share, "counts": counts[::-1], "games": match["games"]}
    return found


def times(agents: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """The seconds that each took for a move, and the length of its bar, 0 .. 100: a logarithm."""
    means = [agent["seconds"] / max(agent["moves"], 1) for agent in agents]
    logs = [math.log10(max(mean, 1e-6)) for mean in means]
    low, high = min(logs) - 0.25, max(logs)
    return [
        {"mean": mean, "length": round(100 * (log - low) / (high - low), 1)}
        for mean, log in zip(means, logs, strict=True)
    ]


# ---- in words


def elo(value: float | None) -> str:
    """A rating without decimals and with a true minus; a line where there is no limit."""
    if value is None:
        return "no limit"
    return f"{round(value):d}".replace("-", "−")


def percent(share: float | None, digits: int = 0) -> str:
    """A share as it is read; a line where there is none."""
    return "–" if share is None else f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def likely(share: float | None) -> str:
    """A likelihood in a small field: the last percent is not rounded away."""
    if share is None:
        return "?"
    if share > 0.995:
        return ">99"
    return "<1" if share < 0.005 else f"{100 * share:.0f}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.995 * size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"
    return f"{1e6 * seconds:.0f} µs"
