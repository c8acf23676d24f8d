"""Runs many games as one Gymnasium ``VectorEnv``, compiled: for training.

``gymnasium.make_vec("adv_envs/ConnectFour-v0", num_envs=4096, opponent="random")`` makes a
``BatchVectorEnv``. ``adv_envs.batch.boards`` does the work.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, DTypeLike, NDArray

from adv_envs.envs.gym import why_illegal
from adv_envs.envs.observation import ObservationForm, observation_writer
from adv_envs.envs.opponents import (
    SELF,
    Opponent,
    Opponents,
    RandomOpponent,
    as_opponent,
    observed_replies,
    replies,
    report_results,
    reset,
)
from adv_envs.position import Position
from adv_envs.random import advanced, derived_seed, plain_seed
from adv_envs.registry import start_of

from .boards import Boards
from .stepper import EXTERNAL

Step = tuple[
    NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]

MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

RENDER_MODES = ["ansi", "svg", "rgb_array"]


class BatchVectorEnv(VectorEnv[Any, Any, Any]):
    """Plays ``num_envs`` games of ``game``, against opponents or in self-play.

    - ``game``: a name with ``parameters``, or the position to start from.
    - ``opponent``: as in ``adv_envs.envs.gym``, the spec of an agent, an agent, a function from a
      position to an action, or a pool of these, from which one is drawn for each game and seat. The
      name of an evaluation, such as "connect_four.lines", means greedy(evaluate=...). With "self",
      the actions are those of all players in turn.
    - ``seat``, if there is an opponent: "first", "second", "random", "alternate" or the number of a
      player.
    - ``illegal_reward``: the reward for an illegal action, which ends the game.
    - ``mask_in_observation``: observations are dicts of the "observation" and the "action_mask".
    - ``threads``: the number of threads; None for one per core. The results do not depend on it.
    - ``dtype``, ``channels_first``, ``flatten``, ``mask_dtype`` and ``keys``: how observations and
      masks are given, see ``adv_envs.envs.observation.ObservationForm``.
    - ``autoreset_mode`` and ``max_episode_steps`` are Gymnasium's. With DISABLED, ``reset`` with
      ``options={"reset_mask": ...}`` begins new games; ``step`` raises ResetNeeded before that.
    - ``copy``: whether all returned arrays are new; if False, the next step overwrites them.

    **With opponents**, a step is my move and all that follows until it is my turn again, as in
    ``adv_envs.envs.gym``; observation and reward are mine. Where the game is over before my first
    turn, the mask is all 1, and the next action, whatever it is, ends the game with its utility.

    The opponents "random" and "greedy" are compiled, fastest if there is no other. Other opponents
    are called in Python: those that have ``act_batch(positions)``, such as ``policy`` without a
    search and ``BatchOpponent``, once for all games in which they are to move, the rest once for
    each game. One such object plays in all games. ``reset`` of all games resets it with a seed, so
    that its random choices depend on the seeds and actions of all environments.

    **With "self"**, a step is one move. The observation is that of the next player to move,
    ``infos["to_move"]``. The reward is the result of the move for **the player who made it**,
    ``infos["to_move"]`` of the step before: 1 for a winning move. The loser's -1 is in
    ``infos["utilities"]``. So if two players alternate, the value of a position for the player to
    move is the reward minus the value of the next observation, and at the end the reward alone.

    **Actions** are integers (num_envs,); ValueError if one is not in 0 .. num_actions - 1.
    **Infos**:

    - "action_mask", int8 (num_envs, num_actions): 1 where an action is legal, also where a game was
      truncated; all 0 where it is over by its rules. So with NEXT_STEP a policy sees empty masks;
    - "seat", or with "self" "to_move", int64 (num_envs,);
    - "utilities", float32 (num_envs, num_players): the result of the step for each player;
    - "reason", where an action was illegal;
    - with SAME_STEP, after games that ended: "final_obs", "final_info" and their masks.

    Against opponents, everything but "utilities" is what Gymnasium's ``SyncVectorEnv`` of as many
    ``GymEnv`` gives; rewards are float32. A limit of steps is Gymnasium's ``TimeLimit``: a game
    that ends in its last step is both terminated and truncated.

    ``reset(seed=s)`` seeds environment i with s + i; a list seeds each environment, except where it
    has None. What an environment does depends only on its seed and actions. ``options`` may have a
    "reset_mask", a "position" to start from or a sequence of one for each environment, and a "seat"
    for these games or one for each environment. ``boards`` has the positions. OpponentError if an
    opponent fails or its action is illegal.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Position,
        *,
        opponent: Any = "random",
        seat: str | int = "random",
        illegal_reward: float = -1.0,
        mask_in_observation: bool = False,
        threads: int | None = None,
        dtype: DTypeLike | None = None,
        channels_first: bool = False,
        flatten: bool = False,
        mask_dtype: DTypeLike = "int8",
        keys: Mapping[str, str] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        if "history" in parameters:
            raise ValueError(
                "batches keep no earlier boards: leave history out, or make single environments, "
                'by gymnasium.make or make_vec with vectorization_mode="sync"'
            )
        start, name = start_of(game, parameters)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        alone = isinstance(opponent, str) and opponent == SELF
        pool = None if alone else _pool(opponent)
        self.boards = Boards(
            start,
            num_envs,
            threads,
            autoreset=MODES[self.autoreset_mode],
            opponent=None if pool is None else _played_by_boards(pool),
            seat=0 if alone else seat,
            max_steps=max_episode_steps,
            illegal_reward=illegal_reward,
            dtype=dtype,
            channels_first=channels_first,
        )
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {RENDER_MODES}, not {render_mode!r}")
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self._all = np.ones(self.num_envs, np.bool_)
        self.mask_in_observation = bool(mask_in_observation)
        turned = channels_first and len(start.observation_shape) == 3
        self._opponents = None if pool is None else SeatedOpponents(self.boards, pool, turned)
        self.metadata = {
            "name": f"{name}_v{start.version}",
            "render_modes": RENDER_MODES[:],
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        form = ObservationForm(dtype, channels_first, flatten, mask_dtype, keys)
        self._writer = observation_writer(start, form)
        self.single_observation_space = self._writer.shown_space(self.mask_in_observation)
        self.single_action_space = Discrete(start.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def set_opponent(self, opponent: Any) -> None:
        """Plays against ``opponent``, as for the class, in all games that begin from now on.

        Games that have begun continue against their opponents. ValueError for "self", and if the
        actions are those of all players.
        """
        if self._opponents is None:
            raise ValueError(
                'with opponent="self" the actions are those of all players, and nobody else '
                'plays: make the environment with another opponent, such as "random"'
            )
        if isinstance(opponent, str) and opponent == SELF:
            raise ValueError('an environment with opponents cannot be set to "self": make another')
        self._opponents.set_pool(_pool(opponent))

    # ---- playing

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begins new games; see the class for ``options``. Unknown options are ignored."""
        options = options or {}
        seed = plain_seed(seed)
        if isinstance(seed, int):
            super().reset(seed=seed)
        envs = _reset_mask(options.get("reset_mask"), self.num_envs)
        self.boards.reset(seed, envs, options.get("seat"))
        if "position" in options:
            self.boards.start_from(options["position"], envs)
        if self._opponents is not None:
            self._opponents.begin(seed, envs)
            self._opponents.play()
        return self._seen(), self._infos(envs)

    def step(self, actions: ArrayLike) -> Step:
        """Makes one move in each environment, see the class."""
        boards = self.boards
        asks = boards.opponent == EXTERNAL
        if asks and boards.waiting.any():
            raise ResetNeeded("an opponent failed in the last step: call reset()")
        if self.autoreset_mode == AutoresetMode.DISABLED and boards.over.any():
            raise ResetNeeded(
                f'{boards.over.sum()} games have ended: reset(options={{"reset_mask": ...}}) them'
            )
        seats = boards.state.seats.copy() if asks else None  # another game may begin in this step
        boards.step(actions)
        if self._opponents is not None:
            self._opponents.play(seats)
        infos, reasons = self._infos(), self._reasons(actions)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_finals(infos, reasons)
        else:
            infos |= reasons
        results = boards.rewards, boards.terminated, boards.truncated
        return self._seen(), *map(self._out, results), infos

    def observe(self, positions: list[Any]) -> dict[str, NDArray[Any]]:
        """Returns "observation" and "action_mask" of the players to move, a row per position.

        For opponents that see the same as I do, such as policies that were trained here. TypeError
        or ValueError for positions of other games.
        """
        observations, masks = self.boards.observe(positions)
        return self._named(self._shaped(observations), self._typed(masks))

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal, bool (num_envs, num_actions), as sb3-contrib asks."""
        return self._masks().astype(np.bool_)

    def _seen(self) -> Any:
        observations = self._shaped(self._out(self.boards.observations))
        if self.mask_in_observation:
            return self._named(observations, self._masks())
        return observations

    def _named(self, observations: NDArray[Any], masks: NDArray[Any]) -> dict[str, NDArray[Any]]:
        return dict(zip(self._writer.names, (observations, masks), strict=True))

    def _shaped(self, observations: NDArray[Any]) -> NDArray[Any]:
        """Returns the observations (n, ...) of ``boards`` in the shape that was asked for."""
        flat = self._writer.shape
        return observations.reshape(-1, *flat) if len(flat) == 1 else observations

    def _typed(self, masks: NDArray[np.int8]) -> NDArray[Any]:
        """Returns the masks of ``boards`` in the type that was asked for."""
        kind = self._writer.mask_dtype
        if kind == masks.dtype:
            return masks
        return masks.view(kind) if kind.itemsize == 1 else masks.astype(kind)

    def _masks(self) -> NDArray[Any]:
        """Returns the masks: all 0, as in single environments, where a game has ended."""
        masks = self._out(self.boards.masks)
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            masks[self.boards.terminated.nonzero()[0]] = 0
        return self._typed(masks)

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self, envs: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Returns the infos; their masks tell all environments, or the reset ones, ``envs``."""
        boards = self.boards
        told = (self._all if envs is None else envs).copy()
        infos = {
            "action_mask": self._masks(),
            "_action_mask": told,
            "utilities": self._out(boards.utilities),
            "_utilities": told,
        }
        who = self._who
        infos[who], infos[f"_{who}"] = boards.to_move.copy(), told
        return infos

    @property
    def _who(self) -> str:
        """Returns the name of the info that says whose observation it is."""
        return "to_move" if self.boards.opponent is None else "seat"

    def _reasons(self, actions: ArrayLike) -> dict[str, NDArray[Any]]:
        """Returns the info "reason" and its mask where an action was illegal, or nothing."""
        forfeited = self.boards.forfeited
        if not len(forfeited):
            return {}
        given, told = np.asarray(actions), np.zeros(self.num_envs, np.bool_)
        reasons, told[forfeited] = np.full(self.num_envs, None, dtype=object), True
        _, masks, players = self.boards.seen(forfeited, last=True)
        for env, mask, player in zip(forfeited, masks, players, strict=True):
            listed = mask.nonzero()[0].tolist()
            reasons[env] = why_illegal(given[env], f"player {player}", listed)
        return {"reason": reasons, "_reason": told}

    def _add_finals(self, infos: dict[str, Any], reasons: dict[str, Any]) -> None:
        """Adds what there was to see when games ended, in the form of Gymnasium's vector envs."""
        boards = self.boards
        ended = boards.terminated | boards.truncated
        if not ended.any():
            return
        observations, seen_masks, players = boards.seen(ended.nonzero()[0], last=True)
        legal, players_seen = np.zeros_like(boards.masks), np.zeros(self.num_envs, np.int64)
        legal[ended], players_seen[ended] = seen_masks, players
        legal[boards.terminated] = 0
        observations, masks = self._shaped(observations), self._typed(legal)
        finals = np.full(self.num_envs, None, dtype=object)
        for env, observation in zip(np.flatnonzero(ended), observations, strict=True):
            named = self.mask_in_observation
            finals[env] = self._named(observation, masks[env].copy()) if named else observation
        infos["final_obs"], infos["_final_obs"] = finals, ended
        infos["final_info"] = {
            "action_mask": masks, "_action_mask": ended,
            "utilities": boards.utilities * ended[:, None], "_utilities": ended,
            self._who: players_seen, f"_{self._who}": ended,
            **reasons,
        }  # fmt: skip
        infos["_final_info"] = ended

    # ---- seeing

    def render(self) -> tuple[Any, ...] | None:
        """Renders each position as text ("ansi", "svg") or as uint8 (height, width, 3).

        As my seat sees it or, with "self", the player to move.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        seats = np.maximum(self.boards.to_move, 0).tolist()
        positions = [self.boards[env].hidden(seat) for env, seat in enumerate(seats)]
        if self.render_mode == "ansi":
            return tuple(map(str, positions))
        if self.render_mode == "svg":
            return tuple(position.svg() for position in positions)
        from adv_envs.pictures import raster

        return tuple(raster.pixels(position, None) for position in positions)


class SeatedOpponents:
    """Draws the opponents in each game of ``boards`` from a pool when the game begins.

    If the pool is a single compiled opponent, ``boards`` plays it, and this class has nothing to do
    until ``set_pool``.
    """

    def __init__(self, boards: Boards, pool: Opponents, channels_first: bool) -> None:
        self.boards, self.pool, self.channels_first = boards, pool, channels_first
        self._random = random.Random()  # draws the seeds of opponents
        self._seated = np.full((len(boards), boards.start.num_players), None, dtype=object)
        self._game = np.full(
            len(boards), -1, np.int64
        )  # the number of the game they were drawn for

    def set_pool(self, pool: Opponents) -> None:
        """Draws from another pool in all games that begin from now on."""
        if self.boards.opponent != EXTERNAL:
            self._seated[:] = self.pool.pool[0]
            self._game[:] = self.boards.state.numbers
            self.boards.opponent = EXTERNAL
        self.pool = pool
        reset(pool.pool, self._random)

    def begin(self, seed: int | list[int | None] | None, envs: NDArray[np.bool_] | None) -> None:
        """Forgets all games, or those where ``envs`` is true; all anew also resets opponents."""
        self._game[slice(None) if envs is None else envs] = -1
        if envs is None:
            if seed is not None:
                seeds = [seed] if isinstance(seed, int) else list(seed)
                if given := [each for each in seeds if each is not None]:
                    self._random.seed(derived_seed(given[0], "opponents", *given[1:]))
            reset(self.pool.pool, self._random)

    def play(self, seats: NDArray[np.int64] | None = None) -> None:
        """Plays for the external opponents until no environment waits for one.

        After a step ``seats`` (n,) are those before it: the results of games are then reported.
        """
        boards = self.boards
        told = np.zeros(len(boards), np.bool_)
        while boards.opponent == EXTERNAL:
            if seats is not None:
                for env in np.flatnonzero(boards.terminated & ~told).tolist():
                    utilities = boards.utilities[env].tolist()
                    report_results(self._seated[env].tolist(), int(seats[env]), utilities)
                told |= boards.terminated
            self._draw(np.flatnonzero(self._game != boards.state.numbers))
            waiting = np.flatnonzero(boards.waiting)
            if not len(waiting):
                return
            boards.reply(self._answers(waiting))

    def _draw(self, envs: NDArray[np.int64]) -> None:
        """Draws the opponents of the games that begin in ``envs``, by the generator of each.

        An opponent that is a pool itself sees a hash of the state, from which chance goes on.
        """
        boards = self.boards
        for player in range(boards.start.num_players):
            choices = [0.0] * len(envs)
            if self.pool.draws:
                states = boards.state.generators[envs] = advanced(boards.state.generators[envs])
                choices = [derived_seed(s, "opponent", bits=53) * 2.0**-53 for s in states.tolist()]
            for env, mark in zip(envs.tolist(), choices, strict=True):
                self._seated[env, player] = self.pool.choose(mark)
        self._game[envs] = boards.state.numbers[envs]

    def _answers(self, envs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the opponents' actions, int64 (n,), in ``envs``; each is asked once."""
        boards, actions = self.boards, np.zeros(len(self.boards), np.int64)
        groups: dict[int, list[int]] = {}
        for env, player in zip(envs.tolist(), boards.to_move[envs].tolist(), strict=True):
            groups.setdefault(id(self._seated[env, player]), []).append(env)
        for group in groups.values():
            opponent = self._seated[group[0], boards.to_move[group[0]]]
            compiled = compiled_opponent(opponent)
            if getattr(opponent, "sees_observations", False):
                seen, masks, players = boards.seen(group)
                if self.channels_first:
                    seen = np.moveaxis(seen, 1, -1)
                actions[group] = observed_replies(opponent, boards.start, seen, masks, players)
            elif compiled is None:
                actions[group] = replies(opponent, [boards[env] for env in group])
            else:
                chosen = np.zeros(len(boards), np.bool_)
                chosen[group] = True
                actions[group] = boards.replies(compiled, chosen)[group]
        return actions


def _pool(opponent: Any) -> Opponents:
    if isinstance(opponent, str) and re.fullmatch(r"\w+\.\w+", opponent):
        opponent = f"greedy(evaluate={opponent})"
    return Opponents(opponent)


def _played_by_boards(pool: Opponents) -> Any:
    """Returns what ``Boards`` takes as its opponent: that of a pool of one, if it is compiled."""
    return (len(pool.pool) == 1 and compiled_opponent(pool.pool[0])) or EXTERNAL


def compiled_opponent(opponent: Opponent) -> Any:
    """Returns what ``Boards`` takes as opponent: "random", "greedy", an evaluation; else None."""
    if type(opponent) is RandomOpponent:
        return "random"
    name = getattr(opponent, "name", None)
    if name not in ("random", "greedy") or type(opponent) is not type(as_opponent(f"{name}()")):
        return None
    return getattr(opponent, "evaluate", None) or name


def _reset_mask(mask: Any, n: int) -> NDArray[np.bool_] | None:
    """Checks Gymnasium's option, as ``SyncVectorEnv`` does."""
    if mask is None:
        return None
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"options['reset_mask'] must be a NumPy array, not {type(mask).__name__}")
    if mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] must be of dtype bool, not {mask.dtype}")
    if mask.shape != (n,) or not mask.any():
        raise ValueError(
            f"options['reset_mask'] must be of shape ({n},), and true somewhere, not {mask}"
        )
    return mask
