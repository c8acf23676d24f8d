"""Othello: evaluations, the exact endgame solver, an agent for whole games, and how it is graded.

- ``evaluations``: mobility, corners and edges; a move order, the symmetries of the board;
- ``solver``: ``OthelloSolver``, the exact score of every position, which runs
- ``endgame_search``: the compiled principal variation search with its transposition table;
- ``endgame_player``: ``OthelloPlayer``, alpha-beta until the solver takes over;
- ``dialect``: how other Othello programs write the game.
"""

from __future__ import annotations

from adv_envs import Othello, Position
from agents.agent import SearchAgent
from agents.knowledge import (
    ExactValues,
    Knowledge,
    MoveValue,
    SolutionText,
    Symmetries,
    register_knowledge,
)
from agents.spec import register

from .dialect import GTP
from .endgame_player import OthelloPlayer
from .evaluations import (
    corners_first,
    discs,
    image,
    image_action,
    inverse_image,
    mobility,
    num_images,
    whole_image,
)
from .solver import OthelloSolver

__all__ = ["OthelloPlayer", "OthelloSolver", "discs", "mobility"]

QUICK_EMPTY = 14
"""Empty cells up to which all moves are solved in a second at most."""

FEASIBLE_EMPTY = 18
"""Empty cells up to which all moves are solved in some seconds."""

SOLVED_EMPTY = 24
"""Empty cells up to which a position is solved in a minute or so."""

SAMPLED_EMPTY = 12
"""Empty cells up to which all moves are solved in a fraction of a second."""


def empty_cells(position: Othello) -> int:
    """Returns how many cells are empty."""
    return position.size**2 - (position.own | position.opp).bit_count()


def solver(position: Othello) -> type[SearchAgent] | None:
    """Returns the solver for small boards, and from SOLVED_EMPTY empty cells on."""
    return OthelloSolver if empty_cells(position) <= SOLVED_EMPTY else None


class OthelloValues(ExactValues):
    """The exact values of moves of all positions with few empty cells, by the solver."""

    def __init__(self, start: Othello) -> None:
        super().__init__(start)
        self.in_points = not start.margin
        self._solver = OthelloSolver(weak=not start.margin)

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action: points for the result, or discs."""
        values = self._solver.values(position)
        if self.in_points:
            return {action: MoveValue.of_value((v + 1) / 2) for action, v in values.items()}
        return {action: MoveValue.of_value(v) for action, v in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether at most QUICK_EMPTY cells are empty."""
        return isinstance(position, Othello) and empty_cells(position) <= QUICK_EMPTY

    def is_feasible(self, position: Position) -> bool:
        """Returns whether at most FEASIBLE_EMPTY cells are empty."""
        return isinstance(position, Othello) and empty_cells(position) <= FEASIBLE_EMPTY


def in_words(position: Othello, score: float) -> str:
    """Returns the meaning of a score: who wins, and by how many discs."""
    number = abs(int(score))
    by = f"by {number} disc{'s' * (number != 1)}"
    return "a draw" if score == 0 else f"a win {by}" if score > 0 else f"a loss {by}"


def analyst(position: Othello) -> str:
    """Returns the solver where it takes seconds, otherwise alpha-beta for some seconds."""
    if empty_cells(position) <= FEASIBLE_EMPTY:
        return "perfect()"
    return "alpha_beta(seconds=3, evaluate=othello.mobility)"


RUNGS = {
    "random": "random",
    "discs": "greedy(evaluate=othello.discs)",
    "greedy": "greedy(evaluate=othello.mobility)",
    "mcts 100": "mcts(simulations=100)",
    "depth 2": "alpha_beta(depth=2, evaluate=othello.mobility)",
    "mcts 1000": "mcts(simulations=1000)",
    "depth 4": "alpha_beta(depth=4, evaluate=othello.mobility)",
    "depth 6, exact 14": "othello_player(depth=6, exact=14)",
}
"""Opponents from random to one that plays the last 14 discs perfectly."""

register("othello_solver", OthelloSolver)
register("othello_player", OthelloPlayer)
register_knowledge(
    Othello,
    Knowledge(
        evaluations={"mobility": mobility, "discs": discs},
        default_evaluation="mobility",
        orders={"corners_first": corners_first},
        order=corners_first,
        symmetries=Symmetries(num_images, image, image_action, inverse_image, whole_image),
        solver=solver,
        exact_values=OthelloValues,
        progress=lambda position: 1 - empty_cells(position) / (position.size**2 - 4),
        sample_plies=lambda start: range(
            max(start.size**2 - 4 - SAMPLED_EMPTY, 0), start.size**2 - 4
        ),
        opponent=lambda start: "othello_player(nodes=300000, exact=14)",
        analyst=analyst,
        strong=lambda start: "othello_player(seconds=3, exact=18)",
        rungs=RUNGS,
        solution=SolutionText(name="discs", in_words=in_words),
        gtp=GTP,
    ),
)
