"""Hex: evaluations, the exact solver up to 8 x 8, virtual connections, playouts, grading.

- ``evaluations``: values of positions, a move order, the symmetry, distances;
- ``bridge_playouts``: Monte Carlo playouts that mend bridges;
- ``solver``: ``HexSolver``, with the openings that ship with it. It runs
- ``proof``: depth-first proof-number search with carriers, and its table, on
- ``inferior_cells``: dead and captured cells, which are filled in before anything else;
- ``virtual_connections``: H-search, and the must-play region that follows from it;
- ``current_flow``: the order of moves, by the currents through their cells;
- ``sparse_h_search``: an H-search for boards of every size, and the moves that it proves for MCTS;
- ``connection_store``: the connections that it keeps;
- ``dialect``: how other Hex programs write the game.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Hex, Position
from agents.agent import Agent, SearchAgent, require_unfinished
from agents.knowledge import (
    ExactValues,
    Knowledge,
    MoveValue,
    NotGraded,
    Symmetries,
    register_knowledge,
)
from agents.spec import register

from . import bridge_playouts
from .dialect import HTP
from .evaluations import (
    centre,
    connected,
    image,
    image_action,
    inverse_image,
    num_images,
    on_shortest_path,
    path_cells,
    relevant_connected,
    resistance,
    shortest_path,
    two_distance,
)
from .solver import HexSolver
from .sparse_h_search import proven_moves
from .virtual_connections import must_play, winner_by_connections

__all__ = [
    "HexSolver",
    "Rush",
    "centre",
    "connected",
    "must_play",
    "on_shortest_path",
    "proven_moves",
    "relevant_connected",
    "resistance",
    "shortest_path",
    "two_distance",
    "winner_by_connections",
]


@dataclass(repr=False)
class Rush(Agent):
    """Plays Hex on its own shortest path from edge to edge, whatever the opponent does.

    Of the empty cells on shortest paths it takes one at random. ValueError for other games.
    """

    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "rush"
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Seeds the generator that chooses among the cells of the path."""
        self._random = random.Random(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Seeds the generator again; None leaves it as it is."""
        if seed is not None:
            self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns a cell of a shortest path."""
        require_unfinished(position)
        if not isinstance(position, Hex):
            raise ValueError(f"rush plays hex, not {type(position).__name__}")
        cells = path_cells(position, position.to_move)
        stones = range(position.num_stone_actions)
        return self._random.choice([a for a in stones if cells >> position.entry(a) & 1])


# ---- grading

QUICK_EMPTY = 39
"""Empty cells up to which all moves are nearly always solved in a second; boards up to 6 x 6 are
solved in a second with any stones."""

SAMPLED_EMPTY = 37
"""Empty cells up to which all moves are always solved in a fraction of a second."""

FEASIBLE_EMPTY = 41
"""Empty cells up to which all moves are solved in some seconds."""

LARGEST_GRADED = 7
"""The largest board whose positions are graded."""


class HexValues(ExactValues):
    """The exact values of Hex, by its solver: every move wins or loses."""

    def __init__(self, start: Hex) -> None:
        if start.size > LARGEST_GRADED:
            raise NotGraded(
                f"hex is graded up to size {LARGEST_GRADED}, where it is solved; this is size "
                f"{start.size}"
            )
        super().__init__(start)
        self._solver = HexSolver()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns 1 or 0 for each legal action."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((v + 1) / 2) for action, v in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether the board is small, the position late, or the openings are known."""
        here: Any = position
        cells = here.size**2
        return cells <= 36 or cells - here.ply <= QUICK_EMPTY or (here.ply == 0 and not here.swap)

    def is_feasible(self, position: Position) -> bool:
        """Returns whether it is quick, or there are at most FEASIBLE_EMPTY empty cells."""
        here: Any = position
        return here.size**2 - here.ply <= FEASIBLE_EMPTY or self.is_quick(position)


# ---- the record


def solver(position: Hex) -> type[SearchAgent]:
    """Returns the solver, which refuses boards that are too large."""
    return HexSolver


def sample_plies(start: Hex) -> range:
    """Returns the plies with at most SAMPLED_EMPTY empty cells."""
    cells = start.size**2
    return range(max(0, cells - SAMPLED_EMPTY), cells - 1)


def opponent(start: Hex) -> str:
    """Returns alpha-beta with Queenbee's evaluation."""
    return "alpha_beta(nodes=50000, evaluate=hex.two_distance, order=hex.centre)"


def analyst(position: Hex) -> str:
    """Returns Monte Carlo tree search, which uses virtual connections."""
    return "mcts(seconds=3)"


register("rush", Rush)
register("hex_solver", HexSolver)
RUNGS = {
    "random": "random",
    "connected": "greedy(evaluate=hex.connected)",
    "relevant": "greedy(evaluate=hex.relevant_connected)",
    "mcts 3": "mcts(simulations=3)",
    "mcts 10": "mcts(simulations=10)",
    "rush": "rush",
    "mcts 30": "mcts(simulations=30)",
    "greedy": "greedy(evaluate=hex.two_distance)",
    "mcts 100": "mcts(simulations=100)",
    "mcts 300": "mcts(simulations=300)",
    "mcts 1000": "mcts(simulations=1000)",
    "mcts 3000": "mcts(simulations=3000)",
}
"""Opponents from random to perfect, or as near to it as can be played in minutes."""

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
        default_evaluation="two_distance",
        orders={"centre": centre, "on_shortest_path": on_shortest_path},
        order=centre,
        symmetries=Symmetries(num_images, image, image_action, inverse_image),
        transposed_sides=True,
        proven_moves=proven_moves,
        playout=lambda position: bridge_playouts.bridged,
        winning_move=lambda position: bridge_playouts.winning_cell,
        grave=1,  # wins 73 % at equal time against none
        solver=solver,
        exact_values=HexValues,
        progress=lambda position: position.ply / position.size**2,
        sample_plies=sample_plies,
        opponent=opponent,
        analyst=analyst,
        rungs=RUNGS,
        gtp=HTP,
    ),
)
