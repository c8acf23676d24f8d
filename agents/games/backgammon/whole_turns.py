"""The best way to play a whole turn, each end of a turn visited once."""

from __future__ import annotations

from math import inf
from typing import Any

from adv_envs import Backgammon
from adv_envs.bits import scratch
from adv_envs.games.backgammon import mirrored, movable, places_of
from adv_envs.jit import kernel


def value_of_end(position: Any, context: Any) -> float:
    """Returns the value of the end of a turn for the player who has played it; bound by users."""
    return 0.0


@kernel
def best_end(
    position: Backgammon, first: int, skipped: int, context: Any
) -> tuple[float, Backgammon]:
    """Returns the value of the best end of the turn for the player to move, and that position.

    Moves that can be played in either order are played in one. Of equal dice, men move in the order
    of their places, from ``first`` on; of different dice, the lower one comes first only if the
    move by the higher one was not possible before: these are the places ``skipped``. Users call it
    with 0 and 0. Where no order is left the value is -inf.
    """
    best, end = -inf, position
    actions = scratch(156)
    low, high = position.low_and_high()
    equal = low == high
    before = 0  # where the higher die could be played first
    if not equal:
        men, blocked = places_of(position.own, 1), mirrored(places_of(position.opp, 2))
        before = movable(men, blocked, high)
    for i in range(position.write_legal(actions)):
        action = int(actions[i])
        place = action // 6 - 1
        if place >= 0 and (place < first or skipped >> place & 1 == 1):
            continue
        child = position.play(action)
        if child.dice == 0:
            value, after = value_of_end(child, context), child
        elif equal:
            value, after = best_end(child, place, 0, context)
        else:
            value, after = best_end(child, 0, before if action % 6 + 1 == low else 0, context)
        if value > best:
            best, end = value, after
    return best, end


@kernel
def best_value(position: Backgammon, context: Any) -> float:
    """Returns the value of the best end of the turn; ``position`` may be an end itself."""
    if position.dice == 0:
        return value_of_end(position, context)
    return best_end(position, 0, 0, context)[0]
