"""Runs of AlphaZero: with processes or without, killed and continued, interrupted, and wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from children import child, wait_for, wait_for_the_end_of
from command_line import run
from samples import SAMPLES

from adv_envs import ConnectFour, TicTacToe
from agents.learning.alphazero.settings import AlphaZeroSettings
from agents.processes import descendants

pytestmark = pytest.mark.needs("learn")

TINY = {"games": 4, "simulations": 2, "width": 4, "blocks": 1, "batch_size": 8}
TINY["plies_per_iteration"] = 6
TINY_SET = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]

RUN = """
from pathlib import Path
import sys
import time
from adv_envs import TicTacToe
from agents.learning import AlphaZeroSettings, PeriodicEvaluation, train_alphazero, training_run
training_run.SAVE_SECONDS = 0
settings = AlphaZeroSettings(**SETTINGS)
folder, most = Path(sys.argv[1]), int(sys.argv[2])

class Waiting(PeriodicEvaluation):
    # It waits to be killed when so many lines are written.

    def evaluate(self, policy):
        log = folder / "log.jsonl"
        while log.exists() and log.read_text().count("\\n") >= most:
            time.sleep(1)
        return super().evaluate(policy)

grades = Waiting(TicTacToe(), ["random"], 1, 20)
train_alphazero(TicTacToe(), folder, settings, iterations=12, grade_every=2, evaluation=grades)
""".replace("SETTINGS", repr({**TINY, "workers": 1, "full_search_probability": 0.5, "resign": 0.8}))


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python, which takes less time than to compile; one thread as all actors have."""
    import torch

    if "compiled" not in request.keywords:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    torch.set_num_threads(1)


def tiny(**changes: Any) -> AlphaZeroSettings:
    return AlphaZeroSettings(**{**TINY, **changes})


def weights_after(iterations: int, ray: str | None = None, **changes: Any) -> Any:
    """The averaged weights, as one list of numbers."""
    from agents.learning import AlphaZero

    with AlphaZero(TicTacToe(), tiny(**changes), ray=ray) as learner:
        for _ in range(iterations):
            learner.iterate()
        assert learner.steps > 0
        return [each.tolist() for each in learner.average.state_dict().values()]


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log, times aside."""
    path = folder / "log.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [{k: v for k, v in json.loads(x).items() if "second" not in k} for x in lines if x]


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
        os.kill(actors.actors[0].pid, signal.SIGKILL)
        with pytest.raises(ActorError, match=r"^self-play process 0 was ended by SIGKILL; .*$"):
            iterate_often(learner)
    assert all(actor.ended for actor in actors.actors)


def test_a_killed_run_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    """Losses and grades are equal, as the state is exact."""
    for name, kills in (("whole", 0), ("killed", 2)):
        folder = tmp_path / name
        command = [sys.executable, "-c", RUN, str(folder)]
        for number in range(kills):
            with child([*command, str(number + 4)], stdout=subprocess.DEVNULL) as process:
                wait_for(lambda n=number, f=folder: len(lines_of(f)) > n + 1)  # type: ignore[misc]
                started = descendants(process.pid)
                process.kill()
            assert process.wait() == -signal.SIGKILL
            wait_for_the_end_of(started)
            assert 1 < len(lines_of(folder)) < 7
        with child([*command, "99"], stdout=subprocess.PIPE, text=True) as process:
            told = process.communicate()[0]
        assert process.returncode == 0
        assert ("going on after" in told) == (kills > 0)
    whole, killed = (lines_of(tmp_path / name) for name in ("whole", "killed"))
    assert [line["steps"] for line in whole] == [48 * number for number in range(7)]
    assert whole == killed
    assert "policy_loss" in whole[-1]


def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    few = "from agents.learning import periodic_evaluation as grades"
    few += "; grades.NUM_POSITIONS, grades.NUM_PAIRS, grades.OPPONENT_DEPTHS = 20, 1, ()"
    start = f"{few}; from agents.cli import main; main()"
    command = [sys.executable, "-c", start, "train", "tic_tac_toe", "--minutes", "5"]
    command += ["--workers", "1", "--out", str(tmp_path), *TINY_SET]
    with child(command, start_new_session=True, stderr=subprocess.PIPE, text=True) as process:
        wait_for((tmp_path / "curve.png").exists)
        wait_for(lambda: descendants(process.pid), "no process of self-play begins")
        started = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate()[1]
        assert process.returncode == 130
        assert "Traceback" not in told
        wait_for_the_end_of(started)


# ---- games


@pytest.mark.parametrize("name", SAMPLES)
def test_every_game_that_can_be_learnt(name: str, tmp_path: Path) -> None:
    """Two iterations; the policy that is saved plays. Other games say why not."""
    from agents import make
    from agents.learning import AlphaZero

    start = SAMPLES[name].small[0]
    able = start.num_players == 2 and start.perfect_information and not start.has_chance
    if not able:
        with pytest.raises(ValueError, match="AlphaZero"):
            AlphaZero(start)
        return
    settings = AlphaZeroSettings.suited(start, **{**TINY, "games": 2, "workers": 0, "cache": 64})
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
        ("tic_tac_toe --set device=tpu", 2, "device must be one of cpu"),
        ("tic_tac_toe --set device=cuda:99", 2, "not 'cuda:99'"),
        ("tic_tac_toe --method best", 2, "method must be one of gumbel, alphazero, not 'best'"),
        ("tic_tac_toe --begin-with nobody", 2, "nobody"),
    ],
)  # fmt: skip
def test_errors_are_one_line(given: str, code: int, message: str, tmp_path: Path) -> None:
    args = ["train", *given.split(), "--workers", "0", "--out", str(tmp_path / "run")]
    found = run(*args)
    assert found.code == code, found
    assert message in found.err
    assert found.err.startswith("Error: ")
    assert found.err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_folder_of_another_run(tmp_path: Path) -> None:
    from agents.learning import PeriodicEvaluation, TrainingRunError, train_alphazero

    grades = PeriodicEvaluation(TicTacToe(), ["random"], 1, 20)

    def train(start: Any, **changes: Any) -> None:
        train_alphazero(start, tmp_path, tiny(**changes), iterations=1, evaluation=grades)

    train(TicTacToe(), workers=0)
    for start, changes in ((ConnectFour(), {}), (TicTacToe(), {"width": 5})):
        with pytest.raises(TrainingRunError, match=r"has a run of .* choose another --out"):
            train(start, workers=0, **changes)
    with pytest.raises(TrainingRunError, match="this run has 1 self-play processes, not 2"):
        train(TicTacToe(), workers=2)


def test_without_pytorch_a_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, without: Callable[[str], None]
) -> None:
    for name in [each for each in sys.modules if each.startswith("agents.learning.alphazero")]:
        monkeypatch.delitem(sys.modules, name)
    without("torch")
    code, _, err = run("train", "tic_tac_toe")
    assert (code, err) == (2, 'Error: training needs torch: pip install "adv-envs[learn]"\n')


def test_tensorboard_has_grades_and_losses(tmp_path: Path, monkeypatch: Any) -> None:
    """Also after the run was continued, once each."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    from agents.learning import periodic_evaluation

    few = {"NUM_POSITIONS": 20, "NUM_PAIRS": 1, "OPPONENT_DEPTHS": ()}
    for name, value in few.items():
        monkeypatch.setattr(periodic_evaluation, name, value)
    args = ["train", "tic_tac_toe", "--workers", "0", "--grade-every", "2", "--tensorboard"]
    for iterations in "4", "6":
        found = run(*args, *TINY_SET, "--iterations", iterations, "--out", str(tmp_path))
        assert found.code == 0, found
    events = EventAccumulator(str(tmp_path)).Reload()
    lines = lines_of(tmp_path)
    assert len(lines) == 4
    kept = [(line["steps"], line["intervals"]["kept"]["value"]) for line in lines]
    losses = [(line["steps"], line["policy_loss"]) for line in lines if "policy_loss" in line]
    assert len(losses) >= 2
    for tag, expected in ("grade/kept", kept), ("train/policy_loss", losses):
        found = [(event.step, event.value) for event in events.Scalars(tag)]
        assert found == [(step, pytest.approx(value, abs=1e-6)) for step, value in expected]


