"""Holds batches of games: n positions as rows of words, stepped by compiled rules on all cores.

``Boards(ConnectFour(), 4096).step(actions)`` makes 4096 moves and writes observations, action masks
and results into arrays. ``adv_envs.batch.vector`` offers the same as a Gymnasium ``VectorEnv``.
``Boards`` checks what it is given, seeds, begins and sets games; a ``Stepper`` plays them.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from adv_envs.bits import pack
from adv_envs.position import Position, checked, checked_seat
from adv_envs.random import plain_seed, scattered

from . import kernels
from .kernels import BEGIN, ENTER, FORFEITED, PLAYING, SKIP, WAITING, Rules
from .stepper import EXTERNAL, ObservationArrays, State, Stepper, cores

AUTORESET = {
    "next_step": kernels.NEXT_STEP,
    "same_step": kernels.SAME_STEP,
    "disabled": kernels.DISABLED,
}

MOST_SEED = 1 << 61
"""All seeds are smaller, so that the numbers of games that are counted from them fit."""


class Boards:
    r"""Steps ``n`` games from ``position`` together.

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
                      over by its rules and actions are ignored
    ``to_move``       (n,) int64: the player who sees this observation
    ``rewards``       (n,) float32: the result of the step for the player who acted
    ``utilities``     (n, num_players) float32: its result for each player, 0 before the end
    ``terminated``    (n,) bool: the step ended the game by its rules
    ``truncated``     (n,) bool: the step was the last of ``max_steps``
    ``actions``       (n,) int64: the actions of the last step, also those of ``play_random``
    ``state``         a ``State``: the ``words`` of the positions, (n, num_words) int64, as
                      ``bits.pack`` writes them, ``seats``, ``generators``, ``numbers`` of games
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
        self.start, n = _checked_start(position), _at_least(1, "n", n)
        threads = cores() if threads is None else _at_least(1, "threads", threads)
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset must be one of {list(AUTORESET)}, not {autoreset!r}")
        _check_opponent(opponent, self.start)
        where = checked_seat(seat, self.start.num_players)
        if where != 0 and opponent is None:
            raise ValueError(
                "a seat needs an opponent: without one, actions are those of all players"
            )
        limit = 0 if max_steps is None else _at_least(1, "max_steps", max_steps)
        self._rules = Rules(AUTORESET[autoreset], *_seating(where), limit, float(illegal_reward))
        view = ObservationArrays(self.start, dtype, channels_first)
        self._stepper = Stepper(self.start, n, threads, view, opponent, autoreset == "same_step")
        self._begun = False
        self.state, self.actions = self._stepper.state, self._stepper.actions
        self.observations, self.masks = self._stepper.observations, self._stepper.masks
        self.rewards, self.utilities, self.terminated, self.truncated = self._stepper.results

    # ---- games begin

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        envs: ArrayLike | None = None,
        seats: ArrayLike | str | None = None,
    ) -> None:
        """Begins new games: in all environments, or where ``envs``, bool (n,), is true.

        Environment i is seeded with seed + i, or with the i-th of n seeds, and then behaves as a
        batch of one with this seed. Where the seed is None, the generator continues; at first it is
        seeded at random. ``seats`` holds for these games only: any ``seat`` of the class, or the
        player in each environment, int (n,).
        """
        chosen = self._chosen(envs)
        seeds, seeded = _seeds(seed, len(self))
        rules = self._rules
        if seats is not None:
            seating, fixed = self._take_seats(seats, chosen)
            rules = rules._replace(seating=seating, seat=fixed)
        anew = chosen & seeded if self._begun else chosen
        self.state.generators[anew] = scattered(seeds[anew])
        self.state.numbers[anew] = seeds[anew] - 1
        self._begun = True
        self._command(BEGIN, chosen, rules)

    def start_from(
        self, positions: Position | Sequence[Position | None], envs: ArrayLike | None = None
    ) -> None:
        """Continues from unfinished positions, in all environments or where ``envs``, bool (n,).

        ``positions`` is one for all of them, or a sequence of n, one for each environment, in which
        those of other environments are ignored. Chance and opponents move first, until the seat of
        each environment is to move.
        """
        self._require_begun()
        chosen = self._chosen(envs)
        rows = np.zeros_like(self.state.words)
        if isinstance(positions, Position) or not isinstance(positions, Sequence):
            pack(_unfinished(checked(positions, self.start, whole=True)), rows[0])
            rows[:] = rows[0]
        elif len(positions) != len(self):
            raise ValueError(f"positions must be one or {len(self)}, not {len(positions)}")
        else:
            for env in np.flatnonzero(chosen).tolist():
                position: Any = positions[env]
                pack(_unfinished(checked(position, self.start, whole=True)), rows[env])
        self.state.words[chosen] = rows[chosen]
        self._command(ENTER, chosen, self._rules)

    def __setitem__(self, env: int, position: Position) -> None:
        """Continues from another position of the same game, after moves of chance and others."""
        env = _env_index(env, len(self))
        self._require_begun()
        self.state[env] = checked(position, self.start, whole=True)
        self.actions[env] = ENTER
        self._stepper.go(self._rules, env=env)

    def _command(self, command: int, chosen: NDArray[np.bool_], rules: Rules) -> None:
        self.actions[:] = np.where(chosen, command, SKIP)
        self._stepper.go(rules)

    def _chosen(self, envs: ArrayLike | None) -> NDArray[np.bool_]:
        n = len(self)
        mask = np.ones(n, np.bool_) if envs is None else np.asarray(envs)
        if mask.shape != (n,) or mask.dtype != np.bool_:
            raise ValueError(
                f"environments are chosen by a bool array of shape ({n},), "
                f"not {mask.dtype} of {mask.shape}"
            )
        return mask

    def _take_seats(self, seats: ArrayLike | str, chosen: NDArray[np.bool_]) -> tuple[int, int]:
        """Writes the given seats, and returns how seats are chosen, see ``_seating``."""
        given, n, players = np.asarray(seats), len(self), self.start.num_players
        if self.opponent is None:
            raise ValueError(
                "seats need an opponent: without one, actions are those of all players"
            )
        if given.ndim == 0:
            return _seating(checked_seat(given.item(), players))
        if given.shape != (n,) or given.dtype.kind not in "iu":
            raise ValueError(f"seats must be {n} integers, an array of shape ({n},)")
        if given.min() < 0 or given.max() >= players:
            raise ValueError(f"seats must be 0 to {players - 1}")
        self.state.seats[chosen] = given[chosen]
        return kernels.GIVEN, 0

    # ---- and are played

    def step(self, actions: ArrayLike) -> None:
        """Plays an action in each environment: integers (n,) from 0 to num_actions - 1.

        RuntimeError before ``reset``, and where games wait for an opponent that is called from
        outside; ValueError for other shapes and numbers.
        """
        self._require_begun()
        given = self._checked_actions(actions)
        if self.opponent == EXTERNAL and self.waiting.any():
            raise RuntimeError("some games wait for an opponent: call reply() or reset()")
        self.actions[:] = given
        self._stepper.go(self._rules)

    def play_random(self, plies: int = 1) -> int:
        """Makes ``plies`` steps of random legal ``actions``; returns how many games ended."""
        self._require_begun()
        return self._stepper.go(self._rules, _at_least(1, "plies", plies), draws=True)

    def random_actions(self) -> NDArray[np.int64]:
        """Draws a random legal action for each environment, int64 (n,); 0 where a game is over."""
        self._require_begun()
        return self.replies("random", self.state.status == PLAYING)

    def _checked_actions(self, actions: ArrayLike) -> NDArray[Any]:
        given, n = np.asarray(actions), len(self)
        if given.shape != (n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {n} integers, an array of shape ({n},), "
                f"not {given.dtype} of shape {given.shape}"
            )
        unsigned = given.view(f"u{given.itemsize}")  # in which negative numbers are large
        if unsigned.max() >= self.start.num_actions:
            most = self.start.num_actions - 1
            env = int(np.argmax((given < 0) | (given > most)))
            raise ValueError(
                f"actions must be 0 to {most}, not {given[env]} (in environment {env})"
            )
        return given

    def _require_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("no games have begun: call reset() first")

    # ---- against opponents

    @property
    def opponent(self) -> Any:
        """Returns the opponent; it may be set to "external", also in games that have begun.

        ValueError if there is none: then the actions are those of all players.
        """
        return self._stepper.opponent

    @opponent.setter
    def opponent(self, opponent: str) -> None:
        if self.opponent is None or opponent != EXTERNAL:
            raise ValueError(f'opponents can be replaced by "{EXTERNAL}" ones, if there are any')
        self._stepper.face(opponent)

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Tells where an external opponent, the player ``to_move``, must act to end the step."""
        waiting: NDArray[np.bool_] = self.state.status == WAITING
        return waiting

    def reply(self, actions: ArrayLike) -> None:
        """Continues the step with legal actions, integers (n,), of the opponents where ``waiting``.

        Other entries are ignored. Afterwards environments may be waiting again.
        """
        self.actions[:] = np.where(self.waiting, self._checked_actions(actions), SKIP)
        self._stepper.go(self._rules)

    def replies(self, opponent: str | Callable[[Any], float], chosen: ArrayLike) -> NDArray[Any]:
        """Returns a compiled opponent's actions, int64 (n,), where ``chosen``, bool (n,); else 0.

        ``opponent`` is "random", "greedy" or an evaluation. Advances the generators where chosen.
        """
        _check_opponent(opponent, self.start)
        return self._stepper.answers(opponent, self._chosen(chosen))

    # ---- looking

    def __len__(self) -> int:
        """Returns how many environments there are."""
        return len(self.actions)

    def __getitem__(self, env: int) -> Position:
        """Returns the position of an environment."""
        return self.state[_env_index(env, len(self))]

    @property
    def to_move(self) -> NDArray[np.int64]:
        """Returns the player to move, (n,), or who would be to move where a game is over."""
        to_move: NDArray[np.int64] = self.state.to_move
        return to_move

    @property
    def over(self) -> NDArray[np.bool_]:
        """Returns where a game has ended, (n,), and the next one has not begun."""
        status = self.state.status
        over: NDArray[np.bool_] = (status >= kernels.OVER) | (status == kernels.CUT)
        return over

    @property
    def forfeited(self) -> NDArray[np.int64]:
        """Returns the environments, (m,), in which the last step ended a game illegally."""
        forfeited = (self._stepper.ends.status == FORFEITED) & self.terminated
        envs: NDArray[np.int64] = forfeited.nonzero()[0]
        return envs

    def observe(self, positions: Sequence[Position]) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Returns the observations and masks of the players to move in other positions of the game.

        New arrays in the form of ``observations`` and ``masks``, with a row for each position.
        """
        state = State(self.start, len(positions))
        for env, position in enumerate(positions):
            state[env] = found = checked(position, self.start)
            state.to_move[env] = found.to_move
        return self._stepper.show(state.rows)

    def seen(
        self, envs: ArrayLike, last: bool = False
    ) -> tuple[NDArray[Any], NDArray[np.int8], NDArray[np.int64]]:
        r"""Shows what players see in environments, int (m,), or saw ``last`` where games ended.

        Returns new arrays: observations (m, \*shape), masks (m, num_actions), and who sees them,
        int64 (m,). Masks are all 1 only where a game has ended by its rules: they show what is
        legal for an opponent that is waited for, and what was instead of an illegal action.
        """
        state = self._stepper.ends if last else self.state
        found = State(self.start, 0)
        found.rows = state.rows[np.asarray(envs, np.int64)]
        found.status[(found.status == WAITING) | (found.status == FORFEITED)] = PLAYING
        return *self._stepper.show(found.rows), found.to_move

    def __copy__(self) -> Boards:
        """Returns a deep copy: it shares no arrays."""
        return copy.deepcopy(self)


