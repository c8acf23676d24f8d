"""Trainings go on where they were stopped, refuse what is not theirs, and are graded."""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, Go, Hex, Pig, TicTacToe
from adv_envs.jit import disabled
from agents import Agent, make
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    TrainingRunError,
    bounded,
    draw_learning_curve,
    never_loses,
    run_command,
    training_options,
    training_run,
)
from agents.reports.training_page import read_runs

pytestmark = pytest.mark.needs("learn")


class Walk:
    """Learns a sum of random numbers, from all three generators; its grade is that sum."""

    def __init__(
        self, folder: Path, steps: float, kind: str = "walk", minutes: float = math.inf
    ) -> None:
        import torch

        torch.manual_seed(5)
        random.seed(5)
        np.random.seed(5)  # noqa: NPY002
        self.sum, self.torch = torch.zeros(1), torch
        self.training = TrainingRun(folder, kind, self, steps, 10, minutes, self.draw)
        if state := self.training.restore():
            self.sum = state["sum"]

    def evaluate(self, agent: Any) -> dict[str, float]:
        random.random()  # an evaluation may draw, and changes nothing
        return {"mistakes": float(self.sum)}

    def draw(self, log: Path, picture: Path) -> None:
        saved = self.torch.load(log.parent / "state.pt")  # before it is drawn
        assert saved["steps"] == self.training.steps
        picture.write_text(log.read_text())

    def run(self, until: int | None = None) -> Walk:
        while self.training.continues(None, lambda: {"sum": self.sum}):
            if self.training.steps == until:
                break  # killed
            numbers = random.random() + np.random.random()  # noqa: NPY002
            self.sum = self.sum + self.torch.rand(1) + numbers
            self.training.advance(5, loss=numbers)
        return self


def told(folder: Path) -> list[tuple[int, float, float | None]]:
    """Steps, grade and loss of each line of the log."""
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [(line["steps"], line["mistakes"], line.get("loss")) for line in lines]


def test_the_same_seed_gives_the_same_curve_also_when_killed(tmp_path: Path) -> None:
    Walk(tmp_path / "whole", 60).run()
    assert [steps for steps, *_ in told(tmp_path / "whole")] == [0, 10, 20, 30, 40, 50, 60]
    Walk(tmp_path / "killed", 60).run(until=35)
    assert [steps for steps, *_ in told(tmp_path / "killed")] == [0, 10, 20, 30]
    Walk(tmp_path / "killed", 60).run()
    assert told(tmp_path / "killed") == told(tmp_path / "whole")
    Walk(tmp_path / "killed", 60).run()  # over: nothing happens
    assert told(tmp_path / "killed") == told(tmp_path / "whole")
    Walk(tmp_path / "longer", 25).run()  # ends between two grades, is graded, goes on
    Walk(tmp_path / "longer", 45).run()
    assert [steps for steps, *_ in told(tmp_path / "longer")] == [0, 10, 20, 25, 35, 45]
    assert (tmp_path / "longer" / "curve.png").read_text().count("\n") == 6


