"""Implements the searches of the book, after its pseudocode (AIMA, 4th edition, chapter 5).

Each search takes ``(game, state)`` and returns ``(value, move)``: the value of the state for the
player to move, and the first of the moves that reach it. They ask only what a ``Game`` answers, so
they search games of one's own too. They are written to be read; ``agents`` has the fast ones. At
the end are the names and orders of arguments of games.py, the code of the earlier editions.

The book's two players take turns. Here a player may have two turns in a row; the lines that ask
``game.to_move`` see to it, and are the only ones that the book does not have.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .textbook_games import Game, Move, State, StochasticGame, after_chance, player

__all__ = [
    "alpha_beta_cutoff_search",
    "alpha_beta_player",
    "alpha_beta_search",
    "alphabeta_search",
    "cutoff_depth",
    "expect_minmax",
    "expect_minmax_player",
    "expectiminimax",
    "expectiminimax_player",
    "expectiminimax_search",
    "h_alphabeta_search",
    "infinity",
    "mcts_player",
    "minimax_search",
    "minmax_decision",
    "minmax_player",
    "monte_carlo_tree_search",
]

infinity = math.inf
Cutoff = Callable[[Game, Any, int], bool]
"""``cutoff(game, state, depth)``: whether to stop at a state that is ``depth`` moves deep."""
Evaluation = Callable[[Any, Any], float]
"""``h(state, player)``: an estimate of the utility of a state for a player."""


def minimax_search(game: Game, state: Any) -> tuple[float, Move]:
    """Searches every line to its end: minimax (figure 5.3)."""
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


def cutoff_depth(d: int) -> Cutoff:
    """Returns a cutoff below depth ``d``; the state at which the search begins has depth 0."""
    return lambda game, state, depth: depth > d


def alphabeta_search(game: Game, state: Any) -> tuple[float, Move]:
    """Searches by alpha-beta to the end: minimax without moves that cannot matter (figure 5.7)."""
    return h_alphabeta_search(game, state, lambda game, state, depth: False)


def h_alphabeta_search(  # noqa: C901 (three functions of the book)
    game: Game,
    state: Any,
    cutoff: Cutoff = cutoff_depth(6),  # noqa: B008 (it has no state)
    h: Evaluation = lambda state, player: 0,
) -> tuple[float, Move]:
    """Searches by alpha-beta as far as ``cutoff`` says, where ``h`` is the value (section 5.3).

    On the way to a state MAX is sure of ``alpha`` elsewhere, and MIN of ``beta``: a state with a
    value outside of these bounds is not reached, and the rest of its moves need no search.
    """
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


def expectiminimax_search(
    game: Game,
    state: Any,
    cutoff: Cutoff = cutoff_depth(3),  # noqa: B008 (it has no state)
    h: Evaluation = lambda state, player: 0,
) -> tuple[float, Move]:
    """Searches by minimax with means over chance, as far as ``cutoff`` says (section 5.5).

    ``h`` is the value where it stops. Depth counts the moves of players. There is always a cutoff:
    many games of chance have lines without an end.
    """
    player = _searcher(game, state, chance=True)

    def value(state: Any, depth: int) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        sign = 1 if game.to_move(state) == player else -1
        best, best_move = -infinity, None
        for move in game.actions(state):
            expected = sign * mean(game.result(state, move), depth + 1)
            if expected > best:
                best, best_move = expected, move
        return sign * best, best_move

    def mean(state: Any, depth: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        if not isinstance(game, StochasticGame):
            return value(state, depth)[0]
        return math.fsum(
            game.probability(chance) * value(game.outcome(state, chance), depth)[0]
            for chance in game.chances(state)
        )

    return value(state, 0)


@dataclass
class _Tried:
    """Counts what playouts through a move have brought."""

    visits: int = 0
    total: float = 0.0
    """The sum of the utilities for the player who made the move."""
    below: dict[Any, dict[Move, _Tried]] = field(default_factory=dict)
    """The moves tried next, by what chance did after this one."""


def monte_carlo_tree_search(
    state: Any,
    game: Game,
    N: int = 1000,  # noqa: N803 (the name in games.py)
) -> Move:
    """Returns the move with the most of ``N`` playouts (figure 5.11).

    Moves are selected by UCB1 with the constant 1.4, on utilities scaled to 0..1 by the range of
    those seen. Games of chance and of more than two players are searched too. ``random.seed``
    decides the playouts. TypeError for the arguments in the wrong order.
    """
    require_order(state)
    _searcher(game, state, chance=True, players=None)
    root: dict[Move, _Tried] = {}
    seen: list[float] = []

    def ucb1(tried: _Tried, visits: int) -> float:
        low, high = min(seen), max(seen)
        scaled = (tried.total / tried.visits - low) / (high - low) if high > low else 0.5
        return scaled + 1.4 * math.sqrt(math.log(visits) / tried.visits)

    def select(moves: list[Move], children: dict[Move, _Tried]) -> Move:
        untried = [move for move in moves if move not in children]
        if untried:
            return random.choice(untried)
        visits = sum(tried.visits for tried in children.values())
        return max(moves, key=lambda move: ucb1(children[move], visits))

    for _ in range(N):
        here, children, path, growing = state, root, [], True
        while not game.is_terminal(here):
            moves, to_move = list(game.actions(here)), game.to_move(here)
            move = select(moves, children) if growing else random.choice(moves)
            here = game.result(here, move)
            if not growing:
                here = after_chance(game, here)
                continue
            growing = move in children  # a playout adds one move to the tree
            tried = children.setdefault(move, _Tried())
            path.append((to_move, tried))
            here = after_chance(game, here)
            children = tried.below.setdefault(str(here), {})
        for to_move, tried in path:
            utility = game.utility(here, to_move)
            seen[:] = min([*seen, utility]), max([*seen, utility])
            tried.visits += 1
            tried.total += utility
    return max(root, key=lambda move: root[move].visits, default=None)


def _searcher(game: Game, state: Any, chance: bool = False, players: int | None = 2) -> Any:
    """Returns the player to move, whose value is maximised; raises if the game is another kind."""
    if isinstance(state, Game):
        raise TypeError("the arguments are (game, state), in the order of the 4th edition")
    if isinstance(state, State):
        if players and len(state.players) != players:
            raise ValueError(f"this search is for two players, not {len(state.players)}")
        if state.position.has_chance and not chance:
            raise ValueError("this search is for games without chance: use expectiminimax_search")
    return game.to_move(state)


# ---- the names and orders of arguments of games.py


def require_order(state: Any) -> None:
    """Raises TypeError if a game is given where games.py has the state."""
    if isinstance(state, Game):
        raise TypeError("the arguments are (state, game), in the order of games.py")


minmax_player = player(minimax_search)
alpha_beta_player = player(alphabeta_search)
expect_minmax_player = expectiminimax_player = player(expectiminimax_search)


def mcts_player(game: Game, state: Any) -> Move:
    """Returns the move of ``monte_carlo_tree_search``."""
    return monte_carlo_tree_search(state, game)


def minmax_decision(state: Any, game: Game) -> Move:
    """Returns the best move, by minimax."""
    require_order(state)
    return minimax_search(game, state)[1]


def alpha_beta_search(state: Any, game: Game) -> Move:
    """Returns the best move, by alpha-beta."""
    require_order(state)
    return alphabeta_search(game, state)[1]


def expect_minmax(
    state: Any,
    game: Game,
    d: int = 3,
    eval_fn: Callable[[Any], float] | None = None,
) -> Move:
    """Returns the best move in a game of chance, when lines are followed to depth ``d``.

    ``eval_fn(state)`` is an estimate of the utility for the player who searches, 0 by default.
    """
    require_order(state)

    def h(state: Any, player: Any) -> float:
        return eval_fn(state) if eval_fn else 0

    return expectiminimax_search(game, state, cutoff_depth(d), h)[1]


expectiminimax = expect_minmax


def alpha_beta_cutoff_search(
    state: Any,
    game: Game,
    d: int = 4,
    cutoff_test: Callable[[Any, int], bool] | None = None,
    eval_fn: Callable[[Any], float] | None = None,
) -> Move:
    """Returns the move that is best when lines are followed to depth ``d``.

    ``eval_fn(state)`` is the value of a state, of a finished game too, for the player who searches;
    ``cutoff_test(state, depth)`` says where to stop.
    """
    require_order(state)

    def h(state: Any, player: Any) -> float:
        return eval_fn(state) if eval_fn else game.utility(state, player)

    def cutoff(_: Game, state: Any, depth: int) -> bool:
        return depth > 0 and (cutoff_test(state, depth) if cutoff_test else depth > d)

    evaluated = Game()  # as ``game``, except for the utility of finished games
    same = ("actions", "result", "to_move", "is_terminal")
    vars(evaluated).update({name: getattr(game, name) for name in same}, utility=h)
    return h_alphabeta_search(evaluated, state, cutoff, h)[1]
