"""Evaluations of Go positions, in shares of the board, and an order of moves.

Both are antisymmetric but for komi: with the other player to move the same stones have the opposite
value.
"""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.games.go import Go, neighbours
from adv_envs.jit import kernel


@kernel
def area(position: Go) -> float:
    """Returns the lead of the player to move if the game ended here, as a share of the board."""
    lead = position.lead() if position.to_move == 0 else 0.0 - position.lead()
    return lead / (position.size * position.size)


@kernel
def nearest(position: Go) -> float:
    """Returns the lead if every empty cell belonged to the player of the nearest stone.

    Both players' stones grow by a step at a time until they meet; cells that both reach at once are
    nobody's. As a share of the board, komi included.
    """
    own, opp, free, stride = position.own, position.opp, position.free, position.size + 1
    while True:
        more, other = neighbours(own, stride) & free, neighbours(opp, stride) & free
        if more | other == 0:
            break
        own, opp, free = own | more & ~other, opp | other & ~more, free & ~(more | other)
    komi = position.komi if position.to_move == 1 else 0.0 - position.komi
    return (count(own) - count(opp) + komi) / (position.size * position.size)


@kernel
def centre(position: Go, action: int) -> float:
    """Returns minus the distance to the middle of the board; the pass comes last."""
    if action == position.num_stone_actions:
        return -2.0 * position.size
    row, column = action // position.size, action % position.size
    return -(abs(2 * row - position.size + 1) + abs(2 * column - position.size + 1)) / 2
