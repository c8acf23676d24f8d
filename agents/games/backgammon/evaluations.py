"""Evaluations of Backgammon, as estimates of the points that the player to move will win."""

from __future__ import annotations

from math import exp

from adv_envs import Backgammon
from adv_envs.bits import digit
from adv_envs.jit import kernel
from adv_envs.position import Wide


@kernel
def pip_count(men: Wide) -> int:
    """Returns how many pips a player's men still have to run."""
    pips = 0
    for place in range(25):
        pips += (25 - place) * digit(men, place)
    return pips


@kernel
def race(position: Backgammon) -> float:
    """Returns the chance of winning the race, as if nobody stood in the way, from -1 to 1.

    The lead in pips, with 4 for being on roll, against the square root of all pips.
    """
    own, opp = pip_count(position.own), pip_count(position.opp)
    lead = (opp - own + 4) / (1 + own + opp) ** 0.5
    return 2 / (1 + exp(-0.9 * lead)) - 1


@kernel
def blots_and_points(position: Backgammon) -> float:
    """Returns the race, corrected for blots in danger, made points and men on the bar, -1 to 1."""
    men, others = position.own, position.opp
    value = race(position) + 0.5 * structure(men, others) - 0.5 * structure(others, men)
    return max(-1.0, min(1.0, value))


@kernel
def structure(men: Wide, others: Wide) -> float:
    """Returns the value of one player's points, less the danger to that player's blots."""
    value = -0.2 * digit(men, 0)
    behind = 0  # the opponent's men that have still to pass this place
    for place in range(25):
        behind += digit(others, 25 - place) if place > 0 else digit(others, 25) * 0
        count = digit(men, place)
        if place > 0 and count == 1:
            value -= 0.002 * place + 0.02
        if place > 0 and count >= 2:
            value += 0.06 if 18 <= place <= 22 else 0.03 if place >= 14 else 0.02
        if count > 4:
            value -= 0.02 * (count - 4)
    return value
