"""Measures plies per second of batches, ours beside Pgx, EnvPool and OpenSpiel, in the same run.

Random legal moves are chosen inside the measured loop, games that end begin again, and observations
and masks are written at every ply. Everybody plays on their best terms: ours and Pgx many plies in
one compiled call, EnvPool with masks sampled in NumPy, OpenSpiel state by state from Python. The
contestants take turns (see ``compare.py``); on one core CPU time is counted. Peers that are not
installed are left out (``pip install "jax[cpu]" pgx envpool open_spiel``).

``of copy`` is the share of the machine's limit that is reached: what a plain copy of as many bytes
as a ply writes would take, on one core.

A second table tells what more threads bring: by the clock, which counts all that other programs
take from the cores, and by the CPU time of all threads together, which shows what sharing costs:
where the cores are free, n threads gain n times (CPU time on one) / (CPU time on n).

    python benchmarks/batch.py [--pairs 7] [--games hex] [--batches 1024]
    taskset -c 1 python benchmarks/batch.py            # one core for everybody
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from compare import Machine, at_least, compare, parser_of, printer, rate, ratio_of
from rich.console import Console
from rich.table import Table

from adv_envs import (
    AnimalShogi,
    Backgammon,
    Chess,
    Clobber,
    ConnectFour,
    GameOfY,
    GinRummy,
    Go,
    Hanabi,
    Havannah,
    Hex,
    Kuhn,
    Leduc,
    LiarsDice,
    MiniChess,
    Othello,
    Position,
    Quoridor,
    TexasHoldem,
    TexasHoldemNoLimit,
    TicTacToe,
    UltimateTicTacToe,
)
from adv_envs.batch.boards import Boards
from adv_envs.batch.stepper import cores
from adv_envs.batch.vector import BatchVectorEnv

GAMES: dict[str, tuple[Position, str, str, str]] = {
    "tic_tac_toe": (TicTacToe(), "tic_tac_toe", "TicTacToe", "tic_tac_toe"),
    "connect_four": (ConnectFour(), "connect_four", "ConnectFour", "connect_four"),
    "hex": (Hex(11), "hex", "Hex", "hex(board_size=11)"),
    "havannah": (Havannah(), "", "", "havannah"),
    "y": (GameOfY(), "", "", "y"),
    "othello": (Othello(), "othello", "", "othello"),
    "backgammon": (Backgammon(), "backgammon", "Backgammon", "backgammon"),
    "chess": (Chess(), "chess", "", "chess"),
    "minichess": (MiniChess(), "gardner_chess", "", ""),
    "animal_shogi": (AnimalShogi(), "animal_shogi", "", ""),
    "go": (Go(9), "go_9x9", "", "go(board_size=9)"),
    "quoridor": (Quoridor(), "", "", "quoridor"),
    "kuhn": (Kuhn(), "kuhn_poker", "", "kuhn_poker"),
    "leduc": (Leduc(), "leduc_holdem", "", "leduc_poker"),
    "gin_rummy": (GinRummy(), "", "", "gin_rummy"),
    "hanabi": (Hanabi(), "", "", "hanabi"),
    "texas_holdem": (TexasHoldem(), "", "", ""),
    "texas_holdem_no_limit": (TexasHoldemNoLimit(), "", "", ""),
    "liars_dice": (LiarsDice(), "", "", "liars_dice"),
    "clobber": (Clobber(), "", "", "clobber"),
    "ultimate_tic_tac_toe": (UltimateTicTacToe(), "", "", "ultimate_tic_tac_toe"),
}
"""Our start position, and the names that Pgx, EnvPool and OpenSpiel have for the game, if any."""

Round = Callable[[], int]
"""A short round; how many plies were made."""

OURS = "adv_envs"


def nbytes_per_env(boards: Boards) -> float:
    """Returns the memory of one environment, with all arrays of results."""
    results = boards.rewards, boards.utilities, boards.terminated, boards.truncated
    kept = boards.state.rows, boards.state.rows  # as they are, and as games ended
    arrays = *kept, boards.actions, boards.observations, boards.masks, *results
    return sum(array.nbytes for array in arrays) / len(boards)


def ours(start: Position, batch: int, threads: int) -> tuple[Round, float]:
    """Makes many plies in one call; returns how, and the bytes of an environment."""
    boards = Boards(start, batch, threads)
    boards.reset(seed=0)
    plies = max(8, 40_000 // batch)

    def play() -> int:
        boards.play_random(plies)
        return plies * batch

    return play, nbytes_per_env(boards)


def ours_by_step(start: Position, batch: int) -> tuple[Round, float]:
    """Makes one call for each step, as a learner does, with the random actions in a second call."""
    boards = Boards(start, batch, 1)
    boards.reset(seed=0)

    def play() -> int:
        for _ in range(2):
            boards.step(boards.random_actions())
        return 2 * batch

    return play, nbytes_per_env(boards)


def ours_in_gymnasium(start: Position, batch: int) -> tuple[Round, float]:
    """Returns the same through Gymnasium: ``VectorEnv.step``, with new arrays at every step."""
    env = BatchVectorEnv(batch, start, opponent="self", threads=1)
    env.reset(seed=0)

    def play() -> int:
        for _ in range(2):
            env.step(env.boards.random_actions())
        return 2 * batch

    return play, nbytes_per_env(env.boards)


def pgx(name: str, batch: int) -> tuple[Round, float]:
    """Plays random legal moves in one compiled loop; steps are jitted and vmapped."""
    import jax
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    env, plies = library.make(name), max(8, 8_000 // batch)
    step = jax.vmap(auto_reset(env.step, env.init))

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
    """Makes steps of a synchronous pool, with a random legal action for each from its mask."""
    import envpool as library

    task = next(t for t in library.list_all_envs() if t.partition("-v")[0] == name)
    env = library.make_gymnasium(task, num_envs=batch, num_threads=cores())
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
    while states[0].is_chance_node():
        states[0].apply_action(states[0].legal_actions()[0])

    def play() -> int:
        state = states[0]
        for _ in range(500):
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            while state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, odds)[0])
            np.array(state.observation_tensor(), np.float32)
            np.array(state.legal_actions_mask(), np.int8)
        states[0] = state
        return 500

    return play, float("nan")


def contestants(name: str, batch: int) -> dict[str, tuple[Round, float]]:
    """Returns every contestant that can play the game here, compiled and warm."""
    start, *names = GAMES[name]
    found = {f"{OURS}, 1 thread": ours(start, batch, 1)}
    if cores() > 1:
        found[f"{OURS}, {cores()} threads"] = ours(start, batch, cores())
    found[f"{OURS}, 1 thread, step by step"] = ours_by_step(start, batch)
    found[f"{OURS}, 1 thread, VectorEnv"] = ours_in_gymnasium(start, batch)
    makers = {"pgx": pgx, "envpool": envpool, "open_spiel": open_spiel}
    modules = {"pgx": "pgx", "envpool": "envpool", "open_spiel": "pyspiel"}
    for (peer, make), known_as in zip(makers.items(), names, strict=True):
        if not known_as:
            continue
        if importlib.util.find_spec(modules[peer]) is None:
            Console(stderr=True).print(f"{peer} is not installed, and left out")
            continue
        found[peer] = make(known_as, batch)
    for play, _ in found.values():
        play()
    return found


def copy_time(size: int) -> float:
    """Returns the seconds to copy a number of bytes, the best of many tries."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    best = float("inf")
    for _ in range(200):
        began = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - began)
    return best


