"""Measures what looking ahead is worth: alpha-beta on Connect Four, depth by depth.

One game first: depth 8, moving second, against depth 1. Then every depth against one opponent, each
opening played twice with seats swapped.

    python examples/connect_four_depth.py
    python examples/connect_four_depth.py --deepest 10 --opponent 6
"""

import argparse

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import ConnectFour
from agents import AlphaBeta, MatchResult, match, play_game
from agents.games.connect_four.evaluations import threats

PLIES = 4  # of each opening, drawn at random


def looking(depth: int) -> AlphaBeta:
    """Returns alpha-beta to a depth, where threats are counted."""
    return AlphaBeta(depth=depth, evaluate=threats, table_mb=1)


def one_game(console: Console, depths: tuple[int, int]) -> None:
    """Shows a game between two depths."""
    game = play_game(ConnectFour(), [looking(depth) for depth in depths])
    console.print(f"Depth {depths[0]} (X) against depth {depths[1]} (O): {game.moves}\n{game.end}")
    winner = max((0, 1), key=game.utilities.__getitem__)
    verdict = f"Depth {depths[winner]} wins" if game.utilities[winner] > 0 else "A draw"
    console.print(f"{verdict} after {len(game.actions)} moves.\n")


def row(depth: int, result: MatchResult) -> list[str]:
    """Returns how a depth did: wins, draws, losses, points, and the time that a move took."""
    score = result.total
    moves = sum(len(game.actions[seat % 2 :: 2]) for seat, game in enumerate(result.games))
    counts = map(str, (depth, score.wins, score.draws, score.losses))
    return [*counts, f"{score.points / score.games:.0%}", f"{result.seconds[0] / moves:.5f}"]


def main() -> None:
    """Plays one game, and a match for every depth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deepest", type=int, default=8, help="look so many plies ahead (8)")
    parser.add_argument("--opponent", type=int, default=4, help="depth of the opponent (4)")
    parser.add_argument("--pairs", type=int, default=20, help="openings for each depth (20)")
    parser.add_argument("--seed", type=int, default=0, help="draws the openings (0)")
    options = parser.parse_args()
    console = Console(highlight=False)
    looking(1).act(ConnectFour())  # compiles, which takes a few seconds the first time

    one_game(console, (1, options.deepest))
    console.print(f"Every depth against depth {options.opponent}, {2 * options.pairs} games each")
    table = Table("depth", "wins", "draws", "losses", "points", "s/move", box=box.SIMPLE_HEAD)
    for column in table.columns:
        column.justify = "right"
    depths = range(1, options.deepest + 1)
    for depth in track(depths, "Playing", console=Console(stderr=True), transient=True):
        agents = looking(depth), looking(options.opponent)
        result = match(ConnectFour(), *agents, pairs=options.pairs, seed=options.seed, plies=PLIES)
        table.add_row(*row(depth, result))
    console.print(table)


if __name__ == "__main__":
    main()
