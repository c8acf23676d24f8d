"""Finds virtual connections, which a player can join by force, by H-search up to 8 x 8.

Two points (empty cells, groups of own stones, own edges) are *fully* connected if the player can
join them although the opponent moves first, *semi*-connected if the player can when moving first.
The cells needed for it are the connection's carrier. Larger ones follow from two rules:

- *and*: connections x-m and m-y with disjoint carriers make a full connection x-y if m is an own
  group, and a semi-connection, which begins with a stone on m, if m is empty;
- *or*: semi-connections of the same two points whose carriers have no cell in common make a full
  one, whose carrier is their union: wherever the opponent moves, one of them is left.

A full connection of a player's two edges is a won game, with either to move. Every semi-connection
of the opponent's edges is a threat, and a move outside its carrier loses to it: the intersection of
all those carriers is the *must-play* region::

    must_play(position)              # the cells that do not lose at once
    winner_by_connections(position)  # 0, 1, or None if it is not known

Kernels that need this for many positions call ``h_search`` with ``connections_of`` their own.
Cells are numbered row by row without a gap, and sets of cells are words of 64 bits. Beside the
board there are stones: of player 0 above and below it, of player 1 at its sides.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
R. Hayward et al., Solving 7x7 Hex with domination, fill-in, and virtual connections, Theoretical
Computer Science 349 (2005).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex, Position
from adv_envs.bits import count, lowest
from adv_envs.jit import disabled, inlined, kernel
from adv_envs.position import checked
from agents.agent import require_game

from .inferior_cells import BoardTables, dead_patterns, neighbour_table

NONE_FOUND, SEMI_CONNECTED, CONNECTED = range(3)
"""What is known of a player's edges: no connection, a semi-connection, a full connection."""


# ---- of a position


def winner_by_connections(position: Hex) -> int | None:
    """Returns the player whose edges are virtually connected; None if none is known.

    For the player to move a semi-connection is enough. Sound, not complete: a player who is
    returned wins. ValueError as ``require_board``.
    """
    position = checked(position)
    if position.is_terminal():
        return 1 - position.to_move
    for player, enough in ((position.to_move, SEMI_CONNECTED), (1 - position.to_move, CONNECTED)):
        if edge_connections(position, player, enough)[0] >= enough:
            return player
    return None


def must_play(position: Hex) -> list[int]:
    """Returns the empty cells that may save the player to move: every other move loses.

    None of them if all moves lose; all empty cells of an unfinished game in which the opponent has
    no threat. ValueError as ``require_board``.
    """
    position = checked(position)
    if position.is_terminal():
        return []
    found, carriers = edge_connections(position, 1 - position.to_move, CONNECTED)
    if found == CONNECTED:
        return []
    zero, one = stones_of(position)
    cells = [cell for cell in range(position.size**2) if not (zero | one) >> cell & 1]
    return [cell for cell in cells if all(carrier >> cell & 1 for carrier in carriers)]


def edge_connections(position: Hex, player: int, enough: int = CONNECTED) -> tuple[int, list[int]]:
    """Returns what H-search finds for the edges of ``player`` in an unfinished game.

    First NONE_FOUND, SEMI_CONNECTED or CONNECTED, where the search ends as soon as it reaches
    ``enough``; then the carriers of the semi-connections, as sets of cells.
    """
    require_board(position, "h_search")
    connections, stones = connections_of(position.size), stones_of(position)
    found = h_search(stones[player], stones[1 - player], player, enough, connections)
    if found == NONE_FOUND:
        return NONE_FOUND, []
    row = connections.pairs[pair_of(position.size**2, position.size**2 + 1, connections)]
    return found, [int(carrier) for carrier in row[SEMI : SEMI + row[SEMIS]]]


# ---- cells and boards

LARGEST = 8
"""The largest board whose cells fit a word of 64 bits."""


@cache
def board_tables(size: int) -> BoardTables:
    """Returns what kernels need to know of a board of up to 8 x 8."""
    neighbours = neighbour_table(size)
    sets = (sum(1 << cell for cell in row if cell >= 0) for row in neighbours.tolist())
    neighbour_sets = np.array([signed(cells) for cells in sets])
    return BoardTables(neighbours, neighbour_sets, *dead_patterns())


def require_board(position: Position, who: str) -> Hex:
    """Returns the position if it is one of Hex on a board of up to 8 x 8.

    ValueError for other games, larger boards and impossible positions; ``who`` begins the message.
    """
    position = require_game(position, Hex, who, "solves")
    largest = LARGEST - 1 if disabled() else LARGEST  # Python's integers have no 64th bit
    if position.size > largest:
        raise ValueError(
            f"{who} takes boards up to {largest} x {largest}, not size={position.size}: "
            "search larger ones with mcts or alpha_beta"
        )
    return position


