"""Implements the interface of Artificial Intelligence: A Modern Approach, chapter 5.

Code written for the Python of the book runs after ``from adv_envs.aima import *``::

    play_game(TicTacToe(), dict(X=random_player, O=player(alphabeta_search)), verbose=True).utility
    TicTacToe().play_game(alpha_beta_player, query_player)      # as in games.py

Code for games.py, the module of aima-python, runs after ``from adv_envs.aima.games_py import *``:
its states are letters and ``GameState``, and its squares are (row, column), counted from 1.

``Game(position)`` plays any position of ours, and ``StochasticGame(position)`` games of chance too;
every registered game has a class here, such as ``ConnectFour(6, 7, 4)`` and ``Pig(100)``. States
and moves are those of the 4th edition's notebook, games4e.ipynb. A square is (x, y): x counts
columns from the left, y rows from the top, both from 0; in Connect Four it is where the stone
lands, so (3, 5) begins in the middle::

        x  0 1 2
      y 0  . . O      state[2, 0] == "O"        state[1, 1] == "."      empty
        1  . . .      state[0, 2] == "X"        state[3, 0] == "#"      off the board
        2  X . .      set(state) == {(0, 2), (2, 0)}, the squares with a stone; len(state) == 2

Players are "X" and "O" on boards, "MAX" and "MIN" elsewhere; three or more are "A", "B", "C" and so
on (figure 5.4). While a die rolls, "CHANCE" is to move. A move that is not a square is its name:
"a1" in figure 5.2, "5" in the Game of 31, "swap" in Hex. Any move may also be given by name, "b3",
or as the number of our action.

Where the book's code differs:

- a state here is a position and cannot be edited: there is no ``new``, only ``game.result``;
- ``actions`` gives a list, in our order, where the notebook gives a set;
- an illegal move is an IllegalMove, where games.py lets the turn pass;
- ``chances`` gives the certain event where nothing is uncertain, and an event has its probability;
- ``expect_minmax`` stops at a depth, ``d=3``: lines of Pig need not end.
"""

from typing import Any

from adv_envs.notation import IllegalMove

from . import textbook_games, textbook_search
from .textbook_games import *  # noqa: F403 - it lists what it gives
from .textbook_games import class_names, game_class
from .textbook_search import *  # noqa: F403

__all__ = textbook_games.__all__ + textbook_search.__all__ + ["IllegalMove"]
__all__ += [name for game in class_names() for name in (game, f"{game}Game")]


def __getattr__(name: str) -> Any:
    """Finds the class of a registered game, ``TicTacToe`` or, as in games.py, ``TicTacToeGame``."""
    games = class_names()
    found = games.get(name) or games.get(name.removesuffix("Game"))
    if found is None:
        raise AttributeError(f"module 'adv_envs.aima' has no attribute {name!r}")
    return game_class(found)
