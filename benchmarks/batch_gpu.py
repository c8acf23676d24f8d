"""Plies per second of batches on a GPU, ours beside Pgx, on the same card in the same run.

Random legal moves are chosen on the device, games that end begin again, and observations and masks
are written at every ply; both make many plies in one call, and take turns (see ``compare.py``). Pgx
runs in an environment of its own, whose Python is named by ``--pgx-python``, for it brings JAX with
a CUDA of its own (``pip install "jax[cuda13]" pgx``). Games that Pgx does not have are measured
without it.

Experimental: see docs/batches.md. Without a device, a line says so, and nothing is measured.
``--code`` needs none: it compiles every game and tells what a thread needs, by NVIDIA's assembler.

    python benchmarks/batch_gpu.py [--pgx-python VENV/bin/python] [--games go] [--batches 65536]
    python benchmarks/batch_gpu.py --code
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PGX = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "hex": "hex",
    "othello": "othello",
    "backgammon": "backgammon",
    "go": "go_9x9",
    "chess": "chess",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_holdem",
}
"""The games that Pgx has, and its names for them."""

SIZES = {"hex": {"size": 11}, "go": {"size": 9}}
"""The parameters of ours that make them the games of Pgx; all others are played as they are."""

WORKER = "--pgx-worker"


def serve_pgx(name: str, batch: int) -> None:
    """In Pgx's environment: for each line of the input make plies, and print how many."""
    import jax
    from pgx_walk import pgx_walk

    if jax.default_backend() != "gpu":
        raise SystemExit(f"JAX sees no GPU, but: {jax.devices()}")
    play, _ = pgx_walk(name, batch, 64)
    for _ in sys.stdin:
        print(play(), flush=True)


def pgx_round(python: str, name: str, batch: int) -> tuple[Callable[[], int], Any]:
    """A round of Pgx in a process of its own, and the process."""
    worker = subprocess.Popen(
        [python, __file__, WORKER, name, str(batch)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    questions, answers = worker.stdin, worker.stdout

    def play() -> int:
        print("go", file=questions, flush=True)
        answer = answers.readline()
        if not answer:
            raise SystemExit(f"{python} cannot run Pgx on this device: it ended, see above")
        return int(answer)

    return play, worker


def our_round(name: str, batch: int) -> Callable[[], int]:
    """A round of ours: many plies in one call."""
    from adv_envs.batch.device_boards import DeviceBoards

    boards = DeviceBoards(_start(name), batch)
    boards.reset(seed=0)

    def play() -> int:
        boards.play_random(64)  # waits for the device, as it counts the games that ended
        return 64 * batch

    return play


def _start(name: str) -> Any:
    from adv_envs.registry import start_position

    return start_position(name, **SIZES.get(name, {}))


def measure(name: str, batch: int, pairs: int, python: str | None, table: Any) -> None:
    """Let both take turns, and add their rows."""
    from compare import compare, rate

    rounds, worker = {"adv_envs": our_round(name, batch)}, None
    if python is not None and name in PGX:
        rounds["pgx"], worker = pgx_round(python, PGX[name], batch)
    try:
        clock = time.perf_counter
        found = compare({who: rate(play, clock) for who, play in rounds.items()}, pairs, name)
    finally:
        if worker is not None:
            worker.stdin.close()
            worker.wait(60)
    for who in rounds:
        ratio = str(found.ratio("adv_envs", who)) if who == "pgx" else ""
        table.add_row(name, f"{batch:,}", who, f"{found.speed(who):,.0f}", ratio)
    table.add_section()


# ---- without a device


def assembler() -> str | None:
    """NVIDIA's ptxas, from a wheel of pip or from the toolkit."""
    places = [str(Path(place) / "nvidia" / "cu13" / "bin") for place in sys.path]
    folders = [*places, os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    return shutil.which("ptxas", path=os.pathsep.join(folders))


def show_code(names: list[str]) -> None:
    """Compile the step of each game, and print what a thread needs."""
    from compare import printer
    from rich.table import Table

    from adv_envs.batch.device_boards import device_code

    program = assembler()
    if program is None:
        raise SystemExit('no ptxas is found: pip install "nvidia-cuda-nvcc>=13,<14"')
    table = Table(title="the step of a game on a device of compute capability 9.0")
    for column in ("game", "PTX, kB", "registers", "frame, bytes", "spilled, bytes", "seconds"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in names:
        began = time.perf_counter()
        try:
            code = device_code(_start(name), (9, 0))[0]
        except TypeError:  # its rules run as plain Python
            table.add_row(name, "none")
            continue
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "step.ptx").write_text(code)
            command = [program, "-arch=sm_90", "-v", "step.ptx", "-o", "step.cubin"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        said = done.stderr.partition("Compiling entry function")[2]
        frame, spilled = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores", said)[0]
        registers = re.findall(r"Used (\d+) registers", said)[0]
        seconds = f"{time.perf_counter() - began:.0f}"
        table.add_row(name, f"{len(code) // 1000}", registers, frame, spilled, seconds)
    printer().print(table)


def missing() -> str | None:
    """What is missing to measure anything here; None if nothing is."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        return "NUMBA_ENABLE_CUDASIM is set, and a simulator tells nothing about a device's speed"
    try:
        from adv_envs.batch.device_boards import DeviceBoards
        from adv_envs.games.tic_tac_toe import TicTacToe

        DeviceBoards(TicTacToe(), 1)
    except (ImportError, RuntimeError) as error:
        return str(error)
    return None


def main() -> None:
    """Measure and print the table."""
    if WORKER in sys.argv[1:2]:
        serve_pgx(sys.argv[2], int(sys.argv[3]))
        return
    from compare import Machine, at_least, parser_of, printer
    from rich.table import Table

    from adv_envs.registry import GAMES

    parser = parser_of(__doc__)
    parser.add_argument("--pgx-python", metavar="PATH", type=_program, help="Python with Pgx")
    parser.add_argument("--games", nargs="+", choices=GAMES, metavar="GAME")
    parser.add_argument("--batches", nargs="+", type=at_least(1), default=[4096, 65536])
    parser.add_argument("--code", action="store_true", help="compile only, without a device")
    given = parser.parse_args()
    if given.code:
        show_code(given.games or list(GAMES))
        return
    if told := missing():
        print(f"nothing is measured: {told}")
        return
    table = Table(title="random legal moves, observations and masks, on one device")
    for column in ("game", "batch", "environment"):
        table.add_column(column)
    for column in ("plies/s", "ours is x, median (range)"):
        table.add_column(column, justify="right")
    with Machine():
        for game in given.games or list(PGX):
            for batch in given.batches:
                measure(game, batch, given.pairs, given.pgx_python, table)
    printer().print(table)


def _program(path: str) -> str:
    """The type of an argument that is a program."""
    if shutil.which(path) is None:
        raise argparse.ArgumentTypeError(f"no program: {path}")
    return path


if __name__ == "__main__":
    main()
