"""Where the cells of a board are in its words, for observations and masks eight at a time.

What a lane shows of a board are bits of its words, in some order: numbers that come from the same
words stand together in stretches, which ``adv_envs.lanes`` copies one after the other.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import bits
from .position import Board, Position

Runs = list[tuple[int, int]]


def is_plain_board(position: Position) -> bool:
    """Whether observation and mask are those of every board: stones, and cells that are empty."""
    cls = type(position)
    return isinstance(position, Board) and all(
        getattr(cls, name) is getattr(Board, name)
        for name in ("observe", "stones", "observation_shape")
    )


def no_layout() -> tuple[NDArray[np.int64], ...]:
    """What a game that is no board has: arrays of nothing."""
    return _table([], 6), _table([], 0), _table([], 4), _table([], 0)


def board_layout(start: Board, channels_first: bool) -> tuple[NDArray[np.int64], ...]:
    """The arrays (layout, shifts, mask_layout, mask_shifts).

    A row of ``layout`` is a stretch: its first number in the observation, how many, the word that
    the even ones come from, that of the odd ones, and both again for the other player's view. A row
    of ``mask_layout``: its first action, how many, and the words with the own and the opponent's
    stones. The shifts are the bit numbers in the words, of each number and each action.
    """
    own, opp = _first_word(start, "own"), _first_word(start, "opp")
    cells = [start.bit(row, column) for row in range(start.height) for column in range(start.width)]
    if channels_first:
        seen = [(side, side, cell) for side in (0, 1) for cell in cells]
    else:
        seen = [(0, 1, cell) for cell in cells for _ in (0, 1)]
    entries = [start.entry(action) for action in range(start.num_stone_actions)]
    layout = []
    for at, number in _stretches([(even, odd, cell >> 6) for even, odd, cell in seen]):
        even, odd, cell = seen[at]
        words = [(own, opp)[side] + (cell >> 6) for side in (even, odd, 1 - even, 1 - odd)]
        layout.append([at, number, *words])
    mask_layout = [
        [at, number, own + (entries[at] >> 6), opp + (entries[at] >> 6)]
        for at, number in _stretches([entry >> 6 for entry in entries])
    ]
    shifts = [cell & 63 for _, _, cell in seen]
    mask_shifts = [entry & 63 for entry in entries]
    return _table(layout, 6), _table(shifts, 0), _table(mask_layout, 4), _table(mask_shifts, 0)


def _first_word(start: Board, field: str) -> int:
    """The number of the first word of a field in what ``bits.pack`` writes."""
    at = 0
    for name in start._fields[len(start.parameters) :]:
        if name == field:
            return at
        at += bits.wide_words(start) if name in start._wide_fields else 1
    raise TypeError(f"a {type(start).__name__} must have a field {field}: a board has stones")


def _stretches(keys: list[Any]) -> list[tuple[int, int]]:
    """Where equal keys stand together: the first of them, and how many."""
    stretches, at = [], 0
    for _, group in itertools.groupby(keys):
        number = len(list(group))
        stretches.append((at, number))
        at += number
    return stretches


def _table(values: list[Any], columns: int) -> NDArray[np.int64]:
    """Rows of so many columns; without columns, the values and seven more, which may be read."""
    if columns:
        return np.array(values, np.int64).reshape(-1, columns)
    room = np.zeros(len(values) + 7 + 8, np.int64)
    first = -room.ctypes.data // 8 % 8  # read 64 bytes at a time: each within one cache line
    room[first : first + len(values)] = values
    return room[first : first + len(values) + 7]