# ---- what was given


def _seating(seat: int | str) -> tuple[int, int]:
    """Returns how the seat is chosen, as the kernels know it, and the seat if it is fixed."""
    if isinstance(seat, int):
        return kernels.FIXED, seat
    return {"random": kernels.RANDOM, "alternate": kernels.ALTERNATE}[seat], 0


def _check_opponent(opponent: Any, start: Position) -> None:
    """Raises ValueError for what is no opponent, or one that sees what players do not."""
    if opponent not in (None, "random", "greedy", EXTERNAL) and not callable(opponent):
        raise ValueError(
            'opponent must be None, "random", "greedy" or an evaluation, or "external", '
            f"not {opponent!r}"
        )
    if (opponent == "greedy" or callable(opponent)) and not start.perfect_information:
        raise ValueError(
            '"greedy" looks at what the others have, and in this game players do not see '
            'everything; use "random" or an agent that plays by what it sees'
        )


def _unfinished(position: Position) -> Position:
    if position.is_terminal():
        raise ValueError("games cannot start from a finished position")
    return position


def _checked_start(position: Position) -> Position:
    """Returns the position, if a batch can begin with it; else TypeError or ValueError."""
    position = _unfinished(checked(position, whole=True))
    for field in position.state_fields:
        kind = position.field_types[position._fields.index(field)]
        if kind not in (int, bool):
            raise TypeError(f"the field {field} is of type {kind}: a batch keeps int and bool")
    return position


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


def _seeds(
    seed: int | Sequence[int | None] | None, n: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Returns the seeds (n,), 0 to 2**62 - 1, and where they were given, not drawn at random."""
    drawn, seed = np.random.default_rng().integers(0, 1 << 62, n), plain_seed(seed)
    if seed is None:
        return drawn, np.zeros(n, np.bool_)
    if not isinstance(seed, Sequence | np.ndarray):
        first = _at_least(0, "a seed", seed)
        if first >= MOST_SEED:
            raise ValueError(f"a seed must be less than 2**61, not {first}")
        return first + np.arange(n, dtype=np.int64), np.ones(n, np.bool_)
    given = np.array([each is not None for each in seed], np.bool_)
    seeds = [0 if each is None else plain_seed(each) for each in seed]
    if len(seeds) != n or not all(type(s) is int and 0 <= s < MOST_SEED for s in seeds):
        raise ValueError(
            f"seeds must be one integer, or {n} of them or None, each at least 0 and less than "
            f"2**61: {seed!r}"
        )
    return np.where(given, np.array(seeds, np.int64), drawn), given
