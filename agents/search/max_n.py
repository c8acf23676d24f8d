"""Max^n: search for any number of players, each of whom wants the most for themselves."""

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
from .minimax import PV_LENGTH, end_line, extend_line

MAX_DEPTH = 512


def evaluate(position: Position, player: int) -> float:
    """What an unfinished position is worth to ``player``: nothing, unless another is bound."""
    return 0.0


@kernel
def max_n(position, depth, ply, worth, line, counts):  # type: ignore[no-untyped-def]
    """Write what ``position`` is worth to each player into worth[ply].

    ``worth`` (plies + 1, num_players) float64; ``line`` as in minimax. Of equal actions the first
    counts. Source: Luckhardt and Irani (1986).
    """
    counts[NODES] += 1
    end_line(line, ply)
    over = position.is_terminal()
    if over or depth == 0:
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        for player in range(position.num_players):
            if over:
                worth[ply, player] = WIN * position.utility(player)
            else:
                value = 1.0 * evaluate(position, player)
                worth[ply, player] = min(max(value, -EVALUATION_LIMIT), EVALUATION_LIMIT)
        return
    mover, none_yet = position.to_move, True
    for action in range(position.num_actions):
        if position.legal(action) and counts[STOP] == 0:
            max_n(position.play(action), depth - 1, ply + 1, worth, line, counts)
            if none_yet or worth[ply + 1, mover] > worth[ply, mover]:
                none_yet = False
                extend_line(line, ply, action)
                for player in range(position.num_players):
                    worth[ply, player] = worth[ply + 1, player]


@dataclass(repr=False)
class MaxN(SearchAgent):
    """Full-width search ``depth`` plies ahead for two or more players; None: to the game's end.

    ``evaluate(position, player)`` values positions at the depth limit for any player.
    """

    depth: int | None = None
    evaluate: Callable[[Any, int], float] | None = None

    name: ClassVar[str] = "max_n"

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a depth or an evaluation that is none."""
        require_limit("depth", self.depth)
        require_function("evaluate", self.evaluate)

    def analyse(self, position: Position) -> SearchResult:
        """The value for the player to move; ValueError if the game is over or chance is to move."""
        require_unfinished(position)
        require_no_chance(position, self.name)
        worth, counts, line, seconds = self._search(position, self._depth())
        proven = bool(counts[CUT_OFF] == 0)
        variation = read_line(line)
        return SearchResult(
            variation[0],
            in_utilities(float(worth[position.to_move]), proven),
            variation,
            int(counts[NODES]),
            int(counts[LEAVES]),
            self.depth or len(variation),
            seconds,
            proven,
        )

    def values(self, position: Position) -> dict[int, float]:
        """What each action is worth to the player to move, if everybody plays for themselves.

        Utilities where all was seen; else on the scale of the evaluation, and a finished game is
        worth its utility a million times.
        """
        require_position(position)
        require_no_chance(position, self.name)
        found, cut_off = {}, 0
        for action in position.legal_actions():
            worth, counts, _, _ = self._search(position.play(action), self._depth() - 1)
            found[action], cut_off = float(worth[position.to_move]), cut_off + int(counts[CUT_OFF])
        return {action: in_utilities(value, cut_off == 0) for action, value in found.items()}

    def _depth(self) -> int:
        return min(self.depth or MAX_DEPTH, MAX_DEPTH)

    def _search(self, position: Position, depth: int) -> tuple[Any, Any, Any, float]:
        """What it is worth to each player, the counters, best play, and the seconds it took."""
        search = max_n if self.evaluate is None else max_n.bind(evaluate=self.evaluate)
        counts = counters()
        worth = np.zeros((depth + 2, position.num_players), np.float64)
        line = np.full((PV_LENGTH + 1, PV_LENGTH + 1), -1, np.int64)
        args = position, depth, 0, worth, line, counts
        ready = prepared(search, *args)
        began = time.perf_counter()
        run(ready, counts, *args)
        return worth[0], counts, line, time.perf_counter() - began
