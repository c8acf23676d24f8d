"""Solves Quoridor where few walls are left, one layout of the walls after the other.

Walls are never taken off, so all play with the same walls on the board and in the hands of the
players, a layout, is moves of pawns: some thousand states, to which play may return. Each layout
has a table of all of them, worked back from the goals and from the tables of the layouts with one
more wall. A state where nobody can force a win is a draw.

The tables tell in how many plies a player wins who hurries, against one who holds out. So they
also tell who wins before the limit of plies, which no table knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import lowest
from adv_envs.games.quoridor import CELL_BITS, LEFT_BITS, Quoridor, spread
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.agent import require_game
from agents.search.exact_play import SolverKernels
from agents.search.limits import NODES, UNLIMITED, Counts, prepared
from agents.search.perfect import ExactSolver

IMPOSSIBLE = -(1 << 15)
"""In a table: a state that cannot come about, or in which a pawn has no way."""

MOST_STEPS = 5
"""Cells to which a pawn can go at most: one of four steps may be a jump to either side."""

NOWHERE, HOME = -1, -2
"""In the list of steps: none, and a step to the goal."""

WON, LOST, DRAWN = range(3)
"""What putting walls leads to: the fewest plies to a win, the most to a loss, whether to draws."""

MOST_STATES = 120_000_000
"""States in all tables of the largest game that is solved."""

Table = NDArray[np.int16]
"""Plies to the end for each state, (turn * cells + pawn of 0) * cells + pawn of 1: above 0 where
the player to move wins, below where the other does, 0 for a draw. Shape (2 * cells**2,)."""
Steps = NDArray[np.int32]
"""The states after each step of a pawn, shape (states, MOST_STEPS)."""
Exits = NDArray[np.int16]
"""What putting a wall leads to, shape (states, 3)."""


def num_tables(position: Quoridor) -> int:
    """Bounds the number of layouts that the walls in hand can lead to."""
    points = (position.open_points(False) | position.open_points(True)).bit_count()
    one, two = position.walls_of(0), position.walls_of(1)
    puts = ((a, b) for a in range(one + 1) for b in range(two + 1) if a + b <= points)
    return sum(comb(points, a + b) << a + b for a, b in puts)


def num_states(position: Quoridor) -> int:
    """Bounds the states in all tables below a position."""
    return num_tables(position) * 2 * position.size**4


@kernel
def flooded(position: Quoridor, cells: Wide) -> Wide:
    """Returns all cells from which there is a way to ``cells``."""
    below, right, board = position.closed_below(), position.closed_right(), position.all_cells()
    before = cells & 0
    while cells != before:
        before = cells
        cells = spread(cells, below, right, position.stride) & board
    return cells


@kernel
def list_steps(position: Quoridor, table: Table, steps: Steps) -> None:
    """Writes the steps of pawns in every state, and 0 or IMPOSSIBLE into the table.

    ``position`` has the layout; its pawns and its ply do not matter.
    """
    cells, stride = position.size * position.size, position.stride
    goals = position.goal(0), position.goal(1)
    standing = flooded(position, goals[0]) & ~goals[0], flooded(position, goals[1]) & ~goals[1]
    for state in range(2 * cells * cells):
        turn, one, two = state // (cells * cells), state // cells % cells, state % cells
        table[state] = IMPOSSIBLE
        here = standing[0] >> one + one // position.size & 1 != 0
        there = standing[1] >> two + two // position.size & 1 != 0
        if one == two or not here or not there:
            continue
        table[state] = 0
        pawns = one | two << CELL_BITS
        placed = with_pawns(position, pawns, turn)
        targets, number = placed.targets(), 0
        goal = goals[0] if turn == 0 else goals[1]
        home = targets & goal != 0
        while targets != 0:
            bit = lowest(targets)
            targets &= targets - 1
            cell = bit - bit // stride
            pair = cell * cells + two if turn == 0 else one * cells + cell
            steps[state, number] = (1 - turn) * cells * cells + pair
            number += 1
        if home:
            steps[state, 0], number = HOME, 1
        for i in range(number, MOST_STEPS):
            steps[state, i] = NOWHERE


def with_pawns(position: Quoridor, pawns: int, turn: int) -> Quoridor:
    """Returns the position with other pawns, and player ``turn`` to move."""
    return Quoridor(
        position.size, position.walls, position.players, position.max_plies,
        pawns, position.left, position.horizontal, position.vertical, turn,
    )  # fmt: skip


@kernel
def add_exits(after: Table, turn: int, exits: Exits) -> None:
    """Adds a wall to what player ``turn`` can put, given the table of the layout after it."""
    half = after.shape[0] // 2
    mine, theirs = turn * half, (1 - turn) * half
    for i in range(half):
        value, state = int(after[theirs + i]), mine + i
        if value == IMPOSSIBLE:
            continue
        if value == 0:
            exits[state, DRAWN] = 1
        elif value > 0:
            exits[state, LOST] = max(int(exits[state, LOST]), value + 1)
        elif exits[state, WON] == 0 or 1 - value < exits[state, WON]:
            exits[state, WON] = 1 - value


@kernel
def work_back_layout(table: Table, steps: Steps, exits: Exits) -> int:
    """Writes the plies to the end into the table, the nearest ends first; returns the sweeps."""
    deepest, plies, changed = 0, 0, True
    for state in range(table.shape[0]):
        deepest = max(deepest, int(exits[state, WON]), int(exits[state, LOST]))
    while changed or plies <= deepest:
        plies += 1
        changed = False
        for state in range(table.shape[0]):
            if table[state] == 0:
                value = value_within(state, plies, table, steps, exits)
                table[state] = value
                changed = changed or value != 0
    return plies


@kernel
def value_within(state: int, plies: int, table: Table, steps: Steps, exits: Exits) -> int:
    """Returns ``plies`` for a win in as many, -plies for a loss, 0 for neither."""
    may_hold = exits[state, DRAWN] != 0 or exits[state, WON] != 0
    longest = int(exits[state, LOST])
    if exits[state, WON] == plies:
        return plies
    for i in range(MOST_STEPS):
        after = int(steps[state, i])
        if after == NOWHERE:
            break
        value = -1 if after == HOME else int(table[after])
        if after == HOME:
            return 1
        if value < 0 and 1 - value == plies:
            return plies
        if value <= 0:
            may_hold = True
        else:
            longest = max(longest, value + 1)
    return -plies if not may_hold and longest == plies else 0


@dataclass(repr=False)
class QuoridorSolver(ExactSolver):
    """Plays Quoridor of two players perfectly where few walls are left, by tables of all states.

    Those are 3 x 3, 4 x 4, 5 x 5 with two walls each, larger boards with one each. A score is how
    many plies before the limit of the game the winner arrives, plus 1, and negative for a loss.
    ValueError for other games, and where tables could have more than 120 million states.
    """

    name: ClassVar[str] = "quoridor_solver"
    _tables: dict[tuple[int, ...], Table] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def reset(self, seed: int | None = None) -> None:
        """Forgets all tables; what it plays does not depend on ``seed``."""
        self._tables.clear()

    def kernels(self, start: Position) -> SolverKernels:
        """Raises ValueError for games that it does not solve, else NotImplementedError."""
        self._search_for(start)
        return super().kernels(start)

    def _search_for(self, position: Position) -> Quoridor:
        here = require_game(position, Quoridor, self.name, "solves")
        if here.players != 2:
            raise ValueError(f"{self.name} solves games of two players, not of {here.players}")
        if num_states(here) > MOST_STATES:
            raise ValueError(
                f"{self.name} solves positions with few walls in hand, such as 5 x 5 with two of "
                f"each player or 9 x 9 with one; here are {here.walls_of(0)} and "
                f"{here.walls_of(1)} on {here.size} x {here.size}: use alpha_beta"
            )
        return here

    def _score(
        self, position: Position, counts: Counts, low: int = -UNLIMITED, high: int = UNLIMITED
    ) -> int:
        here = self._search_for(position)
        left = here.last_ply - here.ply
        if here.is_terminal():
            return -(left + 1) if here.has_arrived(here.latest) else 0
        cells = here.size * here.size
        state = (here.to_move * cells + here.cell_of(0)) * cells + here.cell_of(1)
        plies = int(self._table(here, counts)[state])
        if abs(plies) > left:
            return 0
        return left + 1 - plies if plies > 0 else -(left + 1 + plies) if plies < 0 else 0

    def _table(self, position: Quoridor, counts: Counts) -> Table:
        """Returns the table of a position's layout, made if it is not known."""
        key = position.size, position.left, position.horizontal, position.vertical
        if key in self._tables:
            return self._tables[key]
        states = 2 * position.size**4
        exits = np.zeros((states, 3), np.int16)
        for turn, after in layouts_after(position):
            below = self._table(after, counts)
            prepared(add_exits, below, turn, exits)(below, turn, exits)
        table, steps = np.zeros(states, np.int16), np.zeros((states, MOST_STEPS), np.int32)
        prepared(list_steps, position, table, steps)(position, table, steps)
        prepared(work_back_layout, table, steps, exits)(table, steps, exits)
        counts[NODES] += states
        self._tables[key] = table
        return table


def layouts_after(position: Quoridor) -> Iterator[tuple[int, Any]]:
    """Yields who can put a wall, and the position after it, whether or not it closes a way."""
    puts = [
        {name: getattr(position, name) | 1 << point}
        for name, points in (
            ("horizontal", position.open_points(False)),
            ("vertical", position.open_points(True)),
        )
        for point in range(position.board_bits)
        if points >> point & 1
    ]
    for turn in (0, 1):
        left = position.left - (1 << LEFT_BITS * turn)
        for put in puts if position.walls_of(turn) > 0 else ():
            yield turn, position._replace(left=left, **put)
