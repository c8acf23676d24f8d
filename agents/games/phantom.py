"""Computes the exact exploitability of phantom games, whose trees are too large to write down.

**Policies are arrays**: a row for everything that a player may have tried and met. What a player
knows is the sequence of own attempts, and whether each has set a stone. With n cells, a sequence of
d attempts has the number

    row = outcomes * P(d) + rank        P(d) = n (n - 1) ... (n - d + 1)

among those of its length: ``outcomes`` has a bit for each attempt, the last one lowest, 1 where a
stone stands; ``rank`` is the number of the sequence of cells in lexical order. The rows of d
attempts begin at ``first[d]`` in the array, and have a probability for each of the n - d cells that
are left, in their order. Where one cell is left there is nothing to choose, and no row.

**Best responses are a walk over own attempts.** At each information set of the player who responds,
the walk holds all that the other may have done: a list of *particles*, each the other's attempts
(which tell the position, as the own ones are known) and their probability by the other's policy. An
own attempt splits the list by its outcome, then each particle makes the attempts of the other's
next turn. A particle is a history, and no history is met twice; memory is needed along one line of
play only. The value of an information set is a sum over particles, whose best own attempt is
taken, so the result is exact. An attempt is not walked through if it cannot be better than the best
one so far, even if it won from here on.

In abrupt games the other's last choices are merged. Where at most ``LAST`` = 3 cells are left to
the other, all that matters is what has been tried, where stones stand, and how likely the other
makes each of the few choices that remain: a *tail* of nine numbers, which add up over the orders in
which the earlier attempts can have been made. Most histories are longer than that: it takes two
thirds of the time away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, scratch
from adv_envs.games.phantom import UNDECIDED, Phantom
from adv_envs.jit import kernel
from adv_envs.layout import smallest_dtype
from adv_envs.position import checked
from agents.equilibrium.large_games import CHUNK, SetChunk
from agents.knowledge import by_number

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_CELLS = 9
"""Cells of the largest board: each more makes the array twenty times as long."""


class PhantomRules(NamedTuple):
    """Holds the game as kernels take it, for n cells; sets of cells are bits, one per action."""

    wins: NDArray[np.uint8]
    """(2, 2**n): whether a player has won with these stones."""
    ranks: Ints
    """(n + 1,): P(d)."""
    first: Ints
    """(n + 1,): where the rows of d attempts begin."""
    abrupt: bool


def rules_of(start: Phantom) -> PhantomRules:
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
    return PhantomRules(wins, ranks, first, bool(start.abrupt))


class AttemptPolicy:
    """Holds how likely one player of a phantom game tries each cell, after any tries before.

    ``array`` (first[n],) is laid out as above; rows that cannot come up are not looked at.
    """

    def __init__(self, start: Phantom, player: int, array: Floats) -> None:
        start = checked(start)
        self.start, self.player, self.rules = start.start(), player, rules_of(start)
        if array.shape != (self.rules.first[-1],):
            raise ValueError(f"the array must have {self.rules.first[-1]:,} numbers")
        self.array = array

    @classmethod
    def uniform(cls, start: Phantom, player: int) -> Self:
        """Returns the policy that tries every cell that is left with the same probability."""
        start = checked(start)
        first, n = rules_of(start).first, start.num_actions
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
        start = checked(start)
        policy = cls(start, player, np.zeros(rules_of(start).first[-1]))
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
        position = checked(position, self.start)
        if position.is_terminal() or position.to_move != self.player:
            raise ValueError(f"player {self.player} is not to move at {position!r}")
        legal = position.legal_actions()
        if len(legal) == 1:
            return {legal[0]: 1.0}
        place = self.place(position)
        return dict(zip(legal, self.array[place : place + len(legal)].tolist(), strict=True))

    def place(self, position: Phantom) -> int:
        """Returns where the row of a position or view of the player begins in ``array``."""
        left, rank, outcomes = list(range(self.start.num_actions)), 0, 0
        stones, tried = position.stones(self.player), position.attempts(self.player)
        for action in tried:
            rank = rank * len(left) + left.index(action)
            left.remove(action)
            outcomes = 2 * outcomes + (stones >> position.entry(action) & 1)
        row = outcomes * int(self.rules.ranks[len(tried)]) + rank
        return int(self.rules.first[len(tried)]) + row * len(left)

    def views(self) -> Iterator[tuple[int, Phantom]]:
        """Returns every information set with a choice: where its row begins, and the view.

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
                made = d, int(rank[i]), int(outcomes[i]), [0] * d
                view = attempted(self.start, self.player, *made)
                yield int(first[d]) + int(rows[i]) * (n - d), view


