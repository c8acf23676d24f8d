"""AlphaZero in one file: its search, its symmetries, that it learns, and that it goes on."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, Hex, TicTacToe
from adv_envs.jit import disabled
from agents import make
from agents.learning import TrainingRunError, periodic_evaluation

pytestmark = pytest.mark.needs("learn")

EXAMPLES = Path(__file__).parent.parent / "examples"
TINY = ["--games", "8", "--simulations", "8", "--plies", "10", "--width", "4", "--threads", "1"]


@pytest.fixture
def alphazero(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield importlib.import_module("alphazero")
    sys.modules.pop("alphazero", None)


def uniform(boards: Any) -> Any:
    """A network that knows nothing."""
    priors = (boards.masks != 0) / (boards.masks != 0).sum(1, keepdims=True)
    return priors.astype(np.float32), np.zeros(len(boards), np.float32)


def searched(alphazero: Any, positions: list[Any], simulations: int) -> Any:
    """The actions, improved policies and values of positions, by a search without a network."""
    args = alphazero.read(["--simulations", str(simulations), "--considered", "9"])
    trees = alphazero.Trees(positions[0].start(), len(positions), simulations, args)
    for index, position in enumerate(positions):
        trees.boards[index] = position
    words, bold = trees.boards.words.copy(), np.zeros(len(positions), np.bool_)
    found = trees.search(words, None, np.random.default_rng(0), bold)
    assert trees.visits[:, 0].sum(1).tolist() == [simulations] * len(positions)
    return found


def test_the_search_finds_wins_and_defences(
    alphazero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alphazero, "evaluate", lambda net, boards, device: uniform(boards))
    wins = TicTacToe().after([0, 3, 1, 4])  # 2 wins at once
    defends = TicTacToe().after([0, 4, 1])  # only 2 does not lose
    trap = TicTacToe().after([0, 1, 4, 8])  # 3 and 6 threaten twice
    positions = [wins, defends, trap, TicTacToe()]
    actions, improved, values = searched(alphazero, positions, 20 if disabled() else 400)
    assert improved.sum(1) == pytest.approx(np.ones(4), abs=1e-6)
    for position, action, row in zip(positions, actions, improved, strict=True):
        assert set(np.flatnonzero(row)) <= set(position.legal_actions())
        assert action in position.legal_actions()
    assert actions[0] == improved[0].argmax() == 2
    assert values[0] > 0.2
    if not disabled():
        assert actions[1] == improved[1].argmax() == 2
        assert actions[2] in (3, 6)
        assert values[2] > values[3] > -0.3


def test_simulations_are_shared_by_sequential_halving(alphazero: Any) -> None:
    assert alphazero.visits_in_turn(1, 3) == [0, 1, 2]
    assert alphazero.visits_in_turn(4, 16) == [*[0] * 4, *[1] * 4, 2, 2, 3, 3, 4, 4, 5, 5]
    for actions in range(1, 20):
        for simulations in (1, 7, 30):
            visits = [0] * actions
            for wanted in alphazero.visits_in_turn(actions, simulations):
                visits[visits.index(wanted)] += 1  # there is such an action
            assert sum(visits) == simulations


@pytest.mark.parametrize("start", [TicTacToe(), TicTacToe(2, 4, 3), ConnectFour(4, 5), Hex(4)])
def test_symmetries_are_those_of_the_game(alphazero: Any, start: Any) -> None:
    images = alphazero.symmetries(start)
    expected = {"TicTacToe": 8 if start.height == start.width else 4, "ConnectFour": 2, "Hex": 2}
    assert len(images) == expected[type(start).__name__]
    rng = np.random.default_rng(3)

    def seen(position: Any) -> Any:
        planes = np.zeros(position.observation_shape, np.int8)
        position.observe(position.to_move, planes)
        return np.moveaxis(planes, -1, 0)

    for image, action in images:
        position = mirrored = start
        while not position.is_terminal():
            assert (image(seen(position)) == seen(mirrored)).all()
            played = int(rng.choice(position.legal_actions()))
            position = position.play(played)
            mirrored = mirrored.play(int(np.flatnonzero(action == played)[0]))
        assert mirrored.is_terminal()
        assert mirrored.utility(0) == position.utility(0)


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log, times aside."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{k: v for k, v in line.items() if "second" not in k} for line in lines]


@pytest.mark.skipif(disabled(), reason="takes minutes without the compiler")
def test_a_run_repeats_goes_on_and_plays(
    alphazero: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr(periodic_evaluation, "NUM_POSITIONS", 20)
    given = [*TINY, "--grade-games", "2", "--grade-every", "2", "--out"]
    alphazero.main([*given, str(tmp_path / "a"), "--iterations", "3"])
    alphazero.main([*given, str(tmp_path / "b"), "--iterations", "3"])
    first = log_of(tmp_path / "a")
    assert [line["steps"] for line in first] == [0, 160, 240]  # 80 moves in an iteration
    assert first == log_of(tmp_path / "b")
    assert {"mistakes", "vs alpha_beta(depth=1)", "policy_loss"} <= set(first[1])
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [
        "curve.png",
        "log.jsonl",
        "policy.safetensors",
        "run.json",
        "state.pt",
    ]
    with (tmp_path / "a" / "log.jsonl").open("a") as file:  # killed before the state was saved
        file.write('{"steps": 320}\n')
    alphazero.main([*given, str(tmp_path / "a"), "--iterations", "5"])
    assert "going on after 240 steps" in capsys.readouterr().out
    more = log_of(tmp_path / "a")
    assert more[:3] == first
    assert [line["steps"] for line in more] == [0, 160, 240, 400]
    assert more[3]["positions"] > first[2]["positions"]
    agent = make(f"policy(path={str(tmp_path / 'a' / 'policy.safetensors')!r}, simulations=20)")
    assert agent.act(TicTacToe().after([0, 3, 1, 4])) == 2
    assert agent.checkpoint.card["steps"] == 400  # type: ignore[attr-defined]
    run = alphazero.Learner(TicTacToe(), alphazero.read([*TINY, "--rate", "0.125"]))
    run.restore(torch.load(tmp_path / "a" / "state.pt")["state"])
    assert [group["lr"] for group in run.optimiser.param_groups] == [0.125]
    for other in (["--blocks", "2"], ["--game", "connect_four"], ["--seed", "2"]):
        with pytest.raises(
            TrainingRunError, match=r"has a run of .*TicTacToe.* choose another --out"
        ):
            alphazero.main([*given, str(tmp_path / "a"), "--iterations", "6", *other])


def test_bad_options_end_with_one_line(alphazero: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for given, message in {
        "--game pig": "argument --game: invalid choice: 'pig'",
        "--game hex --size 1": "argument --size: must be 2 to 8, not 1",
        "--size 5": "--size is for hex",
        "--device none": "Expected one of cpu, cuda",
        "--games 0": "argument --games: must be at least 1, not 0",
        "--grade-games 1": "argument --grade-games: must be at least 2, not 1",
        "--wild 1.5": "argument --wild: must be 0 to 1, not 1.5",
        "--minutes -1": "argument --minutes: must be at least 0, not -1",
    }.items():
        with pytest.raises(SystemExit) as end:
            alphazero.read(given.split())
        assert end.value.code == 2
        told = capsys.readouterr().err
        assert message in told
        assert told.count("\n") == 1


def test_the_agent_is_the_network_that_played(alphazero: Any, tmp_path: Path) -> None:
    given = ["--game", "hex", "--size", "3", "--games", "4", "--width", "8", "--simulations", "2"]
    args = alphazero.read(given)
    run = alphazero.Learner(Hex(3), args)
    run.export(tmp_path / "policy.safetensors", {})
    agent = make(f"policy(path={str(tmp_path / 'policy.safetensors')!r})")
    boards = run.self_play.games
    for index, moves in enumerate([(), (1,), (1, 5), (0, 3, 7)]):
        boards[index] = Hex(3).after(moves)
    priors, values = alphazero.evaluate(run.player, boards, "cpu")
    expected = agent.evaluate_batch([boards[index] for index in range(4)])  # type: ignore[attr-defined]
    assert priors == pytest.approx(expected[0], abs=1e-5)
    assert values == pytest.approx(expected[1], abs=1e-5)


def test_a_run_begins_with_a_policy(alphazero: Any, tmp_path: Path) -> None:
    import torch

    given = ["--game", "hex", "--size", "3", "--games", "4", "--width", "8", "--simulations", "2"]
    first = alphazero.Learner(Hex(3), alphazero.read([*given, "--seed", "1"]))
    for parameter in first.player.parameters():
        parameter.data += torch.randn_like(parameter) / 4
    path = tmp_path / "policy.safetensors"
    first.export(path, {})
    second = alphazero.Learner(Hex(3), alphazero.read([*given, "--begin-with", str(path)]))
    for net in (second.net.eval(), second.player):
        expected = alphazero.evaluate(first.player, first.self_play.games, "cpu")
        for one, other in zip(
            alphazero.evaluate(net, first.self_play.games, "cpu"), expected, strict=True
        ):
            assert one == pytest.approx(other, abs=1e-5)
    out = ["--out", str(tmp_path / "none")]
    for told, *options in (
        ("there is no checkpoint 'nobody'", "nobody"),
        ("plays TicTacToe", "tic_tac_toe_alphazero"),
        ("has other layers than these modules", str(path), "--width", "9"),
    ):
        with pytest.raises(SystemExit, match=f"--begin-with: .*{told}"):
            alphazero.main([*given, *out, "--begin-with", *options])
    assert not (tmp_path / "none").exists()


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
