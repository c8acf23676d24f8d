"""The transposition table: what a search already knows about a position, exact to the last bit.

A slot holds the whole state of its position, not a hash of it, so a clash of hashes can cost time
but never give a wrong value. All positions of one search share their parameters (the size of the
board), which are therefore left out.

Two slots share a hash. The first keeps what took the deepest search, the second whatever came last:
"two-deep" replacement of Breuker, Uiterwijk and van den Herik (1994).

To empty a large table costs more than a short search. So tables are used again: a slot counts only
if it is of the table's present generation.

Positions that are mirror images of each other are worth the same. Where a game names its images
(``num_images``, ``image``, ``image_action``, ``inverse_image`` in its module of
``agents.knowledge``), all of them are kept as one, the one whose words are the smallest.
"""

from __future__ import annotations

import contextlib

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel

from .limits import EVALUATION_LIMIT, STEP

EMPTY, LOWER, UPPER, EXACT = range(4)
"""What the stored value is of the true one: nothing, a lower or upper bound, or the value."""

GENERATION = 29
"""A note is, from its lowest bit: 2 bits for what the value is, 1 for whether it is complete, 10
for the depth, 16 for the best action, and the generation."""

MASK = (1 << 62) - 1

SYMMETRIC = 6
"""Images are looked at from this depth on; below, making them costs more than it saves."""

Table = tuple[NDArray[np.int64], NDArray[np.float64]]


_SPARE: list[Table] = []
"""The table that was last given back, if nobody has taken it since."""


def take(position: Position, megabytes: float) -> Table:
    """An empty table for the positions of one game, in at most ``megabytes`` of memory.

    Returns entries (n + 2, words + 1) and values (n,). Row i of the entries is the words of a
    position and a note; the last two rows are room for the words of one position, and the last
    note is the generation. n is a power of two, or 0 if there is no room for two positions.
    """
    words = num_words(position)
    slots = int(megabytes * 2**20) // (8 * words + 8 + 8)
    n = 1 << slots.bit_length() - 1 if slots > 1 else 0
    fitting = None
    with contextlib.suppress(IndexError):
        fitting = _SPARE.pop()  # two threads cannot both have it
    if fitting is None or fitting[0].shape != (n + 2, words + 1):
        fitting = np.zeros((n + 2, words + 1), np.int64), np.zeros(n, np.float64)
    entries, values = fitting
    entries[-1, -1] += 1
    return entries, values


def give_back(entries: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Let the next search have the memory of a table that is not needed any more."""
    _SPARE[:] = [(entries, values)]


# ---- images of a position, unless a game binds its own


def num_images(position: Position) -> int:
    """How many images ``position`` has, itself included."""
    return 1


def image(position: Position, i: int) -> Position:
    """The i-th image; number 0 looks like the position itself. Only to be packed, not played on."""
    return position


def image_action(position: Position, action: int, i: int) -> int:
    """What ``action`` is in the i-th image."""
    return action


def inverse_image(position: Position, i: int) -> int:
    """The number of the image that leads back from the i-th."""
    return i


# ---- where a position is kept


@kernel
def write_key(position, depth, entries):  # type: ignore[no-untyped-def]
    """Write the words of ``position``, or of its smallest image, into the last row; which image?"""
    key, other = entries[entries.shape[0] - 1], entries[entries.shape[0] - 2]
    smallest = 0
    if depth < SYMMETRIC:
        pack(position, key)
    else:
        pack(image(position, 0), key)
        for i in range(1, num_images(position)):
            pack(image(position, i), other)
            if precedes(other, key):
                smallest = i
                for word in range(key.shape[0] - 1):
                    key[word] = other[word]
    return smallest


@kernel
def precedes(words, others):  # type: ignore[no-untyped-def]
    """Whether ``words`` come before ``others``, the first that differ deciding."""
    for i in range(words.shape[0] - 1):
        if words[i] != others[i]:
            return words[i] < others[i]
    return False


@kernel
def find(entries):  # type: ignore[no-untyped-def]
    """The slot of the key in the last row, or the first of the two slots where it would be."""
    key, hashed = entries[entries.shape[0] - 1], 0
    for i in range(entries.shape[1] - 1):
        # Fibonacci hashing, word by word, within 62 bits so that Python's ints do the same
        hashed = ((hashed ^ (int(key[i]) & MASK)) * 0x1E3779B97F4A7C15) & MASK
        hashed ^= hashed >> 29
    at = hashed & (entries.shape[0] - 4)  # n - 2: even, as n is a power of two
    return at + 1 if holds(entries, at + 1) else at


@kernel
def holds(entries, at):  # type: ignore[no-untyped-def]
    """Whether slot ``at`` is about the position whose key is in the last row."""
    last = entries.shape[1] - 1
    if entries[at, last] >> GENERATION != entries[entries.shape[0] - 1, last]:
        return False
    for i in range(last):
        if entries[at, i] != entries[entries.shape[0] - 1, i]:
            return False
    return True


# ---- what is kept


@kernel
def recall(position, depth, alpha, beta, ply, entries, values):  # type: ignore[no-untyped-def]
    """(whether the table answers, the value, whether it is complete, the action to try first).

    It answers if the position was searched exactly ``depth`` plies ahead, or completely (no line
    cut off by a depth limit: right at every depth), and the value decides the window from
    ``alpha`` to ``beta``. The action is -1 for unknown positions.
    """
    if values.shape[0] == 0:
        return False, 0.0, False, -1
    i = write_key(position, depth, entries)
    at = find(entries)
    if not holds(entries, at):
        return False, 0.0, False, -1
    note = int(entries[at, entries.shape[1] - 1])
    bound, complete, searched = note & 3, note & 4 != 0, note >> 3 & 1023
    action = image_action(position, note >> 13 & 0xFFFF, inverse_image(position, i))
    value = values[at]
    if value > EVALUATION_LIMIT:  # kept as seen from the position, wanted as seen from the root
        value -= STEP * ply
    elif value < -EVALUATION_LIMIT:
        value += STEP * ply
    decides = (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )
    return decides and (complete or searched == depth), value, complete, action


@kernel
def remember(position, depth, complete, alpha, beta, ply, value, action, entries, values):  # type: ignore[no-untyped-def]
    """Keep what a search with this window found, ``depth`` plies ahead."""
    if values.shape[0] == 0:
        return
    i = write_key(position, depth, entries)
    at, last = find(entries), entries.shape[1] - 1
    generation, there = entries[entries.shape[0] - 1, last], entries[at, last]
    if there >> GENERATION == generation and there >> 3 & 1023 > depth and not holds(entries, at):
        at += 1  # the first of the two is about a deeper search: it stays
    for word in range(last):
        entries[at, word] = entries[entries.shape[0] - 1, word]
    bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    note = generation << GENERATION | image_action(position, action, i) << 13 | depth << 3 | bound
    entries[at, last] = note | 4 if complete else note
    if value > EVALUATION_LIMIT:
        value += STEP * ply
    elif value < -EVALUATION_LIMIT:
        value -= STEP * ply
    values[at] = value
