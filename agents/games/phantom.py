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
"""

from __future__ import annotations

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


CELLS = (1 << MOST_CELLS) - 1


def best_value(start: Phantom, player: int, policy: AttemptPolicy) -> float:
    """Returns the most that ``player`` can expect against the other player's ``policy``.

    ValueError if ``policy`` is one of another game or of ``player``.
    """
    start = checked(start)
    if policy.start != start.start() or policy.player == player:
        raise ValueError(f"the policy must be that of player {1 - player} in {start.start()!r}")
    levels = start.num_actions + 3
    most = int(policy.rules.ranks.sum())
    codes, chances = np.zeros((levels, most), np.int64), np.zeros((levels, most))
    game = Walk(policy.rules, policy.array, player, codes, chances)
    chances[0, 0] = 1.0
    number, lost = after(game, 0, 0, 1, 0, False) if player == 1 else (1, 0.0)
    return float(walk(game, player, number, 0, 0, -2.0) - lost)


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
    total = 0.0
    for i in range(number):
        if game.codes[level, i] & cells == cells:
            total += game.chances[level, i]
    return total


@kernel
def after(
    game: Walk, level: int, cell: int, number: int, mine: int, met: bool
) -> tuple[int, float]:
    """Writes the particles at the next own attempt, after one on ``cell``; returns as ``turn``."""
    if not met or game.rules.abrupt:
        return turn(game, level, cell, number, mine, met)
    codes, chances, found = game.codes, game.chances, 0
    for i in range(number):
        if codes[level, i] & cell != 0:
            codes[level + 1, found], chances[level + 1, found] = codes[level, i], chances[level, i]
            found += 1
    return found, 0.0


@kernel
def turn(game: Walk, level: int, cell: int, number: int, mine: int, met: bool) -> tuple[int, float]:
    """Writes the particles after a turn of the other to the next level.

    Those count in which the other has a stone on ``cell``, or with ``met`` False has none there.
    Returns how many particles there are, and the probability that the other has won.
    """
    wins, ranks, first, abrupt = game.rules
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
                elif abrupt:
                    codes[out, found], chances[out, found] = new, share
                    found += 1
                else:
                    codes[stack, left], chances[stack, left] = new, share
                    left += 1
    return found, lost


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
