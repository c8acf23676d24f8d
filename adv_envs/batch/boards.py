"""Batches of games: n positions as rows of words, stepped by compiled rules on all cores.

``Boards(ConnectFour(), 4096).step(actions)`` makes 4096 moves and writes observations, action masks
and results into arrays. ``adv_envs.batch.vector`` offers the same as a Gymnasium ``VectorEnv``; the
kernels are in ``adv_envs.batch.kernels``.
"""

from __future__ import annotations

import copy
import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from adv_envs.bits import MOST_SCRATCH, num_words, unpack
from adv_envs.bits import pack as _pack
from adv_envs.envs.observation import is_plain_board, smallest_dtype
from adv_envs.envs.opponents import checked_seat
from adv_envs.position import (
    Board,
    Position,
    require_same_game,
    require_valid,
    require_whole,
    same_game,
)
from adv_envs.random import scattered

from . import kernels
from .kernels import BEGIN, ENTER, GENERATOR, GIVEN, NUMBER, SEAT, SKIP, STATUS, TO_MOVE
from .layout import board_layout, no_layout

AUTORESET = {
    "next_step": kernels.NEXT_STEP,
    "same_step": kernels.SAME_STEP,
    "disabled": kernels.DISABLED,
}

EXTERNAL = "external"
"""The ``opponent`` of a batch whose user answers for the opponents in the middle of a step."""

ENVS_PER_THREAD = 2048
"""Environments that are stepped in the time that it takes to wake a thread."""