# ---- which rows can come up


def reached_rows(start: Phantom, player: int) -> list[NDArray[np.uint8]]:
    """Returns which sequences of attempts the player can have made when to move.

    An array for each length d, of a number for each row: 1 where it is an information set.
    """
    rules, n = rules_of(start), start.num_actions
    begin = np.cumsum([0, *(int(rules.ranks[d]) << d for d in range(n))])
    reached = np.zeros(begin[-1], np.uint8)
    worlds = np.zeros((n + 2, 1 << 2 * n), np.int64)
    work = RowArrays(rules, player, begin, reached, worlds, np.zeros(1 << 2 * n, np.int64))
    number = reply(work, 0, 0, 1, 0, False) if player == 1 else 1
    mark_rows(work, player, number, 0, 0, 0)
    return [reached[begin[d] : begin[d + 1]] for d in range(n)]


class RowArrays(NamedTuple):
    """Holds what the walk works on that finds the rows of ``player`` that can come up."""

    rules: PhantomRules
    player: int
    begin: Ints
    """(n + 1,): where those of d attempts begin in ``reached``."""
    reached: NDArray[np.uint8]
    """(rows,): becomes 1 where the row is an information set."""
    worlds: Ints
    """(n + 2, 2**2n): what the other may have done at each level of the walk: sets of the other's
    stones (n low bits) and attempts (n bits more)."""
    seen: Ints
    """(2**2n,): in which call of ``reply`` such a pair was found; the first number counts them."""


@kernel
def mark_rows(work: RowArrays, level: int, number: int, mine: int, tried: int, row: int) -> None:
    """Marks the information set of these own attempts, with ``number`` worlds, and all after it."""
    wins, ranks, _, abrupt = work.rules
    n, d = len(ranks) - 1, count(tried)
    work.reached[work.begin[d] + row] = 1
    outcomes = row // ranks[d]
    rank = (row - outcomes * ranks[d]) * (n - d) - 1
    for action in range(n):
        cell = 1 << action
        if tried & cell != 0:
            continue
        rank += 1
        for success in range(2):
            own = mine | cell if success == 1 else mine
            if wins[work.player, own] != 0:
                continue
            if success == 0 and not abrupt:
                found = narrowed(level, cell, number, work.worlds)
            else:
                found = reply(work, level, cell, number, own, success == 0)
            if found > 0:
                after = (2 * outcomes + success) * ranks[d + 1] + rank
                mark_rows(work, level + 1, found, own, tried | cell, after)


@kernel
def narrowed(level: int, cell: int, number: int, worlds: Ints) -> int:
    """Writes the worlds in which the other has a stone on ``cell`` to the next level."""
    found = 0
    for i in range(number):
        if worlds[level, i] & cell != 0:
            worlds[level + 1, found] = worlds[level, i]
            found += 1
    return found


@kernel
def reply(work: RowArrays, level: int, cell: int, number: int, mine: int, met: bool) -> int:
    """Writes the worlds after a turn of the other to the next level, each once; how many there are.

    Those at this level count in which the other has a stone on ``cell``, or with ``met`` False has
    none there. ``mine`` are the stones of the player.
    """
    wins, ranks, _, abrupt = work.rules
    n, other_player, here, seen = len(ranks) - 1, 1 - work.player, work.worlds, work.seen
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
                    if wins[other_player, stones] != 0 or stones | mine == full:
                        continue
                if seen[after] != seen[0]:
                    seen[after] = seen[0]
                    here[level + 1, found] = after
                    found += 1
    return found


# ---- best responses


