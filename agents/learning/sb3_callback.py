"""Grades the model of Stable-Baselines3 by exact values while it learns, as a callback.

model.learn(100_000, callback=SB3GradingCallback("runs/mine", ConnectFour(), every=10_000))
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.optional import optional_library

from .training_log import Evaluation, GradeLog

callbacks = optional_library(
    "stable_baselines3.common.callbacks", "SB3GradingCallback needs", "sb3"
)


class SB3GradingCallback(callbacks.BaseCallback):  # type: ignore[name-defined]  # may be missing
    """Grades a model of MaskablePPO, PPO, A2C or DQN before, at intervals, and after ``learn``.

    Arguments are as for ``GradeLog``, which is ``self.grades``; the numbers go to the logger of the
    model as well, with its own time steps, and from there to TensorBoard if it writes that. When
    ``learn`` is called again the log goes on.
    """

    def __init__(
        self, folder: Path | str, evaluated: Position | Evaluation, every: int, **options: Any
    ) -> None:
        super().__init__()
        self.grades = GradeLog(folder, evaluated, every, on_grade=self._record, **options)

    def _on_training_start(self) -> None:
        self.grades(self.model, self.num_timesteps)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:  # between two updates
        self.grades(self.model, self.num_timesteps)

    def _on_training_end(self) -> None:
        self.grades(self.model, self.num_timesteps, last=True)

    def _record(self, scalars: dict[str, float], step: int) -> None:
        for name, value in scalars.items():
            self.logger.record(name, value)
        self.logger.dump(step)
