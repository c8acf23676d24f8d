"""PPO of RLlib with action masks learns tic-tac-toe; setup.sh makes the environment it needs.

RLlib's module for masks wants observations of "observations" (plural) and "action_mask": a wrapper
of one line renames what ``mask_in_observation`` gives. log.jsonl and curve.png in --out are the
exact grades.

    build/rllib/bin/python examples/rllib/train.py
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from tqdm import tqdm

from adv_envs import TicTacToe
from adv_envs.envs.gym import GymEnv
from agents.learning import PeriodicEvaluation, RLlibGradingCallback


class Renamed(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The dict of observation and mask under RLlib's names, the board flat and of floats."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        board = gymnasium.spaces.Box(0, 1, (18,), "float32")
        mask = gymnasium.spaces.Box(0, 1, (9,), "float32")
        self.observation_space = gymnasium.spaces.Dict({"observations": board, "action_mask": mask})

    def observation(self, seen: Any) -> Any:
        """What RLlib sees."""
        found = renamed(seen["observation"][None], seen["action_mask"][None])
        return {key: each[0] for key, each in found.items()}


def renamed(boards: Any, masks: Any) -> Any:
    """Observations (n, 3, 3, 2) and masks under RLlib's names."""
    flat = boards.reshape(len(boards), -1)
    return {"observations": flat.astype("float32"), "action_mask": masks.astype("float32")}


def make(config: Any) -> Any:
    """The environment, in the workers too."""
    return Renamed(GymEnv("tic_tac_toe", mask_in_observation=True))


def config_of(graded: Any, seed: int, batch: int = 2000) -> PPOConfig:
    """PPO with masks, which calls ``graded`` and learns from ``batch`` steps at a time."""
    register_env("tic_tac_toe", make)
    return (
        PPOConfig()
        .environment("tic_tac_toe")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [128, 128]},
            )
        )
        .training(train_batch_size_per_learner=batch, minibatch_size=batch // 8, num_epochs=4)
        .training(lr=1e-3, gamma=1.0, entropy_coeff=0.01)
        .debugging(seed=seed)
        .callbacks(graded)
    )


def main() -> None:
    """Train, graded before, at intervals, and after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="steps to learn from (60000)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights and moves (0)")
    parser.add_argument("--every", type=int, default=6_000, help="steps between grades (6000)")
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder of the log")
    options = parser.parse_args()
    if (options.out / "log.jsonl").exists():
        parser.error(f"{options.out} has the log of another training: choose another --out")
    evaluation = PeriodicEvaluation(TicTacToe(), ["random", "alpha_beta(depth=2)"])
    graded = partial(RLlibGradingCallback, options.out, evaluation, options.every, renamed)
    algorithm = config_of(graded, options.seed).build_algo()
    with tqdm(total=options.steps, unit=" steps", disable=None) as bar:
        for _ in range(0, options.steps, 2000):
            found = algorithm.train()
            bar.update(2000)
            result = found["env_runners"].get("episode_return_mean", 0)
            bar.set_postfix_str(f"mean result {result:+.2f}")
            if "grade" in found:
                shares = (f"{name} {share:.1%}" for name, share in found["grade"].items())
                bar.write(
                    f"{found['num_env_steps_sampled_lifetime']:.0f} steps: {', '.join(shares)}"
                )


if __name__ == "__main__":
    main()
