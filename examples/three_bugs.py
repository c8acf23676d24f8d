"""Measures what three bugs that everyone writes cost a learner, by exact error rates.

    python examples/three_bugs.py
    python examples/three_bugs.py --game connect_four --seeds 3

A small deep Q-network learns a game of two players by playing itself, half of its moves at random.
It does so as it should, and with one of three bugs, each of them one line, marked BUG below:

- sign: the best that the opponent can do next is counted as good for oneself;
- mask: the best that the opponent can do next is sought among illegal actions, too;
- perspective: the network is always shown the first player's stones first, although its values are
  for the player to move. (Whose turn it is can still be told: the numbers of stones say so.)

All begin with the same weights and differ in nothing else. At intervals the network is graded by
exact values: the share of its moves that give away a win or a draw, always among legal actions.
Curves are means over the seeds, with 95 % intervals by Student's distribution. Results are kept in
--out, and the same command does what is missing.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import matplotlib as mpl
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from rich.console import Console
from rich.table import Table
from torch import nn
from tqdm import tqdm

from adv_envs import Position, registry, start_position
from agents.learning import (
    PeriodicEvaluation,
    bounded,
    mean_over_seeds,
    plus_minus,
    run_command,
    torch_policy,
)
from agents.learning.training_run import OneLineParser

mpl.use("Agg")

GAMES: dict[str, dict[str, int]] = {"tic_tac_toe": {}, "connect_four": {"height": 4, "width": 5}}
"""The games, and their parameters."""

KINDS = {
    "none": ("as it should be", "black"),
    "mask": ("missing mask", "darkorange"),
    "perspective": ("wrong perspective", "steelblue"),
    "sign": ("wrong sign", "firebrick"),
}
"""The learners by bug: their names and colours."""

ENVS, BATCH, MEMORY, RATE, RENEW, RANDOM = 64, 128, 50_000, 1e-3, 100, 0.5
"""Games at once, samples of a step of learning, samples kept, rate of learning, steps between two
target networks, and the share of random moves."""


class QNetwork(nn.Module):
    """Returns the values of all actions for the player to move, from an observation."""

    def __init__(self, start: Position, bug: str, width: int = 128) -> None:
        super().__init__()
        self.bug, inputs = bug, int(np.prod(start.observation_shape))
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, start.num_actions),
        )  # fmt: skip

    def forward(self, seen: torch.Tensor) -> Any:
        """Returns values (n, actions), from the planes of the player to move and the opponent."""
        if self.bug == "perspective":  # BUG: the first player's stones first, whoever is to move
            stones = seen.sum((1, 2))
            second = stones[:, 0] < stones[:, 1]
            seen = torch.where(second[:, None, None, None], seen.flip(3), seen)
        return self.layers(seen)


class QLearner:
    """Learns by deep Q-learning in self-play, perhaps with a bug."""

    def __init__(self, game: str, bug: str, seed: int) -> None:
        torch.manual_seed(seed)
        start = start_position(game, **GAMES[game])
        self.bug, self.network = bug, QNetwork(start, bug)
        self.old = copy.deepcopy(self.network)
        self.optimiser = torch.optim.Adam(self.network.parameters(), RATE)
        how: Any = {"opponent": "self", "autoreset_mode": AutoresetMode.SAME_STEP} | GAMES[game]
        name = registry.gymnasium_id(game)
        self.envs: Any = gymnasium.make_vec(name, ENVS, "vector_entry_point", **how)
        self.show(*self.envs.reset(seed=seed))
        self.beginning, self.updates = self.seen[:1].clone(), 0
        shape, actions = start.observation_shape, start.num_actions
        moves = ((shape, torch.float32), ((), torch.int64), ((), torch.float32), ((), torch.bool))
        after = ((shape, torch.float32), ((actions,), torch.bool))
        self.memory = [torch.zeros((MEMORY, *size), dtype=kind) for size, kind in moves + after]

    def show(self, seen: Any, info: Any) -> None:
        """Keeps what the players to move see, and which actions are legal."""
        self.seen = torch.from_numpy(seen).float()
        self.legal = torch.from_numpy(info["action_mask"] != 0)

    def update(self) -> float:
        """Plays a move in each game and makes a step of learning; returns its loss."""
        if self.updates % RENEW == 0:
            self.old.load_state_dict(self.network.state_dict())
        with torch.no_grad():
            values = self.network(self.seen)
        at_random = torch.rand(ENVS, 1) < RANDOM
        values = torch.where(at_random, torch.rand(values.shape), values)
        actions = values.masked_fill(~self.legal, -torch.inf).argmax(1)
        before = self.seen
        after, rewards, over, _, info = self.envs.step(actions.numpy())
        self.show(after, info)
        results = torch.from_numpy(rewards.astype(np.float32)), torch.from_numpy(over.copy())
        rows = torch.arange(self.updates * ENVS, (self.updates + 1) * ENVS) % MEMORY
        moves = before, actions, *results, self.seen, self.legal
        for kept, new in zip(self.memory, moves, strict=True):
            kept[rows] = new
        self.updates += 1
        return self.learn(torch.randint(min(self.updates * ENVS, MEMORY), (BATCH,)))

    def learn(self, rows: torch.Tensor) -> float:
        """Makes a step of gradient descent on moves that are remembered; returns the loss."""
        seen, actions, rewards, over, after, legal = (kept[rows] for kept in self.memory)
        targets = torch.where(over, rewards, self.promised(after, legal))
        values = self.network(seen).gather(1, actions[:, None]).squeeze(1)
        loss = nn.functional.mse_loss(values, targets)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return float(loss.detach())

    @torch.no_grad()
    def promised(self, after: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """Returns what positions promise to the player who moved there, (n,)."""
        replies = self.old(after)
        if self.bug != "mask":  # BUG: without this line
            replies = replies.masked_fill(~legal, -torch.inf)
        best: torch.Tensor = replies.max(1).values
        return best if self.bug == "sign" else -best  # BUG: best, of the other player

    @torch.no_grad()
    def value(self) -> float:
        """Returns the value that the network gives to the beginning of the game."""
        return float(self.network(self.beginning).max())


def learn(bug: str, seed: int, args: Any, grades: PeriodicEvaluation) -> dict[str, Any]:
    """Returns the grades of a learner while it learns, and what else one would see of it."""
    learner = QLearner(args.game, bug, seed)
    losses, points = list[float](), list[tuple[int, float, float]]()
    updates = args.steps // ENVS
    due = {round(updates * i / args.points) for i in range(args.points + 1)}
    for done in range(updates + 1):
        if done in due:
            grade = grades.evaluate(torch_policy(learner.network, greedy=True))
            points.append((done * ENVS, grade["mistakes"], grade["vs random"]))
        if done < updates:
            losses.append(learner.update())
    steps, mistakes, against = zip(*points, strict=True)
    found = {"steps": steps, "mistakes": mistakes, "against random": against}
    return found | {"loss": float(np.mean(losses[-100:])), "value": learner.value()}


def results(args: argparse.Namespace, grades: PeriodicEvaluation) -> Iterator[dict[str, Any]]:
    """Yields what was found of each learner, from the file if it is there."""
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"{args.game}.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    every = [(bug, seed) for seed in range(args.seeds) for bug in KINDS]
    for bug, seed in tqdm(every, desc=args.game, unit="learner", disable=None):
        key = {"bug": bug, "seed": seed, "of": args.steps, "points": args.points}
        key["positions"] = args.positions
        found = next((line for line in known if key.items() <= line.items()), None)
        if found is None:
            found = key | learn(bug, seed, args, grades)
            with path.open("a") as file:
                file.write(json.dumps(found) + "\n")
        yield found


def read() -> argparse.Namespace:
    """Reads the command line."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, some = parser.add_argument, bounded(int, 1)
    add("--game", choices=GAMES, default="tic_tac_toe", help="what is learnt (tic_tac_toe)")
    add("--steps", type=bounded(int, ENVS), default=60_000, help="moves of self-play (60000)")
    add("--points", type=some, default=12, help="of each curve, after the first (12)")
    add("--seeds", type=some, default=5, help="learners of each kind (5)")
    add("--positions", type=some, default=1000, help="at which they are graded (1000)")
    add("--out", type=Path, default=Path("runs/three_bugs"), help="folder of the results")
    return parser.parse_args()


