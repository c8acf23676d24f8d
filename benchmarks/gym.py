"""Steps per second against an opponent: ours beside PettingZoo's game in a wrapper made by hand.

A step is a random legal action and the opponent's reply, with observation, mask and reward; seats
are drawn at random. The environments take turns for many short rounds, and each one's best round
counts, so that whatever else the machine is doing disturbs all alike. The second table shows what
other opponents cost.

    python benchmarks/gym.py [--seconds 20]
"""

from __future__ import annotations

import argparse
import random
import time
import warnings
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import adv_envs  # registers the environments
from adv_envs.envs.gym import GymEnv

warnings.filterwarnings("ignore", message="The old environment creation API")

OPPONENTS = [
    "random",
    "greedy",
    "alpha_beta(depth=1)",
    "alpha_beta(depth=3)",
    "alpha_beta(depth=5)",
]


class ByHand(gymnasium.Env[Any, Any]):
    """One player of a PettingZoo game against random moves: what people write for themselves."""

    def __init__(self, aec: Any) -> None:
        self.aec = aec
        agent = aec.possible_agents[0]
        self.observation_space = aec.observation_space(agent)["observation"]
        self.action_space = aec.action_space(agent)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin a game; the opponent moves first in half of them."""
        super().reset(seed=seed)
        self.aec.reset(seed=seed)
        self.me, self.other = self.aec.possible_agents[:2]
        if self.np_random.random() < 0.5:
            self.me, self.other = self.other, self.me
            self._reply()
        seen = self.aec.observe(self.me)
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def step(self, action: Any) -> Any:
        """Play ``action`` and a random reply."""
        self.aec.step(action)
        if not self.aec.terminations[self.me]:
            self._reply()
        seen = self.aec.observe(self.me)
        reward, over = self.aec.rewards[self.me], self.aec.terminations[self.me]
        return seen["observation"], reward, over, False, {"action_mask": seen["action_mask"]}

    def _reply(self) -> None:
        legal = self.aec.observe(self.other)["action_mask"].nonzero()[0]
        self.aec.step(legal[int(self.np_random.random() * len(legal))])


def play(env: Any, games: int) -> float:
    """Steps per second of CPU time over whole games."""
    steps, draw = 0, random.random
    began = time.process_time()
    for _ in range(games):
        _, info = env.reset()
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(legal[int(draw() * len(legal))])
            steps += 1
    return steps / (time.process_time() - began)


def contestants() -> dict[str, list[tuple[str, Any]]]:
    """The environments by game, the wrapper around PettingZoo's env() first: it is the measure."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    rows = {}
    for name, module in (("tic_tac_toe", tictactoe_v3), ("connect_four", connect_four_v3)):
        id = adv_envs.registry.gymnasium_id(name)
        title = module.__name__.rpartition(".")[2]
        rows[name] = [
            (f"by hand around {title}.env()", ByHand(module.env())),
            (f"by hand around {title}.raw_env()", ByHand(module.raw_env())),
            (f'gymnasium.make("{id}")', gymnasium.make(id)),
            (f'GymEnv("{name}")', GymEnv(name)),
        ]
    rows["others"] = [
        (f'GymEnv("{name}")', GymEnv(name)) for name in ("hex", "thirty_one", "pig", "fig52")
    ]
    return rows


def measure(rows: list[tuple[str, Any]], seconds: float) -> dict[str, float]:
    """Each environment's best round."""
    best = {name: 0.0 for name, _ in rows}
    games = {}
    for name, env in rows:
        env.reset(seed=1)
        play(env, 1)  # what is compiled is compiled now
        began = time.process_time()
        play(env, 4)
        games[name] = max(1, int(4 * 0.05 / (time.process_time() - began)))
    rounds = max(3, int(seconds / 0.05 / len(rows)))
    for _ in track(range(rounds), "measuring", console=Console(stderr=True), transient=True):
        for name, env in rows:
            best[name] = max(best[name], play(env, games[name]))
    return best


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20, help="about how long to measure")
    seconds = parser.parse_args().seconds
    games = contestants()
    best = measure([row for rows in games.values() for row in rows], seconds * 2 / 3)
    table = Table(title="one environment against random moves, whole games")
    table.add_column("environment")
    table.add_column("steps/s", justify="right")
    table.add_column("x by hand", justify="right")
    for game, rows in games.items():
        for name, _ in rows:
            ratio = f"{best[name] / best[rows[0][0]]:.1f}" if game != "others" else ""
            table.add_row(name, f"{best[name]:,.0f}", ratio)
        table.add_section()
    Console().print(table)

    rows = [(spec, GymEnv("connect_four", opponent=spec)) for spec in OPPONENTS]
    best = measure(rows, seconds / 3)
    table = Table(title="Connect Four against other opponents")
    table.add_column("opponent")
    table.add_column("steps/s", justify="right")
    for spec in OPPONENTS:
        table.add_row(spec, f"{best[spec]:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
