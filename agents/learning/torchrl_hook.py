"""Grades the policy of TorchRL's trainers by exact values while it learns, as a hook.

TorchRLGradingHook("runs/mine", TicTacToe(), every=10_000, policy=policy).register(trainer)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.optional import optional_library

from .training_log import Evaluation, GradeLog

trainers = optional_library("torchrl.trainers", "TorchRLGradingHook needs", "torchrl")


class TorchRLGradingHook(trainers.TrainerHookBase):  # type: ignore[name-defined]  # may be missing
    """Grades ``policy`` after the optimisation steps of each batch, by the collected frames.

    Arguments are as for ``GradeLog``, which is ``self.grades``. The numbers go to the logger of the
    trainer as well. In a loop without a trainer, call ``self.grades(policy, frames)``, or a
    ``GradeLog``.
    """

    def __init__(
        self,
        folder: Path | str,
        evaluated: Position | Evaluation,
        every: int,
        policy: Any,
        **options: Any,
    ) -> None:
        self.policy = policy
        self.grades = GradeLog(folder, evaluated, every, on_grade=self._record, **options)
        self._trainer: Any = None

    def register(self, trainer: Any, name: str = "grades") -> None:
        """Registers the hook: when the training begins, after each batch, and at the end."""
        self._trainer = trainer
        trainer.register_module(name, self)
        trainer.register_op("setup", self)
        trainer.register_op("post_steps", self)
        trainer.register_op("shutdown", self.finish)

    def __call__(self) -> None:
        """Grades the policy if that is due."""
        self.grades(self.policy, self._trainer.collected_frames)

    def finish(self) -> None:
        """Grades the policy at the end."""
        self.grades(self.policy, self._trainer.collected_frames, last=True)

    def state_dict(self) -> dict[str, Any]:
        """Returns nothing: the log is in its folder."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Does nothing, as ``state_dict`` is empty."""

    def _record(self, scalars: dict[str, float], step: int) -> None:
        if self._trainer.logger is not None:
            for name, value in scalars.items():
                self._trainer.logger.log_scalar(name, value, step=step)
