"""Hex as the engine sees it: cells are numbered row by row without a gap, sets of cells are words.

Stones are two sets: those of player 0, who joins top and bottom, and of player 1, who joins left
and right. What lies beside the board counts as stones: above and below it of player 0, at its
sides of player 1.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex, Position
from adv_envs.jit import disabled, kernel

from .inferior import patterns

LARGEST = 8
"""The largest board whose cells fit a word of 64 bits."""

RING = (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)
"""(row, column) steps to the six neighbours of a cell in a circle: each touches the next."""

Rules = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]


@cache
def rules(size: int) -> Rules:
    """What kernels need to know of a board, as (beside, near, dead, killers).

    ``beside`` (cells, 6) int64: the neighbours of every cell in the order of RING, -1 and -2 for
    stones of player 0 and 1 beside the board; ``near`` (cells,) int64: the same as sets; ``dead``
    and ``killers`` are the patterns of ``inferior``.
    """
    beside = np.empty((size * size, 6), np.int64)
    near = np.zeros(size * size, np.int64)
    for cell in range(size * size):
        for i, (down, right) in enumerate(RING):
            row, column = cell // size + down, cell % size + right
            if not 0 <= row < size:
                beside[cell, i] = -1
            elif not 0 <= column < size:
                beside[cell, i] = -2
            else:
                beside[cell, i] = row * size + column
                near[cell] |= signed(1 << row * size + column)
    return beside, near, *patterns()


def require_board(position: Position, who: str) -> Hex:
    """The position; TypeError or ValueError unless the engine can take it."""
    if not isinstance(position, Hex):
        raise TypeError(f"{who} solves Hex, not {type(position).__name__}")
    largest = LARGEST - 1 if disabled() else LARGEST  # Python's integers have no 64th bit
    if position.size > largest:
        raise ValueError(
            f"{who} takes boards up to {largest} x {largest}, not size={position.size}: "
            "search larger ones with mcts or alpha_beta"
        )
    return position


def stones_of(position: Hex) -> tuple[int, int]:
    """The stones of player 0 and of player 1."""
    return tuple(_cells(position.size, position.stones(player)) for player in (0, 1))  # type: ignore[return-value]


def _cells(size: int, word: int) -> int:
    """The cells of a set whose rows end with a bit that is always empty."""
    cells = 0
    for row in range(size):
        cells |= (word >> row * (size + 1) & (1 << size) - 1) << row * size
    return signed(cells)


def signed(word: int) -> int:
    """A set of up to 64 cells as the signed word of 64 bits that has the same bits."""
    return word - (1 << 64) if word >> 63 else word


def cells_of(word: int) -> list[int]:
    """The cells of a set, in increasing order; each is also the action that sets a stone there."""
    return [cell for cell in range(64) if word >> cell & 1]


@kernel
def all_cells(size):  # type: ignore[no-untyped-def]
    """Every cell of a board."""
    return -1 if size == 8 else (1 << size * size) - 1
