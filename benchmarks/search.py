"""Measures nodes per second of our searches beside the textbook's Python code, in one run.

The position is the start of the game, the evaluation at the depth limit 0. Seconds are CPU time;
searches take turns, see ``compare.py``. Alpha-beta with evaluation 0 visits few positions, so a
full-width search and searches with an evaluation are shown too. "plain" alpha-beta tries moves as
they are numbered, as the textbook's does, without a table; all else that AlphaBeta does is there to
visit fewer nodes, so the second table shows how long it takes to look equally far ahead. The third
shows by how much (wall-clock time) decisions go over a budget of 0.1 s.

    python benchmarks/search.py [--pairs 7] [--depth 13]
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from compare import Machine, at_least, compare, parser_of, printer, rate
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
    """Returns the textbook's alpha-beta."""
    search = TextbookAlphaBeta(game, depth)

    def run() -> int:
        search.search(game.initial)
        return search.nodes

    return run


def ours(agent: SearchAgent, position: Position) -> Search:
    """Returns one of our agents."""
    return lambda: agent.analyse(position).nodes


def rows(depth: int) -> list[tuple[str, str, Search]]:
    """Yields (game, search, how to run it); the textbook's is the measure of each game."""
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
    named = {repr(agents[0][1]): f"plain alpha_beta(depth={depth})"}
    return [
        ("connect four", "textbook, depth 6", textbook(GridGame(7, 6, 4, True), 6)),
        ("tic-tac-toe", "textbook, to the end", textbook(GridGame(3, 3, 3, False), 9)),
        *(
            (game, named.get(repr(agent), repr(agent)), ours(agent, position))
            for game, agent, position in agents
        ),
    ]


def new_table(title: str, *columns: str) -> Table:
    """Returns a table whose numbers stand on the right."""
    table = Table(title=title)
    for column in columns:
        left = column in ("game", "search")
        table.add_column(column, justify="left" if left else "right")
    return table


def speeds(depth: int, pairs: int) -> Table:
    """Returns nodes a second."""
    table = new_table(
        "search from the start position, CPU time",
        *("game", "search", "nodes", "seconds", "nodes/s", "x textbook, median (range)"),
    )
    by_game: dict[str, dict[str, Search]] = {}
    for game, name, run in rows(depth):
        by_game.setdefault(game, {})[name] = run
    for game, searches in by_game.items():
        first = next(iter(searches))
        found = compare({name: rate(run) for name, run in searches.items()}, pairs, game)
        for name, run in searches.items():
            nodes, speed = run(), found.speed(name)
            ratio = str(found.ratio(name, first)) if "textbook" in first else ""
            ratio = "1" if name == first and ratio else ratio
            table.add_row(game, name, f"{nodes:,}", f"{nodes / speed:.4f}", f"{speed:,.0f}", ratio)
        table.add_section()
    return table


def equal_depth(pairs: int) -> Table:
    """Returns the time to look eight plies ahead in Connect Four."""
    columns = "game", "search", "nodes", "milliseconds", "x textbook, median (range)"
    table = new_table("8 plies ahead", *columns)
    searches = {
        "textbook": textbook(GridGame(7, 6, 4, True), 8),
        "plain alpha_beta(depth=8)": ours(AlphaBeta(depth=8, **PLAIN), ConnectFour()),
        "alpha_beta(depth=8)": ours(AlphaBeta(depth=8), ConnectFour()),
    }
    found = compare({name: rate(once(run)) for name, run in searches.items()}, pairs, "8 plies")
    for name, run in searches.items():
        ratio = "1" if name == "textbook" else str(found.ratio(name, "textbook"))
        spent = f"{1000 / found.speed(name):,.2f}"
        table.add_row("connect four", name, f"{run():,}", spent, ratio)
    return table


def once(run: Search) -> Callable[[], float]:
    """Returns the search as one unit of work."""

    def work() -> float:
        run()
        return 1.0

    return work


def overshoot(runs: int) -> Table:
    """Measures by how much decisions take longer than they may."""
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
    """Measures and prints the tables."""
    parser = parser_of(__doc__)
    parser.add_argument(
        "--depth", type=at_least(1), default=13, help="plies of the long alpha-beta"
    )
    args = parser.parse_args()
    console = printer()
    with Machine():
        console.print(speeds(args.depth, args.pairs))
        console.print(equal_depth(args.pairs))
        console.print(overshoot(args.pairs))


if __name__ == "__main__":
    main()
