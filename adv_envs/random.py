"""Random numbers that are the same compiled and in plain Python: a generator in one integer."""

from __future__ import annotations

MASK = (1 << 62) - 1

FRACTION = 2.0**-32


def advanced(state: int) -> int:
    """The state after ``state``: Knuth's linear congruential generator (MMIX), modulo 2**62.

    Only the upper half of a state is ever used: the lower bits of such a generator have short
    periods. Numbers drawn from two seeds differ if the states are ``scattered``.
    """
    return (state * 6364136223846793005 + 1442695040888963407) & MASK


def below(state: int, number: int) -> int:
    """A number from 0 to ``number`` - 1, for 0 < number < 2**30."""
    return (state >> 30) * int(number) >> 32


def fraction(state: int) -> float:
    """A number from 0 to 1, 1 excluded."""
    return (state >> 30) * FRACTION


def scattered(seed: int) -> int:
    """A state to begin with, far from that of the next seed. Source: Steele et al., SplitMix."""
    state = seed & MASK
    for multiplier in (0x1F58476D1CE4E5B9, 0x14D049BB133111EB):
        state = (state ^ (state >> 30)) * multiplier & MASK
        state = (state ^ (state >> 27)) + 0x1E3779B97F4A7C15 & MASK
    return state ^ (state >> 31)
