"""``adv-envs train``: an agent that learns a game from nothing but playing itself."""

from __future__ import annotations

import dataclasses
import math
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
) -> None:
    """Train a policy by self-play: AlphaZero, graded by exact values while it learns.

    The folder gets the policy, which plays as policy(path='DIR/policy.safetensors'), a log, and the
    curve of its grades. The same command goes on where it was stopped, however that happened.
    """
    try:
        from agents.learning.alphazero import ActorError, AlphaZeroSettings, train_alphazero
    except ImportError as error:
        raise CommandError(f"training needs {error.name}: pip install 'adv-envs[learn]'") from None
    from agents.learning import TrainingRunError

    given: dict[str, Any] = {"method": method, "seed": seed}
    given["workers"] = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
    if simulations is not None:
        given["simulations"] = simulations
    for text in settings or []:
        name, value = read_setting(text, {f.name: f for f in dataclasses.fields(AlphaZeroSettings)})
        given[name] = value
    folder = directory or Path("runs") / f"{name_of(position)}_{method}"
    if minutes is None:
        minutes = 10.0 if iterations is None else math.inf
    try:
        path = train_alphazero(
            position,
            folder,
            AlphaZeroSettings.suited(position, **given),
            minutes=minutes,
            iterations=iterations,
            grade_every=grade_every,
            begin_with=begin_with,
            ray=ray,
        )
    except (ValueError, TrainingRunError, ActorError) as error:
        raise CommandError(str(error)) from None
    out().print(f"The policy: policy(path='{path}')", soft_wrap=True)
    out().print(f"Its curve: {folder / 'curve.png'}", soft_wrap=True)


def read_setting(text: str, known: dict[str, Any]) -> tuple[str, Any]:
    """Returns the name and the value of ``NAME=VALUE``; CommandError if it is no setting."""
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or name not in known:
        raise CommandError(f"--set {text}: needs NAME=VALUE; names: {', '.join(known)}")
    kind = known[name].type
    try:
        if kind == "bool":
            return name, {"true": True, "false": False}[value.strip().lower()]
        if kind == "int":
            return name, int(value)
        if kind.startswith("float"):
            return name, None if value.strip().lower() == "none" else float(value)
    except (ValueError, KeyError):
        raise CommandError(f"--set {text}: {name} is {kind}") from None
    return name, value.strip()
