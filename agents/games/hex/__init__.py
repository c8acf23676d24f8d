"""Hex: evaluations, the exact solver up to 8 x 8, virtual connections, playouts, grading.

- ``evaluations``, ``distance``, ``resistance``: values of positions, a move order, half a turn;
- ``playouts``: Monte Carlo playouts that answer intrusions into bridges;
- ``rush``: an agent that only hurries along its own shortest path;
- ``solver``: ``HexSolver``, whose parts are
- ``board``: cells, sets of cells, what a kernel needs to know of a board;
- ``inferior``: dead and captured cells, which are filled in before anything else;
- ``connections``: H-search, virtual connections, and the must-play region that follows from them;
- ``circuit``: the order of moves, by the currents through their cells;
- ``memory``: the table of positions;
- ``proof``: depth-first proof-number search with carriers;
- ``knowledge``: what connections alone say of a position: must-play, and sometimes the winner;
- ``openings``: the openings that were solved, as a file;
- ``anchored``, ``carriers``: a smaller H-search, for boards of every size;
- ``decided``: the moves that win or lose by what it finds, for ``mcts``.
"""

from __future__ import annotations

from typing import Any

from adv_envs import Hex, Position
from agents.agent import SearchAgent
from agents.knowledge import ExactValues, Knowledge, MoveValue, Symmetries, register_knowledge
from agents.spec import register

from . import playouts
from .decided import decided
from .evaluations import (
    centre,
    connected,
    image,
    image_action,
    inverse_image,
    num_images,
    on_shortest_path,
    relevant_connected,
    resistance,
    shortest_path,
    two_distance,
)
from .rush import Rush
from .solver import HexSolver

__all__ = [
    "HexSolver",
    "Rush",
    "centre",
    "connected",
    "on_shortest_path",
    "relevant_connected",
    "resistance",
    "shortest_path",
    "two_distance",
]

EMPTY_AT_ONCE = 39
"""Empty cells with which every move is nearly always solved in a second; boards up to 6 x 6 are
solved in a second with any stones."""

EMPTY_SOON = 41
"""Empty cells with which every move is solved in some seconds."""

LARGEST_GRADED = 7


class HexValues(ExactValues):
    """Hex, by its solver: moves win or lose."""

    def __init__(self, start: Hex) -> None:
        if start.size > LARGEST_GRADED:
            raise ValueError(
                f"hex is graded up to size {LARGEST_GRADED}, where it is solved; this is size "
                f"{start.size}"
            )
        super().__init__(start)
        self._solver = HexSolver()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """1 or 0."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((v + 1) / 2) for action, v in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Small boards, late positions, and the first move, which a table tells."""
        here: Any = position
        cells = here.size**2
        return cells <= 36 or cells - here.ply <= EMPTY_AT_ONCE or (here.ply == 0 and not here.swap)

    def is_feasible(self, position: Position) -> bool:
        """After eight plies of the 7 x 7 board."""
        here: Any = position
        return here.size**2 - here.ply <= EMPTY_SOON or self.is_quick(position)

    def progress(self, position: Position) -> float:
        """The share of the cells that is taken."""
        here: Any = position
        return float(here.ply / here.size**2)


def solver(position: Hex) -> type[SearchAgent]:
    """The solver, which says itself which boards are too large."""
    return HexSolver


def opponent(start: Hex) -> str:
    """Alpha-beta with Queenbee's evaluation."""
    return "alpha_beta(nodes=50000, evaluate=hex.two_distance, order=hex.centre)"


def analyst(position: Hex) -> str:
    """Monte Carlo tree search, which asks for virtual connections."""
    return "mcts(seconds=3)"


register("rush", Rush)
register("hex_solver", HexSolver)
register_knowledge(
    Hex,
    Knowledge(
        evaluations={
            "shortest_path": shortest_path,
            "two_distance": two_distance,
            "resistance": resistance,
            "connected": connected,
            "relevant_connected": relevant_connected,
        },
        orders={"centre": centre, "on_shortest_path": on_shortest_path},
        order=centre,
        symmetries=Symmetries(
            num_images,
            image,
            image_action,
            inverse_image,
        ),
        proven_moves=decided,
        playout=lambda position: playouts.bridged,
        winning_move=lambda position: playouts.winning,
        grave=1,  # wins 73 % at equal time against none
        solver=solver,
        exact_values=HexValues,
        progress=lambda position: position.ply / position.size**2,
        opponent=opponent,
        analyst=analyst,
    ),
)
