"""Depth-first proof-number search for Hex in which every answer comes with a carrier.

The carrier of a win is a set of empty cells that is all the winner needs: whatever stands outside
of it, the win remains. So when a move is refuted, every other move outside the carrier of the
refutation is refuted as well, and few moves are left. Before any move is tried, H-search decides
many positions and gives the others their first must-play region; dead and captured cells are filled
in; moves are tried in the order of the currents through their cells.

- df-pn: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002;
- 1 + epsilon: J. Pawlewicz, L. Lew, Improving depth-first PN-search: 1 + epsilon trick, 2006;
- widening: P. Henderson, B. Arneson, R. Hayward, Solving 8x8 Hex, IJCAI 2009;
- must-play by carriers: R. Hayward et al., Solving 7x7 Hex, Theoretical Comp. Sci. 349 (2005).

A position of the table is the stones of both players, after dead and captured cells are filled in,
and who is to move. All of it is stored, so that a clash of hashes never gives a wrong answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest
from adv_envs.jit import kernel
from agents.search.limits import LEAVES, NODE_LIMIT, NODES, STOP

from .current_flow import Reals, add_currents
from .inferior_cells import BoardTables, fill_in
from .virtual_connections import (
    CONNECTED,
    FULL,
    FULLS,
    SEMI,
    SEMI_CONNECTED,
    SEMIS,
    Indices,
    all_cells,
    h_search,
)
from .virtual_connections import Workspace as ConnectionWorkspace
from .virtual_connections import new_workspace as new_connection_workspace

ZERO, ONE, PLAYER, PHI, DELTA, MUST, CARRIER, WORK = range(8)
"""Columns of the table and of frames: stones of player 0 and of player 1; 1 + the player to move
(0: an empty slot); proof and disproof number for that player; the moves that may still win; the
winner's carrier, or the cells of the opponent's threats; positions expanded to find this out."""

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

Table = tuple[Indices, Orders]
"""(states, orders), see ``new_table``."""

Workspace = tuple[ConnectionWorkspace, tuple[Reals, Reals], Reals, Indices, Orders]
"""(connections, circuit, current, frames, orders), see ``new_workspace``."""


def new_workspace(size: int) -> Workspace:
    """Returns the arrays for one search: (connections, circuit, current, frames, orders).

    ``connections`` is that of ``h_search`` and ``circuit`` that of ``add_currents``; ``current``
    (cells,) float64; ``frames`` (cells + 2, 14) int64 and ``orders`` (cells + 2, cells) int8 are
    the positions and moves on the path from the root.
    """
    cells = size * size
    circuit = np.zeros((cells + 2, cells + 2)), np.zeros(cells + 2)
    frames, orders = np.zeros((cells + 2, 14), np.int64), np.zeros((cells + 2, cells), np.int8)
    return new_connection_workspace(size), circuit, np.zeros(cells), frames, orders


# ---- the search


@kernel
def prove(
    zero: int,
    one: int,
    player: int,
    size: int,
    tables: BoardTables,
    table: Table,
    workspace: Workspace,
    answer: Indices,
    counts: Indices,
) -> int:
    """Returns 1 if ``player``, to move, wins, -1 if not, 0 if the search was stopped before.

    ``zero`` and ``one`` are the stones of player 0 and 1; nobody has won yet. ``tables`` as
    ``board_tables``; ``answer`` (2,) is written.
    """
    frames, orders = workspace[3], workspace[4]
    z, o, dead = fill_in(zero, one, all_cells(size) & ~(zero | one), tables)
    enter(frames[0], orders[0], z, o, player, size, tables, table, workspace, counts)
    frames[0, LIMIT_PHI], frames[0, LIMIT_DELTA] = INFINITE, INFINITE
    depth = 0
    while depth >= 0:
        frame, order = frames[depth], orders[depth]
        stopped = counts[STOP] != 0 or counts[NODES] >= counts[NODE_LIMIT]
        if not stopped and within_limits(frame):
            select_move(frame, order, tables, table)
        if stopped or not within_limits(frame):
            store(frame, order, table, counts)
            depth -= 1
        else:
            zero_below, one_below, _ = stones_after(frame, frame[BEST], tables)
            depth += 1
            child, opponent = frames[depth], 2 - frame[PLAYER]
            below = orders[depth]
            enter(
                child,
                below,
                zero_below,
                one_below,
                opponent,
                size,
                tables,
                table,
                workspace,
                counts,
            )
            child[LIMIT_PHI], child[LIMIT_DELTA] = frame[CHILD_PHI], frame[CHILD_DELTA]
    root = frames[0]
    value = 1 if root[PHI] == 0 else (-1 if root[DELTA] == 0 else 0)
    filled = z & ~zero & ~dead if (value > 0) == (player == 0) else o & ~one
    best = root[BEST]
    if value < 0 or (value > 0 and best < 0):
        best = best_known_move(root, orders[0], tables, table)
    answer[FOUND_CARRIER], answer[FOUND_MOVE] = root[CARRIER] | filled, best
    return value


@kernel
def within_limits(frame: Indices) -> bool:
    """Returns whether the search stays at a position: both numbers are below their thresholds."""
    return bool(frame[PHI] < frame[LIMIT_PHI] and frame[DELTA] < frame[LIMIT_DELTA])


@kernel
def stones_after(frame: Indices, move: int, tables: BoardTables) -> tuple[int, int, int]:
    """Returns the stones of both players after ``move``, filled in, and the dead ones of these."""
    zero, one = int(frame[ZERO]), int(frame[ONE])
    stone = 1 << int(move)
    if frame[PLAYER] == 1:
        zero |= stone
    else:
        one |= stone
    return fill_in(zero, one, int(tables[1][move]), tables)


@kernel
def enter(
    frame: Indices,
    order: Orders,
    zero: int,
    one: int,
    player: int,
    size: int,
    tables: BoardTables,
    table: Table,
    workspace: Workspace,
    counts: Indices,
) -> None:
    """Writes a position into ``frame``, with its entry in the table or the result of ``expand``."""
    states, orders = table
    counts[NODES] += 1
    frame[BEGAN] = counts[LEAVES]
    frame[BEST] = -1
    frame[ZERO], frame[ONE], frame[PLAYER] = zero, one, 1 + player
    known = find(zero, one, player, states)
    if known >= 0:
        for i in range(PHI, WORK + 1):
            frame[i] = states[known, i]
        order[:] = orders[known]
    else:
        counts[LEAVES] += 1
        frame[WORK] = 0
        expand(frame, order, size, tables[1], workspace)


@kernel
def expand(
    frame: Indices, order: Orders, size: int, neighbour_sets: Indices, workspace: Workspace
) -> None:
    """Decides a new position by H-search, or else finds its must-play region and orders moves."""
    connections, circuit, current, _, _ = workspace
    player = frame[PLAYER] - 1
    zero, one = int(frame[ZERO]), int(frame[ONE])
    own, opp = (zero, one) if player == 0 else (one, zero)
    frame[PHI], frame[DELTA] = 1, 1
    order[0] = -1
    found = h_search(own, opp, player, size, SEMI_CONNECTED, neighbour_sets, connections)
    if found >= SEMI_CONNECTED:
        frame[PHI], frame[DELTA] = 0, INFINITE
        frame[CARRIER] = smallest_carrier(found, size, connections)
        return
    current[:] = 0.0
    add_currents(own, size * size, 1.0, connections, circuit, current)
    found = h_search(opp, own, 1 - player, size, CONNECTED, neighbour_sets, connections)
    if found == CONNECTED:
        frame[PHI], frame[DELTA] = INFINITE, 0
        frame[CARRIER] = smallest_carrier(found, size, connections)
        return
    add_currents(opp, size * size, 1.0, connections, circuit, current)
    empty = all_cells(size) & ~(zero | one)
    frame[MUST], frame[CARRIER] = must_play_region(empty, size, connections[0])
    if frame[MUST] == 0:
        frame[PHI], frame[DELTA] = INFINITE, 0
    write_order(int(frame[MUST]), current, order)


@kernel
def smallest_carrier(found: int, size: int, connections: ConnectionWorkspace) -> int:
    """Returns the smallest carrier of the edges' full connections if CONNECTED, else semis."""
    cells = size * size
    row = connections[0][cells * (cells + 2) + cells + 1]
    begin, number = (FULL, row[FULLS]) if found == CONNECTED else (SEMI, row[SEMIS])
    best = int(row[begin])
    for k in range(1, number):
        if count(int(row[begin + k])) < count(best):
            best = int(row[begin + k])
    return best


