"""Compares exact scores of Connect Four: our solver beside bitbully, position by position.

Positions come from random moves, unfinished, after 8, 12, ... 28 plies. Neither solver has a book,
and both tables are emptied before each position, outside the time. As that empties the caches of
the processor too, both then solve one won position, which fills no table, before the clock starts.
Seconds are CPU time of the process. What is timed is a call of our solver with one position and of
bitbully's `mtdf(board)`, with all that Python adds. Nodes of the two are not counted in quite the
same way: we do not count positions that are decided while their parent orders its moves.

The last column is how many times as fast ours is: positions are dealt into seven parts, and the
median and range of their ratios are shown. Scores are compared, and a difference stops it.

    python benchmarks/connect_four.py [--positions 20] [--seed 1] [--table-mb 16]
    python benchmarks/connect_four.py --ablation      # what each technique buys
    python benchmarks/connect_four.py --empty         # the empty board, both; minutes
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bitbully import BitBully, Board
from compare import PAIRS, Machine, at_least, printer, ratio_of
from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import ConnectFour
from agents.games.connect_four import ConnectFourSolver
from agents.games.connect_four.solver import BoardSearch
from agents.search.limits import NODES, counters

PLIES = {8: 1, 12: 4, 16: 10, 20: 10, 24: 20, 28: 20}
"""Plies, and how many times as many positions there are as after 8."""

ABLATIONS: dict[str, dict[str, Any]] = {
    "everything": {},
    "without claimeven": {"CLAIMEVEN": False},
    "without looking up children": {"PROBED_UNTIL": 0},
    "without mirror images": {"MIRRORED_UNTIL": 0},
    "without the near table": {"NEAR_FROM": 99},
    "without threats in the order": {"THREAT_PRIORITY": 0},
    "without forcing moves late": {"FORCING_PENALTY": 0},
}
"""What is bound to the compiled search to leave a technique out."""

WON = [3, 2, 3, 2, 3, 2]
"""Moves after which the player to move wins at once: not worth a place in a table."""

Drawn = tuple[ConnectFour, list[int]]


def draw(plies: int, number: int, seed: int) -> list[Drawn]:
    """Returns unfinished positions after random moves, each with these moves."""
    rng, drawn = random.Random(seed * 100 + plies), []
    while len(drawn) < number:
        position, moves = ConnectFour(), []
        while position.ply < plies and not position.is_terminal():
            moves.append(rng.choice(position.legal_actions()))
            position = position.play(moves[-1])
        if not position.is_terminal():
            drawn.append((position, moves))
    return drawn


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Returns CPU seconds, and the answer."""
    began = time.process_time()
    answer = call()
    return time.process_time() - began, answer


class Ours:
    """Measures our solver, with its nodes."""

    def __init__(self, table_mb: float, **bound: Any) -> None:
        self.solver = ConnectFourSolver(book=False, table_mb=table_mb)
        self.won = ConnectFour()
        for move in WON:
            self.won = self.won.play(move)
        self.search = BoardSearch(ConnectFour(), table_mb, book=False, **bound)
        self.solver._searches[ConnectFour()[:3]] = self.search

    def solve(self, position: ConnectFour) -> tuple[float, int, int]:
        """Returns seconds, score and nodes, from an empty table."""
        self.search.table.fill(0)
        self.solver._score(self.won, counters())
        counts = counters()
        seconds, score = timed(lambda: self.solver._score(position, counts))
        return seconds, score, int(counts[NODES])


class Theirs:
    """Measures bitbully, with its nodes."""

    def __init__(self) -> None:
        self.solver = BitBully(opening_book=None)

    def solve(self, moves: list[int]) -> tuple[float, int, int]:
        """Returns seconds, score and nodes, from an empty table."""
        board = Board(moves)
        self.solver.reset_transposition_table()
        self.solver.mtdf(Board(WON))
        self.solver.reset_node_counter()
        seconds, score = timed(lambda: self.solver.mtdf(board))
        return seconds, score, int(self.solver.get_node_counter())


def row(name: str, runs: list[tuple[float, int, int]]) -> list[str]:
    """Returns mean, median and worst milliseconds, nodes and nodes a second."""
    seconds, nodes = [run[0] for run in runs], sum(run[2] for run in runs)
    spent = max(sum(seconds), 1e-9)
    times = [statistics.mean(seconds), statistics.median(seconds), max(seconds)]
    return [
        name,
        *(f"{1000 * t:,.3f}" for t in times),
        f"{nodes / len(runs):,.0f}",
        f"{nodes / spent:,.0f}",
    ]


