"""Evaluations, a move order and the symmetry of Connect Four on any board."""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import kernel

from ..tic_tac_toe import open_lines, repeated
from .zugzwang import nearly_rows, zugzwang

WON_BY_FORCE = 1000.0
"""More than all else in ``threats`` together."""


@kernel
def threats(position: ConnectFour) -> float:
    """Threats, and who must in the end play below one; then rows that are still open.

    A threat counts 6, a row that lacks two stones 3, one that lacks three 1, those of the opponent
    less; to be on move is worth 10. Whoever wins the zugzwang to which the threats lead has up to
    30 more, the fuller the board the more; and whoever wins before that, as every move only answers
    a threat, ``WON_BY_FORCE``. The weights were fitted to exact values (logistic regression). On a
    full board or without threats nothing but the rows counts. See ``_zugzwang`` for the sources,
    and ``benchmarks/connect_four_evaluations.py`` for how often it is right and what it wins.
    """
    stride, cells = position.height + 1, position.height * position.width
    floor = repeated(1, position.width, stride)
    board, taken = floor * ((1 << position.height) - 1), position.own | position.opp
    empty = board & ~taken
    own, own_two, own_three = nearly_rows(position.own, empty, position.k, stride)
    opp, opp_two, opp_three = nearly_rows(position.opp, empty, position.k, stride)
    rows = 3 * (own_two - opp_two) + own_three - opp_three
    value = 10.0 + 6 * (count(own) - count(opp)) + rows
    winner, forced = zugzwang(own, opp, taken, floor, floor << position.height)
    return value + winner * (WON_BY_FORCE if forced else 30.0 * position.ply / cells)


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


# ---- symmetry: left and right


def num_images(position: ConnectFour) -> int:
    """The board and its mirror image."""
    return 2


def image(position: ConnectFour, i: int) -> ConnectFour:
    """The board with its columns the other way round."""
    if i == 0:
        return position
    stride, own, opp = position.height + 1, 0, 0
    column = (1 << position.height) - 1
    for x in range(position.width):
        there = (position.width - 1 - x) * stride
        own |= (position.own >> x * stride & column) << there
        opp |= (position.opp >> x * stride & column) << there
    return ConnectFour(position.height, position.width, position.k, own, opp, position.ply)


def image_action(position: ConnectFour, action: int, i: int) -> int:
    """The column counted from the other side."""
    return action if i == 0 else position.width - 1 - action


def inverse_image(position: ConnectFour, i: int) -> int:
    """Twice mirrored is not mirrored."""
    return i
