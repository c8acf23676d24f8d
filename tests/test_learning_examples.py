"""The examples in which agents learn: that they learn, and what they say."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from adv_envs.jit import disabled

pytestmark = pytest.mark.needs("learn")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_alphazero_learns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
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
def test_gumbel_or_puct(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("gumbel_or_puct")
    given = ["gumbel_or_puct", "--simulations", "2", "--positions", "300", "--seeds", "2"]
    monkeypatch.setattr(sys, "argv", [*given, "--games", "16", "--out", str(tmp_path)])
    example.main()
    told = capsys.readouterr().out
    assert len(re.findall(r"\d+\.\d% ± +\d+\.\d%", told)) == 2
    log = tmp_path / "tic_tac_toe.jsonl"
    lines = log.read_text().splitlines()
    assert len(lines) == 4
    log.write_text("\n".join(lines[:3]) + "\n")  # the same command does what is missing
    example.main()
    assert capsys.readouterr().out == told
    again = [json.loads(line) for line in log.read_text().splitlines()]
    assert again == [json.loads(line) for line in lines]
    assert (tmp_path / "tic_tac_toe.png").read_bytes().startswith(b"\x89PNG")


# ---- search against learning


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_search_against_learning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("search_vs_rl")
    monkeypatch.setitem(example.SEARCH, "tic_tac_toe", ["random(seed=1)", "alpha_beta()"])
    picture = tmp_path / "table.png"
    monkeypatch.setattr(sys, "argv", ["search_vs_rl", "--pairs", "5", "--out", str(picture)])
    example.main()
    told = capsys.readouterr().out
    assert "10 games for each two agents: percent of the points" in told
    assert "  2  alpha_beta()" in told
    row = next(line for line in told.splitlines() if re.match(r" +2 +\d+ ±\d+ +- +\d+", line))
    assert int(row.split()[1]) >= 70
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_cross_table_tells_what_a_few_games_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
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
def test_the_curriculum_goes_up_its_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("train_sb3")
    assert example.pool(0) == {"random": 1.0}
    third = example.pool(2)
    assert third["alpha_beta(depth=1)"] == 1.0
    assert sum(third.values()) == pytest.approx(2.0)
