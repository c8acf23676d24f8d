"""A run of AlphaZero in a folder: shows progress, grades what is learnt, and can be continued."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch

from adv_envs import Position
from agents.learning.periodic_evaluation import evaluation_or_points
from agents.learning.training_run import LearnerEvaluation, TrainingRun, TrainingRunError

from .learner import AlphaZero
from .settings import AlphaZeroSettings

POLICY = "policy.safetensors"


def train_alphazero(
    start: Position,
    folder: Path,
    settings: AlphaZeroSettings | None = None,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    grade_every: int = 20,
    evaluation: LearnerEvaluation | None = None,
    begin_with: str | None = None,
    ray: str | None = None,
    threads: int = 1,
    tensorboard: bool = False,
) -> Path:
    """Trains until ``iterations`` are made or ``minutes`` are over; returns the policy's file.

    ``folder`` gets the policy, which plays as ``policy(path=...)``, the state, from which the same
    call goes on, log.jsonl, and the curve of its grades, made every ``grade_every`` iterations;
    ``evaluation`` makes them, by default ``PeriodicEvaluation``, or ``PointsEvaluation`` where
    exact values are not known. The learning rate falls until the end; a later call may give other
    ``iterations`` and ``minutes``. The same ``iterations`` give the same policy, the same
    ``minutes`` do not. ``settings`` None are the usual ones; ``begin_with`` and ``ray`` are as for
    ``AlphaZero``. ``threads`` are those of the process that learns. With ``tensorboard`` the folder
    gets the numbers of the log as TensorBoard reads them.

    TrainingRunError for a folder with another run; else as ``AlphaZero``.
    """
    settings = settings or AlphaZeroSettings()
    torch.set_num_threads(threads)
    moves = settings.games * max(settings.workers, 1) * settings.plies_per_iteration
    kind = f"AlphaZero, {start!r}: {settings.describe()}"
    kind += f", begun with {begin_with}" if begin_with else ""
    if evaluation is None:
        evaluation = evaluation_or_points(start)
    total = math.inf if iterations is None else moves * iterations
    path = folder / POLICY
    with AlphaZero(start, settings, begin_with=begin_with, ray=ray) as learner:
        run = TrainingRun(
            folder, kind, evaluation, total, moves * grade_every,
            math.inf if minutes is None else minutes, tensorboard=tensorboard,
        )  # fmt: skip
        if state := run.restore():
            try:
                learner.restore(state)
            except ValueError as error:
                raise TrainingRunError(f"{folder}: {error}") from None

        def saved() -> dict[str, Any]:
            learner.save(path, card_of(settings, learner))
            return learner.state()

        while run.continues(f"policy(path={str(path)!r})", saved):
            run.advance(moves, **learner.iterate(run.done))
    return path


def card_of(settings: AlphaZeroSettings, learner: AlphaZero) -> dict[str, Any]:
    """Returns what a checkpoint says about its origin."""
    return {
        "trained by": "adv-envs train",
        "settings": settings.describe(),
        "iterations": learner.iterations,
        "games": learner.counts.games,
        "positions": learner.replay.added,
        "evaluations": learner.counts.evaluations,
    }
