"""Many games as one Gymnasium ``VectorEnv``, compiled: for training.

``gymnasium.make_vec("adv_envs/ConnectFour-v0", num_envs=4096, opponent="random")`` makes a
``BatchVectorEnv``. ``adv_envs.batch.boards`` does the work.
"""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, DTypeLike, NDArray

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
from adv_envs.random import advanced, fraction
from adv_envs.registry import start_of

from .boards import EXTERNAL, Boards

Step = tuple[
    NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]

MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

RENDER_MODES = ["ansi", "rgb_array"]


class BatchVectorEnv(VectorEnv[Any, Any, Any]):
    """``num_envs`` games of ``game``, against opponents or in self-play.

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
    - ``dtype`` of the observations; None for int8, or wider if the game needs it. With
      ``channels_first``, observations of boards have the shape (planes, height, width).
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

    - "action_mask", int8 (num_envs, num_actions): 1 where an action is legal; all 1 where a game is
      over and the next action is ignored, because many policies cannot use an empty mask;
    - "seat", or with "self" "to_move", int64 (num_envs,);
    - "utilities", float32 (num_envs, num_players): the result of the step for each player;
    - with SAME_STEP, after games that ended: "final_obs", "final_info" and their masks.

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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        start, name = start_of(game, parameters)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        alone = isinstance(opponent, str) and opponent == SELF
        pool = None if alone else _pool(opponent)
        self.boards = Boards(
            start,
            num_envs,
            threads,
            autoreset=MODES[self.autoreset_mode],
            opponent=None if pool is None else _compiled_pool(pool) or EXTERNAL,
            seat=0 if alone else seat,
            max_steps=max_episode_steps,
            illegal_reward=illegal_reward,
            dtype=dtype,
            channels_first=channels_first,
        )
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self.boards.keep_ends()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {RENDER_MODES}, not {render_mode!r}")
        self.num_envs, self.copy, self.render_mode = self.boards.n, copy, render_mode
        self.mask_in_observation = bool(mask_in_observation)
        self._opponents = None if pool is None else SeatedOpponents(self.boards, pool)
        self.metadata = {
            "name": f"{name}_v0",
            "render_modes": RENDER_MODES[:],
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = self._space(start)
        self.single_action_space = Discrete(start.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _space(self, start: Position) -> Box | Dict:
        shape = self.boards.observations.shape[1:]
        high = np.broadcast_to(np.array(start.observation_high), start.observation_shape)
        if self.boards.channels_first:
            high = np.moveaxis(high, -1, 0)
        dtype: Any = self.boards.dtype.type
        box = Box(np.zeros(shape, dtype), high.astype(dtype), dtype=dtype)
        mask = Box(0, 1, (start.num_actions,), np.int8)
        return Dict({"observation": box, "action_mask": mask}) if self.mask_in_observation else box

    def set_opponent(self, opponent: Any) -> None:
        """Play against ``opponent``, as for the class, in all games that begin from now on.

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
        """Begin new games; see the class for ``options``. Unknown options are ignored."""
        options = options or {}
        if isinstance(seed, int):
            super().reset(seed=seed)
        envs = _reset_mask(options.get("reset_mask"), self.num_envs)
        self.boards.reset(seed, envs, options.get("seat"))
        if "position" in options:
            self.boards.start_from(options["position"], envs)
        if self._opponents is not None:
            self._opponents.begin(seed, envs)
            self._opponents.play()
        return self._seen(), self._infos()

    def step(self, actions: ArrayLike) -> Step:
        """One move of each environment, see the class."""
        boards = self.boards
        if boards.waiting.any():
            raise ResetNeeded("an opponent failed in the last step: call reset()")
        if self.autoreset_mode == AutoresetMode.DISABLED and boards.over.any():
            raise ResetNeeded(
                f'{boards.over.sum()} games have ended: reset(options={{"reset_mask": ...}}) them'
            )
        seats = boards.seats.copy()  # another game may begin in this step
        boards.step(actions)
        if self._opponents is not None:
            self._opponents.play(seats)
        infos = self._infos()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_finals(infos)
        results = boards.rewards, boards.terminated, boards.truncated
        return self._seen(), *map(self._out, results), infos

    def observe(self, positions: list[Any]) -> dict[str, NDArray[Any]]:
        """The "observation" and "action_mask" of the players to move, a row for each position.

        For opponents that see the same as I do, such as policies that were trained here. TypeError
        or ValueError for positions of other games.
        """
        observations, masks = self.boards.observe(positions)
        return {"observation": observations, "action_mask": masks}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, num_actions); as sb3-contrib asks for it."""
        return self.boards.masks.astype(np.bool_)

    def _seen(self) -> Any:
        """The observations."""
        observations = self._out(self.boards.observations)
        if self.mask_in_observation:
            return {"observation": observations, "action_mask": self._out(self.boards.masks)}
        return observations

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        boards, everywhere = self.boards, np.ones(self.num_envs, np.bool_)
        infos = {
            "action_mask": self._out(boards.masks),
            "_action_mask": everywhere,
            "utilities": self._out(boards.utilities),
            "_utilities": everywhere,
        }
        who = "to_move" if boards.opponent is None else "seat"
        infos[who], infos[f"_{who}"] = boards.to_move.copy(), everywhere
        return infos

    def _add_finals(self, infos: dict[str, Any]) -> None:
        """What there was to see when games ended, in the form of Gymnasium's own vector envs."""
        ended = self.boards.terminated | self.boards.truncated
        if not ended.any():
            return
        observations, players = self.boards.last_observations(ended)
        finals = np.full(self.num_envs, None, dtype=object)
        for env, observation in zip(np.flatnonzero(ended), observations, strict=True):
            final = {"observation": observation, "action_mask": np.zeros_like(self.boards.masks[0])}
            finals[env] = final if self.mask_in_observation else observation
        who = np.zeros(self.num_envs, np.int64)
        who[ended] = players
        seen = "to_move" if self.boards.opponent is None else "seat"
        utilities = self.boards.utilities * ended[:, None]
        mask = np.zeros_like(self.boards.masks)
        infos["final_obs"], infos["_final_obs"] = finals, ended
        infos["final_info"] = {
            "action_mask": mask, "_action_mask": ended,
            "utilities": utilities, "_utilities": ended,
            seen: who, f"_{seen}": ended,
        }  # fmt: skip
        infos["_final_info"] = ended

    # ---- seeing

    def render(self) -> tuple[Any, ...] | None:
        """Each environment's position as text ("ansi") or as a uint8 array (height, width, 3).

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
        from adv_envs.pictures import raster

        return tuple(raster.pixels(position, None) for position in positions)


class SeatedOpponents:
    """The opponents in each game of ``boards``, drawn from a pool when the game begins.

    If the pool is a single compiled opponent, ``boards`` plays it, and this class has nothing to do
    until ``set_pool``.
    """

    def __init__(self, boards: Boards, pool: Opponents) -> None:
        self.boards, self.pool = boards, pool
        self._rng = np.random.default_rng()
        self._seated = np.full((boards.n, boards.start.num_players), None, dtype=object)
        self._game = np.full(boards.n, -1, np.int64)  # the number of the game they were drawn for

    def set_pool(self, pool: Opponents) -> None:
        """Draw from another pool in all games that begin from now on."""
        if self.boards.opponent != EXTERNAL:
            self._seated[:] = self.pool.pool[0]
            self._game[:] = self.boards.numbers
            self.boards.ask_opponents()
        self.pool = pool
        reset(pool.pool, self._rng)

    def begin(self, seed: int | list[int | None] | None, envs: NDArray[np.bool_] | None) -> None:
        """Forget all games, or those where ``envs`` is true; all anew also resets opponents."""
        self._game[slice(None) if envs is None else envs] = -1
        if envs is None:
            if seed is not None:
                seeds = [seed] if isinstance(seed, int) else list(seed)
                self._rng = np.random.default_rng([each or 0 for each in seeds])
            reset(self.pool.pool, self._rng)

    def play(self, seats: NDArray[np.int64] | None = None) -> None:
        """Play for the external opponents until no environment waits for one.

        After a step ``seats`` (n,) are those before it: the results of games are then reported.
        """
        boards = self.boards
        told = np.zeros(boards.n, np.bool_)
        while boards.opponent == EXTERNAL:
            if seats is not None:
                for env in np.flatnonzero(boards.terminated & ~told).tolist():
                    utilities = boards.utilities[env].tolist()
                    report_results(self._seated[env].tolist(), int(seats[env]), utilities)
                told |= boards.terminated
            self._draw(np.flatnonzero(self._game != boards.numbers))
            waiting = np.flatnonzero(boards.waiting)
            if not len(waiting):
                return
            boards.reply(self._answers(waiting))

    def _draw(self, envs: NDArray[np.int64]) -> None:
        """Draw the opponents of the games that begin in ``envs``, by the generator of each."""
        boards = self.boards
        for player in range(boards.start.num_players):
            states: Any = boards.generators[envs]
            if self.pool.draws:
                boards.generators[envs] = states = advanced(states)
            for env, mark in zip(envs, fraction(states), strict=True):
                self._seated[env, player] = self.pool.choose(mark)
        self._game[envs] = boards.numbers[envs]

    def _answers(self, envs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions, int64 (n,), of the opponents in ``envs``; each opponent is asked once."""
        boards, actions = self.boards, np.zeros(self.boards.n, np.int64)
        groups: dict[int, list[int]] = {}
        for env, player in zip(envs.tolist(), boards.to_move[envs].tolist(), strict=True):
            groups.setdefault(id(self._seated[env, player]), []).append(env)
        for group in groups.values():
            opponent = self._seated[group[0], boards.to_move[group[0]]]
            compiled = compiled_opponent(opponent)
            if getattr(opponent, "sees_observations", False):
                seen, masks = boards.seen_by_players(group)
                players = boards.to_move[group]
                actions[group] = observed_replies(opponent, boards.start, seen, masks, players)
            elif compiled is None:
                actions[group] = replies(opponent, [boards[env] for env in group])
            else:
                chosen = np.zeros(boards.n, np.bool_)
                chosen[group] = True
                actions[group] = boards.replies(compiled, chosen)[group]
        return actions


def _pool(opponent: Any) -> Opponents:
    """The pool of opponents from the argument of the class."""
    if isinstance(opponent, str) and re.fullmatch(r"\w+\.\w+", opponent):
        opponent = f"greedy(evaluate={opponent})"
    return Opponents(opponent)


def _compiled_pool(pool: Opponents) -> Any:
    """What ``Boards`` takes as its opponent for a pool of one that is compiled; else None."""
    return compiled_opponent(pool.pool[0]) if len(pool.pool) == 1 else None


def compiled_opponent(opponent: Opponent) -> Any:
    """What ``Boards`` takes as its opponent: "random", "greedy" or an evaluation; else None."""
    if type(opponent) is RandomOpponent:
        return "random"
    name = getattr(opponent, "name", None)
    if name not in ("random", "greedy") or type(opponent) is not type(as_opponent(f"{name}()")):
        return None
    return getattr(opponent, "evaluate", None) or name


def _reset_mask(mask: Any, n: int) -> NDArray[np.bool_] | None:
    """Gymnasium's option, as ``SyncVectorEnv`` checks it."""
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
