"""The games of the book and how they are played (AIMA, 4th edition, section 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adv_envs.games import connect_four, hex, thirty_one, tic_tac_toe, tree
from adv_envs.position import Board, Position

from .state import BoardState, Move, State, illegal

Strategy = Callable[["Game", Any], Move]
"""A player: from the game and the state to a move."""


class Game:
    """A game as section 5.1 has it: where it starts, who moves, what is legal, what it is worth.

    ``Game(position)`` is any game of ours, from that position on. A game of one's own is a subclass
    as in the book: set ``initial``, define ``actions``, ``result`` and ``utility`` and, where "no
    actions" will not do, ``is_terminal`` (in older code ``terminal_test``; either serves for both).
    """

    initial: Any

    def __init__(self, position: Position | None = None) -> None:
        if isinstance(position, Board):
            self.initial = BoardState(position)
            self.squares = {(x, y) for x in range(position.width) for y in range(position.height)}
        elif position is not None:
            self.initial = State(position)

    def __init_subclass__(cls) -> None:
        """Let the test for the end answer to both its names, whichever a subclass defines."""
        super().__init_subclass__()
        defined = {"is_terminal", "terminal_test"} & vars(cls).keys()
        if defined == {"terminal_test"}:
            cls.is_terminal = cls.terminal_test  # type: ignore[method-assign]
        elif defined == {"is_terminal"}:
            cls.terminal_test = cls.is_terminal

    def to_move(self, state: Any) -> Any:
        """The player whose turn it is."""
        return state.to_move

    def actions(self, state: Any) -> Any:
        """The legal moves."""
        return state.moves

    def result(self, state: Any, move: Move) -> Any:
        """The state that a move leads to."""
        return type(state)(state.position.play(state.action(move)))

    def is_terminal(self, state: Any) -> bool:
        """Is the game over, by our rules or because ``actions`` has nothing left?"""
        if isinstance(state, State) and not state.choices:
            return True
        return not self.actions(state)

    terminal_test = is_terminal

    def utility(self, state: Any, player: Any) -> float:
        """What the game was worth to ``player``; 0 while it goes on."""
        if not state.position.is_terminal():
            return 0
        if player not in state.players:
            raise ValueError(f"no player is called {player!r}: they are {state.players}")
        worth: float = state.position.utility(state.players.index(player))
        return worth

    def display(self, state: Any) -> None:
        """Print the state."""
        print(state)

    def play_game(self, *players: Strategy) -> float:
        """Play a game, one strategy for each player in order of play; what the first player got."""
        state = play_game(self, _InOrder(players))
        self.display(state)
        return self.utility(state, self.to_move(self.initial))


class _InOrder(dict[Any, Strategy]):
    """Strategies by player: whoever moves for the first time takes the next of ``strategies``."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        super().__init__()
        self.strategies = strategies

    def __missing__(self, player: Any) -> Strategy:
        if len(self) == len(self.strategies):
            raise KeyError(player)
        self[player] = self.strategies[len(self)]
        return self[player]


def play_game(game: Game, strategies: Mapping[Any, Strategy], verbose: bool = False) -> Any:
    """Play a game with a strategy for each player, ``{"X": random_player, "O": ...}``, to its end.

    The final state. Raises IllegalMove, which names the move, or ValueError for a missing strategy.
    """
    state = game.initial
    while not game.is_terminal(state):
        player = game.to_move(state)
        try:
            strategy = strategies[player]
        except KeyError:
            given = ", ".join(map(repr, strategies)) or "nobody"
            raise ValueError(
                f"no strategy for {player!r}, who is to move: only for {given}"
            ) from None
        move = strategy(game, state)
        if isinstance(state, State):
            move = state.spell(state.action(move))
        if move not in (legal := list(game.actions(state))):
            raise illegal(move, legal)
        state = game.result(state, move)
        if verbose:
            print("Player", player, "move:", move)
            print(state)
    return state


class TicTacToe(Game):
    """``k`` in a row; moves are squares (x, y)."""

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        super().__init__(tic_tac_toe.TicTacToe(height, width, k))
        self.k = k


class ConnectFour(Game):
    """``k`` in a row with stones that fall; moves are the squares (x, y) where they land."""

    def __init__(self, height: int = 6, width: int = 7, k: int = 4) -> None:
        super().__init__(connect_four.ConnectFour(height, width, k))
        self.k = k


class Hex(Game):
    """Hex: "X" joins top and bottom, "O" left and right; moves are squares (x, y)."""

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        super().__init__(hex.Hex(size, swap))


class ThirtyOne(Game):
    """The Game of 31; moves are the values of the tokens, "1" to "6"."""

    def __init__(self, limit: int = 31, copies: int = 4, highest: int = 6, num_players: int = 2):
        super().__init__(thirty_one.ThirtyOne(limit, copies, highest, num_players))


class Fig52(Game):
    """The tree of figure 5.2; moves are "a1" to "d3"."""

    def __init__(self) -> None:
        super().__init__(tree.Fig52())


Fig52Game = Fig52
