"""Expectiminimax: minimax for games with chance, whose chance nodes have their expected value."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import Kernel, kernel
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_position,
    require_seconds,
    require_table,
    require_two_players,
)

from .limits import (
    ABORTED,
    CUT_OFF,
    DEFAULT_NODES,
    LEAVES,
    MAX_DEPTH,
    NODE_LIMIT,
    NODES,
    STOP,
    Counts,
    Deadline,
    counters,
    interruptible,
    prepared,
)
from .minimax import Line, end_line, extend_line, new_line, read_line
from .ordering import candidate, is_candidate, num_candidates
from .transposition_table import COMPLETE, WorkTable, probe_value, store_value, work_table

STAR = True
"""Whether chance nodes are pruned."""

SHALLOW = 1
"""The last moves of a search, for which a look into the table costs more than it saves."""


@dataclass(repr=False)
class Expectiminimax(SearchAgent):
    """Minimax with chance nodes, one move deeper at a time: two players, with chance or without.

    ``depth`` counts moves of the players; what chance does in between comes on top. ``nodes`` and
    ``seconds`` are for one decision; with none of the three, a million nodes.
    ``evaluate(position)`` values positions at the depth limit for the player to move (None: all
    even). In games with chance an evaluation is weighed against wins and losses, so it must be an
    estimate of the utility; or give the value of a utility of 1 on its scale: ``win``. ValueError
    for an evaluation beyond that. ``table_mb`` bounds the table of positions met before.
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

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_function("evaluate", self.evaluate)
        require_seconds(self.seconds)
        if not 0 < self.win < np.inf:
            raise ValueError(f"win must be more than 0 and finite, not {self.win}")
        require_table(self.table_mb, none=True)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result for each depth; ValueError unless two players, and one of them to move.

        Values are utilities if every line was searched (``proven``), else on the scale of the
        evaluation.
        """
        require_position(position)
        if position.to_move == CHANCE and not position.is_terminal():
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        yield from self._iterations(position)

    def value(self, position: Position) -> float:
        """Returns the value for the player to move; for player 0 where chance is to move."""
        require_position(position)
        if position.is_terminal():
            return float(position.utility(max(position.to_move, 0)))
        *_, found = self._iterations(position)
        return found.value

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action for the player to move; for player 0 at a chance node.

        Empty where the game is over.
        """
        require_position(position)
        if position.is_terminal():
            return {}
        *_, found = self._iterations(position)
        return dict(found.values)

    def _iterations(self, position: Position) -> Iterator[SearchResult]:
        """Yields the results of all depths, also where chance is to move."""
        require_two_players(position, self.name)
        unlimited = self.depth is None and self.seconds is None and self.nodes is None
        counts = counters(DEFAULT_NODES if unlimited else self.nodes)
        values, out_of_range, line = np.zeros(position.num_actions), np.zeros(1), new_line(position)
        most = float(self.win * position.max_utility)
        arrays = values, out_of_range, line, work_table(position, self.table_mb), counts
        search = prepared(self._kernel(position), position, 1, 2 * most, 0, self.win, *arrays)
        result = SearchResult(position.legal_actions()[0], 0.0)
        began = time.perf_counter()
        with Deadline(counts, self.seconds):
            for depth in range(1, min(self.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                counts[CUT_OFF] = 0
                iterate = interruptible(search, counts, began)
                best = iterate(position, depth, 2 * most, 0, self.win, *arrays)
                self._require_in_range(out_of_range[0], most)
                if counts[ABORTED]:
                    break
                result = self._result(position, depth, int(best), values, line, counts)
                yield replace(result, seconds=time.perf_counter() - began)
                if result.proven or counts[STOP]:
                    return
        if result.depth == 0:  # not even one move deep
            yield replace(result, nodes=int(counts[NODES]), seconds=time.perf_counter() - began)

    def _result(
        self,
        position: Position,
        depth: int,
        best: int,
        found: NDArray[np.float64],
        line: Line,
        counts: Counts,
    ) -> SearchResult:
        """Returns what was found at a depth, for the player to move."""
        actions = position.legal_actions()
        won = self.evaluate is None and abs(found[best]) >= self.win * position.max_utility
        proven = bool(counts[CUT_OFF] == 0 or (won and position.to_move != CHANCE))
        scale = 1 / self.win if proven or self.evaluate is None else 1.0
        sign = -scale if position.to_move == 1 else scale
        values = {action: sign * float(found[action]) + 0.0 for action in actions}
        value = values[best]
        if position.to_move == CHANCE:
            value = sum(position.probability(action) * values[action] for action in actions)
        nodes, leaves = int(counts[NODES]), int(counts[LEAVES])
        variation = read_line(line)
        return SearchResult(
            best, value, variation, nodes, leaves, depth, proven=proven, values=values
        )

    def _kernel(self, position: Position) -> Kernel[..., int]:
        """Returns the search, bound to the evaluation, and to no chance where there is none."""
        functions: dict[str, Any] = {}
        if self.evaluate is not None:
            functions["evaluate"] = self.evaluate
        if not position.has_chance:
            functions["chance_of"] = impossible
        return search_root.bind(**functions)

    def _require_in_range(self, found: float, most: float) -> None:
        """Raises ValueError for an evaluation that is beyond winning and losing, or no number."""
        if not abs(found) <= most:
            raise ValueError(
                f"an evaluation of {found:g} is beyond what a finished game is worth, {most:g}: "
                f"estimate the utility, or say what a win is worth to the evaluation: win=..."
            )


# ---- the search: all values are for player 0


def evaluate(position: Position) -> float:
    """Returns the evaluation at the depth limit: even, unless another is bound in its place."""
    return 0.0


def chance_of(position: Position, action: int) -> float:
    """Returns the probability of an action of chance."""
    return position.probability(action)


def impossible(position: Position, action: int) -> float:
    """Returns 0: ``chance_of`` for games without chance, which have no such method to compile."""
    return 0.0


@kernel
def search_root(
    position: Position,
    depth: int,
    bound: float,
    ply: int,
    win: float,
    values: NDArray[np.float64],
    out_of_range: NDArray[np.float64],
    line: Line,
    table: WorkTable,
    counts: Counts,
) -> int:
    """Writes the value of each legal action into values (num_actions,); returns the best action.

    ``bound`` is above every value. Where chance is to move the best action is the last one.
    """
    counts[NODES] += 1
    end_line(line, ply)
    to_move, best = position.to_move, -1
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line):
            child = position.play(action)
            left = depth if to_move == CHANCE else depth - 1
            end_line(line, ply + 1)
            done, value = leaf(child, left, win, out_of_range, counts)
            if not done:
                value = expectiminimax(
                    child, left, -bound, bound, ply + 1, win, out_of_range, line, table, counts
                )
            values[action] = value
            better = best < 0 or to_move == CHANCE
            if not better:
                higher, lower = values[action] > values[best], values[action] < values[best]
                better = higher if to_move == 0 else lower
            if better:
                best = action
                extend_line(line, ply, action)
    return best


@kernel
def expectiminimax(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    win: float,
    out_of_range: NDArray[np.float64],
    line: Line,
    table: WorkTable,
    counts: Counts,
) -> float:
    """Returns the value of a ``position`` that is no ``leaf``, ``depth`` moves of players ahead.

    Fail-soft: between ``alpha`` and ``beta`` it is the value; at or below alpha an upper bound of
    it, at or above beta a lower bound. Meaningless once counts[ABORTED] is set. A won game has the
    value utility * ``win``; out_of_range (1,) receives an evaluation that is larger than that.
    ``line`` is as in minimax. Source: AIMA figure 5.13 with alpha-beta; chance nodes as in
    Ballard's Star1 (1983): since every value lies between the worst and the best result, the sum
    of the outcomes so far may decide.
    """
    counts[NODES] += 1
    end_line(line, ply)
    done, value = known_value(position, depth, alpha, beta, table, counts)
    if done:
        return value
    if position.to_move == CHANCE:
        so_far, rest, most = 0.0, 1.0, win * position.max_utility
        for i in range(num_candidates(position, ply, line)):
            action = candidate(position, i, ply, line)
            possible = is_candidate(position, action, ply, line)
            odds = chance_of(position, action) if possible else 0.0
            if odds > 0.0:
                child, rest = position.play(action), rest - odds
                done, value = leaf(child, depth, win, out_of_range, counts)
                if not done:
                    low, high = star_window(alpha - so_far, beta - so_far, rest * most, odds, most)
                    value = expectiminimax(
                        child, depth, low, high, ply + 1, win, out_of_range, line, table,
                        counts,
                    )  # fmt: skip
                so_far += odds * value
                done, value = star_cutoff(so_far, alpha, beta, rest * most)
                if done:
                    return value
        return so_far
    low, high, cut_off = alpha, beta, counts[CUT_OFF]
    best, sign = -np.inf, 1.0 if position.to_move == 0 else -1.0
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line):
            child = position.play(action)
            end_line(line, ply + 1)
            done, value = leaf(child, depth - 1, win, out_of_range, counts)
            if not done:
                value = expectiminimax(
                    child, depth - 1, low, high, ply + 1, win, out_of_range, line, table, counts
                )
            if sign * value > best:
                best = sign * value
                extend_line(line, ply, action)
            low, high = (max(low, value), high) if sign > 0 else (low, min(high, value))
            if low >= high or counts[ABORTED] != 0:
                break
    store_unless_aborted(position, depth, alpha, beta, sign * best, cut_off, table, counts)
    return sign * best


