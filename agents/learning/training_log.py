"""Logs a training: lines of JSON, TensorBoard, the learning curve; grades of any loop.

    grade = GradeLog("runs/mine", TicTacToe(), every=10_000)
    for step in range(0, 100_001, 1_000):
        ...  # learn
        grade(network, step)

The callbacks for libraries are built on it, and ``TrainingRun`` on ``TrainingLog``. The curves are
at the end, with means over trainings that differ by their seed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adv_envs import Position
from adv_envs.files import write_file
from adv_envs.optional import optional_library

from .periodic_evaluation import (
    ExploitabilityEvaluation,
    Grade,
    PointsEvaluation,
    PointsGrade,
    evaluation_for,
)

Evaluation = PointsEvaluation | ExploitabilityEvaluation


class TrainingLog:
    """Writes the files in ``folder`` that tell of a training.

    - log.jsonl: a JSON object for each grade, with "steps" and "seconds";
    - run.json: ``about``, what the page that follows the training says of it;
    - curve.png: the learning curve, where it is drawn;
    - with ``tensorboard`` the same numbers as TensorBoard reads them; ImportError without it.

    Files but the log are written whole or not at all, whenever the program is killed.
    """

    def __init__(self, folder: Path, tensorboard: bool = False) -> None:
        self.folder, self.path, self.tensorboard = folder, folder / "log.jsonl", tensorboard
        folder.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self.lines: list[dict[str, Any]] = []
        """The grades so far."""
        self._writer: Any = None

    def read(self) -> None:
        """Reads the lines that are there already; LogError if that cannot be."""
        self.lines = read_log(self.path)

    def keep_until(self, step: float) -> None:
        """Drops the lines after ``step`` steps."""
        self.lines = [line for line in self.lines if line["steps"] <= step]
        write_file(self.path, "".join(json.dumps(line) + "\n" for line in self.lines))

    def begin(self, step: float, about: Mapping[str, Any]) -> None:
        """Begins to write, after ``step`` steps; what TensorBoard has of later ones is hidden."""
        write_file(self.folder / "run.json", json.dumps(about) + "\n")
        if self.tensorboard:
            library = optional_library("torch.utils.tensorboard", "TensorBoard needs", "learn")
            self._writer = library.SummaryWriter(self.folder, purge_step=int(step) + 1)

    def add(
        self,
        counts: Mapping[str, float],
        grade: Mapping[str, float],
        metrics: Mapping[str, float] | None = None,
    ) -> None:
        """Adds a grade after counts["steps"] steps; TensorBoard has ``metrics`` as "train/loss"."""
        metrics = {k: v for k, v in (metrics or {}).items() if k not in grade}
        line: dict[str, Any] = {**counts, **metrics, **grade}
        if isinstance(grade, PointsGrade):
            line["intervals"] = {name: found.to_dict() for name, found in grade.intervals.items()}
        self.lines.append(line)
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        if self._writer is not None:
            shown = {f"train/{name}": value for name, value in metrics.items()} | scalars_of(grade)
            for name, value in shown.items():
                self._writer.add_scalar(name, value, counts["steps"])
            self._writer.flush()

    def write(self, name: str, write: Callable[[Path], Any]) -> None:
        """Lets ``write`` write a file of the folder."""
        part = self.folder / f"part.{name}"
        write(part)
        os.replace(part, self.folder / name)

    def draw(self, draw: Callable[[Path, Path], Any]) -> None:
        """Lets ``draw(log, picture)`` draw the curve."""
        self.write("curve.png", lambda part: draw(self.path, part))

    def close(self) -> None:
        """Closes the file of TensorBoard."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


