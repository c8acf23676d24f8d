"""Computes the exact exploitability of uniform play in phantom games on 3 x 3: value, time, bytes.

``python benchmarks/phantom_games.py "DarkHex()"``, or without arguments all four games of STARTS,
which takes some minutes.
"""

from __future__ import annotations

import resource
import sys
import time

from adv_envs import DarkHex, PhantomTicTacToe
from adv_envs.games.phantom import Phantom
from adv_envs.registry import title
from agents.games.phantom import AttemptPolicy, best_value, reached_rows

STARTS = {
    "PhantomTicTacToe()": PhantomTicTacToe(),
    "PhantomTicTacToe(abrupt=True)": PhantomTicTacToe(abrupt=True),
    "DarkHex()": DarkHex(),
    "DarkHex(abrupt=True)": DarkHex(abrupt=True),
}


def measure(start: Phantom) -> None:
    """Prints the information sets, what each player wins at most, and what that took."""
    sets = [sum(int(rows.sum()) for rows in reached_rows(start, player)) for player in (0, 1)]
    uniform = [AttemptPolicy.uniform(start, player) for player in (0, 1)]
    best_value(DarkHex(2), 0, AttemptPolicy.uniform(DarkHex(2), 1))  # compiles
    begin = time.process_time()
    values = [best_value(start, player, uniform[1 - player]) for player in (0, 1)]
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{title(start)}: {sets[0]:,} + {sets[1]:,} information sets; best responses "
        f"{values[0]:.6f}, {values[1]:.6f}; exploitability {sum(values) / 2:.6f}; "
        f"{seconds:.0f} s of one core, {memory:,.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or STARTS:
        measure(STARTS[name])
