"""Best responses to uniform play in phantom games, in another way: what is alike is merged.

Against uniform play it does not matter in which order the other has made the attempts: a world is a
pair of sets, the other's stones and attempts, and worlds that are equal are added up.
"""

from typing import Any

import numpy as np

from adv_envs.jit import kernel


def best_against_uniform(start: Any, player: int) -> float:
    """What ``player`` wins at most against an opponent who tries all cells alike."""
    n = start.num_actions
    cells = [[1 << start.entry(a) for a in range(n) if s >> a & 1] for s in range(1 << n)]
    wins = np.array([[start.wins(sum(c), p) for c in cells] for p in (0, 1)])
    worlds = np.zeros((n + 2, 1 << 2 * n), np.int64), np.zeros((n + 2, 1 << 2 * n))
    sums = np.zeros((1 << 2 * n) + 1)  # by world; the last is how many there are
    if player == 0:
        worlds[1][0, 0] = 1.0
        return best(n, 0, wins, start.abrupt, 0, worlds, 1, 0, 0, sums)
    lost = answer(n, 1, wins, start.abrupt, 1, worlds, 0, 0, 1.0, sums)
    found = collect(1, worlds, sums)
    return best(n, 1, wins, start.abrupt, 1, worlds, found, 0, 0, sums) - lost


@kernel
def best(
    n: int, player: int, wins: Any, abrupt: bool, level: int, worlds: Any, number: int,
    mine: int, tried: int, sums: Any,
) -> float:  # fmt: skip
    most = -2.0
    for action in range(n):
        cell = 1 << action
        if tried & cell != 0:
            continue
        value = 0.0
        for met in range(2):
            own, found = mine if met == 1 else mine | cell, 0
            for i in range(number):
                world, chance = worlds[0][level, i], worlds[1][level, i]
                if (world & cell != 0) != (met == 1):
                    continue
                if met == 0 and wins[player, own]:
                    value += chance
                elif met == 1 and not abrupt:
                    worlds[0][level + 1, found], worlds[1][level + 1, found] = world, chance
                    found += 1
                elif world & (1 << n) - 1 | own != (1 << n) - 1:
                    value -= answer(
                        n, player, wins, abrupt, level + 1, worlds, own, world, chance, sums
                    )
            if met == 0 or abrupt:
                found = collect(level + 1, worlds, sums)
            if found > 0:
                value += best(
                    n, player, wins, abrupt, level + 1, worlds, found, own, tried | cell, sums
                )
        most = max(most, value)
    return most


@kernel
def answer(
    n: int, player: int, wins: Any, abrupt: bool, level: int, worlds: Any, mine: int, world: int,
    chance: float, sums: Any,
) -> float:  # fmt: skip
    """Add up the worlds after a turn of the other; returns the probability that the other wins."""
    left, lost = 0, 0.0
    for action in range(n):
        left += 1 - (world >> n + action & 1)
    for action in range(n):
        cell = 1 << action
        if world >> n & cell != 0:
            continue
        after, share = world | cell << n, chance / left
        if mine & cell == 0:
            after |= cell
            if wins[1 - player, after & (1 << n) - 1]:
                lost += share
                continue
            if after & (1 << n) - 1 | mine == (1 << n) - 1:
                continue
        elif not abrupt:
            lost += answer(n, player, wins, abrupt, level, worlds, mine, after, share, sums)
            continue
        if sums[after] == 0.0:
            worlds[0][level, int(sums[-1])] = after
            sums[-1] += 1
        sums[after] += share
    return lost


@kernel
def collect(level: int, worlds: Any, sums: Any) -> int:
    number = int(sums[-1])
    for i in range(number):
        world = worlds[0][level, i]
        worlds[1][level, i] = sums[world]
        sums[world] = 0.0
    sums[-1] = 0.0
    return number
