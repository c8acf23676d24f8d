"""Searches game trees as a first attempt often does: right values, but nothing is pruned.

``alpha_beta_search`` is minimax, and ``agent`` looks two moves ahead, as more takes too long.
"""

from math import inf
from typing import Any

from adv_envs import Position
from adv_envs.aima import Game


def minimax_search(game: Game, state: Any, depth: float = inf) -> tuple[float, Any]:
    """Returns (value, move), where lines of more than ``depth`` moves are worth 0."""
    player = game.to_move(state)

    def value(state: Any, depth: float) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        if depth == 0:
            return 0
        values = [value(game.result(state, move), depth - 1) for move in game.actions(state)]
        return max(values) if game.to_move(state) == player else min(values)

    moves = list(game.actions(state))
    values = [value(game.result(state, move), depth - 1) for move in moves]
    best = values.index(max(values))
    return values[best], moves[best]


def alpha_beta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Returns (value, move), the right ones, but looks at every leaf."""
    return minimax_search(game, state)


def agent(position: Position) -> int:
    """Returns the action that looks best two moves ahead."""
    game = Game(position)
    _, move = minimax_search(game, game.initial, depth=2)
    return game.initial.action(move)  # type: ignore[no-any-return]
