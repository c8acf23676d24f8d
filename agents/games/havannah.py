"""Records what is known about Havannah: stones that are missing, playouts, sure wins.

R. Lorentz, Improving Monte-Carlo tree search in Havannah, Computers and Games 2010, and F. Teytaud
and O. Teytaud, Creating an upper-confidence-tree program for Havannah, Advances in Computer Games
2009, describe programs that play it by Monte Carlo tree search with statistics of all moves.
"""

from __future__ import annotations

from adv_envs.bits import count, lowest, single
from adv_envs.games.havannah import Havannah
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.knowledge import Knowledge, by_number, register_knowledge
from agents.search.proof_number import WITHOUT_LIMIT, ProofNumber
from agents.symmetries import PlayerExchange, Symmetries

from . import hexagons
from .hexagons import (
    RING,
    Goals,
    by_groups,
    centre,
    exchanged,
    image_cells,
    kinds_of,
    needed,
)

# ---- evaluation


@kernel
def distance(position: Havannah) -> float:
    """Returns the stones that the opponent lacks, minus those that the player to move lacks.

    A player lacks the least number of stones for a bridge or a fork if the other one passes. The
    cells where the ways to corners or sides can meet break ties, as a share of the board. Rings are
    not seen.
    """
    return lacking(position, 1 - position.to_move) - lacking(position, position.to_move)


def lacking(position: Havannah, player: int) -> float:
    """Returns the number of stones that ``player`` lacks, less the share of the meeting points."""
    bridge, corners = needed(position, player, corner_goals(position), 2)
    fork, sides = needed(position, player, position.side_cells(), 3)
    cells = corners if bridge < fork else sides if fork < bridge else corners | sides
    return min(bridge, fork) - count(cells) / (position.num_stone_actions + 1)


def corner_goals(position: Havannah) -> Goals:
    """Returns the six corners, each as a set."""
    step, last, none = position.size - 1, 2 * position.size - 2, position.own
    return (
        single(position.bit(0, 0), none),
        single(position.bit(0, step), none),
        single(position.bit(step, 0), none),
        single(position.bit(step, last), none),
        single(position.bit(last, step), none),
        single(position.bit(last, last), none),
    )


# ---- sure wins


def winning_stones(position: Havannah, stones: Wide) -> Wide:
    """Returns the empty cells with which the player who has ``stones`` makes a figure.

    Only stones beside others of their colour do: on the border, between two arcs of them, or at the
    end of an arc of three.
    """
    board = position.board()
    border = board & ~position.surrounded(board)
    todo = position.neighbours(stones) & board & ~(position.own | position.opp)
    found = todo & 0
    while todo != 0:
        cell = lowest(todo)
        stone = single(cell, todo)
        todo &= ~stone
        around = position.around(stones, cell)
        turned = around << 1 | around >> 5
        arcs, three = count(around & ~turned), around & turned & (around << 2 | around >> 4)
        likely = arcs > 1 or three != 0 or border & stone != 0
        if likely and position.completes(stones | stone, cell):
            found |= stone
    return found


decided = hexagons.decided.bind(winning_stones=winning_stones)
winning_action = hexagons.winning_action.bind(winning_stones=winning_stones)

# ---- playouts


def goals_of(position: Havannah, row: int, column: int) -> int:
    """Returns the corner or the side that a cell belongs to, as one of twelve bits; 0 inside.

    The six corners have the lower bits.
    """
    middle, last = position.size - 1, 2 * position.size - 2
    lines = (
        (1 if row == 0 else 0) | (2 if row == last else 0) | (4 if column == 0 else 0)
        | (8 if column == last else 0) | (16 if column - row == middle else 0)
        | (32 if row - column == middle else 0)
    )  # fmt: skip
    if lines & lines - 1 == 0:
        return lines << 6
    if row in (0, last):
        return (1 if row == 0 else 2) << (0 if column in (0, last) else 2)
    return 16 if column == 0 else 32


def completed(goals: int) -> bool:
    """Returns whether a chain is a ring, a bridge or a fork."""
    return goals & RING != 0 or count(goals & 63) > 1 or count(goals >> 6 & 63) > 2


dealt = by_groups.bind(goals_of=goals_of, completed=completed, LEANS=-1, RINGS=True, SIDES=False)

# ---- symmetries


def image(position: Havannah, i: int) -> Havannah:
    """Returns the i-th turn or reflection of the board."""
    own, opp = image_cells(position, position.own, i), image_cells(position, position.opp, i)
    return Havannah(position.size, position.swap, own, opp, position.won, position.ply)


SYMMETRIES = Symmetries(
    hexagons.num_images,
    image,
    hexagons.image_action,
    hexagons.inverse_image,
    kinds=kinds_of(6),
)

# ---- the record

register_knowledge(
    Havannah,
    Knowledge(
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
        **hexagons.graded_by(
            "havannah",
            lambda: ProofNumber(nodes=WITHOUT_LIMIT, table_mb=64, evaluate=distance),
            largest=3,
            quick=15,
        ),
        settings=({"size": 5},),
        opponent=lambda start: "mcts(simulations=10000)",
        analyst=lambda position: "mcts(seconds=3)",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 10, 30),
            "greedy": "greedy(evaluate=havannah.distance)",
            **by_number("mcts %d", "mcts(simulations=%d)", 100, 300),
            "depth 3": "alpha_beta(depth=3, evaluate=havannah.distance)",
            **by_number("mcts %d", "mcts(simulations=%d)", 1000, 3000, 10000),
        },
    ),
)
