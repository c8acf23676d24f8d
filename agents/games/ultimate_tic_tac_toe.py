"""Evaluates ultimate tic-tac-toe by the chances of rows of small boards; exact endings."""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, has_line
from adv_envs.games.ultimate_tic_tac_toe import (
    ANY,
    SMALL,
    UltimateTicTacToe,
    board_bit,
    on_board,
    small_cells,
)
from adv_envs.jit import kernel
from agents.games.tic_tac_toe import squared_lines
from agents.knowledge import ExactValues, Knowledge, by_number, register_knowledge
from agents.search.proof_number import WITHOUT_LIMIT, ProofNumber
from agents.symmetries import CELLS, RECTANGLE, board_symmetries, moved

# ---- evaluations

EVEN = 8.0
"""The lead in squared lines with which a small board is won in three of four games, as assumed."""

CHOICE = 0.05
"""What it is worth to choose among the small boards."""

ROWS = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
"""The eight rows of small boards that win."""


@kernel
def chances(position: UltimateTicTacToe) -> float:
    """Returns the chances to win rows of small boards, minus those of the opponent.

    The chance of a row is the product of those of its three boards. That of an open board is by its
    lines that are still open, counted as in tic-tac-toe: the square of the stones in each. To
    choose the board is worth a little.
    """
    odds = (
        odds_of(position, 0), odds_of(position, 1), odds_of(position, 2),
        odds_of(position, 3), odds_of(position, 4), odds_of(position, 5),
        odds_of(position, 6), odds_of(position, 7), odds_of(position, 8),
    )  # fmt: skip
    total, drawn = 0.0, position.drawn
    for row in ROWS:
        dead = drawn >> board_bit(row[0]) | drawn >> board_bit(row[1]) | drawn >> board_bit(row[2])
        if dead & 1 == 0:
            first, second, third = odds[row[0]], odds[row[1]], odds[row[2]]
            total += first * second * third - (1 - first) * (1 - second) * (1 - third)
    return total + (CHOICE if position.sent == ANY else 0.0)


def odds_of(position: UltimateTicTacToe, board: int) -> float:
    """Returns the chance of the player to move to win a small board, rather than the opponent."""
    bit = board_bit(board)
    if position.own_boards >> bit & 1 != 0:
        return 1.0
    if position.opp_boards >> bit & 1 != 0:
        return 0.0
    own, opp = on_board(position.own, board), on_board(position.opp, board)
    lead = squared_lines(own, SMALL & ~opp, 3, 10) - squared_lines(opp, SMALL & ~own, 3, 10)
    return 0.5 + 0.5 * lead / (abs(lead) + EVEN)


@kernel
def boards(position: UltimateTicTacToe) -> float:
    """Returns the small boards that the player to move has won, minus those of the opponent."""
    return float(count(position.own_boards) - count(position.opp_boards))


@kernel
def wins_board(position: UltimateTicTacToe, action: int) -> float:
    """Returns 1 for a legal move that wins a small board, 0 for others."""
    return float(count(position.play(action).opp_boards) - count(position.own_boards))


# ---- who wins at once


@kernel
def decided(position: UltimateTicTacToe) -> int:
    """Returns 1 if the player to move wins with the next move, else 0."""
    closed = position.small_boards
    for board in range(9):
        bit = board_bit(board)
        if closed >> bit & 1 != 0 or position.sent not in (ANY, board):
            continue
        if has_line(position.own_boards | 1 << bit, 3, 4):
            own, opp = on_board(position.own, board), on_board(position.opp, board)
            if completing(own, SMALL & ~(own | opp)) != 0:
                return 1
    return 0


def completing(stones: int, free: int) -> int:
    """Returns those ``free`` cells of a small board that make three of ``stones`` in a row."""
    cells, left = 0, free
    while left != 0:
        cell = left & -left
        left ^= cell
        if has_line(stones | cell, 3, 10):
            cells |= cell
    return cells


# ---- symmetries: the small boards turn as their cells do


def image_boards(position: UltimateTicTacToe, boards: int, turn: int) -> int:
    """Returns the set of small boards to which ``boards`` are taken."""
    found = 0
    for board in range(9):
        if boards >> board_bit(board) & 1 != 0:
            found |= 1 << board_bit(image_board(position, board, turn))
    return found


def image_board(position: UltimateTicTacToe, board: int, turn: int) -> int:
    """Returns the small board to which one is taken; ``ANY`` stays."""
    if board == ANY:
        return board
    row, column = moved(board // 3, board % 3, 3, 3, turn)
    return 3 * row + column


TURNED = board_symmetries(
    UltimateTicTacToe,
    RECTANGLE,
    {
        **CELLS,
        "own_boards": image_boards,
        "opp_boards": image_boards,
        "drawn": image_boards,
        "sent": image_board,
    },
)

# ---- exact endings

QUICK_CELLS, FEASIBLE_CELLS = 16, 24
"""Cells left on open boards with which all moves take a fraction of a second, and some seconds."""


def cells_left(position: UltimateTicTacToe) -> int:
    """Returns the empty cells of the small boards that are not closed."""
    cells, closed = 0, position.small_boards
    for board in range(9):
        if closed >> board_bit(board) & 1 == 0:
            stones = position.own | position.opp
            cells += 9 - count(stones & small_cells(board, stones))
    return cells


def exact_values(start: UltimateTicTacToe) -> ExactValues:
    """Returns who wins after each move of an ending."""
    return ExactValues(
        start,
        ProofNumber(nodes=WITHOUT_LIMIT, table_mb=64, evaluate=chances),
        work=cells_left,
        limits=(QUICK_CELLS, FEASIBLE_CELLS),
    )


def progress(position: Any) -> float:
    """Returns the share of the 81 cells that are taken or closed."""
    return 1 - cells_left(position) / 81


SEARCH = "alpha_beta(%s, evaluate=ultimate_tic_tac_toe.chances)"

register_knowledge(
    UltimateTicTacToe,
    Knowledge(
        names=("super tic-tac-toe", "uttt", "meta tic-tac-toe", "noughts and crosses"),
        evaluations={"chances": chances, "boards": boards},
        default_evaluation="chances",
        symmetries=TURNED,
        decided=decided,
        exact_values=exact_values,
        progress=progress,
        opponent=lambda start: SEARCH % "nodes=300000",
        analyst=lambda position: SEARCH % "seconds=3",
        strong=lambda start: SEARCH % "seconds=3",
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=ultimate_tic_tac_toe.chances)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300, 3000),
            **by_number(
                "depth %d",
                "alpha_beta(depth=%d, evaluate=ultimate_tic_tac_toe.chances)",
                2,
                4,
                6,
                8,
            ),
        },
    ),
)
