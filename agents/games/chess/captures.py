"""Which moves of chess are piece_value a look beyond the depth of a search, and in which order."""

from __future__ import annotations

from adv_envs.bits import single
from adv_envs.games.chess import Chess
from adv_envs.games.chess_board import PLANES, PROMOTION, RANK_8, landing
from adv_envs.jit import kernel
from adv_envs.position import Wide


@kernel
def noise(position: Chess, action: int) -> float:
    """Returns about how much a capture or promotion wins at once, in pawns; 0 for other moves.

    The most valuable victim counts first, then the least valuable attacker.
    """
    square, plane = action // PLANES, action % PLANES
    piece = single(square, position.own)
    target = landing(piece, plane)
    gain = piece_value(position, position.captured(piece, target))
    if piece & position.pawns != 0 and target & RANK_8 != 0 and plane < PROMOTION:
        gain += 8.0
    return gain - 0.01 * piece_value(position, piece) if gain > 0.0 else 0.0


@kernel
def piece_value(position: Chess, piece: Wide) -> float:
    """Returns the value of the piece on a square, 10 for a king and 0 for none."""
    if piece & (position.own | position.opp) == 0:
        return 0.0
    if piece & position.pawns != 0:
        return 1.0
    if piece & position.kings != 0:
        return 10.0
    if piece & position.straight != 0:
        return 9.0 if piece & position.diagonal != 0 else 5.0
    return 3.0
