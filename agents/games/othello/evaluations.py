"""Evaluates Othello; a move order and the symmetries.

Having more discs early is no advantage: they can be turned over and give the opponent moves. What
counts is to have more moves than the opponent, who is then forced to give up corners, and discs
that can never be turned over, which spread from the corners.
"""

from __future__ import annotations

from adv_envs.bits import count, repeated, single
from adv_envs.games.othello import Othello, enclosing
from adv_envs.jit import kernel
from agents.symmetries import CELLS, RECTANGLE, board_symmetries, image_cells


@kernel
def mobility(position: Othello) -> float:
    """Returns the balance of moves, of corners and of what is near them, roughly in discs.

    ``moves`` and ``frontier`` (empty cells beside discs, moves that may come) are compared as
    shares, corners count much, discs that touch an empty corner against their owner, and discs
    that no corner is missing from along an edge are safe. Antisymmetric but for the turn.
    """
    size, own, opp = position.size, position.own, position.opp
    empty = whole_board(own, size) & ~(own | opp)
    value = 12.0 * share(count(position.moves), count(enclosing(opp, own, size)))
    value += 10.0 * share(count(beside(opp, size) & empty), count(beside(own, size) & empty))
    corners = corner_cells(own, size)
    value += 8.0 * (count(own & corners) - count(opp & corners))
    diagonal, straight = next_to_corners(corners & empty, size)
    value -= 4.0 * (count(own & diagonal) - count(opp & diagonal))
    value -= 1.5 * (count(own & straight) - count(opp & straight))
    return value + 1.5 * (count(safe_edges(own, size)) - count(safe_edges(opp, size)))


@kernel
def discs(position: Othello) -> float:
    """Returns the own discs minus the opponent's: what counts in the end, and misleads before."""
    return float(count(position.own) - count(position.opp))


@kernel
def corners_first(position: Othello, action: int) -> float:
    """Returns how good a cell usually is: corners, then the inner board, last beside corners."""
    size = position.size
    if action == size * size:
        return 0.0
    row, column = action // size, action % size
    row, column = min(row, size - 1 - row), min(column, size - 1 - column)
    if row + column == 0:
        return 4.0
    if row < 2 and column < 2:
        return -2.0 if row + column == 2 else -1.0
    return 2.0 if row == 0 or column == 0 else 1.0 if row > 1 and column > 1 else 0.0


# ---- parts of the board


def share(own: int, opp: int) -> float:
    """Returns the difference of two numbers as a share of all, from -1 to 1."""
    return (own - opp) / (own + opp + 1)


def whole_board(like: int, size: int) -> int:
    """Returns all cells, as wide as the set ``like``."""
    return repeated((like & 0) | ((1 << size) - 1), size, size)


def corner_cells(like: int, size: int) -> int:
    """Returns the four corners, as wide as the set ``like``."""
    upper = single(0, like) | single(size - 1, like)
    return upper | upper << size * (size - 1)


def first_column(like: int, size: int) -> int:
    """Returns the cells of the first column, as wide as the set ``like``."""
    return repeated(single(0, like), size, size)


def beside(cells: int, size: int) -> int:
    """Returns the cells next to some of ``cells``, in eight directions; some of them themselves."""
    left = first_column(cells, size)
    near = cells | (cells & ~left) >> 1 | (cells & ~(left << size - 1)) << 1
    return near | near << size | near >> size


def next_to_corners(corners: int, size: int) -> tuple[int, int]:
    """Returns the cells next to some ``corners``: diagonally, and along the edges."""
    last = size - 1
    upper = corners & (single(0, corners) | single(last, corners))
    lower = corners & ~upper
    upper_sides = inward(upper, size)
    lower_sides = inward(lower, size)
    diagonal = upper_sides << size | lower_sides >> size
    return diagonal, upper_sides | lower_sides | upper << size | lower >> size


def inward(corners: int, size: int) -> int:
    """Returns the cells one step from some ``corners`` along their rows."""
    left = corners & first_column(corners, size)
    return left << 1 | (corners & ~left) >> 1


def safe_edges(own: int, size: int) -> int:
    """Returns the discs on edges that a line of own discs joins to an own corner."""
    left = first_column(own, size)
    row = (own & 0) | ((1 << size) - 1)
    rows, columns = row | row << size * (size - 1), left | left << size - 1
    safe = own & corner_cells(own, size)
    for _ in range(size - 2):
        safe |= own & rows & (safe << 1 | safe >> 1) | own & columns & (safe << size | safe >> size)
    return safe


# ---- symmetries


def core(position: Othello) -> Othello:
    """Returns the position without ``moves``, which follow from the discs; ``ply`` is 0 or 1."""
    own, opp = position.own, position.opp
    return Othello(position.size, position.margin, own, opp, own & 0, position.ply % 2)


def exchanged(position: Othello) -> Othello | None:
    """Returns the position in which the discs of each player are the other's, with a pass more.

    Or a pass less, so that the exchange of the exchange is the position itself.
    """
    added = (position.own | position.opp).bit_count() - 4
    ply = position.ply + (-1 if (position.ply - added) % 2 else 1)
    return None if ply > 2 * added + 1 else position._replace(ply=ply)


TURNED = board_symmetries(Othello, RECTANGLE, CELLS | {"moves": image_cells}, core=core)
