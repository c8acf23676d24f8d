"""Represents sets of squares in 64 bits, as ``chess.py`` draws them, and lists of its actions.

The eight directions are numbered as their steps grow: 0 is down and to the left, 1 left, 2 up and
to the left, 3 down, 4 up, 5 down and to the right, 6 right, 7 up and to the right. Opposite ones
add up to 7; a line is the smaller number of its two directions: straight lines have odd numbers.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import lowest, resized, single
from adv_envs.position import Wide

ALL = (1 << 64) - 1
RANK_1 = 0x0101010101010101
RANK_3, RANK_8 = RANK_1 << 2, RANK_1 << 7
NOT_1, NOT_8 = ALL ^ RANK_1, ALL ^ RANK_8
NOT_12, NOT_78 = NOT_1 ^ RANK_1 << 1, NOT_8 ^ RANK_8 >> 1
FILE_A = 0xFF
DIAGONAL, ANTIDIAGONAL = 0x8040201008040201, 0x0102040810204080
DARK = 0xAA55AA55AA55AA55
LEFT, UP_LEFT, UP, RIGHT, UP_RIGHT = 1, 2, 4, 6, 7
STEPS = (-9, -8, -7, -1, 1, 7, 8, 9)
"""What a step in each direction adds to the number of a square."""
JUMPS = (-17, -15, -10, -6, 6, 10, 15, 17)
"""What each of the knight's jumps adds."""
JUMP, PROMOTION, PLANES = 56, 64, 73
"""The first planes of jumps and of promotions, and how many there are."""


def step(cells: Wide, direction: int) -> Wide:
    """Returns all ``cells`` one step further, without those that leave the board."""
    by = STEPS[direction]
    moved = cells << by if by > 0 else cells >> -by
    if direction in (LEFT, RIGHT):
        return moved & ALL
    return moved & NOT_1 if direction in (UP_LEFT, UP, UP_RIGHT) else moved & NOT_8


def jump(cells: Wide, i: int) -> Wide:
    """Returns all ``cells`` the i-th of the knight's jumps further."""
    by = JUMPS[i]
    moved = cells << by if by > 0 else cells >> -by
    if i in (0, 6):
        return moved & NOT_8
    if i in (1, 7):
        return moved & NOT_1
    return moved & NOT_78 if i in (2, 4) else moved & NOT_12


def jumps(cells: Wide) -> Wide:
    """Returns where knights on ``cells`` may jump."""
    near, far = cells << 8 | cells >> 8, cells << 16 | cells >> 16
    near, far = near & ALL, far & ALL
    return near << 2 & NOT_12 | far << 1 & NOT_1 | near >> 2 & NOT_78 | far >> 1 & NOT_8


def beside(cell: Wide) -> Wide:
    """Returns the up to eight squares around ``cell``."""
    column = cell | cell << 1 & NOT_1 | cell >> 1 & NOT_8
    return (column << 8 & ALL | column | column >> 8) ^ cell


def ray(cells: Wide, direction: int, occupied: Wide) -> Wide:
    """Returns what riders on ``cells`` reach in ``direction``: empty squares, the first other."""
    reached = front = step(cells, direction)
    while front & ~occupied != 0:
        front = step(front & ~occupied, direction)
        reached |= front
    return reached


def walk(cell: Wide, direction: int, distance: int, occupied: Wide) -> Wide:
    """Returns the square ``distance`` steps from ``cell``, if all between are free; or nothing."""
    for _ in range(distance - 1):
        cell = step(cell, direction) & ~occupied
    return step(cell, direction)


def whole_line(square: int, line: int, like: Wide) -> Wide:
    """Returns all squares of a line through a square, with directions line and 7 - line."""
    column, row, none = square >> 3, square & 7, like & 0
    if line == UP - 1:
        return (none | FILE_A) << 8 * column
    if line == LEFT:
        return (none | RANK_1) << row
    if line == 0:
        full, by = none | DIAGONAL, column - row
    else:
        full, by = none | ANTIDIAGONAL, column + row - 7
    return full << 8 * by & ALL if by > 0 else full >> -8 * by


def mirrored(cells: Wide) -> Wide:
    """Returns the set on the board turned over: ranks in reverse order."""
    cells = cells >> 1 & 0x5555555555555555 | (cells & 0x5555555555555555) << 1
    cells = cells >> 2 & 0x3333333333333333 | (cells & 0x3333333333333333) << 2
    return cells >> 4 & 0x0F0F0F0F0F0F0F0F | (cells & 0x0F0F0F0F0F0F0F0F) << 4


def landing(piece: Wide, plane: int) -> Wide:
    """Returns where a legal move ends."""
    if plane >= PROMOTION:
        by = STEPS[UP_LEFT] + 8 * ((plane - PROMOTION) // 3)
    elif plane >= JUMP:
        by = JUMPS[plane - JUMP]
    else:
        by = STEPS[plane % 8] * (plane // 8 + 1)
    return piece << by if by > 0 else piece >> -by


def write(actions: Any, n: int, targets: Wide, by: int, plane: int) -> int:
    """Writes a move to each target from the square ``by`` before it; returns how many there are."""
    while targets != 0:
        actions[n] = (lowest(targets) - by) * PLANES + plane
        n += 1
        targets &= targets - 1
    return n


def write_promotions(actions: Any, n: int, targets: Wide, direction: int, plane: int) -> int:
    """Writes the moves of pawns by one step; on the last rank, those to other pieces as well."""
    n = write(actions, n, targets, STEPS[direction], direction)
    if targets & RANK_8 != 0:
        for i in range(3):
            n = write(actions, n, targets & RANK_8, STEPS[direction], plane + i)
    return n


def occurrences(
    own: Wide, opp: Wide, diagonal: Wide, straight: Wide, kings: Wide, history: int
) -> int:
    """Counts how often a position has occurred before: takes ``history`` back, latest first.

    ``own`` has just moved.
    """
    found, mine, theirs = 0, own, opp
    bishops, rooks, royals = diagonal, straight, kings
    while history != 0:
        moves = resized(history & (1 << 48) - 1, 0)
        history = history >> 48
        for i in range(4):
            move = moves >> 12 * i & 4095
            if move == 0:
                break
            turn = 7 * (i & 1)
            target = single(move & 63 ^ turn, own)
            both = target | single(move >> 6 ^ turn, own)
            if turn == 0:
                mine ^= both
            else:
                theirs ^= both
            if bishops & target != 0:
                bishops ^= both
            if rooks & target != 0:
                rooks ^= both
            if royals & target != 0:
                royals ^= both
            same = mine == own and theirs == opp and bishops == diagonal
            if turn != 0 and same and rooks == straight and royals == kings:
                found += 1
    return found


def show(cells: Wide, flip: int, planes: Any, plane: int) -> None:
    """Writes ones for ``cells`` into a plane."""
    while cells != 0:
        square = lowest(cells) ^ flip
        planes[7 - (square & 7), square >> 3, plane] = 1
        cells &= cells - 1
