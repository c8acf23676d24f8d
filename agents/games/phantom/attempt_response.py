"""Best responses in phantom games, exact, without the tree: a walk over own attempts.

At each information set of the player who responds, the walk holds all that the other may have done:
a list of *particles*, each the other's attempts (which tell the position, as the own ones are
known) and their probability by the other's policy. An own attempt splits the list by its outcome,
then each particle makes the attempts of the other's next turn. A particle is a history, and no
history is met twice; memory is needed along one line of play only. The value of an information set
is a sum over particles, of which the best own attempt is taken, so the result is exact. An attempt
is not walked through if it cannot be better than the best one so far, even if it won from here on.
"""

from __future__ import annotations

import numpy as np

from adv_envs.bits import count
from adv_envs.games.phantom import Phantom
from adv_envs.jit import kernel

from .attempt_policy import MOST_CELLS, AttemptPolicy, Floats, Ints, Rules

Particles = tuple[Ints, Floats]
"""Codes and probabilities, both (n + 3, most), a row for each level of the walk; the last row is a
stack. A code has, from its lowest bits, MOST_CELLS bits each for the other's stones, the cells that
the other has tried, and the outcomes, and then the row (see ``attempt_policy``)."""

CELLS = (1 << MOST_CELLS) - 1


def best_value(start: Phantom, player: int, policy: AttemptPolicy) -> float:
    """Returns the most that ``player`` can expect against the other player's ``policy``.

    ValueError if ``policy`` is one of another game or of ``player``.
    """
    if policy.start != start.start() or policy.player == player:
        raise ValueError(f"the policy must be that of player {1 - player} in {start.start()!r}")
    rules, n = policy.rules, start.num_actions
    most = int(rules[1].sum())
    particles = np.zeros((n + 3, most), np.int64), np.zeros((n + 3, most))
    particles[1][0, 0] = 1.0
    if player == 0:
        return float(walk(rules, policy.array, 0, 0, 1, 0, 0, particles))
    number, lost = turn(rules, policy.array, 1, 0, 0, 1, 0, False, particles)
    return float(walk(rules, policy.array, 1, 1, number, 0, 0, particles) - lost)


def exploitability(first: AttemptPolicy, second: AttemptPolicy) -> float:
    """Returns the exploitability of two policies, of player 0 and player 1 of one game.

    It is half of NashConv, the sum of what the best responses of both gain; what the policies
    themselves expect cancels out, as one player wins what the other loses.
    """
    start = first.start
    return (best_value(start, 0, second) + best_value(start, 1, first)) / 2


@kernel
def walk(
    rules: Rules,
    policy: Floats,
    player: int,
    level: int,
    number: int,
    mine: int,
    tried: int,
    particles: Particles,
) -> float:
    """The value of an information set for ``player``, times the probability of its particles.

    The first ``number`` at this ``level``; ``mine`` and ``tried`` are own stones and attempts.
    """
    wins, n = rules[0], len(rules[1]) - 1
    total = met_by(level, 0, number, particles)
    best = -2.0 * total
    for i in range(2 * n):  # attempts that may win at once come first
        cell = 1 << i % n
        own, now = mine | cell, tried | cell
        wins_now = wins[player, own] != 0
        if tried & cell != 0 or wins_now != (i < n) or best >= total:
            continue
        met = met_by(level, cell, number, particles)
        value = 0.0
        if met > 0.0:
            found, lost = after(rules, policy, player, level, cell, number, mine, True, particles)
            value = walk(rules, policy, player, level + 1, found, mine, now, particles) - lost
        if wins_now:
            value += total - met
        elif value + total - met > best:
            found, lost = after(rules, policy, player, level, cell, number, own, False, particles)
            value += walk(rules, policy, player, level + 1, found, own, now, particles) - lost
        best = max(best, value)
    return best


@kernel
def met_by(level: int, cells: int, number: int, particles: Particles) -> float:
    """The probability of the particles in which the other has stones on all ``cells``."""
    codes, chances = particles
    total = 0.0
    for i in range(number):
        if codes[level, i] & cells == cells:
            total += chances[level, i]
    return total


@kernel
def after(
    rules: Rules,
    policy: Floats,
    player: int,
    level: int,
    cell: int,
    number: int,
    mine: int,
    met: bool,
    particles: Particles,
) -> tuple[int, float]:
    """Write the particles at the next own attempt, after one on ``cell``; see ``turn``."""
    if met and not rules[3]:
        return narrow(level, cell, number, particles), 0.0
    return turn(rules, policy, player, level, cell, number, mine, met, particles)


@kernel
def narrow(level: int, cell: int, number: int, particles: Particles) -> int:
    """Write the particles in which the other has a stone on ``cell`` to the next level."""
    codes, chances = particles
    found = 0
    for i in range(number):
        if codes[level, i] & cell != 0:
            codes[level + 1, found] = codes[level, i]
            chances[level + 1, found] = chances[level, i]
            found += 1
    return found


@kernel
def turn(
    rules: Rules,
    policy: Floats,
    player: int,
    level: int,
    cell: int,
    number: int,
    mine: int,
    met: bool,
    particles: Particles,
) -> tuple[int, float]:
    """Write the particles after a turn of the other to the next level.

    Those count in which the other has a stone on ``cell``, or with ``met`` False has none there.
    ``mine`` are the stones of ``player``. Returns how many particles there are, and the probability
    that the other has won.
    """
    wins, ranks, first, abrupt = rules
    codes, chances = particles
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
