"""Evaluations and a move order for Hex.

All values are for the player to move and antisymmetric: the same stones with the other player to
move are worth the negative. No search asks for the value of a finished game; the distances and the
resistance then say ``-size * size``, as the player to move has lost.

Everything that can be is done for all cells at once, on sets of cells as integers.
"""

from __future__ import annotations

from math import log

from adv_envs.bits import count, lowest, single
from adv_envs.games.hex import Hex
from adv_envs.jit import kernel
from adv_envs.position import Wide

from .distance import distance, nearest
from .resistance import conductance

# ---- evaluations


@kernel
def shortest_path(position: Hex) -> float:
    """How many more cells the opponent needs to join their edges than the player to move does.

    The distance of a player is the least number of empty cells to fill: own stones cost 0, empty
    cells 1, the opponent's stones block. Until a game is won both distances are finite: if all
    empty cells became yours you would have won, since somebody always does.
    """
    mover = position.to_move
    return float(distance(position, 1 - mover) - distance(position, mover))


@kernel
def two_distance(position: Hex) -> float:
    """Queenbee's evaluation: how near the edges are if the opponent blocks the best way each time.

    Two empty cells are neighbours, for a player, if they touch each other or the same group of the
    player's stones. The two-distance of an empty cell to an edge is 1 if it touches the edge or a
    group on it, otherwise 1 + the second smallest two-distance of its neighbours. The potential of
    a cell is the sum of its two-distances to the player's two edges, the player's potential the
    smallest of any cell, and their mobility the number of cells that have it. The value is

        opponent's potential - own + (own mobility - opponent's) / size**2

    so mobility only breaks ties. A player who cannot get two ways everywhere, as often happens late
    in a game, has potential 2 * size**2 and mobility 0. A potential of 2 means a win in one move.

    J. van Rijswijck, Computer Hex: are bees better than fruitflies?, University of Alberta, 2000.
    """
    if position.won:
        return float(-position.size * position.size)
    mover = position.to_move
    return _potential(position, mover) - _potential(position, 1 - mover)


def _potential(position: Hex, player: int) -> float:
    """Minus the player's potential, plus a fraction for their mobility. See ``two_distance``."""
    area = position.size * position.size
    least, cells = nearest(position, player, 2)
    return count(cells) / area - least if cells != 0 else float(-2 * area)


@kernel
def resistance(position: Hex) -> float:
    """Hexy's evaluation: log(R_opponent / R_own), R the electrical resistance between two edges.

    A cell has resistance 0 with a stone of the player, 1 when empty, and does not conduct with a
    stone of the opponent. Neighbours are joined by a wire that has the resistance of both together,
    and each cell on an edge to the edge by one that has its own.

    V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
    """
    if position.won:
        return float(-position.size * position.size)
    mover = position.to_move
    return log(conductance(position, mover) / conductance(position, 1 - mover))


@kernel
def connected(position: Hex) -> float:
    """Stones beside a stone of their colour: own minus opponent's, over the larger (at least 1)."""
    own, opp = position.own, position.opp
    return _balance(count(own & position.neighbours(own)), count(opp & position.neighbours(opp)))


@kernel
def relevant_connected(position: Hex) -> float:
    """As ``connected``, but only neighbours that lead towards the player's edges count.

    Those in the rows above and below for player 0, who joins top and bottom; those in the columns
    to the left and right for player 1.
    """
    mover = position.to_move
    return _balance(_relevant(position, mover), _relevant(position, 1 - mover))


def _relevant(position: Hex, player: int) -> int:
    stones, down = position.stones(player), position.size + 1
    step = down if player == 0 else 1
    beside = stones << step | stones >> step | stones << down - 1 | stones >> down - 1
    return count(stones & beside)


def _balance(own: int, opp: int) -> float:
    return (own - opp) / max(own, opp, 1)


# ---- moves


@kernel
def centre(position: Hex, action: int) -> float:
    """Minus the number of steps to the centre of the board; the swap comes first of all."""
    size = position.size
    if action == size * size:
        return 1.0
    row, column = 2 * (action // size) - size + 1, 2 * (action % size) - size + 1
    return -max(abs(row), abs(column), abs(row + column)) / 2


@kernel
def on_shortest_path(position: Hex, action: int) -> float:
    """1 if ``action`` is a cell on a shortest path of the player to move, else 0."""
    if action == position.size * position.size:
        return 0.0
    cells = path_cells(position, position.to_move)
    return 1.0 if cells >> position.entry(action) & 1 != 0 else 0.0


@kernel
def path_cells(position: Hex, player: int) -> Wide:
    """The empty cells on the shortest paths of ``player``, as a set.

    They are the cells that bring the distance of ``player`` down by one. Empty if nothing helps.
    """
    return nearest(position, player, 1)[1]


# ---- symmetry: half a turn


def num_images(position: Hex) -> int:
    """The board and the board turned by 180 degrees, which leaves everybody their edges."""
    return 2


def image(position: Hex, i: int) -> Hex:
    """The turned board, good for telling positions apart: what is joined follows from the stones.

    The board itself, number 0, without what is joined either.
    """
    none = position.own & 0
    own, opp = position.own, position.opp
    if i == 1:
        own, opp = turned(position, own), turned(position, opp)
    return Hex(position.size, position.swap, own, opp, none, none, position.won, position.ply)


def turned(position: Hex, stones: Wide) -> Wide:
    """The set ``stones`` on the turned board."""
    last, cells = position.bit(position.size - 1, position.size - 1), stones & 0
    while stones != 0:
        cell = lowest(stones)
        stones ^= single(cell, stones)
        cells |= single(last - cell, cells)
    return cells


def image_action(position: Hex, action: int, i: int) -> int:
    """The cell on the turned board; the swap is the swap."""
    area = position.size * position.size
    return action if i == 0 or action == area else area - 1 - action


def inverse_image(position: Hex, i: int) -> int:
    """Two halves are a whole turn."""
    return i
