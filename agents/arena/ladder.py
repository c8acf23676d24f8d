"""Ladders: named opponents of one game from random to perfect, whose strength was measured.

They lie in ``agents/data/ladders`` as JSON, made by ``benchmarks/ladder.py`` from a tournament of
all against all: ratings in Elo, with 95 % intervals, the first rung at 0.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from adv_envs import Position
from adv_envs.files import write_file
from adv_envs.registry import GAMES, game, title

FOLDER = Path(__file__).parent.parent / "data" / "ladders"
FORMAT = 1


@dataclass(frozen=True)
class Rung:
    """An opponent and its strength."""

    name: str
    """What it is called in a word or two."""
    spec: str
    rating: float
    """In Elo."""
    low: float | None
    """The ends of its 95 % interval, None where there is no limit."""
    high: float | None
    seconds: float
    """That it took for a move, where the ladder was made."""
    report: dict[str, float] | None = None
    """The share of its moves that keep the value of the game, and of the strongest ones; or None
    where the game is not solved."""

    @property
    def error(self) -> float:
        """The standard error of its rating; 0 for the rung that all are measured from."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return max((abs(end - self.rating) for end in ends), default=0.0) / 1.959964


@dataclass(frozen=True)
class Ladder:
    """The rungs of one game, the weakest first."""

    start: str
    """The game, as ``repr`` of its start."""
    rungs: tuple[Rung, ...]
    first_seat: float
    """What the first seat is worth, in Elo."""
    openings: str
    """The kind of openings that the games began with."""
    how: str
    """How it was measured, in words."""

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        data = {"format": FORMAT, **asdict(self)}
        write_file(path, json.dumps(data, indent=1) + "\n")

    @property
    def game(self) -> str:
        """The game and its parameters that are not usual: "hex, size=7"."""
        name, _, fields = self.start.partition("(")
        values = {key: ast.literal_eval(v) for key, v in re.findall(r"(\w+)=([-\w.]+)", fields)}
        for cls in (game(known) for known in GAMES):
            if cls.__name__ == name and values.keys() >= {*cls.parameters}:
                return title(cls(**{key: values[key] for key in cls.parameters}))
        return self.start

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what ``save`` wrote. ValueError, naming the file, for anything else."""
        try:
            data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if data.pop("format") != FORMAT:
                raise ValueError(f"this program reads format {FORMAT}")
            rungs = tuple(Rung(**rung) for rung in data.pop("rungs"))
            return cls(rungs=rungs, **data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is no ladder: {error}") from error


def ladders(folder: Path = FOLDER) -> Iterator[Ladder]:
    """Those that are shipped."""
    for path in sorted(folder.glob("*.json")):
        yield Ladder.load(path)


def ladder_for(start: Position, folder: Path = FOLDER) -> Ladder:
    """The ladder of a game; ValueError says for which games there is one, and how to make one."""
    for ladder in ladders(folder):
        if ladder.start == repr(start):
            return ladder
    games = "; ".join(ladder.game for ladder in ladders(folder)) or "none"
    raise ValueError(
        f"there is no ladder for {title(start)}; there are ladders for: {games}. "
        "benchmarks/ladder.py makes one"
    )
