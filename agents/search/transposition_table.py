"""Transposition tables: what a search already knows about a position, exact to the last bit.

A slot holds the whole state of its position, packed into 64-bit words, not a hash of it, so a clash
of hashes can cost time but never give a wrong value. All positions of one search share their
parameters (the size of the board), which are therefore left out. Every position has two slots to
choose from. There are two kinds of table:

- ``BoundTable``, for alpha-beta: values or bounds of them, by depth, with the best action. A game
  may leave out of its positions what hardly matters to their value (``Knowledge.table_key``). Of
  the two slots, the first keeps what took the deepest search, the second whatever came last:
  "two-deep" replacement of Breuker, Uiterwijk and van den Herik (1994). To clear a large table
  costs more than a short search, so tables are reused: a slot counts only if it has the table's
  generation. Positions that are images of each other under a symmetry of the game share one entry,
  that of the image whose words are the smallest.
- ``WorkTable``, for expectiminimax and proof-number search: the entry that took less work is
  replaced.
"""

from __future__ import annotations

import contextlib

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel

from .limits import EVALUATION_LIMIT, STEP

MASK = (1 << 62) - 1

EMPTY, LOWER, UPPER, EXACT = range(4)
"""What a stored value is: nothing, a lower bound, an upper bound, or the value itself."""


def hash_word(hashed: int, word: int) -> int:
    """Returns the hash of some words and one more: Fibonacci hashing, word by word.

    It stays within 62 bits, so that it is the same in plain Python.
    """
    hashed = ((hashed ^ (int(word) & MASK)) * 0x1E3779B97F4A7C15) & MASK
    return hashed ^ hashed >> 29


def bound_type(value: float, alpha: float, beta: float) -> int:
    """Returns what a fail-soft search with this window found: EXACT, or a LOWER or UPPER bound."""
    return LOWER if value >= beta else UPPER if value <= alpha else EXACT


def decides(bound: int, value: float, alpha: float, beta: float) -> bool:
    """Returns whether a value with this bound type answers a search with this window."""
    return (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )


# ---- the table of alpha-beta

BoundTable = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Entries, int64 of shape (n + 2, words + 1), and values, float64 of shape (n,).

Row i < n of the entries is the words of a position and a note. The last two rows are workspace for
the words of one position each; the note of the last one is the table's generation. n is a power of
two, or 0 if there is no memory for two positions.
"""

GENERATION = 29
"""A note has, from its lowest bit: 2 bits for the bound type, 1 for whether the value is complete,
10 for the depth, 16 for the best action, and from this bit on the generation."""

SYMMETRIC = 6
"""Symmetries are used from this depth on; below, making the images costs more than it saves."""

_released: list[BoundTable] = []
"""The table that was released last, if no search has acquired it since."""


def acquire(position: Position, megabytes: float) -> BoundTable:
    """Returns an empty table for the keys of one game's positions, in at most ``megabytes``."""
    words = num_words(position)
    slots = int(megabytes * 2**20) // (8 * words + 8 + 8)
    n = 1 << slots.bit_length() - 1 if slots > 1 else 0
    table = None
    with contextlib.suppress(IndexError):
        table = _released.pop()  # two threads cannot both get it
    if table is None or table[0].shape != (n + 2, words + 1):
        table = np.zeros((n + 2, words + 1), np.int64), np.zeros(n, np.float64)
    entries, values = table
    entries[-1, -1] += 1
    return entries, values


