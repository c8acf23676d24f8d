"""Searches by minimax and plain alpha-beta: every line, to the end of the game or to a depth.

The other searches share with them the value of leaves, and the triangular array in which the
principal variation is collected.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import Kernel, kernel
from agents.agent import SearchAgent, SearchResult, require_two_players

from .limits import (
    ABORTED,
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODES,
    STEP,
    STOP,
    UNLIMITED,
    WIN,
    Counts,
    counters,
    in_utilities,
    prepared,
    require_no_chance,
    run,
    search_result,
)
from .ordering import (
    NOISY,
    PLIES,
    OrderingTables,
    candidate,
    is_candidate,
    is_preferred,
    num_candidates,
    num_preferred,
    pick_action,
    preferred,
    room_for_moves,
    score_noisy,
)

EVALUATED = False
"""Whether an evaluation is bound. It may be slow, so the clock is looked at before each."""


def evaluate(position: Position) -> float:
    """Returns the evaluation at the depth limit: even, unless another is bound in its place."""
    return 0.0


# ---- what is asked, and the principal variation


class SearchWindow(NamedTuple):
    """Holds what is asked about a position."""

    depth: int
    """Plies to look ahead."""
    alpha: float
    """At or below it only an upper bound of the value is wanted."""
    beta: float
    """At or above it only a lower bound is wanted."""
    ply: int
    """The distance of the position from the root."""


Line = NDArray[np.int64]
"""Best play, shape (plies + 1, plies + 1): row p is the line from ply p on, ended by -1.