class Walk(NamedTuple):
    """Holds what the walk for ``player`` against the other's ``policy`` works on."""

    rules: PhantomRules
    policy: Floats
    player: int
    codes: Ints
    """(n + 3, most): particles, a row for each level of the walk; the last row is a stack. A code
    has, from its lowest bits, MOST_CELLS bits each for the other's stones, the cells that the other
    has tried, and the outcomes, and then the row."""
    chances: Floats
    """Their probabilities, likewise."""
    tails: Tails


class Tails(NamedTuple):
    """Holds merged particles, in which the other has at most ``LAST`` cells left."""

    codes: Ints
    """(levels, most): stones and attempts, as in ``Walk``."""
    chances: Floats
    """(levels, most): their probabilities."""
    shares: Floats
    """(levels, most, 9): for cells left i = 0, 1, 2, in their order, the probability that i is
    tried next; from 3 + 2 * i on, the part of it in which the second of the two cells that remain
    follows, if the attempt on i fails, and if it succeeds."""
    number: Ints
    """(levels,): how many there are."""
    slots: Ints
    """(4**MOST_CELLS + 1,): by stones and attempts, where the turn that is being made has put such
    a particle: its number and turn << SLOT_BITS; the last one counts turns."""


LAST = 3
SLOT_BITS = 24


CELLS = (1 << MOST_CELLS) - 1


def best_value(start: Phantom, player: int, policy: AttemptPolicy) -> float:
    """Returns the most that ``player`` can expect against the other player's ``policy``.

    ValueError if ``policy`` is one of another game or of ``player``.
    """
    start = checked(start)
    if policy.start != start.start() or policy.player == player:
        raise ValueError(f"the policy must be that of player {1 - player} in {start.start()!r}")
    n, levels = start.num_actions, start.num_actions + 3
    most = int(policy.rules.ranks.sum())
    codes, chances = np.zeros((levels, most), np.int64), np.zeros((levels, most))
    tails = new_tails(n, levels if policy.rules.abrupt else 0)
    game = Walk(policy.rules, policy.array, player, codes, chances, tails)
    chances[0, 0] = 1.0
    number, lost = after(game, 0, 0, 1, 0, False) if player == 1 else (1, 0.0)
    return float(walk(game, player, number, 0, 0, -2.0) - lost)


def new_tails(n: int, levels: int) -> Tails:
    """Returns room for all merged particles of a board with ``n`` cells, at each level."""
    most = sum(math.comb(n, left) << n - left for left in range(LAST + 1))
    codes, chances = np.zeros((levels, most), np.int64), np.zeros((levels, most))
    shares, slots = np.zeros((levels, most, 9)), np.zeros(4**MOST_CELLS + 1, np.int64)
    return Tails(codes, chances, shares, np.zeros(levels, np.int64), slots)


def exploitability(first: AttemptPolicy, second: AttemptPolicy) -> float:
    """Returns the exploitability of two policies, of player 0 and player 1 of one game.

    It is half of NashConv, the sum of what the best responses of both gain; what the policies
    themselves expect cancels out, as one player wins what the other loses.
    """
    start = first.start
    return (best_value(start, 0, second) + best_value(start, 1, first)) / 2


@kernel
def walk(game: Walk, level: int, number: int, mine: int, tried: int, floor: float) -> float:
    """Returns the value of an information set, times the probability of its particles.

    They are the first ``number`` at this ``level``; ``mine`` and ``tried`` are own stones and
    attempts. A value that is not above ``floor`` need not be exact: what is returned is not either.
    """
    wins, n = game.rules.wins, len(game.rules.ranks) - 1
    total = met_by(game, level, 0, number)
    best = max(-2.0 * total, floor)
    for i in range(2 * n):  # attempts that may win at once come first
        cell = 1 << i % n
        own, now = mine | cell, tried | cell
        wins_now = wins[game.player, own] != 0
        if tried & cell != 0 or wins_now != (i < n) or best >= total:
            continue
        met = met_by(game, level, cell, number)
        value, rest = 0.0, total - met
        if met > 0.0:
            found, lost = after(game, level, cell, number, mine, True)
            value = walk(game, level + 1, found, mine, now, best - rest + lost) - lost
        if wins_now:
            value += rest
        elif value + rest > best:
            found, lost = after(game, level, cell, number, own, False)
            value += walk(game, level + 1, found, own, now, best - value + lost) - lost
        best = max(best, value)
    return best


