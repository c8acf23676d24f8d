"""Takes the place of games.py of aima-python: its states, its squares, its order of arguments.

Write ``from adv_envs.aima.games_py import *`` for ``from games import *`` or, in newer copies, for
``from aima.games import *``. Everything of ``adv_envs.aima`` is here, too, with other states::

    TicTacToe(h=3, v=3, k=3)   GameState(to_move="X", utility=0, board={}, moves=[(1, 1), ...])
    Fig52Game()                "A", the letter of a node; leaves are "B1" to "D3"
    Fig52Extended()            0, the number of a node; a leaf is worth game.utils[node]

A square is (row, column), counted from 1 at the top left; ``board`` is a dict from squares to "X"
and "O", in which empty squares are absent. ``state.position`` is the position of ours.

Where games.py differs: a move that is not legal changes nothing there and is an IllegalMove here;
``moves`` are every empty square there, also in Connect Four and after the end; ``Backgammon`` and
all games not defined here have the states of ``adv_envs.aima``. What games.py imports comes along:
``random``, ``copy``, ``itertools``, ``namedtuple`` and, where NumPy is installed, ``np``.
"""

from __future__ import annotations

import importlib
import string
from collections import namedtuple  # noqa: F401 (it comes along with games.py)
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from adv_envs import aima
from adv_envs.position import Board, Position
from adv_envs.registry import start_position

from .textbook_games import BoardState, Game, Move, illegal
from .textbook_search import expect_minmax_player

Square = tuple[int, int]
"""(row, column), from (1, 1) at the top left."""

LINES = ((0, 1), (1, 0), (1, -1), (1, 1))
"""The steps along rows, columns and the two diagonals."""

expect_min_max_player = expect_minmax_player


class _Parts(NamedTuple):
    """Holds the parts of a state of a board game."""

    to_move: str
    """"X" or "O"."""
    utility: Any
    """1 if X has won, -1 if O has, else 0."""
    board: Mapping[Square, str]
    moves: Any
    """The legal moves; they are found anew in a state that is written by hand."""


class GameState(_Parts):
    """Represents a state of a board game as a named tuple: to_move, utility, board, moves."""

    position: Any = None
    """The position of ours; None in a state that is written by hand."""


