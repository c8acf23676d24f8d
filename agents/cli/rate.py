"""``adv-envs rate``: an agent's rating on the ladder of a game, from random to perfect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from adv_envs.position import Position
from adv_envs.registry import title
from agents.arena.clock import TimeControl, read_clock
from agents.arena.ladder import Ladder, ladder_for
from agents.arena.rating.adaptive import BATCH, RatingEstimate, place
from agents.describe import game_data

from .console import (
    check_files,
    command_errors,
    err,
    out,
    print_json,
    print_table,
    table,
    warn,
)
from .show import Json
from .tournaments import (
    Clock,
    Out,
    Resume,
    Seconds,
    Seed,
    Workers,
    check_resume,
    interrupted,
    playable,
    tournament_errors,
)

EXAMPLES = (
    'adv-envs rate tic_tac_toe "mcts(simulations=50)"',
    'adv-envs rate tic_tac_toe "alpha_beta(depth=3)" --within 30 --games 1000 --out rated.db',
)

Name = Annotated[str, typer.Argument(metavar="AGENT", help="See: adv-envs agents.")]
Within = Annotated[
    float, typer.Option(metavar="ELO", help="Stop when the rating is known to within ELO.")
]
Games = Annotated[int, typer.Option(metavar="N", help="Stop after N games in any case.")]


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
    """Rate an agent on the ladder of a game: opponents from random to perfect, in Elo.

    It plays the opponents whose games tell most about its rating, each opening twice with seats
    swapped, until the rating is known to --within ELO, or until --games are played. Random
    play is 0.
    """
    check_resume(resume, out_file)
    check_files(out_file)
    with command_errors():
        ladder = ladder_for(start)
        control = TimeControl(seconds, None if clock is None else read_clock(clock))
    with tournament_errors(start), watching(json) as show:
        found = place(
            start,
            name,
            playable(ladder),
            within,
            games,
            seed=seed,
            control=control,
            workers=workers,
            out=out_file,
            resume=resume,
            on_progress=show,
        )
    if json:
        print_json({**game_data(start), "ladder": ladder.how, **found.to_dict()})
    else:
        report(start, ladder, found)
    finish(found, within, games, out_file)


@contextmanager
def watching(json: bool) -> Iterator[Callable[[RatingEstimate], None]]:
    """A context with the function that shows progress, in a terminal only."""
    status = err().status("")
    if err().is_terminal and not json:
        status.start()
    try:
        yield lambda found: status.update(f"{found.games} games: {rating_text(found)}")
    finally:
        status.stop()


def report(start: Position, ladder: Ladder, found: RatingEstimate) -> None:
    """Print the ladder with the agent in its place."""
    heading = f"{title(start)}: {found.agent} is at {rating_text(found)}"
    out().print(heading, style="bold", soft_wrap=True)
    columns = "Elo", "95 % interval", "games", "points", "keeps the value", "s/move"
    listed = table("rung", *columns, numbers=len(columns))
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


def rating_text(found: RatingEstimate) -> str:
    """The rating and its interval."""
    return f"{found.rating:.0f} Elo (95 %: {interval(found.low, found.high)})"


def interval(low: float | None, high: float | None) -> str:
    """The interval from ``low`` to ``high``; None is no limit."""
    ends = ("no limit" if end is None else f"{end:.0f}" for end in (low, high))
    return " to ".join(ends)


def finish(found: RatingEstimate, within: float, games: int, path: Path | None) -> None:
    """Warn of a rating that is not reliable; exit code 130 if interrupted, 1 for forfeits."""
    if found.repeated * 4 > found.games:
        warn(f"{found.repeated} of {found.games} games repeat others and add no information")
    if found.forfeits:
        warn(f"{found.forfeits} of {found.games} games were lost by failing")
    if found.half_width > within:
        if found.games < games // BATCH * BATCH:
            warn(interrupted(f"{found.games} games", path))
            raise typer.Exit(130)
        warn(f"not known to within {within:g} Elo after {found.games} games: {advice(found)}")
    if found.forfeits:
        raise typer.Exit(1)


def advice(found: RatingEstimate) -> str:
    """What to do if the rating is not known well enough."""
    if found.repeated * 2 > found.games:
        return "most repeat others, so that more games would add no information"
    return "use more --games"