def seconds(runs: list[tuple[float, int, int]]) -> float:
    """Returns the time of all runs."""
    return sum(run[0] for run in runs)


def compare(args: argparse.Namespace, console: Console) -> None:
    """Compares both solvers in turns, position by position, dealt into seven parts for a ratio."""
    ours, theirs = Ours(args.table_mb), Theirs()
    table = new_table("exact scores, no book, empty tables", "plies, positions")
    table.add_column("x bitbully, median (range)", justify="right")
    for plies, times in PLIES.items():
        drawn = draw(plies, args.positions * times, args.seed)
        mine, others = [], []
        for position, moves in track(drawn, f"{plies} plies", console=console, transient=True):
            mine.append(ours.solve(position))
            others.append(theirs.solve(moves))
            if mine[-1][1] != others[-1][1]:
                raise SystemExit(f"{position!r}: {mine[-1][1]} is not {others[-1][1]}")
        parts = [(seconds(mine[i::PAIRS]), seconds(others[i::PAIRS])) for i in range(PAIRS)]
        ratio = ratio_of([theirs for _, theirs in parts], [ours for ours, _ in parts])
        table.add_row(*row(f"{plies}, {len(drawn)}: ours", mine), str(ratio))
        table.add_row(*row("bitbully", others), "1")
    printer().print(table)
    batches(args.seed)


def batches(seed: int) -> None:
    """Compares late positions, where Python takes longer than the search, many in one call."""
    solver, theirs = ConnectFourSolver(book=False), BitBully(opening_book=None)
    for plies in (24, 28):
        drawn = draw(plies, 500, seed)
        positions, boards = [p for p, _ in drawn], [Board(moves) for _, moves in drawn]
        solver.scores(positions)
        mine, _ = timed(lambda p=positions: solver.scores(p))
        single, _ = timed(lambda p=positions: [solver.value(q) for q in p])
        others, _ = timed(lambda b=boards: [theirs.mtdf(board) for board in b])
        spent = [1e6 * seconds / len(drawn) for seconds in (mine, single, others)]
        print(
            f"{plies} plies, warm tables, microseconds each: scores(positions) {spent[0]:.1f}, "
            f"value(position) {spent[1]:.1f}, bitbully mtdf(board) {spent[2]:.1f}"
        )


def ablation(args: argparse.Namespace, console: Console) -> None:
    """Measures our solver without one technique at a time."""
    drawn = draw(8, args.positions, args.seed)
    engines = {name: Ours(args.table_mb, **bound) for name, bound in ABLATIONS.items()}
    runs: dict[str, list[tuple[float, int, int]]] = {name: [] for name in engines}
    for position, _ in track(drawn, "8 plies", console=console, transient=True):
        for name, ours in engines.items():
            runs[name].append(ours.solve(position))
        if len({run[-1][1] for run in runs.values()}) > 1:
            raise SystemExit(f"{position!r}: the scores differ")
    table = new_table(f"{len(drawn)} positions after 8 plies", "search")
    for name in engines:
        table.add_row(*row(name, runs[name]))
    Console().print(table)


def empty(args: argparse.Namespace) -> None:
    """Solves the empty board."""
    ours, theirs = Ours(args.table_mb), Theirs()
    table = new_table("the empty board", "solver")
    table.add_row(*row("ours", [ours.solve(ConnectFour())]))
    table.add_row(*row("bitbully", [theirs.solve([])]))
    Console().print(table)


def new_table(title: str, first: str) -> Table:
    """Returns an empty table."""
    table = Table(title=title)
    for column in (first, "mean ms", "median ms", "worst ms", "nodes", "nodes/s"):
        table.add_column(column, justify="left" if column == first else "right")
    return table


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--positions", type=at_least(PAIRS), default=20, help="positions after 8 plies"
    )
    parser.add_argument("--seed", type=int, default=1, help="draws other positions")
    parser.add_argument("--table-mb", type=float, default=16, help="our table")
    parser.add_argument("--ablation", action="store_true", help="what each technique buys")
    parser.add_argument("--empty", action="store_true", help="the empty board; takes minutes")
    args = parser.parse_args()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, {versions}")
    console = Console(stderr=True)
    if args.ablation:
        ablation(args, console)
    elif args.empty:
        empty(args)
    else:
        with Machine():
            compare(args, console)


if __name__ == "__main__":
    main()
