"""Kalah: evaluations and a move order, the exact solver, and how the game is graded.

- ``evaluations``: the lead in seeds, and which moves to try first;
- ``solver``: ``KalahSolver``, the exact margin of games and endings with few seeds.
"""

from __future__ import annotations

from adv_envs import Kalah, Position
from agents.agent import SearchAgent
from agents.knowledge import ExactValues, Knowledge, MoveValue, SolutionText, register_knowledge
from agents.spec import register

from .evaluations import lead, promising
from .solver import KalahSolver, seeds_left

__all__ = ["KalahSolver", "lead", "promising"]

QUICK = 22
"""Seeds in the pits up to which all moves are solved in a second at most."""

FEASIBLE = 30
"""Seeds in the pits up to which all moves are solved in some seconds."""


class KalahValues(ExactValues):
    """The exact margins of moves, by the solver."""

    in_points = False

    def __init__(self, start: Kalah) -> None:
        super().__init__(start)
        self._solver = KalahSolver()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the margin that each legal action leads to."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value(margin) for action, margin in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether few seeds are left in the pits."""
        return seeds_left(position) <= QUICK  # type: ignore[arg-type]

    def is_feasible(self, position: Position) -> bool:
        """Returns whether not too many seeds are left in the pits."""
        return seeds_left(position) <= FEASIBLE  # type: ignore[arg-type]


def solver(position: Kalah) -> type[SearchAgent]:
    """Returns the solver, for boards of any size: how long it takes is another question."""
    return KalahSolver


def progress(position: Kalah) -> float:
    """Returns the share of the seeds that are in the stores."""
    return 1 - seeds_left(position) / position.max_utility


def in_words(position: Kalah, margin: float) -> str:
    """Returns who wins, and by how many seeds."""
    if margin == 0:
        return "a draw"
    seeds = f"{abs(margin):g} seed{'s' * (abs(margin) != 1)}"
    return f"a win by {seeds}" if margin > 0 else f"a loss by {seeds}"


def opponent(start: Kalah) -> str:
    """Returns the solver for small games, else alpha-beta with the lead in seeds."""
    if start.max_utility <= QUICK:
        return "kalah_solver()"
    return "alpha_beta(nodes=1000000, evaluate=kalah.lead)"


def analyst(position: Kalah) -> str:
    """Returns the solver where it is quick, otherwise alpha-beta for some seconds."""
    if seeds_left(position) <= QUICK:
        return "kalah_solver()"
    return "alpha_beta(seconds=3, evaluate=kalah.lead)"


def strong(start: Kalah) -> str:
    """Returns the solver for small games, else alpha-beta for two seconds a move."""
    if start.max_utility <= QUICK:
        return "kalah_solver()"
    return "alpha_beta(seconds=2, evaluate=kalah.lead, table_mb=256)"


RUNGS = {
    "random": "random",
    "greedy": "greedy(evaluate=kalah.lead)",
    "mcts 30": "mcts(simulations=30)",
    "mcts 300": "mcts(simulations=300)",
    "depth 2": "alpha_beta(depth=2, evaluate=kalah.lead)",
    "depth 4": "alpha_beta(depth=4, evaluate=kalah.lead)",
    "depth 6": "alpha_beta(depth=6, evaluate=kalah.lead)",
    "depth 9": "alpha_beta(depth=9, evaluate=kalah.lead)",
}
"""Opponents from random play to searches of a tenth of a second."""

register("kalah_solver", KalahSolver)
register_knowledge(
    Kalah,
    Knowledge(
        evaluations={"lead": lead},
        default_evaluation="lead",
        orders={"promising": promising},
        order=promising,
        solver=solver,
        exact_values=KalahValues,
        progress=progress,
        opponent=opponent,
        analyst=analyst,
        solution=SolutionText(name="margin", in_words=in_words),
        strong=strong,
        rungs=RUNGS,
    ),
)
