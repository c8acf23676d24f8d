"""Lists every position of a small game and solves it: what ``retrograde.py`` does, as kernels.

WebAssembly modules solve small games by it in milliseconds; Python's own lists need no compiler.
The game must end whatever is played: where positions may come again, ``solve_listed`` says so.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.bits import num_words, pack, unpack
from adv_envs.jit import kernel
from adv_envs.random import chance_of, hash_word

TOO_MANY = -1
"""What ``list_positions`` returns where there is no room for all positions."""

UTILITY, PLIES, DEPTH = range(3)
"""The numbers of a position: the utility of player 0 with best play, the plies to the end (-1 until
it is solved), and the fewest plies from the first position."""


class ListArrays(NamedTuple):
    """Holds the positions of a game, at most n, the nearest to the first one in front."""

    rows: NDArray[np.int64]
    """(n + 1, words): the positions; the last row is workspace."""
    slots: NDArray[np.int64]
    """(2**k,), more than n: a hash table of 1 more than the numbers of positions; 0 is free."""
    numbers: NDArray[np.float64]
    """(n, 3): see ``UTILITY``."""
    size: NDArray[np.int64]
    """(1,): how many positions there are."""


def new_list(start: Position, positions: int) -> ListArrays:
    """Returns room for a number of positions of the game of ``start``."""
    slots = 1 << (2 * positions).bit_length()
    return ListArrays(
        np.zeros((positions + 1, num_words(start)), np.int64),
        np.zeros(slots, np.int64),
        np.zeros((positions, 3)),
        np.zeros(1, np.int64),
    )


@kernel
def number_listed(position: Position, arrays: ListArrays) -> int:
    """Returns the number of a position; that of a new one, whose row is written, is the size."""
    rows, slots = arrays.rows, arrays.slots
    last, words = rows.shape[0] - 1, rows.shape[1]
    pack(position, rows[last])
    hashed = 0
    for word in range(words):
        hashed = hash_word(hashed, rows[last, word])
    slot = hashed & (slots.shape[0] - 1)
    while slots[slot] != 0:
        number = int(slots[slot]) - 1
        same = True
        for word in range(words):
            same = same and rows[number, word] == rows[last, word]
        if same:
            return number
        slot = (slot + 1) & (slots.shape[0] - 1)
    number = int(arrays.size[0])
    if number < last:
        slots[slot] = number + 1
        for word in range(words):
            rows[number, word] = rows[last, word]
    return number


@kernel
def list_positions(start: Position, arrays: ListArrays) -> int:
    """Writes all positions that play leads to from ``start``; returns how many, or TOO_MANY."""
    rows, numbers, size = arrays.rows, arrays.numbers, arrays.size
    arrays.slots[:] = 0
    size[0] = 0
    most = rows.shape[0] - 1
    number_listed(start, arrays)
    numbers[0, DEPTH], numbers[0, PLIES] = 0.0, -1.0
    size[0], i = 1, 0
    while i < size[0]:
        position = unpack(start, rows[i])
        if not position.is_terminal():
            for action in range(position.num_actions):
                if position.legal(action):
                    child = number_listed(position.play(action), arrays)
                    if child >= most:
                        return TOO_MANY
                    if child == size[0]:
                        numbers[child, DEPTH], numbers[child, PLIES] = numbers[i, DEPTH] + 1, -1.0
                        size[0] += 1
        i += 1
    return int(size[0])


@kernel
def solve_listed(start: Position, arrays: ListArrays) -> bool:
    """Writes the outcomes of all positions that are listed; False where positions come again.

    Positions are decided from the last to the first, which may take more than one round.
    """
    left, before = int(arrays.size[0]), -1
    while left > 0 and left != before:
        before, left = left, 0
        for i in range(arrays.size[0] - 1, -1, -1):
            if arrays.numbers[i, PLIES] < 0:
                left += not decide(unpack(start, arrays.rows[i]), i, arrays)
    return left == 0


@kernel
def list_and_solve(start: Position, arrays: ListArrays) -> float:
    """Lists and solves the game from ``start`` on; returns its size, or -1 if that cannot be."""
    if list_positions(start, arrays) == TOO_MANY or not solve_listed(start, arrays):
        return -1.0
    return float(arrays.size[0])


@kernel
def decide(position: Position, i: int, arrays: ListArrays) -> bool:
    """Writes the outcome of position i if the outcomes of all positions after it are known."""
    numbers, value, plies = arrays.numbers, 0.0, 0.0
    if position.is_terminal():
        numbers[i, UTILITY], numbers[i, PLIES] = 1.0 * position.utility(0), 0.0
        return True
    sign, best = (1.0 if position.to_move == 0 else -1.0), -inf
    for action in range(position.num_actions):
        if position.legal(action):
            child = number_listed(position.play(action), arrays)
            if numbers[child, PLIES] < 0:
                return False
            here, length = numbers[child, UTILITY], numbers[child, PLIES] + 1
            if position.to_move == CHANCE:
                value += chance_of(position, action) * here
                plies = max(plies, length)
            elif sign * here > best or (sign * here == best and prefers(best, length, plies)):
                best, value, plies = sign * here, here, length
    numbers[i, UTILITY], numbers[i, PLIES] = value, plies
    return True


def prefers(value: float, length: float, other: float) -> bool:
    """Returns whether a player who gets ``value`` prefers a game of one length to another."""
    return length < other if value > 0 else length > other


@kernel
def listed_utility(position: Position, action: int, arrays: ListArrays) -> float:
    """Returns the utility of an action, with best play, for the player to move.

    For player 0 where chance is to move.
    """
    value = float(arrays.numbers[number_listed(position.play(action), arrays), UTILITY])
    return -value if position.to_move == 1 else value


@kernel
def listed_share(position: Position, action: int, arrays: ListArrays) -> float:
    """Returns the utility of an action as a share of the largest one, from -1 to 1."""
    return float(listed_utility(position, action, arrays) / position.max_utility)


@kernel
def listed_score(position: Position, action: int, arrays: ListArrays) -> float:
    """Returns the score of an action: k for a win with the k-th last move that the winner may have.

    -k for a loss to that move, 0 for a draw; as ``agents.grading.exact_values`` says.
    """
    value, numbers = listed_utility(position, action, arrays), arrays.numbers
    left = longest_game(arrays) - numbers[number_listed(position, arrays), DEPTH]
    plies = numbers[number_listed(position.play(action), arrays), PLIES] + 1
    nth_last = (left - plies) // 2 + 1
    return float(nth_last if value > 0 else -nth_last if value < 0 else 0)


@kernel
def listed_rank(position: Position, action: int, arrays: ListArrays) -> float:
    """Returns by how much an action is preferred to others with its utility: larger is better."""
    number = number_listed(position.play(action), arrays)
    plies = arrays.numbers[number, PLIES]
    return float(-plies if listed_utility(position, action, arrays) > 0 else plies)


@kernel
def longest_game(arrays: ListArrays) -> float:
    """Returns the most plies from the first position to another."""
    return float(arrays.numbers[arrays.size[0] - 1, DEPTH])
