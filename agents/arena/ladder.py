"""Ladders: named opponents of one game from random to perfect, whose strength was measured.

They lie in ``agents/data/ladders`` as JSON, made by ``benchmarks/ladder.py`` from a tournament of
the opponents: ratings in Elo, with 95 % intervals, the first rung at 0. Some rungs are other
programs, such as Stockfish: ``Ladder.playable`` leaves those out that are not installed.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from adv_envs import Position
from adv_envs.files import write_file
from adv_envs.registry import GAMES, game, title
from agents.protocols.engine import Engine
from agents.protocols.process import split
from agents.spec import make

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

    @property
    def missing(self) -> str:
        """The program that it needs and that is not on the PATH; empty where it can play."""
        return missing_program(self.spec)


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
    def missing(self) -> str:
        """Which rungs cannot play for want of a program, in words; empty where all can."""
        wanted = [rung for rung in self.rungs if rung.missing]
        programs = ", ".join(dict.fromkeys(rung.missing for rung in wanted))
        names = "; ".join(rung.name for rung in wanted)
        return f"{names} (not on the PATH: {programs})" if wanted else ""

    def playable(self) -> Self:
        """The ladder without the rungs that cannot play for want of a program."""
        return replace(self, rungs=tuple(rung for rung in self.rungs if not rung.missing))

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


def missing_program(spec: str) -> str:
    """The program that the agent needs and that is not on the PATH; empty where there is none."""
    agent = make(spec)
    program = split(agent.command)[0] if isinstance(agent, Engine) else ""
    return "" if not program or shutil.which(program) else program


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
