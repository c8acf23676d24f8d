"""Searches game trees by minimax and alpha-beta: the reference solution."""

from math import inf
from typing import Any

from adv_envs import Position
from adv_envs.aima import Game


def minimax_search(game: Game, state: Any) -> tuple[float, Any]:
    """Returns (value, move): the value of ``state`` for the player to move, and the best move."""
    player = game.to_move(state)

    def search(state: Any) -> tuple[float, Any]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        best = max if game.to_move(state) == player else min
        moves = [(search(game.result(state, move))[0], move) for move in game.actions(state)]
        return best(moves, key=lambda found: found[0])

    return search(state)


def alpha_beta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Returns what ``minimax_search`` returns, without the moves that cannot change it.

    On the way to a state, MAX is sure of ``alpha`` elsewhere, and MIN of ``beta``.
    """
    player = game.to_move(state)

    def max_value(state: Any, alpha: float, beta: float) -> tuple[float, Any]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        best, best_move = -inf, None
        for move in game.actions(state):
            value, _ = min_value(game.result(state, move), alpha, beta)
            if value > best:
                best, best_move = value, move
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best, best_move

    def min_value(state: Any, alpha: float, beta: float) -> tuple[float, Any]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        best, best_move = inf, None
        for move in game.actions(state):
            value, _ = max_value(game.result(state, move), alpha, beta)
            if value < best:
                best, best_move = value, move
            if best <= alpha:
                break
            beta = min(beta, best)
        return best, best_move

    return max_value(state, -inf, inf)


def agent(position: Position) -> int:
    """Returns the action that alpha-beta finds."""
    game = Game(position)
    _, move = alpha_beta_search(game, game.initial)
    return game.initial.action(move)  # type: ignore[no-any-return]
