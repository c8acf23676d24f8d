"""The transposition table: what a search already knows about a position, exact to the last bit.

A slot holds the whole state of its position, not a hash of it, so a clash of hashes can cost time
but never give a wrong value. All positions of one search share their parameters (the size of the
board), which are therefore left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel

DEPTH, BOUND, ACTION = range(3)
"""The columns of ``notes``."""

EMPTY, LOWER, UPPER, EXACT = range(4)
"""What the stored value is of the true one: nothing, a lower or upper bound, or the value."""

COMPLETE = 1 << 30
"""The depth of a value that no depth limit cut off: it is right at every depth."""

MASK = (1 << 62) - 1

Table = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]


def table(position: Position, megabytes: float) -> Table:
    """An empty table for the positions of one game, in at most ``megabytes`` of memory.

    Returns states (n, words), values (n,), notes (n, 3) and room for the words of one position;
    n is a power of two, at least 1.
    """
    words = num_words(position)
    slots = int(megabytes * 2**20) // (8 * words + 8 + 12)
    n = 1 << max(slots.bit_length() - 1, 0)
    return (
        np.zeros((n, words), np.int64),
        np.zeros(n, np.float64),
        np.zeros((n, 3), np.int32),
        np.zeros(words, np.int64),
    )


@kernel
def slot(position, states, words):  # type: ignore[no-untyped-def]
    """The slot of ``position``; its words are written into ``words``."""
    pack(position, words)
    hashed = 0
    for i in range(words.shape[0]):
        # Fibonacci hashing, word by word, within 62 bits so that Python's ints do the same
        hashed = ((hashed ^ (int(words[i]) & MASK)) * 0x1E3779B97F4A7C15) & MASK
        hashed ^= hashed >> 29
    return hashed & (states.shape[0] - 1)


@kernel
def holds(states, notes, at, words):  # type: ignore[no-untyped-def]
    """Whether slot ``at`` is about the position whose words these are."""
    if notes[at, BOUND] == EMPTY:
        return False
    for i in range(words.shape[0]):
        if states[at, i] != words[i]:
            return False
    return True


@kernel
def recall(position, depth, alpha, beta, memory):  # type: ignore[no-untyped-def]
    """(whether the table answers, the value, whether it is complete, the action to try first).

    It answers if the position was searched exactly ``depth`` plies ahead, or completely, and the
    value decides the window from ``alpha`` to ``beta``. The action is -1 for unknown positions.
    """
    states, values, notes, words = memory
    if states.shape[0] == 1:
        return False, 0.0, False, -1
    at = slot(position, states, words)
    if not holds(states, notes, at, words):
        return False, 0.0, False, -1
    value, bound, searched = values[at], notes[at, BOUND], notes[at, DEPTH]
    complete = searched == COMPLETE
    decides = (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )
    return decides and (complete or searched == depth), value, complete, int(notes[at, ACTION])


@kernel
def remember(position, depth, alpha, beta, value, action, memory):  # type: ignore[no-untyped-def]
    """Keep what a search with this window and ``depth`` (or COMPLETE) found, whatever was there."""
    states, values, notes, words = memory
    if states.shape[0] == 1:
        return
    at = slot(position, states, words)
    for i in range(words.shape[0]):
        states[at, i] = words[i]
    values[at] = value
    notes[at, DEPTH] = depth
    notes[at, BOUND] = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    notes[at, ACTION] = action
