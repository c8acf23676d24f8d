"""What is known of each game and cannot be asked of its code: ``docs/games/NAME.toml``.

The pages of games are made of it, and tests hold it to the rules: the ranges of parameters, the
numbers of planes, the counts, the values that a solver finds, the shapes that other libraries have.

``actions``, ``rewards``, ``end``: in words. ``observation``: how many planes (or numbers) in turn
have which meaning, with the usual parameters. ``references``: as they are printed. Tables:

``parameters``
    By name: ``text``; ``range``, the smallest and the largest, or ``choices``; ``with``, other
    parameters that allow both ends.
``counts``
    ``lines`` of play by depth, of ``game`` (parameters); by which ``unit`` (plies); ``source``.
``values``
    ``value`` for player 0 with best play in ``game``; ``by``, an agent that finds it, ``within``
    what error; ``source``; ``text``.
``peers``
    The game in another ``library``: ``game``, its name, with ``options``; how many ``actions``;
    the shape of an ``observation``; ``text``: what to do to move over.
``versions``
    What changed in which version.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "games"


@cache
def facts_of(name: str) -> dict[str, Any]:
    """What the file of a game says."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def lines_of_play(name: str, *, unit: str = "plies", **parameters: Any) -> tuple[int, ...]:
    """How many lines of play there are, by depth from 1 on. KeyError if it is not known."""
    for count in facts_of(name).get("counts", []):
        if count.get("game", {}) == parameters and count.get("unit", "plies") == unit:
            return tuple(count["lines"])
    raise KeyError(f"no lines of play of {name} by {unit} with {parameters}")
