"""Represents sets of cells as integers, bit i for cell i, in plain Python and compiled alike.

A plain ``int`` field of a position is a signed 64-bit word when compiled: sets of up to 63 cells. A
``Wide`` field is as wide as the position's ``board_bits`` asks (Hex 19x19 needs 380): Python's own
int in plain Python, one native wide integer when compiled. ``single`` takes a set that says how
wide the new set is to be. A ``Wide`` set may be shifted by any number; a compiled ``int`` by 0 to
63. Compiled, ``+``, ``-`` and ``*`` of ``Wide`` sets are modulo their width, which is a multiple of
64 bits: rules keep what they compute within ``board_bits``, as Python's integers have no end.
"""

from __future__ import annotations

import functools
import struct
from typing import Any

WORD = 1 << 64


def single(cell: int, like: int) -> int:
    """Returns the set with only ``cell``, as wide as the set ``like``."""
    return 1 << cell


def resized(cells: int, like: int) -> int:
    """Returns the same set, which must fit, as wide as the set ``like``."""
    return cells


def lowest(cells: int) -> int:
    """Returns the lowest cell of a set that is not empty."""
    return (cells & -cells).bit_length() - 1


def digit(number: int, place: int) -> int:
    """Returns the hexadecimal digit of ``number`` at ``place``, the lowest being at 0: 0 to 15."""
    return number >> 4 * place & 15


def count(cells: int) -> int:
    """Returns how many cells a set has."""
    return cells.bit_count()


