"""Trainings go on where they were killed, are graded, and refuse what is not theirs."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adv_envs import TicTacToe
from agents import make

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> Any:
    for library in ("torch", "tqdm", "matplotlib"):
        pytest.importorskip(library, reason=f'{library} is needed: pip install "adv-envs[test]"')
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("course")


class Walk:
    """Learns a sum of random numbers, from all three generators; its grade is that sum."""

    def __init__(self, course: Any, folder: Path, steps: int, kind: str = "walk") -> None:
        import torch

        torch.manual_seed(5)
        random.seed(5)
        np.random.seed(5)  # noqa: NPY002
        self.sum, self.torch = torch.zeros(1), torch
        self.course = course.Course(folder, kind, self, steps, 10, draw=self.draw)
        if state := self.course.restore():
            self.sum = state["sum"]

    def grade(self, player: Any) -> dict[str, float]:
        random.random()  # an exam may draw, and changes nothing
        return {"mistakes": float(self.sum)}

    def draw(self, log: Path, picture: Path) -> None:
        picture.write_text(log.read_text())

    def run(self, until: int | None = None) -> Walk:
        while self.course.goes_on(None, lambda: {"sum": self.sum}):
            if self.course.steps == until:
                break  # killed
            numbers = random.random() + np.random.random()  # noqa: NPY002
            self.sum = self.sum + self.torch.rand(1) + numbers
            self.course.advance(5, loss=numbers)
        return self


def told(folder: Path) -> list[tuple[int, float, float | None]]:
    """Steps, grade and loss of each line of the log."""
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [(line["steps"], line["mistakes"], line.get("loss")) for line in lines]


def test_the_same_seed_gives_the_same_curve_also_when_killed(course: Any, tmp_path: Path) -> None:
    Walk(course, tmp_path / "whole", 60).run()
    assert [steps for steps, *_ in told(tmp_path / "whole")] == [0, 10, 20, 30, 40, 50, 60]
    Walk(course, tmp_path / "killed", 60).run(until=35)
    assert [steps for steps, *_ in told(tmp_path / "killed")] == [0, 10, 20, 30]
    Walk(course, tmp_path / "killed", 60).run()
    assert told(tmp_path / "killed") == told(tmp_path / "whole")
    Walk(course, tmp_path / "killed", 60).run()  # over: nothing happens
    assert told(tmp_path / "killed") == told(tmp_path / "whole")
    Walk(course, tmp_path / "longer", 25).run()  # ends between two grades, is graded, goes on
    Walk(course, tmp_path / "longer", 45).run()
    assert [steps for steps, *_ in told(tmp_path / "longer")] == [0, 10, 20, 25, 35, 45]
    assert (tmp_path / "longer" / "curve.png").read_text().count("\n") == 6


def test_a_line_that_was_not_saved_is_dropped(course: Any, tmp_path: Path) -> None:
    Walk(course, tmp_path, 60).run(until=25)
    before = told(tmp_path)
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"steps": 30, "mistakes": 9}\n{"steps": 4')  # torn
    Walk(course, tmp_path, 60)
    assert told(tmp_path) == before
    (tmp_path / "state.part").write_bytes(b"torn")  # killed while it saved
    Walk(course, tmp_path, 60).run()
    assert len(told(tmp_path)) == 7
    (tmp_path / "state.pt").unlink()  # nothing was saved: begin anew
    Walk(course, tmp_path, 10).run()
    assert told(tmp_path)[:2] == before[:2]
    assert len(told(tmp_path)) == 2


def test_prints_what_it_does(course: Any, tmp_path: Path, capsys: Any) -> None:
    Walk(course, tmp_path, 20).run(until=10)
    Walk(course, tmp_path, 20).run()
    output = capsys.readouterr().out
    assert output.startswith("0 steps, 0.0 s: mistakes 0.0%\n10 steps, ")
    assert f"going on after 10 of 20 steps in {tmp_path}\n20 steps, " in output


def bad_folder(folder: Path) -> Path:
    folder.mkdir()
    (folder / "state.pt").write_bytes(b"no state")
    return folder


def kind_of_another(folder: Path, course: Any) -> Path:
    Walk(course, folder, 10, kind="run").run()
    return folder


def test_bad_input(course: Any, tmp_path: Path) -> None:
    tries: list[tuple[Callable[[], Path], int, str]] = [
        (lambda: tmp_path, 0, "steps and every must be at least 1, not 0 and 10"),
        (lambda: bad_folder(tmp_path / "bad"), 10, "is not the state of a training"),
        (lambda: kind_of_another(tmp_path / "other", course), 10, "has a run of 'run', not of"),
        (lambda: tmp_path / "bad" / "state.pt", 10, "exists: choose another --out"),
    ]
    for folder, steps, message in tries:
        with pytest.raises(SystemExit, match=message):
            Walk(course, folder(), steps)


def test_exam(course: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "POSITIONS", 5)
    monkeypatch.setattr(course, "PAIRS", 5)
    exam = course.Exam(TicTacToe(), ["random", "alpha_beta(depth=2)"])
    best, worst = exam.grade(make("perfect")), exam.grade(make("random"))
    assert [*best] == [*worst] == ["mistakes", "vs random", "vs alpha_beta(depth=2)"]
    assert best["mistakes"] == 0
    assert best["vs random"] > 0.75 > worst["vs random"]
