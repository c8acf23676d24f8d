"""Runs a training: it shows progress, grades the learner, and goes on where it was stopped.

    run = TrainingRun(folder, "DQN of tic-tac-toe", evaluation, steps=60_000, every=6_000)
    if state := run.restore():  # when everything is built, as building draws random numbers
        dqn.load_state_dict(state["dqn"])
    while run.continues(player, lambda: {"dqn": dqn.state_dict()}):
        run.advance(learn_a_little(dqn), loss=0.1)  # the number of steps, and metrics to log

Before the first step, every ``every`` steps and at the end the learner is evaluated, a line is
printed and written to log.jsonl, and curve.png is drawn. Then, and once a minute, the state is
saved: the same command goes on from there, however the run was stopped. The global random numbers
of PyTorch, NumPy and Python are saved as well; the state of a library that is not given to
``continues`` is not.
"""

from __future__ import annotations

import argparse
import math
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from .policies import random_state, set_random_state
from .training_log import TrainingLog, draw_learning_curve

SAVE_SECONDS = 60
"""Seconds between two saves, or one step if that takes longer."""


class TrainingRunError(ValueError):
    """Says why a folder cannot be used for this run, and what to do."""


class LearnerEvaluation(Protocol):
    """Grades the learner, as ``PeriodicEvaluation`` does.

    An attribute ``in_percent`` that is False says that the grades are amounts, not shares.
    """

    def evaluate(self, agent: Any) -> dict[str, float]:
        """Returns grades by name, shares from 0 to 1; it must not depend on earlier calls."""


class TrainingRun:
    """Holds a run: its progress bar, its grades, its state and its curve, in ``folder``.

    It ends after ``steps`` steps, or after ``minutes`` of learning, without the time of evaluation.
    ``kind`` describes everything that must be equal for a run to go on with the state of another;
    TrainingRunError for a folder with a run of another kind, and for one that cannot be written.
    ``draw(log, picture)`` draws the curve. With ``tensorboard`` the folder gets the grades, by
    ``scalars_of``, and the metrics, as "train/loss", for TensorBoard as well.
    """

    def __init__(
        self,
        folder: Path,
        kind: str,
        evaluation: LearnerEvaluation,
        steps: float,
        every: int,
        minutes: float = math.inf,
        draw: Callable[[Path, Path], None] = draw_learning_curve,
        tensorboard: bool = False,
    ) -> None:
        self.folder, self.kind, self.evaluation, self.draw = folder, kind, evaluation, draw
        try:
            self.files = TrainingLog(folder, tensorboard)
        except OSError as error:
            raise TrainingRunError(f"{folder}: {error.strerror}: choose another --out") from None
        self.log = self.files.path
        self.total, self.every, self.minutes = steps, every, minutes
        self.steps, self.next_grade = 0, 0
        self.spent = np.zeros(2)  # wall-clock seconds, and CPU seconds of this process
        self.graded = 0, 0.0  # steps and seconds at the last grade
        self.metrics: dict[str, Any] = {}
        self.bar: Any = None
        self.began, self.saved = clock(), time.monotonic()

    def restore(self) -> dict[str, Any] | None:
        """Returns the state that was saved last, or None for a new run.

        Later lines of the log are removed. TrainingRunError for a file that is no such state.
        """
        import torch

        path = self.folder / "state.pt"
        if not path.exists():
            self.files.keep_until(-1)
            return None
        try:
            saved = torch.load(path, weights_only=True)
            if saved["kind"] != self.kind:
                raise TrainingRunError(
                    f"{self.folder} has a run of {saved['kind']!r}, not of {self.kind!r}: "
                    "choose another --out"
                )
            self.steps, self.next_grade = saved["steps"], saved["next"]
            self.graded = saved["graded"]
            self.spent[:] = saved["spent"]
            set_random_state(saved["random"])
            state: dict[str, Any] = saved["state"]
        except (RuntimeError, EOFError, pickle.UnpicklingError, KeyError, TypeError, OSError):
            raise TrainingRunError(f"{path} is not the state of a training") from None
        self.files.read()
        self.files.keep_until(self.steps)  # the last may be of an interval that was not saved
        print(f"going on after {self.steps} steps in {self.folder}")
        return state

    def continues(self, agent: Any, state: Callable[[], dict[str, Any]]) -> bool:
        """Returns whether there are steps left; grades ``agent`` and saves ``state()`` when due.

        ``state`` returns tensors, numbers, strings, and lists and dicts of them. It is called
        first, so that it may write the file that ``agent``, a spec, reads.
        """
        if self.bar is None:
            self._begin()
        else:
            self.spent += clock() - self.began
        over = self.steps >= self.total or self.spent[0] >= 60 * self.minutes
        grade = self.steps >= self.next_grade or (over and self.steps > self.graded[0])
        if grade or time.monotonic() - self.saved >= SAVE_SECONDS:
            found = state()
            if grade:
                self._grade(agent)
            self._save(found)
            if grade:  # last, as it takes longest
                self.files.draw(self.draw)
        if over:
            self._end()
        self.began = clock()
        return not over

    @property
    def done(self) -> float:
        """Returns the share of the run that is over, 0 to 1, by its steps and by its minutes."""
        shares = self.steps / self.total, float(self.spent[0]) / (60 * self.minutes or math.nan)
        return min(1.0, max(0.0, *shares))

    def advance(self, steps: int, **metrics: float) -> None:
        """Counts ``steps`` more; ``metrics`` are shown in the bar and logged with the next grade.

        RuntimeError before ``continues`` was called.
        """
        if self.bar is None:
            raise RuntimeError("call continues() before advance()")
        self.steps += steps
        for name, value in metrics.items():
            self.metrics[name] = value if isinstance(value, int) else round(float(value), 4)
        self.bar.update(steps)
        self._show()

    def _begin(self) -> None:
        """Opens what shows progress, and tells a page how long the run is to be."""
        from tqdm import tqdm

        total = None if math.isinf(self.total) else self.total
        self.bar = tqdm(total=total, initial=self.steps, unit=" steps", disable=None)
        about = {
            "kind": self.kind,
            "steps": total,
            "minutes": None if math.isinf(self.minutes) else self.minutes,
            "in_percent": getattr(self.evaluation, "in_percent", True),
        }
        self.files.begin(self.steps if self.steps else -1, about)

    def _end(self) -> None:
        self.bar.close()
        self.files.close()
        print(f"{self.steps} steps in {self.spent[0]:.1f} s: {self.log}, curve.png")

    def _grade(self, agent: Any) -> None:
        steps, seconds = self.steps - self.graded[0], self.spent[0] - self.graded[1]
        numbers = random_state()  # an evaluation must not change what comes after it
        grade = self.evaluation.evaluate(agent)
        set_random_state(numbers)
        wall, cpu = (round(float(each), 2) for each in self.spent)
        counts: dict[str, float] = {"steps": self.steps, "seconds": wall, "cpu_seconds": cpu}
        if steps:
            counts["steps_per_second"] = round(steps / max(seconds, 1e-9))
        self.files.add(counts, grade, self.metrics)
        self.metrics |= grade
        self.graded = self.steps, float(self.spent[0])
        self.next_grade = self.steps + self.every
        form = ".1%" if getattr(self.evaluation, "in_percent", True) else ".4f"
        text = ", ".join(f"{name} {value:{form}}" for name, value in grade.items())
        self.bar.write(f"{self.steps} steps, {wall:.1f} s: {text}")
        sys.stdout.flush()  # to be read at once, also in a file
        self._show()

    def _save(self, state: dict[str, Any]) -> None:
        import torch

        saved = {
            "kind": self.kind,
            "steps": self.steps,
            "next": self.next_grade,
            "graded": self.graded,
            "state": state,
            "random": random_state(),
            "spent": self.spent.tolist(),
        }
        self.files.write("state.pt", lambda part: torch.save(saved, part))
        self.saved = time.monotonic()

    def _show(self) -> None:
        """Shows the metrics in the progress bar: the mean of all points, then the others."""
        points = [share for name, share in self.metrics.items() if name.startswith("vs ")]
        shown = [f"points {np.mean(points):.0%}"] if points else []
        others = {k: v for k, v in self.metrics.items() if not k.startswith("vs ")}
        shown += [f"{name} {value:.3g}" for name, value in others.items()]
        if self.bar is not None:
            self.bar.set_postfix_str(", ".join(shown), refresh=False)


