"""Searches games of connection by proof numbers, depth first; answers come with a carrier.

The carrier of a win is a set of empty cells that is all the winner needs: whatever stands outside
of it, the win remains. So when a move is refuted, every other move outside the carrier of the
refutation is refuted as well, and few moves are left. Before any move is tried, H-search decides
many positions and gives the others their first must-play region; dead and captured cells are filled
in. Moves are tried in the order of the currents through their cells, in a circuit between the edges
of a player: every connection that H-search has found is a wire, and an empty cell has more
resistance than a group of stones. The more current flows through a cell, the more connections lead
through it.

- df-pn: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002;
- 1 + epsilon: J. Pawlewicz, L. Lew, Improving depth-first PN-search: 1 + epsilon trick, 2006;
- widening: P. Henderson, B. Arneson, R. Hayward, Solving 8x8 Hex, IJCAI 2009;
- currents: V. V. Anshelevich, A hierarchical approach to computer Hex, Artif. Intell. 134 (2002);
- must-play by carriers: R. Hayward et al., Solving 7x7 Hex, Theoretical Comp. Sci. 349 (2005).

A position of the table is the stones of both players, after dead and captured cells are filled in,
and who is to move. All of it is stored, so that a clash of hashes never gives a wrong answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest
from adv_envs.jit import kernel
from agents.search.limits import LEAVES, NODE_LIMIT, NODES, STOP, counters
from agents.search.transposition_table import (
    HashTable,
    find,
    new_table,
    note_at,
    slot_for,
    work_of,
    write,
)

from .inferior_cells import BoardTables, fill_in
from .virtual_connections import (
    CONNECTED,
    FULL,
    FULLS,
    SEMI,
    SEMI_CONNECTED,
    SEMIS,
    Connections,
    Indices,
    all_cells,
    board_tables,
    connections_of,
    h_search,
    pair_of,
)

# ---- the order of moves, by currents

Reals = NDArray[np.float64]

STONE_RESISTANCE = 0.05
"""The resistance of a group of stones or an edge; that of an empty cell is 1."""

VIRTUAL_CONDUCTANCE = 1.0
"""The conductance of a connection whose points are not adjacent, relative to one whose are."""

LEAK = 1e-9
"""The conductance from every point to the last edge, so that isolated points have a voltage."""


class Circuit(NamedTuple):
    """Holds what ``add_currents`` works in; n = cells + 2."""

    matrix: Reals
    """(n, n)."""
    volts: Reals
    """(n,)."""


@kernel
def add_currents(own: int, connections: Connections, circuit: Circuit, current: Reals) -> None:
    """Adds the current through each empty cell to ``current`` (cells,).

    ``connections`` holds the result of an H-search for the stones ``own``.
    """
    cells, links, volts = connections.name.shape[0], connections.links, circuit.volts
    edges = links.shape[0] - cells
    for source in range(cells, cells + (1 if edges == 2 else 3)):
        fill_matrix(own, source, connections, circuit)
        solve_voltages(cells, circuit)
        for x in range(cells):
            if links[x, 0] == 0 or own >> x & 1 != 0:
                continue
            flow = 0.0
            for k in range(1, 1 + links[x, 0]):
                y = links[x, k]
                flow += wire_conductance(own, x, y, connections) * abs(volts[x] - volts[y])
            current[x] += flow


@kernel
def wire_conductance(own: int, x: int, y: int, connections: Connections) -> float:
    """Returns the conductance of the connection of the points x and y."""
    cells = connections.name.shape[0]
    resistance = STONE_RESISTANCE
    for point in (x, y):
        empty = point < cells and own >> min(point, cells - 1) & 1 == 0
        resistance += 1.0 if empty else STONE_RESISTANCE
    adjacent = connections.pairs[pair_of(x, y, connections), FULL] == 0
    return (1.0 if adjacent else VIRTUAL_CONDUCTANCE) / resistance


@kernel
def fill_matrix(own: int, source: int, connections: Connections, circuit: Circuit) -> None:
    """Writes Kirchhoff's laws: matrix @ volts = the current from the edge ``source``, at 1 volt."""
    links, matrix, volts = connections.links, circuit.matrix, circuit.volts
    n, cells = links.shape[0], connections.name.shape[0]
    for x in range(n):
        volts[x] = 0.0
        for y in range(n):
            matrix[x, y] = 0.0
    for x in range(cells):
        total = LEAK
        for k in range(1, 1 + links[x, 0]):
            y = links[x, k]
            conductance = wire_conductance(own, x, y, connections)
            total += conductance
            if y < cells:
                matrix[x, y] = -conductance
            elif y == source:
                volts[x] = conductance
        matrix[x, x] = total
    volts[source] = 1.0


