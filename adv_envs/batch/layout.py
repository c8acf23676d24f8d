"""Where the numbers of observations and masks of a board are in the words of its position.

Each number is a bit of a word. Numbers in a row whose bits are in the same words form a stretch,
which ``adv_envs.batch.kernels`` unpacks at once.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import bits
from adv_envs.position import Board

Layouts = tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8]]
"""The layout and sources of observations, then those of masks; see ``board_layout``."""


def no_layout() -> Layouts:
    """Empty arrays, for games that are not boards."""
    return _table([], 6), _sources([]), _table([], 4), _sources([])


def board_layout(start: Board, channels_first: bool) -> Layouts:
    """The arrays (layout, sources, mask_layout, mask_sources).

    A row of ``layout`` is a stretch: its first number in the observation, how many, the word with
    the own stones, that with the opponent's, and both again for the other player's view. A row of
    ``mask_layout``: its first action, how many, and the words with the own and the opponent's
    stones. The sources, see ``bits.unpack_bits``, say for each number in which of its two words and
    in which bit it is, and for each action in which bit of the free cells.
    """
    own, opp = _first_word(start, "own"), _first_word(start, "opp")
    cells = [start.bit(row, column) for row in range(start.height) for column in range(start.width)]
    if channels_first:
        seen = [(side, cell) for side in (0, 1) for cell in cells]
    else:
        seen = [(side, cell) for cell in cells for side in (0, 1)]
    entries = [start.entry(action) for action in range(start.num_stone_actions)]
    layout = [
        [at, number, *(side + (seen[at][1] >> 6) for side in (own, opp, opp, own))]
        for at, number in _stretches([cell >> 6 for _, cell in seen])
    ]
    mask_layout = [
        [at, number, own + (entries[at] >> 6), opp + (entries[at] >> 6)]
        for at, number in _stretches([entry >> 6 for entry in entries])
    ]
    sources, mask_sources = _sources(seen), _sources([(0, entry) for entry in entries])
    return _table(layout, 6), sources, _table(mask_layout, 4), mask_sources


def _first_word(start: Board, field: str) -> int:
    """The number of the first word of a field in what ``bits.pack`` writes."""
    at = 0
    for name in start._fields[len(start.parameters) :]:
        if name == field:
            return at
        at += bits.wide_words(start, name) or 1
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
    return np.array(values, np.int64).reshape(-1, columns)


def _sources(seen: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """What ``bits.unpack_bits`` asks for, of (0 or 1 for the second word, bit number); padded."""
    sources = np.zeros((2, len(seen) + bits.BEYOND), np.uint8)
    for i, (side, cell) in enumerate(seen):
        sources[:, i] = 8 * side + (cell % 64 >> 3), 1 << (cell & 7)
    return sources
