"""Which cells matter: a player's connections as an electrical circuit between their two edges.

Every connection that H-search found is a wire, and an empty cell resists more than a group of
stones. The more current flows through a cell, the more of the player's ways lead through it, so
that is where both should look first.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
"""

from __future__ import annotations

from adv_envs.jit import kernel

from .connections import FULL

STONE = 0.05
"""The resistance of a group of stones or an edge; that of an empty cell is 1."""

VIRTUAL = 1.0
"""How well a connection conducts whose points do not touch, compared with two that do."""

LEAK = 1e-9
"""A little current leaks from every point, so that those without any way have a voltage too."""


@kernel
def add_currents(own, cells, weight, space, solver, current):  # type: ignore[no-untyped-def]
    """Add ``weight`` times the current through each empty cell to ``current`` (cells,) float64.

    ``space`` is the ``room`` that an H-search for the stones ``own`` has filled; ``solver`` is
    (matrix (n, n), volts (n,)) float64 to work in, n = cells + 2.
    """
    pairs, links, _, _ = space
    matrix, volts = solver
    fill_matrix(own, cells, pairs, links, matrix, volts)
    eliminate(cells, matrix, volts)
    n = cells + 2
    for x in range(cells):
        if links[x, 0] == 0 or own >> x & 1 != 0:
            continue
        flow = 0.0
        for k in range(1, 1 + links[x, 0]):
            y = links[x, k]
            flow += wire(own, cells, pairs, n, x, y) * abs(volts[x] - volts[y])
        current[x] += weight * flow


@kernel
def wire(own, cells, pairs, n, x, y):  # type: ignore[no-untyped-def]
    """How well the connection of x and y conducts."""
    resistance = STONE
    for point in (x, y):
        empty = point < cells and own >> min(point, cells - 1) & 1 == 0
        resistance += 1.0 if empty else STONE
    touching = pairs[x * n + y if x < y else y * n + x, FULL] == 0
    return (1.0 if touching else VIRTUAL) / resistance


@kernel
def fill_matrix(own, cells, pairs, links, matrix, volts):  # type: ignore[no-untyped-def]
    """Kirchhoff's laws: matrix @ volts = what flows in from the first edge, which has 1 volt."""
    n = cells + 2
    for x in range(n):
        volts[x] = 0.0
        for y in range(n):
            matrix[x, y] = 0.0
    for x in range(cells):
        total = LEAK
        for k in range(1, 1 + links[x, 0]):
            y = links[x, k]
            conductance = wire(own, cells, pairs, n, x, y)
            total += conductance
            if y < cells:
                matrix[x, y] = -conductance
            elif y == cells:
                volts[x] = conductance
        matrix[x, x] = total
    volts[cells] = 1.0


@kernel
def eliminate(cells, matrix, volts):  # type: ignore[no-untyped-def]
    """Turn the right-hand side in ``volts`` into the voltages of all cells, the edges aside."""
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
