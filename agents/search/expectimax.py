"""Expectimax: minimax where dice are thrown, with chance nodes worth what is to be expected."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from adv_envs import CHANCE, Position
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

from .expectiminimax import impossible, look_ahead
from .limits import (
    ABORTED,
    CUT_OFF,
    LEAVES,
    NODES,
    STOP,
    Deadline,
    call,
    counters,
    prepared,
    read_line,
    run,
)
from .proof_table import table

LENGTH = 64  # of the principal variation, at most
MAX_DEPTH = 512
DEFAULT_NODES = 1_000_000


@dataclass(repr=False)
class Expectimax(SearchAgent):
    """Minimax and chance nodes, one move deeper at a time: two players, with dice or without.

    ``depth`` counts moves of the players; what chance does in between comes on top. ``nodes`` and
    ``seconds`` are for one decision; with none of the three, a million nodes.
    ``evaluate(position)`` values positions at the depth limit for the player to move (None: all
    even). Where dice decide, an evaluation is weighed against wins and losses, so it must be an
    estimate of the utility; or say what a utility of 1 is worth on its scale: ``win``. ValueError
    for an evaluation beyond that. ``table_mb`` bounds the table of positions met before.
    """

    depth: int | None = None
    evaluate: Callable[[Any], float] | None = None
    seconds: float | None = None
    nodes: int | None = None
    win: float = 1.0
    table_mb: float = 16

    name: ClassVar[str] = "expectimax"

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_function("evaluate", self.evaluate)
        require_seconds(self.seconds)
        if not 0 < self.win < np.inf:
            raise ValueError(f"win must be more than 0 and finite, not {self.win}")
        require_table(self.table_mb, none=True)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """A result for each depth; ValueError unless two players, and one of them to move.

        Values are utilities if all was seen (``proven``), else on the scale of the evaluation.
        """
        require_position(position)
        if position.to_move == CHANCE and not position.is_terminal():
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        yield from self._deeper(position)

    def value(self, position: Position) -> float:
        """What ``position`` is worth to the player to move; to player 0 where chance is to move."""
        require_position(position)
        if position.is_terminal():
            return float(position.utility(max(position.to_move, 0)))
        *_, found = self._deeper(position)
        return found.value

    def values(self, position: Position) -> dict[int, float]:
        """What each action is worth to the player to move; to player 0 where chance is to move.

        None where the game is over.
        """
        require_position(position)
        if position.is_terminal():
            return {}
        *_, found = self._deeper(position)
        return dict(found.values)

    def _deeper(self, position: Position) -> Iterator[SearchResult]:
        """The results of all depths, also where chance is to move."""
        require_two_players(position, self.name)
        counts = counters(DEFAULT_NODES if self._unlimited() else self.nodes)
        worth, seen = np.zeros(position.num_actions), np.zeros(1)
        line = np.full((LENGTH + 1, LENGTH + 1), -1, np.int64)
        most = float(self.win * position.max_utility)
        arrays = worth, seen, line, table(position, self.table_mb), counts
        search = prepared(self._kernel(position), position, 1, 2 * most, 0, self.win, *arrays)
        result = SearchResult(position.legal_actions()[0], 0.0)
        began = time.perf_counter()
        with Deadline(counts, self.seconds):
            for depth in range(1, min(self.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                counts[CUT_OFF] = 0
                go = run if time.perf_counter() - began > 0.02 else call
                best = go(search, counts, position, depth, 2 * most, 0, self.win, *arrays)
                self._require_in_range(seen[0], most)
                if counts[ABORTED]:
                    break
                result = self._result(position, depth, int(best), worth, line, counts)
                yield replace(result, seconds=time.perf_counter() - began)
                if result.proven or counts[STOP]:
                    return
        if result.depth == 0:  # not even one move deep
            yield replace(result, nodes=int(counts[NODES]), seconds=time.perf_counter() - began)

    def _result(
        self, position: Position, depth: int, best: int, worth: Any, line: Any, counts: Any
    ) -> SearchResult:
        """What was found at a depth, for the player to move."""
        actions = position.legal_actions()
        won = self.evaluate is None and abs(worth[best]) >= self.win * position.max_utility
        proven = bool(counts[CUT_OFF] == 0 or (won and position.to_move != CHANCE))
        scale = 1 / self.win if proven or self.evaluate is None else 1.0
        sign = -scale if position.to_move == 1 else scale
        values = {action: sign * float(worth[action]) + 0.0 for action in actions}
        value = values[best]
        if position.to_move == CHANCE:
            value = sum(position.probability(action) * values[action] for action in actions)
        nodes, leaves = int(counts[NODES]), int(counts[LEAVES])
        variation = read_line(line)
        return SearchResult(
            best, value, variation, nodes, leaves, depth, proven=proven, values=values
        )

    def _unlimited(self) -> bool:
        return self.depth is None and self.seconds is None and self.nodes is None

    def _kernel(self, position: Position) -> Any:
        """The search, bound to the evaluation, and to no chance where there is none."""
        functions: dict[str, Any] = {}
        if self.evaluate is not None:
            functions["evaluate"] = self.evaluate
        if not position.has_chance:
            functions["chance_of"] = impossible
        return look_ahead.bind(**functions)

    def _require_in_range(self, found: float, most: float) -> None:
        """Raise ValueError for an evaluation that is beyond winning and losing, or no number."""
        if not abs(found) <= most:
            raise ValueError(
                f"an evaluation of {found:g} is beyond what a finished game is worth, {most:g}: "
                f"estimate the utility, or say what a win is worth to the evaluation: win=..."
            )
