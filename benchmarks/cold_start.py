"""Measures what a newcomer waits for: the seconds of CPU from the shell to a search's first move.

Each search makes one move in processes of its own: with an empty folder of compiled code, ``cold``,
and with what that has kept, ``warm``. Once more with an empty folder it is told how many functions
were compiled, and how long it took to find their types, to write their code, to optimise it and to
make machine code of it; what is left is Python: imports, syntax trees, the search itself.

    python benchmarks/cold_start.py [--repeat 3] [--game chess]
    python benchmarks/cold_start.py --first

The second prints what agents with a limit of ``FIRST`` seconds need for the first answer, by the
clock, with nothing compiled: in plain Python, while another process compiles.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from compare import Machine, printer
from rich.console import Console
from rich.progress import track
from rich.table import Table

NEARLY_FULL = "4 4 4 4 4 4 1 1 1 1 1 1 2 2 2 2 2 2 7 7 7 7"

SEARCHES: list[tuple[str, dict[str, Any], str, str]] = [
    ("tic_tac_toe", {}, "", "alpha_beta()"),
    ("tic_tac_toe", {}, "", "mcts(simulations=100)"),
    ("connect_four", {}, "", "alpha_beta(depth=4)"),
    ("connect_four", {}, "", "mcts(simulations=100)"),
    (
        "connect_four",
        {},
        "4 4 4 4 4 4 1 1 1 1 1 1 2 2 2 2 2 2 7 7 7 7",
        "connect_four_solver(book=False)",
    ),
    ("hex", {"size": 11}, "", "alpha_beta(depth=1)"),
    ("hex", {"size": 11}, "", "mcts(simulations=100)"),
    ("hex", {"size": 4}, "b2", "hex_solver(book=False)"),
    ("go", {"size": 9}, "", "alpha_beta(depth=1)"),
    ("go", {"size": 9}, "", "mcts(simulations=100)"),
    ("chess", {}, "", "alpha_beta(depth=2)"),
    ("chess", {}, "", "mcts(simulations=100)"),
]
"""Games, their parameters, the moves that were made, and who makes the next."""

FIRST = 0.2
"""Seconds for a first answer."""

ANSWERS: list[tuple[str, dict[str, Any], str]] = [
    ("tic_tac_toe", {}, "alpha_beta(seconds={})"),
    ("connect_four", {}, "alpha_beta(seconds={}, evaluate=connect_four.threats)"),
    ("connect_four", {}, "mcts(seconds={})"),
    ("hex", {"size": 11}, "alpha_beta(seconds={}, evaluate=hex.two_distance)"),
    ("hex", {"size": 11}, "mcts(seconds={})"),
    ("othello", {}, "othello_player(seconds={})"),
    ("go", {"size": 9}, "mcts(seconds={})"),
    ("chess", {}, "alpha_beta(seconds={}, evaluate=chess.pesto)"),
    ("leduc", {}, "ismcts(seconds={})"),
]
"""Games, their parameters, and who answers first."""

STAGES = {
    "types": ("pass nopython_type_inference",),
    "code": ("pass native_lowering", "add_ir_module"),
    "optimise": ("_optimize_functions", "_optimize_final_module"),
    "machine code": ("_finalize_final_module",),
}
"""The columns, and which passes of Numba's and which methods of its libraries belong to each."""


def first_move(game: str, parameters: dict[str, Any], moves: str, agent: str) -> None:
    """Does all that a process does whose time is taken; its source is the process's script."""
    from adv_envs import start_position
    from agents import make

    make(agent).act(start_position(game, **parameters).after(moves))


def seconds_of(command: list[str], folder: str) -> float:
    """Returns the CPU time of a process that keeps its compiled code in ``folder``."""
    process = subprocess.Popen(command, env={**os.environ, "ADV_ENVS_CACHE": folder})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with exit status {process.returncode}")
    return used.ru_utime + used.ru_stime


