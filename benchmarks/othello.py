"""Measures the exact solver of Othello: how long endings take, and what each technique gains.

The first table solves positions of random games by the number of empty cells; the second solves a
position of the test suite of the French Othello federation (FFO 40: 20 empty cells, X wins by 38)
and endings of random games with each technique of ``agents/games/othello/solver.py``
switched off in turn. Every search begins with an empty table, on one core, and CPU time is counted.

    python benchmarks/othello.py [--positions 20] [--most 18]
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from adv_envs import Othello
from agents.games.othello import empty_cells
from agents.games.othello.solver import MOST, EndgameSearch
from agents.search.limits import NODES, counters

FFO_40 = """
O . . O O O O X
. O O O O O O X
O O X X O O O X
O O X O O O X X
O O O O O O X X
. . . O O O O X
. . . . O . . X
. . . . . . . .
"""

WITHOUT: dict[str, dict[str, Any]] = {
    "all techniques": {},
    "fastest first": {"ANSWER": 0},
    "parity": {"PARITY": False},
    "the table's answers": {"PROBED_FROM": MOST},
    "the table's best move": {"FIRST": 0},
}
"""What is bound to switch a technique off; the first line switches nothing off."""


def ending(empty: int, rng: Random) -> Othello:
    """Returns an unfinished position of a random game with that many empty cells."""
    while True:
        position = Othello()
        while not position.is_terminal() and empty_cells(position) > empty:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            return position


def solve(position: Othello, bindings: dict[str, Any]) -> tuple[int, int, float]:
    """Returns (score, positions visited, CPU seconds) with an empty table."""
    search = EndgameSearch(position, 64, **bindings)
    counts, began = counters(), time.process_time()
    score = search.score(position, counts, -MOST, MOST)
    return score, int(counts[NODES]), time.process_time() - began


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=20, help="of each number of empty cells")
    parser.add_argument("--most", type=int, default=18, help="empty cells")
    given = parser.parse_args()
    console = Console()
    by_empty = Table("empty cells", "positions", "nodes", "mean s", "longest s")
    for empty in range(10, given.most + 1, 2):
        rng = Random(empty)
        found = [solve(ending(empty, rng), {}) for _ in range(given.positions)]
        nodes, seconds = sum(f[1] for f in found) // len(found), [f[2] for f in found]
        mean = sum(seconds) / len(seconds)
        by_empty.add_row(
            str(empty), str(len(found)), f"{nodes:,}", f"{mean:.3f}", f"{max(seconds):.3f}"
        )
    console.print(by_empty)
    ablation = Table("without", "FFO 40: nodes", "s", "endings: nodes", "s")
    first, rng = Othello.from_text(FFO_40, to_move=0), Random(0)
    endings = [ending(min(16, given.most), rng) for _ in range(given.positions)]
    for name, bindings in WITHOUT.items():
        score, nodes, seconds_first = solve(first, bindings)
        if score != 38:
            raise SystemExit(f"FFO 40 is won by 38 discs, not {score}")
        found = [solve(position, bindings) for position in endings]
        others, seconds_others = sum(f[1] for f in found), sum(f[2] for f in found)
        ablation.add_row(
            name, f"{nodes:,}", f"{seconds_first:.2f}", f"{others:,}", f"{seconds_others:.2f}"
        )
        if name == "all techniques":
            ablation.add_section()
    console.print(ablation)


if __name__ == "__main__":
    main()
