"""The interface of Artificial Intelligence: A Modern Approach, chapter 5, over our games.

Code written for the Python of the book runs here after ``from adv_envs.aima import *``::

    play_game(TicTacToe(), dict(X=random_player, O=player(alphabeta_search)), verbose=True).utility
    TicTacToe().play_game(alpha_beta_player, query_player)      # as in games.py of older editions

``Game(position)`` plays any position of ours. States and moves are those of the 4th edition's
notebook, games4e.ipynb. A square is (x, y): x counts columns from the left, y rows from the top,
both from 0; in Connect Four it is where the stone lands, so (3, 5) begins in the middle::

        x  0 1 2
      y 0  . . O      state[2, 0] == "O"        state[1, 1] == "."      empty
        1  . . .      state[0, 2] == "X"        state[3, 0] == "#"      off the board
        2  X . .      set(state) == {(0, 2), (2, 0)}, the squares with a stone; len(state) == 2

Players are "X" and "O" on boards, "MAX" and "MIN" elsewhere; three or more are "A", "B", "C" and so
on (figure 5.4). A move that is not a square is its name: "a1" in figure 5.2, "5" in the Game of 31,
"swap" in Hex. Any move may also be given by name, "b3", or as the number of our action.

Where the book's code differs:

- a state here is a position and cannot be edited: there is no ``new``, only ``game.result``;
- ``actions`` gives a list, in our order, where the notebook gives a set;
- an illegal move is an IllegalMove, where games.py lets the turn pass;
- squares in games.py are (row, column) counted from 1: our (x, y) is (y + 1, x + 1) there. The
  ``board`` and ``moves`` of a state are here in our squares, ``moves`` being the legal ones only;
- states of figure 5.2 in games.py are letters, "A" to "D3"; here they are reached from ``initial``.
"""

from adv_envs.notation import IllegalMove

from .game import ConnectFour, Fig52, Fig52Game, Game, Hex, ThirtyOne, TicTacToe, play_game
from .older import (
    alpha_beta_cutoff_search,
    alpha_beta_player,
    alpha_beta_search,
    minmax_decision,
    minmax_player,
)
from .players import player, query_player, random_player, seeded_random_player
from .search import alphabeta_search, cutoff_depth, h_alphabeta_search, infinity, minimax_search
from .state import BoardState, State

__all__ = [
    "BoardState",
    "ConnectFour",
    "Fig52",
    "Fig52Game",
    "Game",
    "Hex",
    "IllegalMove",
    "State",
    "ThirtyOne",
    "TicTacToe",
    "alpha_beta_cutoff_search",
    "alpha_beta_player",
    "alpha_beta_search",
    "alphabeta_search",
    "cutoff_depth",
    "h_alphabeta_search",
    "infinity",
    "minimax_search",
    "minmax_decision",
    "minmax_player",
    "play_game",
    "player",
    "query_player",
    "random_player",
    "seeded_random_player",
]
