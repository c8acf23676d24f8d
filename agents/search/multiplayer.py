"""Searches for any number of players: max^n, and paranoid search.

They differ in what the other players are taken to want: the most for themselves (max^n), or the
least for the player to move (paranoid), which allows to prune.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel
from adv_envs.position import checked, require_competitive
from agents.agent import SearchResult, require_perfect_information, require_unfinished

from .limits import (
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    MAX_DEPTH,
    NODES,
    STOP,
    WIN,
    Counts,
    in_utilities,
    require_no_chance,
)
from .minimax import FullWidthSearch, Line, Searched, SearchWindow, end_line, extend_line
from .ordering import candidate, is_candidate, num_candidates


def evaluate(position: Position, player: int) -> float:
    """Returns the evaluation for ``player`` at the depth limit: 0, unless another is bound."""
    return 0.0


@kernel
def max_n(
    position: Position,
    depth: int,
    ply: int,
    values: NDArray[np.float64],
    line: Line,
    counts: Counts,
) -> None:
    """Writes the value of ``position`` for each player into values[ply].

    ``values`` (plies + 1, num_players) float64; ``line`` as in minimax. Of equal actions the first
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
                values[ply, player] = WIN * position.utility(player)
            else:
                value = 1.0 * evaluate(position, player)
                values[ply, player] = min(max(value, -EVALUATION_LIMIT), EVALUATION_LIMIT)
        return
    to_move, none_yet = position.to_move, True
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line) and counts[STOP] == 0:
            max_n(position.play(action), depth - 1, ply + 1, values, line, counts)
            if none_yet or values[ply + 1, to_move] > values[ply, to_move]:
                none_yet = False
                extend_line(line, ply, action)
                for player in range(position.num_players):
                    values[ply, player] = values[ply + 1, player]


@kernel
def paranoid(
    position: Position,
    player: int,
    window: SearchWindow,
    line: Line,
    counts: Counts,
) -> float:
    """Returns the value of ``position`` to ``player`` if all the others play against them.

    Fail-soft: inside the window it is the value; at or below alpha an upper bound of it, at or
    above beta a lower bound. ``line`` is as in minimax. Source: Sturtevant and Korf, On Pruning
    Techniques for Multi-Player Games (2000).
    """
    depth, alpha, beta, ply = window
    counts[NODES] += 1
    end_line(line, ply)
    over = position.is_terminal()
    if over or depth == 0:
        counts[LEAVES] += 1
        counts[CUT_OFF] += not over
        if over:
            return WIN * position.utility(player)
        return min(max(1.0 * evaluate(position, player), -EVALUATION_LIMIT), EVALUATION_LIMIT)
    own = position.to_move == player
    best = -np.inf if own else np.inf
    for i in range(num_candidates(position, ply, line)):
        action = candidate(position, i, ply, line)
        if is_candidate(position, action, ply, line) and counts[STOP] == 0:
            child = position.play(action)
            child_window = SearchWindow(depth - 1, alpha, beta, ply + 1)
            value = paranoid(child, player, child_window, line, counts)
            if value > best if own else value < best:
                best = value
                extend_line(line, ply, action)
            alpha, beta = (max(alpha, value), beta) if own else (alpha, min(beta, value))
            if alpha >= beta:
                break
    return best


@dataclass(repr=False)
class MultiplayerSearch(FullWidthSearch):
    """Holds what max^n and paranoid search share; subclasses say how a position is searched."""

    evaluate: Callable[[Any, int], float] | None = None
    """``evaluate(position, player)`` values positions at the depth limit for any player; None: all
    are even."""

    def analyse(self, position: Position) -> SearchResult:
        """Returns the value for the player to move; ValueError for finished games and chance."""
        position = require_unfinished(position)
        require_perfect_information(position, self.name)
        require_no_chance(position, self.name)
        found = self._search(position, position.to_move, self._depth())
        return self._result(found, bool(found.counts[CUT_OFF] == 0))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action to the player to move.

        These are utilities if every line was searched to its end; otherwise they are on the scale
        of the evaluation, and a finished game counts its utility a million times.
        """
        position = checked(position)
        require_perfect_information(position, self.name)
        require_no_chance(position, self.name)
        values, cut_off = {}, 0
        for action in position.legal_actions():
            child, player = position.play(action), position.to_move
            found = self._search(child, player, self._depth() - 1)
            values[action], cut_off = found.value, cut_off + int(found.counts[CUT_OFF])
        return {action: in_utilities(value, cut_off == 0) for action, value in values.items()}

    def _depth(self) -> int:
        return min(self.depth or MAX_DEPTH, MAX_DEPTH)

    def _search(self, position: Position, player: int, depth: int) -> Searched:
        """Searches ``position``; the value found is for ``player``."""
        raise NotImplementedError


@dataclass(repr=False)
class MaxN(MultiplayerSearch):
    """Searches full width for two or more players, each of whom maximises their own value."""

    name: ClassVar[str] = "max_n"

    def _search(self, position: Position, player: int, depth: int) -> Searched:
        values = np.zeros((depth + 2, position.num_players), np.float64)
        found = self._run(max_n, position, depth, 0, values)
        return found._replace(value=float(values[0, player]))


@dataclass(repr=False)
class Paranoid(MultiplayerSearch):
    """Searches by alpha-beta for any number of players, all of them against the one to move.

    To the end of the game its value is what the player to move is sure of whatever the others do.
    With two players that is minimax.
    """

    name: ClassVar[str] = "paranoid"

    def _search(self, position: Position, player: int, depth: int) -> Searched:
        require_competitive(position, self.name)
        return self._run(paranoid, position, player, SearchWindow(depth, -np.inf, np.inf, 0))
