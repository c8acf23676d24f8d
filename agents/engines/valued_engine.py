"""Makes engines play by a value of each move, as agents do that have ``MoveKernels``."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from agents.search.exact_play import MoveKernels
from agents.search.perfect import Perfect

from .array_plans import arrays_told, numbers_told
from .rules_engine import LIKE, Row, bound_to

NAME = "valued"


def value_of_move(position: Position, action: int, arrays: Any) -> float:
    """Returns the value of an action for the player to move; an agent's own is bound."""
    return 0.0


def rank_of_move(position: Position, action: int, arrays: Any) -> float:
    """Returns by how much an action is preferred to others of its value; another may be bound."""
    return 0.0


def begin(position: Position, arrays: Any) -> float:
    """Makes ``arrays`` ready for a position; returns what that took, -1 if it cannot be done."""
    return 0.0


@kernel
def begin_words(row: Row, arrays: Any) -> float:
    """Makes ``arrays`` ready; returns what that took, -1 if it cannot be done."""
    return 1.0 * begin(position_of(LIKE, row), arrays)


@kernel
def value_words(
    row: Row, actions: NDArray[np.int64], values: NDArray[np.float64], arrays: Any
) -> int:
    """Writes the values of ``actions`` for the player to move; returns the first of the best."""
    position, best = position_of(LIKE, row), int(actions[0])
    highest, first = -inf, -inf
    for i in range(actions.shape[0]):
        action = int(actions[i])
        value = 1.0 * value_of_move(position, action, arrays)
        rank = 1.0 * rank_of_move(position, action, arrays)
        values[i] = value + 0.0  # no -0.0
        if value > highest or (value == highest and rank > first):
            best, highest, first = action, value, rank
    return best


def kernels_of_moves(agent: Any, start: Position) -> MoveKernels | None:
    """Returns what an agent knows of every move as kernels; None if there are none."""
    try:
        solver = agent.solver(start) if type(agent) is Perfect else agent
        return solver.move_kernels(start) if hasattr(solver, "move_kernels") else None
    except ValueError:
        return None


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine values moves as ``agent`` does; None if it cannot."""
    kernels = kernels_of_moves(agent, start)
    if kernels is None:
        return None
    return {
        "arrays": arrays_told(kernels.arrays),
        "numbers": numbers_told(kernels.arrays),
        "prepared": kernels.begin is not None,
        "start": list(map(str, words_of(start))) if kernels.begins == "start" else None,
        "kept": kernels.begins != "anew",
        "line": kernels.line,
        "nodes": kernels.nodes,
        "depth": kernels.depth,
        "proven": kernels.proven,
    }


def exports(agent: Any, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels for valuing moves as ``agent`` does."""
    kernels = kernels_of_moves(agent, start)
    if kernels is None:
        return {}
    row, actions = np.array(words_of(start), np.int64), np.zeros(1, np.int64)
    arrays, bound = kernels.arrays, kernels.bindings
    hooks = {"value_of_move": kernels.value_of_move.bind_used(**bound)}
    if kernels.rank_of_move is not None:
        hooks["rank_of_move"] = kernels.rank_of_move
    made: dict[str, Any] = {
        "values": (value_words.bind(**hooks), (row, actions, np.zeros(1), arrays))
    }
    if kernels.begin is not None:
        made["begin"] = begin_words.bind(begin=kernels.begin.bind_used(**bound)), (row, arrays)
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in made.items()}
