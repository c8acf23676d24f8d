"""Move ordering: the currents through the cells of a circuit between a player's two edges.

Every connection that H-search has found is a wire, and an empty cell has more resistance than a
group of stones. The more current flows through a cell, the more connections of the player lead
through it, so that both players should try it first.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

from .virtual_connections import FULL, Indices, Workspace

Reals = NDArray[np.float64]

STONE_RESISTANCE = 0.05
"""The resistance of a group of stones or an edge; that of an empty cell is 1."""

VIRTUAL_CONDUCTANCE = 1.0
"""The conductance of a connection whose points are not adjacent, relative to one whose are."""

LEAK = 1e-9
"""The conductance from every point to the last edge, so that isolated points have a voltage."""


@kernel
def add_currents(
    own: int,
    cells: int,
    weight: float,
    connections: Workspace,
    circuit: tuple[Reals, Reals],
    current: Reals,
) -> None:
    """Adds ``weight`` times the current through each empty cell to ``current`` (cells,).

    ``connections`` holds the result of an H-search for the stones ``own``; ``circuit`` is
    (matrix (n, n), volts (n,)) to work in, n = cells + 2.
    """
    pairs, links, _, _ = connections
    matrix, volts = circuit
    fill_matrix(own, cells, pairs, links, matrix, volts)
    solve_voltages(cells, matrix, volts)
    n = cells + 2
    for x in range(cells):
        if links[x, 0] == 0 or own >> x & 1 != 0:
            continue
        flow = 0.0
        for k in range(1, 1 + links[x, 0]):
            y = links[x, k]
            flow += wire_conductance(own, cells, pairs, n, x, y) * abs(volts[x] - volts[y])
        current[x] += weight * flow


@kernel
def wire_conductance(own: int, cells: int, pairs: Indices, n: int, x: int, y: int) -> float:
    """Returns the conductance of the connection of the points x and y."""
    resistance = STONE_RESISTANCE
    for point in (x, y):
        empty = point < cells and own >> min(point, cells - 1) & 1 == 0
        resistance += 1.0 if empty else STONE_RESISTANCE
    adjacent = pairs[x * n + y if x < y else y * n + x, FULL] == 0
    return (1.0 if adjacent else VIRTUAL_CONDUCTANCE) / resistance


@kernel
def fill_matrix(
    own: int, cells: int, pairs: Indices, links: Indices, matrix: Reals, volts: Reals
) -> None:
    """Writes Kirchhoff's laws: matrix @ volts = the current from the first edge, at 1 volt."""
    n = cells + 2
    for x in range(n):
        volts[x] = 0.0
        for y in range(n):
            matrix[x, y] = 0.0
    for x in range(cells):
        total = LEAK
        for k in range(1, 1 + links[x, 0]):
            y = links[x, k]
            conductance = wire_conductance(own, cells, pairs, n, x, y)
            total += conductance
            if y < cells:
                matrix[x, y] = -conductance
            elif y == cells:
                volts[x] = conductance
        matrix[x, x] = total
    volts[cells] = 1.0


@kernel
def solve_voltages(cells: int, matrix: Reals, volts: Reals) -> None:
    """Replaces the right-hand side in ``volts`` by the voltages of all cells, without the edges."""
    for k in range(cells - 1, 0, -1):
        for x in range(k):
            factor = matrix[x, k] / matrix[k, k]
            if factor != 0.0:
                volts[x] -= factor * volts[k]
                for y in range(k):
                    matrix[x, y] -= factor * matrix[k, y]
    for k in range(cells):
        volt = volts[k]
        for y in range(k):
            volt -= matrix[k, y] * volts[y]
        volts[k] = volt / matrix[k, k]
