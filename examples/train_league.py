"""PPO learns Hex 5x5 against a league of its past selves, against itself, or against random moves.

    python examples/train_league.py --seeds 3

Each of --against is learnt by PPO as in train_ppo.py, with the same network, number of steps and
settings, from each seed, and graded by exact values: the share of wrong moves at 1,000 positions.
At the end a table has the means over the seeds with 95 % intervals, and differences from self-play;
curve.png in --out has the curves. A step is a move of the learner; in self-play of either side.

The league is ``agents.League``: before training, and every --add steps, a copy of the network joins
it. Each game is played against one that is drawn from it. The same command goes on where it was
stopped, with new games.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import gymnasium
import matplotlib as mpl
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, VectorWrapper
from scipy import stats
from train_ppo import PPO, ROLLOUT, Network

from adv_envs import Position, start_position
from agents import League
from agents.learning import PeriodicEvaluation, TrainingRun, bounded, run_command, training_options
from agents.networks.pytorch import save_torch

SIZE, ENVS, POSITIONS = 5, 256, 1000

LEAGUES = {
    "league": {"by": "uniform"},
    "league_hard": {"by": "hard"},
    "league_even": {"by": "even"},
}
"""The leagues that can be chosen, and how opponents are drawn from them."""

AGAINST = *LEAGUES, "self", "random"


class Mirrored(VectorWrapper):
    """Shows the second player the board with rows and columns exchanged.

    Then both join top and bottom, and what one side learns holds for the other.
    """

    def reset(self, **how: Any) -> Any:
        """Begin new games."""
        return self.turned(*self.env.reset(**how))

    def step(self, actions: Any) -> Any:
        """One move of each environment."""
        exchanged = actions % SIZE * SIZE + actions // SIZE
        seen, *results, info = self.env.step(np.where(self.second, exchanged, actions))
        seen, info = self.turned(seen, info)
        return seen, *results, info

    def turned(self, seen: Any, info: Any) -> Any:
        """Exchange rows and columns in observations and masks where the second player is to see."""
        self.second = (info["seat"] if "seat" in info else info["to_move"]) == 1
        seen[self.second] = seen[self.second].swapaxes(1, 2)
        mask = info["action_mask"]
        cells = mask[self.second].reshape(-1, SIZE, SIZE)
        mask[self.second] = cells.swapaxes(1, 2).reshape(-1, SIZE * SIZE)
        return seen, info


def save(network: Any, path: Path, start: Position) -> None:
    """Write the network as an agent that needs no PyTorch."""
    parts = {name: getattr(network, name) for name in ("trunk", "policy", "value")}
    card = {"trained by": "examples/train_league.py"}
    save_torch(path, start, **parts, channels_first=False, mirrored=True, card=card)


def train(against: str, seed: int, options: Any, evaluation: PeriodicEvaluation) -> Path:
    """Learn against one kind of opponent from one seed; the log of the run."""
    torch.manual_seed(seed)
    start = evaluation.start
    out = options.out / f"{against}_{seed}"
    kind = f"PPO, {start!r}, {against}, {options.width} units, seed {seed}"
    if against in LEAGUES:
        kind += f", a past self in {options.add} steps, {options.latest} the newest"
    run = TrainingRun(out, kind, evaluation, options.steps, options.every)
    network, policy = Network(start, options.width), out / "policy.safetensors"
    state: Any = run.restore()
    league, opponent = None, against  # type: tuple[League | None, Any]
    if against in LEAGUES:
        how: Any = LEAGUES[against] | {"latest": options.latest}
        if state:
            league = League(out / "league", **how)
            league.load_state_dict(state["league"])
        else:
            save(network, policy, start)
            league = League.begin(out / "league", policy, replace=True, **how)
        opponent = league
    envs: Any = gymnasium.make_vec(
        "adv_envs/Hex-v0",
        ENVS,
        "vector_entry_point",
        size=SIZE,
        opponent=opponent,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    ppo = PPO(network, Mirrored(envs), seed, -1.0 if against == "self" else 1.0, options.wild)
    parts = {"network": network, "optimizer": ppo.optimizer}
    for key, part in parts.items() if state else ():
        part.load_state_dict(state[key])

    def saved() -> dict[str, Any]:
        save(network, policy, start)
        states = {key: part.state_dict() for key, part in parts.items()}
        return states if league is None else states | {"league": league.save()}

    while run.continues(f"policy(path={str(policy)!r})", saved):
        before = run.steps // options.add
        run.advance(ENVS * ROLLOUT, result=ppo.update(max(0.0, 1 - run.steps / options.steps)))
        if league is not None and run.steps // options.add > before:
            save(network, policy, start)
            league.add(policy, run.steps)
    if league is not None:
        print(league)
    return run.log


def mistakes_of(log: Path) -> dict[int, float]:
    """The share of wrong moves by steps, of a run."""
    lines = map(json.loads, log.read_text().splitlines())
    return {line["steps"]: line["mistakes"] for line in lines if "mistakes" in line}


def interval(values: Any) -> tuple[float, float]:
    """The mean and half of its 95 % interval, by Student's distribution; NaN for one value."""
    error = stats.sem(values) if len(values) > 1 else np.nan
    return float(np.mean(values)), float(stats.t.ppf(0.975, max(len(values) - 1, 1)) * error)


