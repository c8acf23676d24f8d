"""Evaluates Breakthrough: sure wins three plies ahead, the reflection, and the exact solver."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from adv_envs import Position
from adv_envs.bits import count
from adv_envs.games.breakthrough import Breakthrough
from adv_envs.jit import kernel
from agents.agent import require_game
from agents.dialects import GtpGame, UciGame
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.search.proof_number import WITHOUT_LIMIT, ProofNumber, ProofSolver
from agents.spec import register
from agents.symmetries import (
    MIRROR,
    PlayerExchange,
    board_symmetries,
    image_cells,
    image_of_cell_action,
)

# ---- evaluations


@kernel
def material(position: Breakthrough) -> float:
    """Returns the number of own men minus the opponent's. Antisymmetric."""
    return float(count(position.own) - count(position.opp))


@kernel
def advance(position: Breakthrough) -> float:
    """Returns the worth of all own men by where they stand, minus the opponent's. Antisymmetric.

    A man n steps from its own edge of the board counts 4 (n + 1) (n + 2), a third less in the first
    and last column. At home, where men are needed to stop others, it counts 40, and 120 in the two
    columns beside those, from which two men guard most cells. The proportions are those of R.
    Lorentz and T. Horey, Programming Breakthrough (Computers and Games 2013).
    """
    up = position.turn == 0
    own = placed_men(position.own, up, position.height, position.width)
    return float(own - placed_men(position.opp, not up, position.height, position.width))


def placed_men(men: int, up: bool, height: int, width: int) -> int:
    """Returns the worth of ``men``, which move up or down, for ``advance``."""
    edges = 1 | 1 << width - 1
    guards = (6 | 6 << width - 4 if width > 3 else 7) & ~edges
    home = row_of(men, height - 1 if up else 0, width)
    total = 40 * count(home) + 80 * count(home & guards)
    for n in range(1, height):
        row = row_of(men, height - 1 - n if up else n, width)
        each = 4 * (n + 1) * (n + 2)
        total += each * count(row) - each // 3 * count(row & edges)
    return total


@kernel
def runners(position: Breakthrough) -> float:
    """Returns ``advance``, and 10,000 more or less where a player is sure to win soon."""
    return advance(position) + 10_000.0 * decided(position)


@kernel
def captures(position: Breakthrough, action: int) -> float:
    """Returns the steps that the man will have made, and 4 more for a capture."""
    to = action // 3 + position.ahead + action % 3 - 1
    if not 0 <= to < position.height * position.width:
        return 0.0
    row = to // position.width
    steps = position.height - 1 - row if position.turn == 0 else row
    return float(steps + 4 * (position.opp >> to & 1 != 0))


# ---- who wins within three plies


@kernel
def decided(position: Breakthrough) -> int:
    """Returns 1 if the player to move surely wins within three plies, -1 if the other does, else 0.

    A man one step before the far row wins with the next move, as nothing can stop all of its
    moves. If the opponent has one there, it must be captured, and there must not be two. Without
    such men, one that comes there and cannot be captured wins.
    """
    up, width = position.turn == 0, position.width
    far, back = (0, 1) if up else (position.height - 1, -1)
    home = position.height - 1 - far
    if row_of(position.own, far + back, width) != 0:
        return 1
    threats = row_of(position.opp, home - back, width)
    if threats != 0:
        guards = row_of(position.own, home, width)
        stopped = guards & (threats << 1 | threats >> 1) != 0
        return 0 if stopped and threats & threats - 1 == 0 else -1
    near = row_of(position.own, far + 2 * back, width)
    blocked = row_of(position.opp, far + back, width)
    reached = (near & ~blocked | near << 1 | near >> 1) & (1 << width) - 1
    guards = row_of(position.opp, far, width)
    return 1 if reached & ~(guards << 1 | guards >> 1) != 0 else 0


def row_of(men: int, row: int, width: int) -> int:
    """Returns those of ``men`` that stand in a row, as a set of columns."""
    return men >> row * width & (1 << width) - 1