@kernel
def met_by(game: Walk, level: int, cells: int, number: int) -> float:
    """Returns the probability of the particles in which the other has stones on all ``cells``."""
    total, tails = 0.0, game.tails
    for i in range(number):
        if game.codes[level, i] & cells == cells:
            total += game.chances[level, i]
    if game.rules.abrupt:
        for i in range(tails.number[level]):
            if tails.codes[level, i] & cells == cells:
                total += tails.chances[level, i]
    return total


@kernel
def after(
    game: Walk, level: int, cell: int, number: int, mine: int, met: bool
) -> tuple[int, float]:
    """Writes the particles at the next own attempt, after one on ``cell``; returns as ``turn``."""
    if game.rules.abrupt:
        return abrupt_turn(game, level, cell, number, mine, met)
    if not met:
        return turn(game, level, cell, number, mine, met)
    codes, chances, found = game.codes, game.chances, 0
    for i in range(number):
        if codes[level, i] & cell != 0:
            codes[level + 1, found], chances[level + 1, found] = codes[level, i], chances[level, i]
            found += 1
    return found, 0.0


@kernel
def turn(game: Walk, level: int, cell: int, number: int, mine: int, met: bool) -> tuple[int, float]:
    """Writes the particles after a turn of the other in a classical game to the next level.

    Those count in which the other has a stone on ``cell``, or with ``met`` False has none there.
    Returns how many particles there are, and the probability that the other has won.
    """
    wins, ranks, first, _ = game.rules
    codes, chances, policy, player = game.codes, game.chances, game.policy, game.player
    n, out, stack = len(ranks) - 1, level + 1, len(codes) - 1
    full, found, lost = (1 << n) - 1, 0, 0.0
    for i in range(number):
        code = codes[level, i]
        if (code & cell != 0) != met or (code & CELLS) | mine == full:
            continue
        codes[stack, 0], chances[stack, 0] = code, chances[level, i]
        left = 1
        while left > 0:
            left -= 1
            code, chance = codes[stack, left], chances[stack, left]
            stones, tried = code & CELLS, code >> MOST_CELLS & CELLS
            outcomes, row = code >> 2 * MOST_CELLS & CELLS, code >> 3 * MOST_CELLS
            d, free = count(tried), full & ~tried
            choices = n - d
            place, row = first[d] + row * choices, choices * (row + outcomes * ranks[d])
            code = stones | tried << MOST_CELLS | outcomes << 2 * MOST_CELLS + 1
            while free != 0:
                other = free & -free
                free ^= other
                share = chance * policy[place] if choices > 1 else chance
                new = code | other << MOST_CELLS | row << 3 * MOST_CELLS
                place, row = place + 1, row + 1
                if share <= 0.0:
                    continue
                if mine & other == 0:
                    new = (new | other | 1 << 2 * MOST_CELLS) + (ranks[d + 1] << 3 * MOST_CELLS)
                    if wins[1 - player, stones | other] != 0:
                        lost += share
                    elif stones | other | mine != full:
                        codes[out, found], chances[out, found] = new, share
                        found += 1
                else:
                    codes[stack, left], chances[stack, left] = new, share
                    left += 1
    return found, lost