def main() -> None:
    """Learns what is missing; prints the table and draws the picture."""
    args = read()
    torch.set_num_threads(1)
    start = start_position(args.game, **GAMES[args.game])
    grades = PeriodicEvaluation(start, ["random"], pairs=50, positions=args.positions)
    found: dict[str, list[Any]] = {bug: [] for bug in KINDS}
    for each in results(args, grades):
        found[each["bug"]].append(each)
    title = f"{args.game} after {args.steps:,} moves, {args.seeds} seeds"
    table = Table("learner", title=title)
    for heading in ("wrong moves", "points against random", "loss", "value of the start"):
        table.add_column(heading, justify="right")
    for bug, (name, _) in KINDS.items():
        rows = [(r["mistakes"][-1], r["against random"][-1]) for r in found[bug]]
        shares = map(plus_minus, *mean_over_seeds(rows))
        others = mean_over_seeds([(r["loss"], r["value"]) for r in found[bug]])
        numbers = (plus_minus(mean, half, ".3f") for mean, half in zip(*others, strict=True))
        table.add_row(name, *shares, *numbers)
    at_random = 1 - grades.evaluate("random(seed=0)").random
    table.add_row("random moves", f"{at_random:.1%}", "50.0%", "", "")
    Console(width=110).print(table)
    draw(args, found, at_random)


def draw(args: argparse.Namespace, found: dict[str, list[Any]], at_random: float) -> None:
    """Draws the wrong moves and the points against random over the moves of self-play."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import EngFormatter, PercentFormatter

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    shown = {"mistakes": "wrong moves", "against random": "points against random moves"}
    for axis, (key, heading), level in zip(axes, shown.items(), (at_random, 0.5), strict=True):
        axis.axhline(level, color="grey", ls="--", lw=1, label="random moves")
        for bug, (name, color) in KINDS.items():
            means, halves = mean_over_seeds([each[key] for each in found[bug]])
            steps = found[bug][0]["steps"]
            axis.plot(steps, means, color=color, label=name)
            axis.fill_between(steps, means - halves, means + halves, color=color, alpha=0.2, lw=0)
        axis.set(title=heading, xlabel="moves of self-play", ylim=(0, 1))
        axis.xaxis.set_major_formatter(EngFormatter(sep=""))
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    figure.suptitle(f"{args.game}, {args.seeds} seeds")
    path = args.out / f"{args.game}.png"
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"The picture: {path}")


if __name__ == "__main__":
    run_command(main)
