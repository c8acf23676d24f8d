"""Depth-first proof-number search for Hex, in which every answer comes with a carrier.

The carrier of a win is a set of empty cells that the winner needs and nothing else: whatever stands
outside, the win remains. So when a move is refuted, every other move outside the carrier of the
refutation is refuted as well, and the moves worth looking at shrink quickly. Before any move is
tried, H-search decides many positions and gives the others their first must-play region; dead and
captured cells are filled in; moves are tried in the order of the currents through their cells.

- df-pn: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002;
- 1 + epsilon: J. Pawlewicz, L. Lew, Improving depth-first PN-search: 1 + epsilon trick, 2006;
- widening: P. Henderson, B. Arneson, R. Hayward, Solving 8x8 Hex, IJCAI 2009;
- must-play by carriers: R. Hayward et al., Solving 7x7 Hex, Theoretical Comp. Sci. 349 (2005).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adv_envs.bits import count, lowest
from adv_envs.jit import kernel
from agents.search.limits import LEAVES, NODE_LIMIT, NODES, STOP

from .board import all_cells
from .circuit import add_currents
from .connections import FULL, FULLS, JOINED, SEMI, SEMIS, THREAT, h_search
from .connections import room as connection_room
from .inferior import fill_in
from .memory import CARRIER, DELTA, MUST, ONE, PHI, PLAYER, WORK, ZERO, find, place

LIMIT_PHI, LIMIT_DELTA, BEST, BEGAN, CHILD_PHI, CHILD_DELTA = range(8, 14)
"""More columns of a frame, after those of a slot in the table: the thresholds; the move to try
next; the counter of expanded positions at the beginning; the thresholds for that move."""

INFINITE = 1 << 40

FOUND_CARRIER, FOUND_MOVE = range(2)
"""What ``prove`` leaves in ``answer``: the carrier of the win, and the best move or -1."""

WIDTH = 4
"""Of the moves that may win, 1 + a quarter are looked at at a time."""

SLACK = 4
"""A move is searched until another one looks better by a quarter (epsilon = 1/4)."""


def room(size: int) -> tuple[Any, ...]:
    """Room for one search, as (that of H-search, of the circuit, currents, frames, orders).

    ``currents`` (cells,) float64; ``frames`` (plies, 14) int64 and ``orders`` (plies, cells) int8
    are the positions on the way from the root to where the search is.
    """
    cells = size * size
    solver = np.zeros((cells + 2, cells + 2)), np.zeros(cells + 2)
    frames, orders = np.zeros((cells + 2, 14), np.int64), np.zeros((cells + 2, cells), np.int8)
    return connection_room(size), solver, np.zeros(cells), frames, orders


@kernel
def prove(zero, one, player, size, rules, memory, space, answer, counts):  # type: ignore[no-untyped-def]
    """Who wins: 1 the player to move, -1 the other one, 0 if it was stopped before it knew.

    ``zero`` and ``one`` are the stones of player 0 and 1; nobody has won yet. ``rules``, ``memory``
    and ``space`` are from ``board.rules``, ``memory.memory`` and ``room``, ``answer`` (2,) int64.
    """
    frames, orders = space[3], space[4]
    z, o, gone = fill_in(zero, one, all_cells(size) & ~(zero | one), rules)
    enter(frames[0], orders[0], z, o, player, size, rules, memory, space, counts)
    frames[0, LIMIT_PHI], frames[0, LIMIT_DELTA] = INFINITE, INFINITE
    depth = 0
    while depth >= 0:
        frame, order = frames[depth], orders[depth]
        stopped = counts[STOP] != 0 or counts[NODES] >= counts[NODE_LIMIT]
        if not stopped and within_limits(frame):
            scan(frame, order, rules, memory)
        if stopped or not within_limits(frame):
            store(frame, order, memory, counts)
            depth -= 1
        else:
            zero_below, one_below, _ = after(frame, frame[BEST], rules)
            depth += 1
            child, mover = frames[depth], 2 - frame[PLAYER]
            below = orders[depth]
            enter(child, below, zero_below, one_below, mover, size, rules, memory, space, counts)
            child[LIMIT_PHI], child[LIMIT_DELTA] = frame[CHILD_PHI], frame[CHILD_DELTA]
    root = frames[0]
    value = 1 if root[PHI] == 0 else (-1 if root[DELTA] == 0 else 0)
    filled = z & ~zero & ~gone if (value > 0) == (player == 0) else o & ~one
    best = root[BEST]
    if value < 0 or (value > 0 and best < 0):
        best = known_move(root, orders[0], rules, memory)
    answer[FOUND_CARRIER], answer[FOUND_MOVE] = root[CARRIER] | filled, best
    return value


@kernel
def within_limits(frame):  # type: ignore[no-untyped-def]
    """Whether the search shall stay at this position: undecided, and as good as it seemed."""
    return frame[PHI] < frame[LIMIT_PHI] and frame[DELTA] < frame[LIMIT_DELTA]


@kernel
def after(frame, move, rules):  # type: ignore[no-untyped-def]
    """The stones of both players after ``move``, filled in, and which of these cells were dead."""
    zero, one = int(frame[ZERO]), int(frame[ONE])
    stone = 1 << int(move)
    if frame[PLAYER] == 1:
        zero |= stone
    else:
        one |= stone
    return fill_in(zero, one, int(rules[1][move]), rules)


@kernel
def enter(frame, order, zero, one, player, size, rules, memory, space, counts):  # type: ignore[no-untyped-def]
    """Put a position into ``frame``, with all that the table or else H-search knows of it."""
    states, orders = memory
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
        expand(frame, order, size, rules[1], space)


@kernel
def expand(frame, order, size, near, space):  # type: ignore[no-untyped-def]
    """Decide a new position by H-search, or else find what must be answered and order the moves."""
    connections, solver, current, _, _ = space
    player = frame[PLAYER] - 1
    zero, one = int(frame[ZERO]), int(frame[ONE])
    own, opp = (zero, one) if player == 0 else (one, zero)
    frame[PHI], frame[DELTA] = 1, 1
    order[0] = -1
    found = h_search(own, opp, player, size, THREAT, near, connections)
    if found >= THREAT:
        frame[PHI], frame[DELTA], frame[CARRIER] = 0, INFINITE, smallest(found, size, connections)
        return
    current[:] = 0.0
    add_currents(own, size * size, 1.0, connections, solver, current)
    found = h_search(opp, own, 1 - player, size, JOINED, near, connections)
    if found == JOINED:
        frame[PHI], frame[DELTA], frame[CARRIER] = INFINITE, 0, smallest(found, size, connections)
        return
    add_currents(opp, size * size, 1.0, connections, solver, current)
    frame[MUST], frame[CARRIER] = threats(all_cells(size) & ~(zero | one), size, connections[0])
    if frame[MUST] == 0:
        frame[PHI], frame[DELTA] = INFINITE, 0
    put_in_order(int(frame[MUST]), current, order)


@kernel
def smallest(found, size, connections):  # type: ignore[no-untyped-def]
    """The smallest carrier of the connections of the edges: full ones if JOINED, else semis."""
    cells = size * size
    row = connections[0][cells * (cells + 2) + cells + 1]
    begin, number = (FULL, row[FULLS]) if found == JOINED else (SEMI, row[SEMIS])
    best = int(row[begin])
    for k in range(1, number):
        if count(int(row[begin + k])) < count(best):
            best = int(row[begin + k])
    return best


@kernel
def threats(must, size, pairs):  # type: ignore[no-untyped-def]
    """The moves in the carriers of all threats, and all cells of the threats that leave so few.

    ``pairs`` is of the opponent's H-search. Threats that leave no fewer moves are not counted: the
    fewer cells a refutation needs, the more moves it refutes.
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
def put_in_order(moves, current, order):  # type: ignore[no-untyped-def]
    """Write ``moves`` into ``order``, those with most current first, and -1 at the end."""
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
def scan(frame, order, rules, memory):  # type: ignore[no-untyped-def]
    """Find the proof numbers of the position in ``frame`` and the move to try next.

    A move found lost takes all moves with it that are not in the carrier of its refutation.
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
            zero, one, gone = after(frame, move, rules)
            child_phi, child_delta, carrier = look_up(zero, one, frame[PLAYER], memory)
            if child_delta == 0:
                carrier |= filled(frame, zero, one, gone, frame[PLAYER] == 1)
                frame[PHI], frame[DELTA], frame[CARRIER] = 0, INFINITE, carrier
                frame[BEST] = move
                return
            if child_phi == 0:
                carrier |= filled(frame, zero, one, gone, frame[PLAYER] == 2)
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
def known_move(frame, order, rules, memory):  # type: ignore[no-untyped-def]
    """The move that wins, or the one whose refutation took most work; -1 if the table has none."""
    states = memory[0]
    best, most = -1, -1
    for i in range(len(order)):
        if order[i] < 0:
            break
        zero, one, _ = after(frame, order[i], rules)
        at = find(zero, one, 2 - frame[PLAYER], states)
        same = at >= 0 and states[at, PHI] == frame[DELTA] and states[at, DELTA] == frame[PHI]
        if same and states[at, WORK] > most:
            best, most = order[i], states[at, WORK]
    return best


@kernel
def look_up(zero, one, opponent, memory):  # type: ignore[no-untyped-def]
    """(phi, delta, carrier) of a position with the player numbered ``opponent`` to move."""
    states = memory[0]
    at = find(zero, one, 2 - opponent, states)
    if at < 0:
        return 1, 1, 0
    return states[at, PHI], states[at, DELTA], states[at, CARRIER]


@kernel
def filled(frame, zero, one, gone, of_zero):  # type: ignore[no-untyped-def]
    """The cells a move has filled for player 0 (else player 1), its own among them, but no dead."""
    if of_zero:
        return zero & ~frame[ZERO] & ~gone
    return one & ~frame[ONE]


@kernel
def store(frame, order, memory, counts):  # type: ignore[no-untyped-def]
    """Keep what is known of the position in ``frame``."""
    states, orders = memory
    frame[WORK] += counts[LEAVES] - frame[BEGAN]
    at = place(frame[ZERO], frame[ONE], frame[PLAYER] - 1, states)
    states[at] = frame[: WORK + 1]
    orders[at] = order
