"""Evaluates tic-tac-toe on any board; a move order and the symmetries."""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, repeated
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.jit import kernel
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.mcts.playouts import filling
from agents.symmetries import RECTANGLE, board_symmetries


@kernel
def lines(position: TicTacToe) -> float:
    """Returns the rows of k cells still open for the player to move, minus the opponent's.

    A row without a stone of the other player counts the square of the stones in it: every further
    stone in the same row adds more than the one before (1, 3, 5, ...), as only a complete row wins.
    Plain counts would be indifferent between stones in one row and in many. Antisymmetric: with
    the other player to move, the same stones have the negative value.
    """
    stride = position.width + 1
    return open_lines(
        position, repeated((1 << position.width) - 1, position.height, stride), stride
    )


@kernel
def centre(position: TicTacToe, action: int) -> float:
    """Returns minus the distance to the centre of the board, in steps in all eight directions."""
    row, column = action // position.width, action % position.width
    down, right = 2 * row - position.height + 1, 2 * column - position.width + 1
    return -max(abs(down), abs(right)) / 2


# ---- lines


def open_lines(position: Any, board: int, stride: int) -> float:
    """Returns ``lines`` on any board like that of ``bits.has_line`` with the cells ``board``."""
    own, opp, k = position.own, position.opp, position.k
    own_lines = squared_lines(own, board & ~opp, k, stride)
    return float(own_lines - squared_lines(opp, board & ~own, k, stride))


def squared_lines(stones: int, free: int, k: int, stride: int) -> int:
    """Returns the sum of the squared numbers of ``stones`` in all rows of ``k`` within ``free``.

    ``free`` are the cells without the other player's stones. The board is that of
    ``bits.has_line``: a set shifted by i steps has at the first cell of each row the bit of its
    i-th cell, so a row's number of stones is a sum over shifts, its square a sum over pairs.
    """
    total = 0
    for step in (1, stride, stride - 1, stride + 1):
        rows = free  # their first cells
        for i in range(1, k):
            rows &= free >> i * step
        for i in range(k):
            here = rows & stones >> i * step
            total += count(here)
            for j in range(i):
                total += 2 * count(here & stones >> j * step)
    return total


# ---- grading, and what the game is offered with

MAX_GRADED_CELLS = 12
"""Cells of the largest board that is graded, from a list of all positions."""


def exact_values(start: TicTacToe) -> ExactValues:
    """Returns the exact values from a list of all positions."""
    from agents.grading.exact_values import listed_values

    if start.height * start.width > MAX_GRADED_CELLS:
        raise NotGraded(
            f"tic-tac-toe is graded on boards of up to {MAX_GRADED_CELLS} cells, such as 3 x 4; "
            f"this one has {start.height * start.width}"
        )
    return listed_values(start)


register_knowledge(
    TicTacToe,
    Knowledge(
        names=("noughts and crosses", "three in a row"),
        evaluations={"lines": lines},
        orders={"centre": centre},
        order=centre,
        symmetries=board_symmetries(TicTacToe, RECTANGLE),
        playout=lambda position: filling,
        exact_values=exact_values,
        progress=lambda position: position.ply / (position.height * position.width),
        sample_plies=lambda start: range(start.height * start.width - 1),
        settings=({"height": 4, "width": 4, "k": 4},),
        opponent=lambda start: (
            "alpha_beta(nodes=1000000, evaluate=tic_tac_toe.lines, order=tic_tac_toe.centre)"
        ),
        analyst=lambda position: "alpha_beta()",
        rungs={
            "random": "random",
            "greedy": "greedy",
            **by_number("mcts %d", "mcts(simulations=%d, solver=False)", 5, 20),
            **by_number("depth %d", "alpha_beta(depth=%d)", 2, 4),
            "perfect": "perfect",
        },
    ),
)
