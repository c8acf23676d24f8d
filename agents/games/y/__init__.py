"""Records what is known about Y: how many stones are missing, playouts, sure wins, the solver."""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.games.y import GameOfY
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.knowledge import Knowledge, by_number, register_knowledge
from agents.spec import register
from agents.symmetries import PlayerExchange, Symmetries

from .. import hexagons
from ..hexagons import (
    by_groups,
    centre,
    exchanged,
    image_cells,
    kinds_of,
    needed,
)
from .solver import YSolver

__all__ = ["YSolver"]

# ---- evaluation


@kernel
def distance(position: GameOfY) -> float:
    """Returns the stones that the opponent lacks, minus those that the player to move lacks.

    A player lacks the least number of stones with which a chain joins all sides if the other one
    passes. The cells where the ways to the sides can meet break ties, as a share of the board.
    """
    return lacking(position, 1 - position.to_move) - lacking(position, position.to_move)


def lacking(position: GameOfY, player: int) -> float:
    """Returns the number of stones that ``player`` lacks, less the share of the meeting points."""
    none = position.own & 0
    goals = position.top_side(), position.left_side(), position.last_side(), none, none, none
    stones, cells = needed(position, player, goals, 3)
    return stones - count(cells) / (position.num_stone_actions + 1)


# ---- sure wins


def winning_stones(position: GameOfY, stones: Wide) -> Wide:
    """Returns the empty cells with which the player who has ``stones`` joins all sides."""
    cells = position.board() & ~(position.own | position.opp)
    cells &= beside_joined(position, stones, position.top_side())
    cells &= beside_joined(position, stones, position.left_side())
    return cells & beside_joined(position, stones, position.last_side())


def beside_joined(position: GameOfY, stones: Wide, side: Wide) -> Wide:
    """Returns the cells on a side or beside a stone that is joined to it, and some others."""
    return side | position.neighbours(position.spread(stones & side, stones, stones & 0))


decided = hexagons.decided.bind(winning_stones=winning_stones)
winning_action = hexagons.winning_action.bind(winning_stones=winning_stones)

# ---- playouts


def goals_of(position: GameOfY, row: int, column: int) -> int:
    """Returns the sides that a cell is on, a bit for each."""
    last = row + column == position.size - 1
    return (1 if row == 0 else 0) | (2 if column == 0 else 0) | (4 if last else 0)


def completed(goals: int) -> bool:
    """Returns whether a chain touches all sides."""
    return goals & 7 == 7


dealt = by_groups.bind(goals_of=goals_of, completed=completed)

# ---- symmetries


def image(position: GameOfY, i: int) -> GameOfY:
    """Returns the i-th image, to be compared with others only: it does not tell what is joined."""
    own, opp = image_cells(position, position.own, i), image_cells(position, position.opp, i)
    none = own & 0
    return GameOfY(
        position.size, position.swap, own, opp, none, none, none, none, position.won, position.ply
    )


SYMMETRIES = Symmetries(
    hexagons.num_images,
    image,
    hexagons.image_action,
    hexagons.inverse_image,
    complete=lambda image: image.with_stones(image.stones(0), image.stones(1), image.ply),
    kinds=kinds_of(3),
)

# ---- the record

register("y_solver", YSolver)

register_knowledge(
    GameOfY,
    Knowledge(
        names=("the game of y",),
        evaluations={"distance": distance},
        default_evaluation="distance",
        orders={"centre": centre},
        order=centre,
        symmetries=SYMMETRIES,
        exchange=PlayerExchange(exchanged),
        decided=decided,
        playout=lambda position: dealt,
        winning_move=lambda position: winning_action,
        grave=1,
        progress=hexagons.progress,
        solver=lambda position: YSolver,  # which refuses boards that are too large
        **hexagons.graded_by("y", YSolver, largest=8, quick=31),
        settings=({"size": 7},),
        opponent=lambda start: "mcts(simulations=10000)",
        analyst=lambda position: "mcts(seconds=3)",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 10, 30),
            "greedy": "greedy(evaluate=y.distance)",
            **by_number("mcts %d", "mcts(simulations=%d)", 100, 300, 1000, 3000),
        },
    ),
)
