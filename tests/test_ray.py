"""Tournaments on a Ray cluster: the same games, whatever becomes of its nodes."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from children import wait_for
from odd_agents import Odd
from typer.testing import CliRunner

from adv_envs import TicTacToe
from agents import CannotPlay, Greedy, Random
from agents.arena import Tournament, WorkerError, run
from agents.arena.game_record import GameRecord
from agents.cli import app
from agents.cli.app import with_values

START = TicTacToe()
AGENTS = ["random", "greedy", "alpha_beta(depth=2)"]


def timeless(rows: list[GameRecord]) -> list[GameRecord]:
    """Games without the seconds that were measured."""
    return [replace(row, seconds=(0, 0)) for row in rows]


# ---- without Ray


def test_a_missing_ray_is_told_in_one_line(without: Callable[[str], None], tmp_path: Path) -> None:
    without("ray")
    file = tmp_path / "t.db"
    with pytest.raises(ImportError, match=r'pip install "adv-envs\[ray\]"'):
        run(START, ["random", "greedy"], 2, ray="auto", out=file)
    assert not file.exists()
    args = ["tournament", "tic_tac_toe", "random", "greedy", "--ray", "--out", str(file)]
    result = CliRunner().invoke(app, args, prog_name="adv-envs")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: a cluster needs ray: pip install ")
    assert result.stderr.count("\n") == 1


def test_a_cluster_has_workers() -> None:
    with pytest.raises(ValueError, match="at least 1 worker, not 0"):
        run(START, ["random", "greedy"], 2, ray="auto", workers=0)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["a", "--ray"], ["a", "--ray", "auto"]),
        (["--ray", "random", "greedy"], ["--ray", "auto", "random", "greedy"]),
        (["--ray", "--seed", "1"], ["--ray", "auto", "--seed", "1"]),
        (["--ray", "local", "a"], ["--ray", "local", "a"]),
        (["--ray", "auto"], ["--ray", "auto"]),
        (["--ray", "10.0.0.1:6379", "a"], ["--ray", "10.0.0.1:6379", "a"]),
        (["--ray", "ray://head:10001"], ["--ray", "ray://head:10001"]),
        (["--ray=head:6379", "a"], ["--ray=head:6379", "a"]),
        (["--rays", "a"], ["--rays", "a"]),
    ],
)
def test_the_address_may_be_left_out(typed: list[str], read: list[str]) -> None:
    assert with_values(typed) == read


# ---- with Ray


@pytest.mark.needs("ray")
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "t.db"
    with pytest.raises(WorkerError, match=r"cannot use a Ray cluster at 'localhost:1': .*refused"):
        run(START, ["random", "greedy"], 2, ray="localhost:1", out=file)
    assert not file.exists()


@pytest.mark.needs("ray")
@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Ray warns, and leaves sockets to the collector
class TestOnACluster:
    def test_the_games_are_those_of_one_worker(self, cluster: Any, tmp_path: Path) -> None:
        ours = run(START, AGENTS, 200, seed=5, workers=1)
        file = tmp_path / "t.db"
        theirs = run(START, AGENTS, 200, seed=5, ray="auto", out=file)
        assert theirs.complete
        assert timeless(theirs.games) == timeless(ours.games)
        again = run(START, AGENTS, 200, seed=5, workers=1, out=file, resume=True)
        assert again.games == theirs.games  # nothing was left to be played

    def test_a_test_stops_at_the_same_game(self, cluster: Any) -> None:
        ours, theirs = (
            run(START, ["random", "greedy"], 4000, seed=1, sprt=(-20, 0), **how)
            for how in ({"workers": 1}, {"ray": "auto"})
        )
        assert len(ours.games) < 4000
        assert timeless(theirs.games) == timeless(ours.games)

    def test_a_node_that_dies_loses_nothing(self, cluster: Any) -> None:
        found, nodes = cluster
        agents = [Odd("sleep", 0), Random()]
        before: list[int] = []

        def progress(result: Tournament) -> None:
            if result.games and len(nodes) == 2:
                before.append(len(result.games))
                found.remove_node(nodes.pop(), allow_graceful=False)

        theirs = run(START, agents, 16, seed=5, ray="auto", on_progress=progress)
        nodes.append(found.add_node(num_cpus=1))
        assert before[0] < 14, "the node died after its last game"
        assert theirs.complete
        ours = run(START, agents, 16, seed=5, workers=2)
        assert timeless(theirs.games) == timeless(ours.games)

    @pytest.mark.parametrize(
        ("what", "fault"),
        [("raise", "crash"), ("illegal", "illegal"), ("segfault", "crash"), ("hang", "time")],
    )
    def test_who_fails_loses(self, cluster: Any, what: str, fault: str) -> None:
        result = run(START, [Odd(what), Greedy()], 4, seconds=2, ray="auto")
        assert result.complete
        assert {row.fault for row in result.games} == {fault}
        assert result.standings.by_name[repr(Greedy())].total.points == 4

    def test_actors_that_cannot_start_end_it(
        self, cluster: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        module = ModuleType("only_here")
        monkeypatch.setitem(sys.modules, "only_here", module)
        module.Here = type("Here", (TicTacToe,), {"__module__": "only_here"})  # type: ignore[attr-defined]
        with pytest.raises(WorkerError, match=r"3 Ray actors in a row were lost.*'only_here'"):
            run(module.Here(), [Greedy(), Random()], 4, ray="auto")

    def test_an_agent_that_cannot_be_loaded_is_refused(
        self, cluster: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        module = ModuleType("only_here")
        monkeypatch.setitem(sys.modules, "only_here", module)
        module.Here = type("Here", (Greedy,), {"__module__": "only_here"})  # type: ignore[attr-defined]
        with pytest.raises(CannotPlay, match=r"cannot be unpickled .*: .*'only_here'"):
            run(START, [module.Here(), Random()], 4, ray="auto")

    def test_nothing_is_left_behind(self, cluster: Any) -> None:
        import ray

        wait_for(lambda: ray.available_resources().get("CPU") == 2)
