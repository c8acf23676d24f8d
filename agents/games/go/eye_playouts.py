"""Playouts of Go that fill no eyes: random moves until both players can only fill their own.

An eye is an empty cell all of whose neighbours are own stones, with at most one of its diagonal
cells, at the edge none, in the hands of the opponent. Without this rule random games do not end,
and living groups die. A move may not take back a single stone at once; longer cycles end with the
playout, after three plies for each cell. Sources: B. Bruegmann, Monte Carlo Go, 1993; S. Gelly et
al., Modification of UCT with Patterns in Monte-Carlo Go, 2006.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest, single
from adv_envs.games.go import Go, captured, enclosed, neighbours, reached
from adv_envs.jit import inlined, kernel
from adv_envs.random import advanced, below
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP

Numbers = NDArray[np.int64]

ATARI = True
"""Whether a stone is answered that can be captured, or that threatens to capture."""


@kernel
def sparing_eyes(
    position: Go, values: NDArray[np.float64], played: Numbers, workspace: Numbers
) -> None:
    """Plays random moves, each one as likely as the others that fill no own eye.

    The empty cells are listed in the workspace behind SCRATCH.
    """
    own, opp, free, stride = position.own, position.opp, position.free, position.size + 1
    banned, last, to_move, passes = own & 0, own & 0, position.to_move, position.passes
    number, plies = added(free, 0, workspace), 3 * position.num_actions
    while passes < 2 and plies > 0:
        urgent = answer(own, opp, free, last, stride) & ~banned if ATARI else banned & 0
        if urgent != 0:
            cell = lowest(urgent)
            taken = captured(urgent, opp, free ^ urgent, stride)
            take_out(cell, number, workspace)
        else:
            cell, taken = drawn(own, opp, free, banned, stride, number, workspace)
        last = own & 0
        if cell >= 0:
            stone = single(cell, own)
            last = stone
            own, opp, free = own | stone, opp ^ taken, free ^ stone | taken
            banned = taken if is_ko(stone, taken, own | free, stride) else taken & 0
            number, passes = added(taken, number - 1, workspace), -1
        if AMAF:
            action = cell - cell // stride if cell >= 0 else position.num_stone_actions
            played[to_move, action] = workspace[STAMP]
        own, opp, to_move, passes, plies = opp, own, 1 - to_move, passes + 1, plies - 1
    lead = count(reached(own, free, stride) & ~reached(opp, free, stride))
    lead -= count(reached(opp, free, stride) & ~reached(own, free, stride))
    points = (lead if to_move == 0 else -lead) - position.komi
    values[0] = 1.0 if points > 0 else -1.0 if points < 0 else 0.0
    values[1] = 0.0 - values[0]


@inlined
def answer(own: int, opp: int, free: int, last: int, stride: int) -> int:
    """Returns the cell that answers the ``last`` stone of the opponent; the empty set for none.

    It captures the group of that stone, if that has one liberty; or it saves an own group beside
    it with one liberty, which by this move has two.
    """
    liberty = last_liberty(last, opp, free, stride)
    if liberty != 0:
        return liberty
    left = neighbours(last, stride) & own
    while left != 0:
        stone = single(lowest(left), own)
        left &= ~stone
        liberty = last_liberty(stone, own, free, stride)
        if liberty != 0:
            saved = reached(liberty, own | liberty, stride)
            if count(neighbours(saved, stride) & free & ~liberty) >= 2:
                return liberty
    return last & 0


def last_liberty(stone: int, stones: int, free: int, stride: int) -> int:
    """Returns the liberty of the group of ``stones`` with this one if it has one, else nothing."""
    group = stone
    while True:
        beside = neighbours(group, stride)
        liberties = beside & free
        if count(liberties) > 1:
            return stone & 0
        grown = group | beside & stones
        if grown == group:
            return liberties
        group = grown


@inlined
def take_out(cell: int, number: int, workspace: Numbers) -> None:
    """Takes a cell out of the list of ``number`` cells."""
    at = SCRATCH
    while workspace[at] != cell:
        at += 1
    workspace[at] = workspace[SCRATCH + number - 1]


@inlined
def added(cells: int, number: int, workspace: Numbers) -> int:
    """Lists ``cells`` behind the ``number`` cells in the list; returns how many there are now."""
    while cells != 0:
        workspace[SCRATCH + number] = lowest(cells)
        cells &= cells - 1
        number += 1
    return number


@inlined
def drawn(
    own: int, opp: int, free: int, banned: int, stride: int, number: int, workspace: Numbers
) -> tuple[int, int]:
    """Takes a random cell from the list where a stone may be set, with what that captures.

    Returns -1 for the cell if there is none.
    """
    state, cells, untried = int(workspace[RANDOM]), own | opp | free, number
    chosen, taken = -1, own & 0
    while untried > 0 and chosen < 0:
        state = advanced(state)
        at, untried = SCRATCH + below(state, untried), untried - 1
        cell = int(workspace[at])
        stone, last = single(cell, own), SCRATCH + untried
        workspace[at] = workspace[last]
        workspace[last] = cell
        beside = neighbours(stone, stride) & cells
        if stone & banned == 0 and (beside & ~own != 0 or not is_eye(stone, opp, cells, stride)):
            taken = captured(stone, opp, free ^ stone, stride)
            alive = beside & free != 0 or taken != 0
            if alive or enclosed(stone, own | stone, free ^ stone, stride) == 0:
                chosen = cell
                workspace[last] = workspace[SCRATCH + number - 1]
    workspace[RANDOM] = state
    return chosen, taken


def is_eye(cell: int, opp: int, cells: int, stride: int) -> bool:
    """Returns whether an empty cell, beside which are own stones only, is an eye."""
    sides = cell << 1 | cell >> 1
    corners = sides << stride | sides >> stride
    enemies = count(corners & opp)
    return enemies == 0 or (enemies == 1 and count(corners & cells) == 4)


def is_ko(stone: int, taken: int, not_opp: int, stride: int) -> bool:
    """Returns whether taking back the only stone that was ``taken`` would take this one alone."""
    return count(taken) == 1 and neighbours(stone, stride) & not_opp == taken
