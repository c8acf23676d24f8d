"""Steps per second against an opponent: ours beside PettingZoo's game in a wrapper made by hand.

A step is a random legal action and the opponent's reply, with observation, mask and reward; seats
are drawn at random. The environments take turns; see ``compare.py``. The second table shows what
other opponents cost.

    python benchmarks/gym.py [--pairs 15]
"""

from __future__ import annotations

import random
import time
import warnings
from typing import Any

import gymnasium
import numpy as np
from compare import Contestant, Machine, compare, parser_of, printer
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
    """Makes one player of a PettingZoo game play random moves: what people write for themselves."""

    def __init__(self, aec: Any) -> None:
        self.aec = aec
        agent = aec.possible_agents[0]
        self.observation_space = aec.observation_space(agent)["observation"]
        self.action_space = aec.action_space(agent)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begins a game; the opponent moves first in half of them."""
        super().reset(seed=seed)
        self.aec.reset(seed=seed)
        self.me, self.other = self.aec.possible_agents[:2]
        if self.np_random.random() < 0.5:
            self.me, self.other = self.other, self.me
            self._reply()
        seen = self.aec.observe(self.me)
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def step(self, action: Any) -> Any:
        """Plays ``action`` and a random reply."""
        self.aec.step(action)
        if not self.aec.terminations[self.me]:
            self._reply()
        seen = self.aec.observe(self.me)
        reward, over = self.aec.rewards[self.me], self.aec.terminations[self.me]
        return seen["observation"], reward, over, False, {"action_mask": seen["action_mask"]}

    def _reply(self) -> None:
        legal = self.aec.observe(self.other)["action_mask"].nonzero()[0]
        self.aec.step(legal[int(self.np_random.random() * len(legal))])


def whole_games(env: Any) -> Contestant:
    """Steps per second of CPU time, in whole games for about a fifth of a second."""

    def run() -> float:
        steps, draw, began, spent = 0, random.random, time.process_time(), 0.0
        while spent < 0.2:
            _, info = env.reset()
            over = False
            while not over:
                legal = np.flatnonzero(info["action_mask"])
                _, _, over, _, info = env.step(legal[int(draw() * len(legal))])
                steps += 1
            spent = time.process_time() - began
        return steps / spent

    return run


def contestants() -> dict[str, list[tuple[str, Any]]]:
    """Returns the environments by game, first the wrapper around PettingZoo's: the measure."""
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


def main() -> None:
    """Measures and prints the tables."""
    pairs = parser_of(__doc__, pairs=15).parse_args().pairs
    table = Table(title="one environment against random moves, whole games")
    table.add_column("environment")
    table.add_column("steps/s", justify="right")
    table.add_column("x by hand, median (range)", justify="right")
    others = Table(title="Connect Four against other opponents")
    others.add_column("opponent")
    others.add_column("steps/s", justify="right")
    with Machine():
        for game, rows in contestants().items():
            names = [name for name, _ in rows]
            found = compare({name: whole_games(env) for name, env in rows}, pairs, game)
            for name in names:
                ratio = "" if game == "others" else str(found.ratio(name, names[0]))
                table.add_row(
                    name, f"{found.speed(name):,.0f}", "1" if name == names[0] and ratio else ratio
                )
            table.add_section()
        envs = {spec: GymEnv("connect_four", opponent=spec) for spec in OPPONENTS}
        found = compare({spec: whole_games(env) for spec, env in envs.items()}, pairs, "opponents")
        for spec in OPPONENTS:
            others.add_row(spec, f"{found.speed(spec):,.0f}")
    printer().print(table)
    printer().print(others)


if __name__ == "__main__":
    main()
