"""The transposition table of the Connect Four solver: bounds of scores, a word for each position.

A word is  tag | stones (6 bits) | lower bound + 64 (7 bits) | upper bound + 64 (7 bits), and 0 is
an empty one. The number of a position, below 2**KEY_BITS, is multiplied by an odd constant modulo
2**KEY_BITS, which only puts the numbers into another order. The leading bits of the product name
the bucket, the others are the tag: bucket and tag together are the product, and so the position.
Two positions can never be taken for each other, and a bound of the score stays right for ever: a
table may be kept from one search to the next, and shared by threads, which read and write whole
words.

The first 2**NEAR_BITS buckets are the near table: for positions with NEAR_FROM stones or more, of
which there are most, and which come again soon or never. It is so small that it stays in the
processor's own cache. Each bucket has two words: the first for the position with the fewest stones,
which took the longest, the second for the latest (D. M. Breuker, "Memory versus Search in Games",
1998: TwoDeep).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import inlined, kernel

from .bitboard import KEY_BITS, MIRRORED_UNTIL, NEAR_BITS, NEAR_FROM, mirrored, number_of

ODD = 0x1E3779B97F4A7C15
"""An odd number whose bits look random: 2**61 times the golden ratio, roughly."""

SLOTS = 2
"""Words in a bucket."""

TAG_BITS = 43
"""The most bits that a tag may have."""


def new_table(constants: dict[str, int], megabytes: float) -> tuple[NDArray[np.int64], int]:
    """An empty table in at most ``megabytes``, and how far to shift a product to get its bucket.

    ValueError if so many bytes are too few: tags would not fit into the words.
    """
    key_bits, near_bits = constants["KEY_BITS"], constants["NEAR_BITS"]
    near = SLOTS << near_bits
    least = max(key_bits - TAG_BITS, 0)
    buckets = (int(megabytes * 2**20) // 8 - near) // SLOTS
    bits = min(buckets.bit_length() - 1, key_bits) if buckets > 0 else -1
    if bits < least:
        needed = 8 * (near + (SLOTS << least)) / 2**20
        raise ValueError(
            f"table_mb={megabytes:g} is too small: a board of {constants['HEIGHT']} x "
            f"{constants['WIDTH']} needs at least {needed:.2g}"
        )
    return np.zeros(near + (SLOTS << bits), np.int64), key_bits - bits


@inlined
@kernel
def product_of(own, both, stones):  # type: ignore[no-untyped-def]
    """What stands for a position in the table."""
    number = number_of(own, both)
    if stones < MIRRORED_UNTIL:
        number = min(number, mirrored(number))
    return (number * ODD) & ((1 << KEY_BITS) - 1)


@inlined
@kernel
def bucket(product, stones, shift):  # type: ignore[no-untyped-def]
    """Where the bucket begins, and the tag."""
    if stones >= NEAR_FROM:
        shift = KEY_BITS - NEAR_BITS
        return (product >> shift) * SLOTS, product & ((1 << shift) - 1)
    return (SLOTS << NEAR_BITS) + (product >> shift) * SLOTS, product & ((1 << shift) - 1)


@inlined
@kernel
def recall(product, stones, table, shift):  # type: ignore[no-untyped-def]
    """A lower and an upper bound of the score of a position; -64 and 64 if nothing is known."""
    at, tag = bucket(product, stones, shift)
    word = int(table[at])
    if word == 0 or word >> 20 != tag:
        word = int(table[at + 1])
        if word == 0 or word >> 20 != tag:
            return -64, 64
    return (word >> 7 & 127) - 64, (word & 127) - 64


@inlined
@kernel
def remember(product, lower, upper, stones, table, shift):  # type: ignore[no-untyped-def]
    """Keep bounds, -63 to 63, of the score of a position, and those that are known already."""
    at, tag = bucket(product, stones, shift)
    first = int(table[at])
    if first != 0 and first >> 20 == tag:
        lower, upper = max(lower, (first >> 7 & 127) - 64), min(upper, (first & 127) - 64)
    else:
        second = int(table[at + 1])
        if second != 0 and second >> 20 == tag:
            lower, upper = max(lower, (second >> 7 & 127) - 64), min(upper, (second & 127) - 64)
            at += 1
        elif first == 0 or stones <= (first >> 14 & 63):
            table[at + 1] = first
        else:
            at += 1
    table[at] = tag << 20 | stones << 14 | (lower + 64) << 7 | (upper + 64)
