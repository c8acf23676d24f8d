"""Nodes per second of our searches beside the textbook's Python code, in one run.

The position is the start of the game, the evaluation at the depth limit 0, actions are tried as
they are numbered. Seconds are CPU time, the best of several runs. Alpha-beta with evaluation 0
visits few positions, so a full-width search and searches with an evaluation are shown too.

    python benchmarks/search.py [--runs 5] [--depth 13]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import track
from rich.table import Table
from textbook import AlphaBeta as TextbookAlphaBeta
from textbook import GridGame

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from agents import AlphaBeta, Minimax, SearchAgent
from agents.heuristics import connect_four
from agents.heuristics import hex as hex_heuristics

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


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each search; the best counts")
    parser.add_argument("--depth", type=int, default=13, help="plies of the long alpha-beta")
    args = parser.parse_args()
    table = Table(title="search from the start position, CPU time")
    for column in ("game", "search", "nodes", "seconds", "nodes/s", "x textbook"):
        table.add_column(column, justify="left" if column in ("game", "search") else "right")
    measure: dict[str, float] = {}
    bar = Console(stderr=True)
    for game, name, run in track(rows(args.depth), "searching", console=bar, transient=True):
        run()  # compile
        best, nodes = float("inf"), 0
        for _ in range(args.runs):
            began = time.process_time()
            nodes = run()
            best = min(best, time.process_time() - began)
        if "textbook" in name:
            measure[game] = nodes / best
        ratio = f"{nodes / best / measure[game]:,.0f}" if game in measure else ""
        table.add_row(game, name, f"{nodes:,}", f"{best:.4f}", f"{nodes / best:,.0f}", ratio)
    Console().print(table)


if __name__ == "__main__":
    main()
