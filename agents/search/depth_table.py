"""A table of values by depth, for searches whose windows are any floats: exact to the last bit.

Its slots are found as in ``proof_table``: whole positions are compared, so a clash of hashes is
never an answer.
"""

from __future__ import annotations

from adv_envs.jit import kernel

from .proof_table import WORK, find

DEPTH, BOUND = range(2)
"""The first columns of an entry: how many moves were looked ahead, and what the value is."""

EXACT, LOWER, UPPER = range(3)
"""What the stored value is of the true one: the value, or a lower or upper bound of it."""

COMPLETE = 1 << 30
"""The depth of a value that no depth limit cut off: it is right at every depth."""


@kernel
def recall(position, depth, alpha, beta, memory):  # type: ignore[no-untyped-def]
    """(whether the table answers, the value, whether it is complete).

    It answers if the position was searched exactly ``depth`` moves ahead, or completely, and the
    value decides the window from ``alpha`` to ``beta``.
    """
    entries, values, words = memory
    known, at = find(position, entries, words)
    if not known:
        return False, 0.0, False
    searched, bound, value = entries[at, DEPTH], entries[at, BOUND], values[at]
    decides = (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )
    complete = searched == COMPLETE
    return decides and (complete or searched == depth), value, complete


@kernel
def remember(position, depth, alpha, beta, value, memory):  # type: ignore[no-untyped-def]
    """Keep what a search with this window and ``depth`` (or COMPLETE) found."""
    entries, values, words = memory
    _, at = find(position, entries, words)
    entries[at, DEPTH] = depth
    entries[at, BOUND] = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    entries[at, WORK] = depth
    values[at] = value
    for i in range(words.shape[0]):
        entries[at, 3 + i] = words[i]
