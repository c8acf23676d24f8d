"""Virtual connections: what a player can join by force, found by H-search on boards up to 8 x 8.

Two points (empty cells, groups of own stones, own edges) are *fully* connected if the player can
join them although the opponent moves first, *semi*-connected if the player can when moving first.
The cells needed for it are the connection's carrier. Larger ones follow from two rules:

- *and*: connections x-m and m-y with disjoint carriers make a full connection x-y if m is an own
  group, and a semi-connection, which begins with a stone on m, if m is empty;
- *or*: semi-connections of the same two points whose carriers have no cell in common make a full
  one, whose carrier is their union: wherever the opponent moves, one of them is left.

A full connection of a player's two edges is a won game, whoever is to move. Every semi-connection
of the opponent's edges is a threat, and a move outside its carrier loses to it: the intersection of
all those carriers is the *must-play* region::

    must_play(position)              # the cells that do not lose at once
    winner_by_connections(position)  # 0, 1, or None if it is not known

Kernels that need this for many positions call ``h_search`` with a ``new_workspace`` of their own.
Cells are numbered row by row without a gap, and sets of cells are words of 64 bits. Beside the
board there are stones: of player 0 above and below it, of player 1 at its sides.

V. V. Anshelevich, A hierarchical approach to computer Hex, Artificial Intelligence 134 (2002).
R. Hayward et al., Solving 7x7 Hex with domination, fill-in, and virtual connections, Theoretical
Computer Science 349 (2005).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex, Position
from adv_envs.bits import count, lowest
from adv_envs.jit import disabled, kernel

from .inferior_cells import BoardTables, dead_patterns

NONE_FOUND, SEMI_CONNECTED, CONNECTED = range(3)
"""What is known of a player's edges: no connection, a semi-connection, a full connection."""


# ---- of a position


def winner_by_connections(position: Hex) -> int | None:
    """Returns the player whose edges are virtually connected; None if none is known.

    For the player to move a semi-connection is enough. Sound, not complete: a player who is
    returned wins. TypeError or ValueError as ``require_board``.
    """
    if position.is_terminal():
        return 1 - position.to_move
    for player, enough in (
        (position.to_move, SEMI_CONNECTED),
        (1 - position.to_move, CONNECTED),
    ):
        if edge_connections(position, player, enough)[0] >= enough:
            return player
    return None


def must_play(position: Hex) -> list[int]:
    """Returns the empty cells outside of which every move of the player to move loses.

    None of them if all moves lose; all empty cells of an unfinished game in which the opponent has
    no threat. TypeError or ValueError as ``require_board``.
    """
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
    size, workspace = position.size, new_workspace(position.size)
    stones = stones_of(position)
    neighbour_sets = board_tables(size)[1]
    found = h_search(
        stones[player], stones[1 - player], player, size, enough, neighbour_sets, workspace
    )
    if found == NONE_FOUND:
        return NONE_FOUND, []
    row = workspace[0][size * size * (size * size + 2) + size * size + 1]
    return found, [int(carrier) for carrier in row[SEMI : SEMI + row[SEMIS]]]


# ---- cells and boards

LARGEST = 8
"""The largest board whose cells fit a word of 64 bits."""

RING = (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)
"""(row, column) steps to the six neighbours of a cell in a circle: each touches the next."""


@cache
def board_tables(size: int) -> BoardTables:
    """Returns what kernels need to know of a board: (neighbours, neighbour_sets, dead, killers).

    ``neighbours`` (cells, 6) int64: the neighbours of every cell in the order of RING, -1 and -2
    for stones of player 0 and 1 beside the board; ``neighbour_sets`` (cells,) int64: the same as
    sets; ``dead`` and ``killers`` as ``inferior_cells.dead_patterns``.
    """
    neighbours = np.empty((size * size, 6), np.int64)
    neighbour_sets = np.zeros(size * size, np.int64)
    for cell in range(size * size):
        for i, (down, right) in enumerate(RING):
            row, column = cell // size + down, cell % size + right
            if not 0 <= row < size:
                neighbours[cell, i] = -1
            elif not 0 <= column < size:
                neighbours[cell, i] = -2
            else:
                neighbours[cell, i] = row * size + column
                neighbour_sets[cell] |= signed(1 << row * size + column)
    return neighbours, neighbour_sets, *dead_patterns()