class GradeLog:
    """Grades a policy every ``every`` steps, and writes what it finds into ``folder``.

    ``evaluated`` is an evaluation, or the start of a game, which ``evaluation_for`` then evaluates
    without opponents. The files are those of ``TrainingLog``: a line of the log has "steps", the
    "seconds" of training, without those of grading, the numbers of the evaluation by name, and
    their "intervals"; the curve, over the steps, is drawn where ``draw`` is true.

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
        self.evaluation: Evaluation
        if isinstance(evaluated, Position):
            alone = {"opponents": ()} if evaluated.perfect_information else {}
            self.evaluation = evaluation_for(evaluated, **alone)
        else:
            self.evaluation = evaluated
        self.draw, self.on_grade = draw, on_grade
        self.files = TrainingLog(self.folder, tensorboard)
        self.log = self.files.path
        if not resume and self.log.stat().st_size:
            raise FileExistsError(
                f"{self.log} is the log of another training: choose another folder, or "
                "resume=True to go on with it"
            )
        self.files.read()
        self._began: float | None = None
        self._seconds = 0.0

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Returns the grades so far, as in the log."""
        return self.files.lines

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
        self.files.close()

    def _begin(self, step: int) -> None:
        """Drops what was graded after ``step``, and continues the clock."""
        kind = f"{self.evaluation.start!r}, graded every {self.every} steps"
        in_percent = getattr(self.evaluation, "in_percent", True)
        self.files.keep_until(step)
        self.files.begin(step, {"kind": kind, "in_percent": in_percent})
        self._seconds = self.lines[-1]["seconds"] if self.lines else 0.0
        self._began = time.perf_counter()

    def _write(self, step: int, grade: Mapping[str, float]) -> None:
        self.files.add({"steps": step, "seconds": round(self._seconds, 2)}, grade)
        if self.on_grade is not None:
            self.on_grade(scalars_of(grade), step)
        if self.draw:
            self.files.draw(partial(draw_learning_curve, over="steps"))


class TianshouGradingCallback:
    """Grades ``policy`` when a trainer of Tianshou calls it, before each of its steps.

        grading = TianshouGradingCallback("runs/mine", TicTacToe(), every=10_000, policy=dqn.policy)
        dqn.run_training(OffPolicyTrainerParams(..., training_fn=grading))
        grading.finish(env_step)

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
        found = {"grade/kept": kept.value}
        ends = ("low", kept.low), ("high", kept.high)
        found |= {f"grade/kept_{name}": end for name, end in ends if end is not None}
        found |= {f"grade/kept_{phase}": each.value for phase, each in grade.phases.items()}
        found["grade/random"] = grade.random
    return found | {f"points/{spec}": each.value for spec, each in grade.points.items()}


# ---- what is in a log, and its curve


class LogError(ValueError):
    """Says where the log of a training cannot be read, and what to do."""


def read_log(log: Path) -> list[dict[str, Any]]:
    """Returns the lines of a log; one that is torn, the last, is left out.

    LogError for other lines that are no grades, objects with the number of "steps".
    """
    lines = log.read_bytes().splitlines(keepends=True)
    found = []
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            break
        try:
            grade = json.loads(line)
        except (ValueError, RecursionError):
            grade = None
        steps = grade.get("steps") if isinstance(grade, dict) else None
        if isinstance(steps, bool) or not isinstance(steps, int | float):
            raise LogError(
                f"{log} is damaged: line {number} is no grade; remove that line, or choose another "
                "folder"
            )
        found.append(grade)
    return found


def pyplot() -> Any:
    """Returns Matplotlib's pyplot, which draws into files alone."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def draw_learning_curve(
    log: Path, picture: Path, rungs: Sequence[str] = (), over: str = "seconds"
) -> None:
    """Draws the grades in a log, a JSON object a line, over the "seconds" or "steps" of training.

    ``picture`` is the file that is written. Above are the points against each opponent, and below
    the mistakes, as far as there are any: these with their interval of 95 % confidence as a band
    where the log has it, those of random moves as a dashed line, and those in each phase of the
    game as thin lines. Where the "rung" of the log goes up, a vertical line is labelled with the
    name in ``rungs``. A log of exploitabilities is drawn by ``draw_exploitability_curve``.
    """
    from matplotlib.ticker import PercentFormatter

    plt = pyplot()
    lines = read_log(log)
    if any("exploitability" in line for line in lines):
        draw_exploitability_curve(log, picture)
        return
    graded = [line for line in lines if "mistakes" in line or points_in(line)]
    unit = 60 if over == "seconds" and graded[-1]["seconds"] > 180 else 1
    times = [line[over] / unit for line in graded]
    against, exact = points_in(graded[-1]), "mistakes" in graded[-1]
    ratios = (2,) * bool(against) + (1,) * exact
    shape: Any = {"figsize": (9, 5.5 if len(ratios) == 2 else 4), "layout": "constrained"}
    figure, axes = plt.subplots(
        len(ratios), sharex=True, squeeze=False, height_ratios=ratios, **shape
    )
    if against:
        above = axes[0, 0]
        title = draw_points(above, times, graded, against)
        draw_rungs(above, times, graded, rungs)
        figure.legend(title=title, loc="outside right upper", fontsize="small", frameon=False)
    if exact:
        draw_mistakes(axes[-1, 0], times, graded)
    axes[-1, 0].set_xlabel(f"{'minutes' if unit > 1 else over} of training")
    for axis in axes[:, 0]:
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.grid(alpha=0.3)
    figure.savefig(picture, dpi=120)
    plt.close(figure)


