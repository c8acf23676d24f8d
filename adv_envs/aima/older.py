"""The names and orders of arguments of games.py, the code of the earlier editions.

Its searches take ``(state, game)`` and give a move only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .game import Game
from .players import player
from .search import alphabeta_search, h_alphabeta_search, minimax_search
from .state import Move

minmax_player = player(minimax_search)
alpha_beta_player = player(alphabeta_search)


def minmax_decision(state: Any, game: Game) -> Move:
    """The best move, by minimax."""
    return minimax_search(game, state)[1]


def alpha_beta_search(state: Any, game: Game) -> Move:
    """The best move, by alpha-beta."""
    return alphabeta_search(game, state)[1]


def alpha_beta_cutoff_search(
    state: Any,
    game: Game,
    d: int = 4,
    cutoff_test: Callable[[Any, int], bool] | None = None,
    eval_fn: Callable[[Any], float] | None = None,
) -> Move:
    """The move that looks best when lines are followed to depth ``d``.

    ``eval_fn(state)`` is the worth of a state, of a finished game too, to the player who searches;
    ``cutoff_test(state, depth)`` says where to stop.
    """

    def h(state: Any, player: Any) -> float:
        return eval_fn(state) if eval_fn else game.utility(state, player)

    def cutoff(_: Game, state: Any, depth: int) -> bool:
        return depth > 0 and (cutoff_test(state, depth) if cutoff_test else depth > d)

    judged = Game()  # as ``game``, but for the worth of what is finished
    vars(judged).update(
        actions=game.actions,
        result=game.result,
        to_move=game.to_move,
        is_terminal=game.is_terminal,
        utility=h,
    )
    return h_alphabeta_search(judged, state, cutoff, h)[1]