def print_table(logs: dict[str, list[Path]]) -> None:
    """Print the wrong moves at the end of training, and by how much there are fewer than alone."""
    ends = {
        name: [list(mistakes_of(log).values())[-1] for log in each] for name, each in logs.items()
    }
    print(f"\n{'against':<12} {'seeds':>5}  {'wrong moves':<20} less than by self-play")
    for name, values in ends.items():
        mean, half = interval(values)
        text = f"{name:<12} {len(values):>5}  {f'{mean:.1%} +- {half:.1%}':<20}"
        if name != "self" and "self" in ends:
            test = stats.ttest_ind(ends["self"], values, equal_var=False)
            low, high = test.confidence_interval() if len(values) > 1 else (np.nan, np.nan)
            gain = np.mean(ends["self"]) - mean
            text += f" {gain:+.1%} ({low:+.1%} to {high:+.1%})"
        print(text)


def draw(logs: dict[str, list[Path]], picture: Path) -> None:
    """Draw the mean of the wrong moves of each over the steps, with its interval."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for name, each in logs.items():
        curves = [mistakes_of(log) for log in each]
        steps = [step for step in curves[0] if all(step in curve for curve in curves)]
        found = np.array([interval([curve[step] for curve in curves]) for step in steps]).T
        (line,) = axis.plot(steps, found[0], ".-", label=name.replace("_", ", "))
        axis.fill_between(steps, *(found[0] + s * found[1] for s in (-1, 1)), alpha=0.2, lw=0)
        line.set_zorder(3)
    axis.set(xlabel="steps", ylabel="wrong moves", ylim=(0, None))
    axis.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1, decimals=0))
    axis.grid(alpha=0.3)
    axis.legend(title="against")
    figure.savefig(picture, dpi=120)
    plt.close(figure)


def main() -> None:
    """Train all, then compare them."""
    read, some = training_options(__doc__, "league", 600_000), bounded(int, 1)
    read.formatter_class = argparse.RawDescriptionHelpFormatter
    read.add_argument("--against", nargs="+", default=["league", "self", "random"], choices=AGAINST)
    read.add_argument("--seeds", type=some, default=3, help="runs of each, from --seed on (3)")
    read.add_argument("--add", type=some, default=50_000, help="steps between past selves (50000)")
    read.add_argument("--latest", type=float, default=0.5, help="share of the newest one (0.5)")
    read.add_argument("--width", type=some, default=128, help="units of the two layers (128)")
    read.add_argument("--wild", type=bounded(int, 0), default=4, help="random moves at first (4)")
    options = read.parse_args()
    torch.set_num_threads(1)
    evaluation = PeriodicEvaluation(start_position("hex", size=SIZE), (), positions=POSITIONS)
    logs: dict[str, list[Path]] = {name: [] for name in options.against}
    for seed in range(options.seed, options.seed + options.seeds):
        for name, each in logs.items():
            print(f"\nagainst {name}, seed {seed}")
            each.append(train(name, seed, options, evaluation))
    print_table(logs)
    draw(logs, options.out / "curve.png")


if __name__ == "__main__":
    run_command(main)
