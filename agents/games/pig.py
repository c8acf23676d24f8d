"""An evaluation of Pig, on the scale of utilities, as games of chance need it."""

from __future__ import annotations

from adv_envs.games.pig import Pig
from adv_envs.jit import kernel


@kernel
def lead(position: Pig) -> float:
    """By how much of the target the player to move is ahead, the turn total counted in full.

    Between -1 and 1, as utilities are.
    """
    own = min(position.score(position.mover) + position.turn, position.target)
    other = min(position.score(1 - position.mover), position.target)
    return (own - other) / position.target