def require_board(position: Position, who: str) -> Hex:
    """Returns the position if it is one of Hex on a board of up to 8 x 8.

    TypeError for other games, ValueError for larger boards; ``who`` begins the message.
    """
    if not isinstance(position, Hex):
        raise TypeError(f"{who} solves Hex, not {type(position).__name__}")
    largest = LARGEST - 1 if disabled() else LARGEST  # Python's integers have no 64th bit
    if position.size > largest:
        raise ValueError(
            f"{who} takes boards up to {largest} x {largest}, not size={position.size}: "
            "search larger ones with mcts or alpha_beta"
        )
    return position


def stones_of(position: Hex) -> tuple[int, int]:
    """Returns the stones of player 0 and of player 1, as sets of cells."""
    zero, one = (_without_gaps(position.size, position.stones(player)) for player in (0, 1))
    return zero, one


def _without_gaps(size: int, stones: int) -> int:
    """Returns the cells of a set in which every row ends with a bit that is always empty."""
    cells = 0
    for row in range(size):
        cells |= (stones >> row * (size + 1) & (1 << size) - 1) << row * size
    return signed(cells)


def signed(word: int) -> int:
    """Returns the signed word of 64 bits with the same bits as a set of up to 64 cells."""
    return word - (1 << 64) if word >> 63 else word


def cells_of(word: int) -> list[int]:
    """Returns the cells of a set in increasing order; each is also the action of playing there."""
    return [cell for cell in range(64) if word >> cell & 1]


@kernel
def all_cells(size: int) -> int:
    """Returns the set of all cells of a board."""
    return -1 if size == 8 else (1 << size * size) - 1


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

Workspace = tuple[Indices, Indices, Indices, Indices]
"""The arrays of one H-search, see ``new_workspace``."""


def new_workspace(size: int) -> Workspace:
    """Returns the arrays for one H-search: (pairs, links, queue, name), all int64.

    Points are the cells, a group being its first one, and then the first and the last edge:
    n = cells + 2. ``pairs`` (n * n, SEMI + MAX_SEMIS): the connections of x < y in row x * n + y;
    ``links`` (n, n): the number of points that a point is fully connected to, then these points;
    ``queue`` (n * n + ITEMS,); ``name`` (cells,): the point that a stone belongs to.
    """
    n = size * size + 2
    return (
        np.zeros((n * n, SEMI + MAX_SEMIS), np.int64),
        np.zeros((n, n), np.int64),
        np.zeros(n * n + ITEMS, np.int64),
        np.zeros(n - 2, np.int64),
    )


