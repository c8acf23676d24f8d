"""Solves animal shogi and prints how many positions are won, lost and drawn, and in how many plies.

    python benchmarks/animal_shogi.py

It takes about ten minutes on one core and 1.1 GB of memory, and keeps nothing.
"""

import argparse
import time

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from agents.games.animal_shogi.solver import EXPANDED
from agents.games.animal_shogi.table import WORDS, TableCounts, counts_of, filled_table

PUBLISHED = TableCounts(
    positions=246_803_167,
    wins=196_773_087,
    losses=47_347_380,
    draws=2_682_700,
    catches=140_298_614,
    across=7_018_985,
    longest=173,
    plies=78,
)
"""T. Tanaka, An Analysis of a Board Game "Doubutsu Shogi", 2009, and programs that repeat it."""


def main() -> None:
    """Prints every number beside the published one."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    began, table = time.perf_counter(), np.zeros(8 * WORDS, np.uint8)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("expanding", total=2 * EXPANDED)
        for found in filled_table(table):
            what = "expanding" if found.plies < 0 else f"back, {found.plies} plies"
            bar.update(task, completed=found.positions + found.decided, description=what)
    counts = counts_of(table)
    for name, published in vars(PUBLISHED).items():
        number = getattr(counts, name)
        print(f"{name:10} {number:12,}  {'as published' if number == published else published}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
