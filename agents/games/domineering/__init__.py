"""What is known about Domineering.

``solver.py`` is an agent that plays perfectly on boards of up to 7 x 8; its search, in
``safe_moves.py``, stops where the moves that nobody can take from a player are enough.
``evaluations.py`` has the counts of moves, an evaluation, a move order and the symmetries.
"""

from __future__ import annotations

from typing import Any

from adv_envs import Domineering, Position
from agents.agent import SearchAgent
from agents.knowledge import (
    ExactValues,
    Knowledge,
    MoveValue,
    NotGraded,
    Symmetries,
    register_knowledge,
)
from agents.spec import register

from .evaluations import (
    image,
    image_action,
    inverse_image,
    least_room,
    mobility,
    num_images,
    room,
    whole_image,
)
from .solver import DomineeringSolver, fits

__all__ = ["DomineeringSolver"]

QUICK_FREE = 36
"""The values of all moves take a second at most with so many free cells."""


class DomineeringValues(ExactValues):
    """The exact values of Domineering: who wins after each move."""

    def __init__(self, start: Domineering) -> None:
        super().__init__(start)
        self._solver = DomineeringSolver()
        if not fits(start):
            raise NotGraded(
                "domineering is graded on boards that the solver takes, up to 7 x 8; "
                f"this one is {start.height} x {start.width}"
            )

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns 1 or 0 for each legal action."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((v + 1) / 2) for action, v in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether few cells are free."""
        here: Any = position
        return bool(here.num_actions - 2 * here.ply <= QUICK_FREE)

    def is_feasible(self, position: Position) -> bool:
        """Returns True: all boards that are taken are solved in some seconds."""
        return True


def solver(position: Domineering) -> type[SearchAgent] | None:
    """Returns the solver for boards that it takes."""
    return DomineeringSolver if fits(position) else None


def strong(start: Domineering) -> str:
    """Returns the solver, or a search of some seconds where the board is too large for it."""
    searching = "alpha_beta(seconds=4, evaluate=domineering.room)"
    return "domineering_solver()" if fits(start) else searching


def opponent(start: Domineering) -> str:
    """Returns a search of a moment by real and safe moves."""
    return "alpha_beta(nodes=50000, evaluate=domineering.room)"


RUNGS = {
    "random": "random",
    "mcts 30": "mcts(simulations=30)",
    "mobility": "greedy(evaluate=domineering.mobility)",
    "room": "greedy(evaluate=domineering.room)",
    "mcts 300": "mcts(simulations=300)",
    "depth 3": "alpha_beta(depth=3, evaluate=domineering.room)",
    "mcts 3000": "mcts(simulations=3000)",
    "depth 5": "alpha_beta(depth=5, evaluate=domineering.room)",
}
"""Opponents from random to the strongest that can be played in minutes."""

register("domineering_solver", DomineeringSolver)
register_knowledge(
    Domineering,
    Knowledge(
        evaluations={"room": room, "mobility": mobility},
        default_evaluation="room",
        orders={"least_room": least_room},
        order=least_room,
        symmetries=Symmetries(num_images, image, image_action, inverse_image, whole_image),
        solver=solver,
        exact_values=DomineeringValues,
        progress=lambda position: 2 * position.ply / position.num_actions,
        sample_plies=lambda start: range(max(1, start.num_actions // 3)),
        opponent=opponent,
        analyst=strong,
        strong=strong,
        rungs=RUNGS,
    ),
)
