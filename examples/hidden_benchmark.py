"""Compares PPO, mirror descent and fictitious play on five hidden games, by exploitability.

    python examples/hidden_benchmark.py
    python examples/hidden_benchmark.py --games liars_dice dark_hex --seeds 5 --workers 16

The games are those of M. Rudolph and others, Reevaluating Policy Gradient Methods for
Imperfect-Information Games (arXiv 2502.08938): phantom tic-tac-toe and dark Hex on 3 x 3, both
classical and abrupt, and liar's dice with two dice of five sides. Each run is train_hidden.py,
train_mmd.py or train_nfsp.py in a process of its own, on one thread. Where a run is in --out
already it is not made again. table.md has the exact exploitability in the end, means over the seeds
with 95 % intervals by Student's distribution, and the mean differences of two methods at the same
seeds; curves.png has what came before. A grade takes up to a minute of one core and a gigabyte.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from tqdm import tqdm

from agents.learning import bounded, mean_over_seeds, plus_minus, run_command
from agents.learning.training_run import OneLineParser

mpl.use("agg")

import matplotlib.pyplot as plt

GAMES = (
    "phantom_tic_tac_toe",
    "abrupt_phantom_tic_tac_toe",
    "dark_hex",
    "abrupt_dark_hex",
    "liars_dice",
)
METHODS = {"PPO": "train_hidden.py", "MMD": "train_mmd.py", "NFSP": "train_nfsp.py"}
COLOURS = {"PPO": "#2a6fb0", "MMD": "#d9772b", "NFSP": "#3f8f4f"}


class Run(NamedTuple):
    """Names one training."""

    game: str
    method: str
    seed: int

    def folder(self, out: Path) -> Path:
        """Returns where it is kept."""
        return out / f"{self.game}-{self.method}-{self.seed}"


def read() -> argparse.Namespace:
    """Reads the command line."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, some = parser.add_argument, bounded(int, 1)
    add("--games", choices=GAMES, nargs="+", default=GAMES, help="which of the games (all)")
    add("--seeds", type=some, default=3, help="runs of each kind (3)")
    add("--steps", type=some, default=3_000_000, help="of each run (3000000)")
    add("--every", type=some, default=1_500_000, help="steps between grades (1500000)")
    add("--workers", type=some, default=1, help="runs at the same time (1)")
    add("--out", type=Path, default=Path("runs/hidden_benchmark"), help="folder of the runs")
    return parser.parse_args()


def make(run: Run, options: argparse.Namespace) -> None:
    """Makes a run, or goes on with it; CalledProcessError, which says why, where it fails."""
    script = Path(__file__).parent / METHODS[run.method]
    given = "--game", run.game, "--seed", run.seed, "--steps", options.steps
    where = "--every", options.every, "--out", run.folder(options.out)
    subprocess.run(
        [sys.executable, script, *map(str, given), *map(str, where)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def grades(run: Run, out: Path) -> list[tuple[int, float]]:
    """Returns the steps and the exploitability of all grades of a run; empty before the first."""
    log = run.folder(out) / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [(line["steps"], line["exploitability"]) for line in lines if "exploitability" in line]


def finals(game: str, method: str, options: argparse.Namespace) -> dict[int, float]:
    """Returns the exploitability in the end, by the seeds that are finished."""
    runs = [Run(game, method, seed) for seed in range(options.seeds)]
    return {run.seed: grades(run, options.out)[-1][1] for run in runs if finished(run, options)}


def table(options: argparse.Namespace) -> Iterator[str]:
    """Yields the lines of the table, in Markdown; the games with finished runs of all methods."""
    pairs = [(later, first) for first, later in combinations(METHODS, 2)]
    less = [f"{later} less {first}" for later, first in pairs]
    heads = "game", "uniform", *METHODS, *less, "seeds"
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for game in options.games:
        found = {method: finals(game, method, options) for method in METHODS}
        if not all(found.values()):
            continue
        uniform = grades(Run(game, "PPO", min(found["PPO"])), options.out)[0][1]
        rows = [list(by_seed.values()) for by_seed in found.values()]
        rows += [differences(found[later], found[first]) for later, first in pairs]
        cells = [plus_minus(*mean_over_seeds(row), ".4f") if row else "" for row in rows]
        seeds = ", ".join(str(len(by_seed)) for by_seed in found.values())
        yield f"| {game} | {uniform:.4f} | {' | '.join(cells)} | {seeds} |"


def differences(these: dict[int, float], those: dict[int, float]) -> list[float]:
    """Returns by how much ``these`` are more than ``those``, at the seeds of both."""
    return [these[seed] - those[seed] for seed in these if seed in those]


def draw(options: argparse.Namespace) -> None:
    """Draws the curves of all runs."""
    number = len(options.games)
    size = {"figsize": (3.2 * number, 3.4), "layout": "constrained"}
    figure, axes = plt.subplots(1, number, sharey=True, squeeze=False, **size)
    for axis, game in zip(axes[0], options.games, strict=True):
        for method in METHODS:
            for seed in range(options.seeds):
                points: Any = grades(Run(game, method, seed), options.out)
                if points:
                    label = method if seed == 0 else None
                    steps, found = zip(*points, strict=True)
                    axis.plot(
                        np.array(steps) / 1e6, found, ".-", color=COLOURS[method], label=label
                    )
        axis.set(title=game.replace("_", " "), xlabel="million steps")
        axis.grid(alpha=0.3)
    axes[0, 0].set_ylabel("exploitability")
    axes[0, 0].set_ylim(bottom=0)  # of all, which share it
    axes[0, 0].legend()
    figure.savefig(options.out / "curves.png", dpi=110)
    plt.close(figure)


def main() -> None:
    """Makes the runs that are missing, then the table and the picture."""
    options = read()
    runs = [Run(*each) for each in all_runs(options)]
    left = [run for run in runs if not finished(run, options)]
    with ThreadPoolExecutor(options.workers) as pool:
        made = pool.map(lambda run: make(run, options), left)
        for _ in tqdm(made, total=len(left), unit="run", disable=None):
            pass
    text = "\n".join(table(options))
    (options.out / "table.md").write_text(text + "\n")
    draw(options)
    print(text)


def all_runs(options: argparse.Namespace) -> Iterator[tuple[str, str, int]]:
    """Yields all runs, those with the first seed first."""
    for seed in range(options.seeds):
        for game in options.games:
            for method in METHODS:
                yield game, method, seed


def finished(run: Run, options: argparse.Namespace) -> bool:
    """Returns whether a run has been graded after its last step."""
    found = grades(run, options.out)
    return bool(found) and found[-1][0] >= options.steps


if __name__ == "__main__":
    run_command(main)
