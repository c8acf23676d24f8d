"""Solves Pig: when to hold, how often the first player wins, and what a rule of thumb costs.

Roll a die as often as you dare: what it shows adds up, and a 1 loses all of this turn. Hold, and
the sum is yours. The first with 100 points wins. Perfect play is by value iteration, as in Neller
and Presser, Optimal Play of the Dice Game Pig (2004).

    python examples/pig.py
    python examples/pig.py --target 50 --faces 8
"""

import argparse
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from adv_envs import Pig, Position
from agents import Agent, PigSolver, match

SOLVER = PigSolver()


@dataclass(repr=False)
class HoldAt(Agent):
    """Plays the rule of thumb: roll until the turn has brought ``points``, or enough to win."""

    points: int = 20
    name = "hold_at"

    def act(self, position: Position) -> int:
        """Returns 0 to roll, 1 to hold."""
        assert isinstance(position, Pig)
        in_hand = position.score(position.mover) + position.turn
        return int(position.turn >= self.points or in_hand >= position.target)


def thresholds(start: Pig) -> Table:
    """Returns the turn total to hold at: own scores down, the other's across."""
    scores = range(0, start.target, max(1, start.target // 10))
    table = Table("own, other", *map(str, scores), box=box.SIMPLE_HEAD)
    for own in scores:
        cells = [SOLVER.hold_at(own, other, start.target, start.faces) for other in scores]
        table.add_row(str(own), *map(str, cells))
    return table


def main() -> None:
    """Prints the solution, and a match against the rule of thumb."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=int, default=100, help="points that win (100)")
    parser.add_argument("--faces", type=int, default=6, help="faces of the die (6)")
    parser.add_argument("--pairs", type=int, default=250, help="pairs of games in the match (250)")
    options = parser.parse_args()
    try:
        start = Pig(options.target, options.faces)
        first = SOLVER.win_probability(start)
    except ValueError as error:
        parser.error(str(error))
    console = Console(highlight=False)
    console.print(f"With perfect play the first player wins {first:.2%} of all games.")
    console.print("Hold when the turn has brought as much as this, or enough to win:")
    console.print(thresholds(start))
    thumb = HoldAt(min(20, start.target))
    result = match(start, thumb, SOLVER, pairs=options.pairs, seed=1).total
    console.print(f"Who always holds at {thumb.points} wins", end=" ")
    console.print(f"{result.wins} of {result.games} games against perfect play.")


if __name__ == "__main__":
    main()
