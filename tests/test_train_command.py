"""Runs of AlphaZero: with processes or without, of every game, and wrong."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from samples import SAMPLES
from typer.testing import CliRunner

from adv_envs import ConnectFour, TicTacToe
from agents.cli import app
from agents.learning.alphazero.settings import AlphaZeroSettings

pytestmark = pytest.mark.needs("learn")

TINY = {"games": 4, "simulations": 2, "width": 4, "blocks": 1, "batch": 8, "plies": 6}


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python, which takes less time than to compile; one thread as all actors have."""
    import torch

    if "compiled" not in request.keywords:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    torch.set_num_threads(1)


def tiny(**changes: Any) -> AlphaZeroSettings:
    return AlphaZeroSettings(**{**TINY, **changes})


def weights_after(iterations: int, **changes: Any) -> Any:
    """The averaged weights, as one list of numbers."""
    from agents.learning import AlphaZero

    with AlphaZero(TicTacToe(), tiny(**changes)) as learner:
        for _ in range(iterations):
            learner.iterate()
        assert learner.steps > 0
        return [each.tolist() for each in learner.average.state_dict().values()]


def iterate_often(learner: Any) -> None:
    for _ in range(5):
        learner.iterate()


# ---- processes


def test_processes_change_nothing() -> None:
    alone = weights_after(4, workers=0)
    assert alone == weights_after(4, workers=1)
    assert alone != weights_after(4, workers=0, seed=1)


def test_a_process_that_dies_is_told() -> None:
    from agents.learning import AlphaZero
    from agents.learning.alphazero import ActorError

    with AlphaZero(TicTacToe(), tiny(workers=1)) as learner:
        learner.iterate()
        actors: Any = learner._actors
        os.kill(actors.processes[0].pid, signal.SIGKILL)
        with pytest.raises(ActorError, match=r"^self-play process 0 ended with exit code -9; .*$"):
            iterate_often(learner)
    assert not actors.processes[0].is_alive()


# ---- games


@pytest.mark.parametrize("name", SAMPLES)
def test_every_game_that_can_be_learnt(name: str, tmp_path: Path) -> None:
    """Two iterations; the policy that is saved plays. Other games say why not."""
    from agents import make
    from agents.learning import AlphaZero

    start = SAMPLES[name].small[0]
    able = start.num_players == 2 and start.perfect_information and not start.has_chance
    settings = AlphaZeroSettings.suited(start, **{**TINY, "games": 2, "workers": 0, "cache": 64})
    if not able:
        with pytest.raises(ValueError, match="AlphaZero is for "):
            AlphaZero(start, settings)
        return
    with AlphaZero(start, settings) as learner:
        for _ in range(2):
            learner.iterate()
        learner.save(tmp_path / "policy.safetensors")
    if name != "fig52":  # a policy's file cannot tell which tree it is for
        agent = make(f"policy(path={str(tmp_path / 'policy.safetensors')!r})")
        assert agent.act(start) in start.legal_actions()


# ---- the command line


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ("pig", 2, "AlphaZero is for games without chance, which pig is not"),
        ("kuhn", 2, "AlphaZero is for games in which players see everything"),
        ("chequers", 2, "chequers"),
        ("tic_tac_toe --set depth=3", 2, "--set depth=3: needs NAME=VALUE; names: method"),
        ("tic_tac_toe --set width", 2, "--set width: needs NAME=VALUE"),
        ("tic_tac_toe --set width=wide", 2, "--set width=wide: width is int"),
        ("tic_tac_toe --set width=0", 2, "width must be an integer, at least 1, not 0"),
        ("tic_tac_toe --method best", 2, "method must be one of gumbel, alphazero, not 'best'"),
        ("tic_tac_toe --begin-with nobody", 2, "nobody"),
    ],
)  # fmt: skip
def test_errors_are_one_line(given: str, code: int, message: str, tmp_path: Path) -> None:
    args = ["train", *given.split(), "--workers", "0", "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, args, prog_name="adv-envs")
    assert result.exit_code == code, result.output
    assert message in result.stderr.replace("\n", " ")
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


def test_a_folder_of_another_run(tmp_path: Path) -> None:
    from agents.learning import TrainingRunError, train_alphazero

    train_alphazero(TicTacToe(), tmp_path, tiny(workers=0), iterations=1)
    for start, settings in ((ConnectFour(), tiny(workers=0)), (TicTacToe(), tiny(width=5))):
        with pytest.raises(TrainingRunError, match=r"has a run of .* choose another --out"):
            train_alphazero(start, tmp_path, settings, iterations=1)
    with pytest.raises(TrainingRunError, match="this run has 1 self-play processes, not 2"):
        train_alphazero(TicTacToe(), tmp_path, tiny(workers=2), iterations=1)


def test_without_pytorch_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("agents.learning.alphazero")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    result = CliRunner().invoke(app, ["train", "tic_tac_toe"], prog_name="adv-envs")
    assert result.exit_code == 2
    assert result.stderr == "Error: training needs torch: pip install 'adv-envs[learn]'\n"
