"""An evaluation, a move order and the symmetries of tic-tac-toe on any board."""

from __future__ import annotations

from adv_envs.bits import count, lowest
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.jit import kernel
from agents.knowledge import ExactValues, Knowledge, NotGraded, Symmetries, register_knowledge
from agents.mcts.playouts import filling


@kernel
def lines(position: TicTacToe) -> float:
    """Returns the rows of k cells still open for the player to move, minus the opponent's.

    A row without a stone of the other player counts the square of the stones in it: every further
    stone in the same row adds more than the one before (1, 3, 5, ...), as only a complete row wins.
    Plain counts would be indifferent between stones in one row and in many. Antisymmetric: with
    the other player to move, the same stones have the negative value.
    """
    stride = position.width + 1
    cells = repeated((1 << position.width) - 1, position.height, stride)
    own, opp = position.own, position.opp
    return float(
        open_lines(own, cells & ~opp, position.k, stride)
        - open_lines(opp, cells & ~own, position.k, stride)
    )


@kernel
def centre(position: TicTacToe, action: int) -> float:
    """Returns minus the distance to the centre of the board, in steps in all eight directions."""
    row, column = action // position.width, action % position.width
    down, right = 2 * row - position.height + 1, 2 * column - position.width + 1
    return -max(abs(down), abs(right)) / 2


# ---- symmetries: of a rectangle, and of a square, which can be turned as well


def num_images(position: TicTacToe) -> int:
    """Returns 4 for a rectangle, 8 for a square."""
    return 8 if position.height == position.width else 4


def image(position: TicTacToe, i: int) -> TicTacToe:
    """Returns the i-th image: bit 2 transposes, then bit 1 reverses rows, bit 0 columns."""
    own, opp = image_cells(position, position.own, i), image_cells(position, position.opp, i)
    return TicTacToe(position.height, position.width, position.k, own, opp, position.ply)


def image_cells(position: TicTacToe, stones: int, i: int) -> int:
    """Returns the set of cells of ``stones`` in the i-th image."""
    stride, cells = position.width + 1, 0
    while stones != 0:
        cell = lowest(stones)
        stones &= stones - 1
        action = cell - cell // stride  # as numbered without the gaps
        cells |= 1 << position.entry(image_action(position, action, i))
    return cells


def image_action(position: TicTacToe, action: int, i: int) -> int:
    """Returns the cell in the i-th image."""
    row, column = action // position.width, action % position.width
    if i & 4 != 0:
        row, column = column, row
    if i & 2 != 0:
        row = position.height - 1 - row
    if i & 1 != 0:
        column = position.width - 1 - column
    return row * position.width + column


def inverse_image(position: TicTacToe, i: int) -> int:
    """Returns the image of the opposite quarter turn for a quarter turn, else ``i``."""
    return 11 - i if i in (5, 6) else i


# ---- lines


def open_lines(stones: int, free: int, k: int, stride: int) -> int:
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


def repeated(cells: int, times: int, stride: int) -> int:
    """Returns ``times`` copies of ``cells``, each shifted by ``stride`` from the one before."""
    board = 0
    for i in range(times):
        board |= cells << i * stride
    return board


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


def opponent(start: TicTacToe) -> str:
    """Returns alpha-beta with open rows."""
    return "alpha_beta(nodes=1000000, evaluate=tic_tac_toe.lines, order=tic_tac_toe.centre)"


RUNGS = {
    "random": "random",
    "greedy": "greedy",
    "mcts 5": "mcts(simulations=5, solver=False)",
    "mcts 20": "mcts(simulations=20, solver=False)",
    "depth 2": "alpha_beta(depth=2)",
    "depth 4": "alpha_beta(depth=4)",
    "perfect": "perfect",
}
"""Opponents from random to perfect, or as near to it as can be played in minutes."""

register_knowledge(
    TicTacToe,
    Knowledge(
        evaluations={"lines": lines},
        orders={"centre": centre},
        order=centre,
        symmetries=Symmetries(num_images, image, image_action, inverse_image),
        playout=lambda position: filling,
        exact_values=exact_values,
        progress=lambda position: position.ply / (position.height * position.width),
        sample_plies=lambda start: range(start.height * start.width - 1),
        opponent=opponent,
        analyst=lambda position: "alpha_beta()",
        rungs=RUNGS,
    ),
)