class SquareGame(Game):
    """Defines a game on a board in the states of games.py; its rules are those of ``start``."""

    initial: GameState

    def __init__(self, start: Board) -> None:
        """Takes the first position, in which every move is a square."""
        super().__init__(start)
        self.h, self.v, self.k = start.height, start.width, getattr(start, "k", 0)
        self.start = start
        self.initial = self._reached(start, {}, 0)

    def _reached(self, position: Board, board: Mapping[Square, str], utility: Any) -> GameState:
        moves = [(y + 1, x + 1) for x, y in BoardState(position).moves]
        state = GameState("XO"[position.to_move], utility, board, moves)
        state.position = position
        return state

    def position_of(self, state: GameState) -> Board:
        """Returns the position that a state is; ValueError for a board that cannot be.

        One player may have any number of stones more than the other.
        """
        if getattr(state, "position", None) is not None:
            return state.position  # type: ignore[no-any-return]
        if not all(hasattr(state, part) for part in ("to_move", "board")):
            raise TypeError(f"a state of this game is a GameState, not {state!r}")
        if state.to_move not in ("X", "O"):
            raise ValueError(f"'X' or 'O' is to move, not {state.to_move!r}")
        stones = {"X": 0, "O": 0}
        squares = {(x + 1, y + 1) for x in range(self.h) for y in range(self.v)}
        for square, mark in state.board.items():
            if square not in squares:
                raise ValueError(
                    f"no square is {square!r}: they go from (1, 1) to ({self.h}, {self.v})"
                )
            if mark not in stones:
                raise ValueError(f"stones are 'X' and 'O', not {mark!r}")
            stones[mark] |= 1 << self.start.bit(square[0] - 1, square[1] - 1)
        player, played = "XO".index(state.to_move), len(state.board)
        counts = [stones[mark].bit_count() for mark in "XO"]
        if counts == [played - played // 2, played // 2] and played % 2 == player:
            return self.start.with_stones(stones["X"], stones["O"], played)
        own, opp = stones[state.to_move], stones["OX"[player]]
        ply = played - (played % 2 != player)
        return self.start._replace(own=own, opp=opp, ply=ply)  # type: ignore[no-any-return]

    def actions(self, state: GameState) -> list[Square]:
        """Returns the legal moves, by rows or, where stones fall, by columns."""
        position = self.position_of(state)
        if position is getattr(state, "position", None):
            return list(state.moves)
        return list(self._reached(position, state.board, state.utility).moves)

    def result(self, state: GameState, move: Square) -> GameState:
        """Returns the state after a move; IllegalMove, which lists the legal ones, for another."""
        position = self.position_of(state)
        choices = BoardState(position).choices
        row, column = move if isinstance(move, tuple) and len(move) == 2 else (0, 0)
        if (column - 1, row - 1) not in choices:
            raise illegal(move, self.actions(state))
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        return self._reached(position.play(choices[column - 1, row - 1]), board, utility)

    def utility(self, state: GameState, player: str) -> Any:
        """Returns 1 if ``player`` has won, -1 if the other has, else 0."""
        if player not in ("X", "O"):
            raise ValueError(f"no player is called {player!r}: they are 'X' and 'O'")
        value = float(state.utility) if isinstance(state.utility, str) else state.utility
        return value if player == "X" else -value

    def terminal_test(self, state: GameState) -> bool:
        """Returns whether somebody has won or there are no moves."""
        return self.utility(state, "X") != 0 or not self.actions(state)

    def display(self, state: GameState) -> None:
        """Prints the board, a dot for an empty square."""
        for row in range(1, self.h + 1):
            print(*(state.board.get((row, column), ".") for column in range(1, self.v + 1)))

    def compute_utility(self, board: Mapping[Square, str], move: Square, player: str) -> int:
        """Returns 1 if ``move`` has won for X, -1 if it has won for O, else 0."""
        won = any(self.k_in_row(board, move, player, line) for line in LINES)
        return 0 if not won else 1 if player == "X" else -1

    def k_in_row(
        self, board: Mapping[Square, str], move: Square, player: str, delta_x_y: Square
    ) -> bool:
        """Returns whether ``player`` has k stones or more in the line through ``move``."""

        def stones(sign: int) -> int:
            """Counts the stones from ``move`` on, with it, in one direction."""
            (row, column), length = move, 0
            while board.get((row, column)) == player:
                length += 1
                row, column = row + sign * delta_x_y[0], column + sign * delta_x_y[1]
            return length

        return stones(1) + stones(-1) - 1 >= self.k


def board_of(name: str, height: int, width: int, k: int) -> Board:
    """Returns the empty board of a registered game of k in a row."""
    start = start_position(name, height=height, width=width, k=k)
    assert isinstance(start, Board)
    return start


class TicTacToe(SquareGame):
    """Defines k in a row on ``h`` rows of ``v`` squares."""

    def __init__(self, h: int = 3, v: int = 3, k: int = 3) -> None:
        """Raises ValueError where the rules have no such board."""
        super().__init__(board_of("tic_tac_toe", h, v, k))


class ConnectFour(SquareGame):
    """Defines k in a row where stones fall: 7 rows and 6 columns, as games.py has them."""

    def __init__(self, h: int = 7, v: int = 6, k: int = 4) -> None:
        """Raises ValueError where the rules have no such board."""
        super().__init__(board_of("connect_four", h, v, k))


class Gomoku(SquareGame):
    """Defines five in a row on a large board."""

    def __init__(self, h: int = 15, v: int = 16, k: int = 5) -> None:
        """Raises ValueError where the rules have no such board."""
        super().__init__(board_of("gomoku", h, v, k))


# ---- trees


class NodeGame(Game):
    """Defines a tree of named nodes, in which MAX and MIN take turns."""

    initial: Any
    succs: Mapping[Any, Mapping[str, Any]]
    """From each node that is no leaf to the node after each move."""
    utils: Mapping[Any, float]
    """What leaves are worth to MAX."""
    of_min: frozenset[Any]
    """The nodes at which MIN moves."""

    def _known(self, state: Any) -> Any:
        if state not in self.succs and state not in self.utils:
            names = ", ".join(map(str, (*self.succs, *self.utils)))
            raise ValueError(f"no state is called {state!r}: {names}")
        return state

    def actions(self, state: Any) -> list[str]:
        """Returns the moves of a node, none for a leaf; ValueError for what is no node."""
        return list(self.succs.get(self._known(state), ()))

    def result(self, state: Any, move: Move) -> Any:
        """Returns the node that a move leads to; IllegalMove, which lists the legal ones."""
        if move not in (moves := self.actions(state)):
            raise illegal(move, moves)
        return self.succs[state][move]

    def utility(self, state: Any, player: str) -> float:
        """Returns what a leaf is worth to a player; ValueError for another node or player."""
        if player not in ("MAX", "MIN"):
            raise ValueError(f"no player is called {player!r}: they are 'MAX' and 'MIN'")
        if state not in self.utils:
            raise ValueError(f"{state!r} is no leaf with a utility")
        return self.utils[state] if player == "MAX" else -self.utils[state]

    def terminal_test(self, state: Any) -> bool:
        """Returns whether a node is a leaf."""
        return not self.actions(state)

    def to_move(self, state: Any) -> str:
        """Returns the player to move."""
        return "MIN" if self._known(state) in self.of_min else "MAX"


def nodes_by_rows(start: Position) -> Iterator[tuple[str, Position]]:
    """Yields the nodes of a small tree with letters by rows, "A" first; leaves are "B1", "B2"."""
    letters, row = iter(string.ascii_uppercase), [("", start)]
    for leaf, position in row:
        name = leaf if position.is_terminal() else next(letters)
        yield name, position
        for number, action in enumerate(() if leaf else position.legal_actions(), 1):
            after = position.play(action)
            row.append((f"{name}{number}" if after.is_terminal() else "", after))


class Fig52Game(NodeGame):
    """Defines the tree of figure 5.2, in which a1 is best and worth 3."""

    initial = "A"

    def __init__(self) -> None:
        """Names the nodes of our figure."""
        super().__init__()
        nodes = dict(nodes_by_rows(start_position("fig52")))
        names = {position: name for name, position in nodes.items()}
        inner = {name: each for name, each in nodes.items() if not each.is_terminal()}
        self.succs = {
            name: {each.name(a): names[each.play(a)] for a in each.legal_actions()}
            for name, each in inner.items()
        }
        self.utils = {name: each.utility(0) for name, each in nodes.items() if name not in inner}
        self.of_min = frozenset(name for name, each in inner.items() if each.to_move == 1)


Fig52 = Fig52Game


class Fig52Extended(NodeGame):
    """Defines a tree of 40 nodes, numbered by rows, with three moves at each: "l", "m" and "r".

    Leaves are 13 to 39; set ``utils``, a dict, to what they are worth to MAX.
    """

    initial = 0
    of_min = frozenset((1, 2, 3))

    def __init__(self) -> None:
        """Leaves the utilities to be set."""
        super().__init__()
        self.succs = {n: {"lmr"[i]: 3 * n + 1 + i for i in range(3)} for n in range(13)}
        self.utils = {}

    def _known(self, state: Any) -> Any:
        if state not in range(40):
            raise ValueError(f"no state is called {state!r}: they are 0 to 39")
        return state


TicTacToeGame, ConnectFourGame, GomokuGame = TicTacToe, ConnectFour, Gomoku

_ALONG = {name: name for name in ("copy", "itertools", "random")}
_ALONG |= {"np": "numpy"} if find_spec("numpy") else {}
"""The modules that come along, by the names that they have."""

_OWN = (
    *("ConnectFour", "ConnectFourGame", "Fig52", "Fig52Extended", "Fig52Game", "GameState"),
    *("Gomoku", "GomokuGame", "NodeGame", "SquareGame", "TicTacToe", "TicTacToeGame"),
    *("expect_min_max_player", "namedtuple"),
)
__all__ = sorted({*aima.__all__, *_OWN, *_ALONG})  # noqa: PLE0605 (a list of names)


def __getattr__(name: str) -> Any:
    """Finds what comes along, and everything else in ``adv_envs.aima``."""
    return importlib.import_module(_ALONG[name]) if name in _ALONG else getattr(aima, name)
