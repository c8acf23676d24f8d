"""Adapts Gymnasium's vector environments to Stable-Baselines3, action masks included.

Stable-Baselines3 has vector environments of its own kind. This makes one of any of Gymnasium's
whose infos have an "action_mask", as ``adv_envs.batch.vector`` has, for ``MaskablePPO``:

    games = gymnasium.make_vec("adv_envs/ConnectFour-v0", num_envs=64, opponent="greedy",
                               vectorization_mode="vector_entry_point",
                               autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
    model = MaskablePPO("MlpPolicy", VecMonitor(VectorEnvForSB3(games)))

It needs stable-baselines3: ``pip install "adv-envs[sb3]"``.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from adv_envs.optional import optional_library

vec_env = optional_library("stable_baselines3.common.vec_env", "VectorEnvForSB3 needs", "sb3")


class VectorEnvForSB3(vec_env.VecEnv):  # type: ignore[name-defined]  # may be missing
    """Makes ``envs`` a VecEnv of Stable-Baselines3.

    ``envs`` resets the games that are over in the same step, as Stable-Baselines3 expects:
    ValueError if it does not. Observations, rewards, ends and masks are passed on as they are, as
    copies if ``envs`` were made with ``copy=False``: Stable-Baselines3 stores observations after
    the step that follows them. Of games that ended, infos[i] has "terminal_observation" and
    "TimeLimit.truncated".
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        mode = envs.metadata.get("autoreset_mode")
        if mode != AutoresetMode.SAME_STEP:
            raise ValueError(
                f"games must be reset in the step that ends them, but autoreset_mode is {mode}: "
                "make them with autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP"
            )
        self.envs = envs
        self._overwritten = not getattr(envs.unwrapped, "copy", True)
        self._masks: NDArray[np.bool_] | None = None
        self._actions: Any = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Begins new games with the seeds and options that were set; returns their observations."""
        seeds: Any = [seed for seed in self._seeds if seed is not None]
        options = next((each for each in self._options if each), None)
        seen, infos = self.envs.reset(seed=seeds or None, options=options)
        self._take_masks(infos)
        self._reset_seeds()
        self._reset_options()
        return self._kept(seen)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keeps the actions for ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Plays the actions; returns observations, rewards, whether games are over, and infos."""
        seen, rewards, terminated, truncated, told = self.envs.step(self._actions)
        self._take_masks(told)
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in over.nonzero()[0]:
            infos[i]["terminal_observation"] = told["final_obs"][i]
            infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return self._kept(seen), np.array(rewards, np.float32), over, infos

    def _kept(self, seen: Any) -> Any:
        """Returns observations, copied if the next step would overwrite them."""
        return copy.deepcopy(seen) if self._overwritten else seen

    def _take_masks(self, infos: dict[str, Any]) -> None:
        if "action_mask" in infos:
            self._masks = np.array(infos["action_mask"], dtype=bool)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal now, of shape (num_envs, num_actions)."""
        if self._masks is None:
            raise RuntimeError("no game has begun: call reset() before action_masks()")
        return self._masks

    # ---- what Stable-Baselines3 asks of games one by one

    def has_attr(self, attr_name: str) -> bool:
        """Tells whether the games have an attribute; MaskablePPO looks for "action_masks"."""
        return attr_name == "action_masks" or hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of all games, which they share, for each of ``indices``."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raises AttributeError: games that are played together cannot be changed singly."""
        raise AttributeError(f"{attr_name} cannot be set: the games are played together")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls ``action_masks`` of each game, or ``set_opponent`` of all; else AttributeError."""
        if method_name == "set_opponent" and indices is None:
            return self._set_opponent(*method_args, **method_kwargs)
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r} of their own")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def _set_opponent(self, opponent: Any) -> list[Any]:
        games: Any = self.envs.unwrapped
        if not hasattr(games, "set_opponent"):  # Gymnasium's own, of single environments
            return list(games.call("set_opponent", opponent))
        games.set_opponent(opponent)
        return [None] * self.num_envs

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Returns False for each game: none has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """Returns pictures of the games, where they are drawn."""
        return self.envs.render() or []

    def close(self) -> None:
        """Closes the games."""
        self.envs.close()
