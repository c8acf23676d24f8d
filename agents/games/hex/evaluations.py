"""Evaluates Hex by distances and circuits; a move order and the symmetry.

All values are for the player to move and antisymmetric: with the other player to move, the same
stones have the negative value. Searches never ask for the value of a finished game; the distances
and the resistance would then be ``-size * size``, as the player to move has lost.

Distances are computed for all cells at once, on sets of cells as integers: bit
row * (size + 1) + column is a cell, and the last bit of every row is always empty.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest, repeated, single
from adv_envs.games.hex import Hex
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.symmetries import (
    CELLS,
    HALF_TURN,
    board_symmetries,
    image_cells,
    image_of_cell_action,
    no_cells,
)

Indices = NDArray[np.int64]
Reals = NDArray[np.float64]

# ---- evaluations


@kernel
def shortest_path(position: Hex) -> float:
    """Returns the distance of the opponent minus that of the player to move.

    The distance of a player is the least number of empty cells to fill: own stones cost 0, empty
    cells 1, the opponent's stones block. Until a game is won both distances are finite: if all
    empty cells became a player's, that player would have won, as a full board has a winner.
    """
    player = position.to_move
    return float(distance(position, 1 - player) - distance(position, player))


@kernel
def two_distance(position: Hex) -> float:
    """Returns Queenbee's evaluation: distances where the opponent blocks the best way each time.

    Two empty cells are neighbours, for a player, if they touch each other or the same group of the
    player's stones. The two-distance of an empty cell to an edge is 1 if it touches the edge or a
    group on it, otherwise 1 + the second smallest two-distance of its neighbours. The potential of
    a cell is the sum of its two-distances to the player's two edges, the player's potential the
    smallest of any cell, and their mobility the number of cells that have it. The value is

        opponent's potential - own + (own mobility - opponent's) / size**2

    so mobility only breaks ties. A player without two ways to some cell everywhere, as is common
    late in a game, has potential 2 * size**2 and mobility 0. Potential 2 is a win in one move.

    J. van Rijswijck, Computer Hex: are bees better than fruitflies?, University of Alberta, 2000.
    """
    if position.won:
        return float(-position.size * position.size)
    player = position.to_move
    return _potential(position, player) - _potential(position, 1 - player)


def _potential(position: Hex, player: int) -> float:
    """Returns minus the player's potential, plus mobility / size**2, see ``two_distance``."""
    area = position.size * position.size
    least, cells = nearest(position, player, 2)
    return count(cells) / area - least if cells != 0 else float(-2 * area)


@kernel
def resistance(position: Hex) -> float:
    """Returns Hexy's evaluation: log(R_opponent / R_own), R the resistance between two edges.

    A cell has resistance 0 with a stone of the player, 1 when empty, and does not conduct with a
    stone of the opponent. Neighbours are joined by a wire that has the resistance of both together,
    and each cell on an edge to the edge by one that has its own.

    V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
    """
    if position.won:
        return float(-position.size * position.size)
    player = position.to_move
    return log(conductance(position, player) / conductance(position, 1 - player))


@kernel
def connected(position: Hex) -> float:
    """Returns the balance of stones beside a stone of their colour.

    Own minus opponent's, divided by the larger number (at least 1).
    """
    own, opp = position.own, position.opp
    return _balance(count(own & position.neighbours(own)), count(opp & position.neighbours(opp)))


