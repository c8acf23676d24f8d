"""Plays a Hex tournament of six agents, rated: all pairings, each opening twice, seats swapped.

Which idea of a good position plays well? Counting stones with neighbours is hardly better than
chance, distances between the edges are much better, and looking ahead helps. How sure one can be of
that is what the intervals tell.

    python examples/hex_tournament.py
    python examples/hex_tournament.py --size 9 --games 100 --html hex.html
"""

import argparse
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from adv_envs import Hex
from agents.arena import Tournament, run
from agents.arena.rating.ratings import RatingTable, rate
from agents.reports.tournament_page import page_data, tournament_html

SPECS = {
    "Random": "random()",
    "Connected": "greedy(evaluate=hex.connected)",
    "RelevantConnected": "greedy(evaluate=hex.relevant_connected)",
    "Rush": "rush()",
    "ShortestPath": "greedy(evaluate=hex.shortest_path)",
    "TwoDistance": "alpha_beta(depth=2, evaluate=hex.two_distance, table_mb=1)",
}
"""The first five are the agents of the papers from which this project grew."""


def points(result: Tournament) -> dict[tuple[str, str], float]:
    """Returns what each agent won against each other; there are no draws in Hex."""
    found = {(a, b): 0.0 for a in result.names for b in result.names if a != b}
    for game in result.games:
        first, second = game.players
        found[first, second] += game.points[0]
        found[second, first] += game.points[1]
    return found


def rated_from_random(result: Tournament) -> RatingTable:
    """Returns the ratings above the random agent's."""
    return rate(result.games, result.names, anchors={"random()": 0.0})


def tables(result: Tournament) -> tuple[Table, Table]:
    """Returns the ratings, and the wins of each row against each column."""
    rated = rated_from_random(result)
    called = dict(zip(result.names, SPECS, strict=True))
    seats = {standing.name: standing for standing in result.standings.table()}
    wins = points(result)
    ratings = Table("", "agent", box=box.SIMPLE_HEAD)
    for heading in ("Elo", "95 %", "first", "second", "s/game"):
        ratings.add_column(heading, justify="right")
    cross = Table("", "agent", box=box.SIMPLE_HEAD)
    order = [rating.agent for rating in rated.ratings]
    for heading in (*(str(place + 1) for place in range(len(order))), "wins"):
        cross.add_column(heading, justify="right")
    for place, rating in enumerate(rated.ratings, 1):
        name, seat = called[rating.agent], seats[rating.agent]
        low, high = (elo(end, "+") for end in (rating.low, rating.high))
        shares = [f"{s.points / max(s.games, 1):.0%}" for s in (seat.first, seat.second)]
        seconds = f"{seat.seconds / max(rating.games, 1):.3f}"
        ratings.add_row(
            str(place), name, f"{rating.elo:+.0f}", f"{low} to {high}", *shares, seconds
        )
        row = ["-" if b == rating.agent else f"{wins[rating.agent, b]:.0f}" for b in order]
        cross.add_row(str(place), name, *row, f"{rating.points:.0f}")
    return ratings, cross


def elo(value: float | None, sign: str = "") -> str:
    """Writes a number without decimals; a line where there is no limit, as after few games."""
    return "-" if value is None else f"{value:{sign}.0f}"


def main() -> None:
    """Lets everybody meet everybody."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=7, help="rows and columns of the board (7)")
    parser.add_argument("--games", type=int, default=40, help="for each two agents (40)")
    parser.add_argument("--seed", type=int, default=0, help="draws the openings (0)")
    parser.add_argument("--workers", type=int, help="processes; one for each core")
    parser.add_argument("--html", type=Path, help="write the whole tournament as a page")
    options = parser.parse_args()
    specs = [*SPECS.values()]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Playing", total=None)

        def watch(so_far: Tournament) -> None:
            bar.update(task, total=so_far.planned, completed=len(so_far.games))

        try:
            start = Hex(options.size)
            result = run(
                start, specs, options.games, openings="random:2", seed=options.seed,
                workers=options.workers, on_progress=watch,
            )  # fmt: skip
        except ValueError as error:
            raise SystemExit(f"{parser.prog}: {error}") from None
    console, (ratings, cross) = Console(highlight=False), tables(result)
    size = f"{options.size} x {options.size}"
    console.print(f"Hex {size}, {options.games} games for each two agents, {result.plan.how}")
    console.print(ratings)
    first = rated_from_random(result).first_seat
    value, low, high = (elo(each) for each in (first.value, first.low, first.high))
    console.print(f"The first seat is worth {value} Elo ({low} to {high}).")
    console.print("Wins of each against each, and in all:")
    console.print(cross)
    if options.html:
        options.html.write_text(
            tournament_html(page_data(start, result.games, f"Hex {size}")), "utf-8"
        )
        console.print(f"Every game, to step through: {options.html}")


if __name__ == "__main__":
    main()
