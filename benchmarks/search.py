"""Nodes per second of our searches beside the textbook's Python code, in one run.

The position is the start of the game, the evaluation at the depth limit 0. Seconds are CPU time,
the best of several runs. Alpha-beta with evaluation 0 visits few positions, so a full-width search
and searches with an evaluation are shown too. "plain" alpha-beta tries moves as they are numbered,
as the textbook's does, without a table; all else that AlphaBeta does is there to visit fewer nodes,
so the second table shows how long it takes to look equally far ahead. The third shows by how much
(wall-clock time) decisions go over a budget of 0.1 s.

    python benchmarks/search.py [--runs 5] [--depth 13]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table
from textbook import AlphaBeta as TextbookAlphaBeta
from textbook import GridGame

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from agents import AlphaBeta, Minimax, SearchAgent
from agents.games.connect_four import evaluations as connect_four
from agents.games.hex import evaluations as hex_heuristics

PLAIN: dict[str, Any] = {"order": None, "killers": False, "history": False, "table_mb": 0}

Search = Callable[[], int]
"""Searches, and says how many nodes it visited."""


def textbook(game: GridGame, depth: int) -> Search:
    """The textbook's alpha-beta."""
    search = TextbookAlphaBeta(game, depth)

    def run() -> int:
        search.search(game.initial)
        return search.nodes

    return run


def ours(agent: SearchAgent, position: Position) -> Search:
    """One of our agents."""
    return lambda: agent.analyse(position).nodes


def rows(depth: int) -> list[tuple[str, str, Search]]:
    """(game, search, how to run it); the textbook's is the measure of each game."""
    four, three, hex7 = ConnectFour(), TicTacToe(), Hex(7)
    lines, two_distance = connect_four.lines, hex_heuristics.two_distance
    agents: list[tuple[str, SearchAgent, Position]] = [
        ("connect four", AlphaBeta(depth=depth, **PLAIN), four),
        ("connect four", AlphaBeta(depth=depth, table_mb=0), four),
        ("connect four", AlphaBeta(depth=depth), four),
        ("connect four", Minimax(depth=8), four),
        ("connect four", AlphaBeta(depth=10, evaluate=lines), four),
        ("tic-tac-toe", AlphaBeta(depth=9), three),
        ("tic-tac-toe", Minimax(), three),
        ("hex 7", AlphaBeta(depth=4, evaluate=two_distance), hex7),
    ]
    return [
        ("connect four", "textbook, depth 6", textbook(GridGame(7, 6, 4, True), 6)),
        ("tic-tac-toe", "textbook, to the end", textbook(GridGame(3, 3, 3, False), 9)),
        *((game, repr(agent), ours(agent, position)) for game, agent, position in agents),
    ]


def fastest(run: Search, runs: int) -> tuple[float, int]:
    """The least CPU time of several runs, and the nodes of one, after one to compile."""
    run()
    best, nodes = float("inf"), 0
    for _ in range(runs):
        began = time.process_time()
        nodes = run()
        best = min(best, time.process_time() - began)
    return best, nodes


def new_table(title: str, *columns: str) -> Table:
    """A table whose numbers stand on the right."""
    table = Table(title=title)
    for column in columns:
        left = column in ("game", "search")
        table.add_column(column, justify="left" if left else "right")
    return table


def speeds(depth: int, runs: int, bar: Console) -> Table:
    """Nodes a second."""
    table = new_table(
        "search from the start position, CPU time",
        *("game", "search", "nodes", "seconds", "nodes/s", "x textbook"),
    )
    measure: dict[str, float] = {}
    for game, name, run in track(rows(depth), "searching", console=bar, transient=True):
        best, nodes = fastest(run, runs)
        if "textbook" in name:
            measure[game] = nodes / best
        ratio = f"{nodes / best / measure[game]:,.0f}" if game in measure else ""
        table.add_row(game, name, f"{nodes:,}", f"{best:.4f}", f"{nodes / best:,.0f}", ratio)
    return table


def equal_depth(runs: int) -> Table:
    """The time to look eight plies ahead in Connect Four."""
    table = new_table("8 plies ahead", "game", "search", "nodes", "milliseconds", "x textbook")
    searches = [
        ("textbook", textbook(GridGame(7, 6, 4, True), 8)),
        *(
            (repr(agent), ours(agent, ConnectFour()))
            for agent in (AlphaBeta(depth=8, **PLAIN), AlphaBeta(depth=8))
        ),
    ]
    measure = 0.0
    for name, run in searches:
        best, nodes = fastest(run, runs)
        measure = measure or best
        ratio = f"{measure / best:,.0f}"
        table.add_row("connect four", name, f"{nodes:,}", f"{1000 * best:,.2f}", ratio)
    return table


def overshoot(runs: int) -> Table:
    """By how much decisions take longer than they may."""
    table = new_table("a budget of 0.1 s", "game", "search", "median ms over", "most ms over")
    searches: list[tuple[str, SearchAgent, Position]] = [
        ("connect four", AlphaBeta(seconds=0.1), ConnectFour()),
        ("connect four", AlphaBeta(seconds=0.1, evaluate=connect_four.lines), ConnectFour()),
        ("hex 11", AlphaBeta(seconds=0.1, evaluate=hex_heuristics.two_distance), Hex(11)),
    ]
    for game, agent, position in searches:
        agent.analyse(position)
        over = []
        for _ in range(4 * runs):
            began = time.perf_counter()
            agent.analyse(position)
            over.append(1000 * (time.perf_counter() - began - 0.1))
        median, most = statistics.median(over), max(over)
        table.add_row(game, repr(agent), f"{median:.1f}", f"{most:.1f}")
    return table


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each search; the best counts")
    parser.add_argument("--depth", type=int, default=13, help="plies of the long alpha-beta")
    args = parser.parse_args()
    console = Console()
    console.print(speeds(args.depth, args.runs, Console(stderr=True)))
    console.print(equal_depth(args.runs))
    console.print(overshoot(args.runs))


if __name__ == "__main__":
    main()
