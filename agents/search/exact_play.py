"""Plays by exact scores: the order in which moves are tried, and the choice among them.

Solvers share it, here and in WebAssembly: ``score_of`` is bound to what finds scores, and
``likely`` to what a solver expects of moves.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import partial
from typing import Any, NamedTuple

from adv_envs import Position
from adv_envs.jit import Kernel, kernel

from .limits import ABORTED, Counts


class OnlyCounts(NamedTuple):
    """Holds the counters of a search whose other arrays are its own."""

    counts: Counts
    """(10,): see ``limits``."""


class SolverKernels(NamedTuple):
    """Holds an exact solver of one game as a kernel, for those who run it elsewhere."""

    score_of: Kernel[..., int]
    """``score_of(position, low, high, arrays)``: the score for the player to move of any position
    of the game, a finished one too, or a bound of it outside of low to high."""
    likely: Kernel[..., float] | None
    """Says which actions are likely to be best; None: all are as likely."""
    most: int
    """What scores are cut to: -most to most."""
    arrays: Any
    """A tuple with names: what the search works on, with ``counts``."""
    bindings: dict[str, Any]
    """What else is bound."""


# ---- what is bound


def score_of(position: Position, low: int, high: int, arrays: Any) -> int:
    """Returns the score of a position for its player to move; bound by solvers."""
    return 0


def likely(position: Position, action: int) -> float:
    """Returns how likely an action is to be best, larger for more; a solver's own is bound."""
    return 0.0


# ---- the kernels


@kernel
def write_likely(position: Position, actions: Any) -> int:
    """Writes the legal actions into ``actions`` (num_actions,), the likely ones first.

    Among equals they are in increasing order. Returns their number.
    """
    number = 0
    if position.is_terminal():
        return number
    for action in range(position.num_actions):
        if position.legal(action):
            at, hope = number, likely(position, action)
            while at > 0 and likely(position, actions[at - 1]) < hope:
                actions[at] = actions[at - 1]
                at -= 1
            actions[at] = action
            number += 1
    return number


@kernel
def score_after(position: Position, action: int, low: int, high: int, arrays: Any) -> int:
    """Returns the score of an action for the player to move, or a bound outside low to high."""
    child = position.play(action)
    if child.to_move == position.to_move:
        return score_of(child, low, high, arrays)
    return -score_of(child, -high, -low, arrays)


@kernel
def best_of_scores(position: Position, actions: Any, number: int, most: int, arrays: Any) -> int:
    """Returns the first of ``number`` actions that has the score of the position.

    Each but the last is asked for a bound. Any action once counts[ABORTED] is set.
    """
    score = score_of(position, -most, most, arrays)
    for i in range(number - 1):
        reached = score_after(position, actions[i], score - 1, score, arrays) >= score
        if reached or arrays.counts[ABORTED] != 0:
            return int(actions[i])
    return int(actions[number - 1])


# ---- the same in plain Python, for agents


def in_likely_order(position: Position, order: Kernel[..., float] | None) -> list[int]:
    """Returns the legal actions, those first that are likely to be best; None: as numbered."""
    actions: MutableSequence[int] = [0] * position.num_actions
    expected = {} if order is None else {"likely": order.plain}
    number = Kernel(write_likely.function, expected).plain(position, actions)
    return list(actions[:number])


def chosen_by(score: Any, position: Position, actions: list[int], most: int, counts: Counts) -> int:
    """Returns ``best_of_scores``; ``score(position, low, high, arrays)`` is a Python function."""
    bound = {"score_of": partial(score)}  # which is called as it is, not linked
    choose = Kernel(best_of_scores.function, bound).plain
    return choose(position, actions, len(actions), most, OnlyCounts(counts))
