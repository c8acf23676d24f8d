"""Playouts for Hex, and the moves that win at once.

A random game of Hex goes on, for the result, until the board is full: somebody has won by then and
nobody can win after. So a playout deals the empty cells out to the players in any order, as many to
each as they would get, and looks who has joined their edges. And only the cells are dealt that must
be looked at: those along the border between the stones of player 0 that are joined to the top and
those of player 1 that are joined to the left. It is walked from the corner where both edges meet to
the bottom (player 0 has won) or to the right (player 1 has)::

      0 0 0 0        the border begins between 0 and 1 at the top left, and goes on
     1 0 1 . .       between the two cells on either side of it; the third cell, in
      1 0 1 . .      front of both, says on which side to pass
       1 0 0 . .
"""

from __future__ import annotations

from adv_envs.bits import count, lowest, num_words, pack
from adv_envs.jit import kernel
from adv_envs.random import advanced, below
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP

from .distance import board, first_edge, last_edge

EMPTY, MINE, WORDS = SCRATCH, SCRATCH + 1, SCRATCH + 2
"""In the room: how many cells are left to deal, how many of them to the player to move; the words
of the position, and after them what was dealt."""

ROW_STEP = 1, 1, 0, -1, -1, 0
COLUMN_STEP = -1, 0, 1, 1, 0, -1
"""The neighbours of a cell, around it; each is a neighbour of the one before and the one after."""


