"""Makes engines search games with chance, as ``agents.search.expectiminimax`` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import impossible
from agents.search.expectiminimax import (
    ExpectationArrays,
    Expectiminimax,
    report_root,
    search_root,
)
from agents.search.limits import (
    ABORTED,
    CUT_OFF,
    DEFAULT_NODES,
    MAX_DEPTH,
    counters,
    must_end_in_time,
)
from agents.search.minimax import new_line
from agents.search.transposition_table import new_table

from .array_plans import arrays_told, numbers_told
from .rules_engine import LIKE, Row, bound_to

NAME = "expectiminimax"


@kernel
def search_to_depth(
    row: Row,
    depth: int,
    evaluated: bool,
    report: NDArray[np.float64],
    values: NDArray[np.float64],
    arrays: ExpectationArrays,
) -> bool:
    """Searches to a depth; returns whether an evaluation was in the range of utilities.

    Writes (the best action, the value, whether it is proven) into ``report`` (3,), and the values
    of actions into ``values``, unless the search was aborted.
    """
    position = position_of(LIKE, row)
    most, counts = arrays.win * position.max_utility, arrays.counts
    counts[CUT_OFF] = 0
    best = search_root(position, depth, 2 * most, values, arrays)
    if not abs(arrays.out_of_range[0]) <= most:
        return False
    if counts[ABORTED] == 0:
        value, proven = report_root(position, int(best), evaluated, values, arrays)
        report[0], report[1], report[2] = best, value, 1.0 if proven else 0.0
    return True


def arrays_of(agent: Expectiminimax, start: Position) -> ExpectationArrays:
    """Returns what a search of ``agent`` works on."""
    unlimited = agent.depth is None and agent.seconds is None and agent.nodes is None
    table = new_table(len(words_of(start)) - len(start.parameters), agent.table_mb, numbers=1)
    counts = counters(DEFAULT_NODES if unlimited else agent.nodes)
    return ExpectationArrays(float(agent.win), np.zeros(1), new_line(start), table, counts)


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine searches as ``agent`` does; None unless it is of this kind."""
    searched = start.num_players == 2 and start.perfect_information
    if type(agent) is not Expectiminimax or not searched:
        return None
    arrays = arrays_of(agent, start)
    empty = arrays._replace(line=np.zeros_like(arrays.line))
    return {
        "depth": min(agent.depth or MAX_DEPTH, MAX_DEPTH),
        "seconds": agent.seconds,
        "evaluated": agent.evaluate is not None,
        "arrays": arrays_told(arrays),
        "numbers": numbers_told(empty),
    }


def exports(agent: Expectiminimax, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernel for a search as that of ``agent``."""
    row, numbers = np.array(words_of(start), np.int64), np.zeros(1)
    bound: dict[str, Any] = {"must_end": must_end_in_time}
    if agent.evaluate is not None:
        bound["evaluate"] = agent.evaluate
    if not start.has_chance:
        bound["chance_of"] = impossible
    given = row, 1, False, numbers, numbers, arrays_of(agent, start)
    return {"search": (bound_to(search_to_depth.bind(**bound), start), given)}