@kernel
def solve_voltages(cells: int, circuit: Circuit) -> None:
    """Replaces the right-hand side in ``volts`` by the voltages of all cells, without the edges."""
    matrix, volts = circuit
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


# ---- what the search works on

ZERO, ONE, PLAYER, PHI, DELTA, MUST, CARRIER, WORK = range(8)
"""Columns of frames: stones of player 0 and of player 1; 1 + the player to move; proof and disproof
number for that player; the moves that may still win; the winner's carrier, or the cells of the
opponent's threats; positions expanded to find this out."""

LIMIT_PHI, LIMIT_DELTA, BEST, BEGAN, CHILD_PHI, CHILD_DELTA = range(8, 14)
"""More columns of frames: the thresholds; the move to try next; the counter of expanded positions
on entry; the thresholds for that move."""

INFINITE = 1 << 40

FOUND_CARRIER, FOUND_MOVE = range(2)
"""What ``prove`` writes into ``answer``: the carrier of the win, and the best move or -1."""

WIDTH = 4
"""Of n moves that may win, 1 + n / WIDTH, rounded up, are considered at a time."""

SLACK = 4
"""A move is searched until another one is better by 1 / SLACK: epsilon = 1/4."""

Orders = NDArray[np.int8]


class ProofTable(NamedTuple):
    """Holds what is known of positions; their work is the number of positions expanded."""

    table: HashTable
    """The stones of player 0 and of player 1, and 1 + the player to move."""
    states: Indices
    """(n, 4): PHI, DELTA, MUST and CARRIER of each."""
    orders: Orders
    """(n, cells): the moves of each, promising ones first, -1 at the end."""


class ConnectionArrays(NamedTuple):
    """Holds what a search works on."""

    board: BoardTables
    """The cells and their neighbours."""
    known: ProofTable
    """What is known of positions."""
    connections: Connections
    """Of the H-search of one position."""
    circuit: Circuit
    """Of its currents."""
    current: Reals
    """(cells,): the currents through its cells."""
    frames: Indices
    """(cells + 2, 14): the positions on the path from the root."""
    orders: Orders
    """(cells + 2, cells): their moves, promising ones first, -1 at the end."""
    counts: Indices
    """(10,): see ``agents.search.limits``."""


def hex_arrays(size: int, megabytes: float) -> ConnectionArrays:
    """Returns what searches on a board of Hex work on, with an empty table and no limits."""
    return connection_arrays(board_tables(size), connections_of(size), megabytes)


def connection_arrays(
    board: BoardTables, connections: Connections, megabytes: float
) -> ConnectionArrays:
    """Returns what searches on this board work on, with an empty table and no limits."""
    cells, n = len(connections.name), len(connections.links)
    table = new_table(3, megabytes * 32 / (64 + cells), least=2)
    entries = len(table.entries)
    return ConnectionArrays(
        board,
        ProofTable(table, np.zeros((entries, 4), np.int64), np.zeros((entries, cells), np.int8)),
        connections,
        Circuit(np.zeros((n, n)), np.zeros(n)),
        np.zeros(cells),
        np.zeros((cells + 2, 14), np.int64),
        np.zeros((cells + 2, cells), np.int8),
        counters(),
    )


# ---- the search


@kernel
def prove(zero: int, one: int, player: int, answer: Indices, arrays: ConnectionArrays) -> int:
    """Returns 1 if ``player``, to move, wins, -1 if not, 0 if the search was stopped before.

    ``zero`` and ``one`` are the stones of player 0 and 1; nobody has won yet. ``answer`` (2,) is
    written.
    """
    frames, orders, counts = arrays.frames, arrays.orders, arrays.counts
    z, o, dead = fill_in(
        zero, one, all_cells(len(arrays.connections.name)) & ~(zero | one), arrays.board
    )
    enter(frames[0], orders[0], z, o, player, arrays)
    frames[0, LIMIT_PHI], frames[0, LIMIT_DELTA] = INFINITE, INFINITE
    depth = 0
    while depth >= 0:
        frame, order = frames[depth], orders[depth]
        stopped = counts[STOP] != 0 or counts[NODES] >= counts[NODE_LIMIT]
        if not stopped and within_limits(frame):
            select_move(frame, order, arrays)
        if stopped or not within_limits(frame):
            store(frame, order, arrays)
            depth -= 1
        else:
            zero_below, one_below, _ = stones_after(frame, frame[BEST], arrays.board)
            depth += 1
            child = frames[depth]
            enter(child, orders[depth], zero_below, one_below, 2 - frame[PLAYER], arrays)
            child[LIMIT_PHI], child[LIMIT_DELTA] = frame[CHILD_PHI], frame[CHILD_DELTA]
    root = frames[0]
    value = 1 if root[PHI] == 0 else (-1 if root[DELTA] == 0 else 0)
    filled = z & ~zero & ~dead if (value > 0) == (player == 0) else o & ~one
    best = root[BEST]
    if value < 0 or (value > 0 and best < 0):
        best = best_known_move(root, orders[0], arrays)
    answer[FOUND_CARRIER], answer[FOUND_MOVE] = root[CARRIER] | filled, best
    return value


