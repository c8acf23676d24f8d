"""Keeps transposition tables: what a search knows about a position, exact to the last bit.

There is one table for all searches. A slot holds the whole state of its position, packed into
64-bit words, not a hash of it, so a clash of hashes can cost time but never give a wrong value. All
positions of one search share their parameters (the size of the board), which are therefore left
out.

Replacement: every key has a bucket of two slots. The first keeps what took most work, the depth of
a search or its number of nodes, the second whatever came last: "two-deep" and "two-big" replacement
of Breuker, Uiterwijk and van den Herik, Replacement Schemes for Transposition Tables (1994). To
clear a large table costs more than a short search, so tables are reused: a slot counts only if it
has the table's generation. Words are kept xor the note beside them: where threads that share a
table write one slot at once, it fits to no key (R. Hyatt and T. Mann, A lock-less transposition
table, 2002).

``probe`` and ``store`` are for alpha-beta and expectiminimax: values or bounds of them, by depth,
with the best action. A game may leave out of its positions what hardly matters to their value
(``Knowledge.table_key``). Positions that are images of each other under a symmetry of the game
share one entry, that of the image whose words are the smallest.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel
from adv_envs.random import hash_word

from .limits import EVALUATION_LIMIT, STEP
from .minimax import SearchWindow

WORK, GENERATION = 24, 48
"""The lowest bits of the work and of the generation in a note, whose first 24 bits are data."""

MOST_WORK, MOST_GENERATION = (1 << GENERATION - WORK) - 1, (1 << 63 - GENERATION) - 1
"""More work counts as much; after the last generation a table is cleared."""


class HashTable(NamedTuple):
    """Notes and numbers about keys of some words."""

    entries: NDArray[np.int64]
    """(n, words + 1): the words of a key, each xor the note, and the note: data of the search, the
    work that it took, and the generation. n is a power of two, or 0 if there is no memory."""
    values: NDArray[np.float64]
    """(n, numbers): what else is kept of each key."""
    key: NDArray[np.int64]
    """(2, words + 1): the key to look for, and the generation; a key to compare it with."""


def new_table(words: int, megabytes: float, numbers: int = 0, least: int = 0) -> HashTable:
    """Returns an empty table of at most ``megabytes``, but with ``least`` slots.

    Keys have this number of ``words``, and each has ``numbers`` besides its note.
    """
    n = max(num_slots(words, megabytes, numbers), least)
    key = np.zeros((2, words + 1), np.int64)
    key[0, words] = 1
    return HashTable(np.zeros((n, words + 1), np.int64), np.zeros((n, numbers)), key)


def num_slots(words: int, megabytes: float, numbers: int) -> int:
    """Returns how many slots fit: a power of two, or 0 if there is no memory for two."""
    slots = int(megabytes * 2**20) // (8 * (words + 1 + numbers))
    return 1 << slots.bit_length() - 1 if slots > 1 else 0


@kernel
def find(table: HashTable) -> int:
    """Returns the slot of the table's key; -1 if it has none. There is memory for two keys."""
    at = bucket(table)
    if holds_key(table, at + 1):
        return at + 1
    return at if holds_key(table, at) else -1


@kernel
def slot_for(table: HashTable, work: int) -> int:
    """Returns the slot to write what took so much ``work`` into."""
    at = bucket(table)
    if holds_key(table, at + 1):
        return at + 1
    note, generation = note_at(table, at), table.key[0, table.key.shape[1] - 1]
    kept = note >> GENERATION == generation and work_of(note) > work
    return at + 1 if kept and not holds_key(table, at) else at


@kernel
def write(table: HashTable, at: int, data: int, work: int) -> None:
    """Writes the table's key into slot ``at``, with up to 24 bits of data and the work it took."""
    last = table.entries.shape[1] - 1
    note = int(table.key[0, last]) << GENERATION | min(work, MOST_WORK) << WORK | data
    for word in range(last):
        table.entries[at, word] = table.key[0, word] ^ note
    table.entries[at, last] = note


@kernel
def bucket(table: HashTable) -> int:
    """Returns the first of the two slots where the table's key may be."""
    hashed = 0
    for word in range(table.entries.shape[1] - 1):
        hashed = hash_word(hashed, table.key[0, word])
    return int(hashed & (table.entries.shape[0] - 2))


@kernel
def holds_key(table: HashTable, at: int) -> bool:
    """Returns whether slot ``at`` has the present generation and the table's key."""
    last = table.entries.shape[1] - 1
    note = table.entries[at, last]
    if note >> GENERATION != table.key[0, last]:
        return False
    for word in range(last):
        if table.entries[at, word] ^ note != table.key[0, word]:
            return False
    return True


@kernel
def note_at(table: HashTable, at: int) -> int:
    """Returns the note in slot ``at``."""
    return int(table.entries[at, table.entries.shape[1] - 1])


def data_of(note: int) -> int:
    """Returns the data of the search in a note."""
    return note & (1 << WORK) - 1


def work_of(note: int) -> int:
    """Returns the work of an entry, in the unit of the search, that a note holds."""
    return note >> WORK & MOST_WORK


# ---- tables of positions that are used again

KEPT_BYTES = 64 * 2**20
"""The size of the largest table that is kept for the next search."""

