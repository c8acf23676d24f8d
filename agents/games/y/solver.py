"""Solves Y by virtual connections, as Hex is: a chain has to join three edges instead of two.

The same search serves, as connections of the edges in pairs do for Hex. A player has joined the
sides if a group is fully connected with each of them and no two of these carriers have a cell in
common; with an empty cell in place of the group, or with one semi-connection, it is a threat. And
the sides are edges of both players, so a stone on one may matter to either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from adv_envs import GameOfY, Position
from agents.agent import require_game

from ..hex.inferior_cells import RING, BoardTables, dead_patterns
from ..hex.proof import ConnectionArrays, connection_arrays
from ..hex.solver import ConnectionSolver
from ..hex.virtual_connections import Indices, new_connections

LARGEST = 10
"""The largest board whose cells fit a word of 64 bits."""

BESIDE = 0b000011, 0b001100, 0b110000
"""The places of ``RING`` that are off the board beside a cell on the last, left and top side."""


@dataclass(repr=False)
class YSolver(ConnectionSolver):
    """Plays Y perfectly up to size 8 in seconds, and larger boards up to size 10 with patience."""

    name: ClassVar[str] = "y_solver"

    def _board(self, position: Position) -> GameOfY:
        position = require_game(position, GameOfY, self.name, "solves")
        if position.size > LARGEST:
            raise ValueError(
                f"{self.name} takes boards up to size {LARGEST}, not size={position.size}: "
                "search larger ones with mcts"
            )
        return position

    def _arrays(self, size: int) -> ConnectionArrays:
        return y_arrays(size, self.table_mb)


def y_arrays(size: int, megabytes: float) -> ConnectionArrays:
    """Returns what searches on a board work on, with an empty table and no limits."""
    board, sides = triangle_tables(size)
    connections = new_connections(board.neighbour_sets, np.array([sides, sides]))
    return connection_arrays(board, connections, megabytes)


@cache
def triangle_tables(size: int) -> tuple[BoardTables, Indices]:
    """Returns what kernels need to know of a board, and the cells on each side, as sets (3,).

    The kind of a cell is the set of the sides that it is on.
    """
    number = {cell: i for i, cell in enumerate(GameOfY(size).cells())}
    neighbours, sides = np.zeros((len(number), 6), np.int64), np.zeros(3, np.int64)
    for (row, column), i in number.items():
        around = [number.get((row + down, column + right), -1) for down, right in RING]
        on = [s for s in range(3) if around[2 * s] < 0 or around[2 * s + 1] < 0]
        kind = sum(1 << s for s in on)
        neighbours[i] = [cell if cell >= 0 else -2 - kind for cell in around]
        sides[on] |= 1 << i
    sets = [sum(1 << cell for cell in row if cell >= 0) for row in neighbours.tolist()]
    patterns = [
        dead_patterns(tuple(BESIDE[s] for s in range(3) if kind >> s & 1)) for kind in range(7)
    ]
    dead, killers = (np.concatenate(tables, axis=-1) for tables in zip(*patterns, strict=True))
    return BoardTables(neighbours, np.array(sets), dead, killers), sides
