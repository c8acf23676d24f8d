"""Provides what all pages share: the templates, their style, and numbers as they are read.

A page is one file that needs no network, with light and dark colours, on large and small screens.
Needs the extra ``lab``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from adv_envs.optional import optional_library
from agents import statistics
from agents.language.model import dollars

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
"""Style and scripts, which pages that are files contain and those of a server link to."""


@cache
def environment() -> Any:
    """Returns Jinja with the templates of all pages, which escape every text not their own.

    ImportError, which says what to install, without Jinja.
    """
    jinja2 = optional_library("jinja2", "pages need", "lab")
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for function in (
        breakable, clock, dollars, duration, elo, interval, percent, probability, signed, two_digits
    ):  # fmt: skip
        found.filters[function.__name__] = function
    found.globals["contents"] = contents
    return found


def render(template: str, **values: Any) -> str:
    """Returns a template, filled in."""
    return str(environment().get_template(template).render(**values))


@cache
def _frameless() -> Any:
    jinja2, shared = optional_library("jinja2", "pages need", "lab"), environment()
    base = "{% block heading %}{% endblock %}\n{% block main %}{% endblock %}"
    loader = jinja2.DictLoader({"base.html.j2": base})
    return shared.overlay(loader=jinja2.ChoiceLoader([loader, shared.loader]))


def fragment(template: str, **values: Any) -> str:
    """Returns heading and main part of a page, for a server that has a frame of its own."""
    return str(_frameless().get_template(template).render(**values))


def markup(text: str) -> Any:
    """Marks text of ours that is HTML already and is not escaped again."""
    from markupsafe import Markup

    return Markup(text)


def contents(name: str) -> Any:
    """Returns a style or a script as it is, for a page that contains it."""
    return markup((STATIC / name).read_text("utf-8"))


def embedded(data: Any) -> Any:
    """Writes JSON for a script element: nothing in it can end the element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def breakable(name: str) -> Any:
    """Returns the name of an agent; its lines may break after a parameter or a bracket."""
    return markup("<wbr>").join(re.split(r"(?<=[(,.=_])", name))


# ---- numbers


def round_numbers(low: float, high: float) -> list[float]:
    """Returns at most seven round numbers from ``low`` to ``high``, for the ticks of an axis."""
    least = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(least))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
    first = math.ceil(low / step)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]


def percent(value: float | None, digits: int = 1) -> str:
    """Returns a share: "92.3 %"; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.{digits}f}\N{NO-BREAK SPACE}%"


def interval(estimate: Mapping[str, Any], factor: float = 100, digits: int = 1) -> str:
    """Returns the bounds of an estimate: "87.7–95.3"."""
    return f"{factor * estimate['low']:.{digits}f}–{factor * estimate['high']:.{digits}f}"


def two_digits(value: float | None) -> str:
    """Returns a number with two digits after the point; a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"


def elo(value: float | None) -> str:
    """Returns a rating without decimals and with a true minus sign."""
    return "no limit" if value is None else f"{round(value):d}".replace("-", "−")


def signed(value: float | None, digits: int = 3) -> str:
    """Returns an amount with its sign: "+0.120", "−0.120"."""
    return "–" if value is None else statistics.signed(value, digits).replace("-", "−")


def probability(share: float | None) -> str:
    """Returns a probability in percent for a small field; the last percent is not rounded away."""
    if share is None:
        return "?"
    if share > 0.995:
        return ">99"
    return "<1" if share < 0.005 else f"{100 * share:.0f}"


def clock(seconds: float | None) -> str:
    """Returns a time in hours, minutes and seconds: "0:12:05"; a dash where there is none."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def duration(seconds: float | None) -> str:
    """Returns a time in the unit that suits it: "0.45 ms"; a dash where there is none."""
    if seconds is None:
        return "–"
    if seconds >= 1000:
        return f"{seconds:,.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{1e6 * seconds:.0f} µs"
