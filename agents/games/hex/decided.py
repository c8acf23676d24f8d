"""Moves of Hex whose value connections tell without any search, on boards of every size."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Hex

from .anchored import EMPTY, anchored_search, steps_on
from .board import RING
from .carriers import BITS, KEYS, MUST, Space, space_for, words_for
from .connections import JOINED, NOTHING, THREAT
from .inferior import fill_board, patterns

ROWS, COLUMNS = np.array(RING).T.copy()
"""The steps to the neighbours of a cell."""

_rooms = threading.local()
"""The room of every thread, one for each size."""


def decided(position: Hex) -> dict[int, float]:
    """The exact value, 1 or -1 for the player to move, of those moves of an unfinished game.

    Dead and captured cells are filled in first, which changes no winner. If the player to move has
    a semi-connection of their edges, a move on which one begins wins. If the opponent has a full
    one every move loses; if they have semi-connections, every move loses that is not in the
    carriers of all of them, outside of the must-play region. To play on a cell that was filled in
    is to pass, unless it is one that the opponent captured: of those nothing is known then.
    """
    size, mover = position.size, position.to_move
    stones = owners(position)
    owner, empty = stones.copy(), np.flatnonzero(stones == EMPTY)
    fill_board(owner, mover, size, ROWS, COLUMNS, patterns())
    winning = joining(owner, mover, size)
    if winning == []:  # what was filled in joins the edges: where does it?
        winning = joining(stones, mover, size) or empty[owner[empty] == mover].tolist()
    if winning:
        return dict.fromkeys(winning, 1.0)
    sets, found = search(owner, 1 - mover, size, JOINED)
    if found == NOTHING:
        return {}
    must = cells_of(sets[MUST], owner) if found == THREAT else []
    if not must:
        return dict.fromkeys(empty.tolist(), -1.0)
    losing = np.setdiff1d(empty[owner[empty] != 1 - mover], must, assume_unique=True)
    return dict.fromkeys(losing.tolist(), -1.0)


def joining(owner: NDArray[np.int64], player: int, size: int) -> list[int] | None:
    """Cells on which ``player``, to move, joins their edges; None: none is known.

    If they are fully connected by now these are the cells of the connection, none if it has none.
    """
    sets, found = search(owner, player, size, THREAT)
    return None if found == NOTHING else cells_of(sets[MUST if found == JOINED else KEYS], owner)


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
