"""Breakthrough: evaluations, sure wins three plies ahead, the reflection, and the exact solver."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from adv_envs import Position
from adv_envs.bits import count, lowest, single
from adv_envs.games.breakthrough import Breakthrough
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_table, require_unfinished
from agents.dialects import GtpGame, UciGame
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


# ---- the reflection


def image(position: Breakthrough, i: int) -> Breakthrough:
    """Returns the position itself, or for ``i`` = 1 the one with left and right exchanged."""
    own, opp = position.own, position.opp
    if i == 1:
        own, opp = mirrored(own, position.width), mirrored(opp, position.width)
    height, width, rows = position.height, position.width, position.men_rows
    return Breakthrough(height, width, rows, own, opp, position.turn)


def mirrored(men: int, width: int) -> int:
    """Returns the set of cells of ``men`` with left and right exchanged."""
    cells, left = men & 0, men
    while left != 0:
        cell = lowest(left)
        left ^= single(cell, men)
        column = cell % width
        cells |= single(cell - column + width - 1 - column, men)
    return cells


def image_action(position: Breakthrough, action: int, i: int) -> int:
    """Returns the action in the i-th image."""
    if i == 0:
        return action
    cell, direction = action // 3, action % 3
    column = cell % position.width
    return 3 * (cell - column + position.width - 1 - column) + 2 - direction


def inverse_image(position: Breakthrough, i: int) -> int:
    """Returns ``i``: each image leads back by itself."""
    return i


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

NODES = 10**12
"""Nodes that no board of up to ``MAX_SOLVED`` cells needs."""


@dataclass(repr=False)
class BreakthroughSolver(SearchAgent):
    """Perfect play of Breakthrough on small boards, by proof-number search without a limit.

    A value is a utility, 1 or -1. ``table_mb`` bounds the table. ValueError for other games, and
    for boards with more than 25 cells.
    """

    table_mb: float = 256
    """Bounds the table, in megabytes."""

    name: ClassVar[str] = "breakthrough_solver"

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table without size."""
        require_table(self.table_mb)

    def analyse(self, position: Position) -> SearchResult:
        """Returns a winning action or, where there is none, the one that took longest to refute."""
        require_unfinished(position)
        if not isinstance(position, Breakthrough):
            raise ValueError(f"{self.name} solves breakthrough, not {type(position).__name__}")
        if position.height * position.width > MAX_SOLVED:
            raise ValueError(
                f"{self.name} solves boards of up to {MAX_SOLVED} cells, such as 5 x 5; this one "
                f"has {position.height * position.width}: use proof_number or alpha_beta"
            )
        return ProofNumber(nodes=NODES, table_mb=self.table_mb, evaluate=advance).analyse(position)


class BreakthroughValues(ExactValues):
    """The exact values of Breakthrough on small boards: who wins after each move.

    On boards of more than ``MAX_LISTED`` cells there is no bound to how long an early position
    takes.
    """

    def __init__(self, start: Breakthrough) -> None:
        super().__init__(start)
        if start.height * start.width > MAX_GRADED:
            raise NotGraded(
                f"breakthrough is graded on boards of up to {MAX_GRADED} cells, such as 6 x 6; "
                f"this one has {start.height * start.width}"
            )
        self._solver = ProofNumber(nodes=NODES, table_mb=64, evaluate=advance)

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action, 1 for a win and 0 for a loss."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((value + 1) / 2) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether the board is small, or enough moves of QUICK_FROM are made."""
        return isinstance(position, Breakthrough) and is_late(position, QUICK_FROM)

    def is_feasible(self, position: Position) -> bool:
        """Returns whether the board is small, or enough moves of FEASIBLE_FROM are made."""
        return isinstance(position, Breakthrough) and is_late(position, FEASIBLE_FROM)


def is_late(position: Breakthrough, moves: tuple[int, int]) -> bool:
    """Returns whether the board is small, or so many moves were certainly made on it."""
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
    steps = max(furthest(position, player) for player in (0, 1))
    return steps / (position.height - 1)


def furthest(position: Breakthrough, player: int) -> int:
    """Returns the most steps that a man of ``player`` has made from its own edge of the board."""
    rows = [
        row
        for row in range(position.height)
        if row_of(position.stones(player), row, position.width)
    ]
    steps = [position.height - 1 - row if player == 0 else row for row in rows]
    return max(steps, default=0)


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


def solver(position: Breakthrough) -> type[SearchAgent] | None:
    """Returns the solver for boards that it takes."""
    return BreakthroughSolver if position.height * position.width <= MAX_SOLVED else None


RUNGS = {
    "random": "random",
    "greedy": "greedy(evaluate=breakthrough.advance)",
    "mcts 30": "mcts(simulations=30)",
    "mcts 100": "mcts(simulations=100)",
    "depth 1": "alpha_beta(depth=1, evaluate=breakthrough.runners)",
    "depth 2": "alpha_beta(depth=2, evaluate=breakthrough.runners)",
    "depth 4": "alpha_beta(depth=4, evaluate=breakthrough.runners)",
    "depth 6": "alpha_beta(depth=6, evaluate=breakthrough.runners)",
}

register("breakthrough_solver", BreakthroughSolver)
register_knowledge(
    Breakthrough,
    Knowledge(
        evaluations={"material": material, "advance": advance, "runners": runners},
        default_evaluation="runners",
        orders={"captures": captures},
        symmetries=Symmetries(lambda position: 2, image, image_action, inverse_image),
        decided=decided,
        solver=solver,
        exact_values=BreakthroughValues,
        progress=progress,
        sample_plies=sample_plies,
        opponent=lambda start: "alpha_beta(nodes=1000000, evaluate=breakthrough.runners)",
        analyst=lambda position: "alpha_beta(seconds=3, evaluate=breakthrough.runners)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=breakthrough.runners)",
        rungs=RUNGS,
        gtp=GtpGame(colours=("white", "black")),
        uci=UciGame(variant=variant, fen=fen, from_fen=from_fen, centipawns=2.5),
    ),
)
