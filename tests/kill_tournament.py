"""Plays a tournament that is killed at random moments and resumed, again and again.

    python kill_tournament.py FILE GAMES KILLS SEED

Each time a fork of this process plays, without workers, and is ended by SIGKILL a few hundredths of
a second later. It prints how many games were in the file after each kill. A tournament that was
over before it was killed begins again.
"""

import os
import random
import signal
import sqlite3
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

from adv_envs import TicTacToe
from agents.arena import run, workers

OPTIONS = {"openings": "first", "seed": 3, "workers": 0}


def play(path: Path | None, games: int) -> None:
    run(TicTacToe(), ["random", "greedy"], games, out=path, resume=True, **OPTIONS)


def main() -> None:
    path, games, kills = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]))
    workers.SLICE = 0.002  # so that there is much to be interrupted
    hits = 0
    while hits < kills:
        before = played(path)
        if not (pid := os.fork()):
            play(path, games)
            os._exit(0)
        if hits % 2:  # some time after games were added; else it may be before the first one, too
            wait_for_more(path, before)
        time.sleep(rng.uniform(0.0, 0.03))
        os.kill(pid, signal.SIGKILL)
        if os.waitpid(pid, 0)[1] == signal.SIGKILL and played(path) < games:
            hits += 1
            print(played(path), flush=True)
        else:  # it was too quick for us
            path.unlink()


def wait_for_more(path: Path, before: int) -> None:
    until = time.monotonic() + 30
    while played(path) == before and time.monotonic() < until:
        time.sleep(0.001)


def played(path: Path) -> int:
    """The games in the file; none if it was killed before it was a tournament's."""
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.OperationalError):
        return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    return 0


if __name__ == "__main__":
    main()
