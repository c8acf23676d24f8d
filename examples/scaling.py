"""Measures how AlphaZero's exact error depends on the network's size and on compute, in Hex.

    python examples/scaling.py
    python examples/scaling.py --boards 3 4 5 --networks 8x1 16x1 32x2 64x2 --seeds 3

Networks of several widths and depths learn Hex on small boards from nothing but self-play, and are
graded along the way, without a search: the error is the share of wrong moves at positions in which
a move is wrong. For each board the best of all networks at each compute is the frontier. To this a
curve is fitted, error(C) = e / (1 + (C / c)^k): the untrained error, then a power law. It tells the
compute at which an error is reached, and by which factor that grows from board to board. A. L.
Jones (Scaling Scaling Laws with Board Games, arXiv 2104.03113) found for boards of 3 to 9, by Elo
against perfect play, that it takes 7 times the compute for each step of the board.

Compute is counted in floating-point operations of the network,

    C = F * (evaluations in self-play + 3 * samples learnt),

with F those of a forward pass for one position, as PyTorch's FlopCounterMode counts convolutions
and dense layers, and twice as many again for each backward pass. Searches and rules are not
counted, nor evaluations that are kept from one search to the next.

Points are means over the seeds; intervals are those of 95 % of a bootstrap that draws the seeds
anew, and with them frontier and fit. There is none for one seed, and where the frontier of some
draws does not come down to the error. Results are kept in --out; the same command does what is
missing.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy import optimize
from torch.utils.flop_counter import FlopCounterMode
from tqdm import tqdm

import adv_envs
from agents.learning import AlphaZero, AlphaZeroSettings, PeriodicEvaluation, bounded
from agents.learning.alphazero.residual_network import as_tensor
from agents.learning.training_run import OneLineParser, run_command

mpl.use("Agg")

PUBLISHED_FACTOR = 7
"""How much more compute a board of one more row takes, by Jones."""

ERRORS = 0.1, 0.05, 0.02
"""Errors whose compute is asked for."""

RESAMPLES = 200
"""Resamples of the bootstrap."""

GRADED_EVERY = 1.4
"""The ratio of two iterations, at least, after which a network is graded."""

Floats = NDArray[np.float64]


class Network(NamedTuple):
    """Describes the size of a network."""

    width: int
    blocks: int

    def __str__(self) -> str:
        return f"{self.width}x{self.blocks}"


class Point(NamedTuple):
    """Records a grade on the way of a training."""

    compute: float
    error: float
    tests: int
    """The number of test positions."""


def network_size(text: str) -> Network:
    """Returns the size that ``text``, such as 32x2, stands for; ValueError for another text."""
    width, blocks = map(int, text.split("x"))
    if width < 1 or blocks < 0:
        raise ValueError(text)
    return Network(width, blocks)


def read() -> argparse.Namespace:
    """Reads the command line."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, some = parser.add_argument, bounded(int, 1)
    networks = [Network(4, 1), Network(8, 1), Network(16, 1), Network(32, 2)]
    add("--boards", type=bounded(int, 2, 6), nargs="+", default=[3, 4], help="sizes (3 4)")
    add(
        "--networks",
        type=network_size,
        nargs="+",
        default=networks,
        help="WIDTHxBLOCKS: channels and residual blocks (4x1 8x1 16x1 32x2)",
    )
    add("--seeds", type=some, default=3, help="learners of each kind (3)")
    add("--iterations", type=some, default=32, help="of 256 moves on the smallest board (32)")
    add("--tests", type=some, default=500, help="positions to grade at (500)")
    add("--games", type=some, default=64, help="played at once (64)")
    add("--out", type=Path, default=Path("runs/scaling"), help="folder of the results")
    return parser.parse_args()


# ---- learning


def settings_of(start: Any, network: Network, seed: int, games: int) -> AlphaZeroSettings:
    """Returns the settings of one learner: only the size of the network differs."""
    return AlphaZeroSettings(
        width=network.width,
        blocks=network.blocks,
        games=games,
        plies_per_iteration=4,
        simulations=16,
        max_num_considered_actions=min(16, start.num_actions),
        temperature_plies=6,
        random_openings=0.5,
        learning_rate=2e-3,
        batch_size=128,
        ema_decay=0.98,
        seed=seed,
        workers=0,
        precision="float32",
    )


def forward_operations(learner: AlphaZero) -> int:
    """Returns the floating-point operations of a forward pass for one position."""
    inputs = as_tensor(np.zeros((1, *learner.encoder.shape), np.float32))
    counter = FlopCounterMode(display=False)
    with counter, torch.no_grad():
        learner.average(inputs)
    return int(counter.get_total_flops())