def test_a_game_whose_values_are_not_known_is_graded_by_points(
    tmp_path: Path, monkeypatch: Any
) -> None:
    from agents.learning import periodic_evaluation

    few = {"NUM_PAIRS": 1, "OPPONENT_DEPTHS": (1,)}
    for name, value in few.items():
        monkeypatch.setattr(periodic_evaluation, name, value)
    args = ["train", "breakthrough", "--workers", "0", "--iterations", "1"]
    found = run(*args, *TINY_SET, "--out", str(tmp_path))
    assert found.code == 0, found
    told = "Graded by points alone: breakthrough is graded on boards of up to 36"
    assert told in found.out + found.err
    lines = lines_of(tmp_path)
    assert len(lines) == 2
    for line in lines:
        assert "mistakes" not in line
        assert {"vs random", "vs alpha_beta(depth=1, evaluate=breakthrough.runners)"} < set(line)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


# ---- Ray


@pytest.mark.needs("ray")
@pytest.mark.filterwarnings("default")  # Ray warns
def test_a_cluster_that_is_not_there_is_told_before_anything_is_graded(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, _, err = run("train", "tic_tac_toe", "--ray", "localhost:1", "--out", str(folder))
    assert code == 2
    assert err.startswith("Error: cannot use a Ray cluster at 'localhost:1': ")
    assert err.count("\n") == 1
    assert not folder.exists()


@pytest.mark.needs("ray")
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.filterwarnings("default")  # Ray warns, and leaves sockets to the collector
class TestOnACluster:
    def test_the_weights_are_those_of_processes(self, cluster: Any) -> None:
        assert weights_after(3, workers=2, ray="auto") == weights_after(3, workers=2)

    def test_a_cluster_that_is_too_small(self, cluster: Any) -> None:
        from agents.learning.alphazero import ActorError

        with pytest.raises(ActorError, match="the cluster has 2 CPUs; 3 self-play processes need"):
            weights_after(1, workers=3, ray="auto")

    def test_an_actor_that_is_lost_is_replaced(self, cluster: Any) -> None:
        import ray

        from agents.learning import AlphaZero

        with AlphaZero(TicTacToe(), tiny(workers=2), ray="auto") as learner:
            for lost in None, 1, None, 0:
                if lost is not None:
                    actors: Any = learner._actors
                    ray.kill(actors.actors[lost])
                learner.iterate()
            found = [each.tolist() for each in learner.average.state_dict().values()]
        assert found == weights_after(4, workers=2)

    def test_a_node_that_dies_is_told(self, cluster: Any) -> None:
        from agents.learning import AlphaZero
        from agents.learning.alphazero import ActorError

        found, nodes = cluster
        with AlphaZero(TicTacToe(), tiny(workers=2), ray="auto") as learner:
            learner.iterate()
            found.remove_node(nodes.pop(), allow_graceful=False)
            with pytest.raises(ActorError, match="self-play on the Ray cluster failed") as told:
                iterate_often(learner)
            assert "\n" not in str(told.value)
            assert "he same command goes on from what was saved last" in str(told.value)