@kernel
def h_search(
    own: int,
    opp: int,
    player: int,
    size: int,
    enough: int,
    neighbour_sets: Indices,
    workspace: Workspace,
) -> int:
    """Returns NONE_FOUND, SEMI_CONNECTED or CONNECTED for the edges of ``player``.

    ``own`` are the stones of ``player``. The search ends as soon as the result is at least
    ``enough``. ``neighbour_sets`` (cells,) as in ``board_tables``; ``workspace`` holds all
    connections afterwards.
    """
    pairs, links, queue, _ = workspace
    cells = size * size
    n = cells + 2
    links[:, 0] = 0
    pairs[:, :FULL] = 0
    queue[HEAD], queue[LENGTH] = 0, 0
    connect_adjacent(own, opp, player, size, neighbour_sets, workspace)
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
                apply_and_rule(p // n, p % n, carrier, own, cells, pairs, links, queue)
                apply_and_rule(p % n, p // n, carrier, own, cells, pairs, links, queue)
            k += 1
        if pairs[goal, FULLS] != 0:
            return CONNECTED
        if enough <= SEMI_CONNECTED and pairs[goal, SEMIS] != 0:
            return SEMI_CONNECTED
    return SEMI_CONNECTED if pairs[goal, SEMIS] != 0 else NONE_FOUND


@kernel
def connect_adjacent(
    own: int, opp: int, player: int, size: int, neighbour_sets: Indices, workspace: Workspace
) -> None:
    """Connects all points that are adjacent: full connections with an empty carrier."""
    pairs, links, queue, name = workspace
    cells = size * size
    along, across = (1, size) if player == 0 else (size, 1)
    first = 0
    for i in range(size):
        first |= 1 << i * along
    last = first << (size - 1) * across
    empty = all_cells(size) & ~(own | opp)
    stones = own
    while stones != 0:
        group, border = group_at(lowest(stones), own, neighbour_sets)
        point = lowest(stones)
        if group & first != 0:
            point = cells
            if group & last != 0:
                add_full(cells, cells + 1, 0, cells, pairs, links, queue)
        elif group & last != 0:
            point = cells + 1
        stones &= ~group
        while group != 0:
            name[lowest(group)] = point
            group &= group - 1
        connect_all(point, border & empty, cells, pairs, links, queue)
    connect_all(cells, first & empty, cells, pairs, links, queue)
    connect_all(cells + 1, last & empty, cells, pairs, links, queue)
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        connect_all(cell, int(neighbour_sets[cell]) & empty, cells, pairs, links, queue)


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
def connect_all(
    point: int, adjacent: int, cells: int, pairs: Indices, links: Indices, queue: Indices
) -> None:
    """Connects ``point`` with every cell of ``adjacent``, with an empty carrier."""
    while adjacent != 0:
        add_full(point, lowest(adjacent), 0, cells, pairs, links, queue)
        adjacent &= adjacent - 1


@kernel
def apply_and_rule(
    x: int,
    m: int,
    carrier: int,
    own: int,
    cells: int,
    pairs: Indices,
    links: Indices,
    queue: Indices,
) -> None:
    """Combines the full connection x-m with this carrier with all full connections m-y."""
    if m >= cells:
        return  # nothing lies beyond an edge
    n = cells + 2
    stone = own >> m & 1 != 0
    here = 0 if stone else 1 << m
    taken = carrier | (1 << x if x < cells else 0)
    for i in range(1, 1 + links[m, 0]):
        y = int(links[m, i])
        if y == x or (y < cells and carrier >> y & 1 != 0):
            continue
        q = x * n + y if x < y else y * n + x
        if pairs[q, FULLS] == 1 and pairs[q, FULL] == 0:
            continue  # they are adjacent: nothing is better
        r = m * n + y if m < y else y * n + m
        for j in range(pairs[r, FULLS]):
            other = int(pairs[r, FULL + j])
            if other & taken == 0:
                if stone:
                    add_full(x, y, carrier | other, cells, pairs, links, queue)
                else:
                    add_semi(x, y, carrier | other | here, cells, pairs, links, queue)


@kernel
def add_full(
    x: int, y: int, carrier: int, cells: int, pairs: Indices, links: Indices, queue: Indices
) -> None:
    """Adds a full connection, unless one is known whose carrier is a subset."""
    n = cells + 2
    p = x * n + y if x < y else y * n + x
    row = pairs[p]
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
        queue[ITEMS + (queue[HEAD] + queue[LENGTH]) % (n * n)] = p
        queue[LENGTH] += 1


@kernel
def add_semi(
    x: int, y: int, carrier: int, cells: int, pairs: Indices, links: Indices, queue: Indices
) -> None:
    """Adds a semi-connection, unless a better one is known, and applies the or-rule to it."""
    n = cells + 2
    row = pairs[x * n + y if x < y else y * n + x]
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
            apply_or_rule(x, y, carrier, kept, row, cells, pairs, links, queue)
    else:
        row[SEMIS] = kept


@kernel
def apply_or_rule(
    x: int,
    y: int,
    carrier: int,
    number: int,
    row: Indices,
    cells: int,
    pairs: Indices,
    links: Indices,
    queue: Indices,
) -> None:
    """Combines ``carrier`` with up to three of the first ``number`` semi-connections in ``row``.

    None of the combined ones may be superfluous, as a smaller combination then does the same.
    """
    for i in range(number):
        a = row[SEMI + i]
        if carrier & a == 0:
            add_full(x, y, carrier | a, cells, pairs, links, queue)
            continue
        for j in range(i):
            b = row[SEMI + j]
            if carrier & b == 0:
                continue
            if carrier & a & b == 0:
                if a & b != 0:
                    add_full(x, y, carrier | a | b, cells, pairs, links, queue)
                continue
            for k in range(j):
                c = row[SEMI + k]
                if carrier & a & b & c == 0 and carrier & a & c != 0 and carrier & b & c != 0:
                    add_full(x, y, carrier | a | b | c, cells, pairs, links, queue)
