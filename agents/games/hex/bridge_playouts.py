"""Plays out Hex, plainly or mending bridges, and finds the moves that win at once.

The winner of a random game of Hex is that of the full board, as a finished game stays won. So a
playout deals the empty cells to the players in random order, to each as many as they would play,
and determines who has joined their edges. Only the cells are dealt that are needed for this: those
along the border between the stones of player 0 that are joined to the top and those of player 1
that are joined to the left. The border is followed from the corner where both edges meet to the
bottom (player 0 has won) or to the right (player 1 has won)::

      0 0 0 0        the border begins between 0 and 1 at the top left, and runs
     1 0 1 . .       between the two cells on either side of it; the third cell, in
      1 0 1 . .      front of both, decides on which side it passes
       1 0 0 . .

The arguments of a playout are those of ``agents.mcts.playouts``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest, num_words, pack
from adv_envs.games.hex import Hex
from adv_envs.jit import kernel
from adv_envs.random import advanced, below
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP, Workspace

from .evaluations import board, first_edge, last_edge

Indices = NDArray[np.int64]
Reals = NDArray[np.float64]

EMPTY, OWN, WORDS = SCRATCH, SCRATCH + 1, SCRATCH + 2
"""Indices into the workspace: the number of cells left to deal, how many of them to the player to
move; the words of the position, and after them the cells that were dealt."""

ROW_STEP = 1, 1, 0, -1, -1, 0
COLUMN_STEP = -1, 0, 1, 1, 0, -1
"""The steps to the neighbours of a cell, in a circle: each touches the next."""


@kernel
def dealt(position: Hex, utilities: Reals, seen: Indices, workspace: Indices) -> None:
    """Plays random moves to the end: the owners of cells are drawn as the border is followed.

    Nine times as fast on 11x11 as making the moves. With RAVE all other cells are dealt too. The
    pie rule is not used in playouts. ``utilities`` (2,) is written; ``seen`` (2, actions) if AMAF
    is bound.
    """
    size = position.size
    pack(position, workspace[WORDS:])
    empty = size * size - count(position.own | position.opp)
    workspace[EMPTY], workspace[OWN] = empty, empty - empty // 2  # the player to move begins
    row, column, facing = -1, 0, 0  # of a cell of player 0; a cell of player 1 lies that way
    while True:
        facing += 1 if facing < 5 else -5
        r, c = row + ROW_STEP[facing], column + COLUMN_STEP[facing]
        if size in (r, c):
            break
        owner = 0 if r < 0 else 1
        if r >= 0 and c >= 0:
            owner = owner_of(position, r, c, seen, workspace)
        if owner == 0:
            row, column = r, c
            facing += 4 if facing < 2 else -2
    utilities[0] = 1.0 if r == size else -1.0
    utilities[1] = -utilities[0]
    if AMAF:
        for r in range(size):
            for c in range(size):
                owner_of(position, r, c, seen, workspace)


@kernel
def owner_of(position: Hex, row: int, column: int, seen: Indices, workspace: Indices) -> int:
    """Returns the owner of a cell; an empty one is dealt, once in a playout."""
    stamp = workspace[STAMP]
    cell, player = row * (position.size + 1) + column, position.to_move
    at = WORDS + num_words(position) + cell  # 2 * stamp + owner, if it was dealt
    if workspace[at] >> 1 == stamp:
        return int(workspace[at]) & 1
    word, bit = WORDS + (cell >> 6), cell & 63
    if workspace[word] >> bit & 1 != 0:
        return player
    if workspace[word + (position.board_bits + 63) // 64] >> bit & 1 != 0:
        return 1 - player
    workspace[RANDOM] = advanced(int(workspace[RANDOM]))
    owner = 1 - player
    if below(int(workspace[RANDOM]), workspace[EMPTY]) < workspace[OWN]:
        owner = player
        workspace[OWN] -= 1
    workspace[EMPTY] -= 1
    workspace[at] = 2 * stamp + owner
    if AMAF:
        seen[owner, cell - row] = stamp
    return owner


@kernel
def winning_cell(position: Hex, workspace: Workspace) -> int:
    """Returns an action that joins the edges of the player to move; -1 if there is none."""
    size, own = position.size, position.own
    if count(own) < size - 1:
        return -1
    player = position.to_move
    empty = board(position) & ~(own | position.opp)
    cells = (position.neighbours(position.own_joined) | first_edge(position, player)) & empty
    edge = last_edge(position, player)
    grown = edge & own
    joined = grown
    while grown != 0:
        grown = position.neighbours(grown) & own & ~joined
        joined |= grown
    cells &= position.neighbours(joined) | edge
    if cells == 0:
        return -1
    cell = lowest(cells)
    return cell - cell // (size + 1)


# ---- with replies


@kernel
def bridged(position: Hex, utilities: Reals, seen: Indices, workspace: Indices) -> None:
    """Plays random moves until the board is full, except that broken bridges are mended at once.

    Two stones, or a stone and an edge, with two empty cells between them that touch both form a
    bridge: if the opponent takes one of the cells, the player takes the other. Source:
    the save-bridge pattern of MoHex (Arneson, Hayward and Henderson, Monte Carlo Tree Search in
    Hex, 2010). Five times as slow as ``dealt`` and, with RAVE at equal time, much stronger: 34 of
    40 games on 9x9. Arguments as ``dealt``.
    """
    size, side, player = position.size, position.size + 2, position.to_move
    state = int(workspace[RANDOM])
    cells = SCRATCH + num_words(position)  # where the owners of padded cells are; 2: empty
    undrawn = cells + side * side  # where the list of empty cells is
    actions = undrawn + size * size  # and the action of each
    number = unpack_board(position, cells, undrawn, actions, workspace)
    last, left = -1, number  # cells not drawn; some of them may have been filled by a reply
    for _ in range(number):
        cell = -1
        if last >= 0:
            cell = broken_bridge(last, side, player, cells, workspace)
        while cell < 0:
            state = advanced(state)
            at = undrawn + below(state, left)
            left -= 1
            drawn, workspace[at] = workspace[at], workspace[undrawn + left]
            workspace[undrawn + left] = drawn
            if workspace[cells + drawn] == 2:
                cell = int(drawn)
        workspace[cells + cell] = player
        last, player = cell, 1 - player
    workspace[RANDOM] = state
    if AMAF:
        for i in range(number):
            cell = workspace[undrawn + i]
            seen[workspace[cells + cell], workspace[actions + cell]] = workspace[STAMP]
    row, facing = 1, 0  # of the padded cell, at first the one above and right of the corner
    at = 1
    while True:  # follow the border, as ``dealt``
        facing += 1 if facing < 5 else -5
        front = at + ROW_STEP[facing] * side + COLUMN_STEP[facing]
        row = front // side
        if row > size or front - row * side > size:
            break
        if workspace[cells + front] == 0:
            at = front
            facing += 4 if facing < 2 else -2
    utilities[0] = 1.0 if row > size else -1.0
    utilities[1] = -utilities[0]


@kernel
def unpack_board(position: Hex, cells: int, undrawn: int, actions: int, workspace: Indices) -> int:
    """Writes the board with its edges as stones around it, and the list of empty cells.

    Returns how many cells are empty. ``cells``, ``undrawn`` and ``actions`` are indices into
    ``workspace``, see ``bridged``.
    """
    size, side, player = position.size, position.size + 2, position.to_move
    words = (position.board_bits + 63) // 64
    pack(position, workspace[SCRATCH:])
    left = 0
    for i in range(side):
        workspace[cells + i] = workspace[cells + side * (side - 1) + i] = 0  # top, bottom
    for row in range(1, size + 1):
        begin = cells + row * side
        workspace[begin] = workspace[begin + side - 1] = 1  # left, right
        for column in range(1, size + 1):
            bit = (row - 1) * (size + 1) + column - 1
            word, by, cell = SCRATCH + (bit >> 6), bit & 63, row * side + column
            own, opp = workspace[word] >> by & 1, workspace[word + words] >> by & 1
            workspace[cells + cell] = player if own else 1 - player if opp else 2
            workspace[undrawn + left] = cell
            workspace[actions + cell] = bit - row + 1
            left += 1 - own - opp
    return left


@kernel
def broken_bridge(last: int, side: int, player: int, cells: int, workspace: Indices) -> int:
    """Returns the cell that mends a bridge of ``player`` broken by the stone on ``last``, or -1.

    It is an empty neighbour of ``last`` between two stones of ``player``. All six are tested at
    once, without unpredictable branches.
    """
    own = empty = 0
    for i in range(6):
        owner = int(workspace[cells + last + ROW_STEP[i] * side + COLUMN_STEP[i]])
        own |= (owner == player) << i
        empty |= (owner >> 1) << i
    found = empty & (own << 1 | own >> 5) & (own >> 1 | own << 5)
    if found == 0:
        return -1
    i = lowest(found)
    return last + ROW_STEP[i] * side + COLUMN_STEP[i]
