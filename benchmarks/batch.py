"""Plies per second of batches, ours beside Pgx, EnvPool and OpenSpiel, in the same run.

Random legal moves are chosen inside the measured loop, games that end begin again, and observations
and masks are written at every ply. Everybody plays on their best terms: ours and Pgx many plies in
one compiled call, EnvPool with masks sampled in NumPy, OpenSpiel state by state from Python. The
contestants take turns for many short rounds, and each one's best round counts; on one core it is
CPU time that is counted, so that whatever else runs there disturbs all alike. Peers that are not
installed are left out (``pip install "jax[cpu]" pgx envpool open_spiel``).

``of copy`` is the share of the machine's limit that is reached: what a plain copy of as many bytes
as a ply writes would take, on one core.

A second table tells what more threads bring: by the clock, which counts all that other programs
take from the cores, and by the CPU time of all threads together, which shows what sharing costs:
where the cores are free, n threads gain n times (CPU time on one) / (CPU time on n).

    python benchmarks/batch.py [--seconds 60] [--games hex] [--batches 1024]
    taskset -c 1 python benchmarks/batch.py            # one core for everybody
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from adv_envs.batch.boards import Boards, _cores
from adv_envs.batch.vector import BatchVectorEnv

GAMES: dict[str, tuple[Position, str, str, str]] = {
    "tic_tac_toe": (TicTacToe(), "tic_tac_toe", "TicTacToe", "tic_tac_toe"),
    "connect_four": (ConnectFour(), "connect_four", "ConnectFour", "connect_four"),
    "hex": (Hex(11), "hex", "Hex", "hex(board_size=11)"),
}
"""Our start position, and the names that Pgx, EnvPool and OpenSpiel have for the game."""

Round = Callable[[], int]
"""A short round; how many plies were made."""

OURS = "adv_envs"


def ours(start: Position, batch: int, threads: int) -> tuple[Round, float]:
    """Many plies in one call, and the bytes of a lane."""
    boards = Boards(start, batch, threads)
    boards.reset(seed=0)
    plies = max(8, 40_000 // batch)

    def play() -> int:
        boards.play_random(plies)
        return plies * batch

    return play, boards.nbytes_per_lane


def ours_by_step(start: Position, batch: int) -> tuple[Round, float]:
    """One call for each step, as a learner makes it, with the random actions in a second call."""
    boards = Boards(start, batch, 1)
    boards.reset(seed=0)

    def play() -> int:
        for _ in range(2):
            boards.step(boards.random_actions())
        return 2 * batch

    return play, boards.nbytes_per_lane


def ours_in_gymnasium(start: Position, batch: int) -> tuple[Round, float]:
    """The same through Gymnasium: ``VectorEnv.step``, with new arrays at every step."""
    env = BatchVectorEnv(batch, start, opponent="self", threads=1)
    env.reset(seed=0)

    def play() -> int:
        for _ in range(2):
            env.step(env.boards.random_actions())
        return 2 * batch

    return play, env.boards.nbytes_per_lane


def pgx(name: str, batch: int) -> tuple[Round, float]:
    """Random legal moves in one compiled loop over jitted, vmapped steps with auto-reset."""
    import jax
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    env = library.make(name)  # type: ignore[arg-type]
    step = jax.vmap(auto_reset(env.step, env.init))
    plies = max(8, 8_000 // batch)

    def move(_: int, carry: Any) -> Any:
        state, key = carry
        key, draw, chance = jax.random.split(key, 3)
        scores = jax.random.uniform(draw, state.legal_action_mask.shape)
        actions = (scores * state.legal_action_mask).argmax(axis=1)
        return step(state, actions, jax.random.split(chance, batch)), key

    run = jax.jit(lambda state, key: jax.lax.fori_loop(0, plies, move, (state, key)))
    key = jax.random.PRNGKey(0)
    carry = [jax.jit(jax.vmap(env.init))(jax.random.split(key, batch)), key]
    size = sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(carry[0])) / batch

    def play() -> int:
        carry[:] = jax.block_until_ready(run(*carry))
        return plies * batch

    return play, size


def envpool(name: str, batch: int) -> tuple[Round, float]:
    """Steps of a synchronous pool, with a random legal action for each from its mask."""
    import envpool as library

    task = next(t for t in library.list_all_envs() if t.partition("-v")[0] == name)
    env = library.make_gymnasium(task, num_envs=batch, num_threads=_cores())
    draws = np.random.default_rng(0)
    seen = [env.reset()[1]]

    def play() -> int:
        mask = seen[0]["legal_action_mask"]
        scores = draws.random(mask.shape, np.float32) * mask
        seen[0] = env.step(scores.argmax(axis=1).astype(np.int32))[4]
        return batch

    return play, float("nan")


def open_spiel(name: str, batch: int) -> tuple[Round, float]:
    """States one by one, as OpenSpiel has no batch: legal actions, observation, mask."""
    import random

    import pyspiel

    game, draw = pyspiel.load_game(name), random.Random(0).random
    states = [game.new_initial_state()]

    def play() -> int:
        state = states[0]
        for _ in range(500):
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            np.array(state.observation_tensor(), np.float32)
            np.array(state.legal_actions_mask(), np.int8)
        states[0] = state
        return 500

    return play, float("nan")


def contestants(name: str, batch: int) -> dict[str, tuple[Round, float]]:
    """Everybody who can play the game here, compiled and warm."""
    start, *names = GAMES[name]
    found = {f"{OURS}, 1 thread": ours(start, batch, 1)}
    if _cores() > 1:
        found[f"{OURS}, {_cores()} threads"] = ours(start, batch, _cores())
    found[f"{OURS}, 1 thread, step by step"] = ours_by_step(start, batch)
    found[f"{OURS}, 1 thread, VectorEnv"] = ours_in_gymnasium(start, batch)
    makers = {"pgx": pgx, "envpool": envpool, "open_spiel": open_spiel}
    modules = {"pgx": "pgx", "envpool": "envpool", "open_spiel": "pyspiel"}
    for (peer, make), known_as in zip(makers.items(), names, strict=True):
        if importlib.util.find_spec(modules[peer]) is None:
            Console(stderr=True).print(f"{peer} is not installed, and left out")
            continue
        found[peer] = make(known_as, batch)
    for play, _ in found.values():
        play()
    return found


def copy_time(size: int) -> float:
    """Seconds to copy so many bytes, the best of many tries."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    best = float("inf")
    for _ in range(200):
        began = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - began)
    return best


