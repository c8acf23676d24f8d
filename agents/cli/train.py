"""``adv-envs train``: an agent that learns a game from nothing but playing itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from adv_envs.position import Position
from adv_envs.registry import name_of

from .console import CommandError, out

EXAMPLES = (
    "adv-envs train tic_tac_toe --minutes 2",
    "adv-envs train connect_four --minutes 10 --out runs/mine",
    "adv-envs train hex --size 5 --method alphazero --simulations 64 --iterations 200",
    "adv-envs train connect_four --set width=32 --set blocks=2 --minutes 5",
    "adv-envs match connect_four \"policy(path='runs/mine/policy.safetensors')\" random",
)

Method = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="gumbel: few simulations are enough; alphazero: PUCT with noise, as published first.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Folder of the run; runs/GAME_METHOD by default."),
]
Minutes = Annotated[
    float | None,
    typer.Option(metavar="M", min=0, help="Time to play and learn; 10 if nothing else is given."),
]
Iterations = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="End after as many."),
]
Simulations = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Simulations of a search in self-play.")
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Processes for self-play; all cores but one by default."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other of the settings, see agents.learning.AlphaZeroSettings; may be repeated.",
    ),
]
GradeEvery = Annotated[int, typer.Option(metavar="N", min=1, help="Iterations between two grades.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Draws weights, games and batches.")]
BeginWith = Annotated[
    str | None,
    typer.Option(metavar="POLICY", help="Weights to begin with: a file, or a shipped name."),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="ADDRESS", help='Self-play on a Ray cluster; "local" begins one.'
    ),
]

TensorBoard = Annotated[
    bool, typer.Option("--tensorboard", help="Write grades and losses for TensorBoard as well.")
]


def train(
    position: Position,
    method: Method = "gumbel",
    directory: Out = None,
    minutes: Minutes = None,
    iterations: Iterations = None,
    simulations: Simulations = None,
    workers: Workers = None,
    settings: Settings = None,
    grade_every: GradeEvery = 20,
    seed: Seed = 0,
    begin_with: BeginWith = None,
    ray: Ray = None,
    tensorboard: TensorBoard = False,
) -> None:
    """Train a policy by self-play: AlphaZero, graded by exact values while it learns.

    Where these are not known, on large boards, the points against searches are its grade.
    The folder gets the policy, which plays as policy(path='DIR/policy.safetensors'), a log, and the
    curve of its grades. The same command goes on where it was stopped, however that happened.
    """
    folder = directory or Path("runs") / f"{name_of(position)}_{method}"
    chosen = {"method": method, "seed": seed, "simulations": simulations, "workers": workers}
    limits = {"minutes": minutes, "iterations": iterations, "grade_every": grade_every}
    how = {"begin_with": begin_with, "ray": ray, "tensorboard": tensorboard}
    path = train_in(folder, position, chosen, settings or [], **limits, **how)
    out().print(f"The policy: policy(path='{path}')", soft_wrap=True)
    out().print(f"Its curve: {folder / 'curve.png'}", soft_wrap=True)


def train_in(
    folder: Path, position: Position, chosen: dict[str, Any], texts: list[str], **options: Any
) -> Path:
    """Trains with the settings that were ``chosen`` by options and by the ``texts`` of --set.

    Returns the file of the policy. Whatever is wrong is a CommandError.
    """
    try:
        from agents.learning import evaluation_or_points
        from agents.learning.alphazero import ActorError, AlphaZeroSettings, train_alphazero
        from agents.learning.alphazero.residual_network import require_device
    except ImportError as error:
        raise CommandError(f"training needs {error.name}: pip install 'adv-envs[learn]'") from None
    try:
        given = AlphaZeroSettings.parse(texts)
    except ValueError as error:
        raise CommandError(f"--set {error}") from None
    usual = {"workers": max(1, (os.cpu_count() or 2) - 1)}
    named = {name: value for name, value in chosen.items() if value is not None}
    if options["minutes"] is None and options["iterations"] is None:
        options["minutes"] = 10.0
    try:
        settings = AlphaZeroSettings.suited(position, **usual | named | given)
        require_device(settings.device)  # before positions are solved
        evaluation = evaluation_or_points(position)
        if evaluation.reason:
            out().print(f"Graded by points alone: {evaluation.reason}", style="yellow")
        return train_alphazero(position, folder, settings, evaluation=evaluation, **options)
    except (ValueError, ImportError, ActorError) as error:
        raise CommandError(str(error)) from None
