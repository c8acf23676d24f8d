"""The observations and action masks of players as NumPy arrays, fast and without a compiler."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from adv_envs.position import Board, Position, legal_rule


def smallest_dtype(start: Position) -> np.dtype[Any]:
    """The smallest signed integer type for the observations of a game: int8, int16 or int32."""
    high = np.max(start.observation_high)
    return np.dtype(next(t for t in ("int8", "int16", "int32") if high <= np.iinfo(t).max))


class ObservationWriter:
    """The observations of the positions of one game, for any game."""

    def __init__(self, start: Position) -> None:
        self.shape = start.observation_shape
        self.dtype = smallest_dtype(start).type
        self.high = np.broadcast_to(np.array(start.observation_high, self.dtype), self.shape)
        self.num_actions = start.num_actions

    def observe(self, position: Position, player: int, to_move: bool) -> dict[str, NDArray[Any]]:
        """What ``player`` sees, in new arrays: "observation" and "action_mask".

        The observation has the game's observation_shape; the mask (num_actions,) int8 is 1 where an
        action is legal if the player is ``to_move``, else all 0.
        """
        planes = np.zeros(self.shape, self.dtype)
        position.observe(player, planes)
        mask = bytearray(self.num_actions)  # quicker than an array, a few actions at a time
        if to_move and position.lists_legal:
            for action in position.legal_actions():
                mask[action] = 1
        elif to_move:
            legal = legal_rule(type(position))
            mask[:] = bytes(legal(position, action) for action in range(self.num_actions))
        return {"observation": planes, "action_mask": np.ndarray(self.num_actions, np.int8, mask)}


class BoardObservationWriter(ObservationWriter):
    """The same for boards, which change little from ply to ply.

    It remembers what it showed last and changes only the cells whose stones have changed since:
    one or two after a move, more after a jump to another position.
    """

    def __init__(self, start: Board) -> None:
        super().__init__(start)
        actions = {start.entry(action): action for action in range(start.num_stone_actions)}
        cells = [(row, column) for row in range(start.height) for column in range(start.width)]
        self._cells = {
            1 << start.bit(*cell): (2 * i, actions.get(start.bit(*cell), -1))
            for i, cell in enumerate(cells)
        }  # each bit's place in the planes, and the action that needs the cell empty
        self._others = range(start.num_stone_actions, start.num_actions)
        self._shown: Position | None = None
        self._clear()

    def _clear(self) -> None:
        """Show an empty board: the bytes of both players' planes and of the mask."""
        self._stones = [0, 0]
        self._planes = [bytearray(2 * len(self._cells)) for _ in range(2)]
        self._mask = bytearray(b"\1" * self.num_actions)
        self._zeros = bytearray(self.num_actions)

    def observe(self, position: Position, player: int, to_move: bool) -> dict[str, NDArray[Any]]:
        """What ``player`` sees, in new arrays: "observation" and "action_mask"."""
        if position is not self._shown:
            self._show(position)
        mask = self._mask if to_move else self._zeros
        return {
            "observation": np.ndarray(self.shape, np.int8, bytearray(self._planes[player])),
            "action_mask": np.ndarray(self.num_actions, np.int8, bytearray(mask)),
        }

    def _show(self, position: Any) -> None:
        self._shown = position
        own, opp = position.own, position.opp
        stones = [opp, own] if position.to_move == 1 else [own, opp]
        occupied = own | opp
        if not occupied:
            self._clear()
        for player in (0, 1):
            changed = stones[player] ^ self._stones[player]
            while changed:
                bit = changed & -changed
                changed ^= bit
                cell, action = self._cells[bit]
                there = stones[player] & bit != 0
                self._planes[player][cell] = self._planes[1 - player][cell + 1] = there
                if action >= 0:
                    self._mask[action] = not occupied & bit
        self._stones = stones
        if self._others and position.lists_legal:
            self._mask[self._others.start :] = bytes(len(self._others))
            for action in position.legal_actions():
                self._mask[action] = 1
            return
        for action in self._others:
            self._mask[action] = position.legal(action)


def is_plain_board(position: Position) -> TypeGuard[Board]:
    """Whether observation and mask are those of every board: stones, and cells that are empty."""
    cls = type(position)
    return isinstance(position, Board) and all(
        getattr(cls, name) is getattr(Board, name)
        for name in ("observe", "stones", "observation_shape")
    )


def observation_writer(start: Position) -> ObservationWriter:
    """The quickest writer of observations for the game that begins with ``start``."""
    return BoardObservationWriter(start) if is_plain_board(start) else ObservationWriter(start)
