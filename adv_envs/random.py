"""Random numbers that are the same compiled and in plain Python: a generator in one integer."""

from __future__ import annotations

from typing import Any

MASK = (1 << 62) - 1

FRACTION = 2.0**-32


def advanced(state: Any) -> Any:
    """The state after ``state``: Knuth's linear congruential generator (MMIX), modulo 2**62.

    Only the upper half of a state is ever used: the lower bits of such a generator have short
    periods. Numbers drawn from two seeds differ if the states are ``scattered``. For int64 arrays,
    too.
    """
    return (state * 6364136223846793005 + 1442695040888963407) & MASK


def below(state: int, number: int) -> int:
    """A number from 0 to ``number`` - 1, for 0 < number < 2**30."""
    return (state >> 30) * int(number) >> 32


def fraction(state: Any) -> Any:
    """A number from 0 to 1, 1 excluded; of int64 arrays, too."""
    return (state >> 30) * FRACTION


def scattered(seed: Any) -> Any:
    """A state to begin with, far from that of the next seed; of int64 arrays, too.

    Source: G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom Number Generators (2014).
    """
    state = seed & MASK
    for multiplier in (0x1F58476D1CE4E5B9, 0x14D049BB133111EB):
        state = (state ^ (state >> 30)) * multiplier & MASK
        state = (state ^ (state >> 27)) + 0x1E3779B97F4A7C15 & MASK
    return state ^ (state >> 31)


def chance_action(position: Any, mark: float) -> int:
    """The action of chance that ``mark``, a random number from 0 to 1, 1 excluded, falls on.

    Each has the share of its probability. Should the sum fall short of 1 by rounding, the last
    possible one has the rest.
    """
    left, last = mark, 0
    for action in range(position.num_actions):
        probability = position.probability(action)
        if probability > 0.0:
            last = action
            left -= probability
            if left < 0.0:
                break
    return last
