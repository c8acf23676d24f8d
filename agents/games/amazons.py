"""Amazons: evaluations by territory and mobility, the symmetries, and exact endings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from adv_envs import Position
from adv_envs.bits import count, lowest, single
from adv_envs.games.amazons import Amazons
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_table, require_unfinished
from agents.knowledge import (
    ExactValues,
    Knowledge,
    MoveValue,
    NotGraded,
    Symmetries,
    register_knowledge,
)
from agents.search.proof_number import ProofNumber
from agents.spec import register

# ---- evaluations


@kernel
def mobility(position: Amazons) -> float:
    """Returns the cells that own amazons reach with one move, minus the opponent's."""
    return float(count(position.reached(position.own)) - count(position.reached(position.opp)))


@kernel
def queen_territory(position: Amazons) -> float:
    """Returns the empty cells that own amazons reach in fewer moves, minus the opponent's.

    The other player's amazons stand still. Of a cell to which both need as many moves, the player
    to move gets a fifth. Source: J. Lieberum, An Evaluation Function for the Game of Amazons,
    Theoretical Computer Science 349 (2005).
    """
    own, opp, left = position.own, position.opp, position.empty
    total = 0.0
    while left != 0:
        own_next, opp_next = position.reached(own) & left, position.reached(opp) & left
        if own_next | opp_next == 0:
            break
        both = own_next & opp_next
        total += count(own_next & ~both) - count(opp_next & ~both) + 0.2 * count(both)
        left &= ~(own_next | opp_next)
        own, opp = own_next, opp_next
    return total


@kernel
def king_territory(position: Amazons) -> float:
    """Returns the empty cells that are fewer single steps from own amazons, minus the opponent's.

    Antisymmetric.
    """
    own, opp, left = position.own, position.opp, position.empty
    total = 0.0
    while left != 0:
        own_next, opp_next = position.neighbours(own) & left, position.neighbours(opp) & left
        if own_next | opp_next == 0:
            break
        both = own_next & opp_next
        total += count(own_next & ~both) - count(opp_next & ~both)
        left &= ~(own_next | opp_next)
        own, opp = own_next, opp_next
    return total


@kernel
def territory(position: Amazons) -> float:
    """Returns the territory of queens, and half of that of kings."""
    return queen_territory(position) + 0.5 * king_territory(position)


# ---- the symmetries of the square


def image(position: Amazons, i: int) -> Amazons:
    """Returns the i-th image: bit 2 transposes, then bit 1 reverses rows, bit 0 columns."""
    own, opp = image_cells(position, position.own, i), image_cells(position, position.opp, i)
    empty, chosen = image_cells(position, position.empty, i), position.chosen
    if chosen >= 0:
        chosen = position.entry(image_action(position, action_of(position, chosen), i))
    return Amazons(position.size, own, opp, empty, position.turn, position.part, chosen)


def image_cells(position: Amazons, cells: int, i: int) -> int:
    """Returns the set of the images of ``cells``."""
    found, left = cells & 0, cells
    while left != 0:
        cell = lowest(left)
        left ^= single(cell, cells)
        action = image_action(position, action_of(position, cell), i)
        found |= single(position.entry(action), cells)
    return found


def action_of(position: Amazons, bit: int) -> int:
    """Returns the action of the cell that has this bit."""
    return bit - bit // (position.size + 1)


def image_action(position: Amazons, action: int, i: int) -> int:
    """Returns the cell in the i-th image."""
    row, column = action // position.size, action % position.size
    if i & 4 != 0:
        row, column = column, row
    if i & 2 != 0:
        row = position.size - 1 - row
    if i & 1 != 0:
        column = position.size - 1 - column
    return row * position.size + column


def inverse_image(position: Amazons, i: int) -> int:
    """Returns the image of the opposite quarter turn for a quarter turn, else ``i``."""
    return 11 - i if i in (5, 6) else i


# ---- exact endings

MAX_EMPTY = 12
"""Empty cells up to which positions are solved, in seconds."""

LARGEST_GRADED = 8
"""The largest board that is graded, in endings."""

