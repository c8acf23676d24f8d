"""Solves Hex and Y: all openings of small boards and the centre of 7 x 7, with nodes and time.

Every row begins with an empty table and uses no stored openings. Seconds are CPU time of one core.
Beside it, in the same run, the general alpha-beta search solves all openings of 4 x 4, and
proof-number search without virtual connections the empty boards of Y, as far as they get in
seconds.

    python benchmarks/hex.py [--all-7] [--size-8]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from adv_envs import GameOfY, Hex, Position
from agents import AlphaBeta, HexSolver, ProofNumber, SearchAgent, YSolver
from agents.games.y import distance
from agents.search.proof_number import WITHOUT_LIMIT

TARGETS = {"4x4": 0.1, "5x5": 2.0, "6x6": 60.0, "7x7 centre": 60.0, "7x7": 1800.0, "Y 8": 60.0}
"""Seconds that each row may take."""


def openings(agent: SearchAgent, position: Position) -> tuple[int, str]:
    """Solves all first moves: nodes, and how many win."""
    if isinstance(agent, HexSolver | YSolver):
        won = [value > 0 for value in agent.values(position).values()]
        return agent.nodes, f"{sum(won)} of {len(won)} win"
    results = [agent.analyse(position.play(action)) for action in position.legal_actions()]
    won = [result.value < 0 for result in results]
    return sum(result.nodes for result in results), f"{sum(won)} of {len(won)} win"


def decided(agent: SearchAgent, position: Position) -> tuple[int, str]:
    """Solves one position: nodes, and who wins."""
    result = agent.analyse(position)
    who = "first" if (result.value > 0) == (position.to_move == 0) else "second"
    return result.nodes, f"the {who} player wins"


Solve = Callable[[SearchAgent, Position], tuple[int, str]]


def rows(args: argparse.Namespace) -> list[tuple[str, SearchAgent, Position, Solve]]:
    """Returns (board, agent, position, what to solve) of each."""
    found: list[tuple[str, SearchAgent, Position, Solve]] = [
        ("4x4", AlphaBeta(depth=99), Hex(4), openings),
    ]
    for size in (4, 5, 6):
        found.append((f"{size}x{size}", HexSolver(book=False), Hex(size), openings))
    found.append(("7x7 centre", HexSolver(book=False), Hex(7).after("d4"), decided))
    if args.all_7:
        found.append(("7x7", HexSolver(book=False, table_mb=256), Hex(7), openings))
    if args.size_8:
        found.append(("8x8 centre", HexSolver(table_mb=1024), Hex(8).after("d5"), decided))
    for size in (4, 5, 6):
        search = ProofNumber(nodes=WITHOUT_LIMIT, evaluate=distance)
        found.append((f"Y {size}", search, GameOfY(size), decided))
    for size in (4, 5, 6, 7, 8):
        found.append((f"Y {size}", YSolver(), GameOfY(size), openings))
    return found


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all-7", action="store_true", help="all openings of 7 x 7: minutes")
    parser.add_argument("--size-8", action="store_true", help="the centre of 8 x 8: long")
    args = parser.parse_args()
    table = Table(title="Hex and Y, solved from an empty table, CPU time")
    for column in ("board", "agent", "answer", "nodes", "seconds", "target"):
        left = column in ("board", "agent", "answer")
        table.add_column(column, justify="left" if left else "right")
    for board, agent, position, solve in rows(args):
        solve(agent, type(position)(2))  # compile
        agent.reset()
        began = time.process_time()
        nodes, answer = solve(agent, position)
        seconds = time.process_time() - began
        target = f"{TARGETS[board]:g}" if board in TARGETS and "_solver" in repr(agent) else ""
        table.add_row(board, repr(agent), answer, f"{nodes:,}", f"{seconds:.3f}", target)
    Console().print(table)


if __name__ == "__main__":
    main()
