"""Writes players' observations and masks as NumPy arrays, fast and without a compiler."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import DTypeLike, NDArray

from adv_envs.layout import checked_dtype, is_plain_board, known_dtype, smallest_dtype
from adv_envs.position import Board, Position, legal_rule, require_between
from adv_envs.session import Session

MOST_BOARDS = 100
"""How many boards observations may show."""

NAMES = "observation", "action_mask"
"""The keys of observations that are dicts."""


class ObservationForm(NamedTuple):
    """Says how observations and masks are given; every environment has these options.

    - ``dtype`` of observations: bool, uint8, int8, int16, int32, int64, float32 or float64, if it
      can hold them; None for the smallest sufficient signed integer.
    - ``channels_first``: observations of shape (height, width, planes) become (planes, height,
      width).
    - ``flatten``: observations have one dimension, after that.
    - ``mask_dtype``: the dtype of action masks, any of these. Gymnasium's ``sample(mask)`` takes
      int8 only.
    - ``keys``: other names in observations that are dicts, such as {"observation": "observations"};
      those that are not named stay. The info remains "action_mask".

    A form can be called: ``form(observations, masks)``.
    """

    dtype: DTypeLike | None = None
    channels_first: bool = False
    flatten: bool = False
    mask_dtype: DTypeLike = "int8"
    keys: Mapping[str, str] | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Returns the keys of observation and mask; TypeError or ValueError for wrong ones."""
        if self.keys is not None and not isinstance(self.keys, Mapping):
            raise TypeError(
                f'keys must be a dict such as {{"observation": "obs"}}, not {self.keys!r}'
            )
        keys = dict(zip(NAMES, NAMES, strict=True)) | dict(self.keys or {})
        if len(keys) > len(NAMES):
            raise ValueError(f"keys rename {' and '.join(NAMES)}, not {list(self.keys or {})}")
        observation, mask = keys.values()
        if not isinstance(observation, str) or not isinstance(mask, str) or observation == mask:
            raise ValueError(
                f"keys must give two different names, not {observation!r} and {mask!r}"
            )
        return observation, mask

    def __call__(self, observations: NDArray[Any], masks: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Returns new arrays in this form: observations (n, *observation_shape), masks (n, m)."""
        if self.channels_first and observations.ndim == 4:
            observations = np.moveaxis(observations, -1, 1)
        if self.flatten:
            observations = observations.reshape(len(observations), -1)
        shown = np.array(observations, self.dtype, order="C"), np.array(masks, self.mask_dtype)
        return dict(zip(self.names, shown, strict=True))


PLAIN_FORM = ObservationForm()


class ObservationWriter:
    """Writes the observations of the positions of one game, for any game."""

    names = NAMES
    """The keys of the observation and of the mask."""

    mask_dtype: np.dtype[Any] = np.dtype(np.int8)

    def __init__(self, start: Position) -> None:
        self.shape = start.observation_shape
        self.dtype = smallest_dtype(start).type
        self.high = np.broadcast_to(np.array(start.observation_high, self.dtype), self.shape)
        self.num_actions = start.num_actions

    def space(self) -> Dict:
        """Returns a new space of what ``observe`` returns."""
        box = Box(np.zeros(self.shape, self.dtype), self.high.astype(self.dtype), dtype=self.dtype)
        mask = Box(0, 1, (self.num_actions,), self.mask_dtype.type)
        return Dict(dict(zip(self.names, (box, mask), strict=True)))

    def shown_space(self, with_mask: bool) -> Box | Dict:
        """Returns a new space of observations: of dicts with the mask, or without it.

        ValueError for keys without dicts.
        """
        if self.names != NAMES and not with_mask:
            raise ValueError(
                "keys rename the parts of observations that are dicts: they need "
                "mask_in_observation=True"
            )
        space = self.space()
        return space if with_mask else space[self.names[0]]  # type: ignore[return-value]

    def observe(
        self, position: Position, player: int, to_move: bool, played: Session | None = None
    ) -> dict[str, NDArray[Any]]:
        """Returns what ``player`` sees, in new arrays: "observation" and "action_mask".

        The observation has the game's observation_shape; the mask (num_actions,) int8 is 1 where an
        action is legal if the player is ``to_move``, else all 0. ``played``, the game that led to
        the position, matters to writers of earlier boards alone.
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
    """Does the same for boards, which change little from ply to ply.

    It remembers what it showed last and changes only the cells whose stones have changed since:
    one or two after a move, more after a jump to another position. A position of Connect Four takes
    1.3 microseconds, mask included, where unpacking all bits by NumPy took 2.1.
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
        """Shows an empty board: the bytes of both players' planes and of the mask."""
        self._stones = [0, 0]
        self._planes = [bytearray(2 * len(self._cells)) for _ in range(2)]
        self._mask = bytearray(b"\1" * self.num_actions)
        self._zeros = bytearray(self.num_actions)

    def observe(
        self, position: Position, player: int, to_move: bool, played: Session | None = None
    ) -> dict[str, NDArray[Any]]:
        """Returns what ``player`` sees, in new arrays: "observation" and "action_mask"."""
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


class HistoryObservationWriter(ObservationWriter):
    """Shows the last ``boards`` boards of a game, as networks of AlphaZero's kind want them.

    The rules say which planes show the board: ``board_planes``, the first and the one after the
    last. In their place come those of the present position, then of the one a ply before, and so
    on, all as the player who asks sees them. As in PettingZoo's chess, only a position that a move
    has led to (``ply`` > 0) counts as a board; what there was not, or is not known, is all 0.
    """

    def __init__(self, start: Position, boards: int) -> None:
        super().__init__(start)
        if not hasattr(start, "board_planes"):
            raise ValueError(
                f"observations of {type(start).__name__} cannot show earlier boards: its rules "
                "state no board_planes; leave history out"
            )
        self._boards = checked_history(boards)
        self._first, self._end = start.board_planes
        self._writer = observation_writer(start)
        self._known: dict[tuple[Position, int], NDArray[Any]] = {}
        self.high = self._stacked(self.high, [self.high[..., self._first : self._end]] * boards)
        self.shape = self.high.shape

    def observe(
        self, position: Position, player: int, to_move: bool, played: Session | None = None
    ) -> dict[str, NDArray[Any]]:
        """Returns what ``player`` sees, in new arrays; without ``played`` no board before."""
        seen = self._writer.observe(position, player, to_move)
        positions = [position] if played is None else played.positions[-self._boards :]
        boards = [self._board(each, player) for each in reversed(positions) if each.ply > 0]
        return {**seen, "observation": self._stacked(seen["observation"], boards)}

    def _board(self, position: Position, player: int) -> NDArray[Any]:
        """Returns the planes of the board alone; those that were shown lately are remembered."""
        key = position, player
        if key not in self._known:
            if len(self._known) >= 4 * self._boards:  # of two players, in twice as many plies
                self._known.clear()
            planes = self._writer.observe(position, player, False)["observation"]
            self._known[key] = planes[..., self._first : self._end]
        return self._known[key]

    def _stacked(self, planes: NDArray[Any], boards: list[NDArray[Any]]) -> NDArray[Any]:
        """Returns ``planes`` with ``boards``, filled up by empty ones, in place of its board."""
        before, after = planes[..., : self._first], planes[..., self._end :]
        empty = np.zeros_like(planes[..., self._first : self._end])
        boards = boards + [empty] * (self._boards - len(boards))
        return np.concatenate([before, *boards, after], axis=-1)


def checked_history(boards: Any) -> int:
    """Returns how many boards observations show; TypeError or ValueError if it is no such number.

    At least 1, at most ``MOST_BOARDS``.
    """
    if isinstance(boards, bool) or not isinstance(boards, int | np.integer):
        raise TypeError(f"history is a number of boards, such as 8, not {boards!r}")
    require_between("history", int(boards), 1, MOST_BOARDS)
    return int(boards)


class FormedObservationWriter(ObservationWriter):
    """Returns what another writer does, in another form."""

    def __init__(self, start: Position, form: ObservationForm, writer: ObservationWriter) -> None:
        super().__init__(start)
        self._writer = writer
        self.mask_dtype = known_dtype("masks", form.mask_dtype)
        self._form = form._replace(
            dtype=checked_dtype(start, form.dtype), mask_dtype=self.mask_dtype
        )
        self.names = form.names
        high = self._form(writer.high[None], np.zeros((1, 0)))[self.names[0]][0]
        self.high, self.shape, self.dtype = high, high.shape, high.dtype.type

    def observe(
        self, position: Position, player: int, to_move: bool, played: Session | None = None
    ) -> dict[str, NDArray[Any]]:
        """Returns what ``player`` sees, in new arrays, see ``ObservationForm``."""
        seen = self._writer.observe(position, player, to_move, played)
        formed = self._form(seen["observation"][None], seen["action_mask"][None])
        return {name: array[0] for name, array in formed.items()}


def observation_writer(
    start: Position, form: ObservationForm = PLAIN_FORM, history: int | None = None
) -> ObservationWriter:
    """Returns the quickest writer of observations for the game that begins with ``start``.

    ``history``: how many boards they show, see ``HistoryObservationWriter``; None for what the
    rules show. TypeError or ValueError for a form or a history that is none.
    """
    writer: ObservationWriter
    if history is not None:
        writer = HistoryObservationWriter(start, history)
    elif is_plain_board(start):
        writer = BoardObservationWriter(start)
    else:
        writer = ObservationWriter(start)
    return writer if form == PLAIN_FORM else FormedObservationWriter(start, form, writer)
