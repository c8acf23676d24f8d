"""Grades the module of RLlib by exact values while it learns, as a callback.

config.callbacks(
    partial(RLlibGradingCallback, "runs/mine", TicTacToe(), every=10_000, observe=form)
)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.optional import optional_library

from .policies import rllib_policy
from .training_log import Evaluation, GradeLog

callbacks = optional_library("ray.rllib.callbacks.callbacks", "RLlibGradingCallback needs", "ray")

STEPS = "num_env_steps_sampled_lifetime"


class RLlibGradingCallback(callbacks.RLlibCallback):  # type: ignore[name-defined]  # may be missing
    """Grades the module ``module_id`` of an algorithm at first and after its calls of ``train``.

    ``observe(observations, masks)`` returns the observations that the module takes, see
    ``rllib_policy``; other arguments are as for ``GradeLog``. The numbers go to the results of
    ``train`` as well.
    """

    def __init__(
        self,
        folder: Path | str,
        evaluated: Position | Evaluation,
        every: int,
        observe: Callable[..., Any],
        module_id: str = "default_policy",
        **options: Any,
    ) -> None:
        super().__init__()
        self._arguments = (folder, evaluated, every), options
        self._grades: GradeLog | None = None
        self.observe, self.module_id = observe, module_id

    @property
    def grades(self) -> GradeLog:
        """Returns the log, which is opened where the algorithm is, and not by its workers."""
        if self._grades is None:
            given, options = self._arguments
            self._grades = GradeLog(*given, **options)
        return self._grades

    def on_algorithm_init(self, *, algorithm: Any, **others: Any) -> None:
        """Grades the module before it learns, unless the algorithm goes on from a checkpoint."""
        if not self.grades.lines:
            self.grades(self._policy(algorithm), 0)

    def on_train_result(
        self, *, algorithm: Any, metrics_logger: Any = None, result: dict[str, Any], **others: Any
    ) -> None:
        """Grades the module if that is due, and adds the numbers to the result."""
        grade = self.grades(self._policy(algorithm), int(result[STEPS]))
        if grade is not None:
            result["grade"] = dict(grade)

    def _policy(self, algorithm: Any) -> Any:
        return rllib_policy(algorithm.get_module(self.module_id), self.observe)
