"""Records what is known about Othello: evaluations, endgame solver, an agent, grading.

- ``evaluations``: mobility, corners and edges; a move order, the symmetries of the board;
- ``solver``: ``OthelloSolver``, the exact score of every position by a compiled search, and
  ``OthelloPlayer``, alpha-beta until the solver takes over.

GRhino, and others that play with Quarry, write the game in GTP. Black begins; ``a1`` is the top
left cell. A player who cannot move passes without a word: programs do it by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adv_envs import Othello
from agents.dialects import GtpGame
from agents.knowledge import ExactValues, Knowledge, SolutionText, register_knowledge
from agents.spec import register
from agents.symmetries import PlayerExchange

from .evaluations import TURNED, corners_first, discs, exchanged, mobility
from .solver import OthelloPlayer, OthelloSolver, empty_cells

# ---- Othello in GTP

SET_UP = "grhino-setup_board"
"""The command of GRhino that sets up a board: its discs row by row, and who is to move."""


def set_up(position: Othello, known: Collection[str]) -> Sequence[str] | None:
    """Returns the command of GRhino; None for programs that do not know it."""
    if SET_UP not in known:
        return None
    board = "".join(cell for row in position.rows() for cell in row)
    return [f"{SET_UP} {board} {position.symbols[position.to_move]}"]


def turned(position: Othello, player: int) -> Othello:
    """Returns the position after a pass that is not told; ValueError if the rules allow none."""
    must_pass = position.size**2
    if not position.legal(must_pass):
        raise ValueError("only a player who has no other move passes")
    return position.play(must_pass)


def score(position: Othello) -> str:
    """Returns who has won, and by how many discs: "B+4", "W+10" or "0"."""
    more = position.stones(0).bit_count() - position.stones(1).bit_count()
    return "0" if more == 0 else f"B+{more}" if more > 0 else f"W+{-more}"


GTP = GtpGame(
    name="Othello",
    settings=lambda position: [f"boardsize {position.size}"],
    vertex=lambda position, action: position.name(action) if action < position.size**2 else "",
    set_up=set_up,
    turned=turned,
    score=score,
)
"""Othello in GTP."""


__all__ = ["OthelloPlayer", "OthelloSolver", "discs", "mobility"]

QUICK_EMPTY = 14
"""Empty cells up to which all moves are solved in a second at most."""

FEASIBLE_EMPTY = 18
"""Empty cells up to which all moves are solved in some seconds."""

SOLVED_EMPTY = 24
"""Empty cells up to which a position is solved in a minute or so."""

SAMPLED_EMPTY = 12
"""Empty cells up to which all moves are solved in a fraction of a second."""


def exact_values(start: Othello) -> ExactValues:
    """Returns the solver's values of positions with few empty cells: who wins, or discs."""
    return ExactValues(
        start,
        OthelloSolver(weak=not start.margin),
        unit="amounts" if start.margin else "utilities",
        work=empty_cells,
        limits=(QUICK_EMPTY, FEASIBLE_EMPTY),
    )


def in_words(position: Othello, score: float) -> str:
    """Returns the meaning of a score: who wins, and by how many discs."""
    number = abs(int(score))
    by = f"by {number} disc{'s' * (number != 1)}"
    return "a draw" if score == 0 else f"a win {by}" if score > 0 else f"a loss {by}"


def analyst(position: Othello) -> str:
    """Returns the solver where it takes seconds, otherwise alpha-beta for some seconds."""
    if empty_cells(position) <= FEASIBLE_EMPTY:
        return "perfect()"
    return "alpha_beta(seconds=3, evaluate=othello.mobility)"


register("othello_solver", OthelloSolver)
register("othello_player", OthelloPlayer)
register_knowledge(
    Othello,
    Knowledge(
        names=("reversi",),
        evaluations={"mobility": mobility, "discs": discs},
        default_evaluation="mobility",
        orders={"corners_first": corners_first},
        order=corners_first,
        symmetries=TURNED,
        exchange=PlayerExchange(exchanged),
        solver=lambda position: OthelloSolver if empty_cells(position) <= SOLVED_EMPTY else None,
        exact_values=exact_values,
        progress=lambda position: 1 - empty_cells(position) / (position.size**2 - 4),
        sample_plies=lambda start: range(
            max(start.size**2 - 4 - SAMPLED_EMPTY, 0), start.size**2 - 4
        ),
        settings=({"size": 6},),
        opponent=lambda start: "othello_player(nodes=300000, exact=14)",
        analyst=analyst,
        strong=lambda start: "othello_player(seconds=3, exact=18)",
        rungs={
            "random": "random",
            "discs": "greedy(evaluate=othello.discs)",
            "greedy": "greedy(evaluate=othello.mobility)",
            "mcts 100": "mcts(simulations=100)",
            "depth 2": "alpha_beta(depth=2, evaluate=othello.mobility)",
            "mcts 1000": "mcts(simulations=1000)",
            "depth 4": "alpha_beta(depth=4, evaluate=othello.mobility)",
            "depth 6, exact 14": "othello_player(depth=6, exact=14)",
        },
        solution=SolutionText(name="discs", in_words=in_words),
        gtp=GTP,
    ),
)
