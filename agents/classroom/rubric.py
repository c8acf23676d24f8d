"""Reads rubrics: TOML files that say what is graded, and for how many points.

Whatever is wrong with one, also a check that its game cannot have, is a ``RubricError``: one line
with the file and the key.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import tomllib
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.registry import start_position, title
from agents.agent import Agent, require_seconds
from agents.sandbox import Limits
from agents.simple import Human
from agents.spec import make

from .assessment import RubricCheck
from .exact_checks import KeepsValue, SolverLike
from .function_checks import Antisymmetric, Returns
from .import_checks import ForbiddenImports
from .play_checks import Beats, InTime, Legal, Loads, Repeats
from .rubric_words import RubricWords
from .students import staff_program
from .tree_checks import CountsLeaves

CHECKS: Mapping[str, type[RubricCheck]] = {
    each.kind: each
    for each in (
        Loads,
        Legal,
        InTime,
        Repeats,
        KeepsValue,
        Beats,
        CountsLeaves,
        Antisymmetric,
        Returns,
        ForbiddenImports,
        SolverLike,
    )
}
"""The kinds of checks."""

LONGEST = 1_000_000
"""Bytes of the largest file that is read."""


class RubricError(ValueError):
    """Says what is wrong with a rubric."""


@dataclass(frozen=True)
class Rubric:
    """Holds what is graded in a submission, and for how many points."""

    path: Path
    game: str
    start: Position
    checks: tuple[RubricCheck, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    title: str = ""
    file: str = ""
    """What students hand in is called, where that matters: "agent.py"."""
    language: str = "en"
    seconds: float = 1.0
    """For each answer."""
    ready: float = 20.0
    """To load a program and for its first move, which does not count."""
    memory: int = 512
    """Megabytes of a program."""
    seed: str = ""
    """Any text; with the student's name it decides all positions, games and trees."""
    leaderboard: bool = True
    """Whether results for Gradescope have a leaderboard."""

    @property
    def name(self) -> str:
        """Returns the game and its parameters, for people."""
        return title(self.start)

    @property
    def most(self) -> float:
        """Returns the points of all checks that are no extra credit."""
        return round(sum(check.most for check in self.checks), 2)

    @contextmanager
    def opponent(self, named: str) -> Iterator[Agent]:
        """Yields the agent that is ``named`` by its spec, or by a file of the rubric's folder.

        ValueError if there is none, or it cannot be loaded.
        """
        if not named.endswith(".py"):
            agent = make(named)
            if isinstance(agent, Human):
                raise ValueError("people are no opponents here")
            yield agent
            return
        path = self.path.parent / named
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        with staff_program(self, path) as agent:
            yield agent


# ---- reading


def read_rubric(path: Path | str) -> Rubric:
    """Returns the rubric in a file; RubricError, with the key that is wrong."""
    path = Path(path)
    try:
        if path.stat().st_size > LONGEST:
            raise RubricError(f"{path} is too large for a rubric")
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RubricError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RubricError(f"{path} is not TOML: {error}") from None
    return rubric_of(data, path)


def rubric_of(data: Mapping[str, Any], path: Path) -> Rubric:
    """Returns the rubric in parsed TOML; RubricError, with the key that is wrong."""
    values = dict(data)
    listed = values.pop("check", None)
    known = [
        f.name for f in dataclasses.fields(Rubric) if f.name not in ("path", "start", "checks")
    ]
    types = typing.get_type_hints(Rubric)
    try:
        require_keys(values, known, [*known, "check"])
        for key, value in values.items():
            values[key] = converted(key, value, types[key])
        if "game" not in values:
            raise ValueError('it needs a game, such as game = "tic_tac_toe"')
        RubricWords(values.get("language", "en"))
        for key in ("seconds", "ready"):
            require_seconds(values.get(key, 1.0), key)
        Limits(memory=values.get("memory", 512))
        try:
            start = start_position(values["game"], **values.get("parameters", {}))
        except TypeError as error:
            raise ValueError(f"parameters: {error}") from None
    except ValueError as error:
        raise RubricError(f"{path}: {error}") from None
    checks = tuple(read_checks(listed, path))
    rubric = Rubric(path=path, start=start, checks=checks, **values)
    for number, check in enumerate(checks, 1):
        try:
            check.require(rubric)
        except (ValueError, TypeError, ImportError) as error:
            raise RubricError(f"{path}: check {number} ({check.kind}): {error}") from None
    return rubric


