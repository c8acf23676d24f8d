"""Grades of any training loop at intervals: a line of JSON, TensorBoard, and the learning curve.

    grade = GradeLog("runs/mine", TicTacToe(), every=10_000)
    for step in range(0, 100_001, 1_000):
        ...  # learn
        grade(network, step)

The callbacks for libraries are built on it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.optional import optional_library

from .exploitability import ExploitabilityEvaluation
from .learning_curve import draw_learning_curve
from .periodic_evaluation import Grade, PointsEvaluation, PointsGrade, evaluation_for

Evaluation = PointsEvaluation | ExploitabilityEvaluation


class GradeLog:
    """Grades a policy every ``every`` steps, and writes what it finds into ``folder``.

    ``evaluated`` is an evaluation, or the start of a game, which ``evaluation_for`` then evaluates
    without opponents. Files:

    - log.jsonl: a JSON object for each grade, with "steps", the "seconds" of training, without
      those of grading, the numbers of the evaluation by name, and their "intervals";
    - curve.png, where ``draw`` is true: the learning curve over the steps;
    - with ``tensorboard`` the same numbers, by ``scalars_of``, as TensorBoard reads them.

    ``on_grade(scalars, step)`` is called as well, for another logger. With ``resume`` the log of
    ``folder`` goes on: lines after the step of the first call are dropped, as the training goes on
    before them. FileExistsError where there is a log that is not to be resumed.
    """

    def __init__(
        self,
        folder: Path | str,
        evaluated: Position | Evaluation,
        every: int,
        *,
        resume: bool = False,
        tensorboard: bool = False,
        draw: bool = True,
        on_grade: Callable[[dict[str, float], int], Any] | None = None,
    ) -> None:
        if every < 1:
            raise ValueError(f"every must be at least 1 step, not {every}")
        self.folder, self.every = Path(folder), every
        self.evaluation = to_evaluation(evaluated)
        self.draw, self.on_grade = draw, on_grade
        self.lines: list[dict[str, Any]] = []
        """The grades so far, as in the log."""
        self.log = self.folder / "log.jsonl"
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size:
            if not resume:
                raise FileExistsError(
                    f"{self.log} is the log of another training: choose another folder, or "
                    "resume=True to go on with it"
                )
            self.lines = read_log(self.log)
        self._tensorboard = tensorboard
        self._writer: TensorBoardWriter | None = None
        self._began: float | None = None
        self._seconds = 0.0

    def __call__(self, policy: Any, step: int, *, last: bool = False) -> Grade | Any | None:
        """Grades ``policy`` if that is due after ``step`` steps; returns the grade, or None.

        It is due at the first call, ``every`` steps after the grade before, and at the ``last``
        call of a training.
        """
        if self._began is None:
            self._begin(step)
        graded = self.lines[-1]["steps"] if self.lines else None
        if graded is not None and (step <= graded or (step < graded + self.every and not last)):
            return None
        assert self._began is not None
        self._seconds += time.perf_counter() - self._began
        grade = self.evaluation.evaluate(policy)
        self._write(step, grade)
        self._began = time.perf_counter()
        return grade

    def close(self) -> None:
        """Closes the file of TensorBoard."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _begin(self, step: int) -> None:
        """Drops what was graded after ``step``, and continues the clock."""
        self.lines = [line for line in self.lines if line["steps"] <= step]
        part = self.log.with_name("part.log.jsonl")
        part.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        os.replace(part, self.log)
        self._seconds = self.lines[-1]["seconds"] if self.lines else 0.0
        self._began = time.perf_counter()
        about = {
            "kind": f"{self.evaluation.start!r}, graded every {self.every} steps",
            "in_percent": getattr(self.evaluation, "in_percent", True),
        }
        (self.folder / "run.json").write_text(json.dumps(about) + "\n")
        if self._tensorboard:
            self._writer = TensorBoardWriter(self.folder, step + 1)

    def _write(self, step: int, grade: Mapping[str, float]) -> None:
        """Adds a grade to the log, to TensorBoard and to the curve."""
        line = {"steps": step, "seconds": round(self._seconds, 2), **grade_line(grade)}
        self.lines.append(line)
        with self.log.open("a") as file:
            file.write(json.dumps(line) + "\n")
        scalars = scalars_of(grade)
        if self._writer is not None:
            self._writer.write(scalars, step)
        if self.on_grade is not None:
            self.on_grade(scalars, step)
        if self.draw:
            draw_learning_curve(self.log, self.folder / "curve.png", over="steps")


class TensorBoardWriter:
    """Writes numbers into ``folder`` as TensorBoard reads them.

    What was written there before, from ``step`` on, is not shown any more: a training that was
    stopped goes on there. ImportError without TensorBoard.
    """

    def __init__(self, folder: Path, step: int) -> None:
        library = optional_library("torch.utils.tensorboard", "TensorBoard needs", "learn")
        self._writer = library.SummaryWriter(folder, purge_step=step)

    def write(self, scalars: Mapping[str, float], step: int) -> None:
        """Writes numbers by name, at once."""
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, step)
        self._writer.flush()

    def close(self) -> None:
        """Closes the file."""
        self._writer.close()


def to_evaluation(evaluated: Position | Evaluation) -> Evaluation:
    """Returns an evaluation, of moves alone where a start position is given."""
    if not isinstance(evaluated, Position):
        return evaluated
    if evaluated.perfect_information:
        return evaluation_for(evaluated, opponents=())
    return evaluation_for(evaluated)


def read_log(log: Path) -> list[dict[str, Any]]:
    """Returns the lines of a log; one that is torn, the last, is left out."""
    whole = [line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [json.loads(line) for line in whole]


def grade_line(grade: Mapping[str, float]) -> dict[str, Any]:
    """Returns the numbers of a grade by name, and their intervals where it has them, for JSON."""
    line: dict[str, Any] = dict(grade)
    if isinstance(grade, PointsGrade):
        line["intervals"] = {name: found.to_dict() for name, found in grade.intervals.items()}
    return line


def scalars_of(grade: Mapping[str, float]) -> dict[str, float]:
    """Returns the numbers of a grade as loggers want them: "grade/kept", "grade/kept_low", ...

    For a ``Grade`` these are the share of moves that keep the value, the ends of its interval, the
    same by phase ("grade/kept_opening"), that of random moves, and the points against each opponent
    ("points/random"). Others are what they are, as in "grade/exploitability".
    """
    if not isinstance(grade, PointsGrade):
        return {f"grade/{name}": value for name, value in grade.items()}
    found: dict[str, float] = {}
    if isinstance(grade, Grade):
        kept = grade.kept
        found = {"grade/kept": kept.value, "grade/kept_low": kept.low, "grade/kept_high": kept.high}
        found |= {f"grade/kept_{phase}": each.value for phase, each in grade.phases.items()}
        found["grade/random"] = grade.random
    return found | {f"points/{spec}": each.value for spec, each in grade.points.items()}
