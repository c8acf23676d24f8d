"""Measures how good AlphaZero's network could be: it learns exact values, a bound for self-play.

    python examples/distil.py
    python examples/distil.py --game hex --steps 500000
    python examples/distil.py --beside runs/mine/policy.safetensors
    python examples/distil.py --begin-with runs/mine/policy.safetensors --learning-rate 0.0003

A solver labels positions with the exact value of every move; then the network of `adv-envs train`
learns them, with the same features, symmetries and steps of learning. What self-play falls short of
this is what its searches do not find; what this falls short of perfect play is the network's part.
It begins with nothing, or with --begin-with where self-play ended, which takes less time.

Positions are those of games like self-play's: up to --opening random moves, then moves that keep
the value of the game nine times in ten. Those whose values take more than a second, in Connect
Four most of 4 to 9 plies, are labelled in one game of ten only, and those that take longer than
some seconds never. Labels are win, draw or loss, which is cheaper than scores and is what the
grades ask for: so the policy to learn has equal shares for all moves that keep the value, and is
not learnt where no move is wrong; the value to learn is the exact one. Test positions, and their
mirror images, are never learnt. In the end policies are also asked at labels that were learnt, and
at those of other games: where the first are known better, the network can hold more than the labels
taught it, and more of them would help.

Labels and the state of the training are in --out, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import functools
import io
import math
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

import adv_envs
from adv_envs import Position
from adv_envs.bits import num_words, pack, unpack
from adv_envs.files import write_file
from agents.games.connect_four import ConnectFourSolver
from agents.grading import ExactValues, exact_for, grade, positions_for
from agents.grading.position_sets import careful_move, slug
from agents.knowledge import knowledge_of
from agents.learning import AlphaZero, AlphaZeroSettings, PeriodicEvaluation, TrainingRun, bounded
from agents.learning.alphazero.self_play import Samples
from agents.learning.training_run import run_command, training_options
from agents.networks.checkpoint import checkpoint_path, load_checkpoint
from agents.networks.policy import Policy
from agents.statistics import Interval, share_interval

GAMES: dict[str, tuple[dict[str, int], str]] = {
    "connect_four": ({}, "connect_four_alphazero"),
    "hex": ({"size": 5}, "hex_5_alphazero"),
}
"""The games: their parameters, and the policy that ships with the package."""

KEPT = 0.9
"""The share of moves that keep the value, after the random ones."""

PATIENT = 0.1
"""The share of games in which positions are labelled that take some seconds, not only those whose
values are known within one."""

GAMES_AT_ONCE = 100
"""Games whose labels are one file."""

ILLEGAL = -2
"""Stands for the value of an action that is not legal."""

NOT_LEARNT = 1_000_000
"""The number of the first file of games that are not learnt."""

ASKED_AT_ONCE = 500
"""Positions that a policy is asked at in a batch."""

STEPS_AT_ONCE = 20
"""Steps of learning between two looks at the clock."""


def read() -> argparse.Namespace:
    """Reads the command line."""
    parser = training_options(__doc__ or "", "distil", 1_000_000)
    add, some = parser.add_argument, bounded(int, 1)
    add("--game", choices=GAMES, default="connect_four", help="what is learnt (connect_four)")
    add("--labels", type=some, default=200_000, help="positions to label, at least (200000)")
    add("--asked", type=some, default=10_000, help="labels that policies are asked at (10000)")
    add("--workers", type=some, default=os.cpu_count(), help="processes that label (all cores)")
    add("--opening", type=bounded(int, 0), help="random moves, at most (half of a random game)")
    add("--width", type=some, default=64, help="channels of the network (64)")
    add("--blocks", type=some, default=4, help="its residual blocks (4)")
    add("--minutes", type=bounded(float, 0), default=math.inf, help="of learning, at most")
    add("--batch", type=bounded(int, 2), default=512, help="samples of a step (512)")
    add("--begin-with", help="a policy whose weights are learnt on: a file, or a shipped name")
    add("--learning-rate", type=bounded(float, 0), default=2e-3, help="the highest (0.002)")
    add("--tests", type=some, default=1000, help="random positions to grade at (1000)")
    add("--beside", nargs="*", help="policies to be graded, too: files, or shipped names")
    args = parser.parse_args()
    given, shipped = GAMES[args.game]
    args.start = adv_envs.start_position(args.game, **given)
    if args.opening is None:
        args.opening = usual_length(args.start) // 2
    args.beside = [shipped] if args.beside is None else args.beside
    try:  # before hours of labelling
        for policy in filter(None, (args.begin_with, *args.beside)):
            load_checkpoint(checkpoint_path(policy))
    except ValueError as error:
        parser.error(str(error))
    return args


# ---- labels


class Labels(NamedTuple):
    """Returns n positions of games in order, with the exact value of every move."""

    words: NDArray[np.int64]
    """(n, num_words): the positions."""
    values: NDArray[np.int8]
    """(n, num_actions): 1, 0 or -1 for the player to move, ILLEGAL for actions that are not."""
    plies: NDArray[np.int64]
    """(n,): how many moves led there."""
    seconds: NDArray[np.float32]
    """(n,): how long the label took; 0 where it was known from another game of the same file."""


@functools.cache
def solver_of(start: Position) -> tuple[ExactValues, Callable[[Position], dict[int, int]]]:
    """Returns what solves, and what gives the value, 1, 0 or -1, of each legal action."""
    exact = exact_for(start)
    if isinstance(start, adv_envs.ConnectFour):
        weak = ConnectFourSolver(weak=True)
        return exact, lambda position: {a: int(score) for a, score in weak.values(position).items()}
    assert exact.in_points  # of the games above
    return exact, lambda position: {
        a: round(2 * move.value - 1) for a, move in exact.move_values(position).items()
    }


def label_games(args: argparse.Namespace, number: int) -> Labels:
    """Returns the labels of the games of file ``number``."""
    rng, exact, label = random.Random(f"{args.seed} {number}"), *solver_of(args.start)
    known: dict[Position, dict[int, int]] = {}
    rows: list[tuple[Any, ...]] = []
    for _ in range(GAMES_AT_ONCE):
        position, plies, opening = args.start, 0, rng.randint(0, args.opening)
        is_labelled = exact.is_feasible if rng.random() < PATIENT else exact.is_quick
        while not position.is_terminal():
            legal = position.legal_actions()
            if plies < opening:
                action = rng.choice(legal)
            elif not is_labelled(position):
                action = careful_move(position, rng)
            else:
                began = time.process_time()
                new = position not in known
                if new:
                    known[position] = label(position)
                seconds = time.process_time() - began if new else 0.0
                values = known[position]
                rows.append((position, values, plies, seconds))
                best = max(values.values())
                right = [action for action in legal if values[action] == best]
                action = rng.choice(right if rng.random() < KEPT else legal)
            position, plies = position.play(action), plies + 1
    return to_labels(args.start, rows)


def to_labels(start: Position, rows: list[tuple[Any, ...]]) -> Labels:
    """Returns (position, values, plies, seconds) of each label as arrays."""
    words = np.zeros((len(rows), num_words(start)), np.int64)
    values = np.full((len(rows), start.num_actions), ILLEGAL, np.int8)
    for i, (position, found, _, _) in enumerate(rows):
        pack(position, words[i])
        for action, value in found.items():
            values[i, action] = value
    plies = np.array([row[2] for row in rows], np.int64)
    return Labels(words, values, plies, np.array([row[3] for row in rows], np.float32))


def label_file(args: argparse.Namespace, number: int) -> Path:
    """Returns a file of labels, which is written unless it is there."""
    name = f"labels-{slug(args.start)}-{args.opening}-{args.seed}-{number:04}.npz"
    path: Path = args.out / name
    if not path.exists():
        with io.BytesIO() as file:
            np.savez(file, **label_games(args, number)._asdict())
            write_file(path, file.getvalue())
    return path


def labels_of(args: argparse.Namespace, least: int, first: int = 0) -> Labels:
    """Returns ``number`` labels, or a few more, from files that are there, and new ones."""
    bar = tqdm(total=least, desc="exact values", unit="position", disable=None)
    parts = list[Labels]()
    with bar, ProcessPoolExecutor(args.workers, multiprocessing.get_context("spawn")) as pool:
        ahead = [pool.submit(label_file, args, first + i) for i in range(args.workers)]
        found = 0
        while found < least:
            with np.load(ahead.pop(0).result()) as arrays:
                parts.append(Labels(**arrays))
            ahead.append(pool.submit(label_file, args, first + len(parts) + len(ahead)))
            found += len(parts[-1].plies)
            bar.update(len(parts[-1].plies))
        pool.shutdown(cancel_futures=True)
    return Labels(*map(np.concatenate, zip(*parts, strict=True)))


def usual_length(start: Position) -> int:
    """Returns the median length of 101 random games."""
    rng, lengths = random.Random(0), []
    for _ in range(101):
        position, plies = start, 0
        while not position.is_terminal():
            position, plies = position.play(rng.choice(position.legal_actions())), plies + 1
        lengths.append(plies)
    return sorted(lengths)[50]


def without(labels: Labels, tests: Iterator[Position]) -> Labels:
    """Returns the labels of positions that are neither in ``tests`` nor an image of one."""
    banned = set()
    for position in tests:
        known = knowledge_of(position).symmetries
        images = [position]
        if known is not None:
            image: Any = known.whole_image or known.image
            images += [image(position, i) for i in range(known.num_images(position))]
        for each in images:
            row = np.zeros(num_words(each), np.int64)
            pack(each, row)
            banned.add(row.tobytes())
    allowed = np.array([row.tobytes() not in banned for row in labels.words])
    return Labels(*(array[allowed] for array in labels))


def to_samples(labels: Labels) -> Samples:
    """Returns what is to be learnt: equal shares for right moves, and the exact value."""
    best = labels.values.max(1)
    right = labels.values == best[:, None]
    wrong = (labels.values != ILLEGAL) & ~right
    policies = right / right.sum(1, keepdims=True)
    return Samples(
        labels.words,
        policies.astype(np.float32),
        wrong.any(1).astype(np.float32),
        best.astype(np.float32),
    )


def print_labels(start: Position, labels: Labels) -> None:
    """Prints how many labels there are by ply, and how long one took."""
    table = Table("plies", title=f"Exact values of all moves of {start!r}")
    for name in ("positions", "different", "ms each", "a move is wrong"):
        table.add_column(name, justify="right")
    matters = to_samples(labels).weights
    bands = np.unique(labels.plies // 4) * 4
    for low in [*bands, None]:
        here = labels.plies // 4 * 4 == low if low is not None else labels.plies >= 0
        new = here & (labels.seconds > 0)
        different = len(np.unique(labels.words[here], axis=0))
        mean = 1000 * labels.seconds[new].mean() if new.any() else 0.0
        name = "all" if low is None else f"{low} to {low + 3}"
        cells = f"{here.sum():,}", f"{different:,}", f"{mean:.2f}", f"{matters[here].mean():.0%}"
        table.add_row(name, *cells)
    Console(width=100).print(table)


# ---- learning


def learn(args: argparse.Namespace, labels: Labels, evaluation: PeriodicEvaluation) -> Path:
    """Trains the network of AlphaZero on the labels; returns the policy's file."""
    settings = AlphaZeroSettings.suited(
        args.start,
        width=args.width,
        blocks=args.blocks,
        batch_size=args.batch,
        learning_rate=args.learning_rate,
        window=len(labels.plies),
        ema_decay=0.999,
        seed=args.seed,
        workers=0,
    )
    path: Path = args.out / "policy.safetensors"
    kind = f"distilled, {args.start!r}: {settings.describe()}, begun with {args.begin_with}"
    with AlphaZero(args.start, settings, begin_with=args.begin_with) as learner:
        run = TrainingRun(args.out, kind, evaluation, args.steps, args.every, args.minutes)
        learner.replay.add(to_samples(labels))
        if state := run.restore():
            learner.restore(state)

        def saved() -> dict[str, Any]:
            learner.save(path, {"trained by": "examples/distil.py", "labels": len(labels.plies)})
            return learner.state()

        while run.continues(f"policy(path={str(path)!r})", saved):
            losses = learner.learn(STEPS_AT_ONCE, len(labels.plies), run.done)
            run.advance(STEPS_AT_ONCE * args.batch, **losses)
    return path