@kernel
def must_play_region(must: int, size: int, pairs: Indices) -> tuple[int, int]:
    """Returns the moves of ``must`` in the carriers of all threats, and the cells of the threats.

    ``pairs`` is of the opponent's H-search. Of the threats, those that leave no fewer moves are
    left out: the fewer cells a refutation needs, the more moves it refutes.
    """
    cells = size * size
    row = pairs[cells * (cells + 2) + cells + 1]
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
def select_move(frame: Indices, order: Orders, tables: BoardTables, table: Table) -> None:
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
            zero, one, dead = stones_after(frame, move, tables)
            child_phi, child_delta, carrier = look_up(zero, one, frame[PLAYER], table)
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
def best_known_move(frame: Indices, order: Orders, tables: BoardTables, table: Table) -> int:
    """Returns the move that wins, or whose refutation took most work; -1 if none is stored."""
    states = table[0]
    best, most = -1, -1
    for i in range(len(order)):
        if order[i] < 0:
            break
        zero, one, _ = stones_after(frame, order[i], tables)
        at = find(zero, one, 2 - frame[PLAYER], states)
        same = at >= 0 and states[at, PHI] == frame[DELTA] and states[at, DELTA] == frame[PHI]
        if same and states[at, WORK] > most:
            best, most = order[i], states[at, WORK]
    return best