@kernel
def abrupt_turn(
    game: Walk, level: int, cell: int, number: int, mine: int, met: bool
) -> tuple[int, float]:
    """Does the same in an abrupt game; the number that is returned is of particles not merged."""
    wins, ranks, first, _ = game.rules
    codes, chances, policy, player = game.codes, game.chances, game.policy, game.player
    n, out = len(ranks) - 1, level + 1
    full, found = (1 << n) - 1, 0
    game.tails.slots[-1] += 1
    game.tails.number[out] = 0
    lost = last_attempts(game, level, cell, mine, met)
    for i in range(number):
        code = codes[level, i]
        if (code & cell != 0) != met or (code & CELLS) | mine == full:
            continue
        stones, tried = code & CELLS, code >> MOST_CELLS & CELLS
        outcomes, row = code >> 2 * MOST_CELLS & CELLS, code >> 3 * MOST_CELLS
        d, free = count(tried), full & ~tried
        choices = n - d
        place, row = first[d] + row * choices, choices * (row + outcomes * ranks[d])
        code = stones | tried << MOST_CELLS | outcomes << 2 * MOST_CELLS + 1
        while free != 0:
            other = free & -free
            free ^= other
            share = chances[level, i] * policy[place]
            new = code | other << MOST_CELLS | row << 3 * MOST_CELLS
            place, row = place + 1, row + 1
            if share <= 0.0:
                continue
            if mine & other == 0:
                new = (new | other | 1 << 2 * MOST_CELLS) + (ranks[d + 1] << 3 * MOST_CELLS)
                if wins[1 - player, stones | other] != 0:
                    lost += share
                    continue
                if stones | other | mine == full:
                    continue
            if choices == LAST + 1:
                begin_tail(game, out, new, share)
            else:
                codes[out, found], chances[out, found] = new, share
                found += 1
    return found, lost


@kernel
def last_attempts(game: Walk, level: int, cell: int, mine: int, met: bool) -> float:
    """Writes merged particles after a turn of the other to the next level; what is lost by it."""
    wins, tails, full = game.rules.wins, game.tails, (1 << len(game.rules.ranks) - 1) - 1
    lost = 0.0
    for i in range(tails.number[level]):
        code = tails.codes[level, i]
        if (code & cell != 0) != met or (code & CELLS) | mine == full:
            continue
        stones, tried = code & CELLS, code >> MOST_CELLS
        free = full & ~tried
        choices = count(free)
        for k in range(choices):
            other = free & -free
            free ^= other
            share, success = tails.shares[level, i, k], mine & other == 0
            if share <= 0.0:
                continue
            now = stones | other if success else stones
            if success and wins[1 - game.player, now] != 0:
                lost += share
            elif now | mine != full:
                slot = slot_of(tails, level + 1, now | (tried | other) << MOST_CELLS)
                second = tails.shares[level, i, LAST + 2 * k + success] if choices == LAST else 0.0
                tails.chances[level + 1, slot] += share
                tails.shares[level + 1, slot, 0] += share - second
                tails.shares[level + 1, slot, 1] += second
    return lost


@kernel
def begin_tail(game: Walk, level: int, code: int, chance: float) -> None:
    """Merges a particle, in which ``LAST`` cells are left to the other, with those of a level."""
    _, ranks, first, _ = game.rules
    tails, policy, n = game.tails, game.policy, len(ranks) - 1
    outcomes, row = code >> 2 * MOST_CELLS & CELLS, code >> 3 * MOST_CELLS
    key = code & (1 << 2 * MOST_CELLS) - 1
    slot = slot_of(tails, level, key)
    tails.chances[level, slot] += chance
    place = first[n - LAST] + LAST * row
    after_it = first[n - 2] + 2 * LAST * (row + outcomes * ranks[n - LAST]) + 1
    shares = tails.shares[level, slot]
    for i in range(LAST):
        share = chance * policy[place + i]
        shares[i] += share
        for success in range(2):
            second = policy[after_it + 2 * (i + success * ranks[n - 2])]
            shares[LAST + 2 * i + success] += share * second


@kernel
def slot_of(tails: Tails, level: int, key: int) -> int:
    """Returns where the particle of this turn is with these stones and attempts, or a new one."""
    call, found = tails.slots[-1], tails.slots[key]
    if found >> SLOT_BITS == call:
        return found & (1 << SLOT_BITS) - 1  # type: ignore[no-any-return]
    slot = tails.number[level]
    tails.number[level] += 1
    tails.slots[key] = call << SLOT_BITS | slot
    tails.codes[level, slot], tails.chances[level, slot] = key, 0.0
    for i in range(9):
        tails.shares[level, slot, i] = 0.0
    return slot  # type: ignore[no-any-return]


# ---- for the records of the games

__all__ = ["AttemptPolicy", "best_value", "exploitability"]