def test_a_line_that_was_not_saved_is_dropped(tmp_path: Path) -> None:
    Walk(tmp_path, 60).run(until=25)
    before = told(tmp_path)
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"steps": 30, "mistakes": 9}\n{"steps": 4')  # torn
    Walk(tmp_path, 60)
    assert told(tmp_path) == before
    (tmp_path / "part.state.pt").write_bytes(b"torn")  # killed while it saved
    Walk(tmp_path, 60).run()
    assert len(told(tmp_path)) == 7
    (tmp_path / "state.pt").unlink()  # nothing was saved: begin anew
    Walk(tmp_path, 10).run()
    assert told(tmp_path)[:2] == before[:2]
    assert len(told(tmp_path)) == 2


def test_prints_what_it_does(tmp_path: Path, capsys: Any) -> None:
    Walk(tmp_path, 20).run(until=10)
    Walk(tmp_path, 20).run()
    output = capsys.readouterr().out
    assert output.startswith("0 steps, 0.0 s: mistakes 0.0%\n10 steps, ")
    assert f"going on after 10 steps in {tmp_path}\n20 steps, " in output


def test_saves_between_grades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Walk(tmp_path / "whole", 60).run()
    monkeypatch.setattr(training_run, "SAVE_SECONDS", 0)
    Walk(tmp_path / "killed", 60).run(until=35)
    walk = Walk(tmp_path / "killed", 60)
    assert walk.training.steps == 35
    walk.run()
    assert told(tmp_path / "killed") == told(tmp_path / "whole")


def test_is_over_after_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(1000))
    monkeypatch.setattr(training_run, "clock", lambda: np.full(2, 10.0 * next(times)))
    Walk(tmp_path, math.inf, minutes=1).run()
    assert [steps for steps, *_ in told(tmp_path)] == [0, 10, 20, 30]  # 5 in 10 seconds
    last = json.loads((tmp_path / "log.jsonl").read_text().splitlines()[-1])
    assert (last["seconds"], last["cpu_seconds"], last["steps_per_second"]) == (60, 60, 0)


def test_its_folder_says_how_far_it_is(tmp_path: Path) -> None:
    Walk(tmp_path, 60).run(until=35)
    (stopped,) = read_runs([tmp_path])
    assert (stopped.last["steps"], stopped.total, stopped.complete) == (30, 60, False)
    Walk(tmp_path, 60).run()
    (over,) = read_runs([tmp_path])
    assert over.complete
    Walk(tmp_path, math.inf, minutes=0.0).run()
    (endless,) = read_runs([tmp_path])
    assert (endless.total, endless.complete) == (None, True)


def test_ctrl_c_says_how_to_go_on(capsys: Any) -> None:
    def main() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        run_command(main)
    assert end.value.code == 130
    told = capsys.readouterr().err
    assert told == "\nstopped: the same command goes on from what was saved last\n"


def test_bad_input(tmp_path: Path) -> None:
    Walk(tmp_path / "other", 10, kind="run").run()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "state.pt").write_bytes(b"no state")
    for folder, message in (
        (tmp_path / "bad", "is not the state of a training"),
        (tmp_path / "other", "has a run of 'run', not of"),
        (tmp_path / "bad" / "state.pt", "exists: choose another --out"),
        (Path("/proc/none"), "choose another --out"),
    ):
        with pytest.raises(TrainingRunError, match=message):
            Walk(folder, 10)
    assert told(tmp_path / "other")  # still there


def test_bad_options_end_with_one_line(capsys: Any) -> None:
    for option, message in {
        "--steps=0": "argument --steps: must be at least 1, not 0",
        "--every=-3": "argument --every: must be at least 1, not -3",
        "--steps=many": "argument --steps: invalid int value: 'many'",
        "--seed=-1": "argument --seed: must be 0 to 4294967295, not -1",
        "--speed=1": "unrecognized arguments: --speed=1",
    }.items():
        read = training_options("What it is.", "walk", 100)
        with pytest.raises(SystemExit) as end:
            read.parse_args([option])
        assert end.value.code == 2
        assert capsys.readouterr().err == f"{read.prog}: {message}\n"
    assert bounded(float, 0, 1)("0.5") == 0.5
    with pytest.raises(argparse.ArgumentTypeError, match="must be 0 to 1, not nan"):
        bounded(float, 0, 1)("nan")


# ---- evaluation and curves


def test_the_evaluation_knows_right_from_wrong() -> None:
    opponents = ["random", "alpha_beta(depth=2)"]
    evaluation = PeriodicEvaluation(TicTacToe(), opponents, pairs=5, positions=40)
    assert len(evaluation.positions) == 40
    for position, right in evaluation.positions:
        assert right < set(position.legal_actions())
    best, worst = evaluation.evaluate("perfect"), evaluation.evaluate(make("random"))
    assert [*best] == [*worst] == ["mistakes", "vs random", "vs alpha_beta(depth=2)"]
    assert best["mistakes"] == 0
    assert worst["mistakes"] > 0.2
    assert best["vs random"] > 0.75 > worst["vs random"]
    assert evaluation.evaluate("perfect") == best
    assert never_loses(make("perfect"), TicTacToe())[0]
    assert not never_loses(make("greedy(seed=1)"), TicTacToe())[0]


