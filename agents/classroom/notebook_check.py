"""Runs a check of a rubric in a notebook, as cells of otter-grader and nbgrader do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from adv_envs import Position
from agents.agent import Agent
from agents.faults import Forfeit, NotASubmission, to_action
from agents.student_code import Player, find_player, seed_generators

from .assessment import Assessment, RubricCheck
from .autograder import run_check, seed_of
from .rubric import Rubric, read_rubric
from .students import NotebookStudent


class NotebookAgent(Agent):
    """Plays by what the cells of a notebook define; it looks for that when it is first asked."""

    name: ClassVar[str] = "notebook"

    def __init__(self, namespace: Mapping[str, Any], seconds: float) -> None:
        self._namespace, self._seconds = namespace, seconds
        self._player: Player | None = None

    def __repr__(self) -> str:
        return "notebook()"

    def player(self) -> Player:
        """Returns the player of the notebook; Forfeit if there is none."""
        if self._player is None:
            module = ModuleType("__main__")
            vars(module).update(self._namespace)
            try:
                self._player = find_player(module, "the notebook")[1]
            except NotASubmission as error:
                raise Forfeit("crash", str(error), str(error)) from None
        return self._player

    def act(self, position: Position) -> int:
        """Returns the action of the notebook's agent; TimeoutError where it took too long."""
        began = time.perf_counter()
        action = to_action(self.player().answer(position, self._seconds))
        if time.perf_counter() - began > self._seconds:
            raise TimeoutError(f"no answer within {self._seconds:g} s")
        return action

    def prepare(self, position: Position) -> None:
        """Makes a move that does not count, whatever time it takes."""
        self.player().answer(position, self._seconds)

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game; Python's and NumPy's own generators have this seed then, too."""
        seed_generators(seed)
        self.player().reset(seed)


@cache
def _rubric_in(path: Path, changed: int) -> Rubric:
    return read_rubric(path)


def check(
    rubric: str | Path,
    agent: Any,
    which: str | int,
    student: str = "",
    partial: bool = False,
) -> float:
    """Returns the points of a check of a rubric; AssertionError, with the feedback, if it fails.

    ``agent`` is a function ``agent(position)``, an object with ``act(position)``, or the names of a
    notebook, ``globals()``. ``which`` is the kind of a check, its title, or its number from 1.
    ``student`` decides the positions, as the name of a file does elsewhere. With ``partial``,
    points below the full ones are returned, too. RubricError for what is wrong with the rubric, and
    ValueError if it has no such check.
    """
    path = Path(rubric)
    read = _rubric_in(path, path.stat().st_mtime_ns if path.exists() else 0)
    chosen = chosen_check(read, which)
    namespace = agent if isinstance(agent, Mapping) else {"agent": agent}
    if callable(agent) and not hasattr(agent, "act"):
        namespace = {"agent": agent, agent.__name__: agent}
    program = agent if isinstance(agent, Agent) else NotebookAgent(namespace, read.seconds)
    assessment = Assessment(read, NotebookStudent(program, namespace), seed_of(read, student))
    outcome = run_check(chosen, assessment)
    if outcome.passed is False and not (partial and outcome.points > 0):
        raise AssertionError(outcome.text)
    return outcome.points


def chosen_check(rubric: Rubric, which: str | int) -> RubricCheck:
    """Returns a check by its kind, title or number from 1; ValueError if there is none."""
    if isinstance(which, int) and 1 <= which <= len(rubric.checks):
        return rubric.checks[which - 1]
    found = [each for each in rubric.checks if which in (each.kind, each.title)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{rubric.path} has {len(found)} checks {which!r}: give a number or title")
    kinds = ", ".join(f"{i} {each.kind}" for i, each in enumerate(rubric.checks, 1))
    raise ValueError(f"{rubric.path} has no check {which!r}; checks: {kinds}")