def stages_of(search: tuple[Any, ...]) -> dict[str, float]:
    """Does the same in a process of its own, which tells the seconds of each stage of compiling."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--stages", json.dumps(search)],
            env={**os.environ, "ADV_ENVS_CACHE": folder},
            stdout=subprocess.PIPE,
            check=True,
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def tell_stages(search: list[Any]) -> None:
    """Makes the move, and writes what each stage of compiling took, without those within it."""
    from numba.core.codegen import CPUCodeLibrary
    from numba.core.compiler_machinery import PassManager

    own, calls, running = Counter[str](), Counter[str](), [["", time.process_time()]]

    def change_to(name: str) -> None:
        now = time.process_time()
        own[running[-1][0]] += now - running[-1][1]
        running[-1][1] = now
        running.append([name, now])

    def back() -> None:
        now = time.process_time()
        name, since = running.pop()
        own[name] += now - since
        running[-1][1] = now

    def timed(function: Callable[..., Any], name_of: Callable[..., str]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            change_to(name := name_of(*args))
            calls[name] += 1
            try:
                return function(*args, **kwargs)
            finally:
                back()

        return call

    PassManager._runPass = timed(  # type: ignore[method-assign]
        PassManager._runPass, lambda manager, index, each, state: f"pass {each.name()}"
    )
    for name in [name for names in STAGES.values() for name in names if " " not in name]:
        method = timed(getattr(CPUCodeLibrary, name), lambda *args, name=name: name)
        setattr(CPUCodeLibrary, name, method)
    first_move(*search)
    stages = {stage: sum(own[name] for name in names) for stage, names in STAGES.items()}
    print(json.dumps({"functions": calls["pass nopython_type_inference"], **stages}))


def first_answer(game: str, parameters: dict[str, Any], agent: str) -> None:
    """Prints the seconds of the first answer, and from the imports on; a process's script."""
    import time

    began = time.perf_counter()
    from adv_envs import start_position
    from agents import make
    from agents.faults import first_decision

    position = first_decision(start_position(game, **parameters))
    player, asked = make(agent), time.perf_counter()
    player.act(position.hidden(position.to_move))
    now = time.perf_counter()
    print(now - asked, now - began)


def print_first_answers(repeat: int, game: str | None) -> None:
    """Prints the table of first answers: the median of ``repeat`` processes, nothing compiled."""
    table = Table(title=f"seconds to the first answer within {FIRST} s, nothing compiled")
    for column in ("game", "agent", "answer", "with imports"):
        table.add_column(column, justify="left" if column in ("game", "agent") else "right")
    with Machine():
        for name, parameters, spec in ANSWERS:
            if game in (None, name):
                agent = spec.format(FIRST)
                source = inspect.getsource(first_answer)
                script = f"from typing import Any\n{source}"
                script += f"first_answer({name!r}, {parameters!r}, {agent!r})"
                times = sorted(times_of(script) for _ in range(repeat))
                answer, whole = times[len(times) // 2]
                table.add_row(name, agent, f"{answer:.2f}", f"{whole:.2f}")
    printer().print(table)


def times_of(script: str) -> tuple[float, float]:
    """Returns the two numbers that a script prints, run with an empty folder of compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "ADV_ENVS_CACHE": folder},
            stdout=subprocess.PIPE,
            check=True,
        )
    answer, whole = map(float, done.stdout.split())
    return answer, whole


def measure(search: tuple[Any, ...], repeat: int) -> tuple[float, float]:
    """Returns the least seconds of ``repeat`` processes, with an empty and with a warm folder."""
    script = f"from typing import Any\n{inspect.getsource(first_move)}first_move(*{search!r})"
    cold, warm = [], []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in (cold, warm):
                seconds.append(seconds_of([sys.executable, "-c", script], folder))
    return min(cold), min(warm)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=3, help="how often; the least time counts")
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--first", action="store_true", help="first answers within a limit of time")
    parser.add_argument("--stages", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.stages:
        tell_stages(json.loads(args.stages))
        return
    if args.first:
        print_first_answers(args.repeat, args.game)
        return
    table = Table(title="seconds of CPU from the shell to the first move")
    for column in ("game", "agent", "cold", "warm", "functions", *STAGES, "rest"):
        table.add_column(column, justify="left" if column in ("game", "agent") else "right")
    chosen = [search for search in SEARCHES if args.game in (None, search[0])]
    with Machine():
        for search in track(chosen, "starting", console=Console(stderr=True), transient=True):
            cold, warm = measure(search, args.repeat)
            stages = stages_of(search)
            functions = f"{stages.pop('functions')}"
            parts = [f"{each:.2f}" for each in (*stages.values(), cold - sum(stages.values()))]
            table.add_row(search[0], search[3], f"{cold:.2f}", f"{warm:.2f}", functions, *parts)
    printer().print(table)


if __name__ == "__main__":
    main()
