"""The kernels of alpha-beta: principal variation search, null windows, the last plies.

``principal`` searches the line that looks best with an open window; all other moves get a null
window (``scout``, ``alpha_beta``), and the last plies carry neither table nor order (``shallow``).
Source: T. A. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees, 1982.
"""

from __future__ import annotations

import numpy as np

from adv_envs.jit import kernel

from .limits import (
    ABORTED,
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODE_LIMIT,
    NODES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    STOP,
    WIN,
)
from .minimax import end_line, extend_line, valued
from .ordering import pick, rank, reward
from .table import recall, remember

EVALUATED = False
"""Whether an evaluation is bound. It may take long, so the clock is looked at before each."""


@kernel
def principal(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, line, preference, desk, entries, values, counts
):
    """The value of an unfinished ``position`` for the player to move, ``depth`` >= 1 plies ahead.

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
    first = recall(position, depth, -np.inf, np.inf, ply, entries, values)[3]
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = rank(position, first, ply, preference, desk, counts)
    for i in range(number):
        action = pick(i, number, ply, desk)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        if depth == 1 or child.is_terminal():
            end_line(line, ply + 1)
            value = leaf(child, position.to_move, ply + 1, counts)
        else:
            better = i == 0 or counts[NULL_WINDOW] == 0
            if not better:
                more = np.nextafter(low, np.inf)
                worst, enough = (low, more) if sign > 0 else (-more, -low)
                value = sign * scout(
                    child, depth - 1, worst, enough, ply + 1, preference, desk, entries, values,
                    counts,
                )  # fmt: skip
                better = value > low
            if better:
                worst, enough = (low, beta) if sign > 0 else (-beta, -low)
                value = sign * principal(
                    child, depth - 1, worst, enough, ply + 1, line, preference, desk, entries,
                    values, counts,
                )  # fmt: skip
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
        if value > low:
            low = value
            extend_line(line, ply, action)
            if low >= beta or (ply == 0 and low + STEP > beta):
                break  # at the root nothing is worth more than half a step below beta
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, desk, entries, values, counts
    )
    return best


@kernel
def scout(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, preference, desk, entries, values, counts
):
    """``alpha_beta`` from any depth above 0."""
    if depth > counts[SHALLOW]:
        return alpha_beta(
            position, depth, alpha, beta, ply, preference, desk, entries, values, counts
        )
    counts[NODES] += 1
    return shallow(position, depth, alpha, beta, ply, preference, counts)


@kernel
def alpha_beta(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, preference, desk, entries, values, counts
):
    """As ``principal``, for a null window and ``depth`` > counts[SHALLOW]: there is no line."""
    counts[NODES] += 1
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    known, value, complete, first = recall(position, depth, alpha, beta, ply, entries, values)
    if known:
        counts[CUT_OFF] += not complete
        return value
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = rank(position, first, ply, preference, desk, counts)
    for i in range(number):
        action = pick(i, number, ply, desk)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        worst, enough = (low, beta) if sign > 0 else (-beta, -low)
        if child.is_terminal():
            value = leaf(child, position.to_move, ply + 1, counts)
        elif depth <= counts[SHALLOW] + 1:
            counts[NODES] += 1
            value = sign * shallow(child, depth - 1, worst, enough, ply + 1, preference, counts)
        else:
            value = sign * alpha_beta(
                child, depth - 1, worst, enough, ply + 1, preference, desk, entries, values, counts
            )
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action, low = value, action, max(low, value)
            if low >= beta:
                break
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, desk, entries, values, counts
    )
    return best


@kernel
def shallow(position, depth, alpha, beta, ply, preference, counts):  # type: ignore[no-untyped-def]
    """``alpha_beta`` for the last plies, down to ``depth`` 1, where children are valued at once.

    Most positions of a search are visited here, so it carries little: no table, no order.
    """
    best, low, visited, ended, cut_off = -np.inf, alpha, 0, 0, 0
    for i in range(position.num_actions):
        action = int(preference[i])
        if position.legal(action):
            child = position.play(action)
            visited += 1
            sign = 1.0 if child.to_move == position.to_move else -1.0
            if child.is_terminal():
                ended += 1
                value = worth(child, position.to_move, ply + 1)
            elif depth == 1:
                if EVALUATED and counts[STOP] != 0:
                    counts[ABORTED] = 1
                    return 0.0
                cut_off += 1
                value = sign * valued(child)
            elif sign > 0:
                value = shallow(child, depth - 1, low, beta, ply + 1, preference, counts)
            else:
                value = -shallow(child, depth - 1, -beta, -low, ply + 1, preference, counts)
            if value > best:
                best = value
                low = max(low, value)
                if low >= beta:
                    break
    counts[NODES] += visited
    counts[LEAVES] += ended + cut_off
    counts[CUT_OFF] += cut_off
    return best


@kernel
def leaf(position, player, ply, counts):  # type: ignore[no-untyped-def]
    """The value to ``player`` of a position that is not searched, ``ply`` plies from the root."""
    counts[NODES] += 1
    counts[LEAVES] += 1
    if position.is_terminal():
        return worth(position, player, ply)
    counts[CUT_OFF] += 1
    if EVALUATED and ply > 1 and counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    return valued(position) if position.to_move == player else -valued(position)


@kernel
def worth(position, player, ply):  # type: ignore[no-untyped-def]
    """What a finished game, ``ply`` plies from the root, is worth to ``player``: soon, if won."""
    value = WIN * position.utility(player)
    if value > EVALUATION_LIMIT:
        return value - STEP * ply
    if value < -EVALUATION_LIMIT:
        return value + STEP * ply
    return value


@kernel
def conclude(  # type: ignore[no-untyped-def]
    position, depth, cut_off, alpha, beta, ply, value, action, desk, entries, values, counts
):
    """Learn from a search: its move and its value, complete if nothing was cut off by the depth.

    Who has won all there is to win need not know the other lines, whatever cut them off.
    """
    if abs(value) > WIN * max(position.max_utility, 1) - 1:
        counts[CUT_OFF] = cut_off
    complete = counts[CUT_OFF] == cut_off
    if value > alpha:
        reward(position, action, depth, ply, desk)
    remember(position, depth, complete, alpha, beta, ply, value, action, entries, values)
