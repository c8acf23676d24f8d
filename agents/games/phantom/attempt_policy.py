"""Policies of phantom games as arrays: a row for everything that a player may have tried and met.

What a player knows is the sequence of own attempts, and whether each has set a stone. With n cells,
a sequence of d attempts has the number

    row = outcomes * P(d) + rank        P(d) = n (n - 1) ... (n - d + 1)

among those of its length: ``outcomes`` has a bit for each attempt, the last one lowest, 1 where a
stone stands; ``rank`` is the number of the sequence of cells in lexical order. The rows of d
attempts begin at ``first[d]`` in the array, and have a probability for each of the n - d cells that
are left, in their order. Where one cell is left there is nothing to choose, and no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, scratch
from adv_envs.games.phantom import UNDECIDED, Phantom
from adv_envs.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_CELLS = 9
"""Cells of the largest board: each more makes the array twenty times as long."""

Rules = tuple[NDArray[np.uint8], Ints, Ints, bool]
"""The game as kernels take it, for n cells; sets of cells are bits, one for each action:

0. wins (2, 2**n): whether a player has won with these stones;
1. ranks (n + 1,): P(d); 2. first (n + 1,): where the rows of d attempts begin; 3. abrupt.
"""


def rules_of(start: Phantom) -> Rules:
    """Returns the tables of a game. ValueError for a board that is too large."""
    n = start.num_actions
    if n > MOST_CELLS:
        raise ValueError(f"boards of up to {MOST_CELLS} cells can be tabulated, not of {n}")
    wins = np.zeros((2, 1 << n), np.uint8)
    for stones in range(1 << n):
        cells = sum(1 << start.entry(action) for action in range(n) if stones >> action & 1)
        wins[:, stones] = [start.wins(cells, player) for player in (0, 1)]
    ranks, first = np.ones(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for d in range(n):
        ranks[d + 1] = ranks[d] * (n - d)
        rows = ranks[d] << d if d < n - 1 else 0
        first[d + 1] = first[d] + rows * (n - d)
    return wins, ranks, first, bool(start.abrupt)


class AttemptPolicy:
    """How likely one player of a phantom game tries each cell, whatever was tried before.

    ``array`` (first[n],) is laid out as above; rows that cannot come up are not looked at.
    """

    def __init__(self, start: Phantom, player: int, array: Floats) -> None:
        self.start, self.player, self.rules = start.start(), player, rules_of(start)
        if array.shape != (self.rules[2][-1],):
            raise ValueError(f"the array must have {self.rules[2][-1]:,} numbers")
        self.array = array

    @classmethod
    def uniform(cls, start: Phantom, player: int) -> Self:
        """Returns the policy that tries every cell that is left with the same probability."""
        first, n = rules_of(start)[2], start.num_actions
        array = np.empty(first[-1])
        for d in range(n - 1):
            array[first[d] : first[d + 1]] = 1 / (n - d)
        return cls(start, player, array)

    @classmethod
    def of_function(
        cls, start: Phantom, player: int, function: Callable[[Any], Mapping[int, float]]
    ) -> Self:
        """Returns the policy that ``function(view)`` tells: the probability of each action.

        It is asked at the information sets with a choice to which the player comes by this policy,
        shorter sequences of attempts first; elsewhere the array is 0. Actions that it leaves out
        have probability 0. ValueError if those of a view do not add up to 1.
        """
        policy = cls(start, player, np.zeros(rules_of(start)[2][-1]))
        for place, view in policy.views():
            told = function(view)
            legal = view.legal_actions()
            shares = [float(told.get(action, 0.0)) for action in legal]
            if min(shares) < 0 or not abs(sum(shares) - 1) < 1e-6:
                raise ValueError(f"at {view!r} probabilities of legal actions are {shares}")
            policy.array[place : place + len(legal)] = shares
        return policy

    def probabilities(self, position: Phantom) -> dict[int, float]:
        """Returns how likely the player tries each legal action at a position or view.

        ValueError where the player is not to move.
        """
        if position.is_terminal() or position.to_move != self.player:
            raise ValueError(f"player {self.player} is not to move at {position!r}")
        legal = position.legal_actions()
        if len(legal) == 1:
            return {legal[0]: 1.0}
        place = self.place(position)
        return dict(zip(legal, self.array[place : place + len(legal)].tolist(), strict=True))

    def place(self, position: Phantom) -> int:
        """Returns where the row of a position or view of the player begins in ``array``."""
        _, ranks, first, _ = self.rules
        left, rank, outcomes = list(range(self.start.num_actions)), 0, 0
        stones = position.stones(self.player)
        tried = position.attempts(self.player)
        for action in tried:
            rank = rank * len(left) + left.index(action)
            left.remove(action)
            outcomes = 2 * outcomes + (stones >> position.entry(action) & 1)
        d = len(tried)
        return int(first[d]) + (outcomes * int(ranks[d]) + rank) * len(left)

    def views(self) -> Iterator[tuple[int, Phantom]]:
        """Every information set with a choice: where its row begins in the array, and the view.

        Those come first to which few attempts lead. Those are left out to which the player does not
        come, as the array says when they are due.
        """
        _, ranks, first, _ = self.rules
        n = self.start.num_actions
        for d, reached in enumerate(reached_rows(self.start, self.player)[: n - 1]):
            rows = np.flatnonzero(reached)
            outcomes, rank = np.divmod(rows, ranks[d])
            played = np.ones(len(rows), bool)
            if d > 0:
                before, left = np.divmod(rank, n - d + 1)
                before += (outcomes >> 1) * ranks[d - 1]
                played = self.array[first[d - 1] + before * (n - d + 1) + left] > 0
            for i in np.flatnonzero(played).tolist():
                view = self.view(unranked(int(rank[i]), d, n), int(outcomes[i]))
                yield int(first[d]) + int(rows[i]) * (n - d), view

    def view(self, actions: list[int], outcomes: int) -> Phantom:
        """The view of the player to move after these attempts."""
        own, opp, tried = 0, 0, 0
        for i, action in enumerate(actions):
            stone = 1 << self.start.entry(action)
            tried = tried << self.start.digit_bits | action + 1
            if outcomes >> len(actions) - 1 - i & 1:
                own |= stone
            else:
                opp |= stone
        return self.start.with_state(own, opp, tried, 0, self.player, UNDECIDED, self.player)


def unranked(rank: int, d: int, n: int) -> list[int]:
    """The sequence of ``d`` different numbers below ``n`` that has this rank."""
    digits = []
    for left in range(n - d + 1, n + 1):
        rank, digit = divmod(rank, left)
        digits.append(digit)
    numbers = list(range(n))
    return [numbers.pop(digit) for digit in reversed(digits)]


# ---- which rows can come up


def reached_rows(start: Phantom, player: int) -> list[NDArray[np.uint8]]:
    """Returns which sequences of attempts the player can have made when to move.

    An array for each length d, of a number for each row: 1 where it is an information set.
    """
    rules, n = rules_of(start), start.num_actions
    begin = np.cumsum([0, *(int(rules[1][d]) << d for d in range(n))])
    reached = np.zeros(begin[-1], np.uint8)
    worlds = np.zeros((n + 2, 1 << 2 * n), np.int64), np.zeros(1 << 2 * n, np.int64)
    number = reply(rules, 0, 0, 1, 1, 0, False, worlds) if player == 1 else 1
    mark_rows(rules, player, player, number, 0, 0, 0, 0, begin, worlds, reached)
    return [reached[begin[d] : begin[d + 1]] for d in range(n)]


Worlds = tuple[Ints, Ints]
"""What the other may have done. The first array is (n + 2, 2**2n): at each level of the walk, the
sets of the other's stones (n low bits) and attempts (n bits more) that can be. The second,
(2**2n,), says in which call of ``reply`` such a pair was found; its first number counts them."""


@kernel
def mark_rows(
    rules: Rules,
    player: int,
    level: int,
    number: int,
    mine: int,
    tried: int,
    rank: int,
    outcomes: int,
    begin: Ints,
    worlds: Worlds,
    reached: NDArray[np.uint8],
) -> None:
    """Mark the information set of these own attempts, with ``number`` worlds, and all after it."""
    wins, ranks, abrupt = rules[0], rules[1], rules[3]
    n, d = len(ranks) - 1, count(tried)
    reached[begin[d] + outcomes * ranks[d] + rank] = 1
    after = rank * (n - d) - 1
    for action in range(n):
        cell = 1 << action
        if tried & cell != 0:
            continue
        after += 1
        for success in range(2):
            own = mine | cell if success == 1 else mine
            if wins[player, own] != 0:
                continue
            if success == 0 and not abrupt:
                found = narrowed(level, cell, number, worlds)
            else:
                found = reply(rules, level, cell, number, player, own, success == 0, worlds)
            if found > 0:
                bits = 2 * outcomes + success
                mark_rows(
                    rules, player, level + 1, found, own, tried | cell, after, bits, begin, worlds,
                    reached,
                )  # fmt: skip


@kernel
def narrowed(level: int, cell: int, number: int, worlds: Worlds) -> int:
    """Write the worlds in which the other has a stone on ``cell`` to the next level."""
    found = 0
    for i in range(number):
        if worlds[0][level, i] & cell != 0:
            worlds[0][level + 1, found] = worlds[0][level, i]
            found += 1
    return found


@kernel
def reply(
    rules: Rules,
    level: int,
    cell: int,
    number: int,
    player: int,
    mine: int,
    met: bool,
    worlds: Worlds,
) -> int:
    """Write the worlds after a turn of the other to the next level, each once; how many there are.

    Those at this level count in which the other has a stone on ``cell``, or with ``met`` False has
    none there. ``mine`` are the stones of ``player``.
    """
    wins, n, abrupt = rules[0], len(rules[1]) - 1, rules[3]
    here, seen = worlds
    full, found, stack = (1 << n) - 1, 0, scratch(MOST_CELLS * MOST_CELLS)
    seen[0] += 1
    for i in range(number):
        if (here[level, i] & cell != 0) != met or (here[level, i] & full) | mine == full:
            continue
        stack[0], left = here[level, i], 1
        while left > 0:
            left -= 1
            world = stack[left]
            free = full & ~(world >> n)
            while free != 0:
                other = free & -free
                free ^= other
                after = world | other << n
                if mine & other != 0 and not abrupt:
                    stack[left] = after
                    left += 1
                    continue
                if mine & other == 0:
                    after |= other
                    stones = after & full
                    if wins[1 - player, stones] != 0 or stones | mine == full:
                        continue
                if seen[after] != seen[0]:
                    seen[after] = seen[0]
                    here[level + 1, found] = after
                    found += 1
    return found
