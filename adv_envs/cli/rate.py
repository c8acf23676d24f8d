"""``adv-envs rate``: where an agent stands on the ladder of a game, from random to perfect."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from adv_envs.position import Position
from agents.tournament import WorkerError
from agents.tournament.clock import TimeControl, read_clock
from agents.tournament.ladder import Ladder, ladder_for
from agents.tournament.placing import Placing, place

from .console import Refusal, err, out, print_json, refusing, warn
from .describe import game_data, title
from .files import check_files
from .lists import Json, print_table, table

EXAMPLES = (
    'adv-envs rate tic_tac_toe "mcts(simulations=50)"',
    'adv-envs rate tic_tac_toe "alpha_beta(depth=3)" --within 30 --games 1000 --out rated.db',
)

Name = Annotated[str, typer.Argument(metavar="AGENT", help="See: adv-envs agents.")]
Within = Annotated[float, typer.Option(metavar="ELO", help="Stop when it is known so well.")]
Games = Annotated[int, typer.Option(metavar="N", help="Stop after so many games in any case.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides openings and all chance.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Time for each move.")]
Clock = Annotated[
    str | None, typer.Option(metavar="60+0.5", help="Time for a game, and what a move adds.")
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Processes; one for each core.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Keeps every game.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what is in FILE.")]


def rate(
    start: Position,
    name: Name,
    within: Within = 50.0,
    games: Games = 400,
    seed: Seed = 0,
    seconds: Seconds = None,
    clock: Clock = None,
    workers: Workers = None,
    out_file: Out = None,
    resume: Resume = False,
    json: Json = False,
) -> None:
    """Place an agent on the ladder of a game: opponents from random to perfect, in Elo.

    It plays those opponents whose games tell most, each opening twice with seats swapped, until its
    rating is known to --within Elo, or until --games are played. Random play is 0.
    """
    if resume and out_file is None:
        raise Refusal("--resume goes on with a file: say which one with --out FILE")
    check_files(out_file)
    status = err().status("")
    watched = err().is_terminal and not json

    def show(found: Placing) -> None:
        status.update(f"{found.games} games: {spelled(found)}")

    if watched:
        status.start()
    try:
        with refusing():
            ladder = ladder_for(start)
            control = TimeControl(seconds, None if clock is None else read_clock(clock))
            found = place(
                start,
                name,
                ladder,
                within,
                games,
                seed=seed,
                control=control,
                workers=workers,
                out=out_file,
                resume=resume,
                on_progress=show,
            )
    except WorkerError as error:
        raise Refusal(str(error), 1) from error
    finally:
        status.stop()
    if json:
        print_json({**game_data(start), "ladder": ladder.how, **found.to_dict()})
    else:
        report(start, ladder, found)
    finish(found, within, games, out_file)


def report(start: Position, ladder: Ladder, found: Placing) -> None:
    """The ladder with the agent on its place."""
    out().print(f"{title(start)}: {found.agent} is at {spelled(found)}", style="bold")
    listed = table("rung", "Elo", "95 % interval", "games", "points", "keeps the value", "s/move")
    for column in listed.columns[1:]:
        column.justify = "right"
    met = {one.name: one for one in found.met}
    rows: list[tuple[float, list[str]]] = []
    for rung in ladder.rungs:
        played = met.get(rung.name)
        games = ["", ""] if played is None else [str(played.games), f"{played.points:g}"]
        kept = f"{rung.report['kept']:.1%}" if rung.report and "kept" in rung.report else ""
        ends = interval(rung.low, rung.high)
        cells = [rung.name, f"{rung.rating:.0f}", ends, *games, kept, f"{rung.seconds:.4f}"]
        rows.append((rung.rating, cells))
    own = [f"> {found.agent}", f"{found.rating:.0f}", interval(found.low, found.high)]
    rows.append((found.rating, [*own, str(found.games), "", "", ""]))
    for _, cells in sorted(rows, key=lambda row: -row[0]):
        listed.add_row(*cells, style="bold" if cells[0].startswith(">") else None)
    print_table(listed)


def spelled(found: Placing) -> str:
    """The rating and its interval."""
    return f"{found.rating:.0f} Elo (95 %: {interval(found.low, found.high)})"


def interval(low: float | None, high: float | None) -> str:
    """The ends in words."""
    ends = ("no limit" if end is None else f"{end:.0f}" for end in (low, high))
    return " to ".join(ends)


def finish(found: Placing, within: float, games: int, path: Path | None) -> None:
    """Warn of what should be known; exit code 130 if it was interrupted, 1 for forfeits."""
    if found.repeated * 4 > found.games:
        warn(f"{found.repeated} of {found.games} games repeat others and tell nothing new")
    if found.forfeits:
        warn(f"{found.forfeits} of {found.games} games were lost by failing")
    if found.half_width > within:
        if found.games < games // 10 * 10:
            words = [word for word in sys.argv[1:] if word != "--resume"]
            how = "with --out FILE it could be resumed"
            if path is not None:
                how = f"go on with: {shlex.join(['adv-envs', *words, '--resume'])}"
            warn(f"interrupted after {found.games} games; {how}")
            raise typer.Exit(130)
        warn(f"not known to {within:g} Elo after {found.games} games: use more --games")
    if found.forfeits:
        raise typer.Exit(1)