@kernel
def within_limits(frame: Indices) -> bool:
    """Returns whether the search stays at a position: both numbers are below their thresholds."""
    return bool(frame[PHI] < frame[LIMIT_PHI] and frame[DELTA] < frame[LIMIT_DELTA])


@kernel
def stones_after(frame: Indices, move: int, board: BoardTables) -> tuple[int, int, int]:
    """Returns the stones of both players after ``move``, filled in, and the dead ones of these."""
    zero, one = int(frame[ZERO]), int(frame[ONE])
    stone = 1 << int(move)
    if frame[PLAYER] == 1:
        zero |= stone
    else:
        one |= stone
    return fill_in(zero, one, int(board.neighbour_sets[move]), board)


@kernel
def enter(
    frame: Indices, order: Orders, zero: int, one: int, player: int, arrays: ConnectionArrays
) -> None:
    """Writes a position into ``frame``, with its entry in the table or the result of ``expand``."""
    arrays.counts[NODES] += 1
    frame[BEGAN] = arrays.counts[LEAVES]
    frame[BEST] = -1
    frame[ZERO], frame[ONE], frame[PLAYER] = zero, one, 1 + player
    at = find_stones(zero, one, player, arrays.known)
    if at >= 0:
        for i in range(PHI, WORK):
            frame[i] = arrays.known.states[at, i - PHI]
        frame[WORK] = work_of(note_at(arrays.known.table, at))
        for i in range(len(order)):
            order[i] = arrays.known.orders[at, i]
    else:
        arrays.counts[LEAVES] += 1
        frame[WORK] = 0
        expand(frame, order, arrays)


@kernel
def expand(frame: Indices, order: Orders, arrays: ConnectionArrays) -> None:
    """Decides a new position by H-search, or else finds its must-play region and orders moves."""
    connections, current = arrays.connections, arrays.current
    player = frame[PLAYER] - 1
    zero, one = int(frame[ZERO]), int(frame[ONE])
    own, opp = (zero, one) if player == 0 else (one, zero)
    frame[PHI], frame[DELTA] = 1, 1
    order[0] = -1
    found = h_search(own, opp, player, SEMI_CONNECTED, connections)
    if found >= SEMI_CONNECTED:
        frame[PHI], frame[DELTA] = 0, INFINITE
        frame[CARRIER] = smallest_carrier(found, connections)
        return
    current[:] = 0.0
    add_currents(own, connections, arrays.circuit, current)
    found = h_search(opp, own, 1 - player, CONNECTED, connections)
    if found == CONNECTED:
        frame[PHI], frame[DELTA] = INFINITE, 0
        frame[CARRIER] = smallest_carrier(found, connections)
        return
    add_currents(opp, connections, arrays.circuit, current)
    empty = all_cells(len(connections.name)) & ~(zero | one)
    frame[MUST], frame[CARRIER] = must_play_region(empty, connections)
    if frame[MUST] == 0:
        frame[PHI], frame[DELTA] = INFINITE, 0
    write_order(int(frame[MUST]), current, order)


@kernel
def smallest_carrier(found: int, connections: Connections) -> int:
    """Returns the smallest carrier of the edges' full connections if CONNECTED, else semis."""
    cells = connections.name.shape[0]
    row = connections.pairs[pair_of(cells, cells + 1, connections)]
    begin, number = (FULL, row[FULLS]) if found == CONNECTED else (SEMI, row[SEMIS])
    best = int(row[begin])
    for k in range(1, number):
        if count(int(row[begin + k])) < count(best):
            best = int(row[begin + k])
    return best


@kernel
def must_play_region(must: int, connections: Connections) -> tuple[int, int]:
    """Returns the moves of ``must`` in the carriers of all threats, and the cells of the threats.

    ``connections`` are of the opponent's H-search. Of the threats, those that leave no fewer moves
    are left out: the fewer cells a refutation needs, the more moves it refutes.
    """
    cells = connections.name.shape[0]
    row = connections.pairs[pair_of(cells, cells + 1, connections)]
    union = must & 0
    while True:
        best, least, added = -1, count(must), 0
        for k in range(row[SEMIS]):
            carrier = int(row[SEMI + k])
            left, more = count(must & carrier), count(carrier & ~union)
            if left < least or (left == least and best >= 0 and more < added):
                best, least, added = k, left, more
        if best < 0:
            return must, union
        must &= int(row[SEMI + best])
        union |= int(row[SEMI + best])


