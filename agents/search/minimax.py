"""Minimax: look at everything, to the end of the game or to a depth."""

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
    require_two_players,
)

from .limits import (
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODES,
    STOP,
    UNLIMITED,
    WIN,
    counters,
    in_utilities,
    prepared,
    read_line,
    require_no_chance,
    run,
)

PV_LENGTH = 64


def evaluate(position: Position) -> float:
    """The evaluation at the depth limit: even, unless another is bound in its place."""
    return 0.0


@kernel
def valued(position):  # type: ignore[no-untyped-def]
    """The evaluation of an unfinished position, kept below what a won game is worth."""
    return min(max(1.0 * evaluate(position), -EVALUATION_LIMIT), EVALUATION_LIMIT)


@kernel
def minimax(position, depth, ply, line, counts):  # type: ignore[no-untyped-def]
    """The value of ``position`` for the player to move, looking ``depth`` plies ahead.

    ``line`` (PV_LENGTH + 1, PV_LENGTH + 1) int64: line[ply] becomes best play from here, as far as
    it has room, ended by -1. Source: AIMA figure 5.3, with one function for both players.
    """
    counts[NODES] += 1
    end_line(line, ply)
    if position.is_terminal():
        counts[LEAVES] += 1
        return WIN * position.utility(position.to_move)
    if depth == 0:
        counts[LEAVES] += 1
        counts[CUT_OFF] += 1
        return valued(position)
    best = -np.inf
    for action in range(position.num_actions):
        if position.legal(action) and counts[STOP] == 0:
            child = position.play(action)
            value = minimax(child, depth - 1, ply + 1, line, counts)
            if child.to_move != position.to_move:
                value = -value
            if value > best:
                best = value
                extend_line(line, ply, action)
    return best


@kernel
def end_line(line, ply):  # type: ignore[no-untyped-def]
    """Nothing is played at ``ply``."""
    if ply < line.shape[0]:
        line[ply, 0] = -1


@kernel
def extend_line(line, ply, action):  # type: ignore[no-untyped-def]
    """Make ``action`` and the line below it the line at ``ply``."""
    if ply < line.shape[0] - 1:
        line[ply, 0] = action
        for i in range(line.shape[1] - ply - 2):
            line[ply, i + 1] = line[ply + 1, i]
            if line[ply + 1, i] < 0:
                break


@dataclass(repr=False)
class Minimax(SearchAgent):
    """Full-width search ``depth`` plies ahead; None looks to the end of the game."""

    depth: int | None = None
    evaluate: Callable[[Any], float] | None = None

    name: ClassVar[str] = "minimax"

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a depth or an evaluation that is none."""
        require_limit("depth", self.depth)
        require_function("evaluate", self.evaluate)

    def analyse(self, position: Position) -> SearchResult:
        """The value of every line; ValueError unless two players and an unfinished game."""
        require_two_players(position, self.name)
        require_no_chance(position, self.name)
        search = minimax if self.evaluate is None else minimax.bind(evaluate=self.evaluate)
        counts = counters()
        line = np.full((PV_LENGTH + 1, PV_LENGTH + 1), -1, np.int64)
        args = position, self.depth or UNLIMITED, 0, line, counts
        ready = prepared(search, *args)
        began = time.perf_counter()
        value = run(ready, counts, *args)
        proven = bool(counts[CUT_OFF] == 0 or abs(value) >= WIN * position.max_utility)
        variation = read_line(line)
        return SearchResult(
            variation[0],
            in_utilities(value, proven),
            variation,
            int(counts[NODES]),
            int(counts[LEAVES]),
            self.depth or len(variation),
            time.perf_counter() - began,
            proven,
        )
