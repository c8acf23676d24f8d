"""The table of the solver: positions with everything that is known of them, exact to the last bit.

A position is the stones of both players, once dead and captured cells are filled in, and who is to
move. All of it is in the table, so a clash of hashes costs time and never gives a wrong answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

ZERO, ONE, PLAYER, PHI, DELTA, MUST, CARRIER, WORK = range(8)
"""The columns: stones of player 0 and of player 1; 1 + the player to move (0: nothing is known);
proof and disproof number for that player; the moves that may still win; the winner's carrier, or
what of the opponent's threats it has to answer; positions expanded to find this out."""

PROBES = 4
"""So many slots in a row may hold a position; the one with the least work makes room."""

MASK = (1 << 62) - 1

Memory = tuple[NDArray[np.int64], NDArray[np.int8]]


def memory(size: int, megabytes: float) -> Memory:
    """An empty table in at most ``megabytes``: states (n, 8) and the order of moves (n, cells)."""
    n = max(int(megabytes * 2**20) // (64 + size * size), PROBES + 1)
    n = 1 << n.bit_length() - 1
    return np.zeros((n, 8), np.int64), np.zeros((n, size * size), np.int8)


@kernel
def slot(zero, one, player, states):  # type: ignore[no-untyped-def]
    """Where to look for a position first."""
    hashed = (int(zero) & MASK) * 0x1E3779B97F4A7C15 & MASK
    hashed = (hashed ^ hashed >> 29 ^ (int(one) & MASK)) * 0x1E3779B97F4A7C15 & MASK
    hashed = (hashed ^ hashed >> 31 ^ int(player)) * 0x1E3779B97F4A7C15 & MASK
    return (hashed >> 20) & states.shape[0] - 1


@kernel
def find(zero, one, player, states):  # type: ignore[no-untyped-def]
    """The slot that holds the position, or -1."""
    first = slot(zero, one, player, states)
    for i in range(PROBES):
        at = first + i & states.shape[0] - 1
        same = states[at, ZERO] == zero and states[at, ONE] == one
        if same and states[at, PLAYER] == 1 + player:
            return at
    return -1


@kernel
def place(zero, one, player, states):  # type: ignore[no-untyped-def]
    """The slot that holds the position or shall hold it from now on."""
    known = find(zero, one, player, states)
    if known >= 0:
        return known
    first = slot(zero, one, player, states)
    best = first
    for i in range(PROBES):
        at = first + i & states.shape[0] - 1
        if states[at, PLAYER] == 0:
            return at
        if states[at, WORK] < states[best, WORK]:
            best = at
    return best
