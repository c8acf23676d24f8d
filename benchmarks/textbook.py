"""Implements Connect Four and alpha-beta as textbooks write them: the yardstick of ``search.py``.

States are named tuples with a dict of squares, a list of moves, and the utility worked out from the
last stone, as in the code that accompanies Artificial Intelligence: A Modern Approach; the search
is figure 5.7 with a depth cut-off. Nothing here is slower than such code has to be.
"""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """Holds a position: whose turn, the utility for X, the squares taken, the moves left."""

    to_move: str
    utility: int
    board: dict[tuple[int, int], str]
    moves: list[tuple[int, int]]


class GridGame:
    """Defines k in a row on a grid of ``columns`` x ``rows``; with gravity it is Connect Four."""

    def __init__(self, columns: int, rows: int, k: int, gravity: bool) -> None:
        self.k, self.gravity = k, gravity
        squares = [(x, y) for x in range(1, columns + 1) for y in range(1, rows + 1)]
        self.initial = State("X", 0, {}, squares)

    def actions(self, state: State) -> list[tuple[int, int]]:
        """Returns the squares that may be taken."""
        if not self.gravity:
            return state.moves
        return [(x, y) for x, y in state.moves if y == 1 or (x, y - 1) in state.board]

    def result(self, state: State, move: tuple[int, int]) -> State:
        """Returns the state after a stone on ``move``."""
        board = state.board.copy()
        board[move] = state.to_move
        moves = list(state.moves)
        moves.remove(move)
        won = self.wins(board, move, state.to_move)
        utility = (1 if state.to_move == "X" else -1) if won else 0
        return State("O" if state.to_move == "X" else "X", utility, board, moves)

    def wins(self, board: dict[tuple[int, int], str], move: tuple[int, int], player: str) -> bool:
        """Tests whether the stone on ``move`` completes a row."""
        return any(self.run(board, move, player, d) for d in ((0, 1), (1, 0), (1, -1), (1, 1)))

    def run(
        self,
        board: dict[tuple[int, int], str],
        move: tuple[int, int],
        player: str,
        direction: tuple[int, int],
    ) -> bool:
        """Tests whether there are k in a row through ``move``."""
        dx, dy = direction
        count = 0
        for sign in (1, -1):
            x, y = move
            while board.get((x, y)) == player:
                count += 1
                x, y = x + sign * dx, y + sign * dy
        return count - 1 >= self.k

    def terminal(self, state: State) -> bool:
        """Tests whether the game is won, or nothing is left to take."""
        return state.utility != 0 or not state.moves


class AlphaBeta:
    """Implements figure 5.7 with a depth cut-off and evaluation 0; counts the states it visits."""

    def __init__(self, game: GridGame, depth: int) -> None:
        self.game, self.depth, self.nodes = game, depth, 0

    def search(self, state: State) -> tuple[float, tuple[int, int] | None]:
        """Returns (value for X, move)."""
        self.nodes = 0
        if state.to_move == "X":
            return self.max_value(state, float("-inf"), float("inf"), 0)
        return self.min_value(state, float("-inf"), float("inf"), 0)

    def max_value(
        self, state: State, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, int] | None]:
        """Returns the value of best play, with X to move, and the move."""
        self.nodes += 1
        if self.game.terminal(state) or depth == self.depth:
            return state.utility, None
        value, move = float("-inf"), None
        for action in self.game.actions(state):
            other, _ = self.min_value(self.game.result(state, action), alpha, beta, depth + 1)
            if other > value:
                value, move = other, action
                alpha = max(alpha, value)
            if value >= beta:
                break
        return value, move

    def min_value(
        self, state: State, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, int] | None]:
        """Returns the value of best play, with O to move, and the move."""
        self.nodes += 1
        if self.game.terminal(state) or depth == self.depth:
            return state.utility, None
        value, move = float("inf"), None
        for action in self.game.actions(state):
            other, _ = self.max_value(self.game.result(state, action), alpha, beta, depth + 1)
            if other < value:
                value, move = other, action
                beta = min(beta, value)
            if value <= alpha:
                break
        return value, move
