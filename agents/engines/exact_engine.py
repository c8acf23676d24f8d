"""Makes engines play by exact scores, as ``agents.search.perfect.ExactSolver`` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from agents.search.exact_play import (
    SolverKernels,
    best_of_scores,
    cut_score,
    score_after,
    write_likely,
)
from agents.search.limits import must_end_in_time
from agents.search.perfect import ExactSolver, Perfect

from .array_plans import arrays_told, numbers_told
from .rules_engine import LIKE, Row, bound_to

NAME = "exact"

BEST, WHOLE = -1, -2
"""What is asked for in place of an action: the best one, and the score of the position."""


@kernel
def order_words(row: Row, actions: NDArray[np.int64]) -> int:
    """Writes the legal actions, likely ones first, into ``actions``; returns how many."""
    return int(write_likely(position_of(LIKE, row), actions))


@kernel
def score_words(
    row: Row, action: int, actions: NDArray[np.int64], number: int, most: int, arrays: Any
) -> int:
    """Returns the exact score of an action, cut to -most to most, for the player to move.

    Of BEST the first of ``number`` actions that has the score of the position, of WHOLE the score
    itself. It is one kernel, as all call the same search.
    """
    position = position_of(LIKE, row)
    if action == WHOLE:
        return int(cut_score(position, -most, most, most, arrays))
    if action == BEST:
        return int(best_of_scores(position, actions, number, most, arrays))
    return int(score_after(position, action, (-most, most), most, arrays))


def solver_of(agent: Any, start: Position) -> ExactSolver | None:
    """Returns the solver that an agent plays by; None if it plays by none of this kind."""
    try:
        solver = agent.solver(start) if type(agent) is Perfect else agent
    except ValueError:
        return None
    return solver if isinstance(solver, ExactSolver) else None


def kernels_of(agent: Any, start: Position) -> tuple[ExactSolver, SolverKernels] | None:
    """Returns the solver that an agent plays by, and its kernels; None if there are none."""
    solver = solver_of(agent, start)
    try:
        return None if solver is None else (solver, solver.kernels(start))
    except (NotImplementedError, ValueError):
        return None


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays by exact scores as ``agent`` does; None if it does not."""
    found = kernels_of(agent, start)
    if found is None:
        return None
    solver, kernels = found
    return {
        "most": kernels.most,
        "arrays": arrays_told(kernels.arrays),
        "numbers": numbers_told(kernels.arrays),
        "line_nodes": min(solver.line_nodes, 2**52),
    }


def exports(agent: Any, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels for playing by the exact scores of ``agent``."""
    found = kernels_of(agent, start)
    if found is None:
        return {}
    kernels = found[1]
    row, actions = np.array(words_of(start), np.int64), np.zeros(start.num_actions, np.int64)
    ordered = {} if kernels.likely is None else {"likely": kernels.likely}
    bound = {**kernels.bindings, "must_end": must_end_in_time}
    scored = {"score_of": kernels.score_of.bind_used(**bound)}
    given = row, 0, actions, 1, 1, kernels.arrays
    made = {
        "order": (order_words.bind(**ordered), (row, actions)),
        "score": (score_words.bind(**scored), given),
    }
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in made.items()}