QUICK_EMPTY = 8
"""Empty cells up to which all moves are solved in a second at most."""


@dataclass(repr=False)
class AmazonsSolver(SearchAgent):
    """Perfect play of positions of Amazons with at most 12 empty cells, by proof-number search.

    That is all of the game on 4 x 4. A value is a utility, 1 or -1. ``table_mb`` bounds the table.
    ValueError for other games, and for positions with more empty cells.
    """

    table_mb: float = 64
    """Bounds the table, in megabytes."""

    name: ClassVar[str] = "amazons_solver"

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table without size."""
        require_table(self.table_mb)

    def analyse(self, position: Position) -> SearchResult:
        """Returns a winning action or, where there is none, the one that took longest to refute."""
        require_unfinished(position)
        if not isinstance(position, Amazons):
            raise ValueError(f"{self.name} solves amazons, not {type(position).__name__}")
        if count(position.empty) > MAX_EMPTY:
            raise ValueError(
                f"{self.name} solves positions with up to {MAX_EMPTY} empty cells; this one has "
                f"{count(position.empty)}: use alpha_beta"
            )
        return ProofNumber(nodes=10**12, table_mb=self.table_mb).analyse(position)


class AmazonsValues(ExactValues):
    """The exact values of Amazons with few empty cells: who wins after each move.

    NotGraded for boards above LARGEST_GRADED.
    """

    def __init__(self, start: Amazons) -> None:
        if start.size > LARGEST_GRADED:
            raise NotGraded(
                f"amazons is graded up to size {LARGEST_GRADED}, as games on larger boards are "
                f"over before few cells are empty; this is size {start.size}"
            )
        super().__init__(start)
        self._solver = AmazonsSolver()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action, 1 for a win and 0 for a loss."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((value + 1) / 2) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether there are at most ``QUICK_EMPTY`` empty cells."""
        return isinstance(position, Amazons) and count(position.empty) <= QUICK_EMPTY

    def is_feasible(self, position: Position) -> bool:
        """Returns whether there are two more at most."""
        return isinstance(position, Amazons) and count(position.empty) <= QUICK_EMPTY + 2


def solver(position: Amazons) -> type[SearchAgent] | None:
    """Returns the solver for positions that it takes."""
    return AmazonsSolver if count(position.empty) <= MAX_EMPTY else None


# ---- what the game is offered with


def progress(position: Amazons) -> float:
    """Returns the share of cells that are burnt, of those that are empty at the start."""
    empty = count(position.start().empty)
    return min(1.0, max(0.0, 1 - count(position.empty) / empty))


def sample_plies(start: Amazons) -> range:
    """Returns the plies after which few cells are empty: a turn is three plies and burns one."""
    empty = count(start.empty)
    return range(3 * max(0, empty - QUICK_EMPTY), 3 * max(1, empty - 4))


register("amazons_solver", AmazonsSolver)
register_knowledge(
    Amazons,
    Knowledge(
        evaluations={
            "territory": territory,
            "queen_territory": queen_territory,
            "king_territory": king_territory,
            "mobility": mobility,
        },
        default_evaluation="territory",
        symmetries=Symmetries(lambda position: 8, image, image_action, inverse_image),
        solver=solver,
        exact_values=AmazonsValues,
        progress=progress,
        sample_plies=sample_plies,
        opponent=lambda start: "alpha_beta(nodes=100000, evaluate=amazons.territory)",
        analyst=lambda position: "alpha_beta(seconds=3, evaluate=amazons.territory)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=amazons.territory)",
        rungs={
            "random": "random",
            "mcts 30": "mcts(simulations=30)",
            "mcts 100": "mcts(simulations=100)",
            "greedy": "greedy(evaluate=amazons.territory)",
            "depth 2": "alpha_beta(depth=2, evaluate=amazons.territory)",
            "depth 3": "alpha_beta(depth=3, evaluate=amazons.territory)",
            "depth 4": "alpha_beta(depth=4, evaluate=amazons.territory)",
        },
    ),
)