def learn(
    start: Any, settings: AlphaZeroSettings, iterations: int, grades: PeriodicEvaluation
) -> Iterator[dict[str, float]]:
    """Yields iteration, compute and error along one training."""
    with AlphaZero(start, settings) as learner, tempfile.TemporaryDirectory() as folder:
        path, due = Path(folder) / "policy.safetensors", 1.0
        operations = forward_operations(learner)
        for i in range(1, iterations + 1):
            learner.iterate()
            if i < due and i < iterations:
                continue
            due = max(i + 1, GRADED_EVERY * i)
            learner.save(path)
            learnt = learner.steps * settings.batch_size
            yield {
                "iteration": i,
                "compute": float(operations * (learner.counts.evaluations + 3 * learnt)),
                "error": grades.evaluate(f"policy(path={str(path)!r})")["mistakes"],
                "tests": len(grades.tests),
            }


def results(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yields all grades of each learner, from the file if they are there."""
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / "scaling.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    every = [
        (board, network, seed)
        for seed in range(args.seeds)
        for board in args.boards
        for network in args.networks
    ]
    grades: dict[int, PeriodicEvaluation] = {}
    for board, network, seed in tqdm(every, desc="learners", unit="learner", disable=None):
        key = {"board": board, "network": str(network), "seed": seed}
        # a larger board has more to learn: twice as long for each step
        key |= {"iterations": args.iterations * 2 ** (board - min(args.boards))}
        key |= {"games": args.games, "wanted": args.tests}
        found = next((line for line in known if key.items() <= line.items()), None)
        if found is None:
            start = adv_envs.start_position("hex", size=board)
            if board not in grades:
                grades[board] = PeriodicEvaluation(start, (), positions=args.tests)
            settings = settings_of(start, network, seed, args.games)
            points = list(learn(start, settings, int(key["iterations"]), grades[board]))
            found = key | {"points": points}
            with path.open("a") as file:
                file.write(json.dumps(found) + "\n")
        yield found


# ---- frontier and fit


def mean_points(learners: Sequence[dict[str, Any]]) -> list[Point]:
    """Returns the means over learners of one kind, after each number of iterations."""
    return [
        Point(
            float(np.mean([each["compute"] for each in same])),
            float(np.mean([each["error"] for each in same])),
            sum(each["tests"] for each in same),
        )
        for same in zip(*(learner["points"] for learner in learners), strict=True)
    ]


def frontier_of(points: Sequence[Point]) -> list[Point]:
    """Returns the points whose error is below that of all others with less compute."""
    found: list[Point] = []
    for point in sorted(points):
        if not found or point.error < found[-1].error:
            found.append(point)
    return found


def curve(parameters: Floats, compute: Floats) -> Floats:
    """Returns e / (1 + (C / c)^k) of parameters (logit of e, log of c, log of k)."""
    untrained, log_c, log_k = parameters
    exponent = np.exp(log_k) * (np.log(compute) - log_c)
    fitted: Floats = np.exp(-np.logaddexp(0, -untrained) - np.logaddexp(0, exponent))
    return fitted


def fit(points: Sequence[Point]) -> Floats:
    """Returns the parameters of ``curve`` of the largest likelihood: errors are binomial."""
    compute, error, tests = (np.array(each, np.float64) for each in zip(*points, strict=True))

    def loss(parameters: Floats) -> float:
        expected = np.clip(curve(parameters, compute), 1e-9, 1 - 1e-9)
        terms = error * np.log(expected) + (1 - error) * np.log1p(-expected)
        return -float(np.sum(tests * terms))

    logs = np.log(compute)
    first = np.array([0.0, float(logs.mean()), 0.0])
    bounds = [(-5, 5), (logs.min() - 5, logs.max() + 5), (-2, 2)]
    found: Floats = optimize.minimize(loss, first, method="Nelder-Mead", bounds=bounds).x
    return found


def compute_at(parameters: Floats, error: float) -> float:
    """Returns the compute at which the curve has this error; NaN where it is below from the start.

    That may be beyond all that was measured.
    """
    untrained, log_c, log_k = parameters
    ratio = 1 / (1 + math.exp(-untrained)) / error - 1
    if ratio <= 0:
        return math.nan
    return math.exp(log_c + math.log(ratio) / math.exp(log_k))


class Scaling(NamedTuple):
    """Holds what was found on one board."""

    points: dict[str, list[Point]]
    """The mean grades of each network."""
    frontier: list[Point]
    parameters: Floats

    def at(self, error: float) -> float:
        """Returns the compute at an error; NaN unless the frontier comes as low."""
        if self.frontier[-1].error > error:
            return math.nan
        return compute_at(self.parameters, error)

    def first(self, error: float) -> float:
        """Returns the compute of the first point with at most this error; NaN without one."""
        return next((point.compute for point in self.frontier if point.error <= error), math.nan)


def scaling_of(learners: Sequence[dict[str, Any]]) -> Scaling:
    """Returns the frontier of the learners of one board, and its fit."""
    kinds = dict.fromkeys(each["network"] for each in learners)
    points = {
        kind: mean_points([each for each in learners if each["network"] == kind]) for kind in kinds
    }
    frontier = frontier_of([point for some in points.values() for point in some])
    return Scaling(points, frontier, fit(frontier))


def resampled(learners: Sequence[dict[str, Any]], rng: np.random.Generator) -> Scaling:
    """Returns the scaling of as many learners of each kind, drawn anew with replacement."""
    drawn: list[dict[str, Any]] = []
    for kind in dict.fromkeys(each["network"] for each in learners):
        same = [each for each in learners if each["network"] == kind]
        drawn += [same[i] for i in rng.integers(0, len(same), len(same))]
    return scaling_of(drawn)


# ---- what is told


def interval(samples: Sequence[float]) -> str:
    """Returns the interval of 95 % of samples as text; "" if some have no number, or without any.

    A sample has none where its frontier does not come down to the error.
    """
    numbers = [each for each in samples if not math.isnan(each)]
    if len(numbers) < max(1, len(samples)):
        return ""
    low, high = np.quantile(numbers, [0.025, 0.975])
    return f"{low:.2g} to {high:.2g}"


def print_table(found: dict[int, Scaling], drawn: dict[int, list[Scaling]]) -> None:
    """Prints the compute at each of ERRORS, and its ratio to that of the board before."""
    table = Table("board", title="Floating-point operations until an error, on the frontier")
    names = (
        "wrong moves",
        "first seen at",
        "by the fit",
        "95 %",
        "times the board before",
        "95 %",
        "Jones",
    )
    for name in names:
        table.add_column(name, justify="right")
    for error in ERRORS:
        before = 0
        for board, each in found.items():
            here, ratios, ratio = each.at(error), list[float](), math.nan
            if before:
                ratio = here / found[before].at(error)
                pairs = zip(drawn[board], drawn[before], strict=True)
                ratios = [one.at(error) / other.at(error) for one, other in pairs]
            told = [f"{each.first(error):.2g}", f"{here:.2g}"]
            told += [interval([one.at(error) for one in drawn[board]])]
            if math.isnan(here):
                told = ["not reached", "", ""]
            last = ["", "", ""]
            if not math.isnan(ratio):
                steps = board - before
                last = [f"{ratio:.1f}", interval(ratios), f"{PUBLISHED_FACTOR**steps}"]
            table.add_row(f"{board}x{board}", f"{error:.0%}", *told, *last)
            before = board
    Console(width=120).print(table)


def print_fits(found: dict[int, Scaling]) -> None:
    """Prints the parameters of the fits and the best errors."""
    for board, each in found.items():
        untrained, log_c, log_k = each.parameters
        last = each.frontier[-1]
        print(
            f"{board}x{board}: e = {1 / (1 + math.exp(-untrained)):.2f}, "
            f"c = {math.exp(log_c):.2g}, k = {math.exp(log_k):.2f}; frontier of "
            f"{len(each.frontier)} points, the last {last.error:.2%} wrong moves after "
            f"{last.compute:.2g} operations"
        )


def draw(found: dict[int, Scaling], path: Path) -> None:
    """Draws the error over compute: a thin line for each network, the fit of each board."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullFormatter, PercentFormatter

    figure, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
    colors = plt.get_cmap("viridis")(np.linspace(0.1, 0.8, len(found)))
    for (board, each), color in zip(found.items(), colors, strict=True):
        for points in each.points.values():
            compute, error, tests = np.array(points).T
            axis.plot(compute, np.maximum(error, 0.5 / tests), color=color, alpha=0.35, lw=1)
        compute, error, tests = np.array(each.frontier).T
        axis.plot(compute, np.maximum(error, 0.5 / tests), ".", color=color)
        span = np.geomspace(compute[0], compute[-1], 100)
        name = f"{board}x{board}: the best networks, and their fit"
        axis.plot(span, curve(each.parameters, span), color=color, lw=2.5, label=name)
    axis.set(xscale="log", yscale="log", title="AlphaZero at Hex, the network alone")
    axis.set(xlabel="floating-point operations of the network", ylabel="wrong moves")
    axis.set_yticks([0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=1))
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    figure.savefig(path, dpi=120)
    print(f"The picture: {path}")


def main() -> None:
    """Learns what is missing; fits, prints and draws."""
    args = read()
    args.boards = sorted(set(args.boards))
    torch.set_num_threads(1)
    learners: dict[int, list[dict[str, Any]]] = {}
    for each in results(args):
        learners.setdefault(each["board"], []).append(each)
    found = {board: scaling_of(some) for board, some in learners.items()}
    rng = np.random.default_rng(0)
    number = RESAMPLES if args.seeds > 1 else 0
    drawn = {
        board: [resampled(some, rng) for _ in range(number)] for board, some in learners.items()
    }
    print_table(found, drawn)
    print_fits(found)
    draw(found, args.out / "scaling.png")


if __name__ == "__main__":
    run_command(main)
