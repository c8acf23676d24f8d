"""Lays out observations: the type of their numbers, and where those of a board come from.

Single environments and batches share this. ``Board.observe`` says what is seen of a board; batches
read the same from the words of ``bits.pack``, by a ``BoardLayout``.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import bits
from .position import Board, Position

DTYPES = "bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"


def smallest_dtype(start: Position) -> np.dtype[Any]:
    """Returns the smallest signed integer type for the observations of a game: int8 to int32."""
    high = np.max(start.observation_high)
    return np.dtype(next(t for t in ("int8", "int16", "int32") if high <= np.iinfo(t).max))


def known_dtype(what: str, dtype: DTypeLike) -> np.dtype[Any]:
    """Returns one of ``DTYPES``; ValueError, which names ``what``, for other types."""
    kind = np.dtype(dtype)
    if kind.name not in DTYPES:
        raise ValueError(f"{what} can be of dtype {', '.join(DTYPES)}, not {kind}")
    return kind


def checked_dtype(start: Position, dtype: DTypeLike | None) -> np.dtype[Any]:
    """Returns the type of observations, None for the smallest; ValueError if it is too small."""
    if dtype is None:
        return smallest_dtype(start)
    high, kind = int(np.max(start.observation_high)), known_dtype("observations", dtype)
    most = 1 if kind == np.bool_ else np.iinfo(kind).max if kind.kind in "iu" else high
    if high > most:
        raise ValueError(f"observations up to {high} do not fit into {kind}")
    return kind


Stretches = tuple[tuple[int, int, int], ...]
"""Numbers in a row that come from the same words: the first, how many, and which word of a set."""


class BoardLayout(NamedTuple):
    """Tells where the numbers of a board's observation and mask are in its words.

    Each number is a bit: of the set of own stones or of the opponent's, or of the cells that are
    free. ``sources``, uint8 (2, numbers + BEYOND), are those of ``bits.unpack_bits``.
    """

    own: int
    """The first word of the own stones in what ``bits.pack`` writes."""
    opp: int
    """The first word of the opponent's stones."""
    stretches: Stretches
    """The observation."""
    sources: NDArray[np.uint8]
    """The bit of each number of the observation, in the low word if it is an own stone."""
    mask_stretches: Stretches
    """The mask of the actions that place a stone."""
    mask_sources: NDArray[np.uint8]
    """The bit of the cell that each of these actions needs free."""


def is_plain_board(position: Position) -> TypeGuard[Board]:
    """Returns whether its observations are those of every board: the stones of both players."""
    cls = type(position)
    return isinstance(position, Board) and all(
        getattr(cls, name) is getattr(Board, name)
        for name in ("observe", "stones", "observation_shape")
    )


def board_layout(start: Position, channels_first: bool) -> BoardLayout:
    """Returns the layout of a plain board; of other games one without any numbers.

    TypeError for a board that does not keep its stones in fields.
    """
    if not is_plain_board(start):
        return BoardLayout(0, 0, (), _sources([]), (), _sources([]))
    cells = [start.bit(row, column) for row in range(start.height) for column in range(start.width)]
    seen = [(side, cell) for cell in cells for side in (0, 1)]
    if channels_first:
        seen.sort(key=lambda number: number[0])
    free = [(0, start.entry(action)) for action in range(start.num_stone_actions)]
    own, opp = _first_word(start, "own"), _first_word(start, "opp")
    return BoardLayout(own, opp, _stretches(seen), _sources(seen), _stretches(free), _sources(free))


def _first_word(start: Board, field: str) -> int:
    """Returns the number of the first word of a field in what ``bits.pack`` writes."""
    if field not in start.state_fields:
        raise TypeError(f"a {type(start).__name__} must have a field {field}: a board has stones")
    before = start.state_fields[: start.state_fields.index(field)]
    return sum(bits.wide_words(start, name) or 1 for name in before)


def _stretches(numbers: list[tuple[int, int]]) -> Stretches:
    """Returns the stretches of (0 or 1 for the second set, bit number); an empty one of none."""
    stretches, at = [], 0
    for word, group in itertools.groupby(cell >> 6 for _, cell in numbers):
        length = len(list(group))
        stretches.append((at, length, word))
        at += length
    return tuple(stretches) or ((0, 0, 0),)


def _sources(numbers: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """Returns what ``bits.unpack_bits`` asks for, of (0 or 1 for the second set, bit number)."""
    sources = np.zeros((2, len(numbers) + bits.BEYOND), np.uint8)
    for i, (side, cell) in enumerate(numbers):
        sources[:, i] = 8 * side + (cell % 64 >> 3), 1 << (cell & 7)
    return sources
