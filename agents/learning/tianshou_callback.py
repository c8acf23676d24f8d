"""A hook of Tianshou's trainers that grades the policy by exact values while it learns.

grading = TianshouGradingCallback("runs/mine", TicTacToe(), every=10_000, policy=dqn.policy)
dqn.run_training(OffPolicyTrainerParams(..., training_fn=grading))
grading.finish(env_step)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adv_envs import Position

from .grade_log import Evaluation, GradeLog


class TianshouGradingCallback:
    """Grades ``policy`` when a trainer calls it as ``training_fn``, before each of its steps.

    Arguments are as for ``GradeLog``, which is ``self.grades``. With ``logger``, one of Tianshou,
    the numbers go there as well. ``training_fn`` is another such function that is called first. As
    the trainer calls it before a step, call ``finish`` with the environment steps at the end.
    """

    def __init__(
        self,
        folder: Path | str,
        evaluated: Position | Evaluation,
        every: int,
        policy: Any,
        logger: Any = None,
        training_fn: Any = None,
        **options: Any,
    ) -> None:
        self.policy, self.logger, self.training_fn = policy, logger, training_fn
        self.grades = GradeLog(folder, evaluated, every, on_grade=self._record, **options)

    def __call__(self, epoch: int, env_step: int) -> None:
        """Grades the policy if that is due after ``env_step`` steps."""
        if self.training_fn is not None:
            self.training_fn(epoch, env_step)
        self.grades(self.policy, env_step)

    def finish(self, env_step: int) -> None:
        """Grades the policy at the end of a training of ``env_step`` steps."""
        self.grades(self.policy, env_step, last=True)

    def _record(self, scalars: dict[str, float], step: int) -> None:
        if self.logger is not None:
            self.logger.write("grade/env_step", step, dict(scalars))
