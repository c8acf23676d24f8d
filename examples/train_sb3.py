"""MaskablePPO of Stable-Baselines3 (sb3-contrib) learns Connect Four against a pool of opponents.

A step of the environment is my move and the reply, so that the next observation is mine again, and
the reward is my own result, also when the opponent ends the game. MaskablePPO finds the masks by
itself: ``action_masks()`` is a method of the environment, which every wrapper of Gymnasium keeps.
--vector plays compiled games instead, by adv_envs.sb3.

    python examples/train_sb3.py
    python examples/train_sb3.py --vector --steps 300000
"""

import argparse
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecMonitor
from tqdm import tqdm

import adv_envs
import agents
from adv_envs import Position
from adv_envs.observer import observer
from adv_envs.sb3 import VectorEnvForSB3

ID = "adv_envs/ConnectFour-v0"
PAIRS = 50  # of games, to grade it
POOL = {"random": 1, "greedy": 2}  # one is drawn for each game; "alpha_beta(depth=2)" may be too


class Player(agents.Agent):
    """A trained model as an agent. ``predict`` must be given the mask as well."""

    def __init__(self, model: MaskablePPO, start: Position) -> None:
        self.model, self.observer = model, observer(start)

    def act(self, position: Position) -> int:
        """The likeliest action."""
        seen = self.observer.observe(position, position.to_move, True)
        mask = seen["action_mask"]
        action, _ = self.model.predict(seen["observation"], action_masks=mask, deterministic=True)
        return int(action)


class Bar(BaseCallback):
    """Steps, steps a second, and the mean result of the last hundred games."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.bar = tqdm(total=steps, unit=" steps", disable=None)

    def _on_step(self) -> bool:
        self.bar.update(self.num_timesteps - self.bar.n)
        return True

    def _on_rollout_end(self) -> None:
        results = [game["r"] for game in self.model.ep_info_buffer or ()]
        if results:
            self.bar.set_postfix_str(f"mean result {sum(results) / len(results):+.2f}")

    def _on_training_end(self) -> None:
        self.bar.close()


def grade(title: str, player: agents.Agent, start: Position) -> None:
    """Wins, draws and losses in both seats, from random openings of two plies."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = agents.match(start, player, agents.make(opponent), pairs=PAIRS, plies=2)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")


def environments(vector: bool, count: int, seed: int) -> Any:
    """A VecEnv of Stable-Baselines3 with ``count`` games."""
    if not vector:
        return make_vec_env(ID, count, seed=seed, env_kwargs={"opponent": POOL})
    same_step = gymnasium.vector.AutoresetMode.SAME_STEP
    kwargs: Any = {"opponent": "greedy", "autoreset_mode": same_step}
    games = gymnasium.make_vec(ID, count, vectorization_mode="vector_entry_point", **kwargs)
    return VecMonitor(VectorEnvForSB3(games))


def main() -> None:
    """Before, training, after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=150_000, help="steps to learn from (150000)")
    parser.add_argument("--vector", action="store_true", help="compiled games, many at once")
    parser.add_argument("--seed", type=int, default=0, help="draws weights, games and moves (0)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    count = 64 if options.vector else 8
    model = MaskablePPO(
        "MlpPolicy",
        environments(options.vector, count, options.seed),
        n_steps=2048 // count,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,  # a game is worth its result, however long it takes
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=options.seed,
        device="cpu",
    )
    start = adv_envs.make("connect_four")
    grade("before", Player(model, start), start)
    model.learn(options.steps, callback=Bar(options.steps))
    grade("after", Player(model, start), start)


if __name__ == "__main__":
    main()
