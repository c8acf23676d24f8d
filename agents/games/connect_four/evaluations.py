"""Evaluations, a move order and the symmetry of Connect Four on any board.

A threat of a player is an empty cell that completes a row of theirs. Nobody wants to play below a
threat of the other, so at the end of a game only such cells are left, and the player to move loses:
a zugzwang, which depends on the number of other cells, hence on the parities of the threats' rows.
Sources: J. D. Allen, "The Complete Book of Connect 4", 2010; V. Allis, "A Knowledge-based Approach
of Connect-Four", 1988, where the second player's answer in the same column is called claimeven.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count
from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import kernel

from ..tic_tac_toe import open_lines, repeated
from .decisive_playouts import completing_cells

FORCED_WIN = 1000.0
"""More than all else in ``threats`` together."""

# ---- evaluations


@kernel
def threats(position: ConnectFour) -> float:
    """Returns the balance of threats and open rows, and who wins the zugzwang they lead to.

    A threat counts 6, a row that lacks two stones 3, one that lacks three 1, those of the opponent
    negative; being to move counts 10. The winner of the zugzwang has up to 30 more, the fuller the
    board the more; a player who wins before that, as every move only answers a threat, FORCED_WIN.
    On a full board or without threats only the rows count. The weights were fitted to exact values
    by logistic regression. ``benchmarks/connect_four_evaluations.py`` prints how often the sign is
    right and how many games it wins.
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
    return value + winner * (FORCED_WIN if forced else 30.0 * position.ply / cells)


@kernel
def lines(position: ConnectFour) -> float:
    """Returns the rows of k cells still open for the player to move, minus the opponent's.

    As in tic-tac-toe, a row without a stone of the other player counts the square of the stones in
    it, whether its empty cells can be played soon or not. Antisymmetric.
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
    """Returns minus the distance to the middle column."""
    return -abs(2 * action - position.width + 1) / 2


def nearly_rows(stones: int, empty: int, k: int, stride: int) -> tuple[int, int, int]:
    """Returns the threats, and the numbers of rows of ``k`` that lack two and three of ``stones``.

    Only rows within ``stones`` and ``empty`` are counted. The board is that of ``bits.has_line``: a
    set shifted by i steps has at the first cell of each row the bit of its i-th cell.
    """
    threats, lack_two, lack_three = 0, 0, 0
    for step in (1, stride, stride - 1, stride + 1):
        if (k - 1) * step >= 64:
            continue  # no row fits; a compiled shift by 64 is a shift by 0
        rows, one, two, three, four = (
            stones | empty,
            0,
            0,
            0,
            0,
        )  # rows with at least that many empty cells
        for i in range(k):
            here = empty >> i * step
            rows &= (stones | empty) >> i * step
            four |= three & here
            three |= two & here
            two |= one & here
            one |= here
        lack_two += count(rows & two & ~three)
        lack_three += count(rows & three & ~four)
        lacking_one = rows & one & ~two
        for i in range(k):
            threats |= (lacking_one & empty >> i * step) << i * step
    return threats, lack_two, lack_three


def zugzwang(own: int, opp: int, taken: int, floor: int, tops: int) -> tuple[int, bool]:
    """Returns 1, -1 or 0 for a win, loss or draw of the player to move, and whether it is forced.

    ``own`` and ``opp`` are the threats of the player to move and of the opponent, ``taken`` the
    cells with stones, ``floor`` the lowest cells and ``tops`` those above the highest ones. No
    further threats are assumed to arise. It is forced if every move until then answers a threat.
    Otherwise both players fill all cells that are not below a threat, in any order, as only their
    number matters; then the player to move gives up own threats, by playing below them, until the
    only moves left are below a threat of the opponent.
    """
    sign, forced = 1, True
    while True:
        playable = taken + floor  # the carry through a column ends at its first empty cell
        if own & playable != 0:
            return sign, forced
        answers = opp & playable
        if answers & (answers - 1) != 0:
            return -sign, forced
        if answers != 0:
            taken |= answers
        else:
            forced = False
            ends = ((own | opp) & ~taken) >> 1 | tops  # cells below threats, and no cells
            safe = (ends - playable) & ~ends  # in each column all cells below the first of them
            if safe != 0:
                taken |= safe
                if count(safe) % 2 == 0:
                    continue
            else:
                playable &= ~tops
                given_up = playable & own >> 1 & ~(opp >> 1)
                if given_up == 0:
                    return (0 if playable == 0 else -sign), forced
                given_up &= -given_up
                taken |= given_up | given_up << 1  # the opponent answers
                continue
        sign, own, opp = -sign, opp, own


# ---- symmetry: left and right


def num_images(position: ConnectFour) -> int:
    """Returns 2: the board and its mirror image."""
    return 2


def image(position: ConnectFour, i: int) -> ConnectFour:
    """Returns the board, with its columns in reverse order for ``i`` = 1."""
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
    """Returns the column in the i-th image."""
    return action if i == 0 else position.width - 1 - action


def inverse_image(position: ConnectFour, i: int) -> int:
    """Returns ``i``: mirroring twice is the identity."""
    return i


# ---- for networks


def wins(position: ConnectFour, planes: Any, first: int) -> None:
    """Writes 1 for each empty cell that completes a row of four, whether it can be played or not.

    planes[:, :, first] has those of the player to move, planes[:, :, first + 1] the other's.
    """
    own = completing_cells(position.own, position.height + 1)
    opp = completing_cells(position.opp, position.height + 1)
    empty = ~(position.own | position.opp)
    for row in range(position.height):
        for column in range(position.width):
            cell = position.bit(row, column)
            planes[row, column, first] = (own & empty) >> cell & 1
            planes[row, column, first + 1] = (opp & empty) >> cell & 1
