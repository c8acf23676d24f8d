"""Makes the ladders in ``agents/data/ladders``: a tournament of the rungs against each other.

    python benchmarks/ladder.py tic_tac_toe --games 300    # a minute on one core
    python benchmarks/ladder.py connect_four --games 400
    python benchmarks/ladder.py hex size=7
    python benchmarks/ladder.py thirty_one
    python benchmarks/ladder.py pig
    python benchmarks/ladder.py othello --games 30 --plies 6 --no-cards
    python benchmarks/ladder.py chess --games 16 --near 3  # the rungs that tell most of each other

The rungs are those of the game's ``Knowledge.rungs``. The tournament goes on where it was
interrupted: its games are in ``runs/ladders``. Ratings are Elo from Bradley-Terry with the first
rung, random play, at 0; the intervals are those of the distance to the mean of all rungs, which is
known better than that to random play. Where the game is solved each rung has a report card as well.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from adv_envs import GAMES, Position, start_position
from adv_envs.registry import parameters_of
from agents.arena import Tournament, WorkerError, run
from agents.arena.ladder import FOLDER, Ladder, Rung, missing_program
from agents.arena.rating.ratings import rate
from agents.grading import grade
from agents.knowledge import knowledge_of

PLIES = 2
"""Random plies of the openings: more where so few lead to the same positions again."""


def measured(
    game: str, start: Position, games: int, plies: int, near: int | None, workers: int | None
) -> Tournament:
    """Returns the tournament of the rungs, resumed if it was interrupted."""
    kind = "none" if start.has_chance else f"random:{plies}"  # dice make every game another one
    name = named(game, start) + f"_plies_{plies}" * (plies != PLIES) + f"_near_{near}" * bool(near)
    folder = Path("runs/ladders")
    folder.mkdir(parents=True, exist_ok=True)
    return run(
        start,
        list(knowledge_of(start).rungs.values()),
        games,
        openings=kind,
        mode=f"near:{near}" if near else "round-robin",
        seed=0,
        workers=workers,
        out=folder / f"{name}_{games}.db",
        resume=True,
        on_progress=lambda result: print(f"\r{len(result.games)}/{result.planned}", end=""),
    )


def require_programs(start: Position) -> None:
    """Raises ValueError if a rung needs a program that is not on the PATH."""
    for name, spec in knowledge_of(start).rungs.items():
        if missing := missing_program(spec):
            raise ValueError(f"the rung {name!r} needs {missing}, which is not on the PATH")


def ladder_of(game: str, result: Tournament, graded: bool) -> Ladder:
    """Returns the rungs with their ratings, speed and report cards."""
    weakest = result.names[0]
    table = rate(result.games, result.names, chance=result.start.has_chance)
    zero = next(rating.elo for rating in table.ratings if rating.agent == weakest)
    seconds, moves = defaultdict[str, float](float), defaultdict[str, int](int)
    for record in result.games:
        for seat, name in enumerate(record.players):
            seconds[name] += record.seconds[seat]
            moves[name] += (len(record.actions) + 1) // 2
    called = dict(zip(result.names, knowledge_of(result.start).rungs, strict=True))
    rungs = []
    for rating in reversed(table.ratings):
        name = rating.agent
        report = report_of(result.start, name) if graded else None
        each = seconds[name] / max(moves[name], 1)
        elo = round(rating.elo - zero, 1)
        low, high = (tenth(end, zero) for end in (rating.low, rating.high))
        rungs.append(Rung(called[name], name, elo, low, high, round(each, 6), report))
    how = how_measured(result, called[weakest])
    kind = str(result.settings["openings"])
    advantage = round(table.first_seat.value, 1)
    return Ladder(repr(result.start), tuple(rungs), advantage, kind, how)


def how_measured(result: Tournament, weakest: str) -> str:
    """Returns the tournament in words."""
    settings = result.settings
    _, _, near = str(settings["mode"]).partition(":")
    return (
        f"{len(result.games)} games, {settings['games']} of each pairing"
        + f" of rungs at most {near} apart" * bool(near)
        + f", seed {settings['seed']}, {result.plan.how}; {weakest} is 0, intervals are of the "
        "distance to the mean of all"
    )


def tenth(value: float | None, zero: float) -> float | None:
    """Returns how far above ``zero``, to a tenth of an Elo; None where there is no limit."""
    return None if value is None else round(value - zero, 1)


def report_of(start: Position, spec: str) -> dict[str, float]:
    """Returns its report card in two numbers: shares of moves, 0 to 1."""
    card = grade(start, spec, games=0, seed=0)
    metrics = card.overall
    shares = {"kept": metrics.kept, "strongest": metrics.strongest}
    return {name: round(share.value, 4) for name, share in shares.items() if share is not None}


def named(game: str, start: Position) -> str:
    """Returns the name of the ladder's file: the game, and parameters of unusual value."""
    usual = parameters_of(start_position(game))
    others = [str(v) for name, v in parameters_of(start).items() if v != usual[name]]
    return "_".join([game, *others])


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="such as size=7")
    parser.add_argument("--games", type=int, default=400, help="of each pairing")
    parser.add_argument("--plies", type=int, default=PLIES, help="random plies of the openings")
    parser.add_argument("--near", type=int, help="only rungs that are so many places apart at most")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--no-cards", action="store_true", help="where the game is not solved")
    given = parser.parse_args()
    try:
        named_values = (text.partition("=") for text in given.parameters)
        start = start_position(given.game, **{name: int(v) for name, _, v in named_values})
        if not knowledge_of(start).rungs:
            raise ValueError(f"the record of {given.game} has no rungs")
        require_programs(start)
        result = measured(given.game, start, given.games, given.plies, given.near, given.workers)
    except (ValueError, OSError, WorkerError) as error:
        parser.error(str(error))
    if not result.complete:
        raise SystemExit(f"\ninterrupted after {len(result.games)} games; run it again to go on")
    ladder = ladder_of(given.game, result, not given.no_cards)
    path = FOLDER / f"{named(given.game, start)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    ladder.save(path)
    print(f"\n{path}: {ladder.how}")
    for rung in ladder.rungs:
        print(f"{rung.rating:8.1f}  {rung.low} to {rung.high}  {rung.name}  {rung.report}")


if __name__ == "__main__":
    main()
