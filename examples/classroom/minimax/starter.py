"""Searches game trees by minimax and alpha-beta. Your task is in handout.md.

Write ``minimax_search`` and ``alpha_beta_search``; ``agent`` plays tic-tac-toe with the latter.

    python starter.py                          says what is still missing
    python test_public.py starter.py           tests what is there
"""

from typing import Any

from adv_envs import Position
from adv_envs.aima import Fig52, Game


def minimax_search(game: Game, state: Any) -> tuple[float, Any]:
    """Returns (value, move): the value of ``state`` for the player to move, and the best move.

    Every line is followed to its end. Of moves with the same value the first one counts. Ask the
    game: ``game.to_move(state)``, ``game.actions(state)``, ``game.result(state, move)``,
    ``game.is_terminal(state)`` and, at the end of a line only, ``game.utility(state, player)``.
    """
    raise NotImplementedError("write minimax_search")


def alpha_beta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Returns what ``minimax_search`` returns, without the moves that cannot change it.

    Moves are looked at in the order of ``game.actions(state)``. A node is left as soon as its value
    is known to be outside of alpha and beta, or on one of these bounds.
    """
    raise NotImplementedError("write alpha_beta_search")


def agent(position: Position) -> int:
    """Returns the action that alpha-beta finds. It is complete: there is nothing to change."""
    game = Game(position)
    _, move = alpha_beta_search(game, game.initial)
    return game.initial.action(move)  # type: ignore[no-any-return]


def main() -> None:
    """Tells what the searches find in figure 5.2 of the textbook, or that they are missing."""
    for search in (minimax_search, alpha_beta_search):
        try:
            value, move = search(Fig52(), Fig52().initial)
        except NotImplementedError as missing:
            print(f"Still to do: {missing}")
        else:
            print(f"{search.__name__} finds {value} by {move}; right is 3 by a1")


if __name__ == "__main__":
    main()
