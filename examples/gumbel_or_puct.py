"""Measures how many simulations self-play needs: Gumbel against PUCT, by exact error rates.

    python examples/gumbel_or_puct.py
    python examples/gumbel_or_puct.py --game connect_four
    python examples/gumbel_or_puct.py --game hex --positions 20000 --simulations 2 8 32

AlphaZero's searches improve a policy only if there are enough simulations; those of Gumbel
AlphaZero improve it with two (I. Danihelka et al., "Policy improvement by planning with Gumbel",
ICLR 2022). Here both learn a game from the same number of positions of self-play, with the same
network, from several seeds. Then the network alone, without a search, is asked for its moves at
positions whose exact values are known: the table has the share of moves that give away a win or a
draw, the mean over the seeds, with its 95 % interval by Student's distribution.

Both learn in the learner of `adv-envs train`, which is not all as published: moves that win at once
are seen by both searches, half of the games begin at random, and values are learnt from searches
and results in equal parts. Noise at PUCT's roots is 10 divided by the number of actions. Results
are kept in --out, and the same command does what is missing.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

import adv_envs
from agents.learning import (
    AlphaZero,
    AlphaZeroSettings,
    PeriodicEvaluation,
    bounded,
    mean_over_seeds,
    plus_minus,
)
from agents.learning.training_run import OneLineParser, run_command

mpl.use("Agg")


class Subject(NamedTuple):
    """Names a game to learn, and by default how much of it."""

    params: dict[str, int]
    blocks: int
    """Residual blocks of the networks."""
    positions: int
    """Positions of self-play, for each learner."""
    seeds: int


GAMES = {
    "tic_tac_toe": Subject({}, 1, 5_000, 5),
    "connect_four": Subject({"height": 4, "width": 5}, 2, 8_000, 3),
    "hex": Subject({"size": 5}, 2, 4_000, 3),
}

METHODS = {"gumbel": "Gumbel", "alphazero": "PUCT"}


def read() -> argparse.Namespace:
    """Reads the command line."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, some = parser.add_argument, bounded(int, 1)
    add("--game", choices=GAMES, default="tic_tac_toe", help="what is learnt (tic_tac_toe)")
    add("--simulations", type=some, nargs="+", default=[2, 4, 8, 16, 32, 50], help="of a search")
    many = ", ".join(f"{name} {game.positions}" for name, game in GAMES.items())
    add("--positions", type=some, help=f"of self-play, for each learner ({many})")
    add("--seeds", type=some, help="learners of each kind (5 of tic-tac-toe, 3 of the others)")
    add("--games", type=some, default=64, help="played at once (64)")
    add("--out", type=Path, default=Path("runs/gumbel_or_puct"), help="folder of the results")
    args = parser.parse_args()
    args.positions = args.positions or GAMES[args.game].positions
    args.seeds = args.seeds or GAMES[args.game].seeds
    return args


def settings_of(start: Any, method: str, simulations: int, seed: int, args: Any) -> Any:
    """Returns the settings of one learner: only the search differs."""
    return AlphaZeroSettings(
        method=method,
        simulations=simulations,
        seed=seed,
        games=args.games,
        width=32,
        blocks=GAMES[args.game].blocks,
        max_num_considered_actions=min(16, start.num_actions),
        dirichlet_alpha=10 / start.num_actions,
        temperature_plies=6,
        random_openings=0.5,
        learning_rate=2e-3,
        reuse=8.0,
        batch_size=128,
        plies_per_iteration=8,
        workers=0,
        precision="float32",
    )


def learn(start: Any, settings: Any, positions: int, grades: PeriodicEvaluation) -> dict[str, Any]:
    """Returns the share of wrong moves after ``positions`` positions, and what they cost."""
    with AlphaZero(start, settings) as learner, tempfile.TemporaryDirectory() as folder:
        while learner.replay.added < positions:
            learner.iterate()
        path = Path(folder) / "policy.safetensors"
        learner.save(path)
        mistakes = grades.evaluate(f"policy(path={str(path)!r})")["mistakes"]
        return {"mistakes": mistakes, "evaluations": learner.counts.evaluations}


def results(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yields the result of each learner, from the file if it is there."""
    args.out.mkdir(parents=True, exist_ok=True)
    start = adv_envs.start_position(args.game, **GAMES[args.game][0])
    path = args.out / f"{args.game}.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    grades = PeriodicEvaluation(start, (), positions=1000)
    every = [(n, m, s) for s in range(args.seeds) for n in args.simulations for m in METHODS]
    for n, method, seed in tqdm(every, desc=args.game, unit="learner", disable=None):
        key = {"simulations": n, "method": method, "seed": seed, "positions": args.positions}
        found = next((line for line in known if key.items() <= line.items()), None)
        if found is None:
            settings = settings_of(start, method, n, seed, args)
            found = key | learn(start, settings, args.positions, grades)
            with path.open("a") as file:
                file.write(json.dumps(found) + "\n")
        yield found


def main() -> None:
    """Learns what is missing; prints the table and draws the picture."""
    args = read()
    torch.set_num_threads(1)
    found: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for each in results(args):
        found.setdefault((each["simulations"], each["method"]), []).append(each)
    title = f"{args.game}: wrong moves after {args.positions} positions of self-play"
    table = Table("simulations", title=f"{title}, {args.seeds} seeds")
    for name in METHODS.values():
        table.add_column(name, justify="right")
        table.add_column("evaluations", justify="right")
    curves: dict[str, list[tuple[float, float]]] = {method: [] for method in METHODS}
    for n in args.simulations:
        row = [str(n)]
        for method in METHODS:
            mean, half = mean_over_seeds([each["mistakes"] for each in found[n, method]])
            curves[method].append((mean, half))
            cost = np.mean([each["evaluations"] for each in found[n, method]])
            row += [plus_minus(mean, half), f"{cost:,.0f}"]
        table.add_row(*row)
    Console(width=100).print(table)
    draw(args, title, curves)


def draw(args: argparse.Namespace, title: str, curves: dict[str, Any]) -> None:
    """Draws both error rates over the simulations."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import PercentFormatter, ScalarFormatter

    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for method, color in (("gumbel", "firebrick"), ("alphazero", "steelblue")):
        means, halves = np.array(curves[method]).T
        axis.errorbar(
            args.simulations, means, halves, fmt="o-", capsize=3, color=color, label=METHODS[method]
        )
    axis.set_xscale("log", base=2)
    axis.set_xticks(args.simulations)
    axis.xaxis.set_major_formatter(ScalarFormatter())
    axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axis.set(xlabel="simulations of a search in self-play", ylabel="wrong moves", title=title)
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    path = args.out / f"{args.game}.png"
    figure.savefig(path, dpi=120)
    print(f"The picture: {path}")


if __name__ == "__main__":
    run_command(main)
