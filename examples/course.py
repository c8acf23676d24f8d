"""What trainings share: they show speed and grade, and go on where they were stopped.

    course = Course(folder, "DQN of tic-tac-toe", Exam(TicTacToe()), steps=60_000, every=6_000)
    if state := course.restore():  # when everything is built, as building draws random numbers
        dqn.load_state_dict(state["dqn"])
    while course.goes_on(player, lambda: {"dqn": dqn.state_dict()}):
        course.advance(learn_a_little(dqn), loss=0.1)  # how many steps, and what else to tell

Before the first step, every ``every`` steps and at the end the player is graded, a line is printed
and written to log.jsonl, and curve.png is drawn. Then, and once a minute, the state is saved: the
same command goes on from there, however the training was stopped. PyTorch's, NumPy's and Python's
global random numbers are saved as well. What belongs to a library and is not given to ``goes_on``
is not: say so where that is.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pickle
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
from grading import Exam, draw_curve
from tqdm import tqdm

from agents import Agent

SECONDS = 60  # between two saves, at most and if steps are not longer


class Course:
    """A training: its progress bar, its grades, its state and its curve.

    It is over after ``steps`` steps, or so many ``minutes`` of learning, in which grading does not
    count. ``kind`` names all that two runs must share for one to go on with the other; a folder
    with a run of another kind is refused. ``draw`` makes a picture of a log. Bad input ends the
    program with one line.
    """

    def __init__(
        self,
        folder: Path,
        kind: str,
        exam: Exam,
        steps: float,
        every: int,
        minutes: float = math.inf,
        draw: Callable[[Path, Path], None] = draw_curve,
    ) -> None:
        self.folder, self.kind, self.exam, self.draw = folder, kind, exam, draw
        self.log = folder / "log.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.log.touch()
        except OSError as error:
            raise SystemExit(f"{folder}: {error.strerror}: choose another --out") from None
        self.total, self.every, self.minutes = steps, every, minutes
        self.steps, self.next = 0, 0  # steps made, and after which to grade
        self.spent = np.zeros(2)  # seconds, and those of this process on processors
        self.graded = 0, 0.0  # steps and seconds at the last grade
        self.told: dict[str, Any] = {}
        self.bar: tqdm[Any] | None = None
        self.began, self.saved = clock(), time.monotonic()

    def restore(self) -> dict[str, Any] | None:
        """What was saved last in the folder, or None; lines of the log after it are dropped."""
        path, kept = self.folder / "state.pt", []
        if not path.exists():
            self.log.write_text("")
            return None
        try:
            saved = torch.load(path, weights_only=True)
            if saved["kind"] != self.kind:
                told = f"{self.folder} has a run of {saved['kind']!r}, not of {self.kind!r}"
                raise SystemExit(f"{told}: choose another --out")
            self.steps, self.next, self.graded = (saved[k] for k in ("steps", "next", "graded"))
            self.spent[:] = saved["spent"]
            set_random_state(saved["random"])
            state: dict[str, Any] = saved["state"]
        except (RuntimeError, EOFError, pickle.UnpicklingError, KeyError, TypeError, OSError):
            raise SystemExit(f"{path} is not the state of a training") from None
        for line in self.log.read_text().splitlines(keepends=True):
            # the last line may be of an interval that was not saved, or torn
            if not line.endswith("\n") or json.loads(line)["steps"] > self.steps:
                break
            kept.append(line)
        self._write("log.jsonl", lambda part: part.write_text("".join(kept)))
        print(f"going on after {self.steps} steps in {self.folder}")
        return state

    def goes_on(self, player: Agent | str, state: Callable[[], dict[str, Any]]) -> bool:
        """Whether there are steps left; saves ``state()`` and grades ``player`` when it is time.

        What ``state`` returns may hold tensors, numbers, strings, and lists and dicts of them. It
        is asked first, so it may as well write the file that ``player``, a spec, will be read from.
        """
        if self.bar is None:
            total = None if math.isinf(self.total) else self.total
            self.bar = tqdm(total=total, initial=self.steps, unit=" steps", disable=None)
        else:
            self.spent += clock() - self.began
        over = self.steps >= self.total or self.spent[0] >= 60 * self.minutes
        grade = self.steps >= self.next or (over and self.steps > self.graded[0])
        if grade or time.monotonic() - self.saved >= SECONDS:
            found = state()
            if grade:
                self._grade(player)
            self._save(found)
            if grade:  # last, as it takes longest
                self._write("curve.png", lambda part: self.draw(self.log, part))
        if over:
            self.bar.close()
            print(f"{self.steps} steps in {self.spent[0]:.1f} s: {self.log}, curve.png")
        self.began = clock()
        return not over

    def advance(self, steps: int, **told: float) -> None:
        """So many steps were made; numbers to show beside the grade, and to log with the next."""
        assert self.bar is not None, "goes_on comes first"
        self.steps += steps
        for name, value in told.items():
            self.told[name] = value if isinstance(value, int) else round(float(value), 4)
        self.bar.update(steps)
        self._show()

    def _grade(self, player: Agent | str) -> None:
        steps, seconds = self.steps - self.graded[0], self.spent[0] - self.graded[1]
        numbers = random_state()  # an exam must not change what comes after it
        grade = self.exam.grade(player)
        set_random_state(numbers)
        self.told |= grade
        wall, cpu = (round(float(each), 2) for each in self.spent)
        line: dict[str, float] = {"steps": self.steps, "seconds": wall, "cpu_seconds": cpu}
        if steps:
            line["steps_per_second"] = round(steps / max(seconds, 1e-9))
        with self.log.open("a") as file:
            file.write(json.dumps(line | self.told) + "\n")
        self.graded, self.next = (self.steps, float(self.spent[0])), self.steps + self.every
        told = ", ".join(f"{name} {share:.1%}" for name, share in grade.items())
        tqdm.write(f"{self.steps} steps, {wall:.1f} s: {told}")
        sys.stdout.flush()  # to be read at once, also in a file
        self._show()

    def _save(self, state: dict[str, Any]) -> None:
        saved = {name: getattr(self, name) for name in ("kind", "steps", "next", "graded")}
        saved |= {"state": state, "random": random_state(), "spent": self.spent.tolist()}
        self._write("state.pt", lambda part: torch.save(saved, part))
        self.saved = time.monotonic()

    def _write(self, name: str, write: Callable[[Path], Any]) -> None:
        """Write a file whole or not at all, whenever the program is killed."""
        part = self.folder / f"part.{name}"
        write(part)
        os.replace(part, self.folder / name)

    def _show(self) -> None:
        points = [share for name, share in self.told.items() if name.startswith("vs ")]
        shown = [f"points {np.mean(points):.0%}"] if points else []
        shown += [f"{name} {v:.3g}" for name, v in self.told.items() if not name.startswith("vs ")]
        if self.bar is not None:
            self.bar.set_postfix_str(", ".join(shown), refresh=False)


def clock() -> np.ndarray:
    """Seconds since some time, and seconds of this process on processors."""
    return np.array([time.perf_counter(), time.process_time()])


def random_state() -> dict[str, Any]:
    """The state of all global generators of random numbers."""
    version, numbers, gauss = random.getstate()
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - libraries draw from it
    return {
        "torch": torch.get_rng_state(),
        "numpy": [str(kind), torch.from_numpy(np.array(keys, np.int64)), *rest],
        "python": [version, list(numbers), gauss],
    }


def set_random_state(state: dict[str, Any]) -> None:
    """Go back to what ``random_state`` returned."""
    torch.set_rng_state(state["torch"])
    kind, keys, *rest = state["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), *rest))  # noqa: NPY002
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))


class Parser(argparse.ArgumentParser):
    """Tells of bad options in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(2, f"{self.prog}: {message}\n")