@kernel
def store_unless_aborted(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    value: float,
    cut_off: int,
    table: WorkTable,
    counts: Counts,
) -> None:
    """Stores a value, which is complete if counts[CUT_OFF] is still ``cut_off``."""
    if depth > SHALLOW and counts[ABORTED] == 0:
        searched = COMPLETE if counts[CUT_OFF] == cut_off else depth
        store_value(position, searched, alpha, beta, value, table)


@kernel
def leaf(
    position: Position, depth: int, win: float, out_of_range: NDArray[np.float64], counts: Counts
) -> tuple[bool, float]:
    """Returns (whether this is an end of the game or of the depth, its value)."""
    over = position.is_terminal()
    if over or (depth == 0 and position.to_move != CHANCE):
        counts[NODES] += 1
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        return True, win * position.utility(0) if over else estimate(position, win, out_of_range)
    return False, 0.0


@kernel
def estimate(position: Position, win: float, out_of_range: NDArray[np.float64]) -> float:
    """Returns the evaluation of an unfinished position; what is out of range is noted."""
    value = 1.0 * evaluate(position)
    most = win * position.max_utility
    if not abs(value) <= most:
        out_of_range[0] = value
    return value if position.to_move == 0 else -value


@kernel
def known_value(
    position: Position, depth: int, alpha: float, beta: float, table: WorkTable, counts: Counts
) -> tuple[bool, float]:
    """Returns (whether there is nothing to search here: the limits or the table, the value)."""
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return True, 0.0
    if depth > SHALLOW and position.to_move != CHANCE:
        known, value, complete = probe_value(position, depth, alpha, beta, table)
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
