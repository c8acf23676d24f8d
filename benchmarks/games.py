"""Measures plies per second of every game, in the four ways in which its rules are run.

Random legal moves, games that end begin again, and every ply has its observation and its mask:

- ``env``: PettingZoo's loop over ``adv_envs.env(NAME)``, in plain Python, choices included;
  games are left after 200 plies;
- ``gymnasium``: steps of ``gymnasium.make(...)`` against a random opponent, likewise;
- ``one``: one compiled game, ``Boards(start, 1)``, many plies in a call;
- ``batch``: the same for 1,024 games, on one thread;
- ``all cores``: the same on all cores, by the clock where the others count CPU time.

All are medians of ``--pairs`` rounds. A game that is not compiled runs
in plain Python in all of them, and on one core.

    python benchmarks/games.py [--games hex,chess] [--pairs 7] [--json docs/manual/speeds.json]

``--json`` writes what was measured into a file, from which the pages of the games are made; games
that were not measured stay in it as they are.
"""

from __future__ import annotations

import json
import os
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
from compare import Contestant, Machine, compare, parser_of, printer, rate
from rich.table import Table

import adv_envs
from adv_envs import GAMES, Boards, Position, start_position
from adv_envs.registry import gymnasium_id

BATCH = 1024
WAYS = ("env", "gymnasium", "one", "batch", "all cores")


def in_pettingzoo(name: str, seconds: float = 0.15) -> Callable[[], int]:
    """Plays whole games in the loop of an AEC environment."""
    env, draw = adv_envs.env(name), random.Random(1).random

    def play() -> int:
        plies, until = 0, time.process_time() + seconds
        while time.process_time() < until:
            env.reset(seed=plies)
            for _agent in env.agent_iter(200):
                observation, _reward, ended, cut, _info = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                plies += 1
        return plies

    return play


def in_gymnasium(name: str, seconds: float = 0.15) -> Callable[[], int]:
    """Steps against a random opponent; a step is a move and the reply."""
    env: Any = gymnasium.make(gymnasium_id(name), opponent="random")
    draw = random.Random(1).random

    def play() -> int:
        steps, until, ended = 0, time.process_time() + seconds, True
        info: Any = None
        while time.process_time() < until:
            if ended:
                _observation, info = env.reset(seed=steps)
            legal = info["action_mask"].nonzero()[0]
            action = int(legal[int(draw() * len(legal))])
            _observation, _reward, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
            steps += 1
        return steps

    return play


def in_boards(start: Position, games: int, threads: int) -> Callable[[], int]:
    """Makes many plies in one call, about a tenth of a second."""
    boards = Boards(start, games, threads)
    boards.reset(seed=0)
    boards.play_random(1)  # compiles
    plies, elapsed = 1, 0.0
    while elapsed < 0.05:
        plies *= 4
        began = time.perf_counter()
        boards.play_random(plies)
        elapsed = time.perf_counter() - began

    def play() -> int:
        boards.play_random(plies)
        return plies * games

    return play


def contestants(name: str) -> dict[str, Contestant]:
    """Returns the ways in which a game can be run."""
    start = start_position(name)
    found = {"env": rate(in_pettingzoo(name)), "gymnasium": rate(in_gymnasium(name))}
    found["one"] = rate(in_boards(start, 1, 1))
    found["batch"] = rate(in_boards(start, BATCH, 1))
    if start.is_compiled:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        found["all cores"] = rate(in_boards(start, BATCH, cores or 1), time.perf_counter)
    return found


def measured(names: list[str], pairs: int) -> dict[str, dict[str, float]]:
    """Returns plies per second by game and way."""
    speeds = {}
    for name in names:
        ways = contestants(name)
        found = compare(ways, pairs, name)
        speeds[name] = {way: float(f"{found.speed(way):.3g}") for way in ways}
    return speeds


def main() -> None:
    """Measures, prints the table and writes the file."""
    parser = parser_of(__doc__)
    parser.add_argument("--games", help="some of them, with commas; all if not given")
    parser.add_argument("--json", type=Path, help="the file to be written")
    options = parser.parse_args()
    names = options.games.split(",") if options.games else [*GAMES]
    with Machine():
        speeds = measured(names, options.pairs)
    table = Table("game", *WAYS, title="plies (gymnasium: steps) per second")
    for name, found in speeds.items():
        table.add_row(name, *(f"{found[way]:,.0f}" if way in found else "" for way in WAYS))
    printer().print(table)
    if options.json:
        before = json.loads(options.json.read_text()) if options.json.exists() else {}
        data = {
            "command": "python benchmarks/games.py --json docs/manual/speeds.json",
            "cores": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "batch": BATCH,
            "plies_per_second": {**before.get("plies_per_second", {}), **speeds},
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
