"""Moves of Hex whose value connections tell without any search, on boards of every size."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex

from .anchored import EMPTY, anchored_search, steps_on
from .carriers import BITS, KEYS, MUST, Space, space_for, words_for
from .connections import JOINED, NOTHING, THREAT

_rooms = threading.local()
"""The room of every thread, one for each size."""


def decided(position: Hex) -> dict[int, float]:
    """The exact value, 1 or -1 for the player to move, of those moves of an unfinished game.

    If the player to move has a semi-connection of their edges, a move on which one begins wins. If
    the opponent has a full one every move loses; if they have semi-connections, every move loses
    that is not in the carriers of all of them: outside of the must-play region.
    """
    size, mover = position.size, position.to_move
    owner = owners(position)
    sets, found = search(owner, mover, size, THREAT)
    if found == JOINED:
        return dict.fromkeys(cells_of(sets[MUST], owner), 1.0)
    if found == THREAT:
        return dict.fromkeys(cells_of(sets[KEYS], owner), 1.0)
    sets, found = search(owner, 1 - mover, size, JOINED)
    if found == NOTHING:
        return {}
    losing = np.flatnonzero(owner == EMPTY)
    if found == THREAT:
        losing = np.setdiff1d(losing, cells_of(sets[MUST], owner), assume_unique=True)
    return dict.fromkeys(losing.tolist(), -1.0)


def search(
    owner: NDArray[np.int64], player: int, size: int, enough: int
) -> tuple[NDArray[np.int64], int]:
    """The sets and the answer of an ``anchored_search``."""
    rooms: dict[int, Space] = _rooms.__dict__.setdefault("spaces", {})
    if size not in rooms:
        rooms[size] = space_for(size)
    kernel = anchored_search.bind(WORDS=words_for(size))
    found = kernel(owner, player, size, enough, steps_on(size), rooms[size])
    return rooms[size][2], found


def owners(position: Hex) -> NDArray[np.int64]:
    """(cells,): 0 or 1 for the stones of both players, 2 for empty cells."""
    size = position.size
    owner = np.full(size * size, EMPTY, np.int64)
    for player in (0, 1):
        raw = position.stones(player).to_bytes(size * (size + 1) // 8 + 1, "little")
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")
        rows = bits[: size * (size + 1)].reshape(size, size + 1)[:, :size]
        owner[rows.ravel() == 1] = player
    return owner


def cells_of(words: NDArray[Any], owner: NDArray[np.int64]) -> list[int]:
    """The empty cells of a set."""
    return [
        cell
        for cell in np.flatnonzero(owner == EMPTY).tolist()
        if int(words[cell // BITS]) >> cell % BITS & 1
    ]
