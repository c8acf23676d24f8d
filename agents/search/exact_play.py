"""Plays by exact scores: the order in which moves are tried, and the choice among them.

Solvers share it, here and in WebAssembly: ``score_of`` is bound to what finds scores, and
``likely`` to what a solver expects of moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from adv_envs import Position
from adv_envs.jit import Kernel, kernel

from .limits import ABORTED, Counts


class OnlyCounts(NamedTuple):
    """Holds the counters of a search whose other arrays are its own."""

    counts: Counts
    """(10,): see ``limits``."""


class NoArrays(NamedTuple):
    """Holds nothing, for what needs no arrays."""


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
    bindings: Mapping[str, Any]
    """What else is bound."""


class MoveKernels(NamedTuple):
    """Holds what an agent knows of every move by itself, for those who run it elsewhere."""

    value_of_move: Kernel[..., float]
    """``value_of_move(position, action, arrays)``: the value for the player to move."""
    arrays: Any = NoArrays()
    """A tuple with names: what the kernels work on, all zeros but for what ``begin`` needs."""
    begin: Kernel[..., float] | None = None
    """``begin(position, arrays)`` is called before moves are valued, with the same arrays again for
    the same game; returns how many positions or numbers that took, 0 if each move counts, -1 if it
    cannot be done."""
    rank_of_move: Kernel[..., float] | None = None
    """``rank_of_move(position, action, arrays)``: the larger the better, among equal values."""
    bindings: Mapping[str, Any] = MappingProxyType({})
    """What else is bound."""
    line: Literal["move", "turn", "game"] = "move"
    """How far the line of best play is followed."""
    begins: Literal["start", "position", "anew"] = "position"
    """What ``begin`` is given: the start of the game or the position; "anew": with new arrays."""
    nodes: int = 0
    """How many positions each move counts for; 0: all moves together for one."""
    depth: int | None = 0
    """Plies looked ahead; None: those of the line."""
    proven: bool = True
    """Whether the values are exact."""


class Phases(NamedTuple):
    """Holds the two agents of one that hands over to a solver towards the end."""

    early: Any
    """The agent that plays first."""
    late: Any
    """The agent that plays at the end."""
    left: Callable[[Any], int]
    """``left(position)``: how far the end is, a plain function that Numba can compile."""
    limit: int
    """Up to this number the second one plays."""


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
def cut_score(position: Position, low: int, high: int, most: int, arrays: Any) -> int:
    """Returns the score of a position, cut to -most to most, or a bound outside low to high."""
    score = score_of(position, max(low, -most), min(high, most), arrays)
    return min(max(score, -most), most)


@kernel
def score_after(
    position: Position, action: int, window: tuple[int, int], most: int, arrays: Any
) -> int:
    """Returns the score of an action for the player to move, or a bound outside the window."""
    low, high = window
    child = position.play(action)
    if child.to_move == position.to_move:
        return int(cut_score(child, low, high, most, arrays))
    return -int(cut_score(child, -high, -low, most, arrays))


@kernel
def best_of_scores(position: Position, actions: Any, number: int, most: int, arrays: Any) -> int:
    """Returns the first of ``number`` actions that has the score of the position.

    Each but the last is asked for a bound. Any action once counts[ABORTED] is set.
    """
    score = cut_score(position, -most, most, most, arrays)
    for i in range(number - 1):
        found = score_after(position, actions[i], (score - 1, score), most, arrays)
        if found >= score or arrays.counts[ABORTED] != 0:
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