@kernel
def look_up(zero: int, one: int, opponent: int, table: Table) -> tuple[int, int, int]:
    """Returns (phi, delta, carrier) of a position with the opponent of ``opponent`` - 1 to move."""
    states = table[0]
    at = find(zero, one, 2 - opponent, states)
    if at < 0:
        return 1, 1, 0
    return states[at, PHI], states[at, DELTA], states[at, CARRIER]


@kernel
def filled_cells(frame: Indices, zero: int, one: int, dead: int, of_zero: bool) -> int:
    """Returns the cells that a move has filled for player 0 or 1, itself too, dead ones not."""
    if of_zero:
        return int(zero & ~frame[ZERO] & ~dead)
    return int(one & ~frame[ONE])


# ---- the table

PROBES = 4
"""Slots in a row that may hold a position; the one with the least work is replaced."""

MASK = (1 << 62) - 1


def new_table(size: int, megabytes: float) -> Table:
    """Returns an empty table of at most ``megabytes``: states (n, 8) and orders (n, cells)."""
    n = max(int(megabytes * 2**20) // (64 + size * size), PROBES + 1)
    n = 1 << n.bit_length() - 1
    return np.zeros((n, 8), np.int64), np.zeros((n, size * size), np.int8)


@kernel
def first_slot(zero: int, one: int, player: int, states: Indices) -> int:
    """Returns the first of the slots that may hold a position."""
    hashed = (int(zero) & MASK) * 0x1E3779B97F4A7C15 & MASK
    hashed = (hashed ^ hashed >> 29 ^ (int(one) & MASK)) * 0x1E3779B97F4A7C15 & MASK
    hashed = (hashed ^ hashed >> 31 ^ int(player)) * 0x1E3779B97F4A7C15 & MASK
    return int((hashed >> 20) & states.shape[0] - 1)


@kernel
def find(zero: int, one: int, player: int, states: Indices) -> int:
    """Returns the slot that holds the position, or -1."""
    first = first_slot(zero, one, player, states)
    for i in range(PROBES):
        at = first + i & states.shape[0] - 1
        same = states[at, ZERO] == zero and states[at, ONE] == one
        if same and states[at, PLAYER] == 1 + player:
            return int(at)
    return -1


@kernel
def slot_for(zero: int, one: int, player: int, states: Indices) -> int:
    """Returns the slot that holds the position, or that it may replace."""
    known = find(zero, one, player, states)
    if known >= 0:
        return known
    first = first_slot(zero, one, player, states)
    best = first
    for i in range(PROBES):
        at = first + i & states.shape[0] - 1
        if states[at, PLAYER] == 0:
            return int(at)
        if states[at, WORK] < states[best, WORK]:
            best = at
    return best


@kernel
def store(frame: Indices, order: Orders, table: Table, counts: Indices) -> None:
    """Stores the position in ``frame`` with its order of moves."""
    states, orders = table
    frame[WORK] += counts[LEAVES] - frame[BEGAN]
    at = slot_for(frame[ZERO], frame[ONE], frame[PLAYER] - 1, states)
    states[at] = frame[: WORK + 1]
    orders[at] = order
