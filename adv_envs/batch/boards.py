"""Many games at once: n positions as rows of words, stepped by compiled rules on all cores.

``Boards(ConnectFour(), 4096).step(actions)`` makes 4096 moves, and writes what the players to move
see, which of their actions are legal and who won, into arrays. ``adv_envs.batch.vector`` is the
same as a Gymnasium ``VectorEnv``; the kernels are in ``adv_envs.batch.kernels``.
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

from adv_envs.bits import num_words, unpack
from adv_envs.bits import pack as _pack
from adv_envs.envs.observation import smallest_dtype
from adv_envs.envs.opponents import checked_seat
from adv_envs.position import Board, Position, require_same_game, require_valid, same_game
from adv_envs.random import scattered

from . import kernels
from .kernels import BEGIN, ENTER, GENERATOR, GIVEN, NUMBER, SEAT, SKIP, STATUS, TO_MOVE
from .layout import board_layout, is_plain_board, no_layout

AUTORESET = {
    "next_step": kernels.NEXT_STEP,
    "same_step": kernels.SAME_STEP,
    "disabled": kernels.DISABLED,
}

EXTERNAL = "external"
"""Stands for opponents that are asked for their actions in the middle of a step."""

ENVS_PER_THREAD = 2048
"""Environments that are stepped in the time that it takes to wake a thread."""


class Boards:
    r"""``n`` games from ``position``, stepped together.

    - ``threads``: how many cores to use; None for all. It changes nothing but the speed.
    - ``autoreset``: "same_step" begins a new game in an environment at the step that ended the last
      one, "next_step" at the step after, which ignores the environment's action; "disabled" leaves
      it to ``reset(envs=...)``, and steps do nothing in finished environments.
    - ``opponent``: None to move for all players in turn, "random", "greedy", which looks one move
      ahead, or an evaluation for that, a function of a position such as those of
      ``agents.games``. An opponent plays all seats but one, and a step is my move and what the
      others do until it is my turn again. "external" are opponents of any other kind: a step is not
      complete before ``reply`` was called until no environment is ``waiting``.
    - ``seat``: with an opponent, mine: "first", "second", a player's number, "random" for each
      game, or "alternate": the next one every game, beginning with the environment's seed %
      num_players.
    - ``max_steps``: games are cut off after so many steps; None: never.
    - ``illegal_reward``: what an illegal action brings to the one who played it.
    - ``dtype`` of observations: bool, uint8, int8, int16, int32, int64, float32 or float64, if it
      can hold them; None for the smallest signed integer that can. ``channels_first`` turns shapes
      (height, width, planes) into (planes, height, width).

    After ``reset`` and ``step`` these tell of each environment, and are overwritten by the next
    one:

    ================  ==========================================================================
    ``observations``  (n, \*shape): what the player to move sees; with an opponent, what I see
    ``masks``         (n, num_actions) int8: 1 where an action is legal, all 1 where the game is
                      over: there, no action matters
    ``to_move``       (n,) int64: whose observation this is
    ``rewards``       (n,) float32: what the step brought to the one whose action it was
    ``utilities``     (n, num_players) float32: what it brought to each player, 0 before the end
    ``terminated``    (n,) bool: the step ended the game by its rules
    ``truncated``     (n,) bool: the step was number ``max_steps``
    ``words``         (n, num_words) int64: the positions, as ``bits.pack`` writes them
    ================  ==========================================================================

    An illegal action ends the game: its player gets ``illegal_reward``, the others 0. ``boards[i]``
    is an environment's position, and ``boards[i] = position`` goes on from another. Chance, random
    seats and opponents are drawn from a generator in each environment. Copies and pickles go on
    with the same games.

    Raises ValueError or TypeError, saying what is allowed, for anything else than the above.
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
        self.autoreset, self.opponent = autoreset, opponent
        self.seat = checked_seat(seat, position.num_players)
        if self.seat != 0 and opponent is None:
            raise ValueError("a seat needs an opponent: without one, every player is moved for")
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
        """Begin new games: in all environments, or in those where ``envs``, bool (n,), is true.

        Lane i is seeded with seed + i, or with the i-th of n seeds, and does from then on what the
        environment of a batch of one with this seed does. Where the seed is None the generator goes
        on, having been seeded by chance at first. ``seats`` is for these games alone: one that the
        class can be given, or int (n,), which is mine in each of them.
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
        """Play an action in each environment: integers (n,), 0 .. num_actions - 1, or illegal."""
        self._require_begun()
        given = self._checked_actions(actions)
        if self.opponent == EXTERNAL and self.waiting.any():
            raise RuntimeError("some games wait for an opponent: call reply() or reset()")
        self._actions[:] = given
        self._go(1, False, self._rules)

    def reply(self, actions: ArrayLike) -> None:
        """Play legal actions, integers (n,), for the opponents where ``waiting``, in the same step.

        Those of other environments are ignored. Afterwards environments may be waiting again.
        """
        self._actions[:] = np.where(self.waiting, self._checked_actions(actions), SKIP)
        self._go(1, False, self._rules)

    def replies(self, opponent: str | Callable[[Any], float], chosen: ArrayLike) -> NDArray[Any]:
        """Actions, int64 (n,), of a compiled opponent where ``chosen``, bool (n,); 0 elsewhere.

        ``opponent`` is any that the class can be given. The generators of these environments go on.
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
        """So many steps of random legal actions, as ``actions`` tells; how many games ended."""
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
        """Go on from another position of the same game: chance and the others move first."""
        env = _env_index(env, self.n)
        self._require_begun()
        _pack(same_game(self.start, position), self._rows[env])
        self._actions[env] = ENTER
        self._run_envs(env, env + 1, 1, False, self._rules)

    def start_from(self, position: Position, envs: ArrayLike | None = None) -> None:
        """Go on from an unfinished position: everywhere, or where ``envs``, bool (n,), is true.

        Chance and an opponent move first, until it is the turn of each environment's seat.
        """
        self._require_begun()
        chosen = np.ones(self.n, np.bool_) if envs is None else _mask(envs, self.n)
        if same_game(self.start, position).is_terminal():
            raise ValueError("games cannot start from a finished position")
        row = np.zeros(self._size, np.int64)
        _pack(position, row)
        self.words[chosen] = row
        self._actions[:] = np.where(chosen, ENTER, SKIP)
        self._go(1, False, self._rules)

    def __len__(self) -> int:
        """How many environments there are."""
        return self.n

    def ask_opponents(self) -> None:
        """From now on the opponents are external, in the games that are being played, too."""
        if self.opponent is None:
            raise ValueError("there are no opponents: every player is moved for")
        self.opponent, self._compiled = EXTERNAL, None

    def refresh(self) -> None:
        """Go on from what was written into ``words``, which is not checked, in all environments."""
        self._require_begun()
        self._actions[:] = ENTER
        self._go(1, False, self._rules)

    # ---- looking

    @property
    def actions(self) -> NDArray[np.int64]:
        """The actions of the last step, (n,); of random play, the random ones."""
        return self._actions

    @property
    def words(self) -> NDArray[np.int64]:
        """The positions, (n, num_words), as ``bits.pack`` writes them: see ``refresh``."""
        return self._rows[:, : self._size]

    @property
    def generators(self) -> NDArray[np.int64]:
        """The states of the random number generators, (n,)."""
        return self._rows[:, self._size + GENERATOR]

    @property
    def seats(self) -> NDArray[np.int64]:
        """With an opponent: which player I am, (n,)."""
        return self._rows[:, self._size + SEAT]

    @property
    def to_move(self) -> NDArray[np.int64]:
        """Whose turn it is, (n,); where a game is over, whose it would be."""
        return self._rows[:, self._size + TO_MOVE]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where no game is going on, (n,): before ``reset``, and after an end without autoreset."""
        over: NDArray[np.bool_] = self._rows[:, self._size + STATUS] == kernels.OVER
        return over

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Where an external opponent, the player ``to_move``, moves before the step is over."""
        waiting: NDArray[np.bool_] = self._rows[:, self._size + STATUS] == kernels.WAITING
        return waiting

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the games, (n,): the first one after a seed has the seed's number."""
        return self._rows[:, self._size + NUMBER]

    @property
    def nbytes_per_env(self) -> float:
        """What one environment takes in memory, everything that is written for it included."""
        results = self.rewards, self.utilities, self.terminated, self.truncated
        arrays = self._rows, self._actions, self._ends, self.observations, self.masks, *results
        return sum(array.nbytes for array in arrays) / self.n

    def keep_ends(self) -> None:
        """From now on keep the last position of each game that ends, for ``last_observations``."""
        self._ends = np.zeros_like(self._rows)

    def observe(self, positions: Sequence[Position]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What the players to move see in other positions of the same game: observations and masks.

        New arrays in the form of ``observations`` and ``masks``, with a row for each position.
        """
        rows = np.zeros((len(positions), self._rows.shape[1]), np.int64)
        for row, position in zip(rows, positions, strict=True):
            require_same_game(self.start, position)
            _pack(position, row)
            row[self._size + TO_MOVE] = position.to_move
        masks = np.zeros((len(rows), self.start.num_actions), np.int8)
        return self._shown(rows, masks), masks

    def last_observations(self, ended: ArrayLike) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The last observations of the games that ended where ``ended``, bool (n,), is true.

        New arrays of observations, one for each of these environments, and the players (int64) who
        saw it. After ``keep_ends``, for games that ended since.
        """
        if not len(self._ends):
            raise RuntimeError("last observations are not kept: call keep_ends() first")
        rows = self._ends[_mask(ended, self.n)]
        return self._shown(rows, np.zeros(0, np.int8)), rows[:, self._size + TO_MOVE].copy()

    # ---- inside

    def _shown(self, rows: NDArray[np.int64], masks: NDArray[np.int8]) -> NDArray[Any]:
        """The observations of other rows than the batch's own; masks are written if wanted."""
        n = len(rows)
        observations, planes = self._planes_for(n)
        if n:
            flat = masks.view(np.uint8).reshape(-1)
            self._show(self.start, 0, n, n, rows, planes, flat, *self._layout)
        return observations

    def _planes_for(self, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Arrays of n observations: as users see them, and as the kernels do."""
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
        """Note the seats that are given, and return how seats are chosen, see ``_seating``."""
        given, players = np.asarray(seats), self.start.num_players
        if self.opponent is None:
            raise ValueError("seats need an opponent: without one, every player is moved for")
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
        """Run all environments, divided among as many threads as gain by it."""
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
        """The step for this game, and the arrays it writes to; compiled at the first use."""
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
        if not self._board:
            return kernels.show.bind(GAME=game)
        if game.board_bits > 63:
            return kernels.show_boards.bind(GAME=game)
        own, opp = int(layout[0, 2]), int(layout[-1, 3])
        return kernels.show_small_boards.bind(GAME=game, OWN=own, OPP=opp)

    @property
    def _bound(self) -> dict[str, Any]:
        """What the kernels know of the game when they are compiled."""
        game = self.start.start()
        if not isinstance(game, Board) or not self._board or game.board_bits > 63:
            return {"GAME": game}
        entries = [game.entry(action) for action in range(game.num_stone_actions)]
        if len(entries) < game.num_actions or entries != sorted(set(entries)):
            return {"GAME": game}
        cells = sum(1 << cell for cell in entries)
        return {"GAME": game, "any_legal": kernels.any_free.bind(ENTRIES=cells)}

    def __copy__(self) -> Boards:
        """A copy shares nothing: it is stepped by itself."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but compiled code; ``_planes`` must go on showing what is in observations."""
        return {**self.__dict__, "_compiled": None, "_answers": {}, "_planes": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on with the same games."""
        self.__dict__.update(state)
        observations = self.observations
        self.observations, self._planes = self._planes_for(self.n)
        self.observations[:] = observations


def _others(known: dict[str, Any], opponent: str | Callable[[Any], float] | None) -> dict[str, Any]:
    """What stands for chance and the opponent in the kernels, which know this of the game."""
    bound: dict[str, Any] = {}
    if known["GAME"].has_chance:
        bound = {"after_dice": kernels.after_rolls}
    if opponent is None:
        return bound
    if opponent == EXTERNAL:
        return bound | {"ASKS": True, "viewer": kernels.seated}
    others = kernels.after_opponent.bind(reply=_reply(known, opponent), **bound)
    seen = {"viewer": kernels.seated, "ended_early": kernels.is_over}
    return bound | {"after_replies": others} | seen


def _reply(known: dict[str, Any], opponent: str | Callable[[Any], float]) -> Any:
    """The kernel that chooses the action of a compiled opponent."""
    if opponent == "random":
        return kernels.random_reply.bind_used(**known)
    game = {"GAME": known["GAME"]}
    evaluate = {"evaluate": opponent} if callable(opponent) else {}
    if known["GAME"].has_chance:
        return kernels.greedy_reply.bind(
            **game, outlook=kernels.mean_value.bind(**game, **evaluate)
        )
    return kernels.greedy_reply.bind(**game, **evaluate)


def _seating(seat: int | str) -> tuple[int, int]:
    """How the seat is chosen, as the kernels know it, and the seat if it is fixed."""
    if isinstance(seat, int):
        return kernels.FIXED, seat
    return {"random": kernels.RANDOM, "alternate": kernels.ALTERNATE}[seat], 0


# ---- what was given


def _require_start(position: Position) -> None:
    """Raise TypeError or ValueError unless a batch can begin with ``position``."""
    if not isinstance(position, Position):
        raise TypeError(f"position must be a position to start from, not {position!r}")
    require_valid(position)
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
    """The seeds (n,), 0 to 2**62 - 1, and where one was given and not drawn by chance."""
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
    """Threads that all batches share: the kernels let go of Python's lock."""
    return ThreadPoolExecutor(threads, thread_name_prefix="adv_envs")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads stay with the parent
