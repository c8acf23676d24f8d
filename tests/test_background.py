"""Searches with a limit of time answer in plain Python while another process compiles."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, Position, TicTacToe, start_position
from adv_envs.jit import disabled, kernel
from agents import MCTS, AlphaBeta, Expectiminimax, SearchAgent, background, make, match
from agents.background import BackgroundCompiler, answering_in_time, compiled_first, small_like
from agents.faults import first_decision, require_player

pytestmark = pytest.mark.skipif(disabled(), reason="NUMBA_DISABLE_JIT is set")

kernels: Any = sys.modules["adv_envs.jit.kernel"]  # the module, not the decorator

LONG = 1000.0
"""Seconds that no search here takes: another limit ends it."""


class FakeCompiler:
    """Takes every kernel, and says that it is compiled when the test wants that."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, Any, bytes]] = []
        self.tell: list[Callable[[], None]] = []

    def compile(self, kernel: Any, args: Any, request: bytes, tell: Callable[[], None]) -> bool:
        self.asked.append((kernel, args, request))
        self.tell.append(tell)
        return True

    def wait_for(self, kernel: Any, args: Any) -> bool:
        return False


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> FakeCompiler:
    """Makes it so that no kernel is compiled yet, as far as this process knows."""
    fake, kinds = FakeCompiler(), kernels._kinds
    monkeypatch.setattr(background, "COMPILER", fake)
    monkeypatch.setattr(kernels, "_kinds", lambda args: (fake, *k) if (k := kinds(args)) else k)
    monkeypatch.setattr(kernels, "is_kept", lambda *what: False)
    monkeypatch.setattr(kernels, "note_kept", lambda *what: None)
    return fake


TIMED = [
    ("tic_tac_toe", AlphaBeta(seconds=LONG)),
    ("connect_four", AlphaBeta(seconds=LONG, depth=3)),
    ("connect_four", AlphaBeta(seconds=0.001)),
    ("tic_tac_toe", Expectiminimax(seconds=LONG, depth=3)),
    ("pig", Expectiminimax(seconds=LONG, depth=2)),
    ("hex", MCTS(seconds=LONG, simulations=3, seed=1)),
    ("connect_four", MCTS(seconds=LONG, simulations=20, seed=1)),
    ("kuhn", make("ismcts(seconds=1000, simulations=20, seed=1)")),
    ("gomoku", make("threat_search(seconds=1000, nodes=2000, depth=1)")),
    ("othello", make("othello_player(seconds=1000, depth=2)")),
]


def decision(name: str) -> Position:
    position = first_decision(start_position(name, **({"size": 5} if name == "hex" else {})))
    return position.hidden(position.to_move)


@pytest.mark.parametrize(("name", "agent"), TIMED, ids=lambda value: repr(value)[:40])
def test_a_timed_agent_answers_before_anything_is_compiled(
    name: str, agent: SearchAgent, compiler: FakeCompiler
) -> None:
    position = decision(name)
    assert position.legal(agent.act(position))
    assert compiler.asked


UNTIMED = [
    "alpha_beta(depth=2)",
    "alpha_beta(nodes=100)",
    "expectiminimax(depth=2)",
    "mcts(simulations=20, seed=1)",
]


@pytest.mark.parametrize("spec", UNTIMED)
def test_agents_without_a_limit_of_time_never_take_this_path(
    spec: str, compiler: FakeCompiler
) -> None:
    make(spec).act(TicTacToe())
    assert not compiler.asked


def test_what_prepares_or_measures_agents_compiles_first(compiler: FakeCompiler) -> None:
    agent = AlphaBeta(seconds=LONG)
    agent.prepare(TicTacToe())
    require_player(agent, TicTacToe())
    match(TicTacToe(), agent, agent, pairs=1)
    with compiled_first():
        agent.act(TicTacToe())
    agent.analyse(TicTacToe())
    assert not compiler.asked
    require_player(agent, ConnectFour(3, 3, 3), in_time=True)
    assert compiler.asked


def test_an_untimed_agent_within_a_timed_one_compiles_first(compiler: FakeCompiler) -> None:
    with answering_in_time(AlphaBeta(seconds=LONG), TicTacToe()):
        AlphaBeta(depth=1).act(TicTacToe())
        assert not compiler.asked
        AlphaBeta(seconds=LONG).act(ConnectFour(3, 3, 3))
        assert compiler.asked


def test_the_plain_answer_is_that_of_the_compiled_search(compiler: FakeCompiler) -> None:
    for moves in ("", "4", "4 4 3"):
        position, agent = ConnectFour().after(moves), AlphaBeta(seconds=LONG, depth=4)
        with answering_in_time(agent, position):
            plain = agent.analyse(position)
        assert compiler.asked
        compiled = agent.analyse(position)
        assert (plain.value, plain.principal_variation, plain.nodes) == (
            compiled.value,
            compiled.principal_variation,
            compiled.nodes,
        )


@pytest.mark.parametrize("calls", [1, 30, 100])
@pytest.mark.parametrize("kind", [AlphaBeta, Expectiminimax])
def test_a_search_that_is_handed_over_finds_the_same(
    kind: type[AlphaBeta], calls: int, compiler: FakeCompiler
) -> None:
    """After some evaluations the kernels are compiled: the iteration begins anew with them."""
    seen = 0

    def evaluate(position: ConnectFour) -> float:
        nonlocal seen
        seen += 1
        if seen == calls:
            compiler.tell[0]()
        return position.own % 7 / 7 - 0.5

    agent = kind(seconds=LONG, depth=3, evaluate=evaluate)
    with answering_in_time(agent, ConnectFour()):
        agent_request_is_possible(agent)
        found = agent.analyse(ConnectFour())
    assert seen > calls
    assert found.depth == 3
    undisturbed = kind(depth=3, evaluate=even_sevenths).analyse(ConnectFour())
    assert (found.action, found.value) == (undisturbed.action, undisturbed.value)


