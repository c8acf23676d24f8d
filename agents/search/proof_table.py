"""The table of proof-number search: the numbers of positions, exact to the last bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel

MASK = (1 << 62) - 1

PROOF, DISPROOF, WORK = range(3)
"""The columns before the words of a position: its numbers, and the nodes that they took."""

INFINITE = 1 << 50
"""The proof number of what is disproven, and the disproof number of what is proven."""

Table = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]


def table(position: Position, megabytes: float) -> Table:
    """An empty table for the positions of one game, in at most ``megabytes`` of memory.

    Returns entries (n, 3 + words), bounds (n,) and room for the words of one position; n is a power
    of two, at least 2. Entries hold whole positions, so a clash of hashes is never an answer.
    """
    words = num_words(position)
    slots = int(megabytes * 2**20) // (8 * (words + 3) + 8)
    n = max(2, 1 << max(slots.bit_length() - 1, 0))
    return np.zeros((n, 3 + words), np.int64), np.zeros(n), np.zeros(words, np.int64)


@kernel
def find(position, entries, words):  # type: ignore[no-untyped-def]
    """(whether the table has ``position``, its slot, or else the slot to write it into).

    A position has two slots to choose from; the entry that took less work is overwritten.
    """
    pack(position, words)
    hashed = 0
    for i in range(words.shape[0]):
        # Fibonacci hashing, word by word, within 62 bits so that Python's ints do the same
        hashed = ((hashed ^ (int(words[i]) & MASK)) * 0x1E3779B97F4A7C15) & MASK
        hashed ^= hashed >> 29
    first = hashed & (entries.shape[0] - 1)
    for at in (first, first ^ 1):
        same = entries[at, WORK] > 0
        for i in range(words.shape[0]):
            same = same and entries[at, 3 + i] == words[i]
        if same:
            return True, at
    return False, first if entries[first, WORK] <= entries[first ^ 1, WORK] else first ^ 1


@kernel
def recall(position, more_than, memory):  # type: ignore[no-untyped-def]
    """(proof number, disproof number, bound) of an unfinished position; 1 and 1 if unknown.

    A proof of more than another value answers, if its bound does: see ``prove``.
    """
    entries, bounds, words = memory
    known, at = find(position, entries, words)
    if not known:
        return 1, 1, 0.0
    proof, disproof, bound = entries[at, PROOF], entries[at, DISPROOF], bounds[at]
    if (proof == 0 and bound <= more_than) or (disproof == 0 and bound > more_than):
        return 1, 1, 0.0
    return proof, disproof, bound


@kernel
def remember(position, proof, disproof, bound, work, memory):  # type: ignore[no-untyped-def]
    """Keep what is known of a position."""
    entries, bounds, words = memory
    known, at = find(position, entries, words)
    entries[at, PROOF] = proof
    entries[at, DISPROOF] = disproof
    entries[at, WORK] = entries[at, WORK] + work if known else work
    bounds[at] = bound
    for i in range(words.shape[0]):
        entries[at, 3 + i] = words[i]