def measure(name: str, batch: int, seconds: float, table: Table) -> None:
    """Let everybody take turns, and add their rows."""
    players = contestants(name, batch)
    best = dict.fromkeys(players, 0.0)
    clock = time.process_time if _cores() == 1 else time.perf_counter
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for player, (play, _) in players.items():
            for _ in range(5):
                began = clock()
                plies = play()
                best[player] = max(best[player], plies / (clock() - began))
    boards = Boards(GAMES[name][0], batch)
    written = boards.observations.nbytes + boards.masks.nbytes + boards._rows.nbytes
    limit = batch / copy_time(written + 13 * batch)  # rewards, utilities, ends
    for player, (_, size) in players.items():
        speed = best[player]
        ratio = (
            "" if OURS in player else f"{max(v for k, v in best.items() if OURS in k) / speed:.0f}"
        )
        share = f"{speed / limit:.0%}" if OURS in player else ""
        memory = "" if np.isnan(size) else f"{size:,.0f}"
        table.add_row(name, f"{batch:,}", player, f"{speed:,.0f}", ratio, memory, share)
    table.add_section()


def scale(name: str, batch: int, seconds: float, table: Table) -> None:
    """Add a row: one batch on one thread and on all, in turns; the best of many rounds counts."""
    plies = max(8, 400_000 // batch)
    sides = [Boards(GAMES[name][0], batch, threads) for threads in (1, _cores())]
    for boards in sides:
        boards.reset(seed=0)
        boards.play_random(plies)
    wall, cpu = [float("inf")] * 2, [float("inf")] * 2
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, boards in enumerate(sides):
            began, began_cpu = time.perf_counter(), time.process_time()
            boards.play_random(plies)
            cpu[i] = min(cpu[i], time.process_time() - began_cpu)
            wall[i] = min(wall[i], time.perf_counter() - began)
    spent = [f"{1e9 * seconds / (plies * batch):.1f}" for seconds in cpu]
    gains = wall[0] / wall[1], _cores() * cpu[0] / cpu[1]
    table.add_row(name, f"{batch:,}", *spent, *(f"{gain:.2f}" for gain in gains))


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60, help="about how long to measure")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--batches", nargs="+", type=int, default=[1024, 16384])
    given = parser.parse_args()
    if min(given.batches) < 1 or not given.seconds > 0:
        parser.error("batches must be at least 1, and seconds more than 0")
    pairs = [(game, batch) for game in given.games for batch in given.batches]
    table = Table(title=f"random legal moves, observations and masks, {_cores()} cores")
    for column in ("game", "batch", "environment"):
        table.add_column(column)
    for column in ("plies/s", "ours is x", "bytes a lane", "of copy"):
        table.add_column(column, justify="right")
    scaling = Table(title="what more threads gain")
    for column in ("game", "batch"):
        scaling.add_column(column)
    for column in ("CPU ns a ply, 1 thread", f"{_cores()} threads", "gain", "where cores are free"):
        scaling.add_column(column, justify="right")
    for game, batch in track(pairs, "measuring", console=Console(stderr=True), transient=True):
        measure(game, batch, 0.8 * given.seconds / len(pairs), table)
        if _cores() > 1:
            scale(game, batch, 0.2 * given.seconds / len(pairs), scaling)
    Console(width=100).print(table)
    if _cores() > 1:
        Console(width=100).print(scaling)


if __name__ == "__main__":
    main()
