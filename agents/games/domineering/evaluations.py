"""Counts of moves, an evaluation, a move order and symmetries of Domineering.

They work on sets of free cells as integers. ``step`` is how many bits the two cells of a domino are
apart: 1 for flat ones, the width and 1 for upright ones.

D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, Solving 8 x 8 Domineering, Theoretical
Computer Science 230 (2000), introduce real and safe moves.
"""

from __future__ import annotations

from adv_envs.bits import count, lowest, single
from adv_envs.games.domineering import Domineering
from adv_envs.jit import kernel
from adv_envs.position import Wide

# ---- counts of moves


def real_moves(free: Wide, step: int) -> int:
    """Returns the most dominoes that fit on ``free``, if nobody else moves."""
    number, cells = 0, free
    while cells != 0:
        first = cells & ~(cells << step)  # of every run of cells
        pairs = first & cells >> step
        number += count(pairs)
        cells &= ~(first | pairs << step)
    return number


def safe_moves(free: Wide, step: int, other: int) -> int:
    """Returns the dominoes that fit on cells of ``free`` where no domino of the opponent can lie.

    ``other`` is the step of the opponent.
    """
    return real_moves(free & ~(free << other) & ~(free >> other), step)


def balance(free: Wide, step: int, other: int) -> int:
    """Returns the real and safe moves of a player, minus those of the opponent."""
    own = real_moves(free, step) + safe_moves(free, step, other)
    return own - real_moves(free, other) - safe_moves(free, other, step)


# ---- evaluation and move order


@kernel
def room(position: Domineering) -> float:
    """Returns the real and safe moves of the player to move, minus those of the opponent.

    Real moves are as many as fit, safe moves as many as fit where the opponent has no place. With
    the other player to move the same free cells have the negative value.
    """
    own, other = position.step(position.to_move), position.step(1 - position.to_move)
    return float(balance(position.free(), own, other))


@kernel
def mobility(position: Domineering) -> float:
    """Returns the number of moves of the player to move, minus those of the opponent."""
    player = position.to_move
    return float(count(position.places(player)) - count(position.places(1 - player)))


@kernel
def least_room(position: Domineering, action: int) -> float:
    """Returns how much a move leaves to oneself and takes from the opponent, as ``room``."""
    if not position.legal(action):
        return -1000.0
    step, other = position.step(position.to_move), position.step(1 - position.to_move)
    cell = single(position.entry(action), position.own)
    return float(balance(position.free() & ~(cell | cell << step), step, other))


# ---- symmetries: a turn would exchange the directions of the players


def num_images(position: Domineering) -> int:
    """Returns 4: rows and columns may be reversed."""
    return 4


def image(position: Domineering, i: int) -> Domineering:
    """Returns the i-th image: bit 1 reverses rows, bit 0 columns.

    Whose dominoes lie where does not matter, nor how many: all cells under dominoes are ``own``.
    """
    taken = image_cells(position, position.own | position.opp, i)
    return Domineering(position.height, position.width, taken, taken & 0, position.to_move)


def whole_image(position: Domineering, i: int) -> Domineering:
    """Returns the i-th image with the dominoes of both players."""
    own, opp = image_cells(position, position.own, i), image_cells(position, position.opp, i)
    return Domineering(position.height, position.width, own, opp, position.ply)


def image_cells(position: Domineering, cells: Wide, i: int) -> Wide:
    """Returns the set of cells in the i-th image."""
    found, stride, rest = cells & 0, position.width + 1, cells
    while rest != 0:
        row, column = lowest(rest) // stride, lowest(rest) % stride
        rest &= rest - 1
        row = position.height - 1 - row if i & 2 != 0 else row
        column = position.width - 1 - column if i & 1 != 0 else column
        found |= single(row * stride + column, cells)
    return found


def image_action(position: Domineering, action: int, i: int) -> int:
    """Returns the upper or left cell of the image of a domino."""
    row, column = action // position.width, action % position.width
    if i & 2 != 0:
        row = position.height - 1 - row - (1 if position.to_move == 0 else 0)
    if i & 1 != 0:
        column = position.width - 1 - column - (1 if position.to_move == 1 else 0)
    return max(row, 0) * position.width + max(column, 0)


def inverse_image(position: Domineering, i: int) -> int:
    """Returns ``i``: each reflection is its own inverse."""
    return i
