"""The searches of the book, after its pseudocode (AIMA, 4th edition, figures 5.3 and 5.7).

Each takes ``(game, state)`` and gives ``(value, move)``: what the state is worth to the player to
move, and the first of the moves that reach it. They ask only what a ``Game`` answers, so games of
one's own are searched as well. To be read before to be fast: ``agents`` has the fast ones.

The book's two players take turns. Here a game may give somebody a second turn; the lines that ask
``game.to_move`` see to it, and are the only ones that the book does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .game import Game
from .state import Move, State

infinity = math.inf
Cutoff = Callable[[Game, Any, int], bool]
"""Whether to stop at a state: from the game, the state and how many moves deep it lies."""
Evaluation = Callable[[Any, Any], float]
"""What a state looks worth to a player: from the state and the player."""


def minimax_search(game: Game, state: Any) -> tuple[float, Move]:
    """Look at every line to its end (figure 5.3)."""
    player = _searcher(game, state)

    def max_value(state: Any) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if game.to_move(state) != player:
            return min_value(state)
        best, best_move = -infinity, None
        for move in game.actions(state):
            value, _ = min_value(game.result(state, move))
            if value > best:
                best, best_move = value, move
        return best, best_move

    def min_value(state: Any) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if game.to_move(state) == player:
            return max_value(state)
        best, best_move = infinity, None
        for move in game.actions(state):
            value, _ = max_value(game.result(state, move))
            if value < best:
                best, best_move = value, move
        return best, best_move

    return max_value(state)


def alphabeta_search(  # noqa: C901 (three functions of the book)
    game: Game, state: Any
) -> tuple[float, Move]:
    """Minimax that leaves out what cannot change the answer (figure 5.7).

    On the way to a state MAX has found ``alpha`` elsewhere, and MIN ``beta``: a state that is worth
    less or more will not be reached, and the rest of its moves need not be looked at.
    """
    player = _searcher(game, state)

    def max_value(state: Any, alpha: float, beta: float) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if game.to_move(state) != player:
            return min_value(state, alpha, beta)
        best, best_move = -infinity, None
        for move in game.actions(state):
            value, _ = min_value(game.result(state, move), alpha, beta)
            if value > best:
                best, best_move = value, move
                alpha = max(alpha, best)
            if best >= beta:
                break
        return best, best_move

    def min_value(state: Any, alpha: float, beta: float) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if game.to_move(state) == player:
            return max_value(state, alpha, beta)
        best, best_move = infinity, None
        for move in game.actions(state):
            value, _ = max_value(game.result(state, move), alpha, beta)
            if value < best:
                best, best_move = value, move
                beta = min(beta, best)
            if best <= alpha:
                break
        return best, best_move

    return max_value(state, -infinity, infinity)


def cutoff_depth(d: int) -> Cutoff:
    """Stop below depth ``d``; the state that the search begins at has depth 0."""
    return lambda game, state, depth: depth > d


def h_alphabeta_search(  # noqa: C901 (three functions of the book)
    game: Game,
    state: Any,
    cutoff: Cutoff = cutoff_depth(6),  # noqa: B008 (it has no state)
    h: Evaluation = lambda state, player: 0,
) -> tuple[float, Move]:
    """Alpha-beta that stops where ``cutoff`` says and takes ``h`` for the value (section 5.3)."""
    player = _searcher(game, state)

    def max_value(state: Any, alpha: float, beta: float, depth: int) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        if game.to_move(state) != player:
            return min_value(state, alpha, beta, depth)
        best, best_move = -infinity, None
        for move in game.actions(state):
            value, _ = min_value(game.result(state, move), alpha, beta, depth + 1)
            if value > best:
                best, best_move = value, move
                alpha = max(alpha, best)
            if best >= beta:
                break
        return best, best_move

    def min_value(state: Any, alpha: float, beta: float, depth: int) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        if game.to_move(state) == player:
            return max_value(state, alpha, beta, depth)
        best, best_move = infinity, None
        for move in game.actions(state):
            value, _ = max_value(game.result(state, move), alpha, beta, depth + 1)
            if value < best:
                best, best_move = value, move
                beta = min(beta, best)
            if best <= alpha:
                break
        return best, best_move

    return max_value(state, -infinity, infinity, 0)


def _searcher(game: Game, state: Any) -> Any:
    """The player to move, whose value is maximised; an early error where that makes no sense."""
    if isinstance(state, Game):
        raise TypeError("the arguments are (game, state), in the order of the 4th edition")
    if isinstance(state, State) and len(state.players) != 2:
        raise ValueError(f"this search is for two players, not {len(state.players)}")
    return game.to_move(state)
