"""Measures plies per second of the AEC environments, ours beside PettingZoo's, in the same run.

Random legal moves in the usual loop of ``agent_iter``, ``last`` and ``step``; every environment
picks from the mask in the same cheap way. The environments take turns; see ``compare.py``.

    python benchmarks/aec.py [--pairs 15]
"""

from __future__ import annotations

import random
import time
import warnings
from typing import Any

from compare import Contestant, Machine, compare, parser_of, printer
from rich.table import Table

import adv_envs

warnings.filterwarnings("ignore", message="The old environment creation API")


def whole_games(env: Any) -> Contestant:
    """Returns plies per second of CPU time, in whole games for about a fifth of a second."""

    def run() -> float:
        plies, draw, began, spent = 0, random.random, time.process_time(), 0.0
        while spent < 0.2:
            env.reset()
            for _agent in env.agent_iter():
                observation, _reward, termination, truncation, _info = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    legal = observation["action_mask"].nonzero()[0]
                    env.step(legal[int(draw() * len(legal))])
                    plies += 1
            spent = time.process_time() - began
        return plies / spent

    return run


def contestants() -> dict[str, list[tuple[str, Any]]]:
    """Returns the environments by game, PettingZoo's wrapped one first: it is the measure."""
    from pettingzoo.classic import (
        chess_v6,
        connect_four_v3,
        go_v5,
        texas_holdem_no_limit_v6,
        texas_holdem_v4,
        tictactoe_v3,
    )

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
        "go": [
            ("pettingzoo go_v5.env(board_size=9)", go_v5.env(board_size=9)),
            ("pettingzoo go_v5.raw_env(board_size=9)", go_v5.raw_env(board_size=9)),
            ('adv_envs.env("go")', adv_envs.env("go")),
            ('adv_envs.raw_env("go")', adv_envs.raw_env("go")),
        ],
        "go 19x19": [
            ("pettingzoo go_v5.env(board_size=19)", go_v5.env(board_size=19)),
            ('adv_envs.env("go", size=19)', adv_envs.env("go", size=19)),
        ],
        "chess": [
            ("pettingzoo chess_v6.env()", chess_v6.env()),
            ("pettingzoo chess_v6.raw_env()", chess_v6.raw_env()),
            ('adv_envs.env("chess")', adv_envs.env("chess")),
            ('adv_envs.raw_env("chess")', adv_envs.raw_env("chess")),
        ],
        "texas_holdem": [
            ("pettingzoo texas_holdem_v4.env()", texas_holdem_v4.env()),
            ("pettingzoo texas_holdem_v4.raw_env()", texas_holdem_v4.raw_env()),
            (
                'adv_envs.env("texas_holdem", rlcard=True)',
                adv_envs.env("texas_holdem", rlcard=True),
            ),
            (
                'adv_envs.raw_env("texas_holdem", rlcard=True)',
                adv_envs.raw_env("texas_holdem", rlcard=True),
            ),
        ],
        "texas_holdem_no_limit": [
            ("pettingzoo texas_holdem_no_limit_v6.env()", texas_holdem_no_limit_v6.env()),
            (
                'adv_envs.env("texas_holdem_no_limit", rlcard=True)',
                adv_envs.env("texas_holdem_no_limit", rlcard=True),
            ),
        ],
        "others": [
            ('adv_envs.env("hex", size=11)', adv_envs.env("hex", size=11)),
            ('adv_envs.env("hex", size=19)', adv_envs.env("hex", size=19)),
            ('adv_envs.env("thirty_one")', adv_envs.env("thirty_one")),
            ('adv_envs.env("fig52")', adv_envs.env("fig52")),
        ],
    }


def main() -> None:
    """Measures and prints the table."""
    pairs = parser_of(__doc__, pairs=15).parse_args().pairs
    table = Table(title="one environment, random legal moves, whole games")
    table.add_column("environment")
    table.add_column("plies/s", justify="right")
    table.add_column("x pettingzoo env(), median (range)", justify="right")
    with Machine():
        for game, rows in contestants().items():
            names = [name for name, _ in rows]
            found = compare({name: whole_games(env) for name, env in rows}, pairs, game)
            for name in names:
                ratio = "" if game == "others" else str(found.ratio(name, names[0]))
                table.add_row(
                    name, f"{found.speed(name):,.0f}", "1" if name == names[0] and ratio else ratio
                )
            table.add_section()
    printer().print(table)


if __name__ == "__main__":
    main()
