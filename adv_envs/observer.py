"""What the players of a position see, as NumPy arrays, quickly and without a compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .position import Board, Position


class Observer:
    """Observations and action masks of the positions of one game, for any game."""

    def __init__(self, start: Position) -> None:
        high = np.max(start.observation_high)
        self.shape = start.observation_shape
        self.dtype = next(t for t in (np.int8, np.int16, np.int32) if high <= np.iinfo(t).max)
        self.num_actions = start.num_actions

    def observation(self, position: Position, player: int) -> NDArray[Any]:
        """A new array of ``observation_shape``: what ``player`` sees."""
        planes = np.zeros(self.shape, self.dtype)
        position.observe(player, planes)
        return planes

    def mask(self, position: Position) -> NDArray[np.int8]:
        """A new array of shape (num_actions,): 1 where the action is legal, for who is to move."""
        legal = [position.legal(action) for action in range(self.num_actions)]
        return np.array(legal, np.int8)

    def both(self, position: Position, player: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What ``player`` sees, and the mask of who is to move."""
        return self.observation(position, player), self.mask(position)


class BoardObserver(Observer):
    """The same for boards: the stones are unpacked together, not cell by cell.

    The occupied cells, the opponent's stones and the player's own are strung together as one
    integer and written as binary digits, which are bytes: NumPy picks them in observation order,
    then those of the cells that the actions need empty, and turns the characters into numbers.
    """

    def __init__(self, start: Board) -> None:
        super().__init__(start)
        rows, columns = range(start.height), range(start.width)
        cells = np.array([[start.bit(row, column) for column in columns] for row in rows])
        entries = np.array([start.entry(action) for action in range(start.num_stone_actions)])
        self.bits = int(cells.max()) + 1
        self.format = f"0{3 * self.bits}b"
        last = 3 * self.bits - 1  # digits run from the highest bit to the lowest
        planes = np.stack([last - cells, last - cells - self.bits], axis=2).ravel()
        self.size = planes.size
        self.index = np.concatenate([planes, last - entries - 2 * self.bits])
        zeros = np.full(self.index.size, ord("0"), np.int8)
        zeros[self.size :] = ord("1")  # an action is legal where the cell is not occupied
        self.zeros = zeros
        self.others = range(start.num_stone_actions, start.num_actions)

    def observation(self, position: Position, player: int) -> NDArray[Any]:
        """A new array of shape (height, width, 2): own stones, the opponent's stones."""
        return self.both(position, player)[0]

    def mask(self, position: Position) -> NDArray[np.int8]:
        """A new array of shape (num_actions,): 1 where the action is legal, for who is to move."""
        return self.both(position, 0)[1]

    def both(self, position: Any, player: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What ``player`` sees, and the mask of who is to move."""
        own, opp, bits = position.own, position.opp, self.bits
        if player != position.to_move:
            own, opp = opp, own
        digits = format(((own | opp) << bits | opp) << bits | own, self.format)
        picked = np.frombuffer(digits.encode(), np.int8).take(self.index) ^ self.zeros
        mask = picked[self.size :]
        if self.others:
            mask = np.append(mask, np.array([position.legal(a) for a in self.others], np.int8))
        return picked[: self.size].reshape(self.shape), mask


def observer(start: Position) -> Observer:
    """The quickest observer for the game that begins with ``start``."""
    return BoardObserver(start) if isinstance(start, Board) else Observer(start)
