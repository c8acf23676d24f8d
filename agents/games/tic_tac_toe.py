"""An evaluation, a move order and the symmetries of tic-tac-toe on any board."""

from __future__ import annotations

from adv_envs.bits import count, lowest
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.jit import kernel
from agents.knowledge import ExactValues, Knowledge, Symmetries, register_knowledge
from agents.mcts.playouts import filling


@kernel
def lines(position: TicTacToe) -> float:
    """Rows of k cells still open for the player to move, minus the opponent's.

    A row without a stone of the other player counts the square of the stones in it: every further
    stone in the same row is worth more than the one before (1, 3, 5, ...), as a row is worth
    nothing until it is finished. Plain counts would be indifferent between stones in one row and
    in many. Antisymmetric: with the other player to move, the same stones are worth the negative.
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
    """Minus the distance to the centre of the board, in steps in all eight directions."""
    row, column = action // position.width, action % position.width
    down, right = 2 * row - position.height + 1, 2 * column - position.width + 1
    return -max(abs(down), abs(right)) / 2


# ---- symmetries: of a rectangle, and of a square, which can be turned as well


def num_images(position: TicTacToe) -> int:
    """Four for a rectangle, eight for a square."""
    return 8 if position.height == position.width else 4


def image(position: TicTacToe, i: int) -> TicTacToe:
    """Bit 2 of ``i`` swaps rows and columns, then bit 1 turns the rows round, bit 0 the columns."""
    own, opp = moved(position, position.own, i), moved(position, position.opp, i)
    return TicTacToe(position.height, position.width, position.k, own, opp, position.ply)


def moved(position: TicTacToe, stones: int, i: int) -> int:
    """The set of cells to which ``image`` moves ``stones``."""
    stride, cells = position.width + 1, 0
    while stones != 0:
        cell = lowest(stones)
        stones &= stones - 1
        action = cell - cell // stride  # as numbered without the gaps
        cells |= 1 << position.entry(image_action(position, action, i))
    return cells


def image_action(position: TicTacToe, action: int, i: int) -> int:
    """The cell to which ``image`` moves a cell."""
    row, column = action // position.width, action % position.width
    if i & 4 != 0:
        row, column = column, row
    if i & 2 != 0:
        row = position.height - 1 - row
    if i & 1 != 0:
        column = position.width - 1 - column
    return row * position.width + column


def inverse_image(position: TicTacToe, i: int) -> int:
    """A quarter turn is undone by one the other way; all else by itself."""
    return 11 - i if i in (5, 6) else i


# ---- lines


def open_lines(stones: int, free: int, k: int, stride: int) -> int:
    """The sum of the squared numbers of ``stones`` in all rows of ``k`` within ``free``.

    ``free`` has the cells without the other player's stones. The board is one of ``bits.has_line``:
    a set shifted by i steps shows at the first cell of each row what stands on its i-th cell, so a
    row's number of stones is a sum over shifts, and its square one over pairs of them.
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
    """``cells`` and its copies, ``times`` in all, each ``stride`` bits after the one before."""
    board = 0
    for i in range(times):
        board |= cells << i * stride
    return board


# ---- grading, and what the game is offered with

MOST_CELLS = 12
"""Cells of the largest board of which all positions can be listed."""


def exact_values(start: TicTacToe) -> ExactValues:
    """From a list of all positions."""
    from agents.grading.exact import listed_values

    if start.height * start.width > MOST_CELLS:
        raise ValueError(
            f"tic-tac-toe is graded on boards of up to {MOST_CELLS} cells, such as 3 x 4; "
            f"this one has {start.height * start.width}"
        )
    return listed_values(start)


def opponent(start: TicTacToe) -> str:
    """Alpha-beta with open rows."""
    return "alpha_beta(nodes=1000000, evaluate=tic_tac_toe.lines, order=tic_tac_toe.centre)"


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
        opponent=opponent,
        analyst=lambda position: "alpha_beta()",
    ),
)