def share_right(policy: str, labels: Labels, start: Position) -> Interval:
    """Returns the share of moves that keep the value, where a move is wrong, with its interval."""
    samples = to_samples(labels)
    asked = np.flatnonzero(samples.weights)
    agent, right = Policy(policy), list[bool]()
    for some in np.split(asked, range(ASKED_AT_ONCE, len(asked), ASKED_AT_ONCE)):
        priors, _ = agent.evaluate_batch([unpack(start, labels.words[i]) for i in some])
        right += (samples.policies[some, priors.argmax(1)] > 0).tolist()
    found = share_interval(right)
    assert found is not None  # a move is wrong somewhere
    return found


def compare(
    args: argparse.Namespace,
    path: Path,
    evaluation: PeriodicEvaluation,
    asked: dict[str, Labels],
) -> None:
    """Prints the grades of the distilled policy beside those of others."""
    table = Table("policy", title="Moves that keep the value, of the network alone")
    phases = "opening", "middle", "end"
    for name in ("published", "95 %", "random", "95 %", *phases, *asked):
        table.add_column(name, justify="right")
    for policy in (str(path), *args.beside):
        spec = f"policy(path={policy!r})"
        published = grade(args.start, spec, games=0, seed=0).overall.kept
        found = evaluation.evaluate(spec)
        assert published is not None  # there are positions
        cells: list[str] = []
        for kept in (published, found.kept):
            cells += [f"{kept.value:.1%}", f"{kept.low:.1%} to {kept.high:.1%}"]
        for phase in phases:
            cells.append(f"{found.phases[phase].value:.1%}" if phase in found.phases else "")
        cells += [f"{share_right(policy, each, args.start).value:.1%}" for each in asked.values()]
        table.add_row("distilled" if policy == str(path) else policy, *cells)
    Console(width=120).print(table)


def main() -> None:
    """Labels, learns, and grades."""
    args = read()
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    labels, others = labels_of(args, args.labels), labels_of(args, args.asked, NOT_LEARNT)
    print_labels(args.start, labels)
    evaluation = PeriodicEvaluation(args.start, (), positions=args.tests)
    published = positions_for(exact_for(args.start)).positions
    tests = (test.position for test in (*published, *evaluation.tests))
    allowed = without(labels, tests)
    print(
        f"{len(labels.plies) - len(allowed.plies)} of {len(labels.plies)} labels are of test "
        f"positions or their mirror images ({len(published)} published, {len(evaluation.tests)} "
        "random): they are not learnt"
    )
    others = without(others, (unpack(args.start, row) for row in labels.words))
    path = learn(args, allowed, evaluation)
    some: Any = np.random.default_rng(args.seed).permutation(len(allowed.plies))[: args.asked]
    asked = {"learnt labels": Labels(*(array[some] for array in allowed)), "other labels": others}
    compare(args, path, evaluation, asked)


if __name__ == "__main__":
    run_command(main)
