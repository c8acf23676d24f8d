"""Paranoid search: any number of players, all of them against the one who is to move."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.jit import kernel
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_position,
    require_unfinished,
)

from .limits import (
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODES,
    STOP,
    WIN,
    counters,
    in_utilities,
    prepared,
    read_line,
    require_no_chance,
    run,
)
from .max_n import MAX_DEPTH, evaluate
from .minimax import PV_LENGTH, end_line, extend_line


@kernel
def paranoid(position, player, depth, alpha, beta, ply, line, counts):  # type: ignore[no-untyped-def]
    """What ``position`` is worth to ``player`` if all the others only mean to harm them.

    Fail-soft: between ``alpha`` and ``beta`` it is the value; at or below alpha an upper bound of
    it, at or above beta a lower bound. ``line`` is as in minimax. Source: Sturtevant and Korf, On
    Pruning Techniques for Multi-Player Games (2000).
    """
    counts[NODES] += 1
    end_line(line, ply)
    over = position.is_terminal()
    if over or depth == 0:
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        if over:
            return WIN * position.utility(player)
        return min(max(1.0 * evaluate(position, player), -EVALUATION_LIMIT), EVALUATION_LIMIT)
    mine = position.to_move == player
    best = -np.inf if mine else np.inf
    for action in range(position.num_actions):
        if position.legal(action) and counts[STOP] == 0:
            child = position.play(action)
            value = paranoid(child, player, depth - 1, alpha, beta, ply + 1, line, counts)
            if value > best if mine else value < best:
                best = value
                extend_line(line, ply, action)
            alpha, beta = (max(alpha, value), beta) if mine else (alpha, min(beta, value))
            if alpha >= beta:
                break
    return best


@dataclass(repr=False)
class Paranoid(SearchAgent):
    """Alpha-beta for any number of players, who all gang up on the one to move.

    It looks ``depth`` plies ahead; None: to the game's end, where its value is what the player to
    move is sure of whatever the others do. With two players that is minimax. ``evaluate(position,
    player)`` values positions at the depth limit for any player.
    """

    depth: int | None = None
    evaluate: Callable[[Any, int], float] | None = None

    name: ClassVar[str] = "paranoid"

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a depth or an evaluation that is none."""
        require_limit("depth", self.depth)
        require_function("evaluate", self.evaluate)

    def analyse(self, position: Position) -> SearchResult:
        """The value for the player to move; ValueError if the game is over or has chance."""
        require_unfinished(position)
        require_no_chance(position, self.name)
        value, counts, line, seconds = self._search(position, position.to_move, self._depth())
        proven = bool(counts[CUT_OFF] == 0)
        variation = read_line(line)
        return SearchResult(
            variation[0],
            in_utilities(value, proven),
            variation,
            int(counts[NODES]),
            int(counts[LEAVES]),
            self.depth or len(variation),
            seconds,
            proven,
        )

    def values(self, position: Position) -> dict[int, float]:
        """What each action is worth to the player to move.

        Utilities where all was seen; else on the scale of the evaluation, and a finished game is
        worth its utility a million times.
        """
        require_position(position)
        require_no_chance(position, self.name)
        worth, cut_off = {}, 0
        for action in position.legal_actions():
            child, player = position.play(action), position.to_move
            value, counts, _, _ = self._search(child, player, self._depth() - 1)
            worth[action], cut_off = value, cut_off + int(counts[CUT_OFF])
        return {action: in_utilities(value, cut_off == 0) for action, value in worth.items()}

    def _depth(self) -> int:
        return min(self.depth or MAX_DEPTH, MAX_DEPTH)

    def _search(self, position: Position, player: int, depth: int) -> tuple[float, Any, Any, float]:
        """The value for ``player``, the counters, best play, and the seconds it took."""
        search = paranoid if self.evaluate is None else paranoid.bind(evaluate=self.evaluate)
        counts = counters()
        line = np.full((PV_LENGTH + 1, PV_LENGTH + 1), -1, np.int64)
        args = position, player, depth, -np.inf, np.inf, 0, line, counts
        ready = prepared(search, *args)
        began = time.perf_counter()
        value = run(ready, counts, *args)
        return float(value), counts, line, time.perf_counter() - began