def has_word(words: int, word: int) -> bool:
    """Returns whether a 64-bit word of a wide field of any width is ``word``, 0 to 2**63 - 1."""
    data, wanted = (
        words.to_bytes(-(-words.bit_length() // 64) * 8, "little"),
        word.to_bytes(8, "little"),
    )
    at = data.find(wanted)
    while at > 0 and at % 8 != 0:
        at = data.find(wanted, at + 1)
    return at >= 0


def list_cells(cells: int, stride: int, numbers: Any) -> int:
    """Writes the numbers of ``cells``, increasing, into ``numbers``; returns how many there are.

    Every ``stride``-th bit is the gap at the end of a row, and has no number.
    """
    found: list[int] = []
    for i, byte in enumerate(cells.to_bytes(-(-cells.bit_length() // 8), "little")):
        if byte:
            found += _numbers_of(byte, i, stride)
    numbers[: len(found)] = found
    return len(found)


@functools.cache
def _numbers_of(byte: int, i: int, stride: int) -> tuple[int, ...]:
    """Returns what ``list_cells`` writes for the i-th byte of a set."""
    cells = [8 * i + bit for bit in range(8) if byte >> bit & 1]
    return tuple(cell - cell // stride for cell in cells)


def write_planes(sets: int, room: int, stride: int, planes: Any, number: int, swap: bool) -> None:
    """Writes ``number`` sets of cells into the first planes; with ``swap``, each pair crosswise.

    The sets follow each other in ``sets``, ``room`` bits apart. ``planes`` has the shape (height,
    width, all planes), and the rows of the board are ``stride`` bits apart.
    """
    import numpy as np  # which whoever has planes has: rules run without it

    height, width = planes.shape[:2]
    data = np.frombuffer(sets.to_bytes(-(-number * room // 8), "little"), np.uint8)
    found = np.unpackbits(data, count=number * room, bitorder="little").view(np.int8)
    shown = found.reshape(number, -1, stride)[:, :height, :width].transpose(1, 2, 0)
    if swap:
        planes[:, :, 0:number:2], planes[:, :, 1:number:2] = shown[:, :, 1::2], shown[:, :, ::2]
    else:
        planes[:, :, :number] = shown


def fill_plane(planes: Any, plane: int) -> None:
    """Writes 1 everywhere into one plane of an array of shape (height, width, planes)."""
    planes[:, :, plane] = 1


def nth(cells: int, n: int) -> int:
    """Returns the n-th lowest cell, from 0, of a set of one word with more than n cells."""
    for _ in range(n):
        cells &= cells - 1
    return lowest(cells)


def sort_first(numbers: Any, n: int) -> None:
    """Sorts the first ``n`` of ``numbers``, an array or a list, in place; meant for a few dozen."""
    numbers[:n] = sorted(numbers[:n])


def has_line(stones: int, k: int, stride: int) -> bool:
    """Returns whether ``k`` of ``stones`` are in a row on a board with lines ``stride`` bits apart.

    Neighbours along a line are 1 apart, across lines ``stride``, and on the two diagonals
    ``stride`` - 1 and ``stride`` + 1. Every line needs one bit that is always empty, so that no
    row wraps around. A set shifted onto itself leaves the starts of pairs, pairs shifted onto
    themselves leave the starts of runs of up to four, and so on, doubling.
    """
    return count(stones) >= k and line_among(stones, k, stride)


def line_among(stones: int, k: int, stride: int) -> bool:
    """Does what ``has_line`` does without counting the stones first; slower when compiled."""
    if 2 <= k <= 4 and has_room(stones, (k - 1) * (stride + 1)):
        pairs = stones & stones >> 1
        found = pairs & pairs >> k - 2
        pairs = stones & stones >> stride
        found |= pairs & pairs >> (k - 2) * stride
        pairs = stones & stones >> stride - 1
        found |= pairs & pairs >> (k - 2) * (stride - 1)
        pairs = stones & stones >> stride + 1
        found |= pairs & pairs >> (k - 2) * (stride + 1)
        return found != 0
    return _has_long_line(stones, k, stride)


def _has_long_line(stones: int, k: int, stride: int) -> bool:
    """Does what ``line_among`` does for any k, apart so that that one can be inlined."""
    for step in (1, stride, stride - 1, stride + 1):
        if line_starts(stones, k, step) != 0:
            return True
    return False


def line_starts(stones: int, k: int, step: int) -> int:
    """Returns the first cells of all rows of ``k`` of ``stones``, ``step`` apart."""
    if not has_room(stones, (k - 1) * step):
        return stones & 0
    runs, length = stones, 1
    while 2 * length <= k:
        runs &= runs >> length * step
        length *= 2
    return runs & runs >> (k - length) * step


def line_cells(stones: int, k: int, stride: int) -> int:
    """Returns the ``stones`` that stand in some row of ``k``, on the board of ``has_line``."""
    cells = stones & 0
    for step in (1, stride, stride - 1, stride + 1):
        if has_room(stones, (k - 1) * step):
            runs = line_starts(stones, k, step)
            for i in range(k):
                cells |= runs << i * step
    return cells


def repeated(cells: int, times: int, stride: int) -> int:
    """Returns ``times`` copies of ``cells``, each shifted by ``stride`` from the last."""
    length = 1
    while length < times:
        step = min(length, times - length)
        cells |= cells << step * stride
        length += step
    return cells


def has_room(cells: int, by: int) -> bool:
    """Returns whether a set may be shifted by ``by``: a compiled ``int`` by less than 64."""
    return True


def index(number: int) -> int:
    """Returns ``number``, not negative; an index for which compiled code does not test the sign."""
    return number


MOST_SCRATCH = 8192
"""The longest array that ``scratch`` gives."""


def scratch(number: int) -> Any:
    """Returns ``number`` integers, at most ``MOST_SCRATCH``, of any value, as scratch space.

    Compiled, they are an int64 array on the stack: it must not be returned or kept.
    """
    return [0] * number


def num_words(position: Any) -> int:
    """Returns how many 64-bit words ``pack`` writes for ``position``."""
    return sum(_words_of(position, field) for field in position.state_fields)


def pack(position: Any, row: Any) -> None:
    """Writes the state of ``position``, its fields that are not parameters, as int64 words.

    Two positions of the same game (with the same parameters) are equal exactly when their words
    are. ``row`` is an int64 array of shape (num_words(position),) or longer, or a view of one.
    """
    i = 0
    for field in position.state_fields:
        value = getattr(position, field)
        for _ in range(_words_of(position, field)):
            word = value & WORD - 1
            row[i] = word - WORD if word >> 63 else word
            value >>= 64
            i += 1


def unpack(like: Any, row: Any) -> Any:
    """Returns the position that ``pack`` wrote to ``row``, of the same game as ``like``."""
    values, i = list(like[: len(like.parameters)]), 0
    for field in like.state_fields:
        value = 0
        for word in range(_words_of(like, field)):
            value |= (int(row[i]) & WORD - 1) << 64 * word
            i += 1
        if field not in like.wide_fields and value >> 63:
            value -= WORD
        values.append(bool(value) if like.field_types[len(values)] is bool else value)
    return type(like)(*values)


def words_of(position: Any) -> list[int]:
    """Returns ``position`` with its game as int64 words: its parameters, then what ``pack`` writes.

    A parameter that is a float is the bits of its IEEE double.
    """
    row = [0] * num_words(position)
    pack(position, row)
    return [_word(value) for value in position[: len(position.parameters)]] + row


def _word(value: float) -> int:
    if isinstance(value, float):
        return int.from_bytes(struct.pack("<d", value), "little", signed=True)
    return int(value)


def position_of(like: Any, row: Any) -> Any:
    """Returns the position whose words ``words_of`` has returned.

    Its game is of the class of ``like``, and has fields as wide as ``like``'s; the parameters are
    those of the row.
    """
    cls, number = type(like), len(like.parameters)
    kinds = zip(like.field_types[:number], row, strict=False)
    start = [
        struct.unpack("<d", struct.pack("<q", int(word)))[0] if kind is float else kind(word)
        for kind, word in kinds
    ]
    return unpack(cls(*start, *like[number:]), row[number:])


def pack_row(position: Any, rows: Any, i: int) -> None:
    """Does ``pack(position, rows[i])`` without a view of the row; faster when compiled."""
    pack(position, rows[i])


def unpack_row(like: Any, rows: Any, i: int) -> Any:
    """Does ``unpack(like, rows[i])`` without a view of the row; faster when compiled."""
    return unpack(like, rows[i])


BEYOND = 31
"""How many numbers after the last one ``unpack_bits`` may read and overwrite when compiled."""


def unpack_bits(
    words: tuple[int, int], sources: Any, span: tuple[int, int], out: Any, at: int, end: int
) -> None:
    """Writes bits of two int64 ``words`` as numbers, 0 or 1, to ``out[at]`` and on.

    ``sources`` is uint8 of shape (2, n), and ``span`` the first of them and how many: number i is 1
    if byte ``sources[0, i]`` of the words, 0 to 7 in the first and 8 to 15 in the second, has the
    bit that is set in ``sources[1, i]``. ``out`` is one-dimensional and contiguous. Compiled, up to
    32 are written at a time: up to ``BEYOND`` more sources are read, and numbers before ``end``
    overwritten.
    """
    first, number = span
    for i in range(number):
        place, bit = int(sources[0, first + i]), int(sources[1, first + i])
        out[at + i] = words[place >> 3] >> 8 * (place & 7) & bit != 0


def _words_of(position: Any, field: str) -> int:
    return wide_words(position, field) or 1


def wide_words(position: Any, field: str) -> int:
    """Counts the 64-bit words of a wide field of ``position``; 0 for a signed word."""
    width = position.wide_fields.get(field)
    return num_wide_words(getattr(position, width)) if width else 0


def num_wide_words(bits: int) -> int:
    """Returns how many unsigned 64-bit words hold that many bits; 0 where one signed word does."""
    return -(-bits // 64) if bits > 63 else 0
