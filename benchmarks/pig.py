"""Compares expectiminimax with OpenSpiel's on the same game of Pig, and times the solution of Pig.

Both look as many moves of the players ahead, chance in between not counted, value what is not
finished as even, and take turns (see ``compare.py``). OpenSpiel's is Python over states in C++; it
values a last throw of the die without looking at its outcomes, while ours looks, and ours counts
the nodes of all depths up to the last.

    python benchmarks/pig.py [--depth 7] [--pairs 7]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from compare import Machine, at_least, compare, parser_of, printer, rate
from rich.table import Table

from adv_envs import Pig
from adv_envs.notation import read_line
from agents import Expectiminimax, PigSolver

TARGET = 40
OPENING = "roll 6 roll 6 hold roll 6 roll 6 hold roll 6 roll 6 hold roll 6 roll 6 hold"


def peer(line: list[int], depth: int) -> Callable[[], int]:
    """Runs OpenSpiel's search after the same line; it says how many nodes there are."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import expectiminimax

    game = pyspiel.load_game(f"pig(players=2,horizon=10000,winscore={TARGET})")
    state = game.new_initial_state()
    for action in line:
        state.apply_action(action)
    nodes = count(state, depth)

    def run() -> int:
        expectiminimax(state, depth, lambda _: 0.0, state.current_player())
        return nodes

    return run


def count(state: Any, depth: int) -> int:
    """Returns the nodes that OpenSpiel's search visits."""
    if state.is_terminal() or depth == 0:
        return 1
    left = depth if state.is_chance_node() else depth - 1
    return 1 + sum(count(state.child(action), left) for action in state.legal_actions())


def ours(position: Pig, agent: Expectiminimax) -> Callable[[], int]:
    """Returns one of our searches."""
    return lambda: agent.analyse(position).nodes


def main() -> None:
    """Prints the table, and the time to solve the game."""
    parser = parser_of(__doc__)
    parser.add_argument("--depth", type=at_least(1), default=7, help="moves of the players ahead")
    options = parser.parse_args()
    line = read_line(Pig(TARGET), OPENING)
    position = Pig(TARGET).after(line)
    runs = {
        "OpenSpiel, expectiminimax": peer(line, options.depth),
        "expectiminimax(table_mb=0)": ours(position, Expectiminimax(options.depth, table_mb=0)),
        "expectiminimax": ours(position, Expectiminimax(options.depth)),
    }
    console = printer()
    table = Table("search", "nodes", "seconds", "nodes/s", "times as fast, median (range)")
    with Machine():
        found = compare({name: rate(once(run)) for name, run in runs.items()}, options.pairs)
    first = next(iter(runs))
    for name, run in runs.items():
        nodes, seconds = run(), 1 / found.speed(name)
        ratio = "1" if name == first else str(found.ratio(name, first))
        table.add_row(name, f"{nodes:,}", f"{seconds:.5f}", f"{nodes / seconds:,.0f}", ratio)
    console.print(f"Pig with {TARGET} points after {OPENING}, {options.depth} moves ahead:")
    console.print(table)
    PigSolver().solve(Pig(5))  # compile
    began = time.perf_counter()
    steps, seconds = PigSolver().solve(Pig()), time.perf_counter() - began
    console.print(f"Pig solved in {seconds:.2f} s, {steps:,} values computed.")


def once(run: Callable[[], int]) -> Callable[[], float]:
    """Returns the search as one unit of work."""

    def work() -> float:
        run()
        return 1.0

    return work


if __name__ == "__main__":
    main()