_released: list[HashTable] = []
"""The table that was released last, if no search has acquired it since."""


def acquire(position: Position, megabytes: float) -> HashTable:
    """Returns an empty table of values for one game's positions, in at most ``megabytes``."""
    words = num_words(position)
    with contextlib.suppress(IndexError):
        table = _released.pop()  # two threads cannot both get it
        if table.entries.shape == (num_slots(words, megabytes, 1), words + 1):
            table.key[0, words] += 1
            if table.key[0, words] > MOST_GENERATION:
                table.entries[:], table.key[0, words] = 0, 1
            return table
    return new_table(words, megabytes, numbers=1)


def release(table: HashTable) -> None:
    """Lets the next search have the memory of a table, unless it is large."""
    small = table.entries.nbytes + table.values.nbytes <= KEPT_BYTES
    _released[:] = [table] if small else []


# ---- the key of a position

SYMMETRIC = 6
"""Symmetries are used from this depth on; below, making the images costs more than it saves."""

KEYED = False
"""Whether ``table_key`` is bound."""


def table_key(position: Position) -> Position:
    """Returns what of a position a table remembers it by: all, or a game's own may be bound."""
    return position


def num_images(position: Position) -> int:
    """Returns how many images ``position`` has, itself included; a game's own may be bound."""
    return 1


def image(position: Position, i: int) -> Position:
    """Returns the i-th image, the 0-th being the position itself. Only to be packed, not played."""
    return position


def image_action(position: Position, action: int, i: int) -> int:
    """Returns what ``action`` is in the i-th image."""
    return action


def inverse_image(position: Position, i: int) -> int:
    """Returns the number of the image that leads back from the i-th."""
    return i


@kernel
def write_key(position: Position, depth: int, table: HashTable) -> int:
    """Makes the words of ``position``, or of its smallest image, the key; returns which image."""
    key, other = table.key[0], table.key[1]
    smallest = 0
    if depth < SYMMETRIC:
        pack(table_key(position), key)
    else:
        pack(table_key(image(position, 0)), key)
        for i in range(1, num_images(position)):
            pack(table_key(image(position, i)), other)
            if precedes(other, key):
                smallest = i
                for word in range(key.shape[0] - 1):
                    key[word] = other[word]
    return smallest


@kernel
def find_position(position: Position, table: HashTable) -> int:
    """Returns the slot of ``position``, which becomes the key; -1 if it has none."""
    write_key(position, 0, table)
    return find(table)


@kernel
def precedes(words: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
    """Returns whether a row comes before another in lexical order, the last number aside."""
    for i in range(words.shape[0] - 1):
        if words[i] != others[i]:
            return bool(words[i] < others[i])
    return False


# ---- values of positions

EXACT, LOWER, UPPER = range(3)
"""What a stored value is: the value itself, a lower or an upper bound."""

BOUND, COMPLETE, ACTION = 3, 4, 3
"""The data of an entry: the bits of the bound type, the bit that says whether the value is
complete, and the lowest bit of the best action."""


def bound_type(value: float, alpha: float, beta: float) -> int:
    """Returns what a fail-soft search with this window found: EXACT, or a LOWER or UPPER bound."""
    return LOWER if value >= beta else UPPER if value <= alpha else EXACT


def decides(bound: int, value: float, alpha: float, beta: float) -> bool:
    """Returns whether a value with this bound type answers a search with this window."""
    return (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )


@kernel
def probe(
    position: Position, window: SearchWindow, table: HashTable
) -> tuple[bool, float, bool, int]:
    """Returns (whether the table answers, the value, whether it is complete, the best action).

    It answers if the position was searched to exactly this depth, or completely (no line was cut
    off by a depth limit: right at every depth), and the value decides the window. The action is -1
    for unknown positions.
    """
    if table.entries.shape[0] == 0:
        return False, 0.0, False, -1
    i = write_key(position, window.depth, table)
    at = find(table)
    if at < 0:
        return False, 0.0, False, -1
    note = note_at(table, at)
    complete, data = note & COMPLETE != 0, data_of(note)
    action = image_action(position, data >> ACTION, inverse_image(position, i))
    value = table.values[at, 0]
    if value > EVALUATION_LIMIT:  # stored as seen from the position, wanted as seen from the root
        value -= STEP * window.ply
    elif value < -EVALUATION_LIMIT:
        value += STEP * window.ply
    known = decides(data & BOUND, value, window.alpha, window.beta)
    return known and (complete or work_of(note) == window.depth), value, complete, action


@kernel
def store(
    position: Position,
    window: SearchWindow,
    complete: bool,
    value: float,
    action: int,
    table: HashTable,
) -> None:
    """Stores what a search with this window found."""
    if table.entries.shape[0] == 0:
        return
    i = write_key(position, window.depth, table)
    at = slot_for(table, window.depth)
    bound = bound_type(value, window.alpha, window.beta)
    data = image_action(position, action, i) << ACTION | bound
    write(table, at, data | COMPLETE if complete else data, window.depth)
    if value > EVALUATION_LIMIT:
        value += STEP * window.ply
    elif value < -EVALUATION_LIMIT:
        value -= STEP * window.ply
    table.values[at, 0] = value
