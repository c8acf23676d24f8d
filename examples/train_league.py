"""Trains PPO on Hex 5x5 against a league of its past selves, against itself, or random moves.

    python examples/train_league.py --seeds 3

Each of --against is learnt by PPO as in train_ppo.py, with the same network, number of steps and
settings, from each seed, and graded by exact values: the share of wrong moves at 1,000 positions.
At the end a table has the means over the seeds with 95 % intervals, and differences from self-play;
curve.png in --out has the curves. A step is a move of the learner; in self-play of either side.

Games begin with up to --opening random moves, of both sides and the same for all of --against: else
each would learn the positions of its own games only, the league's being more than those of the
newest self (--opening 0).

The league is ``agents.League``: before training, and every --add steps, a copy of the network joins
it. Each game is played against one that is drawn from it. Copies are kept in self-play as well, and
in the end all of a run play each other: a league is of use where they beat each other in circles.
The same command goes on where it was stopped, with new games.
"""

import argparse
import itertools
import json
import math
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
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    bounded,
    mean_over_seeds,
    plus_minus,
    run_command,
    training_options,
)
from agents.networks.policy import Policy
from agents.networks.pytorch import save_torch

SIZE, ENVS, POSITIONS = 5, 256, 1000

MINIBATCHES = 16
"""In each of which PPO takes a step: of 512 moves, where train_ppo.py has four of 2,048."""

LAMBDA = 0.8
"""Of generalized advantages, for all of AGAINST; train_ppo.py has 0.95. A move is to be praised for
what comes soon after it: with a league as the opponent, 0.95 reaches twice as many plies ahead."""

LEAGUES = {
    "league": {"by": "uniform"},
    "league_hard": {"by": "hard"},
    "league_even": {"by": "even"},
}
"""The leagues that can be chosen, and how opponents are drawn from them."""

AGAINST = *LEAGUES, "self", "random"


class Opened(VectorWrapper):
    """Begins each game with 0 to ``plies`` random moves of both sides."""

    def __init__(self, env: Any, start: Position, plies: int, seed: int) -> None:
        super().__init__(env)
        self.start, self.plies, self.rng = start, plies, np.random.default_rng(seed)

    def reset(self, **how: Any) -> Any:
        """Begins new games."""
        self.env.reset(**how)
        return self.opened(np.ones(self.num_envs, np.bool_))

    def step(self, actions: Any) -> Any:
        """Returns one move of each environment, and new games where that ended one."""
        seen, reward, over, cut, info = self.env.step(actions)
        if over.any():
            seen, info = self.opened(over)
        return seen, reward, over, cut, info

    def opened(self, which: Any) -> Any:
        """Begins new games where ``which``, bool (n,), is true."""
        openings = [self.opening() if begins else None for begins in which]
        return self.env.reset(options={"reset_mask": which, "position": openings})

    def opening(self) -> Position:
        """Returns an unfinished position after random moves."""
        position = self.start
        for _ in range(self.rng.integers(self.plies, endpoint=True)):
            after = position.play(int(self.rng.choice(position.legal_actions())))
            if after.is_terminal():
                break
            position = after
        return position


class Mirrored(VectorWrapper):
    """Shows the second player the board with rows and columns exchanged.

    Then both join top and bottom, and what one side learns holds for the other.
    """

    def reset(self, **how: Any) -> Any:
        """Begins new games."""
        return self.turned(*self.env.reset(**how))

    def step(self, actions: Any) -> Any:
        """Returns one move of each environment."""
        exchanged = actions % SIZE * SIZE + actions // SIZE
        seen, *results, info = self.env.step(np.where(self.second, exchanged, actions))
        seen, info = self.turned(seen, info)
        return seen, *results, info

    def turned(self, seen: Any, info: Any) -> Any:
        """Swaps rows and columns in observations and masks where the second player is to see."""
        self.second = (info["seat"] if "seat" in info else info["to_move"]) == 1
        seen[self.second] = seen[self.second].swapaxes(1, 2)
        mask = info["action_mask"]
        cells = mask[self.second].reshape(-1, SIZE, SIZE)
        mask[self.second] = cells.swapaxes(1, 2).reshape(-1, SIZE * SIZE)
        return seen, info


