"""Records what is known about Connect Four: evaluations, playouts, exact solver, book, grading.

- ``evaluations``: threats and the zugzwang they lead to, open lines, a move order, the symmetry,
  and Monte Carlo playouts that win at once or stop the opponent from it;
- ``solver``: ``ConnectFourSolver``, the exact score of every position, and how books are made;
- ``exact_search``: the compiled null-window search with its transposition table;
- ``book``: books of openings;
- ``classes``: the six classes of test positions that solvers are compared by.
"""

from __future__ import annotations

from adv_envs import ConnectFour
from agents.knowledge import (
    ExactValues,
    Features,
    Knowledge,
    SolutionText,
    by_number,
    register_knowledge,
)
from agents.mcts.playouts import filling
from agents.spec import register

from .book import Book, BookError, book_for
from .evaluations import MIRRORED, centre, decisive, fits, lines, threats, winning_column, wins
from .solver import ConnectFourSolver, OpeningBookWriter

__all__ = ["Book", "BookError", "ConnectFourSolver", "centre", "lines", "threats"]

QUICK_EMPTY = 32
"""Empty cells up to which all moves are solved in a second at most."""

FEASIBLE_EMPTY = 35
"""Empty cells up to which all moves are solved in some seconds."""

SAMPLED_FROM = 12
"""Plies from which on every move of nearly all positions is solved in a fraction of a second."""

SOLVED_FROM = 10
"""Plies from which on every position of the 6 x 7 board is solved in seconds without a book."""


def exact_values(start: ConnectFour) -> ExactValues:
    """Returns the solver's values for four in a row, else those of a list of all positions."""
    if start.k != 4:
        from agents.grading.exact_values import listed_values

        return listed_values(start)
    book = book_for((start.height, start.width), True)

    def known(child: ConnectFour) -> bool:
        return child.is_terminal() or (book is not None and book.score(child) is not None)

    def quick(position: ConnectFour) -> bool:
        """Returns whether the book has every move."""
        return all(known(position.play(action)) for action in position.legal_actions())

    return ExactValues(
        start,
        ConnectFourSolver(),
        unit="scores",
        quick=quick,
        work=empty_cells,
        limits=(QUICK_EMPTY, FEASIBLE_EMPTY),
    )


def empty_cells(position: ConnectFour) -> int:
    """Returns how many cells are empty."""
    return position.height * position.width - position.ply


def known_value(position: ConnectFour) -> float | None:
    """Returns 1, 0 or -1 by the shipped book, for the plies for which it is complete."""
    book = book_for((position.height, position.width), True)
    if position.k != 4 or book is None or position.ply > book.complete:
        return None
    score = book.score(position)
    return None if score is None else float((score > 0) - (score < 0))


def features(start: ConnectFour) -> Features | None:
    """Returns the planes of winning cells if the test for them takes the board."""
    if not fits(start):
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


def analyst(position: ConnectFour) -> str:
    """Returns perfect play where it is quick, otherwise alpha-beta for some seconds."""
    if position.ply >= SOLVED_FROM:
        return "perfect()"
    return "alpha_beta(seconds=3, evaluate=connect_four.threats)"


register("connect_four_solver", ConnectFourSolver)

register_knowledge(
    ConnectFour,
    Knowledge(
        names=("four in a row", "connect 4"),
        evaluations={"threats": threats, "lines": lines},
        default_evaluation="threats",
        orders={"centre": centre},
        order=centre,
        symmetries=MIRRORED,
        playout=lambda position: decisive if fits(position) else filling,
        winning_move=lambda position: winning_column if fits(position) else None,
        features=features,
        solver=lambda position: ConnectFourSolver if position.k == 4 else None,
        exact_values=exact_values,
        known_value=known_value,
        progress=lambda position: position.ply / (position.height * position.width),
        sample_plies=lambda start: range(SAMPLED_FROM, start.height * start.width - 1),
        settings=(
            {"height": 4, "width": 5},
            {"height": 5, "width": 6},
        ),
        opponent=lambda start: (
            "alpha_beta(nodes=1000000, evaluate=connect_four.threats, order=connect_four.centre)"
        ),
        analyst=analyst,
        book_writer=OpeningBookWriter,
        solution=SolutionText(name="score", in_words=in_words),
        rungs={
            "random": "random",
            "greedy": "greedy",
            **by_number("mcts %d", "mcts(simulations=%d)", 10, 30, 100, 300, 1000),
            **by_number("depth %d", "alpha_beta(depth=%d, evaluate=connect_four.threats)", 4, 8),
            "perfect": "perfect",
        },
    ),
)