@kernel
def write_order(moves: int, current: Reals, order: Orders) -> None:
    """Writes ``moves`` into ``order`` (cells,), those with most current first, -1 at the end."""
    number = 0
    while moves != 0:
        move = lowest(moves)
        moves &= moves - 1
        i = number
        while i > 0 and current[order[i - 1]] < current[move]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = move
        number += 1
    if number < len(order):
        order[number] = -1


@kernel
def select_move(frame: Indices, order: Orders, arrays: ConnectionArrays) -> None:
    """Finds the proof numbers of the position in ``frame``, and the move to try next.

    A move that is found to lose removes all moves outside the carrier of its refutation.
    """
    again = True
    while again:
        again = False
        left = 1 + (count(int(frame[MUST])) + WIDTH - 1) // WIDTH
        phi, second, delta, best_phi = INFINITE, INFINITE, 0, 0
        i = 0
        while left > 0 and i < len(order) and order[i] >= 0 and not again:
            move = order[i]
            i += 1
            if frame[MUST] >> move & 1 == 0:
                continue
            left -= 1
            zero, one, dead = stones_after(frame, move, arrays.board)
            child_phi, child_delta, carrier = look_up(zero, one, 2 - frame[PLAYER], arrays.known)
            if child_delta == 0:
                carrier |= filled_cells(frame, zero, one, dead, frame[PLAYER] == 1)
                frame[PHI], frame[DELTA], frame[CARRIER] = 0, INFINITE, carrier
                frame[BEST] = move
                return
            if child_phi == 0:
                carrier |= filled_cells(frame, zero, one, dead, frame[PLAYER] == 2)
                frame[MUST] &= carrier
                frame[CARRIER] |= carrier
                again = True
            delta += child_phi
            if child_delta < phi:
                phi, second, best_phi = child_delta, phi, child_phi
                frame[BEST] = move
            elif child_delta < second:
                second = child_delta
    if frame[MUST] == 0:
        phi, delta = INFINITE, 0
    frame[PHI], frame[DELTA] = phi, delta
    frame[CHILD_PHI] = frame[LIMIT_DELTA] - delta + best_phi
    frame[CHILD_DELTA] = min(frame[LIMIT_PHI], second + second // SLACK + 1)


@kernel
def best_known_move(frame: Indices, order: Orders, arrays: ConnectionArrays) -> int:
    """Returns the move that wins, or whose refutation took most work; -1 if none is stored."""
    known, best, most = arrays.known, -1, -1
    for i in range(len(order)):
        if order[i] < 0:
            break
        zero, one, _ = stones_after(frame, order[i], arrays.board)
        phi, delta, _ = look_up(zero, one, 2 - frame[PLAYER], known)
        at = find_stones(zero, one, 2 - frame[PLAYER], known)
        work = work_of(note_at(known.table, at)) if at >= 0 else -1
        if phi == frame[DELTA] and delta == frame[PHI] and work > most:
            best, most = order[i], work
    return best


@kernel
def filled_cells(frame: Indices, zero: int, one: int, dead: int, of_zero: bool) -> int:
    """Returns the cells that a move has filled for player 0 or 1, itself too, dead ones not."""
    if of_zero:
        return int(zero & ~frame[ZERO] & ~dead)
    return int(one & ~frame[ONE])


# ---- the table


@kernel
def find_stones(zero: int, one: int, player: int, known: ProofTable) -> int:
    """Returns the slot of the position, which becomes the key, or -1."""
    key = known.table.key
    key[0, 0], key[0, 1], key[0, 2] = zero, one, 1 + player
    return find(known.table)


@kernel
def look_up(zero: int, one: int, player: int, known: ProofTable) -> tuple[int, int, int]:
    """Returns (phi, delta, carrier) of the position with ``player`` to move; 1, 1, 0 if unknown."""
    at = find_stones(zero, one, player, known)
    if at < 0:
        return 1, 1, 0
    states = known.states
    return states[at, 0], states[at, DELTA - PHI], states[at, CARRIER - PHI]


@kernel
def store(frame: Indices, order: Orders, arrays: ConnectionArrays) -> None:
    """Stores the position in ``frame`` with its order of moves."""
    known = arrays.known
    frame[WORK] += arrays.counts[LEAVES] - frame[BEGAN]
    find_stones(frame[ZERO], frame[ONE], frame[PLAYER] - 1, known)
    at = slot_for(known.table, frame[WORK])
    write(known.table, at, 0, frame[WORK])
    for i in range(PHI, WORK):
        known.states[at, i - PHI] = frame[i]
    for i in range(len(order)):
        known.orders[at, i] = order[i]