def save(network: Any, path: Path, start: Position) -> None:
    """Writes the network as an agent that needs no PyTorch."""
    parts = {name: getattr(network, name) for name in ("trunk", "policy", "value")}
    card = {"trained by": "examples/train_league.py"}
    save_torch(path, start, **parts, channels_first=False, mirrored=True, card=card)


def environments(against: Any, seed: int, opening: int) -> Any:
    """Returns games with openings, against an opponent or in self-play."""
    envs: Any = gymnasium.make_vec(
        "adv_envs/Hex-v0",
        ENVS,
        "vector_entry_point",
        size=SIZE,
        opponent=against,
        autoreset_mode=AutoresetMode.DISABLED,
    )
    return Opened(envs, start_position("hex", size=SIZE), opening, seed)


def past_selves(out: Path, policy: Path, state: Any, how: dict[str, Any]) -> League:
    """Returns the league of a run, begun with ``policy`` or as in the ``state`` of the run."""
    if not state:
        return League.begin(out / "league", policy, replace=True, **how)
    league = League(out / "league", **how)
    league.load_state_dict(state["league"])
    return league


def train(against: str, seed: int, options: Any, evaluation: PeriodicEvaluation) -> Path:
    """Learns against one kind of opponent from one seed; the folder of the run."""
    torch.manual_seed(seed)
    start = evaluation.start
    out: Path = options.out / f"{against}_{seed}"
    kind = f"PPO, {start!r}, {against}, {options.width} units, seed {seed}, a past self in "
    kind += f"{options.add} steps, openings of {options.opening}"
    if against in LEAGUES:
        kind += f", {options.latest} the newest"
    run = TrainingRun(out, kind, evaluation, options.steps, options.every)
    network, policy = Network(start, options.width), out / "policy.safetensors"
    state: Any = run.restore()
    if not state:
        save(network, policy, start)
    league = past_selves(out, policy, state, LEAGUES.get(against, {}) | {"latest": options.latest})
    envs = environments(league if against in LEAGUES else against, seed, options.opening)
    gamma = -1.0 if against == "self" else 1.0
    ppo = PPO(network, Mirrored(envs), seed, gamma, minibatches=MINIBATCHES, lam=LAMBDA)
    parts = {"network": network, "optimizer": ppo.optimizer}
    for key, part in parts.items() if state else ():
        part.load_state_dict(state[key])

    def saved() -> dict[str, Any]:
        save(network, policy, start)
        return {key: part.state_dict() for key, part in parts.items()} | {"league": league.save()}

    while run.continues(f"policy(path={str(policy)!r})", saved):
        before = run.steps // options.add
        run.advance(ENVS * ROLLOUT, result=ppo.update(max(0.0, 1 - run.steps / options.steps)))
        if run.steps // options.add > before:
            save(network, policy, start)
            league.add(policy, run.steps)
    return out


def score_of(one: Policy, other: Policy, opening: int) -> tuple[float, float]:
    """Returns the score of a policy against another, and half of its interval, over ENVS games."""
    envs = environments(other, 0, opening)
    seen, info = envs.reset(seed=0)
    points = np.full(ENVS, np.nan)  # of the first game of each environment, short or long
    while np.isnan(points).any():
        shown = seen.astype(np.float32), info["action_mask"], info["seat"]
        actions = one.act_on_observations(envs.start, *shown)
        seen, reward, over, _, info = envs.step(np.array(actions))
        points = np.where(over & np.isnan(points), (1 + reward) / 2, points)
    return mean_over_seeds(points)


def certain_wins(league: League, opening: int) -> Any:
    """Returns which past selves beat which, bool (n, n): the interval of the score is above 1/2."""
    policies = [member.policy for member in league.members]
    found = np.zeros((len(policies), len(policies)), np.bool_)
    for i, j in itertools.combinations(range(len(policies)), 2):
        mean, half = score_of(policies[i], policies[j], opening)
        found[i, j], found[j, i] = mean - half > 0.5, mean + half < 0.5
    return found


