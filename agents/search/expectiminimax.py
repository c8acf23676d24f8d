"""The compiled search of Expectimax: minimax nodes, chance nodes, a table."""

from __future__ import annotations

import numpy as np

from adv_envs import CHANCE, Position
from adv_envs.jit import kernel

from .depth_table import COMPLETE, recall, remember
from .limits import ABORTED, CUT_OFF, LEAVES, NODE_LIMIT, NODES, STOP
from .minimax import end_line, extend_line

STAR = True
"""Whether chance nodes are pruned."""

SHALLOW = 1
"""The last moves of a search, in which the table is not worth its time."""


def evaluate(position: Position) -> float:
    """The evaluation at the depth limit: even, unless another is bound in its place."""
    return 0.0


def chance_of(position: Position, action: int) -> float:
    """How probable an action of chance is."""
    return position.probability(action)


def impossible(position: Position, action: int) -> float:
    """The same for games without chance, which have no such method to compile."""
    return 0.0


@kernel
def estimate(position, win, seen):  # type: ignore[no-untyped-def]
    """The evaluation of an unfinished position for player 0; what is out of range is noted."""
    value = 1.0 * evaluate(position)
    most = win * position.max_utility
    if not abs(value) <= most:
        seen[0] = value
    return value if position.to_move == 0 else -value


@kernel
def at_end(position, depth, win, seen, counts):  # type: ignore[no-untyped-def]
    """(whether this is an end of the game or of the depth, its value for player 0)."""
    over = position.is_terminal()
    if over or (depth == 0 and position.to_move != CHANCE):
        counts[NODES] += 1
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        return True, win * position.utility(0) if over else estimate(position, win, seen)
    return False, 0.0


@kernel
def settled(position, depth, alpha, beta, memory, counts):  # type: ignore[no-untyped-def]
    """(whether there is nothing to search here, the value): the limits, or the table."""
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return True, 0.0
    if depth > SHALLOW and position.to_move != CHANCE:
        known, value, complete = recall(position, depth, alpha, beta, memory)
        if known:
            counts[CUT_OFF] += not complete
            return True, value
    return False, 0.0


@kernel
def expectimax(position, depth, alpha, beta, ply, win, seen, line, memory, counts):  # type: ignore[no-untyped-def]
    """The value for player 0 of a ``position`` that is not ``at_end``, ``depth`` moves ahead.

    Only moves of the players count. Fail-soft: between ``alpha`` and ``beta`` it is the value; at
    or below alpha an upper bound of it, at or above beta a lower bound. Meaningless once
    counts[ABORTED] is set. A won game is worth its utility times ``win``; seen (1,) receives an
    evaluation that is larger than that. ``line`` is as in minimax, ``memory`` as in
    ``proof_table``. Source: AIMA figure 5.13 with alpha-beta; chance nodes as in Ballard's Star1
    (1983): since no value is above the best there is, or below the worst, what the outcomes so far
    add up to may decide.
    """
    counts[NODES] += 1
    end_line(line, ply)
    done, value = settled(position, depth, alpha, beta, memory, counts)
    if done:
        return value
    if position.to_move == CHANCE:
        so_far, rest, most = 0.0, 1.0, win * position.max_utility
        for action in range(position.num_actions):
            odds = chance_of(position, action) if position.legal(action) else 0.0
            if odds > 0.0:
                child, rest = position.play(action), rest - odds
                done, value = at_end(child, depth, win, seen, counts)
                if not done:
                    low, high = window(alpha - so_far, beta - so_far, rest * most, odds, most)
                    value = expectimax(
                        child, depth, low, high, ply + 1, win, seen, line, memory, counts
                    )
                so_far += odds * value
                done, value = decided(so_far, alpha, beta, rest * most)
                if done:
                    return value
        return so_far
    low, high, cut_off = alpha, beta, counts[CUT_OFF]
    best, sign = -np.inf, 1.0 if position.to_move == 0 else -1.0
    for action in range(position.num_actions):
        if position.legal(action):
            child = position.play(action)
            end_line(line, ply + 1)
            done, value = at_end(child, depth - 1, win, seen, counts)
            if not done:
                value = expectimax(
                    child, depth - 1, low, high, ply + 1, win, seen, line, memory, counts
                )
            if sign * value > best:
                best = sign * value
                extend_line(line, ply, action)
            low, high = (max(low, value), high) if sign > 0 else (low, min(high, value))
            if low >= high or counts[ABORTED] != 0:
                break
    keep(position, depth, alpha, beta, sign * best, cut_off, memory, counts)
    return sign * best


@kernel
def keep(position, depth, alpha, beta, value, cut_off, memory, counts):  # type: ignore[no-untyped-def]
    """Put a value into the table, unless the search was broken off on the way to it."""
    if depth > SHALLOW and counts[ABORTED] == 0:
        searched = COMPLETE if counts[CUT_OFF] == cut_off else depth
        remember(position, searched, alpha, beta, value, memory)


@kernel
def decided(so_far, alpha, beta, rest):  # type: ignore[no-untyped-def]
    """(whether outcomes that can add or take away ``rest`` do not matter any more, a bound)."""
    if STAR and so_far - rest >= beta:
        return True, so_far - rest
    if STAR and so_far + rest <= alpha:
        return True, so_far + rest
    return False, 0.0


@kernel
def window(alpha, beta, rest, odds, most):  # type: ignore[no-untyped-def]
    """Between which values an outcome matters, if the others can add or take away ``rest``."""
    if STAR:
        return max(-most, (alpha - rest) / odds), min(most, (beta + rest) / odds)
    return -most, most


@kernel
def look_ahead(position, depth, bound, ply, win, worth, seen, line, memory, counts):  # type: ignore[no-untyped-def]
    """Write the value of each legal action for player 0 into worth (num_actions,); which is best?

    ``bound`` is above every value. Where chance is to move the best action is the last one.
    """
    counts[NODES] += 1
    end_line(line, ply)
    mover, best = position.to_move, -1
    for action in range(position.num_actions):
        if position.legal(action):
            child = position.play(action)
            left = depth if mover == CHANCE else depth - 1
            end_line(line, ply + 1)
            done, value = at_end(child, left, win, seen, counts)
            if not done:
                value = expectimax(
                    child, left, -bound, bound, ply + 1, win, seen, line, memory, counts
                )
            worth[action] = value
            gain = best < 0 or mover == CHANCE
            if not gain:
                gain = worth[action] > worth[best] if mover == 0 else worth[action] < worth[best]
            if gain:
                best = action
                extend_line(line, ply, action)
    return best
