"""Records what is known about Hex: evaluations, the solver up to 8 x 8, playouts, grading.

- ``evaluations``: values of positions, a move order, the symmetry, distances;
- ``bridge_playouts``: Monte Carlo playouts that mend bridges;
- ``solver``: ``HexSolver``, with the openings that ship with it. It runs
- ``proof``: depth-first proof-number search with carriers, moves ordered by currents, on
- ``inferior_cells``: dead and captured cells, which are filled in before anything else;
- ``virtual_connections``: H-search, and the must-play region that follows from it;
- ``sparse_h_search``: an H-search for boards of every size, and the moves that it proves for MCTS.

Hex programs write the game in the Hex text protocol (HTP), which is GTP with its own words. Black
begins and joins top and bottom; ``a1`` is the top left cell. A position does not know the order of
its stones, and in Hex it makes no difference: stones are sent in turn, row by row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

from adv_envs import Hex, Position
from adv_envs.formats.hex_sgf import COLOURS, stones, turned
from agents.agent import SeededAgent, require_game, require_unfinished
from agents.dialects import GtpGame
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.spec import register
from agents.symmetries import PlayerExchange

from . import bridge_playouts
from .evaluations import (
    HALF_TURNED,
    centre,
    connected,
    exchanged,
    exchanged_action,
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

# ---- Hex in HTP

SWAPS = "swap", "swap-pieces", "swap-sides"


def action_of(position: Hex, word: str) -> int:
    """Returns the action; every word for the swap means the same."""
    if word in SWAPS and position.swap and position.ply == 1:
        return position.num_stone_actions
    return position.action(word)


def set_up(position: Hex, known: Collection[str]) -> Sequence[str]:
    """Returns a command for each stone, black and white in turn as long as there are both."""
    both = [stones(position, player) for player in (0, 1)]
    return [
        f"play {COLOURS[player]} {position.cell_name(*cell)}"
        for pair in zip_longest(*both)
        for player, cell in enumerate(pair)
        if cell is not None
    ]


def start_of_size(start: Hex, width: int, height: int) -> Hex:
    """Returns the start on another board; ValueError unless it is a rhombus of 2 to 19 cells."""
    if width != height or not 2 <= width <= 19:
        raise ValueError("boards here are 2 x 2 to 19 x 19")
    return Hex(width, start.swap)


def moves_left(position: Hex) -> float:
    """Returns a quarter of the empty cells: a game usually ends with half of the board empty."""
    placed = position.stones(0).bit_count() + position.stones(1).bit_count()
    return (position.size**2 - placed) / 4


HTP = GtpGame(
    name="Hex",
    colours=COLOURS,
    settings=lambda position: [f"boardsize {position.size} {position.size}"],
    vertex=lambda position, action: (  # after a swap programs' boards differ
        position.name(action) if action < position.num_stone_actions else None
    ),
    action=action_of,
    set_up=set_up,
    resized=start_of_size,
    turned=turned,
    moves_left=moves_left,
    board=lambda position: str(position).translate(str.maketrans("XO", "BW")),
)
"""Hex in GTP. HexGui, MoHex and other programs of Benzene, and KataHex speak it."""


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
class Rush(SeededAgent):
    """Plays Hex on its own shortest path from edge to edge, whatever the opponent does.

    Of the empty cells on shortest paths it takes one at random. ValueError for other games.
    """

    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "rush"

    def act(self, position: Position) -> int:
        """Returns a cell of a shortest path."""
        position = require_game(require_unfinished(position), Hex, self.name)
        cells = path_cells(position, position.to_move)
        stones = range(position.num_stone_actions)
        return self.rng.choice([a for a in stones if cells >> position.entry(a) & 1])


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


def exact_values(start: Hex) -> ExactValues:
    """Returns the solver's values: every move wins or loses."""
    if start.size > LARGEST_GRADED:
        raise NotGraded(
            f"hex is graded up to size {LARGEST_GRADED}, where it is solved; this is size "
            f"{start.size}"
        )
    cells = start.size**2

    def quick(position: Hex) -> bool:
        """Returns whether the board is small, the position late, or the openings are known."""
        opening = position.ply == 0 and not position.swap
        return cells <= 36 or cells - position.ply <= QUICK_EMPTY or opening

    return ExactValues(
        start,
        HexSolver(),
        quick=quick,
        feasible=lambda position: cells - position.ply <= FEASIBLE_EMPTY,
    )


# ---- the record


def sample_plies(start: Hex) -> range:
    """Returns the plies with at most SAMPLED_EMPTY empty cells."""
    cells = start.size**2
    return range(max(0, cells - SAMPLED_EMPTY), cells - 1)


register("rush", Rush)
register("hex_solver", HexSolver)

register_knowledge(
    Hex,
    Knowledge(
        names=("nash", "con-tac-tix"),
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
        symmetries=HALF_TURNED,
        exchange=PlayerExchange(exchanged, exchanged_action),
        transposed_sides=True,
        proven_moves=proven_moves,
        playout=lambda position: bridge_playouts.bridged,
        winning_move=lambda position: bridge_playouts.winning_cell,
        grave=1,  # wins 73 % at equal time against none
        solver=lambda position: HexSolver,  # which refuses boards that are too large
        exact_values=exact_values,
        progress=lambda position: position.ply / position.size**2,
        sample_plies=sample_plies,
        settings=(*({"size": size} for size in (3, 5, 6, 7, 9, 13)),),
        opponent=lambda start: (
            "alpha_beta(nodes=50000, evaluate=hex.two_distance, order=hex.centre)"
        ),
        analyst=lambda position: "mcts(seconds=3)",
        rungs={
            "random": "random",
            "connected": "greedy(evaluate=hex.connected)",
            "relevant": "greedy(evaluate=hex.relevant_connected)",
            **by_number("mcts %d", "mcts(simulations=%d)", 3, 10),
            "rush": "rush",
            "mcts 30": "mcts(simulations=30)",
            "greedy": "greedy(evaluate=hex.two_distance)",
            **by_number("mcts %d", "mcts(simulations=%d)", 100, 300, 1000, 3000),
        },
        gtp=HTP,
    ),
)
