"""An evaluation and a move order for Connect Four on any board."""

from __future__ import annotations

from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import kernel

from .tic_tac_toe import open_lines, repeated


@kernel
def lines(position: ConnectFour) -> float:
    """Rows of k cells still open for the player to move, minus the opponent's.

    As in tic-tac-toe, a row without a stone of the other player counts the square of the stones in
    it; whether its empty cells can be reached soon is not asked. Antisymmetric.
    """
    stride = position.height + 1
    cells = repeated((1 << position.height) - 1, position.width, stride)
    own, opp = position.own, position.opp
    return float(
        open_lines(own, cells & ~opp, position.k, stride)
        - open_lines(opp, cells & ~own, position.k, stride)
    )


@kernel
def centre(position: ConnectFour, action: int) -> float:
    """Minus the number of columns to the middle."""
    return -abs(2 * action - position.width + 1) / 2
