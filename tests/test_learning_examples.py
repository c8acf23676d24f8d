"""The examples in which agents learn: that they learn, and what they say."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import adv_envs
from adv_envs.jit import disabled

pytestmark = pytest.mark.needs("learn")

EXAMPLES = Path(__file__).parent.parent / "examples"

Run = Callable[..., str]


@pytest.fixture(autouse=True)
def examples_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs an example with a command line; what it printed."""

    def with_command_line(command: str, *more: object) -> str:
        name, *_ = given = [*command.split(), *map(str, more)]
        monkeypatch.setattr(sys, "argv", given)
        importlib.import_module(name).main()
        return capsys.readouterr().out

    return with_command_line


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_alphazero_learns(capsys: pytest.CaptureFixture[str]) -> None:
    example = importlib.import_module("alphazero")
    example.main(["--iterations", "16", "--every", "8", "--games", "64", "--seed", "3"])
    told = capsys.readouterr().out
    wrong = [float(share) for share in re.findall(r"([\d.]+)% wrong moves", told)]
    assert len(wrong) == 3
    assert wrong[0] > 40
    assert wrong[2] < 25
    assert "alpha_beta(depth=3)" in told
    for given, message in {
        "--game nothing": "nothing",
        "--game pig": "chance",
        "--method best": "method must be one of gumbel, alphazero, not 'best'",
        "--games 0": "argument --games: must be at least 1, not 0",
    }.items():
        with pytest.raises(SystemExit) as end:
            example.main(given.split())
        assert end.value.code == 2
        told = capsys.readouterr().err
        assert message in told
        assert told.count("\n") == 1


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_gumbel_or_puct(run: Run, tmp_path: Path) -> None:
    command = "gumbel_or_puct --simulations 2 --positions 300 --seeds 2 --games 16 --out"
    told = run(command, tmp_path)
    assert len(re.findall(r"\d+\.\d% ± +\d+\.\d%", told)) == 2
    log = tmp_path / "tic_tac_toe.jsonl"
    lines = log.read_text().splitlines()
    assert len(lines) == 4
    log.write_text("\n".join(lines[:3]) + "\n")  # the same command does what is missing
    assert run(command, tmp_path) == told
    again = [json.loads(line) for line in log.read_text().splitlines()]
    assert again == [json.loads(line) for line in lines]
    assert (tmp_path / "tic_tac_toe.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(disabled(), reason="takes a minute without the compiler")
def test_three_bugs(run: Run, tmp_path: Path) -> None:
    command = "three_bugs --steps 19200 --points 1 --seeds 1 --positions 300 --out"
    told = run(command, tmp_path)
    rows = dict(re.findall(r"│ (as it|missing|wrong sign)[^│]*│ +(\d+\.\d)% ", told))
    assert float(rows["as it"]) < 40
    assert float(rows["as it"]) < float(rows["wrong sign"])
    log = tmp_path / "tic_tac_toe.jsonl"
    lines = log.read_text().splitlines()
    found = {each["bug"]: each for each in map(json.loads, lines)}
    assert found.keys() == importlib.import_module("three_bugs").KINDS.keys()
    assert min(each["mistakes"][0] for each in found.values()) > 0.5
    assert found["sign"]["loss"] < 0.5 * found["none"]["loss"]  # both sides seem to win
    assert found["sign"]["value"] > found["none"]["value"] + 0.1
    log.write_text("\n".join(lines[:3]) + "\n")  # the same command does what is missing
    assert run(command, tmp_path) == told
    assert log.read_text().splitlines() == lines
    assert (tmp_path / "tic_tac_toe.png").read_bytes().startswith(b"\x89PNG")


def test_each_bug_is_one_line_of_the_learner() -> None:
    import torch

    from adv_envs import TicTacToe
    from agents.learning.policies import observations_of

    example = importlib.import_module("three_bugs")
    after = TicTacToe().play(4)  # the second player is to move
    seen, legal = (torch.from_numpy(x) for x in observations_of(TicTacToe(), [after]))
    learners = {bug: example.QLearner("tic_tac_toe", bug, 1) for bug in example.KINDS}
    for learner in learners.values():
        with torch.no_grad():
            learner.old.layers[-1].weight.zero_()
            learner.old.layers[-1].bias.copy_(torch.tensor([0, 0.1, 0, 0, 0.9, 0.2, 0, 0, 0]))
    promised = {bug: float(x.promised(seen.float(), legal)) for bug, x in learners.items()}
    expected = {"none": -0.2, "mask": -0.9, "perspective": -0.2, "sign": 0.2}
    assert promised == pytest.approx(expected)
    first, other = learners["none"].network, learners["perspective"].network
    other.load_state_dict(first.state_dict())
    swapped = seen.float().flip(3)
    with torch.no_grad():
        assert torch.equal(other(seen.float()), first(swapped))
        assert torch.equal(other(swapped), first(swapped))  # a first player sees his own first


# ---- search against learning


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_search_against_learning(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    example = importlib.import_module("search_vs_rl")
    monkeypatch.setitem(example.SEARCH, "tic_tac_toe", ["random(seed=1)", "alpha_beta()"])
    picture = tmp_path / "table.png"
    told = run("search_vs_rl --pairs 5 --out", picture)
    assert "10 games for each two agents: percent of the points" in told
    assert "  2  alpha_beta()" in told
    row = next(line for line in told.splitlines() if re.match(r" +2 +\d+ ±\d+ +- +\d+", line))
    assert int(row.split()[1]) >= 70
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_cross_table_tells_what_a_few_games_leave_open() -> None:
    example = importlib.import_module("search_vs_rl")
    scores = {
        ("a", "b"): np.array([0.0, 0.5, 1.0, 1.0] * 25),
        ("a", "c"): np.ones(5),
        ("b", "c"): np.ones(100),
    }
    _, means, halves = example.cross_table(["a", "b", "c"], scores)
    assert means[0, 1] == 62.5 == 100 - means[1, 0]
    assert halves[0, 1] == pytest.approx(100 * 1.96 * 0.4146 / 10, abs=1)
    assert means[0, 2] == means[1, 2] == 100
    assert halves[0, 2] > 10 > halves[1, 2] > 0  # never lost, but that is not never loses
    assert np.isnan(means.diagonal()).all()


@pytest.mark.needs("sb3")
def test_the_curriculum_goes_up_its_ladder() -> None:
    example = importlib.import_module("train_sb3")
    assert example.pool(0) == {"random": 1.0}
    third = example.pool(2)
    assert third["alpha_beta(depth=1)"] == 1.0
    assert sum(third.values()) == pytest.approx(2.0)


# ---- exact values as an upper bound


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_distil(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    example = importlib.import_module("distil")
    monkeypatch.setattr(example, "GAMES", {"connect_four": ({"height": 4, "width": 5}, "")})
    command = "distil --labels 400 --width 16 --blocks 1 --batch 64 --steps 15000 --every 15000"
    more = "--workers", 2, "--asked", 50, "--tests", 150, "--out", tmp_path, "--beside"
    told = run(command, *more)
    wrong = [float(share) for share in re.findall(r"mistakes ([\d.]+)%", told)]
    assert wrong[0] - wrong[-1] > 10  # it learns
    removed, number = map(int, re.search(r"(\d+) of (\d+) labels are of test", told).groups())  # type: ignore[union-attr]
    assert 0 < removed < number
    assert number >= 400
    assert "distilled" in told
    assert re.search(r"learnt .* other ", told)
    parts = sorted(tmp_path.glob("labels-*.npz"))
    stamps = [part.stat().st_mtime_ns for part in parts]
    assert "going on after" in run(command, *more)  # nothing is labelled or learnt again
    assert [part.stat().st_mtime_ns for part in parts] == stamps


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("distil --beside nothing", "no checkpoint 'nothing'"),
        ("distil --game pig", "invalid choice: 'pig'"),
        ("scaling --networks 32", "invalid network_size value: '32'"),
        ("scaling --boards 1", "must be 2 to 6, not 1"),
        ("train_league --latest 7", "must be 0 to 1, not 7"),
    ],
)
def test_bad_options_are_refused_in_one_line(
    run: Run, capsys: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    with pytest.raises(SystemExit) as end:
        run(command)
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_distilled_labels_are_exact_and_none_is_of_a_test_position() -> None:
    example = importlib.import_module("distil")
    start, rows = adv_envs.ConnectFour(), []
    _, label = example.solver_of(start)
    assert label(start) == dict(enumerate((-1, -1, 0, 1, 0, -1, -1)))  # V. Allis, 1988
    for moves in ((), (0,), (6,), (3, 3)):
        position = start.after(list(moves))
        rows.append((position, label(position), len(moves), 0.5))
    assert list(rows[1][1].values()) == list(rows[2][1].values())[::-1]
    labels = example.to_labels(start, rows)
    samples = example.to_samples(labels)
    for (_, found, *_), policy, weight, value in zip(rows, *samples[1:], strict=True):
        right = [action for action, each in found.items() if each == max(found.values())]
        assert policy.nonzero()[0].tolist() == right
        assert policy.sum() == pytest.approx(1)
        assert weight == (len(right) < len(found))
        assert value == max(found.values())
    left = example.without(labels, iter([rows[1][0]]))  # and its mirror image
    assert left.plies.tolist() == [0, 2]
    _, label = example.solver_of(adv_envs.Hex(3))
    hexes = label(adv_envs.Hex(3))
    assert hexes[4] == 1  # the centre wins
    assert set(hexes.values()) == {1, -1}


# ---- error over compute


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_scaling(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    example = importlib.import_module("scaling")
    monkeypatch.setattr(example, "RESAMPLES", 5)
    command = "scaling --boards 2 3 --networks 4x1 8x0 --seeds 2 --iterations 3 --games 16"
    told = run(command, "--tests", 50, "--out", tmp_path)
    assert told.count("frontier of") == 2
    log = tmp_path / "scaling.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 8
    for line in lines:
        points = line["points"]
        assert points[-1]["iteration"] == (3 if line["board"] == 2 else 6)
        assert [each["compute"] for each in points] == sorted(each["compute"] for each in points)
    log.write_text("".join(json.dumps(line) + "\n" for line in lines[1:]))
    # the same command does what is missing, and finds the same
    assert run(command, "--tests", 50, "--out", tmp_path) == told
    assert (tmp_path / "scaling.png").read_bytes().startswith(b"\x89PNG")


def test_scaling_finds_the_law_of_a_frontier() -> None:
    example = importlib.import_module("scaling")
    true = np.array([0.4, np.log(3e8), np.log(1.3)])
    compute = np.geomspace(1e7, 1e11, 20)
    points = [
        example.Point(c, e, 1000)
        for c, e in zip(compute, example.curve(true, compute), strict=True)
    ]
    fitted = example.fit(points)
    np.testing.assert_allclose(fitted, true, rtol=1e-2)
    reached = example.compute_at(fitted, 0.02)
    np.testing.assert_allclose(example.curve(fitted, np.array([reached])), 0.02)
    assert np.isnan(example.compute_at(fitted, 0.9))
    worse = [point._replace(compute=2 * point.compute) for point in points]
    assert example.frontier_of([*worse, *points])[:-1] == points[:-1]


def test_operations_of_a_network_are_those_of_its_layers() -> None:
    from agents.learning import AlphaZero

    example = importlib.import_module("scaling")
    start, width = adv_envs.Hex(3), 4
    settings = example.settings_of(start, example.Network(width, 1), 0, 4)
    with AlphaZero(start, settings) as learner:
        found = example.forward_operations(learner)
        planes, cells = learner.encoder.shape[-1], 9
    # 3 x 3 convolutions, those of 1 x 1 in the heads, and dense layers; inside the board or not
    convolutions = 9 * width * (planes + width + width) + (16 + 8) * width
    dense = 16 * cells * 9 + 8 * cells * 64 + 64
    assert found == 2 * (convolutions * cells + dense)


# ---- results of several seeds


def test_means_over_seeds_have_the_intervals_of_student() -> None:
    from agents.learning import mean_over_seeds, plus_minus

    means, halves = mean_over_seeds([[0.1, 0.5], [0.3, 0.5], [0.2, 0.5]])
    assert means == pytest.approx([0.2, 0.5])
    assert halves == pytest.approx([4.3027 * 0.1 / 3**0.5, 0], abs=1e-5)
    assert plus_minus(means[0], halves[0]) == "20.0% ± 24.8%"
    mean, half = mean_over_seeds([0.25])
    assert (mean, plus_minus(mean, half, ".2f")) == (0.25, "0.25")
