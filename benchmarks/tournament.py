"""Measures what a tournament costs beside a bare loop of the same games.

    python benchmarks/tournament.py [--games 10000] [--pairs 10]

Random agents play tic-tac-toe: as a bare loop over ``play_game`` with the same agents and seeds in
one process, and as a tournament into a file, with 1 worker and with one for each core. They take
turns, see ``compare.py``. The cost of a game is the CPU time of all processes, which
other programs disturb less than the time that passes, from the moment when workers have sent their
first games; the time until then, which does not depend on the games, is shown by itself.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

from adv_envs import TicTacToe
from agents import Random, play_game
from agents.arena import Tournament, run
from agents.arena.schedule import pairings_of
from agents.arena.workers import available_cores
from agents.match_loop import Schedule

START = TicTacToe()


Measured = dict[str, float]


class Stopwatch:
    """Measures wall-clock and CPU seconds since it was made."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), cpu_seconds()

    def read(self) -> tuple[float, float]:
        """Returns wall-clock and CPU seconds."""
        return time.perf_counter() - self.wall, cpu_seconds() - self.cpu


def cpu_seconds() -> float:
    """Returns what this process and all its descendants, ended ones too, have used."""
    parents, ticks = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            parents[int(process.name)] = int(fields[1])
            ticks[int(process.name)] = sum(map(int, fields[11:15]))

    def descends(pid: int) -> bool:
        while pid and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid != 0

    used = sum(ticks[pid] for pid in ticks if pid != os.getpid() and descends(pid))
    return time.process_time() + used / os.sysconf("SC_CLK_TCK")


def bare(games: int) -> Measured:
    """Returns the loop that anybody would write."""
    schedule = Schedule(pairings_of("round-robin", 2), games // 2, 1, 0)
    agents = [Random(), Random()]
    watch = Stopwatch()
    for number in range(games):
        task = schedule.task(number)
        play_game(START, [agents[i] for i in task.players], task.seed)
    wall, cpu = watch.read()
    return {"micro": 1e6 * cpu / games, "cpu": cpu, "wall": wall, "start": 0.0}


def tournament(games: int, workers: int) -> Measured:
    """Plays the same games as a tournament. A game's cost is measured from the first results on."""
    watch = Stopwatch()
    marks: list[tuple[int, float, float]] = []

    def note(result: Tournament) -> None:
        if result.games and (not marks or result.complete):
            marks.append((len(result.games), *watch.read()))

    with tempfile.TemporaryDirectory() as folder:
        agents, path = ["random", "random"], Path(folder) / "t.db"
        options = {"openings": "none", "workers": workers, "out": path}
        run(START, agents, games, on_progress=note, **options)  # type: ignore[arg-type]
    (before, start, cpu_before), (after, _, cpu_after) = marks[0], marks[-1]
    wall, cpu = watch.read()
    micro = 1e6 * (cpu_after - cpu_before) / max(after - before, 1)
    return {"micro": micro, "cpu": cpu, "wall": wall, "start": start}


def main() -> None:
    """Takes turns, and prints the table."""
    from compare import Machine, parser_of  # not needed by workers, which import this file, too

    parser = parser_of(__doc__, pairs=10)
    parser.add_argument("--games", type=int, default=10_000)
    given = parser.parse_args()
    if given.games < 2 or given.games % 2:
        parser.error("games must be an even number of at least 2")
    cores = available_cores()
    columns = {"a bare loop": 0, "a tournament, 1 worker": 1, f"{cores} workers": cores}
    seen: dict[str, list[Measured]] = {name: [] for name in columns}
    tournament(100, 1)  # the server of processes is started once
    with Machine():
        for _ in range(given.pairs):
            for name, workers in columns.items():
                took = tournament(given.games, workers) if workers else bare(given.games)
                seen[name].append(took)
    show(seen, f"{given.games:,} games of tic-tac-toe, medians of {given.pairs} rounds")


def show(seen: dict[str, list[Measured]], title: str) -> None:
    """Prints the median of each number, and the ratio to the bare loop with its range."""
    from compare import printer, ratio_of
    from rich.table import Table

    columns = "µs/game", "x bare, median (range)", "CPU s in all", "s in all", "s to start"
    table = Table("", *columns)
    base = [measured["micro"] for measured in next(iter(seen.values()))]
    for name, rounds in seen.items():
        middle = {key: median(measured[key] for measured in rounds) for key in rounds[0]}
        ratio = ratio_of([measured["micro"] for measured in rounds], base)
        costs = f"{middle['micro']:.1f}", str(ratio)
        table.add_row(name, *costs, *(f"{middle[key]:.2f}" for key in ("cpu", "wall", "start")))
    printer().print(title, table)


if __name__ == "__main__":
    main()
