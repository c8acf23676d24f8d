"""An evaluation of Kalah by the seeds, and a move order."""

from __future__ import annotations

from adv_envs.games.kalah import BYTE, Kalah
from adv_envs.jit import kernel

IN_A_PIT = 0.25
"""What a seed in a pit is worth, if one in the store is worth 1."""


@kernel
def lead(position: Kalah) -> float:
    """Returns the lead in seeds as a share of all seeds; those in the pits count a quarter.

    Seeds in the own row are kept if the game ends, and until then they may be captured. Between -1
    and 1; antisymmetric: for the other player to move it is the negative value.
    """
    own, opp, lead = position.own, position.opp, 0.0
    for pit in range(position.pits):
        lead += IN_A_PIT * ((own >> 8 * pit & BYTE) - (opp >> 8 * pit & BYTE))
    lead += (own >> 8 * position.pits) - (opp >> 8 * position.pits)
    return lead / position.max_utility


def promising(position: Kalah, action: int) -> float:
    """Returns more for pits near the own store: their seeds are the first to come home."""
    return float(action)
