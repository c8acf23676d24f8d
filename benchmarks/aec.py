"""Plies per second of the AEC environments, ours beside PettingZoo's, in the same run.

Random legal moves in the usual loop of ``agent_iter``, ``last`` and ``step``; every environment
picks from the mask in the same cheap way. The environments take turns for many short rounds, and
each one's best round counts, so that whatever else the machine is doing disturbs all alike.

    python benchmarks/aec.py [--seconds 20]
"""

from __future__ import annotations

import argparse
import random
import time
import warnings
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import adv_envs

warnings.filterwarnings("ignore", message="The old environment creation API")


def play(env: Any, games: int) -> float:
    """Plies per second of CPU time over whole games."""
    plies, draw = 0, random.random
    began = time.process_time()
    for _ in range(games):
        env.reset()
        for _agent in env.agent_iter():
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(draw() * len(legal))])
                plies += 1
    return plies / (time.process_time() - began)


def contestants() -> dict[str, list[tuple[str, Any]]]:
    """The environments by game, PettingZoo's wrapped one first: it is the measure."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    return {
        "tic_tac_toe": [
            ("pettingzoo tictactoe_v3.env()", tictactoe_v3.env()),
            ("pettingzoo tictactoe_v3.raw_env()", tictactoe_v3.raw_env()),
            ('adv_envs.env("tic_tac_toe")', adv_envs.env("tic_tac_toe")),
            ('adv_envs.raw_env("tic_tac_toe")', adv_envs.raw_env("tic_tac_toe")),
        ],
        "connect_four": [
            ("pettingzoo connect_four_v3.env()", connect_four_v3.env()),
            ("pettingzoo connect_four_v3.raw_env()", connect_four_v3.raw_env()),
            ('adv_envs.env("connect_four")', adv_envs.env("connect_four")),
            ('adv_envs.raw_env("connect_four")', adv_envs.raw_env("connect_four")),
        ],
        "others": [
            ('adv_envs.env("hex", size=11)', adv_envs.env("hex", size=11)),
            ('adv_envs.env("hex", size=19)', adv_envs.env("hex", size=19)),
            ('adv_envs.env("thirty_one")', adv_envs.env("thirty_one")),
            ('adv_envs.env("fig52")', adv_envs.env("fig52")),
        ],
    }


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20, help="about how long to measure")
    seconds = parser.parse_args().seconds
    games = contestants()
    names = [(game, name, env) for game, rows in games.items() for name, env in rows]
    best = {name: 0.0 for _, name, _ in names}
    for _, _, env in names:
        play(env, 2)
    rounds = max(3, int(seconds / 0.06 / len(names)))
    for _ in track(range(rounds), "measuring", console=Console(stderr=True), transient=True):
        for _, name, env in names:
            best[name] = max(best[name], play(env, 12 if "pettingzoo" in name else 25))
    table = Table(title="one environment, random legal moves, whole games")
    table.add_column("environment")
    table.add_column("plies/s", justify="right")
    table.add_column("x pettingzoo env()", justify="right")
    for game, rows in games.items():
        measure = best[rows[0][0]] if game != "others" else None
        for name, _ in rows:
            ratio = f"{best[name] / measure:.1f}" if measure else ""
            table.add_row(name, f"{best[name]:,.0f}", ratio)
        table.add_section()
    Console().print(table)


if __name__ == "__main__":
    main()
