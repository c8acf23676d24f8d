"""A curriculum: MaskablePPO learns Connect Four from opponents that look further and further ahead.

The opponent is random at first. Whenever the mean result of the last hundred games is high enough,
the next one of the ladder takes its place, up to alpha-beta that looks four plies ahead; half of
the games are then still played against those before, so that nothing is forgotten. The picture
shows what the policy scores against every rung of the ladder while it learns.

    python examples/train_against_search.py --steps 300000 --out curriculum.png
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from tqdm import tqdm
from train_sb3 import ID, Player

import adv_envs
import agents

LADDER = ["random", "greedy", *(f"alpha_beta(depth={depth})" for depth in range(1, 5))]
UP = 0.6
"""The mean result, from -1 to 1, at which the next rung is reached."""


def pool(rung: int) -> dict[str, float]:
    """The opponents at a rung and their weights: it, and all before it, half and half."""
    before = dict.fromkeys(LADDER[:rung], 1 / max(rung, 1))
    return {LADDER[rung]: 1.0} | before


class Curriculum(BaseCallback):
    """Goes up the ladder, and grades the policy now and then."""

    def __init__(self, steps: int, every: int, pairs: int) -> None:
        super().__init__()
        self.bar = tqdm(total=steps, unit=" steps", disable=None)
        self.every, self.pairs, self.rung, self.next = every, pairs, 0, 0
        self.start = adv_envs.make("connect_four")
        self.grades: list[tuple[int, int, list[float]]] = []
        """(steps, rung, points against each rung from 0 to 1)."""

    def _on_rollout_start(self) -> None:
        buffer: Any = self.model.ep_info_buffer
        mean = sum(game["r"] for game in buffer) / len(buffer) if len(buffer) == 100 else -1
        if mean >= UP and self.rung + 1 < len(LADDER):
            self.rung += 1
            buffer.clear()
            self.training_env.env_method("set_opponent", pool(self.rung))
        if self.num_timesteps >= self.next:
            self.grade()
        self.bar.set_postfix_str(f"{LADDER[self.rung]}, mean result {mean:+.2f}")

    def _on_step(self) -> bool:
        self.bar.update(self.num_timesteps - self.bar.n)
        return True

    def _on_training_end(self) -> None:
        self.grade()
        self.bar.close()

    def grade(self) -> None:
        """Play ``pairs`` openings of two plies twice against everybody."""
        model: Any = self.model
        player, points = Player(model, self.start), []
        for spec in LADDER:
            result = agents.match(self.start, player, agents.make(spec), self.pairs, 0, 2)
            points.append(result.total.points / result.total.games)
        self.grades.append((self.num_timesteps, self.rung, points))
        self.next = self.num_timesteps + self.every


def picture(path: Path, grades: list[tuple[int, int, list[float]]]) -> None:
    """The curves, and when a rung was reached."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    steps = [grade[0] / 1000 for grade in grades]
    colors = plt.get_cmap("viridis")
    for i, spec in enumerate(LADDER):
        points = [100 * grade[2][i] for grade in grades]
        axes.plot(steps, points, marker=".", label=spec, color=colors(i / len(LADDER)))
    for before, after in itertools.pairwise(grades):
        if after[1] > before[1]:
            axes.axvline(after[0] / 1000, color="gray", linewidth=0.5)
            axes.annotate(LADDER[after[1]], (after[0] / 1000, 2), rotation=90, fontsize="small")
    axes.set(xlabel="thousand steps", ylabel="points against, percent", ylim=(0, 100))
    axes.legend(fontsize="small", loc="upper left")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    """Train, print the last grades, draw the curve."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=200_000, help="steps to learn from (200000)")
    parser.add_argument("--every", type=int, default=25_000, help="steps between grades (25000)")
    parser.add_argument("--pairs", type=int, default=25, help="openings for each grade (25)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights, games and moves (0)")
    parser.add_argument("--out", type=Path, default=Path("curriculum.png"), help="the picture")
    options = parser.parse_args()
    torch.set_num_threads(1)
    envs = make_vec_env(ID, 8, seed=options.seed, env_kwargs={"opponent": LADDER[0]})
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,  # a game is worth its result, however long it takes
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=options.seed,
        device="cpu",
    )
    curriculum = Curriculum(options.steps, options.every, options.pairs)
    began = time.perf_counter()
    model.learn(options.steps, callback=curriculum)
    print(f"learned for {time.perf_counter() - began:.2f} s, as far as {LADDER[curriculum.rung]}")
    first, last = curriculum.grades[0][2], curriculum.grades[-1][2]
    for spec, before, after in zip(LADDER, first, last, strict=True):
        print(f"  points against {spec}: {before:.0%} before, {after:.0%} after")
    picture(options.out, curriculum.grades)
    print(f"{options.out}: the curve")


if __name__ == "__main__":
    main()