@kernel
def relevant_connected(position: Hex) -> float:
    """Returns ``connected`` with only the neighbours that lead towards the player's edges.

    Those are the rows above and below for player 0, who joins top and bottom, and the columns
    to the left and right for player 1.
    """
    player = position.to_move
    return _balance(_relevant(position, player), _relevant(position, 1 - player))


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
    """Returns minus the number of steps to the centre of the board; 1 for the swap."""
    size = position.size
    if action == size * size:
        return 1.0
    row, column = 2 * (action // size) - size + 1, 2 * (action % size) - size + 1
    return -max(abs(row), abs(column), abs(row + column)) / 2


@kernel
def on_shortest_path(position: Hex, action: int) -> float:
    """Returns 1 if ``action`` is a cell on a shortest path of the player to move, else 0."""
    if action == position.size * position.size:
        return 0.0
    cells = path_cells(position, position.to_move)
    return 1.0 if cells >> position.entry(action) & 1 != 0 else 0.0


@kernel
def path_cells(position: Hex, player: int) -> Wide:
    """Returns the empty cells on the shortest paths of ``player``, as a set.

    A stone there lowers the distance of ``player`` by one. Empty if no path is left.
    """
    return nearest(position, player, 1)[1]


# ---- symmetry: half a turn

HALF_TURNED = board_symmetries(
    Hex,
    HALF_TURN,
    CELLS | {"own_joined": no_cells, "opp_joined": no_cells},
    complete=lambda image: image.with_stones(image.stones(0), image.stones(1), image.ply),
)

TRANSPOSED = 4
"""The reflection that exchanges the edges of the players."""


def exchanged(position: Hex) -> Hex | None:
    """Returns the transposed position with the stones of each player those of the other.

    None where the pie rule is not decided yet.
    """
    number = position.own.bit_count() + position.opp.bit_count()
    ply = position.ply + (1 if position.ply == number else -1)
    if position.swap and min(ply, position.ply) < 2:
        return None
    first, second = (image_cells(position, position.stones(i), TRANSPOSED) for i in (1, 0))
    return position.with_stones(first, second, ply)


def exchanged_action(position: Hex, action: int) -> int:
    """Returns the action there."""
    return image_of_cell_action(position, action, TRANSPOSED)


# ---- distances

Sums = tuple[Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide]
"""A number below 1024 for every cell: the first set has the bits 0, the next the bits 1, ..."""


def distance(position: Hex, player: int) -> int:
    """Returns the least number of empty cells that ``player`` must fill, size * size if blocked."""
    own = position.stones(player)
    free = board(position) & ~position.stones(1 - player)
    beside, last = first_edge(position, player), last_edge(position, player)
    reached = own & 0
    for steps in range(position.size * position.size):
        stones = beside & own & ~reached
        while stones != 0:
            reached |= stones
            beside |= position.neighbours(stones)
            stones = beside & own & ~reached
        if reached & last != 0:
            return steps
        cells = beside & free & ~reached
        if cells == 0:
            break
        reached |= cells
        beside |= position.neighbours(cells)
    return position.size * position.size


def nearest(position: Hex, player: int, ways: int) -> tuple[int, Wide]:
    """Returns the least sum of the distances of an empty cell to both edges, and its cells.

    With ``ways`` = 1 distances are the usual ones, with 2 they are two-distances.
    """
    own = position.stones(player)
    none = own & 0
    sums = none, none, none, none, none, none, none, none, none, none
    sums, cells = _add_distances(position, own, first_edge(position, player), ways, sums)
    sums, others = _add_distances(position, own, last_edge(position, player), ways, sums)
    cells &= others
    smallest, bit = 2, 512
    for plane in sums[::-1]:  # from the most significant bit: keep those without it, if any
        if cells & ~plane != 0:
            cells &= ~plane
        else:
            smallest += bit
        bit >>= 1
    return smallest, cells


def _add_distances(
    position: Hex, own: Wide, edge: Wide, ways: int, sums: Sums
) -> tuple[Sums, Wide]:
    """Adds to each empty cell's sum its distance to ``edge`` less 1.

    Returns the sums and the cells that can reach the edge.
    """
    empty = board(position) & ~(position.own | position.opp)
    touching = position.neighbours(own)
    new = through(position, own, edge) & empty
    reached, once, twice = new, own & 0, own & 0
    while new != 0:
        sums = _increment(sums, empty & ~reached)
        if ways == 1:
            twice = through(position, own, position.neighbours(new))
        else:
            once, twice = _meet(position, new & ~touching, once, twice)
            new &= touching
            while new != 0:  # through stones, one by one: two neighbours must be different cells
                cell = single(lowest(new), new)
                beside = through(position, own, position.neighbours(cell))
                twice |= once & beside
                once |= beside
                new &= ~cell
        new = twice & empty & ~reached
        reached |= new
    return sums, reached


def through(position: Hex, own: Wide, beside: Wide) -> Wide:
    """Returns ``beside`` and all cells beside a group of ``own`` with a stone in ``beside``."""
    stones, new = own & 0, beside & own
    while new != 0:
        stones |= new
        beside |= position.neighbours(new)
        new = beside & own & ~stones
    return beside


def _meet(position: Hex, cells: Wide, once: Wide, twice: Wide) -> tuple[Wide, Wide]:
    """Adds the neighbours of ``cells`` to those met ``once`` (or more) and ``twice`` (or more)."""
    below, above = cells << position.size + 1, cells >> position.size + 1
    for beside in (cells << 1, cells >> 1, below, below >> 1, above, above << 1):
        twice |= once & beside
        once |= beside
    return once, twice


def _increment(sums: Sums, cells: Wide) -> Sums:
    """Adds 1 to the number of each of ``cells``: one carry into each set."""
    a, b, c, d, e, f, g, h, i, j = sums
    to_b = cells & a
    to_c = to_b & b
    to_d = to_c & c
    to_e = to_d & d
    to_f = to_e & e
    to_g = to_f & f
    to_h = to_g & g
    to_i = to_h & h
    return (
        a ^ cells,
        b ^ to_b,
        c ^ to_c,
        d ^ to_d,
        e ^ to_e,
        f ^ to_f,
        g ^ to_g,
        h ^ to_h,
        i ^ to_i,
        j ^ to_i & i,
    )


# ---- parts of the board


def board(position: Hex) -> Wide:
    """Returns all cells."""
    return repeated(first_edge(position, 0), position.size, position.size + 1)


def first_edge(position: Hex, player: int) -> Wide:
    """Returns the top row for player 0, the left column for player 1."""
    corner = single(0, position.own)
    return repeated(corner, position.size, 1 if player == 0 else position.size + 1)


def last_edge(position: Hex, player: int) -> Wide:
    """Returns the bottom row for player 0, the right column for player 1."""
    across = position.size + 1 if player == 0 else 1
    return first_edge(position, player) << (position.size - 1) * across


# ---- the board as an electrical circuit between the two edges of a player

FIRST, LAST, OUTSIDE = 0, -1, -2
"""Nodes: the two edges, each with all stones joined to it; cells that no current reaches."""


def conductance(position: Hex, player: int) -> float:
    """Returns 1 / resistance between the edges of ``player``, in an unfinished game.

    A group of own stones is one node, so is every empty cell. Kirchhoff's laws give a matrix, its
    rows the nodes without the last edge; eliminating all others leaves the first edge's own entry,
    the conductance. Numbered by their first cells in the order of the board, most nodes have only
    neighbours with numbers close by, and a row that is zero beyond some column stays so: this takes
    about size**4 steps instead of the size**6 of a full matrix.

    Nodes and matrix are allocated at each call, as no other evaluation does: they have no small
    bound, and callers of an evaluation pass no workspace.
    """
    cells = position.size * (position.size + 1)
    node = np.empty(cells + position.size + 1, np.int64)
    ohms = np.empty(cells)
    nodes = _number_nodes(position, player, node, ohms)
    matrix = np.zeros((nodes, nodes))
    reach = np.empty(nodes, np.int64)
    _add_wires(position, player, node, ohms, matrix, reach)
    return _eliminate(matrix, reach)


def _number_nodes(position: Hex, player: int, node: Indices, ohms: Reals) -> int:
    """Writes the node and the resistance of every cell; returns the number of nodes without LAST.

    ``node`` (cells + size + 1,), ``ohms`` (cells,): both by bit, not by action.
    """
    own, first = position.stones(player), first_edge(position, player)
    free = board(position) & ~position.stones(1 - player)
    todo, last = free & through(position, free, first), last_edge(position, player)
    for cell in range(len(node)):
        node[cell] = OUTSIDE
    nodes = 1
    while todo != 0:
        group = single(lowest(todo), own)
        number, ohm = nodes, 1.0
        if group & own != 0:
            group = own & through(position, own, group)
            ohm = 0.0
            if group & first != 0:
                number = FIRST
            elif group & last != 0:
                number = LAST
        if number == nodes:
            nodes += 1
        todo &= ~group
        while group != 0:
            cell = lowest(group)
            node[cell], ohms[cell] = number, ohm
            group &= ~single(cell, own)
    return nodes


def _add_wires(
    position: Hex, player: int, node: Indices, ohms: Reals, matrix: Reals, reach: Indices
) -> None:
    """Adds every wire to ``matrix`` (n, n); ``reach`` (n,) becomes the last nonzero column."""
    size, down = position.size, position.size + 1
    for i in range(len(reach)):
        reach[i] = i
    for cell in range(size * down):
        if node[cell] != OUTSIDE:
            for beside in (cell + 1, cell + down, cell + down - 1):
                if node[beside] != OUTSIDE and node[beside] != node[cell]:
                    wire = 1.0 / (ohms[cell] + ohms[beside])
                    _add_wire(matrix, reach, node[cell], node[beside], wire)
    along, across = (1, down) if player == 0 else (down, 1)
    for i in range(size):
        cell = i * along
        if node[cell] > FIRST:
            _add_wire(matrix, reach, FIRST, node[cell], 1.0)
        cell += (size - 1) * across
        if node[cell] > FIRST:
            _add_wire(matrix, reach, LAST, node[cell], 1.0)


def _add_wire(matrix: Reals, reach: Indices, a: int, b: int, wire: float) -> None:
    """Adds a wire of this conductance between the nodes ``a`` and ``b``."""
    low, high = min(a, b), max(a, b)
    matrix[high, high] += wire
    if low != LAST:
        matrix[low, low] += wire
        matrix[low, high] -= wire
        reach[low] = max(reach[low], high)


def _eliminate(matrix: Reals, reach: Indices) -> float:
    """Returns entry (0, 0) after eliminating all other rows, the last one first.

    The Cholesky factor replaces the upper half of ``matrix``.
    """
    for i in range(len(reach) - 1, -1, -1):
        rest = matrix[i, i]
        for j in range(reach[i], i, -1):
            entry = matrix[i, j]
            for k in range(j + 1, min(reach[i], reach[j]) + 1):
                entry -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = entry / matrix[j, j]
            rest -= matrix[i, j] * matrix[i, j]
        if i == FIRST:
            return float(rest)
        matrix[i, i] = np.sqrt(rest)
    return 0.0
