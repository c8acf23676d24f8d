"""Compares report cards of some agents: right moves, what is lost, time per move.

Every agent is asked at the published positions of the game, with 95 % intervals; times are those of
one process on this machine.

    python benchmarks/report_cards.py connect_four
    python benchmarks/report_cards.py hex --size 6 --positions 60
"""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from adv_envs import start_position
from agents.grading import Grader, ReportCard
from agents.statistics import Interval

AGENTS = {
    "connect_four": (
        "random",
        "greedy",
        "alpha_beta(depth=4, evaluate=connect_four.threats)",
        "alpha_beta(depth=8, evaluate=connect_four.threats)",
        "mcts(simulations=1000)",
        "mcts(simulations=10000)",
        "mcts(simulations=100000)",
        "perfect(weak=True)",
        "perfect()",
    ),
    "hex": (
        "random",
        "rush",
        "greedy(evaluate=hex.shortest_path)",
        "alpha_beta(depth=2, evaluate=hex.two_distance)",
        "alpha_beta(depth=3, evaluate=hex.two_distance)",
        "mcts(simulations=1000)",
        "mcts(simulations=10000)",
        "perfect()",
    ),
}


def percent(interval: Interval | None) -> str:
    """Returns a share with its interval."""
    if interval is None:
        return ""
    value, low, high, _ = (100 * number for number in interval)
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def row(card: ReportCard) -> list[str]:
    """Returns the line of an agent."""
    metrics, median, found = card.overall, card.times.median, card.calibration
    milliseconds = "" if median is None else f"{1000 * median.value:.2g}"
    brier = "" if found is None else f"{found.brier.value:.3f}"
    shares = map(percent, (metrics.kept, metrics.strongest, metrics.lost))
    return [card.agent, *shares, brier, milliseconds]


def main() -> None:
    """Grades, and prints a line for each agent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=AGENTS)
    parser.add_argument("--size", type=int, default=6, help="of the board of Hex")
    parser.add_argument("--positions", type=int, help="all of the set by default")
    parser.add_argument("agents", nargs="*", help="other agents than the usual ones")
    options = parser.parse_args()
    start = start_position(
        options.game, **({"size": options.size} if options.game == "hex" else {})
    )
    columns = "% right", "% strongest", "% points lost", "Brier score", "ms a move"
    table, console = Table("agent", *columns), Console(highlight=False, width=140)
    for spec in options.agents or AGENTS[options.game]:
        grader = Grader(start, spec, options.positions, games=0, seed=0)
        for _ in grader.run():
            pass
        card = grader.card()
        table.add_row(*row(card))
        console.print(" | ".join(row(card)))
    chance = 100 * (card.overall.random.kept or 0)
    console.print(f"{card.positions.name}; of random moves {chance:.1f} % are right")
    console.print(table)


if __name__ == "__main__":
    main()