def even_sevenths(position: ConnectFour) -> float:
    return position.own % 7 / 7 - 0.5


def agent_request_is_possible(agent: SearchAgent) -> None:
    """Takes it that the agent's function could be sent."""
    search = background._active.search
    assert search is not None
    search.request = b"it"


def test_functions_that_cannot_be_sent_are_compiled_first(compiler: FakeCompiler) -> None:
    agent = AlphaBeta(seconds=LONG, depth=1, evaluate=lambda position: 0.0)
    agent.act(TicTacToe())
    assert not compiler.asked


def test_arguments_are_sent_small() -> None:
    shared = np.zeros((500, 3))
    shared.flags.writeable = False
    for argument in (
        np.zeros((1000, 1000)),
        np.zeros((1, 1000)),
        np.zeros((30, 20), order="F"),
        np.zeros(1000, np.int64),
        np.zeros(1000, [("visits", "i4")]),
        shared,
        (1, 2.0, (np.zeros(100), "text")),
        TicTacToe(),
        7,
    ):
        small = small_like(argument)
        assert kernels._kinds((small,)) == kernels._kinds((argument,))
        assert getattr(small, "size", 0) <= 4


# ---- the compiler


def test_what_could_not_be_compiled_elsewhere_is_refused_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as where the process dies: then the next search compiles, as it always could."""
    compiler, asked = BackgroundCompiler(), list[bytes]()
    monkeypatch.setattr(compiler, "_ask", asked.append)
    monkeypatch.setattr(kernels, "is_kept", lambda *what: False)
    told_of = kernel(even_sevenths)
    told = list[int]()
    assert compiler.compile(told_of, (ConnectFour(),), b"request", lambda: told.append(1))
    compiler.wait()
    assert (asked, told) == ([b"request"], [])
    assert not compiler.compile(told_of, (ConnectFour(),), b"request", lambda: told.append(1))


def test_a_fault_in_the_background_is_no_end_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a kernel that turns out, meanwhile, to be one that cannot be compiled."""
    compiler, told_of, waited = BackgroundCompiler(), kernel(even_sevenths), list[bool]()
    monkeypatch.setattr(compiler, "_ask", lambda request: waited.append(True))
    monkeypatch.setattr(kernels, "is_kept", lambda *what: bool(waited))
    monkeypatch.setattr(type(told_of), "prepare", lambda *args: 1 // 0)
    assert compiler.compile(told_of, (ConnectFour(),), b"request", lambda: None)
    compiler.wait_for(told_of, (ConnectFour(),))
    compiler.wait()
    assert waited == [True]
    assert not compiler.compile(told_of, (ConnectFour(),), b"request", lambda: None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_fork_of_a_process_that_compiles_waits_for_nothing(tmp_path: Path) -> None:
    """The thread that would tell it is not there, and the process is not the fork's to end."""
    program = """
import json, os, sys, threading, warnings
from adv_envs import TicTacToe
from agents import AlphaBeta, background

warnings.simplefilter("ignore")  # a fork of a process with threads
compiler, forked = background.COMPILER, threading.Event()
compiler._ask = lambda request: forked.wait()
AlphaBeta(seconds=0.01).act(TicTacToe())
assert compiler._jobs and compiler._thread
if pid := os.fork():
    _, status = os.waitpid(pid, 0)
    forked.set()
    compiler.wait()
    print(json.dumps(status))
else:
    sys.exit(bool(compiler._jobs or compiler._thread or compiler._child or compiler._lock.locked()))
"""
    assert run_cold(program, tmp_path) == 0


PROGRAM = """
import json, sys
from adv_envs import TicTacToe
from agents import AlphaBeta, background

agent, taken = AlphaBeta(seconds=0.01), []
compile = background.COMPILER.compile
background.COMPILER.compile = lambda kernel, *rest: taken.append(kernel) or compile(kernel, *rest)
first = agent.act(TicTacToe())
background.COMPILER.wait()
loaded = ["numba" in sys.modules, all(kernel._compiled for kernel in taken)]
agent.act(TicTacToe())
print(json.dumps([first in range(9), len(taken), loaded, background.COMPILER._refused == set()]))
"""


def run_cold(program: str, cache: Path) -> Any:
    environment = {**os.environ, "ADV_ENVS_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_another_process_compiles_and_this_one_loads(tmp_path: Path) -> None:
    assert run_cold(PROGRAM, tmp_path) == [True, 1, [True, True], True]
    assert len(list(tmp_path.glob("*.kernel"))) == 1
    assert run_cold(PROGRAM, tmp_path) == [True, 0, [True, True], True]  # it is loaded first


def test_a_program_that_ends_early_ends_at_once(tmp_path: Path) -> None:
    """The process that compiles ends with it, and what it compiled is not kept."""
    program = PROGRAM.replace("background.COMPILER.wait()", "print(json.dumps(True)); sys.exit()")
    assert run_cold(program, tmp_path) is True
    assert not list(tmp_path.glob("*.kernel"))