def points_in(line: dict[str, Any]) -> list[str]:
    """Returns the names of the points in a line of a log."""
    return [name for name in line if name.startswith("vs ")]


def draw_points(
    axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]], against: Sequence[str]
) -> str | None:
    """Draws the points against each opponent; returns what the legend is called."""
    colors, evaluation = pyplot().get_cmap("viridis_r")(np.linspace(0.15, 1, len(against))), ""
    for key, color in zip(against, colors, strict=True):  # deeper searches are darker
        spec, comma, evaluation = key.removeprefix("vs ").partition(", evaluate=")
        label = f"{spec})" if comma else spec
        axis.plot(times, [line[key] for line in graded], ".-", color=color, label=label)
    axis.axhline(0.5, color="gray", linewidth=0.8)
    axis.set(ylabel="points against", ylim=(-0.02, 1.02))
    return f"evaluate={evaluation.removesuffix(')')}" if evaluation else None


def draw_rungs(
    axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]], rungs: Sequence[str]
) -> None:
    """Draws a vertical line where the "rung" goes up, with its name."""
    reached = [int(line.get("rung", 0)) for line in graded]
    for i, (before, after) in enumerate(pairwise(reached), 1):
        if after > before:
            axis.axvline(times[i], color="gray", linewidth=0.8, linestyle=":")
            where: Any = {"rotation": 90, "ha": "right", "va": "top", "fontsize": "small"}
            axis.text(times[i], 1, rungs[after], **where)


PHASE_COLORS = {"opening": "tab:blue", "middle": "tab:orange", "end": "tab:green"}


def draw_mistakes(axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]]) -> None:
    """Draws the share of wrong moves, its interval, that of random moves, and those by phase."""
    mistakes = [line["mistakes"] for line in graded]
    axis.plot(times, mistakes, ".-", color="firebrick", label="all")
    tops = [0.1, *mistakes]
    if all("intervals" in line for line in graded):
        kept = [line["intervals"]["kept"] for line in graded]
        low, high = [1 - each["high"] for each in kept], [1 - each["low"] for each in kept]
        axis.fill_between(times, low, high, color="firebrick", alpha=0.2, linewidth=0)
        tops += high
        for phase, color in PHASE_COLORS.items():
            some = [line["intervals"].get(f"kept {phase}") for line in graded]
            if all(some):
                shares = [1 - each["value"] for each in some if each]
                axis.plot(times, shares, color=color, linewidth=0.8, label=phase)
                tops += shares
        at_random = 1 - graded[-1]["intervals"]["random"]["value"]
        axis.axhline(at_random, color="gray", linestyle="--", label="random")
        tops.append(at_random)
        axis.legend(fontsize="x-small", ncols=5, frameon=False, loc="upper right")
    axis.set(ylabel="wrong moves", ylim=(0, 1.25 * max(tops)))  # the legend has room


def draw_exploitability_curve(log: Path, picture: Path) -> None:
    """Draws the exploitability in a log, a JSON object a line, over the steps, by a log scale.

    ``picture`` is the file that is written.
    """
    plt = pyplot()
    graded = [line for line in read_log(log) if "exploitability" in line]
    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axis.plot([x["steps"] for x in graded], [x["exploitability"] for x in graded], ".-")
    axis.set(xlabel="steps", ylabel="exploitability, chips per game", yscale="log")
    axis.grid(alpha=0.3, which="both")
    figure.savefig(picture, dpi=120)
    plt.close(figure)


# ---- results of several trainings


def mean_over_seeds(values: ArrayLike) -> tuple[Any, Any]:
    """Returns the mean over the first axis, and half of its 95 % interval.

    ``values`` has a row, or a number, for each seed; the results have the shape of one. The
    interval is by Student's distribution; NaN for a single seed, which tells nothing of others.
    """
    from scipy import stats

    rows: NDArray[np.float64] = np.asarray(values, np.float64)
    mean = rows.mean(0)
    if len(rows) < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, stats.t.ppf(0.975, len(rows) - 1) * stats.sem(rows)


def plus_minus(mean: float, half: float, form: str = ".1%") -> str:
    """Returns a mean with ``half`` of its interval, as "12.3% ± 0.8%"; the mean alone for NaN.

    ``form`` is how both are written, as ``format`` takes it.
    """
    return format(mean, form) + (f" ± {half:{form}}" if np.isfinite(half) else "")
