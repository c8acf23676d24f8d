"""Evaluates Connect Four on any board: evaluations, a move order, the symmetry, playouts.

A threat of a player is an empty cell that completes a row of theirs. Nobody wants to play below a
threat of the other, so at the end of a game only such cells are left, and the player to move loses:
a zugzwang, which depends on the number of other cells, hence on the parities of the threats' rows.
Sources: J. D. Allen, "The Complete Book of Connect 4", 2010; V. Allis, "A Knowledge-based Approach
of Connect-Four", 1988, where the second player's answer in the same column is called claimeven.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, lowest, repeated
from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import kernel
from adv_envs.random import advanced, below
from agents.mcts.playouts import AMAF, RANDOM, STAMP, Played, Values, Workspace
from agents.symmetries import MIRROR, board_symmetries

from ..tic_tac_toe import open_lines

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
    return open_lines(
        position, repeated((1 << position.height) - 1, position.width, stride), stride
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
        rows, one, two, three, four = stones | empty, 0, 0, 0, 0  # with so many empty cells or more
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


def image_columns(position: ConnectFour, cells: int, turn: int) -> int:
    """Returns the set of cells with the columns in reverse order, for turn 1."""
    if turn == 0:
        return cells
    stride, column, found = position.height + 1, (1 << position.height) - 1, 0
    for x in range(position.width):
        found |= (cells >> x * stride & column) << (position.width - 1 - x) * stride
    return found


def image_column(position: ConnectFour, action: int, turn: int) -> int:
    """Returns the column where ``action`` is then."""
    return action if turn == 0 else position.width - 1 - action


MIRRORED = board_symmetries(
    ConnectFour, MIRROR, {"own": image_columns, "opp": image_columns}, image_column
)

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


# ---- playouts with moves that win at once, or else stop the opponent from it
#
# The cells that complete a row are found for all cells at once, on sets of cells as integers. So
# decisive and anti-decisive moves (Teytaud and Teytaud, On the huge benefit of decisive moves in
# Monte-Carlo tree search algorithms, 2010) cost no more here than the test for the end of the game
# does elsewhere, and win 67 % of games against random playouts at equal simulations.


def fits(position: ConnectFour) -> bool:
    """Returns whether these kernels take the game: four in a row, and every shift below 64."""
    return position.k == 4 and 3 * (position.height + 2) < 64


def completing_cells(stones: int, stride: int) -> int:
    """Returns the cells, empty or not, on the board or not, that make four with ``stones``."""
    cells = stones << 1 & stones << 2 & stones << 3  # on top of three
    for step in (stride - 1, stride, stride + 1):
        left, right = stones << step, stones >> step
        cells |= left & stones << 2 * step & (stones << 3 * step | right)
        cells |= right & stones >> 2 * step & (stones >> 3 * step | left)
    return cells


@kernel
def decisive(position: ConnectFour, utilities: Values, seen: Played, workspace: Workspace) -> None:
    """Plays wins, else blocks the opponent's wins, else random moves.

    The arguments are those of ``agents.mcts.playouts``.
    """
    stride, state, player = position.height + 1, int(workspace[RANDOM]), position.to_move
    floor = repeated(1, position.width, stride)
    board = floor * ((1 << position.height) - 1)
    own, opp = position.own, position.opp
    stones, result = own | opp, 0.0
    while stones != board:
        cells = stones + floor & board
        wins = completing_cells(own, stride) & cells
        if wins != 0:
            if AMAF:
                seen[player, lowest(wins) // stride] = workspace[STAMP]
            result = 1.0
            break
        threats = completing_cells(opp, stride) & cells
        if threats != 0:
            cells = threats
        else:
            state = advanced(state)
            for _ in range(below(state, count(cells))):
                cells &= cells - 1
        stone = cells & -cells
        if AMAF:
            seen[player, lowest(stone) // stride] = workspace[STAMP]
        own, opp, stones, player = opp, own | stone, stones | stone, 1 - player
    workspace[RANDOM] = state
    utilities[player], utilities[1 - player] = result, 0.0 - result


@kernel
def winning_column(position: ConnectFour, workspace: Workspace) -> int:
    """Returns a column that makes four in a row; -1 if there is none."""
    stride = position.height + 1
    floor = repeated(1, position.width, stride)
    board = floor * ((1 << position.height) - 1)
    cells = completing_cells(position.own, stride)
    cells &= (position.own | position.opp) + floor & board
    return lowest(cells) // stride if cells != 0 else -1
