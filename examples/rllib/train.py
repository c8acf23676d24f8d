"""Trains PPO of RLlib with action masks on tic-tac-toe; setup.sh makes the environment it needs.

RLlib's module for masks takes observations of "observations" (plural) and "action_mask", flat and
of floats: options of the environment give them so. log.jsonl and curve.png in --out are the exact
grades.

    build/rllib/bin/python examples/rllib/train.py
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from tqdm import tqdm

from adv_envs import TicTacToe
from adv_envs.envs.observation import ObservationForm
from agents.learning import PeriodicEvaluation, RLlibGradingCallback

FORM = ObservationForm(
    dtype="float32", flatten=True, mask_dtype="float32", keys={"observation": "observations"}
)
"""As RLlib's module for masks takes them."""


def config_of(graded: Any, seed: int, batch: int = 2000) -> PPOConfig:
    """Returns PPO with masks, which calls ``graded`` and learns from ``batch`` steps at a time."""
    return (
        PPOConfig()
        .environment(
            "adv_envs:adv_envs/TicTacToe-v0",
            env_config={"mask_in_observation": True, **FORM._asdict()},
        )
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
    """Trains, graded before, at intervals, and after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="steps to learn from (60000)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights and moves (0)")
    parser.add_argument("--every", type=int, default=6_000, help="steps between grades (6000)")
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder of the log")
    options = parser.parse_args()
    if (options.out / "log.jsonl").exists():
        parser.error(f"{options.out} has the log of another training: choose another --out")
    evaluation = PeriodicEvaluation(TicTacToe(), ["random", "alpha_beta(depth=2)"])
    graded = partial(RLlibGradingCallback, options.out, evaluation, options.every, FORM)
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