class LargePhantomGame:
    """Finds best responses in a phantom game by attempts, see ``agents.equilibrium.large_games``.

    Policies are the arrays of ``AttemptPolicy``.
    """

    def __init__(self, start: Phantom) -> None:
        self.start = start
        self.rules = rules_of(start)
        self._reached: dict[int, list[NDArray[np.int64]]] = {}

    def rows(self, player: int) -> list[NDArray[np.int64]]:
        """Returns the numbers of the information sets with a choice, by own attempts made."""
        if player not in self._reached:
            found = reached_rows(self.start, player)[: self.start.num_actions - 1]
            self._reached[player] = [np.flatnonzero(reached) for reached in found]
        return self._reached[player]

    def num_sets(self, player: int) -> int:
        """Returns how many information sets with a choice a player has."""
        return sum(map(len, self.rows(player)))

    def num_slots(self, player: int) -> int:
        """Returns how long the array of a policy is."""
        return int(self.rules.first[-1])

    def chunks(self, player: int) -> Iterator[SetChunk]:
        """Yields all information sets of a player with a choice, short ones first."""
        start, n = self.start, self.start.num_actions
        for d, rows in enumerate(self.rows(player)):
            for begin in range(0, len(rows), CHUNK):
                part = rows[begin : begin + CHUNK]
                seen = np.zeros((len(part), *start.observation_shape), smallest_dtype(start))
                masks = np.zeros((len(part), n), np.bool_)
                write_attempts(start, player, d, part, self.rules.ranks, seen, masks)
                yield SetChunk(seen, masks, self.rules.first[d] + part * (n - d))

    def best_value(self, player: int, policy: Floats) -> float:
        """Returns the most that ``player`` can expect against the other's ``policy``."""
        return best_value(self.start, player, AttemptPolicy(self.start, 1 - player, policy))


@kernel
def write_attempts(
    start: Phantom, player: int, d: int, rows: Ints, ranks: Ints, seen: Any, masks: Any
) -> None:
    """Writes what ``player`` observes, and may do, after the ``d`` attempts of each row.

    ``seen`` (rows, height, width, 3) and ``masks`` (rows, n) are zeros before.
    """
    digits = scratch(MOST_CELLS)
    for i in range(len(rows)):
        outcomes = rows[i] // ranks[d]
        view = attempted(start, player, d, rows[i] - outcomes * ranks[d], outcomes, digits)
        view.observe(player, seen[i])
        for action in range(masks.shape[1]):
            masks[i, action] = view.legal(action)


def attempted(
    start: Phantom, player: int, d: int, rank: int, outcomes: int, digits: Any
) -> Phantom:
    """Returns the view of a player who has made ``d`` attempts, see ``AttemptPolicy``.

    ``digits`` is room for them.
    """
    n = start.num_actions
    for i in range(d):
        left = n - d + 1 + i
        digits[d - 1 - i] = rank % left
        rank //= left
    none = start.own & 0
    own, opp, tried, gone = none, none, start.own_tried & 0, 0
    for i in range(d):
        action, before = 0, digits[i]
        while gone >> action & 1 != 0 or before > 0:
            before -= gone >> action & 1 == 0
            action += 1
        gone |= 1 << action
        stone = 1 << start.entry(action)
        if outcomes >> d - 1 - i & 1 != 0:
            own |= stone
        else:
            opp |= stone
        tried = tried << start.digit_bits | action + 1
    return start.with_state(own, opp, tried, start.own_tried & 0, player, UNDECIDED, player)


def large_game(start: Phantom) -> LargePhantomGame | None:
    """Returns what finds exploitability without the tree; None where the board is too large."""
    return LargePhantomGame(start) if start.num_actions <= MOST_CELLS else None


def progress(position: Phantom) -> float:
    """Returns the share of the cells that have a stone, of those that are shown."""
    return count(position.own | position.opp) / position.num_actions


RUNGS = {
    "random": "random",
    **by_number("ismcts %d", "ismcts(simulations=%d)", 10, 30, 100, 300, 1000),
}
"""Opponents from random play on, with more and more simulations."""
