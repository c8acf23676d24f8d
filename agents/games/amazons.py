"""Evaluates Amazons by territory and mobility; its symmetries, and exact endings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from adv_envs import Position
from adv_envs.bits import count
from adv_envs.games.amazons import Amazons
from adv_envs.jit import kernel
from agents.agent import require_game
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.search.proof_number import ProofSolver
from agents.spec import register
from agents.symmetries import (
    CELLS,
    RECTANGLE,
    PlayerExchange,
    board_symmetries,
    image_cell,
    image_cells,
)

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
    return balance_of_reached(position, False, 0.2)


@kernel
def king_territory(position: Amazons) -> float:
    """Returns the empty cells that are fewer single steps from own amazons, minus the opponent's.

    Antisymmetric.
    """
    return balance_of_reached(position, True, 0.0)


def balance_of_reached(position: Amazons, as_kings: bool, share: float) -> float:
    """Returns the empty cells that own amazons reach in fewer moves, minus the opponent's.

    Those that both reach in as many count ``share``. Kings make single steps.
    """
    own, opp, left, total = position.own, position.opp, position.empty, 0.0
    while left != 0:
        if as_kings:
            own, opp = position.neighbours(own) & left, position.neighbours(opp) & left
        else:
            own, opp = position.reached(own) & left, position.reached(opp) & left
        if own | opp == 0:
            break
        both = own & opp
        total += count(own & ~both) - count(opp & ~both) + share * count(both)
        left &= ~(own | opp)
    return total


@kernel
def territory(position: Amazons) -> float:
    """Returns the territory of queens, and half of that of kings."""
    return queen_territory(position) + 0.5 * king_territory(position)


# ---- exact endings

MAX_EMPTY = 12
"""Empty cells up to which positions are solved, in seconds."""

LARGEST_GRADED = 8
"""The largest board that is graded, in endings."""

QUICK_EMPTY = 8
"""Empty cells up to which all moves are solved in a second at most."""


@dataclass(repr=False)
class AmazonsSolver(ProofSolver):
    """Plays Amazons perfectly with at most 12 empty cells, by proof-number search.

    That is all of the game on 4 x 4. A value is a utility, 1 or -1. ValueError for other games, and
    for positions with more empty cells.
    """

    name: ClassVar[str] = "amazons_solver"

    def require(self, position: Position) -> None:
        """Raises ValueError for a position that it does not solve."""
        empty = count(require_game(position, Amazons, self.name, "solves").empty)
        if empty > MAX_EMPTY:
            raise ValueError(
                f"{self.name} solves positions with up to {MAX_EMPTY} empty cells; this one has "
                f"{empty}: use alpha_beta"
            )


def exact_values(start: Amazons) -> ExactValues:
    """Returns who wins after each move, where few cells are empty.

    NotGraded for boards above LARGEST_GRADED.
    """
    if start.size > LARGEST_GRADED:
        raise NotGraded(
            f"amazons is graded up to size {LARGEST_GRADED}, as games on larger boards are "
            f"over before few cells are empty; this is size {start.size}"
        )
    return ExactValues(
        start,
        AmazonsSolver(),
        quick=lambda position: count(position.empty) <= QUICK_EMPTY,
        feasible=lambda position: count(position.empty) <= QUICK_EMPTY + 2,
    )


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
        names=("game of the amazons",),
        evaluations={
            "territory": territory,
            "queen_territory": queen_territory,
            "king_territory": king_territory,
            "mobility": mobility,
        },
        default_evaluation="territory",
        symmetries=board_symmetries(
            Amazons, RECTANGLE, CELLS | {"empty": image_cells, "chosen": image_cell}
        ),
        solver=lambda position: AmazonsSolver if count(position.empty) <= MAX_EMPTY else None,
        exchange=PlayerExchange(lambda position: position._replace(turn=1 - position.turn)),
        exact_values=exact_values,
        progress=progress,
        sample_plies=sample_plies,
        settings=(
            {"size": 6},
            {"size": 8},
        ),
        opponent=lambda start: "alpha_beta(nodes=100000, evaluate=amazons.territory)",
        analyst=lambda position: "alpha_beta(seconds=3, evaluate=amazons.territory)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=amazons.territory)",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 100),
            "greedy": "greedy(evaluate=amazons.territory)",
            **by_number("depth %d", "alpha_beta(depth=%d, evaluate=amazons.territory)", 2, 3, 4),
        },
    ),
)