In full-width searches each row goes on with room for ``Moves``."""

LINE_PLIES = 64
"""The longest principal variation of searches that do not know how deep they go."""


def new_line(position: Position, plies: int = LINE_PLIES) -> Line:
    """Returns an empty array for a principal variation of at most ``plies``, and for ``Moves``."""
    return np.full((plies + 1, plies + 1 + room_for_moves(position)), -1, np.int64)


def read_line(line: Line) -> tuple[int, ...]:
    """Returns best play from the root: line[0] up to the first -1."""
    actions = line[0].tolist()
    return tuple(actions[: actions.index(-1)])


@kernel
def end_line(line: Line, ply: int) -> None:
    """Makes the line at ``ply`` empty."""
    if ply < line.shape[0]:
        line[ply, 0] = -1


@kernel
def extend_line(line: Line, ply: int, action: int) -> None:
    """Makes ``action`` and the line at the next ply the line at ``ply``, as far as it has room."""
    if ply < line.shape[0] - 1:
        line[ply, 0] = action
        for i in range(line.shape[0] - ply - 2):
            line[ply, i + 1] = line[ply + 1, i]
            if line[ply + 1, i] < 0:
                break


# ---- the value of leaves


class ShallowArrays(NamedTuple):
    """Holds what the last plies of a search work on."""

    ordering: OrderingTables
    """(rows, num_actions + 2): see ``ordering``."""
    counts: Counts
    """(12,): see ``limits``."""


@kernel
def static_value(position: Position) -> float:
    """Returns the evaluation of an unfinished position, clipped below the value of a win."""
    return min(max(1.0 * evaluate(position), -EVALUATION_LIMIT), EVALUATION_LIMIT)


@kernel
def terminal_value(position: Position, player: int, ply: int) -> float:
    """Returns the value to ``player`` of a finished game, ``ply`` plies from the root.

    Quick wins are better than slow ones, slow losses better than quick ones.
    """
    value = WIN * position.utility(player)
    if value > EVALUATION_LIMIT:
        return value - STEP * ply
    if value < -EVALUATION_LIMIT:
        return value + STEP * ply
    return value


@kernel
def leaf_value(
    position: Position,
    player: int,
    alpha: float,
    beta: float,
    ply: int,
    arrays: ShallowArrays,
) -> float:
    """Returns the value to ``player`` of a position at the end of the search, and counts it."""
    counts = arrays.counts
    counts[NODES] += 1
    counts[LEAVES] += 1
    if position.is_terminal():
        return terminal_value(position, player, ply)
    counts[CUT_OFF] += 1
    if EVALUATED and ply > 1 and counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    if position.to_move == player:
        return horizon_value(position, alpha, beta, ply, arrays)
    return -horizon_value(position, -beta, -alpha, ply, arrays)


# ---- beyond the depth limit


@kernel
def horizon_value(
    position: Position,
    alpha: float,
    beta: float,
    ply: int,
    arrays: ShallowArrays,
) -> float:
    """Returns the value, for the player to move, of an unfinished position at the depth limit.

    It is the evaluation, after the noise is over if the game says what makes noise.
    """
    if NOISY:
        return quiesce(position, alpha, beta, ply, arrays)
    return static_value(position)


@kernel
def quiesce(
    position: Position,
    alpha: float,
    beta: float,
    ply: int,
    arrays: ShallowArrays,
) -> float:
    """Returns the value of an unfinished position if only noisy actions are taken from here on.

    The player to move may also leave it at the evaluation. Fail-soft, as ``plain_alpha_beta``; the
    search ends at the last ply that ``ordering`` has room for. Source: D. F. Beal, A Generalised
    Quiescence Search Algorithm, Artificial Intelligence 43 (1990).
    """
    ordering, counts = arrays
    best = static_value(position)
    low = max(alpha, best)
    if low >= beta or PLIES + 2 * ply + 2 > ordering.shape[0]:
        return best
    if counts[STOP] != 0:
        counts[ABORTED] = 1
        return best
    number = score_noisy(position, ply, ordering)
    for i in range(number):
        child = position.play(pick_action(i, number, ply, ordering))
        counts[NODES] += 1
        sign = 1.0 if child.to_move == position.to_move else -1.0
        if child.is_terminal():
            value = terminal_value(child, position.to_move, ply + 1)
        else:
            worst, enough = (low, beta) if sign > 0 else (-beta, -low)
            value = sign * quiesce(child, worst, enough, ply + 1, arrays)
        if value > best:
            best, low = value, max(low, value)
            if low >= beta:
                break
    return best


# ---- the searches


@kernel
def minimax(position: Position, depth: int, ply: int, line: Line, counts: Counts) -> float:
    """Returns the value of ``position`` for the player to move, looking ``depth`` plies ahead.

    line[ply] becomes best play from here. Source: AIMA figure 5.3, with one function for both
    players.
    """
    counts[NODES] += 1
    end_line(line, ply)
    if position.is_terminal():
        counts[LEAVES] += 1
        return WIN * position.utility(position.to_move)
    if depth == 0:
        counts[LEAVES] += 1
        counts[CUT_OFF] += 1
        return static_value(position)
    best = -np.inf
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line) and counts[STOP] == 0:
            child = position.play(action)
            value = minimax(child, depth - 1, ply + 1, line, counts)
            if child.to_move != position.to_move:
                value = -value
            if value > best:
                best = value
                extend_line(line, ply, action)
    return best


@kernel
def plain_alpha_beta(position: Position, window: SearchWindow, arrays: ShallowArrays) -> float:
    """Returns the value of an unfinished ``position`` for the player to move, at a depth >= 1.

    Fail-soft: inside the window it is the value; at or below alpha an upper bound of it, at or
    above beta a lower bound. Actions are tried as the game prefers them. There is no
    table and no line: ``alpha_beta.py`` uses it for the last plies, where most positions of a
    search are. ``position`` itself is counted by the caller. Source: AIMA figure 5.7.
    """
    depth, alpha, beta, ply = window
    ordering, counts = arrays
    best, low, visited, ended, cut_off = -np.inf, alpha, 0, 0, 0
    for i in range(num_preferred(position, ply, ordering)):
        action = preferred(position, i, ply, ordering)
        if is_preferred(position, action):
            child = position.play(action)
            visited += 1
            sign = 1.0 if child.to_move == position.to_move else -1.0
            if child.is_terminal():
                ended += 1
                value = terminal_value(child, position.to_move, ply + 1)
            elif depth == 1:
                if EVALUATED and counts[STOP] != 0:
                    counts[ABORTED] = 1
                    return 0.0
                cut_off += 1
                worst, enough = (low, beta) if sign > 0 else (-beta, -low)
                value = sign * horizon_value(child, worst, enough, ply + 1, arrays)
            elif sign > 0:
                value = plain_alpha_beta(child, SearchWindow(depth - 1, low, beta, ply + 1), arrays)
            else:
                value = -plain_alpha_beta(
                    child, SearchWindow(depth - 1, -beta, -low, ply + 1), arrays
                )
            if value > best:
                best = value
                low = max(low, value)
                if low >= beta:
                    break
    counts[NODES] += visited
    counts[LEAVES] += ended + cut_off
    counts[CUT_OFF] += cut_off
    return best


# ---- the agent


class Searched(NamedTuple):
    """Holds what one call of a full-width search found, on the scale of the search."""

    value: float
    line: Line
    counts: Counts
    began: float


@dataclass(repr=False)
class FullWidthSearch(SearchAgent):
    """Holds what minimax, max^n and paranoid search share: parameters, running a kernel."""

    depth: int | None = None
    """Plies looked ahead; None: to the end of the game."""
    evaluate: Callable[..., float] | None = None
    """``evaluate(position)`` values positions at the depth limit for the player to move; None: all
    are even."""

    def _run(self, kernel: Kernel[..., Any], position: Position, *args: Any) -> Searched:
        """Runs a kernel whose first argument is a position, the last a line and counters."""
        search = kernel if self.evaluate is None else kernel.bind(evaluate=self.evaluate)
        line, counts = new_line(position), counters()
        given = position, *args, line, counts
        ready = prepared(search, *given)
        began = time.perf_counter()
        value = run(ready, counts, *given)
        return Searched(value, line, counts, began)

    def _result(self, found: Searched, proven: bool) -> SearchResult:
        """Returns what was found as users see it."""
        variation = read_line(found.line)
        value, depth = in_utilities(found.value, proven), self.depth or len(variation)
        return search_result(
            found.counts, found.began, variation[0], value, variation, depth=depth, proven=proven
        )


@dataclass(repr=False)
class Minimax(FullWidthSearch):
    """Searches every line, full width, to a depth or to the end of the game."""

    name: ClassVar[str] = "minimax"

    def analyse(self, position: Position) -> SearchResult:
        """Returns the value of every line; ValueError unless two players and an unfinished game."""
        position = require_two_players(position, self.name)
        require_no_chance(position, self.name)
        found = self._run(minimax, position, self.depth or UNLIMITED, 0)
        certain = abs(found.value) >= WIN * position.max_utility
        return self._result(found, bool(found.counts[CUT_OFF] == 0 or certain))