def stones_of(position: Any) -> tuple[int, int]:
    """Returns the stones of player 0 and of player 1, as sets of cells, numbered as actions are."""
    bits = [position.entry(action) for action in range(position.num_stone_actions)]
    zero, one = (
        signed(sum((stones >> bit & 1) << cell for cell, bit in enumerate(bits)))
        for stones in (position.stones(0), position.stones(1))
    )
    return zero, one


def signed(word: int) -> int:
    """Returns the signed word of 64 bits with the same bits as a set of up to 64 cells."""
    return word - (1 << 64) if word >> 63 else word


def cells_of(word: int) -> list[int]:
    """Returns the cells of a set in increasing order; each is also the action of playing there."""
    return [cell for cell in range(64) if word >> cell & 1]


@kernel
def all_cells(number: int) -> int:
    """Returns the set of all cells of a board that has ``number`` of them."""
    return -1 if number == 64 else (1 << number) - 1


# ---- H-search

FULLS, DONE, SEMIS, QUEUED = range(4)
"""Columns of ``pairs``: the number of full connections, the set of those that were combined with
others, the number of semi-connections, and whether the pair is in the queue."""

MAX_FULLS, MAX_SEMIS = 12, 24
"""Connections that are kept of each pair of points: those with the smallest carriers."""

FULL = 4
SEMI = FULL + MAX_FULLS
"""The columns in which their carriers begin."""

HEAD, LENGTH, ITEMS = range(3)
"""The queue: where it begins, how many pairs it holds, and then a ring of pairs."""

Indices = NDArray[np.int64]


class Connections(NamedTuple):
    """Holds the connections of one H-search.

    Points are the cells, a group being its first one, and then the edges that a player has to join,
    two or three of them: n = cells + edges. What joins all three is kept as the connections of the
    first two, which are of no use by themselves.
    """

    neighbour_sets: Indices
    """(cells,): as in ``BoardTables``."""
    edges: Indices
    """(2, edges): the cells on each edge of player 0 and of player 1, as sets."""
    pairs: Indices
    """(n * n, SEMI + MAX_SEMIS): the connections of x < y in row x * n + y."""
    links: Indices
    """(n, n): the number of points that a point is fully connected to, then these points."""
    queue: Indices
    """(n * n + ITEMS,)."""
    name: Indices
    """(cells,): the point that a stone belongs to."""


def connections_of(size: int) -> Connections:
    """Returns the arrays for H-searches on a board of Hex."""
    row, column = (sum(1 << i * along for i in range(size)) for along in (1, size))
    last = size - 1
    edges = [[row, row << last * size], [column, column << last]]
    return new_connections(
        board_tables(size).neighbour_sets,
        np.array([[signed(cells) for cells in pair] for pair in edges]),
    )


def new_connections(neighbour_sets: Indices, edges: Indices) -> Connections:
    """Returns the arrays for H-searches on a board with these ``Connections`` fields."""
    cells = len(neighbour_sets)
    n = cells + edges.shape[1]
    return Connections(
        neighbour_sets,
        edges,
        np.zeros((n * n, SEMI + MAX_SEMIS), np.int64),
        np.zeros((n, n), np.int64),
        np.zeros(n * n + ITEMS, np.int64),
        np.zeros(cells, np.int64),
    )


@inlined
def pair_of(x: int, y: int, connections: Connections) -> int:
    """Returns the row of the connections of two points."""
    n = connections.links.shape[0]
    return int(x * n + y if x < y else y * n + x)