@kernel
def dealt(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """Random moves to the end: whose the cells are is drawn as the border between both is walked.

    Nine times as fast on 11x11 as making the moves. With RAVE all other cells are dealt too. The
    pie rule is not used in playouts.
    """
    size = position.size
    pack(position, room[WORDS:])
    empty = size * size - count(position.own | position.opp)
    room[EMPTY], room[MINE] = empty, empty - empty // 2  # who is to move begins
    row, column, facing = -1, 0, 0  # of a cell of player 0, and where from it is one of player 1
    while True:
        facing += 1 if facing < 5 else -5
        r, c = row + ROW_STEP[facing], column + COLUMN_STEP[facing]
        if size in (r, c):
            break
        owner = 0 if r < 0 else 1
        if r >= 0 and c >= 0:
            owner = owner_of(position, r, c, seen, room)
        if owner == 0:
            row, column = r, c
            facing += 4 if facing < 2 else -2
    worth[0] = 1.0 if r == size else -1.0
    worth[1] = -worth[0]
    if AMAF:
        for r in range(size):
            for c in range(size):
                owner_of(position, r, c, seen, room)


@kernel
def owner_of(position, row, column, seen, room):  # type: ignore[no-untyped-def]
    """Whose the cell is; an empty one is dealt, once in a playout."""
    cell, mover, stamp = row * (position.size + 1) + column, position.to_move, room[STAMP]
    at = WORDS + num_words(position) + cell  # 2 * stamp + owner, if it was dealt
    if room[at] >> 1 == stamp:
        return int(room[at]) & 1
    word, bit = WORDS + (cell >> 6), cell & 63
    if room[word] >> bit & 1 != 0:
        return mover
    if room[word + (position.board_bits + 63) // 64] >> bit & 1 != 0:
        return 1 - mover
    room[RANDOM] = advanced(int(room[RANDOM]))
    owner = 1 - mover
    if below(int(room[RANDOM]), room[EMPTY]) < room[MINE]:
        owner = mover
        room[MINE] -= 1
    room[EMPTY] -= 1
    room[at] = 2 * stamp + owner
    if AMAF:
        seen[owner, cell - row] = stamp
    return owner


@kernel
def winning(position):  # type: ignore[no-untyped-def]
    """An action that joins the edges of the player to move; -1: there is none."""
    size, own = position.size, position.own
    if count(own) < size - 1:
        return -1
    mover = position.to_move
    empty = board(position) & ~(own | position.opp)
    cells = (position.neighbours(position.own_joined) | first_edge(position, mover)) & empty
    edge = last_edge(position, mover)
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
def bridged(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """Random moves until the board is full, but a bridge that the last stone broke is mended.

    Two stones, or a stone and an edge, with two empty cells between them that touch both form a
    bridge: if the opponent takes one of the cells, take the other. Source: the save-bridge pattern
    of MoHex (Arneson, Hayward and Henderson, Monte Carlo Tree Search in Hex, 2010). Five times as
    slow as ``dealt`` and, with RAVE at equal time, much stronger: 34 of 40 games on 9x9.
    """
    size, side, mover = position.size, position.size + 2, position.to_move
    state = int(room[RANDOM])
    cells = SCRATCH + num_words(position)  # room[cells + i]: the owner of padded cell i; 2: empty
    todo = cells + side * side  # the empty cells, in any order
    names = todo + size * size  # and the action of each
    number = spread_out(position, cells, todo, names, room)
    last, left = -1, number  # cells not drawn; some of them may have been filled by a reply
    for _ in range(number):
        cell = -1
        if last >= 0:
            cell = broken(last, side, mover, cells, room)
        while cell < 0:
            state = advanced(state)
            at = todo + below(state, left)
            left -= 1
            drawn, room[at] = room[at], room[todo + left]
            room[todo + left] = drawn
            if room[cells + drawn] == 2:
                cell = int(drawn)
        room[cells + cell] = mover
        last, mover = cell, 1 - mover
    room[RANDOM] = state
    if AMAF:
        for i in range(number):
            cell = room[todo + i]
            seen[room[cells + cell], room[names + cell]] = room[STAMP]
    row, facing = 1, 0  # of the padded cell, at first the one above and right of the corner
    at = 1
    while True:  # the walk of ``dealt``
        facing += 1 if facing < 5 else -5
        front = at + ROW_STEP[facing] * side + COLUMN_STEP[facing]
        row = front // side
        if row > size or front - row * side > size:
            break
        if room[cells + front] == 0:
            at = front
            facing += 4 if facing < 2 else -2
    worth[0] = 1.0 if row > size else -1.0
    worth[1] = -worth[0]


@kernel
def spread_out(position, cells, todo, names, room):  # type: ignore[no-untyped-def]
    """Write the board, with its edges as stones around it, and the list; how many are empty?"""
    size, side, mover = position.size, position.size + 2, position.to_move
    words = (position.board_bits + 63) // 64
    pack(position, room[SCRATCH:])
    left = 0
    for i in range(side):
        room[cells + i] = room[cells + side * (side - 1) + i] = 0  # top, bottom
    for row in range(1, size + 1):
        room[cells + row * side] = room[cells + row * side + side - 1] = 1  # left, right
        for column in range(1, size + 1):
            bit = (row - 1) * (size + 1) + column - 1
            word, by, cell = SCRATCH + (bit >> 6), bit & 63, row * side + column
            own, opp = room[word] >> by & 1, room[word + words] >> by & 1
            room[cells + cell] = mover if own else 1 - mover if opp else 2
            room[todo + left] = cell
            room[names + cell] = bit - row + 1
            left += 1 - own - opp
    return left


@kernel
def broken(last, side, mover, cells, room):  # type: ignore[no-untyped-def]
    """The cell that mends a bridge of ``mover`` that the stone on ``last`` broke; -1: none did.

    An empty neighbour of ``last`` between two stones of ``mover``: sought on all six at once,
    without a branch that nobody could foresee.
    """
    mine = empty = 0
    for i in range(6):
        owner = int(room[cells + last + ROW_STEP[i] * side + COLUMN_STEP[i]])
        mine |= (owner == mover) << i
        empty |= (owner >> 1) << i
    found = empty & (mine << 1 | mine >> 5) & (mine >> 1 | mine << 5)
    if found == 0:
        return -1
    i = lowest(found)
    return last + ROW_STEP[i] * side + COLUMN_STEP[i]
