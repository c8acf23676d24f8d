"""Connect Four: evaluations, playouts, the exact solver and its book, and how it is graded.

- ``evaluations``: threats and the zugzwang they lead to, open lines, a move order, the symmetry;
- ``decisive_playouts``: Monte Carlo playouts that win at once or stop the opponent from it;
- ``solver``: ``ConnectFourSolver``, the exact score of every position, which runs
- ``exact_search``: the compiled null-window search with its transposition table, on
- ``bitboard``: boards as integers: threats, rows of four, keys;
- ``classes``: the six classes of test positions that solvers are compared by;
- ``book``, ``book_writer``: books of openings, and how they are made.
"""

from __future__ import annotations

from typing import Any

from adv_envs import ConnectFour, Position
from agents.agent import SearchAgent
from agents.knowledge import (
    ExactValues,
    Features,
    Knowledge,
    MoveValue,
    SolutionText,
    Symmetries,
    register_knowledge,
)
from agents.mcts.playouts import filling
from agents.spec import register

from . import decisive_playouts
from .book import Book, BookError, book_for
from .book_writer import OpeningBookWriter
from .evaluations import (
    centre,
    image,
    image_action,
    inverse_image,
    lines,
    num_images,
    threats,
    wins,
)
from .solver import ConnectFourSolver

__all__ = ["Book", "BookError", "ConnectFourSolver", "centre", "lines", "threats"]

QUICK_EMPTY = 32
"""Empty cells up to which all moves are solved in a second at most."""

FEASIBLE_EMPTY = 35
"""Empty cells up to which all moves are solved in some seconds."""

SAMPLED_FROM = 12
"""Plies from which on every move of nearly all positions is solved in a fraction of a second."""

SOLVED_FROM = 10
"""Plies from which on every position of the 6 x 7 board is solved in seconds without a book."""


class ConnectFourValues(ExactValues):
    """The exact values of four in a row on any board, by the solver and its book."""

    has_scores = True

    def __init__(self, start: ConnectFour) -> None:
        super().__init__(start)
        self._solver = ConnectFourSolver()
        self._book = book_for((start.height, start.width), True)
        self._cells = start.height * start.width

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action, by the solver's scores."""
        values = self._solver.values(position)
        return {action: MoveValue.of_score(score) for action, score in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether the position is late, or the book has every move."""
        here: Any = position
        if self._cells - here.ply <= QUICK_EMPTY:
            return True
        return all(self._known(position.play(action)) for action in position.legal_actions())

    def is_feasible(self, position: Position) -> bool:
        """Returns whether it is quick, or there are at most FEASIBLE_EMPTY empty cells."""
        here: Any = position
        return self._cells - here.ply <= FEASIBLE_EMPTY or self.is_quick(position)

    def _known(self, child: Any) -> bool:
        return child.is_terminal() or (
            self._book is not None and self._book.score(child) is not None
        )


def solver(position: ConnectFour) -> type[SearchAgent] | None:
    """Returns the solver for four in a row, on any board."""
    return ConnectFourSolver if position.k == 4 else None


def exact_values(start: ConnectFour) -> ExactValues:
    """Returns the solver's values for four in a row, else those of a list of all positions."""
    if start.k == 4:
        return ConnectFourValues(start)
    from agents.grading.exact_values import listed_values

    return listed_values(start)


def known_value(position: ConnectFour) -> float | None:
    """Returns 1, 0 or -1 by the shipped book, for the plies for which it is complete."""
    book = book_for((position.height, position.width), True)
    if position.k != 4 or book is None or position.ply > book.complete:
        return None
    score = book.score(position)
    return None if score is None else float((score > 0) - (score < 0))


def playout(position: ConnectFour) -> Any:
    """Returns the playout with decisive moves if it takes the board, else the one that fills it."""
    return decisive_playouts.decisive if decisive_playouts.fits(position) else filling


def winning_move(position: ConnectFour) -> Any:
    """Returns the test for winning columns if it takes the board."""
    return decisive_playouts.winning_column if decisive_playouts.fits(position) else None


def features(start: ConnectFour) -> Features | None:
    """Returns the planes of winning cells if the test for them takes the board."""
    if not decisive_playouts.fits(start):
        return None
    return Features(("completes a row of the player to move", "completes one of the other's"), wins)


def in_words(position: ConnectFour, score: float) -> str:
    """Returns the meaning of a score: who wins, and with which stone from now on."""
    if score == 0:
        return "a draw"
    cells = position.height * position.width
    own = (cells + 1 - position.ply) // 2  # stones that the player to move has left
    left = own if score > 0 else (cells - position.ply) // 2
    nth = left + 1 - abs(int(score))
    stones = "the next stone" if nth == 1 else f"{nth} more stones"
    return f"a win with {stones}" if score > 0 else f"a loss to {stones}"


def opponent(start: ConnectFour) -> str:
    """Returns alpha-beta with the evaluation of threats."""
    return "alpha_beta(nodes=1000000, evaluate=connect_four.threats, order=connect_four.centre)"


def analyst(position: ConnectFour) -> str:
    """Returns perfect play where it is quick, otherwise alpha-beta for some seconds."""
    if position.ply >= SOLVED_FROM:
        return "perfect()"
    return "alpha_beta(seconds=3, evaluate=connect_four.threats)"


register("connect_four_solver", ConnectFourSolver)
RUNGS = {
    "random": "random",
    "greedy": "greedy",
    "mcts 10": "mcts(simulations=10)",
    "mcts 30": "mcts(simulations=30)",
    "mcts 100": "mcts(simulations=100)",
    "mcts 300": "mcts(simulations=300)",
    "mcts 1000": "mcts(simulations=1000)",
    "depth 4": "alpha_beta(depth=4, evaluate=connect_four.threats)",
    "depth 8": "alpha_beta(depth=8, evaluate=connect_four.threats)",
    "perfect": "perfect",
}
"""Opponents from random to perfect, or as near to it as can be played in minutes."""

register_knowledge(
    ConnectFour,
    Knowledge(
        evaluations={"threats": threats, "lines": lines},
        default_evaluation="threats",
        orders={"centre": centre},
        order=centre,
        symmetries=Symmetries(num_images, image, image_action, inverse_image),
        playout=playout,
        winning_move=winning_move,
        features=features,
        solver=solver,
        exact_values=exact_values,
        known_value=known_value,
        progress=lambda position: position.ply / (position.height * position.width),
        sample_plies=lambda start: range(SAMPLED_FROM, start.height * start.width - 1),
        opponent=opponent,
        analyst=analyst,
        book_writer=OpeningBookWriter,
        solution=SolutionText(name="score", in_words=in_words),
        rungs=RUNGS,
    ),
)
