"""PPO of RLlib with action masks learns tic-tac-toe; setup.sh makes the environment it needs.

RLlib's module for masks wants observations of "observations" (plural) and "action_mask": a wrapper
of one line renames what ``mask_in_observation`` gives.

    build/rllib/bin/python examples/rllib/train.py
"""

import argparse
from typing import Any

import gymnasium
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from tqdm import tqdm

import adv_envs
import agents
from adv_envs import Position
from adv_envs.envs.gym import GymEnv
from adv_envs.envs.observation import observation_writer

PAIRS = 50  # of games, to grade it


class Renamed(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The dict of observation and mask under RLlib's names, the board flat and of floats."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        board = gymnasium.spaces.Box(0, 1, (18,), "float32")
        mask = gymnasium.spaces.Box(0, 1, (9,), "float32")
        self.observation_space = gymnasium.spaces.Dict({"observations": board, "action_mask": mask})

    def observation(self, seen: Any) -> Any:
        """What RLlib sees."""
        return renamed(seen)


def renamed(seen: Any) -> Any:
    """The observation under RLlib's names."""
    board, mask = seen["observation"].reshape(-1), seen["action_mask"]
    return {"observations": board.astype("float32"), "action_mask": mask.astype("float32")}


class Player(agents.Agent):
    """The module as an agent: the likeliest legal action."""

    def __init__(self, module: Any, start: Position) -> None:
        self.module, self.observer = module, observation_writer(start)

    def act(self, position: Position) -> int:
        """The likeliest action."""
        seen = renamed(self.observer.observe(position, position.to_move, True))
        batch = {"obs": {key: torch.from_numpy(value)[None] for key, value in seen.items()}}
        return int(self.module.forward_inference(batch)["action_dist_inputs"][0].argmax())


def grade(title: str, player: agents.Agent, start: Position) -> None:
    """Wins, draws and losses in both seats."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = agents.match(start, player, agents.make(opponent), pairs=PAIRS, plies=1)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")


def make(config: Any) -> Any:
    """The environment, in the workers too."""
    return Renamed(GymEnv("tic_tac_toe", mask_in_observation=True))


def main() -> None:
    """Before, training, after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="steps to learn from (60000)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights and moves (0)")
    options = parser.parse_args()
    register_env("tic_tac_toe", make)
    config = (
        PPOConfig()
        .environment("tic_tac_toe")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [128, 128]},
            )
        )
        .training(train_batch_size_per_learner=2000, minibatch_size=250, num_epochs=4, lr=1e-3)
        .training(gamma=1.0, entropy_coeff=0.01)
        .debugging(seed=options.seed)
    )
    algorithm, start = config.build_algo(), adv_envs.TicTacToe()
    grade("before", Player(algorithm.get_module(DEFAULT_MODULE_ID), start), start)
    with tqdm(total=options.steps, unit=" steps", disable=None) as bar:
        for _ in range(0, options.steps, 2000):
            told = algorithm.train()["env_runners"]
            bar.update(2000)
            bar.set_postfix_str(f"mean result {told.get('episode_return_mean', 0):+.2f}")
    grade("after", Player(algorithm.get_module(DEFAULT_MODULE_ID), start), start)


if __name__ == "__main__":
    main()
