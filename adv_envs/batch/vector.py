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
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, DTypeLike, NDArray

from adv_envs.envs.opponents import as_opponent
from adv_envs.position import Position
from adv_envs.registry import start_of

from .boards import Boards

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
    """``num_envs`` games of ``game``, against an opponent that is compiled too, or against oneself.

    - ``game``: a name with ``parameters``, or the position to start from.
    - ``opponent``: "random"; "greedy", which looks one move ahead; an evaluation for that, as
      "connect_four.lines", "greedy(evaluate=hex.two_distance)" or a function of a position; or
      "self": the actions are those of all players in turn.
    - ``seat``, mine if there is an opponent: "first", "second", "random", "alternate" or a number.
    - ``threads``: how many cores to use; None for all. The results are the same.
    - ``dtype`` of the observations, None for int8 (or wider where a game needs it); for boards with
      ``channels_first`` of shape (planes, height, width).
    - ``autoreset_mode`` and ``max_episode_steps`` are Gymnasium's. With DISABLED, lanes are reset
      by ``options={"reset_mask": ...}``, and ResetNeeded is raised if those that ended are not.
    - ``copy``: whether everything returned is new. If False, it is overwritten by the next step.

    A step with an opponent is my move and all that happens until it is my turn again, as in
    ``adv_envs.envs.gym``; observation and reward are mine.

    A step of "self" is one move. The observation is what the player sees who moves next,
    ``infos["to_move"]``, and the reward is what the move brought to **the one who made it**, who
    was ``infos["to_move"]`` of the step before: 1 for the move that wins. The loser's -1 is in
    ``infos["utilities"]``. So where two players alternate, what a position is worth to the one who
    moves is reward - (value of the next observation), with minus, and reward alone at the end.

    Actions: integers (num_envs,). One outside of 0 .. num_actions - 1 raises ValueError; one that
    is illegal ends the game with the reward -1. Infos:

    - "action_mask", int8 (num_envs, num_actions): 1 where an action is legal; all 1 where a game is
      over, as the next action is ignored there and no policy should stumble over an empty mask;
    - "seat", or for "self" "to_move", int64 (num_envs,);
    - "utilities", float32 (num_envs, num_players): what the step brought to each player;
    - after games that ended, with SAME_STEP: "final_obs", "final_info" and their masks.

    ``reset(seed=s)`` seeds lane i with s + i, a list seeds each lane; what a lane does depends on
    its seed and actions alone. ``options`` may have "reset_mask", a "position" to start from and a
    "seat". ``boards`` has the positions.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Position,
        *,
        opponent: Any = "random",
        seat: str | int = "random",
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
        compiled = compiled_opponent(opponent)
        self.boards = Boards(
            start,
            num_envs,
            threads,
            autoreset=MODES[self.autoreset_mode],
            opponent=compiled,
            seat=seat if compiled is not None else 0,
            max_steps=max_episode_steps,
            dtype=dtype,
            channels_first=channels_first,
        )
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self.boards.keep_ends()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {RENDER_MODES}, not {render_mode!r}")
        self.num_envs, self.copy, self.render_mode = self.boards.n, copy, render_mode
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

    def _space(self, start: Position) -> Box:
        shape = self.boards.observations.shape[1:]
        high = np.broadcast_to(np.array(start.observation_high), start.observation_shape)
        if self.boards.channels_first:
            high = np.moveaxis(high, -1, 0)
        dtype: Any = self.boards.dtype.type
        return Box(np.zeros(shape, dtype), high.astype(dtype), dtype=dtype)

    # ---- playing

    def reset(
        self,
        *,
        seed: int | list[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin new games, see the class for ``options``; others are ignored."""
        options = options or {}
        if isinstance(seed, int):
            super().reset(seed=seed)
        lanes = _reset_mask(options.get("reset_mask"), self.num_envs)
        seat = options.get("seat")
        seats = None if seat is None else np.full(self.num_envs, seat)
        self.boards.reset(seed, lanes, seats)
        if "position" in options:
            self.boards.start_from(options["position"], lanes)
        return self._out(self.boards.observations), self._infos()

    def step(self, actions: ArrayLike) -> Step:
        """One move of each lane, see the class."""
        boards = self.boards
        if self.autoreset_mode == AutoresetMode.DISABLED and boards.over.any():
            raise ResetNeeded(
                f'{boards.over.sum()} games have ended: reset(options={{"reset_mask": ...}}) them'
            )
        boards.step(actions)
        infos = self._infos()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_finals(infos)
        results = boards.rewards, boards.terminated, boards.truncated
        return self._out(boards.observations), *map(self._out, results), infos  # type: ignore[return-value]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, num_actions); as sb3-contrib asks for it."""
        return self.boards.masks.astype(np.bool_)

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
        for lane, observation in zip(np.flatnonzero(ended), observations, strict=True):
            finals[lane] = observation
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
        """Each lane's position as text ("ansi") or as a uint8 array (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        positions = [self.boards[lane] for lane in range(self.num_envs)]
        if self.render_mode == "ansi":
            return tuple(map(str, positions))
        from adv_envs.pictures import render

        return tuple(render.pixels(position, None) for position in positions)


def compiled_opponent(opponent: Any) -> Any:
    """What ``Boards`` takes as its opponent, for one as ``gymnasium.make_vec`` is given it.

    Raises TypeError for those that are not compiled, and ValueError for names that nothing has.
    """
    if isinstance(opponent, str):
        if opponent == "self":
            return None
        if opponent in ("random", "greedy"):
            return opponent
        if re.fullmatch(r"\w+\.\w+", opponent):
            opponent = f"greedy(evaluate={opponent})"
        opponent = as_opponent(opponent)
    elif callable(opponent) and not hasattr(opponent, "act"):
        return opponent
    name = getattr(opponent, "name", None)
    if name in ("random", "greedy"):
        return getattr(opponent, "evaluate", None) or name
    raise TypeError(
        'a batch plays against "self" or a compiled opponent: "random", "greedy", or an evaluation '
        f'such as "connect_four.lines"; not {opponent!r}. Gymnasium\'s own vector environments, '
        'vectorization_mode="sync" or "async", take any opponent'
    )


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
