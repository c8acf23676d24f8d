"""Sets of positions: what an agent is asked, with the exact worth of every move, in one file.

A file is JSON that anybody can read: the game, how the set was drawn, and for each question the
line of play that leads there (where there is chance, the fields of the position) and what each
legal action is worth, in increasing order of the actions: scores where the game has them, else
values. The SHA-256 of all this is the name of the set, and is checked when it is read.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adv_envs import Position, Tree, name_of
from adv_envs.files import write_file
from agents.knowledge import ExactValues, MoveValue

from .question import Question, phase_of
from .sampling import sample

FORMAT, VERSION = "adv-envs positions", 1

SHIPPED = Path(__file__).parent.parent / "data" / "positions"

DRAWN = 200
"""Questions that are drawn where none come along."""

DIGITS = 12
"""Of the values in a file: what is closer counts as the same."""


class PositionsError(ValueError):
    """A file is not the set of positions it should be; the message says why."""


@dataclass(frozen=True)
class PositionSet:
    """Questions about one game."""

    start: Position
    questions: tuple[Question, ...]
    seed: int
    has_scores: bool
    """Whether moves have scores beside their values."""
    in_points: bool
    """Whether values are chances to win, from 0 to 1."""
    whole: str = ""
    """The name of the larger set whose first questions these are."""

    @property
    def digest(self) -> str:
        """The SHA-256 of all that is in it."""
        text = json.dumps(self._content(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """What reports call it: "connect_four-240-seed-0-1a2b3c4d5e6f"."""
        if self.whole:
            return f"the first {len(self.questions)} of {self.whole}"
        return f"{slug(self.start)}-{len(self.questions)}-seed-{self.seed}-{self.digest[:12]}"

    def take(self, number: int) -> PositionSet:
        """The first ``number`` of the questions, as balanced as all of them."""
        if number >= len(self.questions):
            return self
        questions, whole = self.questions[:number], self.whole or self.name
        return dataclasses.replace(self, questions=questions, whole=whole)

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "seed": self.seed,
            "worths": "scores" if self.has_scores else "points" if self.in_points else "utilities",
            "questions": [self._entry(question) for question in self.questions],
        }

    def _entry(self, question: Question) -> dict[str, Any]:
        here = question.position
        move_values = [number(worth.score) for worth in question.move_values.values()]
        if self.start.has_chance:
            return {"state": list(here[len(here.parameters) :]), "worths": move_values}
        return {"moves": question.moves, "worths": move_values}

    def save(self, path: Path) -> None:
        """Write the file, a question a line; it takes its place at once, whole."""
        content = self._content()
        entries = [json.dumps(entry, separators=(",", ":")) for entry in content.pop("questions")]
        head = json.dumps({**content, "sha256": self.digest})[:-1]
        write_file(path, head + ', "questions": [\n' + ",\n".join(entries) + "\n]}\n")


def number(value: float) -> float | int:
    """A score or a value as it is written: short."""
    value = round(value, DIGITS)
    return int(value) if value == int(value) else value


def parameters(start: Position) -> dict[str, Any]:
    """What the game is played with, as it can be written; a tree of one's own by its SHA-256."""
    if isinstance(start, Tree):
        own = start.tree != type(start)().tree
        return {"tree": hashlib.sha256(repr(start.tree).encode()).hexdigest()[:12]} if own else {}
    return {name: getattr(start, name) for name in start.parameters}


def load(path: Path, exact: ExactValues) -> PositionSet:
    """The set in a file about the game that ``exact`` knows.

    PositionsError unless it is whole and about this game.
    """
    try:
        data = json.loads(path.read_text("ascii"))
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']!r}")
    except FileNotFoundError:
        raise PositionsError(f"there is no set of positions at {path}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise PositionsError(f"{path} is no set of positions, or is torn: {error}") from error
    if data.get("version") != VERSION:
        raise PositionsError(
            f"{path} is of version {data.get('version')}, and {VERSION} is needed; make it again "
            "with benchmarks/positions.py"
        )
    try:
        if (data["game"], data["parameters"]) != (name_of(exact.start), parameters(exact.start)):
            raise PositionsError(
                f"{path} is about {data['game']} {data['parameters']}, not {exact.start!r}"
            )
        found = read(data, exact)
    except PositionsError:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise damaged(path) from error
    if found.digest != data.get("sha256"):
        raise damaged(path)
    return found


def damaged(path: Path) -> PositionsError:
    """What is said of a file whose content is not what it was."""
    return PositionsError(
        f"{path} is torn or was changed: its SHA-256 is not what it says; make it again with "
        "benchmarks/positions.py, or install the package again"
    )


def read(data: dict[str, Any], exact: ExactValues) -> PositionSet:
    """The set that is written in ``data``."""
    start = exact.start
    fields = start._fields[len(start.parameters) :]
    questions = []
    for entry in data["questions"]:
        if "state" in entry:
            state = dict(zip(fields, entry["state"], strict=True))
            position = type(start)(**parameters(start), **state)
        else:
            position = start.after(entry["moves"])
        worth = MoveValue.of_score if exact.has_scores else MoveValue.of_value
        move_values = zip(position.legal_actions(), map(worth, entry["worths"]), strict=True)
        phase = phase_of(exact.progress(position))
        questions.append(Question(position, dict(move_values), phase, entry.get("moves", "")))
    return PositionSet(start, tuple(questions), data["seed"], exact.has_scores, exact.in_points)


def shipped_path(start: Position) -> Path:
    """Where the set about the game of ``start`` is, if one comes along."""
    return SHIPPED / f"{slug(start)}.json"


def slug(start: Position) -> str:
    """The game and those of its parameters that are not usual: "hex-size-5"."""
    usual, values = type(start)(), parameters(start).items()
    special = [f"-{name}-{value}" for name, value in values if value != getattr(usual, name)]
    return name_of(start) + "".join(special)


def positions_for(
    exact: ExactValues,
    number: int | None = None,
    seed: int | None = None,
    on_question: Callable[[int], None] | None = None,
) -> PositionSet:
    """A set of at most ``number`` questions about the game that ``exact`` knows.

    None: all that come along, or DRAWN.
    Without a ``seed`` it is the one that comes along, if there is one and it is large enough, else
    one is drawn, by seed 0; ``on_question`` is told how many there are.
    """
    path = shipped_path(exact.start)
    if seed is None and path.exists():
        whole = load(path, exact)
        if number is None or number <= len(whole.questions) or isinstance(exact.start, Tree):
            return whole.take(number or len(whole.questions))
    questions = sample(exact, number or DRAWN, seed or 0, None, on_question)
    if not questions:
        raise ValueError(f"no position of {exact.start!r} was found in which moves differ")
    return PositionSet(exact.start, tuple(questions), seed or 0, exact.has_scores, exact.in_points)