def print_circles(leagues: dict[str, list[League]], opening: int) -> None:
    """Prints how often past selves certainly beat later ones, and three each other in a circle."""
    print("\nagainst      pairs  won by the later  by the earlier  triples  in a circle")
    for name, each in leagues.items():
        wins = [certain_wins(league, opening) for league in each]
        pairs, triples = (sum(math.comb(len(won), k) for won in wins) for k in (2, 3))
        later, earlier = (sum(int(side(won).sum()) for won in wins) for side in (np.tril, np.triu))
        circles = sum(int(np.trace(np.linalg.matrix_power(1 * won, 3))) // 3 for won in wins)
        print(f"{name:<12} {pairs:>5} {later:>17} {earlier:>15} {triples:>8} {circles:>12}")


def mistakes_of(log: Path) -> dict[int, float]:
    """Returns the share of wrong moves by steps, of a run."""
    lines = map(json.loads, log.read_text().splitlines())
    return {line["steps"]: line["mistakes"] for line in lines if "mistakes" in line}


def difference(more: list[float], less: list[float]) -> str:
    """Returns the difference of two means over seeds, with its interval by Welch's test."""
    text = f"{np.mean(more) - np.mean(less):+.1%}"
    if len(more) > 1:
        low, high = stats.ttest_ind(more, less, equal_var=False).confidence_interval()
        text += f" ({low:+.1%} to {high:+.1%})"
    return text


def print_table(logs: dict[str, list[Path]]) -> None:
    """Prints the wrong moves at the end, and how many fewer there are than without a league."""
    ends = {
        name: [list(mistakes_of(log).values())[-1] for log in each] for name, each in logs.items()
    }
    others = [name for name in ("self", "random") if name in ends]
    heads = "".join(f"less than against {name:<10}" for name in others)
    print(f"\n{'against':<12} {'seeds':>5}  {'wrong moves':<20} {heads}".rstrip())
    for name, values in ends.items():
        text = f"{name:<12} {len(values):>5}  {plus_minus(*mean_over_seeds(values)):<20} "
        found = ["" if name == each else difference(ends[each], values) for each in others]
        text += "".join(f"{each:<28}" for each in found)
        print(text.rstrip())


def draw(logs: dict[str, list[Path]], picture: Path) -> None:
    """Draws the mean of the wrong moves of each over the steps, with its interval."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for name, each in logs.items():
        curves = [mistakes_of(log) for log in each]
        steps = [step for step in curves[0] if all(step in curve for curve in curves)]
        found = mean_over_seeds([[curve[step] for step in steps] for curve in curves])
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
    """Trains all, then compares them."""
    read, some = training_options(__doc__, "league", 400_000), bounded(int, 1)
    read.formatter_class = argparse.RawDescriptionHelpFormatter
    read.add_argument("--against", nargs="+", default=["league", "self", "random"], choices=AGAINST)
    read.add_argument("--seeds", type=some, default=3, help="runs of each, from --seed on (3)")
    read.add_argument("--add", type=some, default=50_000, help="steps between past selves (50000)")
    read.add_argument(
        "--latest", type=bounded(float, 0, 1), default=0.5, help="share of the newest one (0.5)"
    )
    read.add_argument("--width", type=some, default=128, help="units of the two layers (128)")
    read.add_argument("--opening", type=bounded(int, 0), default=12, help="random moves (12)")
    options = read.parse_args()
    torch.set_num_threads(1)
    evaluation = PeriodicEvaluation(start_position("hex", size=SIZE), (), positions=POSITIONS)
    runs: dict[str, list[Path]] = {name: [] for name in options.against}
    for seed in range(options.seed, options.seed + options.seeds):
        for name, each in runs.items():
            print(f"\nagainst {name}, seed {seed}")
            each.append(train(name, seed, options, evaluation))
    logs = {name: [out / "log.jsonl" for out in each] for name, each in runs.items()}
    print_table(logs)
    draw(logs, options.out / "curve.png")
    print_circles(
        {name: [League(out / "league") for out in each] for name, each in runs.items()},
        options.opening,
    )


if __name__ == "__main__":
    run_command(main)
