"""A Hex tournament of six agents: everybody meets everybody, each opening twice with seats swapped.

Which idea of a good position plays well? Counting stones with neighbours is hardly better than
chance, distances between the edges are much better, and looking ahead helps.

    python examples/hex_tournament.py
    python examples/hex_tournament.py --size 9 --pairs 20
"""

import argparse
from itertools import combinations

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import Hex
from agents import make, match

SPECS = {
    "Random": "random",
    "Connected": "greedy(evaluate=hex.connected)",
    "RelevantConnected": "greedy(evaluate=hex.relevant_connected)",
    "Rush": "rush",
    "ShortestPath": "greedy(evaluate=hex.shortest_path)",
    "TwoDistance": "alpha_beta(depth=2, evaluate=hex.two_distance, table_mb=1)",
}
PLIES = 2  # of each opening, drawn at random


class Standings:
    """Who won how often against whom, and how long they thought."""

    def __init__(self, names: list[str]) -> None:
        """Nobody has played."""
        self.names = names
        self.wins: dict[tuple[str, str], int] = {}
        self.seconds = dict.fromkeys(names, 0.0)

    def meet(self, a: str, b: str, size: int, pairs: int, seed: int) -> None:
        """Play a match of two and count it."""
        result = match(Hex(size), make(SPECS[a]), make(SPECS[b]), pairs, seed, PLIES)
        self.wins[a, b], self.wins[b, a] = result.total.wins, result.total.losses
        self.seconds[a] += result.seconds[0]
        self.seconds[b] += result.seconds[1]

    def table(self) -> Table:
        """Wins of each row against each column."""
        numbers = [str(number) for number in range(1, len(self.names) + 1)]
        table = Table("", "agent", box=box.SIMPLE_HEAD)
        for heading in (*numbers, "wins", "seconds"):
            table.add_column(heading, justify="right")
        for number, name in zip(numbers, self.names, strict=True):
            wins = [self.wins.get((name, other)) for other in self.names]
            cells = ["-" if won is None else str(won) for won in wins]
            total = str(sum(won or 0 for won in wins))
            table.add_row(number, name, *cells, total, f"{self.seconds[name]:.2f}")
        return table


def main() -> None:
    """Let everybody meet everybody."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=7, help="rows and columns of the board (7)")
    parser.add_argument("--pairs", type=int, default=5, help="openings for each two agents (5)")
    parser.add_argument("--seed", type=int, default=0, help="draws the openings (0)")
    options = parser.parse_args()
    progress, standings = Console(stderr=True), Standings([*SPECS])

    for name in track(SPECS, "Compiling", console=progress, transient=True):
        make(SPECS[name]).act(Hex(options.size))  # takes seconds, the first time only
    pairings = [*combinations(SPECS, 2)]
    for a, b in track(pairings, "Playing", console=progress, transient=True):
        standings.meet(a, b, options.size, options.pairs, options.seed)
    games = f"{2 * options.pairs} games for each two agents"
    console = Console(highlight=False)
    console.print(f"Hex {options.size} x {options.size}, {games}: wins against each, and in all")
    console.print(standings.table())


if __name__ == "__main__":
    main()