def release(entries: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Lets the next search have the memory of a table that is not needed any more."""
    _released[:] = [(entries, values)]


KEYED = False
"""Whether ``table_key`` is bound."""


def table_key(position: Position) -> Position:
    """Returns what of a position a table remembers it by: all, or a game's own may be bound."""
    return position


def num_images(position: Position) -> int:
    """Returns how many images ``position`` has, itself included; a game's own may be bound."""
    return 1


def image(position: Position, i: int) -> Position:
    """Returns the i-th image, the 0-th being the position itself. Only to be packed, not played."""
    return position


def image_action(position: Position, action: int, i: int) -> int:
    """Returns what ``action`` is in the i-th image."""
    return action


def inverse_image(position: Position, i: int) -> int:
    """Returns the number of the image that leads back from the i-th."""
    return i


@kernel
def write_key(position: Position, depth: int, entries: NDArray[np.int64]) -> int:
    """Writes the words of ``position``, or of its smallest image, into the last row of ``entries``.

    Returns the number of the image.
    """
    key, other = entries[entries.shape[0] - 1], entries[entries.shape[0] - 2]
    smallest = 0
    if depth < SYMMETRIC:
        pack(table_key(position), key)
    else:
        pack(table_key(image(position, 0)), key)
        for i in range(1, num_images(position)):
            pack(table_key(image(position, i)), other)
            if precedes(other, key):
                smallest = i
                for word in range(key.shape[0] - 1):
                    key[word] = other[word]
    return smallest


@kernel
def precedes(words: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
    """Returns whether the row ``words`` comes before ``others`` in lexical order, notes aside."""
    for i in range(words.shape[0] - 1):
        if words[i] != others[i]:
            return bool(words[i] < others[i])
    return False


@kernel
def find_key(entries: NDArray[np.int64]) -> int:
    """Returns the slot of the key in the last row, or the first of the two where it would be."""
    key, hashed = entries[entries.shape[0] - 1], 0
    for i in range(entries.shape[1] - 1):
        hashed = hash_word(hashed, key[i])
    at = int(hashed & (entries.shape[0] - 4))  # n - 2: even, as n is a power of two
    return at + 1 if holds_key(entries, at + 1) else at


@kernel
def holds_key(entries: NDArray[np.int64], at: int) -> bool:
    """Returns whether slot ``at`` has the present generation and the key of the last row."""
    last = entries.shape[1] - 1
    if entries[at, last] >> GENERATION != entries[entries.shape[0] - 1, last]:
        return False
    for i in range(last):
        if entries[at, i] != entries[entries.shape[0] - 1, i]:
            return False
    return True


@kernel
def probe(
    position: Position,
    depth: int,
    alpha: float,
    beta: float,
    ply: int,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[bool, float, bool, int]:
    """Returns (whether the table answers, the value, whether it is complete, the best action).

    It answers if the position was searched exactly ``depth`` plies ahead, or completely (no line
    was cut off by a depth limit: right at every depth), and the value decides the window from
    ``alpha`` to ``beta``. The action is -1 for unknown positions. ``ply`` is the distance of the
    position from the root.
    """
    if values.shape[0] == 0:
        return False, 0.0, False, -1
    i = write_key(position, depth, entries)
    at = find_key(entries)
    if not holds_key(entries, at):
        return False, 0.0, False, -1
    note = int(entries[at, entries.shape[1] - 1])
    bound, complete, searched = note & 3, note & 4 != 0, note >> 3 & 1023
    action = image_action(position, note >> 13 & 0xFFFF, inverse_image(position, i))
    value = values[at]
    if value > EVALUATION_LIMIT:  # stored as seen from the position, wanted as seen from the root
        value -= STEP * ply
    elif value < -EVALUATION_LIMIT:
        value += STEP * ply
    known = decides(bound, value, alpha, beta) and (complete or searched == depth)
    return known, value, complete, action


@kernel
def store(
    position: Position,
    depth: int,
    complete: bool,
    alpha: float,
    beta: float,
    ply: int,
    value: float,
    action: int,
    entries: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Stores what a search with this window found, ``depth`` plies ahead."""
    if values.shape[0] == 0:
        return
    i = write_key(position, depth, entries)
    at, last = find_key(entries), entries.shape[1] - 1
    generation, there = entries[entries.shape[0] - 1, last], entries[at, last]
    if (
        there >> GENERATION == generation
        and there >> 3 & 1023 > depth
        and not holds_key(entries, at)
    ):
        at += 1  # the first of the two is about a deeper search: it stays
    for word in range(last):
        entries[at, word] = entries[entries.shape[0] - 1, word]
    bound = bound_type(value, alpha, beta)
    note = generation << GENERATION | image_action(position, action, i) << 13 | depth << 3 | bound
    entries[at, last] = note | 4 if complete else note
    if value > EVALUATION_LIMIT:
        value += STEP * ply
    elif value < -EVALUATION_LIMIT:
        value -= STEP * ply
    values[at] = value


# ---- the tables of expectiminimax and proof-number search

WorkTable = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
"""Entries, int64 of shape (n, 3 + words), values, float64 of shape (n,), and workspace for the
words of one position, int64 of shape (words,).

A row of the entries is two numbers that depend on the search, the work that they took (0: the slot
is empty), and the words of the position. n is a power of two, at least 2.
"""

DEPTH, BOUND = range(2)
"""The numbers of an entry of expectiminimax: moves looked ahead, and what the value is."""

PROOF, DISPROOF = range(2)
"""The numbers of an entry of proof-number search."""

WORK = 2
"""The work that an entry took: nodes in proof-number search, the depth in expectiminimax."""

COMPLETE = 1 << 30
"""The depth of a value that no depth limit cut off: it is right at every depth."""

INFINITE = 1 << 50
"""The proof number of what is disproven, and the disproof number of what is proven."""


def work_table(position: Position, megabytes: float) -> WorkTable:
    """Returns an empty table for the positions of one game, in at most ``megabytes`` of memory."""
    words = num_words(position)
    slots = int(megabytes * 2**20) // (8 * (words + 3) + 8)
    n = max(2, 1 << max(slots.bit_length() - 1, 0))
    return np.zeros((n, 3 + words), np.int64), np.zeros(n), np.zeros(words, np.int64)


@kernel
def find(
    position: Position, entries: NDArray[np.int64], words: NDArray[np.int64]
) -> tuple[bool, int]:
    """Returns (whether the table has ``position``, its slot, or else the slot to write it into)."""
    pack(position, words)
    hashed = 0
    for i in range(words.shape[0]):
        hashed = hash_word(hashed, words[i])
    first = hashed & (entries.shape[0] - 1)
    for at in (first, first ^ 1):
        same = entries[at, WORK] > 0
        for i in range(words.shape[0]):
            same = same and entries[at, 3 + i] == words[i]
        if same:
            return True, at
    return False, first if entries[first, WORK] <= entries[first ^ 1, WORK] else first ^ 1


@kernel
def probe_value(
    position: Position, depth: int, alpha: float, beta: float, table: WorkTable
) -> tuple[bool, float, bool]:
    """Returns (whether the table answers, the value, whether it is complete).

    It answers if the position was searched exactly ``depth`` moves ahead, or completely, and the
    value decides the window from ``alpha`` to ``beta``.
    """
    entries, values, words = table
    known, at = find(position, entries, words)
    if not known:
        return False, 0.0, False
    searched, bound, value = entries[at, DEPTH], entries[at, BOUND], values[at]
    complete = searched == COMPLETE
    known = decides(bound, value, alpha, beta) and (complete or searched == depth)
    return known, value, complete


@kernel
def store_value(
    position: Position, depth: int, alpha: float, beta: float, value: float, table: WorkTable
) -> None:
    """Stores what a search with this window and ``depth`` (or COMPLETE) found."""
    entries, values, words = table
    _, at = find(position, entries, words)
    entries[at, DEPTH] = depth
    entries[at, BOUND] = bound_type(value, alpha, beta)
    entries[at, WORK] = depth
    values[at] = value
    for i in range(words.shape[0]):
        entries[at, 3 + i] = words[i]


@kernel
def probe_proof(position: Position, more_than: float, table: WorkTable) -> tuple[int, int, float]:
    """Returns (proof number, disproof number, bound) of a position; 1, 1 and 0 if it is unknown.

    A proof about another value than ``more_than`` answers, if its bound does: see ``prove``.
    """
    entries, bounds, words = table
    known, at = find(position, entries, words)
    if not known:
        return 1, 1, 0.0
    proof, disproof, bound = entries[at, PROOF], entries[at, DISPROOF], bounds[at]
    if (proof == 0 and bound <= more_than) or (disproof == 0 and bound > more_than):
        return 1, 1, 0.0
    return proof, disproof, bound


@kernel
def store_proof(
    position: Position, proof: int, disproof: int, bound: float, work: int, table: WorkTable
) -> None:
    """Stores the numbers of a position, its bound, and the nodes that they took."""
    entries, bounds, words = table
    known, at = find(position, entries, words)
    entries[at, PROOF] = proof
    entries[at, DISPROOF] = disproof
    entries[at, WORK] = entries[at, WORK] + work if known else work
    bounds[at] = bound
    for i in range(words.shape[0]):
        entries[at, 3 + i] = words[i]
