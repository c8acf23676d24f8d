"""Where the cells of a board are in the words of its position, for observations and masks.

Cells whose bits are in the same words stand together in stretches, which the kernels
``show_boards`` and ``show_small_boards`` write one after the other.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from adv_envs import bits
from adv_envs.position import Board, Position

Layouts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""The layout and bits of observations, then those of masks; see ``board_layout``."""


def is_plain_board(position: Position) -> bool:
    """Whether observation and mask are those of every board: stones, and cells that are empty."""
    cls = type(position)
    return isinstance(position, Board) and all(
        getattr(cls, name) is getattr(Board, name)
        for name in ("observe", "stones", "observation_shape")
    )


def no_layout() -> Layouts:
    """What a game that is no board has: arrays of nothing."""
    return *_tables([], 0, 0), *_tables([], 0, 0)


def board_layout(start: Board) -> Layouts:
    """The arrays (layout, bits, mask_layout, mask_bits), all int64.

    A row of ``layout`` is a stretch of cells, row by row from the top: the first of them, the end,
    the word with the own stones, and the word with the opponent's. ``bits`` has for each cell its
    bit in these words. ``mask_layout`` and ``mask_bits`` say the same of the cells that must be
    empty for actions.
    """
    own, opp = _first_word(start, "own"), _first_word(start, "opp")
    cells = [start.bit(row, column) for row in range(start.height) for column in range(start.width)]
    entries = [start.entry(action) for action in range(start.num_stone_actions)]
    return *_tables(cells, own, opp), *_tables(entries, own, opp)


def _first_word(start: Board, field: str) -> int:
    """The number of the first word of a field in what ``bits.pack`` writes."""
    at = 0
    for name in start._fields[len(start.parameters) :]:
        if name == field:
            return at
        at += bits.wide_words(start) if name in start._wide_fields else 1
    raise TypeError(f"a {type(start).__name__} must have a field {field}: a board has stones")


def _tables(cells: list[int], own: int, opp: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The stretches of ``cells``, given by their numbers, that are in one word, and their bits."""
    stretches, first = [], 0
    for word, group in itertools.groupby(cell >> 6 for cell in cells):
        end = first + len(list(group))
        stretches.append([first, end, own + word, opp + word])
        first = end
    bits = np.array([1 << cell % 64 for cell in cells], np.uint64).view(np.int64)
    return np.array(stretches, np.int64).reshape(-1, 4), bits