def read_checks(listed: Any, path: Path) -> Iterator[RubricCheck]:
    """Yields what stands below each ``[[check]]``; RubricError for what is wrong there."""
    if not isinstance(listed, list) or not listed:
        raise RubricError(f'{path}: it has no checks: write [[check]] and below it kind = "legal"')
    for number, values in enumerate(listed, 1):
        where = f"{path}: check {number}"
        try:
            if not isinstance(values, Mapping):
                raise ValueError("write [[check]] and its keys below it")
            kind = values.get("kind")
            if kind is None:
                raise ValueError(f"it needs a kind; kinds: {', '.join(CHECKS)}")
            if not isinstance(kind, str) or kind not in CHECKS:
                raise ValueError(
                    f"no kind {kind!r}; {hint(kind, CHECKS)}kinds: {', '.join(CHECKS)}"
                )
            where += f" ({kind})"
            yield check_of(CHECKS[kind], {k: v for k, v in values.items() if k != "kind"})
        except (ValueError, TypeError) as error:
            raise RubricError(f"{where}: {error}") from None


def check_of(kind: type[RubricCheck], values: Mapping[str, Any]) -> RubricCheck:
    """Returns a check with these values; ValueError for an unknown key or a wrong type."""
    fields = {each.name: each for each in dataclasses.fields(kind)}
    require_keys(values, list(fields), ["kind", *fields])
    missing = dataclasses.MISSING
    for name, each in fields.items():
        needed = each.default is missing and each.default_factory is missing
        if needed and name not in values:
            raise ValueError(f"it needs {name}")
    types = typing.get_type_hints(kind)
    return kind(**{key: converted(key, value, types[key]) for key, value in values.items()})


def require_keys(values: Mapping[str, Any], known: Sequence[str], listed: Sequence[str]) -> None:
    """Raises ValueError for a key that there is not."""
    for key in values:
        if key not in known:
            raise ValueError(f"unknown key {key!r}; {hint(key, known)}keys: {', '.join(listed)}")


def hint(word: Any, known: Any) -> str:
    """Returns a suggestion for a word that is misspelt, or ""."""
    close = difflib.get_close_matches(str(word), list(known), 1)
    return f"did you mean {close[0]!r}? " if close else ""


KINDS_OF_VALUES: Mapping[Any, tuple[tuple[type, ...], str]] = {
    str: ((str,), 'a text, such as "text"'),
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}
"""How each type of a field is written in TOML: by which types of Python, and in words."""


def converted(key: str, value: Any, kind: Any) -> Any:
    """Returns a value of TOML as a field has it; ValueError for one of another type."""
    if typing.get_origin(kind) is tuple:
        element = typing.get_args(kind)[0]
        if not isinstance(value, list):
            raise ValueError(f"{key} must be a list, such as {key} = [...], not {value!r}")
        found = (each if element is Any else converted(key, each, element) for each in value)
        return tuple(found)
    if typing.get_origin(kind) is Mapping:
        if not isinstance(value, dict):
            raise ValueError(f"{key} must be a table, such as {{height = 6}}, not {value!r}")
        return value
    for each, (types, words) in KINDS_OF_VALUES.items():
        if each is kind or each in typing.get_args(kind):
            right = isinstance(value, types) and (each is bool or not isinstance(value, bool))
            if not right or not is_finite(value):
                raise ValueError(f"{key} must be {words}, not {value!r}")
            return each(value)
    raise TypeError(f"a field is of the type {kind}, which rubrics cannot have")


def is_finite(value: Any) -> bool:
    """Returns whether a value is no infinite number, nor one that is not defined."""
    return not isinstance(value, float) or math.isfinite(value)
