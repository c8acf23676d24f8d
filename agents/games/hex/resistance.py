"""A Hex board as an electrical circuit between the two edges of a player, solved exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from adv_envs.bits import lowest, single
from adv_envs.games.hex import Hex

from .distance import board, first_edge, last_edge, through

FIRST, LAST, OUTSIDE = 0, -1, -2
"""Nodes: the edges, each with all stones joined to it, and what no current can reach."""


def conductance(position: Hex, player: int) -> float:
    """1 / resistance between the edges of ``player``, in a game that nobody has won.

    A group of own stones is one node, so is every empty cell. Kirchhoff's laws give a matrix, its
    rows the nodes without the last edge; eliminating all others leaves the first edge's own entry,
    the conductance. Numbered by their first cells in the order of the board, most nodes have only
    neighbours with numbers close by, and a row that is zero beyond some column stays so: this takes
    about size**4 steps instead of the size**6 of a full matrix.

    Nodes and matrix are allocated here, as no other evaluation does: they have no small bound, and
    who calls an evaluation has nothing to lend it.
    """
    cells = position.size * (position.size + 1)
    node = np.empty(cells + position.size + 1, np.int64)
    ohms = np.empty(cells)
    nodes = _number(position, player, node, ohms)
    matrix = np.zeros((nodes, nodes))
    reach = np.empty(nodes, np.int64)
    _connect(position, player, node, ohms, matrix, reach)
    return _eliminate(matrix, reach)


def _number(position: Hex, player: int, node: Any, ohms: Any) -> int:
    """Write the node of every cell and its resistance; returns the number of nodes but LAST.

    ``node`` (cells + size + 1,) int64, ``ohms`` (cells,) float64: both for bits, not actions.
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


def _connect(position: Hex, player: int, node: Any, ohms: Any, matrix: Any, reach: Any) -> None:
    """Put every wire into ``matrix`` (n, n); ``reach`` (n,) int64: a row's last column not zero."""
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


def _add_wire(matrix: Any, reach: Any, a: int, b: int, wire: float) -> None:
    low, high = min(a, b), max(a, b)
    matrix[high, high] += wire
    if low != LAST:
        matrix[low, low] += wire
        matrix[low, high] -= wire
        reach[low] = max(reach[low], high)


def _eliminate(matrix: Any, reach: Any) -> float:
    """What is left of entry (0, 0) when all other rows have been eliminated, the last one first.

    The Cholesky factor takes the place of the upper half of ``matrix``.
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
