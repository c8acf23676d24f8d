"""Holds what a batch consists of: where its games stand, what is seen, and what runs them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import DTypeLike, NDArray

from adv_envs.bits import MOST_SCRATCH, num_words, pack, unpack
from adv_envs.layout import BoardLayout, board_layout, checked_dtype
from adv_envs.position import Board, Position

from . import kernels
from .kernels import Environments, Facts, Results, Rules, Work

EXTERNAL = "external"
"""The ``opponent`` of a batch whose user answers for the opponents in the middle of a step."""

ENVS_PER_THREAD = 2048
"""Environments that are stepped in the time that it takes to wake a thread."""

_POOLS: WeakValueDictionary[tuple[int, int], ThreadPoolExecutor] = WeakValueDictionary()
"""By process and number, threads that batches share; they end with the last batch that has them."""


def _column(number: int, doc: str) -> Any:
    return property(lambda state: state.rows[:, state.num_words + number], doc=doc)


class State:
    """Holds where n games of one kind stand, in int64 ``rows``: the words, and columns.

    ``state[i]`` is the position of game i. All arrays are views of the rows.
    """

    def __init__(self, start: Position, n: int) -> None:
        self.start, self.num_words = start, num_words(start)
        self.rows = np.zeros((n, self.num_words + kernels.COLUMNS), np.int64)

    @property
    def words(self) -> NDArray[np.int64]:
        """Returns the positions, (n, num_words), as ``bits.pack`` writes them."""
        return self.rows[:, : self.num_words]

    generators = _column(kernels.GENERATOR, "The states of the random number generators, (n,).")
    status = _column(kernels.STATUS, "The status of each game, (n,), see ``kernels.PLAYING``.")
    seats = _column(kernels.SEAT, "The player whose actions are given, if there are opponents.")
    to_move = _column(
        kernels.TO_MOVE, "The player to move, or who would be to move where a game is over, (n,)."
    )
    numbers = _column(
        kernels.NUMBER, "The numbers of the games, (n,): the first one has that of the seed."
    )

    def __getitem__(self, env: int) -> Position:
        return unpack(self.start, self.rows[env])  # type: ignore[no-any-return]

    def __setitem__(self, env: int, position: Position) -> None:
        pack(position, self.rows[env])


class ObservationArrays:
    """Holds what players see of a game, in arrays of one type and order.

    ``dtype`` and ``channels_first`` are those of ``Boards``.
    """

    def __init__(self, start: Position, dtype: DTypeLike | None, channels_first: bool) -> None:
        self.start, self.dtype = start, checked_dtype(start, dtype)
        self.channels_first = bool(channels_first) and len(start.observation_shape) == 3
        self.layout = board_layout(start, self.channels_first)

    def arrays(self, n: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Returns observations and masks of n environments, in their shapes for users."""
        shape = self.start.observation_shape
        if self.channels_first:
            shape = (shape[2], *shape[:2])
        return np.zeros((n, *shape), self.dtype), np.zeros((n, self.start.num_actions), np.int8)

    def seen(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> kernels.Seen:
        """Returns views of ``arrays`` for the kernels."""
        planes = observations.view(np.uint8) if self.dtype.itemsize == 1 else observations
        if self.layout.stretches:
            planes = planes.reshape(-1)
        elif self.channels_first:
            planes = np.moveaxis(planes, 1, -1)
        flat = masks.view(np.uint8).reshape(-1)
        return kernels.Seen(planes, flat, self.layout.sources, self.layout.mask_sources)


class Stepper:
    """Steps the games of a batch and shows them, in arrays that it owns: compiled, on threads.

    - ``state`` and ``ends``: where the games stand, and the last rows of those that ended, which
      are those of ``state`` unless games are followed in the same step (``keeps_ends``);
    - ``actions``: actions or commands, int64 (n,), for the next ``go``;
    - ``results``, ``observations`` and ``masks``: what ``go`` writes.
    """

    def __init__(
        self,
        start: Position,
        n: int,
        threads: int,
        view: ObservationArrays,
        opponent: Any,
        keeps_ends: bool,
    ) -> None:
        self.start, self.threads, self.view, self.opponent = start, threads, view, opponent
        self.state = State(start, n)
        self.ends = State(start, n) if keeps_ends else self.state
        pack(start, self.state.words[0])
        self.state.words[:] = self.state.words[0]
        self._first = self.state.words[:1].copy()
        self.actions = np.zeros(n, np.int64)
        ends = (np.zeros(n, np.bool_) for _ in range(2))
        utilities = np.zeros((n, start.num_players), np.float32)
        self.results = Results(np.zeros(n, np.float32), utilities, *ends)
        self.observations, self.masks = view.arrays(n)
        self._run: Callable[[Rules, Work], int] | None = None
        self._answers: dict[Any, Any] = {}
        self._pool: ThreadPoolExecutor | None = None

    def go(self, rules: Rules, plies: int = 1, draws: bool = False, env: int | None = None) -> int:
        """Runs ``actions`` in all environments, or in ``env``; returns how many games ended.

        ``plies`` and ``draws`` are those of ``kernels.Work``. All environments are divided among
        threads if there is enough work for them: kernels release Python's lock.
        """
        run, n = self._run or self._compiled(), len(self.actions)
        if env is not None:
            return run(rules, Work(env, env + 1, plies, draws))
        threads = min(self.threads, n * plies // ENVS_PER_THREAD, n)
        if threads <= 1:
            return run(rules, Work(0, n, plies, draws))
        bounds = [n * i // threads for i in range(threads + 1)]
        mine, *others = (Work(low, high, plies, draws) for low, high in pairwise(bounds))
        jobs = [self._workers(threads - 1).submit(run, rules, work) for work in others]
        return run(rules, mine) + sum(job.result() for job in jobs)

    def face(self, opponent: Any) -> None:
        """Plays against another kind of opponents from now on."""
        self.opponent, self._run = opponent, None

    def answers(self, opponent: Any, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Returns the actions (n,) of a compiled ``opponent`` where ``chosen``, 0 elsewhere."""
        actions = np.zeros(len(chosen), np.int64)
        given = self.start, chosen, actions, self.state.rows
        if opponent not in self._answers:
            answer = kernels.answer.bind_used(**self._facts(opponent)._asdict())
            self._answers[opponent] = answer.ready(*given)
        self._answers[opponent](*given)
        return actions

    def show(self, rows: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Returns new observations and masks for rows of any ``State`` of the game."""
        observations, masks = self.view.arrays(len(rows))
        if len(rows):
            show = kernels.show.bind_used(**self._facts(None)._asdict())
            seen = self.view.seen(observations, masks)
            show.trusted(self.start, rows, seen, 0, len(rows), len(rows))
        return observations, masks

    def _compiled(self) -> Callable[[Rules, Work], int]:
        games = Environments(self.state.rows, self.ends.rows, self._first, self.actions)
        seen = self.view.seen(self.observations, self.masks)
        data = self.start, games, self.results, seen
        run = kernels.run.bind_used(**self._facts(self.opponent)._asdict())
        ready = run.ready(*data, Rules(0, 0, 0, 0, 0.0), Work(0, 0, 0, False))
        self._run = partial(ready, *data)
        return self._run

    def _facts(self, opponent: Any) -> Facts:
        game, layout = self.start.start(), self.view.layout
        listed = game.lists_legal and game.num_actions <= MOST_SCRATCH
        others = kernels.NOBODY if opponent is None else kernels.COMPILED
        if opponent == EXTERNAL:
            others = kernels.EXTERNAL
        return Facts(
            GAME=game,
            LISTED=listed,
            HAS_CHANCE=game.has_chance,
            OPPONENTS=others,
            GREEDY=opponent == "greedy" or callable(opponent),
            evaluate=opponent if callable(opponent) else kernels.even,
            ENTRIES=0 if listed else _entries(game, layout),
            STONES=bool(layout.stretches),
            OWN=layout.own,
            OPP=layout.opp,
            STRETCHES=layout.stretches,
            MASK_STRETCHES=layout.mask_stretches,
        )

    def _workers(self, threads: int) -> ThreadPoolExecutor:
        """Returns threads of this process; those of the parent do not live on in a fork."""
        key = os.getpid(), threads
        self._pool = _POOLS.get(key) or ThreadPoolExecutor(threads, thread_name_prefix="adv_envs")
        _POOLS[key] = self._pool
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything but compiled code, which has views of the arrays, and threads."""
        return {**self.__dict__, "_run": None, "_answers": {}, "_pool": None}


def _entries(game: Position, layout: BoardLayout) -> int:
    """Returns the cells of ``kernels.Facts.ENTRIES``, or 0."""
    if not layout.stretches or not isinstance(game, Board) or game.board_bits > 63:
        return 0
    entries = [game.entry(action) for action in range(game.num_stone_actions)]
    if len(entries) < game.num_actions or entries != sorted(set(entries)):
        return 0
    return sum(1 << cell for cell in entries)


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
