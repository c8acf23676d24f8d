"""The kernels of alpha-beta: principal variation search, null windows, the last plies.

``principal_variation`` searches the line that looks best with an open window; all other moves get a
null window (``scout``, ``alpha_beta``), which only asks whether they are better, and the last plies
use neither table nor move ordering (``plain_alpha_beta``).
Source: T. A. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees, 1982.

The arguments are the same everywhere: ``ordering`` is described in ``ordering.py``, ``entries`` and
``values`` (a ``BoundTable``) in ``transposition_table.py``, ``counts`` in ``limits.py``, and
``line`` in ``minimax.py``. ``ply`` is the distance from the root. All values are for the player to
move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel

from .limits import (
    ABORTED,
    CUT_OFF,
    EVALUATION_LIMIT,
    NODE_LIMIT,
    NODES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    STOP,
    WIN,
    Counts,
)
from .minimax import Line, end_line, extend_line, leaf_value, plain_alpha_beta
from .ordering import OrderingTables, pick_action, record_cutoff, score_actions
from .transposition_table import KEYED, probe, store


@kernel
def principal_variation(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    line: Line,
    ordering: OrderingTables,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: Counts,
) -> float:
    """Returns the value of an unfinished ``position``, ``depth`` >= 1 plies ahead.

    Between ``alpha`` and ``beta`` it is the value, and line[ply] is best play, complete to the
    depth or the end of the game; at or below alpha an upper bound of the value, at or above beta a
    lower bound. Meaningless once counts[ABORTED] is set, but for line[0], the best so far. Each
    move of the root is looked at once, whatever the limits.
    """
    counts[NODES] += 1
    end_line(line, ply)
    if depth > 1 and (counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0):
        counts[ABORTED] = 1
        return 0.0
    # the table's value would save time here, and cost the rest of the line
    first = probe(position, depth, -np.inf, np.inf, ply, entries, values)[3]
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = score_actions(position, first, ply, ordering, counts)
    for i in range(number):
        action = pick_action(i, number, ply, ordering)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        if depth == 1 or child.is_terminal():
            end_line(line, ply + 1)
            value = leaf_value(child, position.to_move, low, beta, ply + 1, ordering, counts)
        else:
            better = i == 0 or counts[NULL_WINDOW] == 0
            if not better:
                more = np.nextafter(low, np.inf)
                worst, enough = (low, more) if sign > 0 else (-more, -low)
                value = sign * scout(
                    child, depth - 1, worst, enough, ply + 1, ordering, entries, values, counts
                )
                better = value > low
            if better:
                worst, enough = (low, beta) if sign > 0 else (-beta, -low)
                value = sign * principal_variation(
                    child, depth - 1, worst, enough, ply + 1, line, ordering, entries, values,
                    counts,
                )  # fmt: skip
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
        if value > low:
            low = value
            extend_line(line, ply, action)
            if low >= beta or (ply == 0 and low + STEP > beta):
                break  # at the root no value is more than half a step below beta
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, ordering, entries, values,
        counts,
    )  # fmt: skip
    return best


@kernel
def scout(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    ordering: OrderingTables,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: Counts,
) -> float:
    """Returns the value within a null window, from any depth above 0: as ``alpha_beta``."""
    if depth > counts[SHALLOW]:
        return alpha_beta(position, depth, alpha, beta, ply, ordering, entries, values, counts)
    counts[NODES] += 1
    return plain_alpha_beta(position, depth, alpha, beta, ply, ordering, counts)


@kernel
def alpha_beta(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    ordering: OrderingTables,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: Counts,
) -> float:
    """Returns the value within a null window, for ``depth`` > counts[SHALLOW], without a line."""
    counts[NODES] += 1
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    known, value, complete, first = probe(position, depth, alpha, beta, ply, entries, values)
    if known:
        counts[CUT_OFF] += not complete
        return value
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = score_actions(position, first, ply, ordering, counts)
    for i in range(number):
        action = pick_action(i, number, ply, ordering)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        worst, enough = (low, beta) if sign > 0 else (-beta, -low)
        if depth == 1 or child.is_terminal():
            value = leaf_value(child, position.to_move, low, beta, ply + 1, ordering, counts)
        elif depth <= counts[SHALLOW] + 1:
            counts[NODES] += 1
            value = sign * plain_alpha_beta(
                child, depth - 1, worst, enough, ply + 1, ordering, counts
            )
        else:
            value = sign * alpha_beta(
                child, depth - 1, worst, enough, ply + 1, ordering, entries, values, counts
            )
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action, low = value, action, max(low, value)
            if low >= beta:
                break
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, ordering, entries, values,
        counts,
    )  # fmt: skip
    return best


@kernel
def conclude(
    position: Position,
    depth: int,
    cut_off: int,
    alpha: float,
    beta: float,
    ply: int,
    value: float,
    action: int,
    ordering: OrderingTables,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: Counts,
) -> None:
    """Learns from a search: stores its action and value, and records a cutoff.

    The value is complete if nothing was cut off by the depth since counts[CUT_OFF] was ``cut_off``.
    Where the best possible result or its opposite was found, the other lines do not matter. Draws
    may depend on what a key leaves out, the past of the position: they are not complete then.
    """
    if abs(value) > WIN * max(position.max_utility, 1) - 1:
        counts[CUT_OFF] = cut_off
    complete = counts[CUT_OFF] == cut_off and (not KEYED or abs(value) > EVALUATION_LIMIT)
    if value > alpha:
        record_cutoff(position, action, depth, ply, ordering)
    store(position, depth, complete, alpha, beta, ply, value, action, entries, values)
