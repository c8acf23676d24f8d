"""What trainings share: they show speed and grade, and go on where they were killed.

    course = Course(folder, "DQN of tic-tac-toe", Exam(TicTacToe()), steps=60_000, every=6_000)
    if state := course.restore():  # when everything is built, as building draws random numbers
        dqn.load_state_dict(state["dqn"])
    while course.goes_on(player, lambda: {"dqn": dqn.state_dict()}):
        course.advance(learn_a_little(dqn), loss=0.1)  # how many steps, and what else to tell

Before the first step, every ``every`` steps and at the end the player is graded, a line is printed
and written to log.jsonl, the state is saved, whole, and curve.png is drawn. The same command goes
on after the last of these. PyTorch's, NumPy's and Python's global random numbers are saved as well.
What belongs to a library and is not given to ``goes_on`` is not: say so where that is.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from grading import Grader, draw_curve
from tqdm import tqdm

import agents
from adv_envs import Position

OPPONENTS = "random", *(f"alpha_beta(depth={depth})" for depth in range(1, 6))
POSITIONS, PAIRS = 200, 20  # in an exam: positions with wrong moves, and openings played twice


class Grades(Protocol):
    """Anything with the method of ``Exam`` and ``grading.Grader``."""

    def grade(self, player: Any) -> dict[str, float]:
        """Shares from 0 to 1 by name."""


class Exam:
    """The share of positions whose value is given away, and the points against some opponents."""

    def __init__(
        self, start: Position, opponents: Iterable[str] = OPPONENTS, pairs: int | None = None
    ) -> None:
        self.start, self.opponents, self.pairs = start, list(opponents), pairs or PAIRS
        self.grader = Grader(start, games=0, positions=POSITIONS)

    def grade(self, player: Any) -> dict[str, float]:
        """The "mistakes", and by "vs ..." the points, a draw being half of one; from 0 to 1.

        The games begin with two random plies, the same ones in every grade.
        """
        found = self.grader.grade(player)
        for spec in self.opponents:
            total = agents.match(self.start, player, agents.make(spec), self.pairs, 0, 2).total
            found[f"vs {spec}"] = total.points / total.games
        return found


class Course:
    """A training of ``steps`` steps: its progress bar, its grades, its state and its curve.

    ``kind`` names all that two runs must share for one to go on with the other; a folder with a
    run of another kind is refused. ``draw`` makes a picture of a log. Bad input ends the program
    with one line.
    """

    def __init__(
        self,
        folder: Path,
        kind: str,
        grader: Grades,
        steps: int,
        every: int,
        draw: Callable[[Path, Path], None] = draw_curve,
    ) -> None:
        if steps < 1 or every < 1:
            raise SystemExit(f"steps and every must be at least 1, not {steps} and {every}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SystemExit(f"{folder}: {error.strerror}: choose another --out") from None
        self.folder, self.kind, self.grader, self.draw = folder, kind, grader, draw
        self.total, self.every = steps, every
        self.steps, self.seconds, self.next = 0, 0.0, 0
        self.told: dict[str, Any] = {}
        self.log = folder / "log.jsonl"
        self.bar: tqdm[Any] | None = None
        self.since = 0, 0.0  # steps and seconds at the last grade
        self.began = time.perf_counter()  # to learn, after that

    def restore(self) -> dict[str, Any] | None:
        """What was saved last in the folder, or None; lines of the log after it are dropped."""
        path, state, kept = self.folder / "state.pt", None, []
        if path.exists():
            try:
                state = torch.load(path, weights_only=True)
                kind = state["kind"]
            except (RuntimeError, EOFError, pickle.UnpicklingError, KeyError, TypeError):
                raise SystemExit(f"{path} is not the state of a training") from None
            if kind != self.kind:
                told = f"{self.folder} has a run of {kind!r}, not of {self.kind!r}"
                raise SystemExit(f"{told}: choose another --out")
            self.steps, self.seconds = state["steps"], state["seconds"]
            self.since, self.next = (self.steps, self.seconds), self.steps + self.every
            set_random_state(state["random"])
            # the last line may be of an interval that was not saved, or torn
            for line in self.log.read_text().splitlines() if self.log.exists() else ():
                kept.append(line)
                if json.loads(line)["steps"] >= self.steps:
                    break
            print(f"going on after {self.steps} of {self.total} steps in {self.folder}")
        self.log.write_text("".join(f"{line}\n" for line in kept))
        return state["state"] if state else None

    def goes_on(self, player: Any, state: Callable[[], dict[str, Any]]) -> bool:
        """Whether there are steps left; grades ``player`` and saves ``state()`` when it is time.

        What ``state`` returns may hold tensors, numbers, strings, and lists and dicts of them.
        """
        if self.bar is None:
            self.bar = tqdm(total=self.total, initial=self.steps, unit=" steps", disable=None)
        else:
            self.seconds += time.perf_counter() - self.began
        over = self.steps >= self.total
        if self.steps >= self.next or (over and self.steps > self.since[0]):
            self._finish_interval(player, state())
        if over:
            self.bar.close()
            print(f"{self.steps} steps in {self.seconds:.1f} s: {self.log}, curve.png")
        self.began = time.perf_counter()
        return not over

    def advance(self, steps: int, **told: float) -> None:
        """So many steps were made; numbers to show beside the grade, and to log with the next."""
        assert self.bar is not None, "goes_on comes first"
        self.steps += steps
        self.told |= {name: round(float(value), 4) for name, value in told.items()}
        self.bar.update(steps)
        self._show()

    def _finish_interval(self, player: Any, state: dict[str, Any]) -> None:
        steps, seconds = self.steps - self.since[0], self.seconds - self.since[1]
        numbers = random_state()  # an exam must not change what comes after it
        grade = self.grader.grade(player)
        set_random_state(numbers)
        speed = {"steps_per_second": round(steps / max(seconds, 1e-9))} if steps else {}
        line = {"steps": self.steps, "seconds": round(self.seconds, 2), **speed}
        self.told |= grade
        with self.log.open("a") as file:
            file.write(json.dumps(line | self.told) + "\n")
        counts = {"steps": self.steps, "seconds": self.seconds, "kind": self.kind}
        torch.save({"state": state, "random": numbers, **counts}, self.folder / "state.part")
        os.replace(self.folder / "state.part", self.folder / "state.pt")
        self.draw(self.log, self.folder / "curve.png")
        self.since, self.next = (self.steps, self.seconds), self.steps + self.every
        told = ", ".join(f"{name} {share:.1%}" for name, share in grade.items())
        tqdm.write(f"{self.steps} steps, {self.seconds:.1f} s: {told}")
        sys.stdout.flush()  # to be read at once, also in a file
        self._show()

    def _show(self) -> None:
        points = [share for name, share in self.told.items() if name.startswith("vs ")]
        shown = [f"points {np.mean(points):.0%}"] if points else []
        shown += [f"{name} {v:.3g}" for name, v in self.told.items() if not name.startswith("vs ")]
        if self.bar is not None:
            self.bar.set_postfix_str(", ".join(shown), refresh=False)


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


def parser(about: str, name: str, steps: int) -> argparse.ArgumentParser:
    """The options of every course: --steps, --every, --seed and --out."""
    read = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    read.add_argument("--steps", type=int, default=steps, help=f"to learn from ({steps})")
    every = steps // 10
    read.add_argument("--every", type=int, default=every, help=f"steps between grades ({every})")
    read.add_argument("--seed", type=int, default=0, help="draws weights, games and moves (0)")
    out = Path("runs") / name
    read.add_argument("--out", type=Path, default=out, help=f"folder of the run ({out})")
    return read
