"""Makes engines search by alpha-beta, as ``agents.search.alpha_beta`` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, position_of, words_of
from adv_envs.jit import kernel
from agents.knowledge import knowledge_of
from agents.search.alpha_beta import (
    AlphaBeta,
    DeepArrays,
    MoveTable,
    Outcome,
    iterate,
    new_move_table,
    new_outcome,
    value_moves,
)
from agents.search.limits import NOISY_PLIES, counters, must_end_in_time
from agents.search.minimax import ShallowArrays
from agents.search.ordering import OrderingTables, ordering_shape, write_preference
from agents.search.transposition_table import new_table

from .array_plans import arrays_told
from .rules_engine import LIKE, Row, bound_to

NAME = "alpha_beta"


def own_order(position: Position, action: int) -> float:
    """Returns how early an action is tried; the game's own order is bound in its place."""
    return 0.0


@kernel
def begin_alpha_beta(row: Row, arrays: DeepArrays) -> None:
    """Makes arrays that are zeroed, but for the counters, ready to search the position."""
    position = position_of(LIKE, row)
    arrays.table.key[0, arrays.table.key.shape[1] - 1] = 1
    ordering: OrderingTables = arrays.shallow.ordering
    for action in range(position.num_actions):
        ordering[0, action] = own_order(position, action)
    write_preference(ordering)


@kernel
def search_words(
    row: Row, depth: int, each: bool, outcome: Outcome, found: MoveTable, arrays: DeepArrays
) -> int:
    """Makes ``outcome`` that of the iteration of this depth or, with ``each``, values each move.

    Returns 0, or what ``value_moves`` does. It is one kernel, as both call the same search.
    """
    position = position_of(LIKE, row)
    if each:
        return int(value_moves(position, depth, found, arrays))
    iterate(position, depth, outcome, arrays)
    return 0


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine searches as ``agent`` does; None unless it is alpha-beta."""
    searched = start.num_players == 2 and not start.has_chance and start.perfect_information
    if type(agent) is not AlphaBeta or not searched:
        return None
    bindings = agent.bindings(start)
    key, deepest = bindings.get("table_key"), agent.deepest
    plies = deepest + ("noise" in bindings) * NOISY_PLIES
    arrays = DeepArrays(
        np.zeros((deepest + 2, deepest + 2), np.int64),
        new_table(num_words(key(start) if key else start), agent.table_mb, numbers=1),
        ShallowArrays(np.zeros(ordering_shape(start, plies)), counters()),
    )
    return {
        "depth": deepest,
        "nodes": agent.most_nodes,
        "seconds": agent.seconds,
        "switches": {str(switch): value for switch, value in agent.switches(start).items()},
        "outcome": arrays_told(new_outcome(deepest)),
        "arrays": arrays_told(arrays),
    }


def exports(agent: AlphaBeta, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels for a search as that of ``agent``."""
    row = np.array(words_of(start), np.int64)
    matrix: NDArray[np.float64] = np.zeros((1, 1))
    table = new_table(1, 0, numbers=1, least=1)
    arrays = DeepArrays(matrix.astype(np.int64), table, ShallowArrays(matrix, counters()))
    outcome, bindings = new_outcome(0), agent.bindings(start) | {"must_end": must_end_in_time}
    order = knowledge_of(start).order if agent.order == "own" else None
    begin = begin_alpha_beta if order is None else begin_alpha_beta.bind(own_order=order)
    given = row, 1, False, outcome, new_move_table([0]), arrays
    found = {
        "begin": (begin, (row, arrays)),
        "search": (search_words.bind(**bindings), given),
    }
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in found.items()}