def measure(name: str, batch: int, pairs: int, table: Table) -> None:
    """Lets everybody take turns, and adds their rows."""
    players = contestants(name, batch)
    clock = time.process_time if cores() == 1 else time.perf_counter
    rounds = {
        player: rate(for_a_while(play, clock), clock) for player, (play, _) in players.items()
    }
    found = compare(rounds, pairs, f"{name}, {batch:,}")
    boards = Boards(GAMES[name][0], batch)
    written = boards.observations.nbytes + boards.masks.nbytes + boards.state.rows.nbytes
    limit = batch / copy_time(written + 13 * batch)  # rewards, utilities, ends
    fastest = max((p for p in players if OURS in p), key=found.speed)
    for player, (_, size) in players.items():
        speed = found.speed(player)
        ratio = "" if OURS in player else str(found.ratio(fastest, player))
        share = f"{speed / limit:.0%}" if OURS in player else ""
        memory = "" if np.isnan(size) else f"{size:,.0f}"
        table.add_row(name, f"{batch:,}", player, f"{speed:,.0f}", ratio, memory, share)
    table.add_section()


def for_a_while(play: Round, clock: Callable[[], float]) -> Callable[[], int]:
    """Returns the plies per second of short rounds, for about a fifth of a second."""

    def work() -> int:
        began, plies = clock(), 0
        while clock() - began < 0.2:
            plies += play()
        return plies

    return work


def scale(name: str, batch: int, pairs: int, table: Table) -> None:
    """Adds a row: one batch on one thread and on all, in turns."""
    plies = max(8, 400_000 // batch)
    sides = [Boards(GAMES[name][0], batch, threads) for threads in (1, cores())]
    for boards in sides:
        boards.reset(seed=0)
        boards.play_random(plies)
    wall: list[list[float]] = [[], []]
    cpu: list[list[float]] = [[], []]
    for _ in range(pairs):
        for i, boards in enumerate(sides):
            began, began_cpu = time.perf_counter(), time.process_time()
            boards.play_random(plies)
            cpu[i].append(time.process_time() - began_cpu)
            wall[i].append(time.perf_counter() - began)
    spent = [f"{1e9 * median(times) / (plies * batch):.1f}" for times in cpu]
    gain = ratio_of(wall[0], wall[1])
    free = ratio_of([cores() * seconds for seconds in cpu[0]], cpu[1])
    table.add_row(name, f"{batch:,}", *spent, str(gain), str(free))


def main() -> None:
    """Measures and prints the tables."""
    parser = parser_of(__doc__)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--batches", nargs="+", type=at_least(1), default=[1024, 16384])
    given = parser.parse_args()
    table = Table(title=f"random legal moves, observations and masks, {cores()} cores")
    for column in ("game", "batch", "environment"):
        table.add_column(column)
    for column in ("plies/s", "ours is x, median (range)", "bytes an env", "of copy"):
        table.add_column(column, justify="right")
    scaling = Table(title="what more threads gain, median (range)")
    for column in ("game", "batch"):
        scaling.add_column(column)
    for column in ("CPU ns a ply, 1 thread", f"{cores()} threads", "gain", "where cores are free"):
        scaling.add_column(column, justify="right")
    with Machine():
        for game in given.games:
            for batch in given.batches:
                measure(game, batch, given.pairs, table)
                if cores() > 1:
                    scale(game, batch, given.pairs, scaling)
        printer().print(table)
        if cores() > 1:
            printer().print(scaling)


if __name__ == "__main__":
    main()
