"""Connect Four: evaluations, the exact solver and its book, playouts, and how it is graded.

- ``evaluations``, ``zugzwang``: values of positions, a move order, the mirror image;
- ``playouts``: Monte Carlo playouts that win at once and stop the other player from it;
- ``solver``: ``ConnectFourSolver``, by ``search`` on the boards of ``bitboard``, with ``table``;
- ``book``, ``openings``: books of openings, and how they are made.
"""

from __future__ import annotations

from typing import Any

from adv_envs import ConnectFour, Position
from agents.agent import SearchAgent
from agents.knowledge import ExactValues, Knowledge, MoveValue, Symmetries, register_knowledge
from agents.mcts.playouts import filling
from agents.spec import register

from . import playouts
from .book import Book, BookError, book_for
from .evaluations import (
    centre,
    image,
    image_action,
    inverse_image,
    lines,
    num_images,
    threats,
)
from .solver import ConnectFourSolver

__all__ = ["Book", "BookError", "ConnectFourSolver", "centre", "lines", "threats"]

EMPTY_AT_ONCE = 32
"""Empty cells with which every move is solved in a second at most."""

EMPTY_SOON = 35
"""Empty cells with which every move is solved in some seconds."""

SOLVED_FROM = 10
"""Plies after which every position of the usual board is solved in seconds, without a book."""


class ConnectFourValues(ExactValues):
    """Four in a row on any board, by the solver and its book."""

    has_scores = True

    def __init__(self, start: ConnectFour) -> None:
        super().__init__(start)
        self._solver = ConnectFourSolver()
        self._book = book_for((start.height, start.width), True)
        self._cells = start.height * start.width

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """By the solver's scores."""
        values = self._solver.values(position)
        return {action: MoveValue.of_score(score) for action, score in values.items()}

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

    def progress(self, position: Position) -> float:
        """The share of the cells that is taken."""
        here: Any = position
        return float(here.ply / self._cells)

    def _known(self, child: Any) -> bool:
        return child.is_terminal() or (
            self._book is not None and self._book.score(child) is not None
        )


def solver(position: ConnectFour) -> type[SearchAgent] | None:
    """The solver knows four in a row, on any board."""
    return ConnectFourSolver if position.k == 4 else None


def exact_values(start: ConnectFour) -> ExactValues:
    """By the solver for four in a row, otherwise from a list of all positions."""
    if start.k == 4:
        return ConnectFourValues(start)
    from agents.grading.exact import listed_values

    return listed_values(start)


def known_value(position: ConnectFour) -> float | None:
    """1, 0 or -1 by the shipped book, for as many plies as it is complete."""
    book = book_for((position.height, position.width), True)
    if position.k != 4 or book is None or position.ply > book.complete:
        return None
    score = book.score(position)
    return None if score is None else float((score > 0) - (score < 0))


def playout(position: ConnectFour) -> Any:
    """The playout with decisive moves where it knows the board, else the one that fills it up."""
    return playouts.decisive if playouts.fits(position) else filling


def winning_move(position: ConnectFour) -> Any:
    """The fast test where it knows the board."""
    return playouts.winning if playouts.fits(position) else None


def opponent(start: ConnectFour) -> str:
    """Alpha-beta with the evaluation of threats."""
    return "alpha_beta(nodes=1000000, evaluate=connect_four.threats, order=connect_four.centre)"


def analyst(position: ConnectFour) -> str:
    """Perfect play where it is quick, otherwise alpha-beta for some seconds."""
    if position.ply >= SOLVED_FROM:
        return "perfect()"
    return "alpha_beta(seconds=3, evaluate=connect_four.threats)"


register("connect_four_solver", ConnectFourSolver)
register_knowledge(
    ConnectFour,
    Knowledge(
        evaluations={"threats": threats, "lines": lines},
        orders={"centre": centre},
        order=centre,
        symmetries=Symmetries(
            num_images,
            image,
            image_action,
            inverse_image,
        ),
        playout=playout,
        winning_move=winning_move,
        solver=solver,
        exact_values=exact_values,
        known_value=known_value,
        progress=lambda position: position.ply / (position.height * position.width),
        opponent=opponent,
        analyst=analyst,
    ),
)