def image_action(position: Breakthrough, action: int, turn: int) -> int:
    """Returns the action with left and right exchanged, for turn 1; its direction is 0 to 2."""
    if turn == 0:
        return action
    cell = image_of_cell_action(position, action // 3, turn)
    return 3 * cell + 2 - action % 3


UPSIDE_DOWN = 2
"""The reflection that exchanges the far rows of the players."""


def exchanged(position: Breakthrough) -> Breakthrough:
    """Returns the position in which each player has the men of the other, on the other side."""
    own, opp = (image_cells(position, men, UPSIDE_DOWN) for men in (position.own, position.opp))
    return position._replace(own=own, opp=opp, turn=1 - position.turn)  # type: ignore[no-any-return]


def exchanged_action(position: Breakthrough, action: int) -> int:
    """Returns the action there: the cell is reflected, left and right remain."""
    cell, direction = divmod(action, 3)
    return image_of_cell_action(position, cell, UPSIDE_DOWN) * 3 + direction


# ---- the solver, and how the game is graded

MAX_SOLVED = 25
"""Cells of the largest board that is solved."""

MAX_LISTED = 18
"""Cells of the largest board of which every position is solved within seconds."""

MAX_GRADED = 36
"""Cells of the largest board that is graded."""

QUICK_FROM = 10, 24
"""Moves after which positions are nearly always solved in a second, on boards of up to MAX_SOLVED
and of up to MAX_GRADED cells."""

FEASIBLE_FROM = 6, 20
"""Moves after which it is mostly a fraction of a second, and at times ten."""


@dataclass(repr=False)
class BreakthroughSolver(ProofSolver):
    """Plays Breakthrough perfectly on small boards, by proof-number search without a limit.

    A value is a utility, 1 or -1. ValueError for other games, and for boards with more than 25
    cells.
    """

    table_mb: float = 256
    """Bounds the table, in megabytes."""

    name: ClassVar[str] = "breakthrough_solver"
    ahead: ClassVar[Callable[[Any], float]] = advance

    def require(self, position: Position) -> None:
        """Raises ValueError for a position that it does not solve."""
        here = require_game(position, Breakthrough, self.name, "solves")
        if here.height * here.width > MAX_SOLVED:
            raise ValueError(
                f"{self.name} solves boards of up to {MAX_SOLVED} cells, such as 5 x 5; this one "
                f"has {here.height * here.width}: use proof_number or alpha_beta"
            )


def exact_values(start: Breakthrough) -> ExactValues:
    """Returns who wins after each move, on small boards.

    On boards of more than ``MAX_LISTED`` cells there is no bound to how long an early position
    takes. NotGraded for boards above ``MAX_GRADED``.
    """
    if start.height * start.width > MAX_GRADED:
        raise NotGraded(
            f"breakthrough is graded on boards of up to {MAX_GRADED} cells, such as 6 x 6; "
            f"this one has {start.height * start.width}"
        )
    return ExactValues(
        start,
        ProofNumber(nodes=WITHOUT_LIMIT, table_mb=64, evaluate=advance),
        quick=lambda position: is_late(position, QUICK_FROM),
        feasible=lambda position: is_late(position, FEASIBLE_FROM),
    )


def is_late(position: Breakthrough, moves: tuple[int, int]) -> bool:
    """Returns whether the board is small, or that number of moves was certainly made on it."""
    cells = position.height * position.width
    return cells <= MAX_LISTED or certain_moves(position) >= moves[cells > MAX_SOLVED]


def certain_moves(position: Breakthrough) -> int:
    """Returns a number of moves that surely were made: one for each man captured, and steps.

    Of each man these are the steps beyond the rows where men begin.
    """
    height, width, rows = position.height, position.width, position.men_rows
    made = 2 * rows * width - count(position.own | position.opp)
    for player in (0, 1):
        for row in range(height):
            steps = height - 1 - row if player == 0 else row
            men = count(row_of(position.stones(player), row, width))
            made += men * max(0, steps - (rows - 1))
    return made


def sample_plies(start: Breakthrough) -> range | None:
    """Returns the first plies on small boards; larger ones have a set of positions, or none."""
    cells = start.height * start.width
    return range(2 * start.height) if cells <= MAX_LISTED else None


def progress(position: Breakthrough) -> float:
    """Returns the share of its way to the far row that the most advanced man has made."""
    last, width = position.height - 1, position.width
    steps = (
        last - row if player == 0 else row
        for player in (0, 1)
        for row in range(position.height)
        if row_of(position.stones(player), row, width)
    )
    return max(steps) / last


# ---- UCI, by which Fairy-Stockfish plays the game


def variant(position: Breakthrough) -> str:
    """Returns its name; ValueError for other boards than 8 x 8 with two rows of men."""
    if (position.height, position.width, position.men_rows) != (8, 8, 2):
        raise ValueError("programs play breakthrough on 8 x 8 with two rows of men only")
    return "breakthrough"


def fen(position: Breakthrough) -> str:
    """Returns the rows from the top, men as pawns, and who is to move."""
    rows = ("".join(row).translate(PAWNS) for row in position.rows())
    board = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{board} {'wb'[position.turn]} - - 0 1"


def from_fen(start: Breakthrough, text: str) -> Breakthrough:
    """Returns the position of a FEN; ValueError for what is none of this game."""
    found = re.fullmatch(r"([pP1-8/]+) ([wb])( .*)?", text)
    if not found:
        raise ValueError(f"a FEN of breakthrough has rows of p, P and digits, not {text!r}")
    rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), found[1]).translate(MEN)
    return Breakthrough.from_text(
        rows.replace("/", "\n"), "wb".index(found[2]), men_rows=start.men_rows
    )


PAWNS, MEN = str.maketrans("WB", "Pp"), str.maketrans("Pp", "WB")
"""The men of White and Black in a FEN, and in text."""

# ---- what the game is offered with


register("breakthrough_solver", BreakthroughSolver)
register_knowledge(
    Breakthrough,
    Knowledge(
        evaluations={"material": material, "advance": advance, "runners": runners},
        default_evaluation="runners",
        orders={"captures": captures},
        symmetries=board_symmetries(Breakthrough, MIRROR, action=image_action),
        exchange=PlayerExchange(exchanged, exchanged_action),
        decided=decided,
        solver=lambda position: (
            BreakthroughSolver if position.height * position.width <= MAX_SOLVED else None
        ),
        exact_values=exact_values,
        progress=progress,
        sample_plies=sample_plies,
        settings=(*({"height": size, "width": size} for size in (5, 6, 7)),),
        opponent=lambda start: "alpha_beta(nodes=1000000, evaluate=breakthrough.runners)",
        analyst=lambda position: "alpha_beta(seconds=3, evaluate=breakthrough.runners)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=breakthrough.runners)",
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=breakthrough.advance)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 100),
            **by_number(
                "depth %d", "alpha_beta(depth=%d, evaluate=breakthrough.runners)", 1, 2, 4, 6
            ),
        },
        gtp=GtpGame(colours=("white", "black")),
        uci=UciGame(variant=variant, fen=fen, from_fen=from_fen, centipawns=2.5),
    ),
)