@kernel
def h_search(own: int, opp: int, player: int, enough: int, connections: Connections) -> int:
    """Returns NONE_FOUND, SEMI_CONNECTED or CONNECTED for the edges of ``player``.

    ``own`` are the stones of ``player``. The search ends as soon as the result is at least
    ``enough``; afterwards all ``connections`` are there.
    """
    pairs, links, queue = connections.pairs, connections.links, connections.queue
    cells, n = connections.name.shape[0], links.shape[0]
    links[:, 0] = 0
    pairs[:, :FULL] = 0
    queue[HEAD], queue[LENGTH] = 0, 0
    connect_adjacent(own, opp, player, connections)
    goal = cells * n + cells + 1
    while queue[LENGTH] != 0:
        p = int(queue[ITEMS + queue[HEAD]])
        queue[HEAD] = (queue[HEAD] + 1) % (n * n)
        queue[LENGTH] -= 1
        pairs[p, QUEUED] = 0
        k = 0
        while k < pairs[p, FULLS]:
            if pairs[p, DONE] >> k & 1 == 0:
                pairs[p, DONE] |= 1 << k
                carrier = int(pairs[p, FULL + k])
                apply_and_rule(p // n, p % n, carrier, own, connections)
                apply_and_rule(p % n, p // n, carrier, own, connections)
            k += 1
        if pairs[goal, FULLS] != 0:
            return CONNECTED
        if enough <= SEMI_CONNECTED and pairs[goal, SEMIS] != 0:
            return SEMI_CONNECTED
    if n - cells == 3:
        join_semis_of_groups(own, connections)
        if pairs[goal, FULLS] != 0:
            return CONNECTED
    return SEMI_CONNECTED if pairs[goal, SEMIS] != 0 else NONE_FOUND


@kernel
def connect_adjacent(own: int, opp: int, player: int, connections: Connections) -> None:
    """Connects all points that are adjacent: full connections with an empty carrier."""
    neighbour_sets, edges = connections.neighbour_sets, connections.edges[player]
    cells = connections.name.shape[0]
    empty = all_cells(cells) & ~(own | opp)
    stones = own
    while stones != 0:
        group, border = group_at(lowest(stones), own, neighbour_sets)
        point = point_of_group(group, edges, connections)
        stones &= ~group
        while group != 0:
            connections.name[lowest(group)] = point
            group &= group - 1
        connect_all(point, border & empty, connections)
    for i in range(len(edges)):
        connect_all(cells + i, int(edges[i]) & empty, connections)
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        connect_all(cell, int(neighbour_sets[cell]) & empty, connections)


@kernel
def point_of_group(group: int, edges: Indices, connections: Connections) -> int:
    """Returns the point of a group; of two edges one, if the group is on it, of three its cell.

    The latter is connected with the edges that the group is on: it may be needed to join others.
    """
    cells, point = connections.name.shape[0], lowest(group)
    if len(edges) == 3:
        for i in range(3):
            if group & edges[i] != 0:
                add_full(point, cells + i, 0, connections)
    elif group & edges[0] != 0:
        point = cells
        if group & edges[1] != 0:
            add_full(cells, cells + 1, 0, connections)
    elif group & edges[1] != 0:
        point = cells + 1
    return point


@kernel
def group_at(cell: int, own: int, neighbour_sets: Indices) -> tuple[int, int]:
    """Returns the stones of ``own`` joined to ``cell``, itself included, and their neighbours."""
    group, border, new = 0, 0, 1 << cell
    while new != 0:
        group |= new
        while new != 0:
            border |= int(neighbour_sets[lowest(new)])
            new &= new - 1
        new = border & own & ~group
    return group, border


@kernel
def connect_all(point: int, adjacent: int, connections: Connections) -> None:
    """Connects ``point`` with every cell of ``adjacent``, with an empty carrier."""
    while adjacent != 0:
        add_full(point, lowest(adjacent), 0, connections)
        adjacent &= adjacent - 1


@kernel
def apply_and_rule(x: int, m: int, carrier: int, own: int, connections: Connections) -> None:
    """Combines the full connection x-m with this carrier with all full connections m-y."""
    cells, pairs, links = connections.name.shape[0], connections.pairs, connections.links
    if m >= cells:
        return  # nothing lies beyond an edge
    stone = own >> m & 1 != 0
    here = 0 if stone else 1 << m
    three = links.shape[0] - cells == 3
    if three and x >= cells:
        join_three(x, m, carrier, stone, connections)
    taken = carrier | (1 << x if x < cells else 0)
    for i in range(1, 1 + links[m, 0]):
        y = int(links[m, i])
        if y == x or (y < cells and carrier >> y & 1 != 0):
            continue
        if three and x >= cells and y >= cells:
            continue  # two of three edges do not win
        q = pair_of(x, y, connections)
        if pairs[q, FULLS] == 1 and pairs[q, FULL] == 0:
            continue  # they are adjacent: nothing is better
        r = pair_of(m, y, connections)
        for j in range(pairs[r, FULLS]):
            other = int(pairs[r, FULL + j])
            if other & taken == 0:
                if stone:
                    add_full(x, y, carrier | other, connections)
                else:
                    add_semi(x, y, carrier | other | here, connections)


@kernel
def join_three(edge: int, m: int, carrier: int, stone: bool, connections: Connections) -> None:
    """Joins three edges at m, to which one is connected with this carrier, fully if m is a stone.

    If m is empty it begins with a stone there. The two other connections are full ones.
    """
    cells, pairs = connections.name.shape[0], connections.pairs
    a = pairs[pair_of(m, cells + (edge - cells + 1) % 3, connections)]
    b = pairs[pair_of(m, cells + (edge - cells + 2) % 3, connections)]
    for i in range(a[FULLS]):
        if carrier & a[FULL + i] != 0:
            continue
        both = carrier | int(a[FULL + i])
        for j in range(b[FULLS]):
            if both & b[FULL + j] == 0:
                if stone:
                    add_full(cells, cells + 1, both | int(b[FULL + j]), connections)
                else:
                    add_semi(cells, cells + 1, both | int(b[FULL + j]) | 1 << m, connections)


@kernel
def join_semis_of_groups(own: int, connections: Connections) -> None:
    """Joins three edges at groups, to which one of them is semi-connected."""
    cells, name, pairs = connections.name.shape[0], connections.name, connections.pairs
    while own != 0:
        m = lowest(own)
        own &= own - 1
        for i in range(3 if name[m] == m else 0):
            c = pairs[pair_of(m, cells + i, connections)]
            a = pairs[pair_of(m, cells + (i + 1) % 3, connections)]
            b = pairs[pair_of(m, cells + (i + 2) % 3, connections)]
            for j in range(a[FULLS]):
                for k in range(b[FULLS] if c[SEMIS] != 0 else 0):
                    if a[FULL + j] & b[FULL + k] == 0:
                        add_semis(c, int(a[FULL + j] | b[FULL + k]), connections)


@kernel
def add_semis(row: Indices, carrier: int, connections: Connections) -> None:
    """Joins three edges by those semi-connections of ``row`` that ``carrier`` does not meet."""
    cells = connections.name.shape[0]
    for k in range(row[SEMIS]):
        if carrier & row[SEMI + k] == 0:
            add_semi(cells, cells + 1, carrier | int(row[SEMI + k]), connections)


@kernel
def add_full(x: int, y: int, carrier: int, connections: Connections) -> None:
    """Adds a full connection, unless one is known whose carrier is a subset."""
    links, queue = connections.links, connections.queue
    p = pair_of(x, y, connections)
    row = connections.pairs[p]
    before = row[FULLS]
    for k in range(before):
        if row[FULL + k] & ~carrier == 0:
            return
    kept, done, largest, most = 0, 0, -1, count(carrier)
    for k in range(before):
        old = int(row[FULL + k])
        if carrier & ~old != 0:
            row[FULL + kept] = old
            done |= (int(row[DONE]) >> k & 1) << kept
            if count(old) > most:
                largest, most = kept, count(old)
            kept += 1
    if kept < MAX_FULLS:
        largest = kept
        kept += 1
    if largest >= 0:
        row[FULL + largest] = carrier
        done &= ~(1 << largest)
    row[FULLS], row[DONE] = kept, done
    if before == 0:
        for a, b in ((x, y), (y, x)):
            links[a, 0] += 1
            links[a, links[a, 0]] = b
    if largest >= 0 and row[QUEUED] == 0:
        row[QUEUED] = 1
        queue[ITEMS + (queue[HEAD] + queue[LENGTH]) % connections.pairs.shape[0]] = p
        queue[LENGTH] += 1


@kernel
def add_semi(x: int, y: int, carrier: int, connections: Connections) -> None:
    """Adds a semi-connection, unless a better one is known, and applies the or-rule to it."""
    row = connections.pairs[pair_of(x, y, connections)]
    for k in range(row[FULLS]):
        if row[FULL + k] & ~carrier == 0:
            return
    for k in range(row[SEMIS]):
        if row[SEMI + k] & ~carrier == 0:
            return
    kept, common, largest, most = 0, carrier, -1, count(carrier)
    for k in range(row[SEMIS]):
        old = int(row[SEMI + k])
        if carrier & ~old != 0:
            row[SEMI + kept] = old
            common &= old
            if count(old) > most:
                largest, most = kept, count(old)
            kept += 1
    if kept == MAX_SEMIS and largest >= 0:
        kept -= 1
        row[SEMI + largest] = row[SEMI + kept]
    if kept < MAX_SEMIS:
        row[SEMI + kept] = carrier
        row[SEMIS] = kept + 1
        if common == 0:
            apply_or_rule(x, y, carrier, kept, connections)
    else:
        row[SEMIS] = kept


@kernel
def apply_or_rule(x: int, y: int, carrier: int, number: int, connections: Connections) -> None:
    """Combines ``carrier`` with up to three of the first ``number`` semi-connections of x-y.

    None of the combined ones may be superfluous, as a smaller combination then does the same.
    """
    row = connections.pairs[pair_of(x, y, connections)]
    for i in range(number):
        a = row[SEMI + i]
        if carrier & a == 0:
            add_full(x, y, carrier | a, connections)
            continue
        for j in range(i):
            b = row[SEMI + j]
            if carrier & b == 0:
                continue
            if carrier & a & b == 0:
                if a & b != 0:
                    add_full(x, y, carrier | a | b, connections)
                continue
            for k in range(j):
                c = row[SEMI + k]
                if carrier & a & b & c == 0 and carrier & a & c != 0 and carrier & b & c != 0:
                    add_full(x, y, carrier | a | b | c, connections)
