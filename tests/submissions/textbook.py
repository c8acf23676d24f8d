"""Plays alpha-beta search to a depth of two, written for the textbook's games and states."""

import math


def alpha_beta_player(game, state):
    """Returns the textbook's move for the player to move."""
    player = game.to_move(state)

    def value(state, depth, alpha, beta):
        if game.is_terminal(state):
            return 100 * game.utility(state, player)
        if depth == 0:
            return 0
        best = -math.inf if game.to_move(state) == player else math.inf
        for action in game.actions(state):
            found = value(game.result(state, action), depth - 1, alpha, beta)
            if game.to_move(state) == player:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    moves = game.actions(state)
    return max(moves, key=lambda move: value(game.result(state, move), 1, -math.inf, math.inf))