class Boards:
    r"""``n`` games from ``position``, stepped together.

    - ``threads``: the number of threads; None for one per core. It affects only the speed.
    - ``autoreset``: "same_step" begins a new game in the step that ended the last one, "next_step"
      in the step after, which ignores the action. With "disabled", ``reset(envs=...)`` does it, and
      steps do nothing where a game is over.
    - ``opponent``: None if the actions are those of all players in turn; "random"; "greedy", which
      looks one move ahead; or an evaluation for "greedy", a function of a position such as those in
      ``agents.games``. An opponent plays all seats but one, and a step is the action of that seat
      and all moves of others until it is to move again. With "external", any other opponents can
      play: call ``reply`` after a step until no environment is ``waiting``.
    - ``seat``, if there is an opponent: "first", "second", the number of a player, "random" for
      each game, or "alternate", which begins with the environment's seed % num_players and takes
      the next player in each game.
    - ``max_steps``: the number of steps after which games are truncated; None for no limit.
    - ``illegal_reward``: the reward for an illegal action.
    - ``dtype`` of observations: bool, uint8, int8, int16, int32, int64, float32 or float64, if it
      can hold them; None for the smallest sufficient signed integer. With ``channels_first``,
      observations of shape (height, width, planes) become (planes, height, width).

    These arrays describe each environment after ``reset`` or ``step``, which overwrite them:

    ================  ==========================================================================
    ``observations``  (n, \*shape): of the player to move; with an opponent, of the seat
    ``masks``         (n, num_actions) int8: 1 where an action is legal, all 1 where the game is
                      over and actions are ignored
    ``to_move``       (n,) int64: the player who sees this observation
    ``rewards``       (n,) float32: the result of the step for the player who acted
    ``utilities``     (n, num_players) float32: its result for each player, 0 before the end
    ``terminated``    (n,) bool: the step ended the game by its rules
    ``truncated``     (n,) bool: the step was the last of ``max_steps``
    ``words``         (n, num_words) int64: the positions, as ``bits.pack`` writes them
    ================  ==========================================================================

    An illegal action ends the game: its player gets ``illegal_reward``, the others 0. ``boards[i]``
    is the position of environment i, and ``boards[i] = position`` continues from another position.
    Each environment draws chance, random seats and the moves of opponents from a generator of its
    own. Copies and pickles continue the same games.

    Raises ValueError or TypeError for other arguments; the message says what is allowed.
    """

    def __init__(
        self,
        position: Position,
        n: int,
        threads: int | None = None,
        *,
        autoreset: str = "same_step",
        opponent: str | Callable[[Any], float] | None = None,
        seat: int | str = 0,
        max_steps: int | None = None,
        illegal_reward: float = -1.0,
        dtype: DTypeLike | None = None,
        channels_first: bool = False,
    ) -> None:
        _require_start(position)
        self.start, self.n = position, _at_least(1, "n", n)
        self.threads = _cores() if threads is None else _at_least(1, "threads", threads)
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset must be one of {list(AUTORESET)}, not {autoreset!r}")
        if opponent not in (None, "random", "greedy", EXTERNAL) and not callable(opponent):
            raise ValueError(
                'opponent must be None, "random", "greedy" or an evaluation, or "external", '
                f"not {opponent!r}"
            )
        if opponent == "greedy" or callable(opponent):
            _require_all_seen(position)
        self.autoreset, self.opponent = autoreset, opponent
        self.seat = checked_seat(seat, position.num_players)
        if self.seat != 0 and opponent is None:
            raise ValueError(
                "a seat needs an opponent: without one, actions are those of all players"
            )
        limit = 0 if max_steps is None else _at_least(1, "max_steps", max_steps)
        how, fixed = _seating(self.seat)
        self._rules = np.array([AUTORESET[autoreset], how, limit, fixed], np.int64)
        self.illegal_reward = float(illegal_reward)
        self.dtype = _checked_dtype(position, dtype)
        self.channels_first = bool(channels_first) and len(position.observation_shape) == 3
        self._board = is_plain_board(position)
        self._size = num_words(position)
        self._layout = no_layout()
        if self._board:
            self._layout = board_layout(position, self.channels_first)  # type: ignore[arg-type]
        self._rows = np.zeros((self.n, self._size + kernels.COLUMNS), np.int64)
        self._starts = np.zeros((1, self._size), np.int64)
        _pack(position, self._starts[0])
        self._rows[:, : self._size] = self._starts
        self._actions = np.zeros(self.n, np.int64)
        self._ends = self._rows[:0]
        self._begun = False
        n, players = self.n, position.num_players
        self.rewards, self.utilities = np.zeros(n, np.float32), np.zeros((n, players), np.float32)
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.masks = np.zeros((n, position.num_actions), np.int8)
        self.observations, self._planes = self._planes_for(n)
        self._compiled: Any = None
        self._answers: dict[Any, Any] = {}

    # ---- playing

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        envs: ArrayLike | None = None,
        seats: ArrayLike | str | None = None,
    ) -> None:
        """Begin new games: in all environments, or where ``envs``, bool (n,), is true.

        Environment i is seeded with seed + i, or with the i-th of n seeds, and then behaves as a
        batch of one with this seed. Where the seed is None, the generator continues; at first it is
        seeded at random. ``seats`` holds for these games only: any ``seat`` of the class, or the
        player in each environment, int (n,).
        """
        chosen = np.ones(self.n, np.bool_) if envs is None else _mask(envs, self.n)
        seeds, seeded = _seeds(seed, self.n)
        rules = self._rules.copy()
        if seats is not None:
            rules[[1, 3]] = self._take_seats(seats, chosen)
        self._seed(seeds, chosen & seeded if self._begun else chosen)
        self._begun = True
        self._actions[:] = np.where(chosen, BEGIN, SKIP)
        self._go(1, False, rules)

    def step(self, actions: ArrayLike) -> None:
        """Play an action in each environment: integers (n,) from 0 to num_actions - 1.

        RuntimeError before ``reset``, and where games wait for an opponent that is called from
        outside; ValueError for other shapes and numbers.
        """
        self._require_begun()
        given = self._checked_actions(actions)
        if self.opponent == EXTERNAL and self.waiting.any():
            raise RuntimeError("some games wait for an opponent: call reply() or reset()")
        self._actions[:] = given
        self._go(1, False, self._rules)

    def reply(self, actions: ArrayLike) -> None:
        """Continue the step with legal actions, integers (n,), of the opponents where ``waiting``.

        Other entries are ignored. Afterwards environments may be waiting again.
        """
        self._actions[:] = np.where(self.waiting, self._checked_actions(actions), SKIP)
        self._go(1, False, self._rules)

    def replies(self, opponent: str | Callable[[Any], float], chosen: ArrayLike) -> NDArray[Any]:
        """The actions, int64 (n,), of a compiled opponent where ``chosen``, bool (n,); 0 elsewhere.

        ``opponent`` is "random", "greedy" or an evaluation. Advances the generators where chosen.
        """
        actions, chosen = np.zeros(self.n, np.int64), _mask(chosen, self.n)
        given = self.start, chosen, actions, self._rows
        if opponent not in self._answers:
            game, reply = self.start.start(), _reply(self._bound, opponent)
            self._answers[opponent] = kernels.answer.bind(GAME=game, reply=reply).ready(*given)
        self._answers[opponent](*given)
        return actions

    def _checked_actions(self, actions: ArrayLike) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.n} integers, an array of shape ({self.n},), "
                f"not {given.dtype} of shape {given.shape}"
            )
        if given.min() < 0 or given.max() >= self.start.num_actions:
            most = self.start.num_actions - 1
            env = int(np.argmax((given < 0) | (given > most)))
            raise ValueError(
                f"actions must be 0 to {most}, not {given[env]} (in environment {env})"
            )
        return given

    def play_random(self, plies: int = 1) -> int:
        """Make ``plies`` steps of random legal ``actions``; return how many games ended."""
        self._require_begun()
        return self._go(_at_least(1, "plies", plies), True, self._rules)

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for each environment, int64 (n,); 0 where a game is over."""
        self._require_begun()
        return self.replies("random", self._rows[:, self._size + STATUS] == kernels.PLAYING)

    def __getitem__(self, env: int) -> Position:
        """The position of an environment."""
        return unpack(self.start, self._rows[_env_index(env, self.n)])  # type: ignore[no-any-return]

    def __setitem__(self, env: int, position: Position) -> None:
        """Continue from another position of the same game, after the moves of chance and others."""
        env = _env_index(env, self.n)
        self._require_begun()
        _pack(same_game(self.start, position), self._rows[env])
        self._actions[env] = ENTER
        self._run_envs(env, env + 1, 1, False, self._rules)

    def start_from(
        self, positions: Position | Sequence[Position | None], envs: ArrayLike | None = None
    ) -> None:
        """Continue from unfinished positions, in all environments or where ``envs``, bool (n,).

        ``positions`` is one for all of them, or a sequence of n, one for each environment, in which
        those of other environments are ignored. Chance and opponents move first, until the seat of
        each environment is to move.
        """
        self._require_begun()
        chosen = np.ones(self.n, np.bool_) if envs is None else _mask(envs, self.n)
        rows = np.zeros((self.n, self._size), np.int64)
        if isinstance(positions, Position) or not isinstance(positions, Sequence):
            _pack(self._startable(positions), rows[0])
            rows[:] = rows[0]
        elif len(positions) != self.n:
            raise ValueError(f"positions must be one or {self.n}, not {len(positions)}")
        else:
            for env in np.flatnonzero(chosen).tolist():
                _pack(self._startable(positions[env]), rows[env])
        self.words[chosen] = rows[chosen]
        self._actions[:] = np.where(chosen, ENTER, SKIP)
        self._go(1, False, self._rules)

    def _startable(self, position: Any) -> Position:
        """The position, if it is an unfinished one of this game; else TypeError or ValueError."""
        found = same_game(self.start, position)
        if found.is_terminal():
            raise ValueError("games cannot start from a finished position")
        return found

    def __len__(self) -> int:
        """How many environments there are."""
        return self.n

    def ask_opponents(self) -> None:
        """Make the opponents external, also in games that have begun; ValueError without any."""
        if self.opponent is None:
            raise ValueError("there are no opponents: the actions are those of all players")
        self.opponent, self._compiled = EXTERNAL, None

    def refresh(self) -> None:
        """Continue from the positions that were written into ``words``, which are not checked."""
        self._require_begun()
        self._actions[:] = ENTER
        self._go(1, False, self._rules)

    # ---- looking

    @property
    def actions(self) -> NDArray[np.int64]:
        """The actions of the last step, (n,), also those of ``play_random``."""
        return self._actions

    @property
    def words(self) -> NDArray[np.int64]:
        """The positions, (n, num_words), as ``bits.pack`` writes them; see ``refresh``."""
        return self._rows[:, : self._size]

    @property
    def generators(self) -> NDArray[np.int64]:
        """The states of the random number generators, (n,)."""
        return self._rows[:, self._size + GENERATOR]

    @property
    def seats(self) -> NDArray[np.int64]:
        """The player whose actions are given, (n,), if there are opponents."""
        return self._rows[:, self._size + SEAT]

    @property
    def to_move(self) -> NDArray[np.int64]:
        """The player to move, (n,), or who would be to move where a game is over."""
        return self._rows[:, self._size + TO_MOVE]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where a game has ended, (n,), and the next one has not begun."""
        over: NDArray[np.bool_] = self._rows[:, self._size + STATUS] == kernels.OVER
        return over

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Where an external opponent, the player ``to_move``, must act to end the step, (n,)."""
        waiting: NDArray[np.bool_] = self._rows[:, self._size + STATUS] == kernels.WAITING
        return waiting

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the games, (n,): the first one after a seed has the seed's number."""
        return self._rows[:, self._size + NUMBER]

    @property
    def nbytes_per_env(self) -> float:
        """The memory of one environment in bytes, with all arrays of results."""
        results = self.rewards, self.utilities, self.terminated, self.truncated
        arrays = self._rows, self._actions, self._ends, self.observations, self.masks, *results
        return sum(array.nbytes for array in arrays) / self.n

    def keep_ends(self) -> None:
        """Keep the last position of each game that ends from now on, for ``last_observations``."""
        self._ends = np.zeros_like(self._rows)

    def observe(self, positions: Sequence[Position]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """The observations and masks of the players to move in other positions of the game.

        New arrays in the form of ``observations`` and ``masks``, with a row for each position.
        """
        rows = np.zeros((len(positions), self._rows.shape[1]), np.int64)
        for row, position in zip(rows, positions, strict=True):
            require_same_game(self.start, position)
            _pack(position, row)
            row[self._size + TO_MOVE] = position.to_move
        masks = np.zeros((len(rows), self.start.num_actions), np.int8)
        return self._shown(rows, masks), masks

    def seen_by_players(self, envs: ArrayLike) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What the players ``to_move`` see in unfinished games, in environments ``envs``, int (m,).

        Returns new arrays: observations ``(m, *observation_shape)``, with channels last, and masks
        (m, num_actions).
        """
        rows = self._rows[np.asarray(envs, np.int64)]
        rows[:, self._size + STATUS] = (
            kernels.PLAYING
        )  # else all is legal where they are waited for
        masks = np.zeros((len(rows), self.start.num_actions), np.int8)
        seen = self._shown(rows, masks)
        return (np.moveaxis(seen, 1, -1) if self.channels_first else seen), masks

    def last_observations(self, ended: ArrayLike) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The last observations of the games that ended where ``ended``, bool (n,), is true.

        Returns new arrays: an observation for each of these environments, and the player, int64,
        who sees it. RuntimeError without ``keep_ends``.
        """
        if not len(self._ends):
            raise RuntimeError("last observations are not kept: call keep_ends() first")
        rows = self._ends[_mask(ended, self.n)]
        return self._shown(rows, np.zeros(0, np.int8)), rows[:, self._size + TO_MOVE].copy()

    # ---- inside

    def _shown(self, rows: NDArray[np.int64], masks: NDArray[np.int8]) -> NDArray[Any]:
        """The observations of any rows; writes ``masks`` unless it is empty."""
        n = len(rows)
        observations, planes = self._planes_for(n)
        if n:
            flat = masks.view(np.uint8).reshape(-1)
            self._show(self.start, 0, n, n, rows, planes, flat, *self._layout)
        return observations

    def _planes_for(self, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """An array of n observations in its shape for users, and a view of it for the kernels."""
        shape = self.start.observation_shape
        if self.channels_first:
            shape = (shape[2], *shape[:2])
        observations = np.zeros((n, *shape), self.dtype)
        planes = observations.view(np.uint8) if self.dtype.itemsize == 1 else observations
        if self._board:
            return observations, planes.reshape(-1)
        return observations, np.moveaxis(planes, 1, -1) if self.channels_first else planes

    def _seed(self, seeds: NDArray[np.int64], chosen: NDArray[np.bool_]) -> None:
        self.generators[chosen] = scattered(seeds[chosen])
        self.numbers[chosen] = seeds[chosen] - 1

    def _take_seats(self, seats: ArrayLike | str, chosen: NDArray[np.bool_]) -> tuple[int, int]:
        """Write the given seats, and return how seats are chosen, see ``_seating``."""
        given, players = np.asarray(seats), self.start.num_players
        if self.opponent is None:
            raise ValueError(
                "seats need an opponent: without one, actions are those of all players"
            )
        if given.ndim == 0:
            return _seating(checked_seat(given.item(), players))
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(f"seats must be {self.n} integers, an array of shape ({self.n},)")
        if given.min() < 0 or given.max() >= players:
            raise ValueError(f"seats must be 0 to {players - 1}")
        self.seats[chosen] = given[chosen]
        return GIVEN, 0

    def _require_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("no games have begun: call reset() first")

    def _go(self, plies: int, draws: bool, rules: NDArray[np.int64]) -> int:
        """Run all environments, divided among threads if there is enough work for them."""
        threads = max(1, min(self.threads, self.n * plies // ENVS_PER_THREAD, self.n))
        if threads == 1:
            return self._run_envs(0, self.n, plies, draws, rules)
        bounds = [self.n * i // threads for i in range(threads + 1)]
        self._compile(rules)
        jobs = [
            _pool(threads - 1).submit(self._run_envs, low, high, plies, draws, rules)
            for low, high in pairwise(bounds[1:])
        ]
        return self._run_envs(0, bounds[1], plies, draws, rules) + sum(j.result() for j in jobs)

    def _run_envs(
        self, first: int, last: int, plies: int, draws: bool, rules: NDArray[np.int64]
    ) -> int:
        run, results, seen = self._compiled or self._compile(rules)
        return run(  # type: ignore[no-any-return]
            self.start, first, last, plies, draws, rules, self.illegal_reward, self._actions,
            self._starts, self._rows, self._ends, results, seen,
        )  # fmt: skip

    def _compile(self, rules: NDArray[np.int64]) -> Any:
        """The step of this game, compiled at the first use, and the arrays that it writes."""
        if self._compiled is None:
            results = self.rewards, self.utilities, self.terminated, self.truncated
            seen = self._planes, self.masks.view(np.uint8).reshape(-1), *self._layout
            run = kernels.run.bind(
                show=self._show, **self._bound, **_others(self._bound, self.opponent)
            )
            ready = run.ready(
                self.start, 0, 1, 1, False, rules, self.illegal_reward, self._actions, self._starts,
                self._rows, self._ends, results, seen,
            )  # fmt: skip
            self._compiled = ready, results, seen
        return self._compiled

    @property
    def _show(self) -> Any:
        game, layout = self.start.start(), self._layout[0]
        bound = {"GAME": game, "LISTED": lists_legal(game)}
        if not self._board:
            return kernels.show.bind(**bound)
        stones = game.num_stone_actions if isinstance(game, Board) else 0
        if game.board_bits > 63 or stones == 0:
            return kernels.show_boards.bind(**bound)
        own, opp = int(layout[0, 2]), int(layout[-1, 3])
        return kernels.show_small_boards.bind(**bound, OWN=own, OPP=opp)

    @property
    def _bound(self) -> dict[str, Any]:
        """The constants and functions of the game that are bound in all kernels."""
        game = self.start.start()
        if lists_legal(game):
            return {"GAME": game, "any_legal": kernels.any_listed.bind(GAME=game)}
        if not isinstance(game, Board) or not self._board or game.board_bits > 63:
            return {"GAME": game}
        entries = [game.entry(action) for action in range(game.num_stone_actions)]
        if len(entries) < game.num_actions or entries != sorted(set(entries)):
            return {"GAME": game}
        cells = sum(1 << cell for cell in entries)
        return {"GAME": game, "any_legal": kernels.any_free.bind(ENTRIES=cells)}

    def __copy__(self) -> Boards:
        """A deep copy: it shares no arrays."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but compiled code and ``_planes``, which is a view of ``observations``."""
        return {**self.__dict__, "_compiled": None, "_answers": {}, "_planes": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the same games."""
        self.__dict__.update(state)
        observations = self.observations
        self.observations, self._planes = self._planes_for(self.n)
        self.observations[:] = observations


def lists_legal(game: Position) -> bool:
    """Whether the legal actions of a game are to be listed: it does, and they fit on the stack."""
    return game.lists_legal and game.num_actions <= MOST_SCRATCH


def _others(known: dict[str, Any], opponent: str | Callable[[Any], float] | None) -> dict[str, Any]:
    """The functions of chance and opponents to bind in kernels; ``known`` are those of the game."""
    chance = known["GAME"].has_chance
    dice = {"after_dice": kernels.after_rolls} if chance else {}
    bound: dict[str, Any] = dict(dice)
    if opponent is not None:
        bound["viewer"] = kernels.seated
    if opponent == EXTERNAL:
        bound["ASKS"] = True
    elif opponent is not None:
        reply = _reply(known, opponent)
        bound["after_replies"] = kernels.after_opponent.bind(reply=reply, **dice)
    if chance or "after_replies" in bound:
        bound["ended_early"] = kernels.is_over
    return bound


def _reply(known: dict[str, Any], opponent: str | Callable[[Any], float]) -> Any:
    """The kernel that chooses the action of a compiled opponent."""
    if opponent == "random":
        return kernels.random_reply.bind_used(**known)
    _require_all_seen(known["GAME"])
    game = {"GAME": known["GAME"], "LISTED": lists_legal(known["GAME"])}
    evaluate = {"evaluate": opponent} if callable(opponent) else {}
    if known["GAME"].has_chance:
        return kernels.greedy_reply.bind(
            **game, expected_value=kernels.mean_value.bind(GAME=known["GAME"], **evaluate)
        )
    return kernels.greedy_reply.bind(**game, **evaluate)


def _seating(seat: int | str) -> tuple[int, int]:
    """How the seat is chosen, as the kernels know it, and the seat if it is fixed."""
    if isinstance(seat, int):
        return kernels.FIXED, seat
    return {"random": kernels.RANDOM, "alternate": kernels.ALTERNATE}[seat], 0


# ---- what was given


def _require_all_seen(position: Position) -> None:
    """Raise ValueError if players do not see everything, for an opponent that would."""
    if not position.perfect_information:
        raise ValueError(
            '"greedy" looks at what the others have, and in this game players do not see '
            'everything; use "random" or an agent that plays by what it sees'
        )


def _require_start(position: Position) -> None:
    """Raise TypeError or ValueError unless a batch can begin with ``position``."""
    if not isinstance(position, Position):
        raise TypeError(f"position must be a position to start from, not {position!r}")
    require_valid(position)
    require_whole(position)
    if position.is_terminal():
        raise ValueError("games cannot start from a finished position")
    for field in position._fields[len(position.parameters) :]:
        kind = position._field_types[position._fields.index(field)]
        if kind not in (int, bool):
            raise TypeError(f"the field {field} is of type {kind}: a batch keeps int and bool")


def _at_least(least: int, name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return operator.index(value)


def _env_index(env: Any, n: int) -> int:
    number = operator.index(env)
    if not -n <= number < n:
        raise IndexError(f"there are environments 0 to {n - 1}, not {number}")
    return number % n


def _mask(chosen: ArrayLike, n: int) -> NDArray[np.bool_]:
    mask = np.asarray(chosen)
    if mask.shape != (n,) or mask.dtype != np.bool_:
        raise ValueError(
            f"environments are chosen by a bool array of shape ({n},), "
            f"not {mask.dtype} of {mask.shape}"
        )
    return mask


def _seeds(
    seed: int | Sequence[int | None] | None, n: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The seeds (n,), 0 to 2**62 - 1, and where they were given, not drawn at random."""
    drawn = np.random.default_rng().integers(0, 1 << 62, n)
    if seed is None:
        return drawn, np.zeros(n, np.bool_)
    if not isinstance(seed, Sequence | np.ndarray):
        first = _at_least(0, "a seed", seed)
        if first >= 1 << 61:
            raise ValueError(f"a seed must be less than 2**61, not {first}")
        return first + np.arange(n, dtype=np.int64), np.ones(n, np.bool_)
    given = np.array([each is not None for each in seed], np.bool_)
    seeds = np.array([0 if each is None else each for each in seed])
    if seeds.shape != (n,) or seeds.dtype.kind not in "iu" or seeds.min() < 0:
        raise ValueError(
            f"seeds must be one integer, or {n} of them or None, each at least 0: {seed!r}"
        )
    return np.where(given, seeds.astype(np.int64), drawn), given


DTYPES = "bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"


def _checked_dtype(position: Position, dtype: DTypeLike | None) -> np.dtype[Any]:
    if dtype is None:
        return smallest_dtype(position)
    high = int(np.max(position.observation_high))
    kind = np.dtype(dtype)
    if kind.name not in DTYPES:
        raise ValueError(f"observations can be of dtype {', '.join(DTYPES)}, not {kind}")
    most = 1 if kind == np.bool_ else np.iinfo(kind).max if kind.kind in "iu" else high
    if high > most:
        raise ValueError(f"observations up to {high} do not fit into {kind}")
    return kind


# ---- threads


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that all batches share; the kernels release Python's lock."""
    return ThreadPoolExecutor(threads, thread_name_prefix="adv_envs")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads stay with the parent
