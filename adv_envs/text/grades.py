"""Grades moves in games of messages: what a grade says, who gives it, and totals of a game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from adv_envs.envs.opponents import read_spec
from adv_envs.position import Position

GRADERS = "adv_envs.graders"
"""The group of entry points that read the specs of graders: ``reader(spec, start)`` returns a
``Grade``, or None for a spec that it does not know."""

STEPPING = threading.RLock()
"""Held while a game of messages goes on, where several are played in threads, and by graders: exact
values and solvers share tables, and games may share an opponent, which only one thread may use at a
time."""

Grade = Callable[[Position, int], Any]
"""``grade(seen, action)``: anything about an action at what the player saw."""
GIVE_ONE = 'grade="exact" or "analyst", or a function that returns a MoveGrade'


class MoveGrade(NamedTuple):
    """Says how good a move was, for the player who made it; all None where that is not known."""

    kept: bool | None = None
    """Whether the move keeps the value of the position."""
    regret: float | None = None
    """How much utility the move loses, 0 or more."""
    value: float | None = None
    """The utility of the position before the move, with best play."""
    best: tuple[str, ...] = ()
    """The names of all moves that keep the value."""
    proven: bool = False
    """Whether the values are exact; otherwise they are the estimates of a search."""
    difficulty: float | None = None
    """The share of legal moves that keep the value, above 0 and up to 1."""


def grade_function(grade: str | Grade | None, start: Position) -> Grade | None:
    """Returns the function for a spec, or ``grade`` itself.

    TypeError for what is neither; ValueError, from the reader of specs, for a spec that does not
    exist and for a game that is not graded so; ImportError where nothing reads specs.
    """
    if isinstance(grade, str):
        return read_spec(GRADERS, "grade", grade, start)  # type: ignore[no-any-return]
    if grade is not None and not callable(grade):
        raise TypeError(f"grade must be None, a function, or a spec such as 'exact', not {grade!r}")
    return grade


def grade_totals(grades: Sequence[MoveGrade]) -> dict[str, Any]:
    """Returns "graded" and "kept", numbers of moves, and "mean_regret", None without any."""
    regrets = [grade.regret for grade in grades if grade.regret is not None]
    return {
        "graded": len(regrets),
        "kept": sum(bool(grade.kept) for grade in grades),
        "mean_regret": fmean(regrets) if regrets else None,
    }


def reward_of_grade(grade: Any) -> float:
    """Returns minus the regret of a move; 0 for no move, and where the regret is not known.

    TypeError for what is no ``MoveGrade``.
    """
    if grade is None:
        return 0.0
    if not isinstance(grade, MoveGrade):
        raise TypeError(f'reward="grade" needs {GIVE_ONE}; this one returned {grade!r}')
    return 0.0 - (grade.regret or 0.0)