def clock() -> NDArray[np.float64]:
    """Returns wall-clock seconds since some time, and CPU seconds of this process."""
    return np.array([time.perf_counter(), time.process_time()])


# ---- the command line of a training


class OneLineParser(argparse.ArgumentParser):
    """Returns a parser that reports bad options in one line."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def bounded(kind: type, least: float, most: float = math.inf) -> Callable[[str], Any]:
    """Returns the type of an option that is a number of ``kind`` from ``least`` to ``most``."""

    def read(text: str) -> Any:
        if not least <= (found := kind(text)) <= most:
            bounds = f"at least {least}" if math.isinf(most) else f"{least} to {most}"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return found

    read.__name__ = kind.__name__
    return read


def training_options(description: str, name: str, steps: int) -> OneLineParser:
    """Returns a parser with the options of every training: --steps, --every, --seed and --out.

    ``description`` is its help, ``name`` that of the folder, ``steps`` the usual number of steps.
    """
    parser = OneLineParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    some, every, out = bounded(int, 1), steps // 10, Path("runs") / name
    add, seed = parser.add_argument, bounded(int, 0, 2**32 - 1)
    add("--steps", type=some, default=steps, help=f"to learn from ({steps})")
    add("--every", type=some, default=every, help=f"steps between grades ({every})")
    add("--seed", type=seed, default=0, help="draws weights, games and moves (0)")
    add("--out", type=Path, default=out, help=f"folder of the run ({out})")
    return parser


def run_command(main: Callable[[], None]) -> None:
    """Calls ``main``; Ctrl-C and TrainingRunError end the program with one line."""
    try:
        main()
    except TrainingRunError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        print("\nstopped: the same command goes on from what was saved last", file=sys.stderr)
        raise SystemExit(130) from None
