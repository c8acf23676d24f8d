"""Alpha-beta search with iterative deepening and a transposition table, for any game of two."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.jit import kernel

from .agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_two_players,
)
from .minimax import PV_LENGTH, end_line, extend_line, valued
from .search import (
    ABORTED,
    CUT_OFF,
    LEAVES,
    NODE_LIMIT,
    NODES,
    STOP,
    WIN,
    Deadline,
    call,
    counters,
    in_utilities,
    prepared,
    read_line,
    require_no_chance,
    run,
)
from .table import ACTION, COMPLETE, holds, recall, remember, slot, table

MAX_DEPTH = 512
DEFAULT_NODES = 1_000_000

SHALLOW = 2
"""The last plies of a search, in which neither the table nor ``order`` is worth its time."""

ORDERED = False
"""Whether ``order`` is bound; if not, actions are tried as they are numbered."""


def order(position: Position, action: int) -> float:
    """How promising an action looks: larger is tried first."""
    return 0.0


@kernel
def alpha_beta(position, depth, alpha, beta, ply, line, actions, promise, memory, counts):  # type: ignore[no-untyped-def]
    """The value of an unfinished ``position`` for the player to move; ``depth`` > SHALLOW plies.

    Fail-soft: between ``alpha`` and ``beta`` it is the value; at or below alpha an upper bound of
    it, at or above beta a lower bound. Meaningless once counts[ABORTED] is set.

    ``line`` is as in minimax; ``actions`` (plies, num_actions) int64 and ``promise``, as large, in
    float64 are room to order actions in; ``memory`` is a ``table``.
    """
    counts[NODES] += 1
    end_line(line, ply)
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    known, value, complete, first = recall(position, depth, alpha, beta, memory)
    if known:
        counts[CUT_OFF] += not complete
        return value
    cut_off, low = counts[CUT_OFF], alpha
    best, best_action = -np.inf, -1
    number = position.num_actions
    if ORDERED:
        number = put_in_order(position, actions[ply], promise[ply])
    for i in range(-1 if first >= 0 else 0, number):
        action = int(first if i < 0 else (actions[ply, i] if ORDERED else i))
        if (i < 0) != (action == first) or not position.legal(action):
            continue
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        worst, enough = (low, beta) if sign > 0 else (-beta, -low)
        if child.is_terminal():
            counts[NODES] += 1
            counts[LEAVES] += 1
            end_line(line, ply + 1)
            value = WIN * child.utility(position.to_move)
        elif depth <= SHALLOW + 1:
            counts[NODES] += 1
            value = sign * shallow(child, depth - 1, worst, enough, ply + 1, line, counts)
        else:
            value = sign * alpha_beta(
                child, depth - 1, worst, enough, ply + 1, line, actions, promise, memory, counts
            )
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
            if value >= low:
                low = value
                extend_line(line, ply, action)
                if low >= beta:
                    break
    searched = COMPLETE if counts[CUT_OFF] == cut_off else depth
    remember(position, searched, alpha, beta, best, best_action, memory)
    return best


@kernel
def shallow(position, depth, alpha, beta, ply, line, counts):  # type: ignore[no-untyped-def]
    """``alpha_beta`` for the last plies, down to ``depth`` 1, where children are valued at once.

    Most positions of a search are visited here, so it carries little: no table, no order.
    """
    end_line(line, ply)
    best, low, visited, ended, cut_off = -np.inf, alpha, 0, 0, 0
    for action in range(position.num_actions):
        if position.legal(action):
            child = position.play(action)
            visited += 1
            sign = 1.0 if child.to_move == position.to_move else -1.0
            if child.is_terminal():
                ended += 1
                end_line(line, ply + 1)
                value = WIN * child.utility(position.to_move)
            elif depth == 1:
                cut_off += 1
                end_line(line, ply + 1)
                value = sign * valued(child)
            elif sign > 0:
                value = shallow(child, depth - 1, low, beta, ply + 1, line, counts)
            else:
                value = -shallow(child, depth - 1, -beta, -low, ply + 1, line, counts)
            if value > best:
                best = value
                if value >= low:
                    low = value
                    extend_line(line, ply, action)
                if value >= beta:
                    break
    counts[NODES] += visited
    counts[LEAVES] += ended + cut_off
    counts[CUT_OFF] += cut_off
    return best


@kernel
def put_in_order(position, actions, promise):  # type: ignore[no-untyped-def]
    """Write the legal actions into ``actions``, the most promising first; how many are there?"""
    number = 0
    for action in range(position.num_actions):
        if position.legal(action):
            i, value = number, 1.0 * order(position, action)
            while i > 0 and promise[i - 1] < value:  # insertion sort, stable
                actions[i], promise[i] = actions[i - 1], promise[i - 1]
                i -= 1
            actions[i], promise[i] = action, value
            number += 1
    return number


@kernel
def iteration(position, depth, bound, ply, line, actions, promise, memory, counts):  # type: ignore[no-untyped-def]
    """The value of the root, which lies within plus and minus ``bound``; line[0] is best play.

    ``ply`` is 0, and not written so below because a constant would compile the search twice.
    """
    if depth <= SHALLOW:
        counts[NODES] += 1
        return shallow(position, depth, -bound, bound, ply, line, counts)
    value = alpha_beta(position, depth, -bound, bound, ply, line, actions, promise, memory, counts)
    finish_line(position, depth, bound, value, ply, line, memory, counts)
    return value


@kernel
def finish_line(position, depth, bound, value, ply, line, memory, counts):  # type: ignore[no-untyped-def]
    """Where line[ply] ends because the search knew the rest of it, look the rest up."""
    states, _, notes, words = memory
    played, cut_off = ply, counts[CUT_OFF]
    while played < min(depth, PV_LENGTH - 1) and not position.is_terminal():
        if line[ply, played] < 0:
            at = slot(position, states, words)
            if holds(states, notes, at, words):
                line[ply, played] = notes[at, ACTION]
                line[ply, played + 1] = -1
            else:  # the last plies are not in the table; nor is what other positions replaced
                left = min(SHALLOW, depth - played)
                below = played + 1
                if shallow(position, left, -bound, bound, below, line, counts) != value:
                    break
                for i in range(left):
                    line[ply, played + i] = line[below, i]
                    line[ply, played + i + 1] = -1
                    if line[below, i] < 0:
                        break
        child = position.play(int(line[ply, played]))
        if child.to_move != position.to_move:
            value = -value
        position = child
        played += 1
    counts[CUT_OFF] = cut_off


@dataclass(repr=False)
class AlphaBeta(SearchAgent):
    """Alpha-beta, one ply deeper at a time until a limit or the end of the game is reached.

    ``depth`` is in plies, ``nodes`` and ``seconds`` are for one decision; with none of the three, a
    million nodes. ``evaluate(position)`` values positions at the depth limit for the player to
    move (None: all even), ``order(position, action)`` says which actions to try first. ``table_mb``
    bounds the transposition table; 0 turns it off.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    evaluate: Callable[[Any], float] | None = None
    order: Callable[[Any, int], float] | None = None
    table_mb: float = 16

    name: ClassVar[str] = "alpha_beta"

    def __post_init__(self) -> None:
        """Raise ValueError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_function("evaluate", self.evaluate)
        require_function("order", self.order)
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0 or None, not {self.seconds}")
        if self.table_mb < 0:
            raise ValueError(f"table_mb must not be negative, not {self.table_mb}")

    def analyse(self, position: Position) -> SearchResult:
        """The deepest completed iteration; ValueError unless two players and an unfinished game."""
        require_two_players(position, self.name)
        require_no_chance(position, self.name)
        kernel = iteration.bind(**self._functions())
        unlimited = self.depth is None and self.seconds is None and self.nodes is None
        counts = counters(DEFAULT_NODES if unlimited else self.nodes)
        deepest = min(self.depth or MAX_DEPTH, MAX_DEPTH)
        room = (deepest + 1, position.num_actions)
        bound = float(WIN * max(position.max_utility, 1))
        arrays = (
            np.full((PV_LENGTH + 1, PV_LENGTH + 1), -1, np.int64),
            np.empty(room, np.int64),
            np.empty(room, np.float64),
            table(position, self.table_mb),
            counts,
        )
        line = arrays[0]
        search = prepared(kernel, position, 1, bound, 0, *arrays)
        result = SearchResult(position.legal_actions()[0], 0.0)
        began = time.perf_counter()
        with Deadline(counts, self.seconds):
            for depth in range(1, deepest + 1):
                counts[CUT_OFF] = 0
                # the early iterations are over before anybody could interrupt them
                go = run if time.perf_counter() - began > 0.02 else call
                value = go(search, counts, position, depth, bound, 0, *arrays)
                if counts[ABORTED]:
                    break
                proven = bool(counts[CUT_OFF] == 0 or abs(value) >= bound)
                best = read_line(line)
                if value <= -bound and depth > 1 and best[0] != result.action:
                    # lost: stay with what held out longest, and see how that ends
                    child = position.play(result.action)
                    go(search, counts, child, depth - 1, bound, 0, *arrays)
                    best = result.action, *(() if counts[ABORTED] else read_line(line))
                result = SearchResult(
                    best[0], in_utilities(value, proven), best, depth=depth, proven=proven
                )
                if proven or counts[STOP]:
                    break
        nodes, leaves = int(counts[NODES]), int(counts[LEAVES])
        seconds = time.perf_counter() - began
        return replace(result, nodes=nodes, leaves=leaves, seconds=seconds)

    def _functions(self) -> dict[str, Any]:
        """What the kernel's global names stand for. An evaluation costs more than a table."""
        functions: dict[str, Any] = {}
        if self.evaluate is not None:
            functions.update(evaluate=self.evaluate, SHALLOW=1)
        if self.order is not None:
            functions.update(order=self.order, ORDERED=True, SHALLOW=1)
        return functions
