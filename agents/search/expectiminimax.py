"""Searches games with chance by expectiminimax: chance nodes have their expected value."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import kernel
from adv_envs.position import checked
from adv_envs.random import chance_of, impossible
from agents.agent import SearchAgent, SearchResult, require_two_players

from .limits import (
    ABORTED,
    CUT_OFF,
    DEFAULT_NODES,
    LEAVES,
    MAX_DEPTH,
    NODES,
    STOP,
    Counts,
    Deadline,
    anew_when_compiled,
    begins_anew,
    counters,
    interruptible,
    must_end,
    prepared,
    search_result,
)
from .minimax import Line, SearchWindow, end_line, extend_line, new_line, read_line
from .ordering import candidate, is_candidate, num_candidates
from .transposition_table import HashTable, acquire, probe, release, store

STAR = True
"""Whether chance nodes are pruned."""

ALPHA_BETA = True
"""Whether nodes of players are pruned."""

SHALLOW = 1
"""The last moves of a search, for which a look into the table costs more than it saves."""


@dataclass(repr=False)
class Expectiminimax(SearchAgent):
    """Searches by minimax with chance nodes, one move deeper at a time: two players.

    In games with chance an evaluation is weighed against wins and losses, so it must be an estimate
    of the utility; or give the value of a utility of 1 on its scale: ``win``. ValueError for an
    evaluation beyond that.
    """

    depth: int | None = None
    """Moves of players looked ahead, what chance does in between on top; None: as deep as the other
    limits allow."""
    evaluate: Callable[[Any], float] | None = None
    """``evaluate(position)`` values positions at the depth limit for the player to move, as an
    estimate of the utility, or on the scale of ``win``; None: all are even."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    nodes: int | None = None
    """Positions that one decision may visit; None: no limit of nodes. With no limit at all, a
    million nodes."""
    win: float = 1.0
    """The value of a utility of 1 on the scale of ``evaluate``, which may not go beyond it."""
    table_mb: float = 16
    """Bounds the table of positions met before, in megabytes; 0 turns it off."""

    name: ClassVar[str] = "expectiminimax"
    table_optional: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for limits that allow nothing, and what is no function."""
        super().__post_init__()
        if not 0 < self.win < np.inf:
            raise ValueError(f"win must be more than 0 and finite, not {self.win}")

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result for each depth; ValueError unless two players, and one of them to move.

        Values are utilities if every line was searched (``proven``), else on the scale of the
        evaluation.
        """
        position = checked(position)
        if position.to_move == CHANCE and not position.is_terminal():
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        yield from self._iterations(position)

    def value(self, position: Position) -> float:
        """Returns the value for the player to move; for player 0 where chance is to move."""
        position = checked(position)
        if position.is_terminal():
            return float(position.utility(max(position.to_move, 0)))
        *_, found = self._iterations(position)
        return found.value

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action for the player to move; for player 0 at a chance node.

        Empty where the game is over.
        """
        position = checked(position)
        if position.is_terminal():
            return {}
        *_, found = self._iterations(position)
        return dict(found.values)

    def _iterations(self, position: Position) -> Iterator[SearchResult]:
        """Yields the results of all depths, also where chance is to move."""
        position = require_two_players(position, self.name)
        unlimited = self.depth is None and self.seconds is None and self.nodes is None
        counts = counters(DEFAULT_NODES if unlimited else self.nodes)
        values, most = np.zeros(position.num_actions), float(self.win * position.max_utility)
        table = acquire(position, self.table_mb)
        line, outside = new_line(position), np.zeros(1)
        arrays = ExpectationArrays(float(self.win), outside, line, table, counts)
        functions: dict[str, Any] = {} if self.evaluate is None else {"evaluate": self.evaluate}
        if not position.has_chance:
            functions["chance_of"] = impossible
        kernel = search_root.bind(**functions)
        search = prepared(kernel, position, 1, 2 * most, values, arrays)
        anew_when_compiled(counts)
        began, searched = time.perf_counter(), False
        with ExitStack() as stack, Deadline(counts, self.seconds):
            stack.callback(release, table)
            for depth in range(1, min(self.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                counts[CUT_OFF] = 0
                iterate = interruptible(search, counts, began)
                best = iterate(position, depth, 2 * most, values, arrays)
                while begins_anew(counts):
                    best = iterate(position, depth, 2 * most, values, arrays)
                if not abs(outside[0]) <= most:
                    raise ValueError(
                        f"an evaluation of {outside[0]:g} is beyond what a finished game is worth, "
                        f"{most:g}: estimate the utility, or say what a win is worth to the "
                        "evaluation: win=..."
                    )
                if counts[ABORTED] and not begins_anew(counts):
                    break
                evaluated, searched = self.evaluate is not None, True
                value, proven = report_root.plain(position, int(best), evaluated, values, arrays)
                told = {action: float(values[action]) for action in position.legal_actions()}
                found: dict[str, Any] = {"depth": depth, "values": told, "proven": proven}
                yield search_result(counts, began, int(best), value, read_line(line), **found)
                if proven or counts[STOP]:
                    return
        if not searched:  # not even one move deep
            yield search_result(counts, began, position.legal_actions()[0], 0.0, ())


# ---- the search: all values are for player 0


def evaluate(position: Position) -> float:
    """Returns the evaluation at the depth limit: even, unless another is bound in its place."""
    return 0.0


class ExpectationArrays(NamedTuple):
    """Holds what the search works on."""

    win: float
    """The value of a utility of 1."""
    out_of_range: NDArray[np.float64]
    """(1,): receives an evaluation that is beyond winning or losing."""
    line: Line
    """(plies + 1, plies + 1 and room for moves): see ``minimax``."""
    table: HashTable
    """See ``transposition_table``."""
    counts: Counts
    """(10,): see ``limits``."""


@kernel
def search_root(
    position: Position,
    depth: int,
    bound: float,
    values: NDArray[np.float64],
    arrays: ExpectationArrays,
) -> int:
    """Writes the value of each legal action into values (num_actions,); returns the best action.

    ``bound`` is above every value. Where chance is to move the best action is the last one.
    """
    line = arrays.line
    arrays.counts[NODES] += 1
    end_line(line, 0)
    to_move, best = position.to_move, -1
    for i in range(num_candidates(position, 0, line)):
        action = candidate(position, i, 0, line)
        if is_candidate(position, action, 0, line):
            left = depth if to_move == CHANCE else depth - 1
            child = position.play(action)
            values[action] = expectiminimax(child, SearchWindow(left, -bound, bound, 1), arrays)
            better = best < 0 or to_move == CHANCE
            if not better:
                higher, lower = values[action] > values[best], values[action] < values[best]
                better = higher if to_move == 0 else lower
            if better:
                best = action
                extend_line(line, 0, action)
    return best


@kernel
def report_root(
    position: Position,
    best: int,
    evaluated: bool,
    values: NDArray[np.float64],
    arrays: ExpectationArrays,
) -> tuple[float, bool]:
    """Makes the values of ``search_root`` those that users see; returns that of the position too.

    And whether it is proven. Values are for the player to move, utilities if every line was
    searched, else on the scale of the evaluation, if there is one.
    """
    won = not evaluated and abs(values[best]) >= arrays.win * position.max_utility
    proven = arrays.counts[CUT_OFF] == 0 or (won and position.to_move != CHANCE)
    scale = 1.0 / arrays.win if proven or not evaluated else 1.0
    sign, expected = -scale if position.to_move == 1 else scale, 0.0
    for action in range(position.num_actions):
        if position.legal(action):
            values[action] = sign * values[action] + 0.0
            if position.to_move == CHANCE:
                expected += chance_of(position, action) * values[action]
    return expected if position.to_move == CHANCE else float(values[best]), bool(proven)


@kernel
def expectiminimax(position: Position, window: SearchWindow, arrays: ExpectationArrays) -> float:
    """Returns the value of a ``position``, a number of moves of players ahead.

    Fail-soft: inside the window it is the value; at or below alpha an upper bound of it, at or
    above beta a lower bound. Meaningless once counts[ABORTED] is set. Source: AIMA figure 5.13 with
    alpha-beta; chance nodes as in Ballard's Star1 (1983): since every value lies between the worst
    and the best result, the sum of the outcomes so far may decide. It is one function, as Numba
    compiles functions that call each other in a circle twice, and keeps them for no other process.
    """
    depth, alpha, beta, ply = window
    line, counts = arrays.line, arrays.counts
    end_line(line, ply)
    counts[NODES] += 1
    done, value = known_value(position, window, arrays)
    if done:
        return value
    if position.to_move == CHANCE:
        so_far, rest, most = 0.0, 1.0, arrays.win * position.max_utility
        for i in range(num_candidates(position, ply, line)):
            action = candidate(position, i, ply, line)
            odds = chance_of(position, action) if is_candidate(position, action, ply, line) else 0.0
            if odds > 0.0:
                rest -= odds
                low, high = star_window(alpha - so_far, beta - so_far, rest * most, odds, most)
                below = SearchWindow(depth, low, high, ply + 1)
                so_far += odds * expectiminimax(position.play(action), below, arrays)
                done, value = star_cutoff(so_far, alpha, beta, rest * most)
                if done:
                    return value
        return so_far
    low, high, cut_off = alpha, beta, counts[CUT_OFF]
    best, sign = -np.inf, 1.0 if position.to_move == 0 else -1.0
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line):
            below = SearchWindow(depth - 1, low, high, ply + 1)
            value = expectiminimax(position.play(action), below, arrays)
            if sign * value > best:
                best = sign * value
                extend_line(line, ply, action)
            low, high = (max(low, value), high) if sign > 0 else (low, min(high, value))
            if (ALPHA_BETA and low >= high) or counts[ABORTED] != 0:
                break
    if depth > SHALLOW and counts[ABORTED] == 0:
        at_root = SearchWindow(depth, alpha, beta, 0)  # values do not depend on the ply
        store(position, at_root, counts[CUT_OFF] == cut_off, sign * best, 0, arrays.table)
    return sign * best


@kernel
def estimate(position: Position, arrays: ExpectationArrays) -> float:
    """Returns the evaluation of an unfinished position; what is out of range is noted."""
    value = 1.0 * evaluate(position)
    if not abs(value) <= arrays.win * position.max_utility:
        arrays.out_of_range[0] = value
    return value if position.to_move == 0 else -value


@kernel
def known_value(
    position: Position, window: SearchWindow, arrays: ExpectationArrays
) -> tuple[bool, float]:
    """Returns (whether there is nothing to search here, the value).

    That is at the end of the game, of the depth or of the limits, and where the table knows it.
    """
    counts, over = arrays.counts, position.is_terminal()
    if over or (window.depth == 0 and position.to_move != CHANCE):
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        return True, arrays.win * position.utility(0) if over else estimate(position, arrays)
    if must_end(counts):
        return True, 0.0
    if window.depth > SHALLOW and position.to_move != CHANCE:
        at_root = SearchWindow(window.depth, window.alpha, window.beta, 0)
        known, value, complete, _ = probe(position, at_root, arrays.table)
        if known:
            counts[CUT_OFF] += not complete
            return True, value
    return False, 0.0


@kernel
def star_cutoff(so_far: float, alpha: float, beta: float, rest: float) -> tuple[bool, float]:
    """Returns (whether outcomes that can add or subtract ``rest`` do not matter, a bound)."""
    if STAR and so_far - rest >= beta:
        return True, so_far - rest
    if STAR and so_far + rest <= alpha:
        return True, so_far + rest
    return False, 0.0


@kernel
def star_window(
    alpha: float, beta: float, rest: float, odds: float, most: float
) -> tuple[float, float]:
    """Returns the window in which an outcome matters if the others add or subtract ``rest``."""
    if STAR:
        return max(-most, (alpha - rest) / odds), min(most, (beta + rest) / odds)
    return -most, most