@pytest.mark.skipif(disabled(), reason="exact values take minutes in plain Python")
def test_the_evaluation_asks_the_searches_of_the_game() -> None:
    for start, judged in (
        (TicTacToe(), ""),
        (ConnectFour(), ", evaluate=connect_four.threats"),
        (Hex(3), ", evaluate=hex.two_distance"),
    ):
        evaluation = PeriodicEvaluation(start, pairs=1, positions=1)
        depths = [f"alpha_beta(depth={depth}{judged})" for depth in range(1, 6)]
        assert [*evaluation.opponents] == ["random", *depths]
        assert [repr(opponent) for opponent in evaluation.opponents.values()][1:] == depths
    with pytest.raises(ValueError, match="go is graded on 2 x 2"):
        PeriodicEvaluation(Go())
    of_pig = PeriodicEvaluation(Pig(), pairs=1, positions=5).opponents
    assert [*of_pig] == ["random", "expectiminimax(depth=1)", "expectiminimax(depth=2)"]
    with pytest.raises(ValueError, match="no agent 'alphabeta'; did you mean 'alpha_beta'"):
        PeriodicEvaluation(TicTacToe(), ["alphabeta"])


class Fails(Agent):
    """Plays what is right only where nothing has been played."""

    def act(self, position: Any) -> int:
        """Always the same action."""
        return 0


def test_the_evaluation_does_not_take_a_bug_for_bad_play() -> None:
    evaluation = PeriodicEvaluation(TicTacToe(), ["random"], pairs=5, positions=2)
    with pytest.raises(RuntimeError, match="IllegalAction: 0 is not a legal action"):
        evaluation.evaluate(Fails())


def test_curve_shows_points_mistakes_and_rungs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib import pyplot

    figures: list[Any] = []
    monkeypatch.setattr(pyplot, "close", figures.append)
    first = {"steps": 0, "seconds": 0, "mistakes": 0.5, "vs random": 0.1}
    spec = "vs alpha_beta(depth=2, evaluate=connect_four.threats)"
    lines = [
        first | {spec: 0.0},
        {"steps": 0, "seconds": 100},  # without a grade
        first | {spec: 0.2, "seconds": 120, "rung": 0},
        first | {spec: 0.9, "seconds": 240, "rung": 1, "mistakes": 0.2},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    draw_learning_curve(log, tmp_path / "curve.png", ["random", "greedy"])
    above, below = figures[0].axes
    curves = {line.get_label(): [*line.get_ydata()] for line in above.lines}
    assert curves["random"] == [0.1, 0.1, 0.1]
    assert curves["alpha_beta(depth=2)"] == [0.0, 0.2, 0.9]
    assert [*below.lines[0].get_ydata()] == [0.5, 0.5, 0.2]
    assert [*below.lines[0].get_xdata()] == [0, 2, 4]
    assert (above.get_ylabel(), below.get_ylabel()) == ("points against", "wrong moves")
    assert below.get_xlabel() == "minutes of training"
    assert [(text.get_text(), text.get_position()[0]) for text in above.texts] == [("greedy", 4)]
    assert figures[0].legends[0].get_title().get_text() == "evaluate=connect_four.threats"
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.undo()
    pyplot.close(figures[0])


def test_how_much_of_a_run_is_over(tmp_path: Path) -> None:
    """By steps or by minutes, whichever ends it sooner; nothing is known without an end."""
    for steps, minutes, expected in (
        (40, math.inf, 0.25), (math.inf, 2.0, 0.75), (40, 2.0, 0.75), (5, 2.0, 1.0),
        (math.inf, math.inf, 0.0), (40, 0.0, 0.25),
    ):  # fmt: skip
        run = Walk(tmp_path / f"{steps} {minutes}", steps, minutes=minutes).training
        run.steps, run.spent[0] = 10, 90
        assert run.done == expected
