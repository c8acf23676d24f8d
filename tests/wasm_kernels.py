"""Kernels that say what WebAssembly may do otherwise. As a program, it makes their modules."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jit_games import Sets, combine
from numpy.typing import NDArray

from adv_envs.bits import (
    count,
    digit,
    fill_plane,
    has_line,
    has_word,
    line_cells,
    list_cells,
    lowest,
    nth,
    num_words,
    pack,
    pack_row,
    position_of,
    repeated,
    scratch,
    sort_first,
    unpack_bits,
    words_of,
    write_planes,
)
from adv_envs.jit import kernel

# ---- what is passed and returned


class Weights(NamedTuple):
    """Numbers of three kinds."""

    whole: int
    real: float
    switch: bool


@kernel
def weigh(weights: Weights, by: float, times: int, twice: bool) -> float:
    """A float of numbers of all kinds."""
    total = weights.whole + weights.real * by
    if weights.switch:
        total = -total
    return total * times * (2 if twice else 1)


@kernel
def spread(grid: NDArray[np.int64], row: NDArray[np.float64], bytes_of: NDArray[np.int8]) -> None:
    """Writes the columns' sums of ``grid`` (h, w) into ``row`` (w,); ``bytes_of`` (h, w) too."""
    for j in range(grid.shape[1]):
        row[j] = 0.5 * len(row)
        for i in range(grid.shape[0]):
            row[j] += grid[i, j]
            bytes_of[i, j] = (grid[i, j] & 127) - 64 if bytes_of[i, j] < 0 else 7
            grid[i, j] = i * 10 + j - 2**40


@kernel
def larger(a: int, b: int) -> bool:
    """Whether a number is larger."""
    return a > b


@kernel
def after(x: float, y: float) -> float:
    """The next float."""
    return np.nextafter(x, y)  # type: ignore[no-any-return]


@kernel
def ackermann(m: int, n: int) -> int:
    """A function that calls itself, within itself too."""
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


@kernel
def even(n: int) -> bool:
    """One of two functions that call each other."""
    return n == 0 or odd(n - 1)


@kernel
def odd(n: int) -> bool:
    """The other one."""
    return n != 0 and even(n - 1)


@kernel
def refuse(n: int) -> int:
    """Fails for numbers below 0."""
    if n < 0:
        raise ValueError("below zero")
    return n + 1


@kernel
def sorted_copy(numbers: NDArray[np.int64]) -> int:
    """Sorts by way of an array in the frame of the function."""
    room = scratch(len(numbers))
    for i in range(len(numbers)):
        room[i] = numbers[i]
    sort_first(room, len(numbers))
    for i in range(len(numbers)):
        numbers[i] = room[i]
    return len(numbers)


@kernel
def unpacked(words: NDArray[np.int64], sources: NDArray[np.uint8], out: NDArray[np.int8]) -> None:
    """Bits of two words, as numbers."""
    unpack_bits((words[0], words[1]), sources, (0, sources.shape[1]), out, 0, len(out))


# ---- sets of cells

LIKE: Any = Sets(64)
"""A position with sets as wide as those of the rows that are given."""


@kernel
def combined(row: Any, how: int, by: int, numbers: Any, words: Any, made: Any) -> None:
    """Everything that ``combine`` does: numbers (10,), words and made (num_words,)."""
    pack(combine(position_of(LIKE, row), how, by, numbers, words), made)


@kernel
def computed(row: Any, by: int, numbers: Any, cells: Any, sets: Any) -> None:
    """Arithmetic, and more of ``bits``: numbers (7,), cells (width,), sets (6, num_words)."""
    position = position_of(LIKE, row)
    bits, a, b = position.bits, position.a, position.b
    small = a >> 2
    numbers[0] = count(a)
    numbers[1] = lowest(b) if b != 0 else -1
    numbers[2] = digit(a, by)
    numbers[3] = list_cells(a, 1 + by % 30, cells)
    numbers[4] = has_line(a & ~(b & 1), 1 + by % 7, 2 + by % 9)
    numbers[5] = a == b
    numbers[6] = (a & b) != a
    pack_row(Sets(bits, a * b, small, False, 0), sets, 0)
    pack_row(Sets(bits, a + b, a - (a & b), False, 0), sets, 1)
    pack_row(Sets(bits, line_cells(a, 2 + by % 4, 2 + by % 9), a, False, 0), sets, 2)
    pack_row(Sets(bits, repeated(a & 5, 1 + by % 6, 3), b & 3, False, 0), sets, 3)
    pack_row(Sets(bits, a * 3, ~b, False, 0), sets, 4)
    pack_row(Sets(bits, a & 0 | 7, a - b, False, 0), sets, 5)


@kernel
def found_in(row: Any, word: Any) -> bool:
    """Whether a word is one of a wide set's."""
    return has_word(position_of(LIKE, row).a, int(word[0]))


@kernel
def one_of(row: Any, n: int) -> int:
    """The n-th cell of a set of one word."""
    return nth(position_of(LIKE, row).a, n)


@kernel
def drawn(row: Any, room: int, stride: int, number: int, swap: bool, planes: Any) -> None:
    """Sets as planes, int8 of shape (height, width, number + 1), the last one full."""
    write_planes(position_of(LIKE, row).a, room, stride, planes, number, swap)
    fill_plane(planes, number)


WIDTHS = (60, 63, 64, 128, 192, 256, 320, 384, 448, 512)


def make(folder: Path) -> None:
    """Writes ``numbers.wasm`` and ``sets.wasm``."""
    from adv_envs.jit.webassembly import Export, module_of

    reals, wholes = np.zeros(3), np.zeros(3, np.int64)
    grid, small = np.zeros((2, 3), np.int64), np.zeros((2, 3), np.int8)
    exports = {
        "weigh": Export(weigh, (Weights(1, 1.0, True), 1.0, 1, True)),
        "spread": Export(spread, (grid, reals, small)),
        "larger": Export(larger, (1, 1)),
        "after": Export(after, (1.0, 1.0)),
        "ackermann": Export(ackermann, (1, 1)),
        "even": Export(even, (1,)),
        "refuse": Export(refuse, (1,)),
        "sorted_copy": Export(sorted_copy, (wholes,)),
        "unpacked": Export(unpacked, (wholes, np.zeros((2, 3), np.uint8), small[0])),
    }
    (folder / "numbers.wasm").write_bytes(module_of(exports))
    exports = {}
    for width in WIDTHS:
        like = Sets(width)
        row, words = (np.zeros(n, np.int64) for n in (len(words_of(like)), num_words(like)))
        rows, cube = np.zeros((6, len(words)), np.int64), np.zeros((2, 2, 2), np.int8)
        given = {
            combined: (row, 1, 1, wholes, words, words),
            computed: (row, 1, wholes, wholes, rows),
            drawn: (row, 1, 1, 1, True, cube),
            **({one_of: (row, 1)} if width < 64 else {found_in: (row, wholes)}),
        }
        for each, args in given.items():
            name = f"{each.function.__name__}_{width}"
            exports[name] = Export(each.bind(LIKE=like), args)
    (folder / "sets.wasm").write_bytes(module_of(exports))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
