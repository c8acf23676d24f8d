"""Solves the Game of 31: who wins, with which moves, and why the obvious strategy loses.

Tokens 1 to 6 lie on the table, four of each. Players take one in turn and add it to the total,
which must not pass 31; a player who cannot move loses.

    python examples/game_of_31.py
    python examples/game_of_31.py "5 4 4 3"
"""

import argparse
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from adv_envs import IllegalMove, Position, ThirtyOne
from agents import Agent, Retrograde, play_game

LINES = ("5 6 6", "2 5 6 6 4", "1 5 4 3", "5 4 4 3 4 4 3", "5 2 5 2 5 2 5", "1 6 2 2 5 2 3 2 6")
START = ThirtyOne()
SOLVER = Retrograde()
PLAYERS = ("first", "second")


@dataclass(repr=False)
class Sevens(Agent):
    """Plays the obvious strategy: take what leads to 3, 10, 17, 24 or 31, if that is there."""

    name = "sevens"

    def act(self, position: Position) -> int:
        """Returns the move to such a total: from there, it seems, each reply is made up to 7."""
        assert isinstance(position, ThirtyOne)
        actions = position.legal_actions()
        goals = [action for action in actions if position.play(action).total % 7 == 3]
        return (goals or actions)[0]


def winning(position: Position) -> str:
    """Returns the moves that win, by name."""
    return " ".join(position.name(action) for action in SOLVER.winning(position)) or "none"


def opening() -> Table:
    """Returns the first moves, and what to do after each answer to one that wins."""
    answers = [f"if {value}" for value in range(1, START.highest + 1)]
    table = Table("first move", "beaten by", *answers, box=box.SIMPLE_HEAD)
    for action in START.legal_actions():
        after = START.play(action)
        wins = SOLVER.value(after) < 0
        replies = [winning(after.play(answer)) for answer in after.legal_actions()] if wins else []
        table.add_row(START.name(action), "nothing" if wins else winning(after), *replies)
    return table


def status(*lines: str) -> Table:
    """Returns what is left after each line of play, whose move it is, and who wins."""
    table = Table("taken", "total", "left of 1..6", "to move", "winning moves", "winner")
    table.box = box.SIMPLE_HEAD
    for line in lines:
        here = START.after(line)
        left = " ".join(str(here.left(value)) for value in range(here.highest))
        winner = here.to_move if SOLVER.value(here) > 0 else 1 - here.to_move
        to_move, wins = PLAYERS[here.to_move], winning(here)
        table.add_row(line, str(here.total), left, to_move, wins, PLAYERS[winner])
    return table


def sevens(console: Console) -> None:
    """Plays the obvious strategy, which moves first, against perfect play."""
    game = play_game(START, [Sevens(), SOLVER])
    line = [START.after(game.actions[:number]) for number in range(1, len(game.actions) + 1)]
    console.print("  taken ", *(f"{action + 1:2}" for action in game.actions))
    console.print("  total ", *(f"{here.total:2}" for here in line))
    stuck = line[-3]
    needed = stuck.limit - stuck.total
    console.print(f"  At {stuck.total} it needs a {needed}: {stuck.left(needed - 1)} are left.")
    console.print(f"  The {PLAYERS[game.utilities[1] > 0]} player wins.")


def main() -> None:
    """Prints everything, or the status after a line of play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("line", nargs="?", help="what was taken, such as '5 4 4 3'")
    line, console = parser.parse_args().line, Console(highlight=False)
    if line is not None:
        try:
            console.print(status(line))
        except IllegalMove as error:
            parser.error(str(error))
        return
    found = SOLVER.solve(START)
    console.print(f"Of {found.positions} positions {found.explored} can be reached. ", end="")
    console.print(f"The {PLAYERS[found.value < 0]} player wins, and begins with {winning(START)}:")
    console.print(opening())
    console.print("Is the game already decided? Here are some that have begun:")
    console.print(status(*LINES))
    console.print("The obvious strategy, staying on 3, 10, 17 and 24, loses:")
    sevens(console)


if __name__ == "__main__":
    main()