def bounded(kind: type, least: float, most: float = math.inf) -> Callable[[str], Any]:
    """The type of an option: a number in these bounds, both included."""

    def read(text: str) -> Any:
        if not least <= (found := kind(text)) <= most:
            bounds = f"at least {least}" if math.isinf(most) else f"{least} to {most}"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return found

    read.__name__ = kind.__name__
    return read


def parser(about: str, name: str, steps: int) -> Parser:
    """The options of every course: --steps, --every, --seed and --out."""
    read = Parser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    some, every, out = bounded(int, 1), steps // 10, Path("runs") / name
    read.add_argument("--steps", type=some, default=steps, help=f"to learn from ({steps})")
    read.add_argument("--every", type=some, default=every, help=f"steps between grades ({every})")
    seed = bounded(int, 0, 2**32 - 1)
    read.add_argument("--seed", type=seed, default=0, help="draws weights, games and moves (0)")
    read.add_argument("--out", type=Path, default=out, help=f"folder of the run ({out})")
    return read


def until_stopped(main: Callable[[], None]) -> None:
    """A training's ``main``; where Ctrl-C stops it, one line says how it goes on."""
    try:
        main()
    except KeyboardInterrupt:
        print("\nstopped: the same command goes on from what was saved last", file=sys.stderr)
        raise SystemExit(130) from None
