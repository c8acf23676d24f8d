"""Says how engines find the exact values of moves, in games in which these can be had."""

from __future__ import annotations

from typing import Any

import numpy as np

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from agents.grading.exact_values import ListedValues, exact_or_none
from agents.knowledge import ExactValues

from .kinds import Exports
from .plans import plan_of
from .rules_engine import LIKE, Row, bound_to


def work(position: Position) -> int:
    """Returns what the time to find exact values depends on; a game's own is bound."""
    return 0


@kernel
def work_words(row: Row) -> int:
    """Returns what the time to find the exact values of a position depends on."""
    return int(work(position_of(LIKE, row)))


def exact_agent(start: Position) -> Any:
    """Returns what finds the exact values of moves in the game of ``start``; None if nothing."""
    exact = exact_or_none(start)
    return exact if exact is None or isinstance(exact, ListedValues) else exact.solver


def exact_plan(start: Position) -> dict[str, Any] | None:
    """Returns the plan by which an engine finds the exact value of each move; None if none can.

    Beside what other plans have, "unit" is what values are: "utilities" (-1 to 1), "scores" or
    "amounts", as in ``agents.knowledge.ExactValues``. Where positions differ in how long they take,
    "quick" and "feasible" are the work of positions up to which it is a second and some seconds;
    a search of a position that is more work than "feasible" finds nothing. JavaScript tells the
    work of a position: ``Engine.work``.
    """
    exact = exact_or_none(start)
    plan = None if exact is None else plan_of(exact_agent(start), start)
    if exact is None or plan is None:
        return None
    limits = dict(zip(("quick", "feasible"), exact.limits, strict=True)) if exact.work else {}
    return {**plan, **limits, "unit": unit_of(exact)}


def unit_of(exact: ExactValues) -> str:
    """Returns what the values of a solver are."""
    if exact.has_scores:
        return "scores"
    return "utilities" if exact.in_points else "amounts"


def work_exports(start: Position) -> Exports:
    """Returns the kernel that tells how much work a position is; none where all are quick."""
    exact = exact_or_none(start)
    if exact is None or exact.work is None:
        return {}
    row = np.array(words_of(start), np.int64)
    return {"work": (bound_to(work_words.bind(work=exact.work), start), (row,))}
