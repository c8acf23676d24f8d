"""What every move of a position is worth, exactly, whatever solver the game has."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from adv_envs import ConnectFour, Hex, Pig, Position, ThirtyOne, TicTacToe
from adv_envs.position import Board
from agents.games.connect_four import ConnectFourSolver
from agents.games.connect_four.book import book_for
from agents.games.hex.solver import HexSolver
from agents.games.pig_solver import PigSolver

MOST_WRITTEN = 5_000_000
"""Positions that can be written down, reachable or not, of a game that is worth the attempt."""

MOST_CELLS = 12
"""Cells of the largest m,n,k board with fewer positions than that."""

EMPTY_AT_ONCE = 32
"""Empty cells of Connect Four with which every move is solved in a second at most."""

EMPTY_SOON = 35
"""Those with which it takes some seconds."""

HEX_AT_ONCE = 39
"""The same for Hex, nearly always; boards up to 6 x 6 are solved at once with any stones."""

HEX_SOON = 41
"""Those with which it takes some seconds."""

LARGEST_HEX = 7


class Worth(NamedTuple):
    """What a move is worth to the player who makes it."""

    value: float
    """1 for a win, 0.5 for a draw, 0 for a loss; with dice the chance of winning; where the game
    is played for other amounts, that amount."""
    score: float
    """The larger the better: among moves of the same value it says how soon. k is a win with the
    k-th last stone the winner may have, -k a loss to that, 0 a draw; the value, where the game has
    no such scores."""


class Exact:
    """The exact worth of every move of one game, that of ``start``.

    ``has_scores``: whether quick wins and long defences are told apart. ``in_points``: whether
    values are chances to win, from 0 to 1.
    """

    has_scores = False
    in_points = True

    def __init__(self, start: Position) -> None:
        self.start = start.start()

    def worths(self, position: Position) -> dict[int, Worth]:
        """The worth of each legal action; none where the game is over."""
        raise NotImplementedError

    def is_quick(self, position: Position) -> bool:
        """Whether ``worths`` takes a second at most."""
        return True

    def is_feasible(self, position: Position) -> bool:
        """Whether it takes some seconds at most."""
        return self.is_quick(position)

    def progress(self, position: Position) -> float:
        """How much of the game lies behind, from 0 to 1."""
        here: Any = position
        if isinstance(position, Board):
            return position.ply / (position.height * position.width)
        if isinstance(position, ThirtyOne):
            return float(here.total / here.limit)
        return float(max(here.first, here.second) / here.target)  # Pig


class ExactConnectFour(Exact):
    """Four in a row on any board, by the solver and its book."""

    has_scores = True

    def __init__(self, start: ConnectFour) -> None:
        super().__init__(start)
        self._solver = ConnectFourSolver()
        self._book = book_for((start.height, start.width), True)
        self._cells = start.height * start.width

    def worths(self, position: Position) -> dict[int, Worth]:
        """By the solver's scores."""
        values = self._solver.values(position)
        return {action: from_score(score) for action, score in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Late, or early enough for the book to know every move."""
        here: Any = position
        if self._cells - here.ply <= EMPTY_AT_ONCE:
            return True
        return all(self._known(position.play(action)) for action in position.legal_actions())

    def is_feasible(self, position: Position) -> bool:
        """After seven plies of the usual board."""
        here: Any = position
        return self._cells - here.ply <= EMPTY_SOON or self.is_quick(position)

    def _known(self, child: Any) -> bool:
        return child.is_terminal() or (
            self._book is not None and self._book.score(child) is not None
        )


class ExactHex(Exact):
    """Hex, by its solver: moves win or lose."""

    def __init__(self, start: Hex) -> None:
        if start.size > LARGEST_HEX:
            raise ValueError(
                f"hex is graded up to size {LARGEST_HEX}, where it is solved; this is size "
                f"{start.size}"
            )
        super().__init__(start)
        self._solver = HexSolver()

    def worths(self, position: Position) -> dict[int, Worth]:
        """1 or 0."""
        values = self._solver.values(position)
        return {action: from_value((value + 1) / 2) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Small boards, late positions, and the first move, which a table tells."""
        here: Any = position
        cells = here.size**2
        return cells <= 36 or cells - here.ply <= HEX_AT_ONCE or (here.ply == 0 and not here.swap)

    def is_feasible(self, position: Position) -> bool:
        """After eight plies of the 7 x 7 board."""
        here: Any = position
        return here.size**2 - here.ply <= HEX_SOON or self.is_quick(position)


class ExactPig(Exact):
    """Pig, by value iteration: every move is worth the chance of winning after it."""

    def __init__(self, start: Pig) -> None:
        super().__init__(start)
        self._solver = PigSolver()
        if start.target > 200:
            raise ValueError(f"pig is graded up to target 200, not {start.target}")

    def worths(self, position: Position) -> dict[int, Worth]:
        """The chances of winning."""
        values = self._solver.values(position)
        return {action: from_value((value + 1) / 2) for action, value in values.items()}


def exact_for(start: Position) -> Exact:
    """The exact worth of moves in the game of ``start``; the same object again for the same game.

    ValueError, which says what is graded, for games that cannot be solved within seconds.
    """
    return _exact_for(start.start())


@lru_cache(maxsize=8)
def _exact_for(start: Position) -> Exact:
    if start.num_players != 2:
        raise ValueError(f"games of two players are graded, not of {start.num_players}")
    if isinstance(start, Hex):
        return ExactHex(start)
    if isinstance(start, Pig):
        return ExactPig(start)
    if isinstance(start, ConnectFour) and start.k == 4:
        return ExactConnectFour(start)
    if isinstance(start, TicTacToe) and start.height * start.width > MOST_CELLS:
        raise ValueError(
            f"tic-tac-toe is graded on boards of up to {MOST_CELLS} cells, such as 3 x 4; "
            f"this one has {start.height * start.width}"
        )
    from .listed import ExactListed, too_large

    if (start.state_space() or 0) > MOST_WRITTEN:
        raise too_large(start)
    return ExactListed(start)


def from_score(score: float) -> Worth:
    """The worth of a move with a score: its sign says who wins."""
    return Worth((score > 0) + 0.5 * (score == 0), score)


def from_value(value: float) -> Worth:
    """The worth of a move where there are no scores."""
    return Worth(value, value)
