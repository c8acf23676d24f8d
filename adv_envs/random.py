"""Seeds, and random numbers that are the same compiled and in plain Python.

The generator of batches and kernels is one integer. It is fast and no secret: who sees enough of
its numbers can compute the next. Seeds that players learn are therefore derived by a hash.
"""

from __future__ import annotations

import hashlib
import operator
import os
from typing import Any

MASK = (1 << 62) - 1
"""States and hashes stay within 62 bits, so that they are the same in plain Python."""

GOLDEN = 0x1E3779B97F4A7C15
"""2**61 times the golden ratio, roughly: an odd number whose bits look random."""

FRACTION = 2.0**-32


def root_seed(seed: int | None = None) -> int:
    """Returns the seed that all randomness of a run is derived from: ``seed``, or 64 random bits.

    TypeError unless ``seed`` is a whole number or None.
    """
    if seed is None:
        return _random_seed()
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"seed must be a whole number or None, not {seed!r}")
    return operator.index(seed)


def _random_seed() -> int:
    """Returns 64 bits of the operating system's randomness."""
    return int.from_bytes(os.urandom(8), "big")


def plain_seed(seed: Any) -> Any:
    """Returns ``seed``, NumPy's integers as Python's, for which Gymnasium asks."""
    is_number = type(seed).__module__ == "numpy" and getattr(seed, "ndim", 1) == 0
    return operator.index(seed) if is_number and hasattr(seed, "__index__") else seed


def derived_seed(root: int, *stream: str | int, bits: int = 64) -> int:
    """Returns the seed of a stream of random numbers, 0 to 2**bits - 1; at most 64 bits.

    ``stream`` is its name, of words without spaces and numbers, such as ("chance", 7). Seeds of
    different streams are independent: who knows some of them learns nothing about the others, nor
    about ``root``, unless the roots are so few that all can be tried. The derivation is BLAKE2
    (RFC 7693) of the root and the name.
    """
    text = f"{root} {' '.join(map(str, stream))}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> (64 - bits)


def advanced(state: Any) -> Any:
    """Returns the state after ``state``: Knuth's linear congruential generator (MMIX), mod 2**62.

    Only the upper half of a state is ever used: the lower bits of such a generator have short
    periods. Numbers drawn from two seeds differ if the states are ``scattered``. For int64 arrays,
    too.
    """
    return (state * 6364136223846793005 + 1442695040888963407) & MASK


def below(state: int, number: int) -> int:
    """Draws 0 to ``number`` - 1 from a state's high bits, for 0 < number < 2**30."""
    return (state >> 30) * int(number) >> 32


def fraction(state: Any) -> Any:
    """Returns a number from 0 to 1, 1 excluded; of int64 arrays, too."""
    return (state >> 30) * FRACTION


def scattered(seed: Any) -> Any:
    """Returns a state to begin with, far from that of the next seed; of int64 arrays, too.

    Source: G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom Number Generators (2014).
    """
    state = seed & MASK
    for multiplier in (0x1F58476D1CE4E5B9, 0x14D049BB133111EB):
        state = (state ^ (state >> 30)) * multiplier & MASK
        state = (state ^ (state >> 27)) + GOLDEN & MASK
    return state ^ (state >> 31)


def hash_word(hashed: int, word: int) -> int:
    """Returns the hash of some words and one more: Fibonacci hashing, word by word."""
    hashed = ((hashed ^ (int(word) & MASK)) * GOLDEN) & MASK
    return hashed ^ hashed >> 29


def chance_action(position: Any, mark: float) -> int:
    """Returns the action of chance that ``mark``, random in [0, 1), falls on.

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


def chance_of(position: Any, action: int) -> float:
    """Returns the probability of an action of chance."""
    return position.probability(action)  # type: ignore[no-any-return]


def impossible(position: Any, action: int) -> float:
    """Returns 0: ``chance_of`` for games without chance, which have no such method to compile."""
    return 0.0
