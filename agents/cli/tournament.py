"""``adv-envs tournament``: agents meet, in all pairings, and no game is lost whatever happens."""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.measure import Measurement
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from adv_envs.games.hex import Hex
from adv_envs.position import Position
from agents import CannotPlay
from agents.arena import Tournament, WorkerError, run
from agents.arena.extra import library
from agents.arena.ladder import ladder_for
from agents.arena.rating.ratings import Table as Ratings
from agents.arena.rating.ratings import interval_of, likelihood
from agents.arena.records import save_sgf, write_pgn
from agents.reports.tournament_page import page_data, tournament_html

from .console import Refusal, err, out, print_json, refusing, warn
from .describe import game_data, title
from .files import check_files, check_folder, write_whole
from .lists import Json, table

KINDS = "balanced, balanced:N, random:N, all:N (plies), first, none or file:PATH."

EXAMPLES = (
    'adv-envs tournament tic_tac_toe random greedy "alpha_beta()" --games 100',
    'adv-envs tournament connect_four "mcts(simulations=100)" "alpha_beta(depth=4)" --out t.db',
    "adv-envs tournament hex --size 7 rush random greedy --openings first --games 98",
    'adv-envs tournament hex "mcts()" "alpha_beta()" --clock 60+0.5 --out t.db --resume',
    'adv-envs tournament hex "mcts()" "alpha_beta()" --ray 10.0.0.1:6379 --out t.db',
)

Names = Annotated[list[str], typer.Argument(metavar="AGENT...", help="See: adv-envs agents.")]
Games = Annotated[int, typer.Option(metavar="N", help="Games of each pairing; an even number.")]
Openings = Annotated[str, typer.Option(metavar="KIND", help=KINDS)]
Gauntlet = Annotated[bool, typer.Option("--gauntlet", help="The first agent against all others.")]
OnLadder = Annotated[
    bool, typer.Option("--ladder", help="The agent against the rungs of the game's ladder.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides openings and all chance.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Time for each move.")]
Clock = Annotated[
    str | None, typer.Option(metavar="60+0.5", help="Time for a game, and what a move adds.")
]
Grace = Annotated[float, typer.Option(metavar="S", help="By which a move may exceed its time.")]
Memory = Annotated[int | None, typer.Option(metavar="MB", help="For the agents of a process.")]
Test = Annotated[
    tuple[float, float] | None,
    typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop two agents as soon as it is decided."),
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Processes; one for each core.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster: HOST:PORT, auto or local."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Keeps every game.")]
Pgn = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the games as PGN.")]
Sgf = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write each game of hex there.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page about it.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what is in FILE.")]


def tournament(
    start: Position,
    names: Names,
    games: Games = 100,
    openings: Openings = "random:2",
    gauntlet: Gauntlet = False,
    ladder: OnLadder = False,
    seed: Seed = 0,
    seconds: Seconds = None,
    clock: Clock = None,
    grace: Grace = 0.1,
    memory: Memory = None,
    sprt: Test = None,
    workers: Workers = None,
    ray: Ray = None,
    out_file: Out = None,
    resume: Resume = False,
    pgn: Pgn = None,
    sgf: Sgf = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Let agents play a tournament, each opening twice with seats swapped.

    With --out every game is kept as it ends: whatever stops the tournament, the same command with
    --resume goes on, and comes to the same table. Agents play in processes of their own. Who fails,
    answers illegally, exceeds the time or ends its process loses that game, and the tournament goes
    on; the exit code is then 1.
    """
    check_resume(resume, out_file)
    check_sgf(start, sgf)
    if ladder:
        names, gauntlet = on_ladder(start, names), True
    check_files(out_file, pgn)
    check_page(html)
    display = Display(json)
    with playing(start), display:
        result = run(
            start,
            names,
            games,
            openings=openings,
            mode="gauntlet" if gauntlet else "round-robin",
            seed=seed,
            seconds=seconds,
            clock=clock,
            grace=grace,
            memory=memory,
            sprt=sprt,
            workers=workers,
            ray=ray,
            out=out_file,
            resume=resume,
            on_progress=display.show,
        )
    save(result, pgn, sgf, html)
    if json:
        print_json({**game_data(start), **result.to_dict(), **strength(result)})
    else:
        report(result)
    finish(result, out_file)


def check_resume(resume: bool, path: Path | None) -> None:
    """Refusal to go on without a file."""
    if resume and path is None:
        raise Refusal("--resume goes on with a file: say which one with --out FILE")


def check_page(path: Path | None) -> None:
    """Refusal unless the page of a tournament can be made and written, before a game is played."""
    check_files(path)
    if path is not None:
        with refusing(1):
            library("scipy.optimize")  # for ratings
            library("jinja2")


def check_sgf(start: Position, folder: Path | None) -> None:
    """Refusal to write SGF of other games, or where nothing can be written."""
    if folder is None:
        return
    if not isinstance(start, Hex):
        raise Refusal(f"SGF files are written for hex, not for {title(start)}")
    check_folder(folder)


@contextmanager
def playing(start: Position) -> Iterator[None]:
    """In here games are played: what goes wrong is a Refusal."""
    with refusing():
        try:
            yield
        except CannotPlay as error:
            why = f"{error.agent} cannot play {title(start)}: {error.why}"
            raise Refusal(why, 1) from error
        except WorkerError as error:
            raise Refusal(str(error), 1) from error


def on_ladder(start: Position, names: list[str]) -> list[str]:
    """The one agent, and all rungs of the ladder."""
    if len(names) != 1:
        raise Refusal(f"on a ladder there is one agent, not {len(names)}")
    with refusing():
        return [*names, *(rung.spec for rung in ladder_for(start).rungs)]


def save(result: Tournament, pgn: Path | None, sgf: Path | None, html: Path | None) -> None:
    """Write what is to be written."""
    if pgn is not None:
        write_whole(pgn, write_pgn(result.start, result.games, title(result.start)))
    if sgf is not None and isinstance(result.start, Hex):
        with refusing(1):
            save_sgf(sgf, result.start, result.games)
    if html is not None:
        write_whole(html, tournament_html(described(result)))


def described(result: Tournament) -> dict[str, Any]:
    """The tournament for its page."""
    shown = {name: str(value) for name, value in result.settings.items() if value is not None}
    settings = {
        "openings": result.plan.how,
        **{name: shown[name] for name in TOLD if name in shown},
    }
    return page_data(
        result.start,
        result.games,
        f"{title(result.start)}: a tournament",
        agents=result.names,
        settings=settings,
        table=result.ratings(),
    )


TOLD = ["mode", "games", "seed", "seconds", "clock", "grace", "memory", "sprt"]
"""Settings that a page shows."""


class Display:
    """The table while games are played, with progress and the time left, where somebody watches."""

    def __init__(self, json: bool) -> None:
        console = err()
        self._live: Live | None = None
        if console.is_terminal and not json:
            self._live = Live(console=console, transient=True, auto_refresh=False)
        self._began, self._shown, self._had = time.monotonic(), 0.0, -1

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, result: Tournament) -> None:
        """Draw it anew, four times a second at most."""
        played, now = len(result.rows), time.monotonic()
        if self._had < 0:
            self._had, self._began = played, now
        if self._live is None or now - self._shown < 0.25:
            return
        self._shown = now
        line = Table.grid(padding=(0, 1))
        line.add_row(
            ProgressBar(result.planned, played, width=40),
            f"{played}/{result.planned}",
            Text(self._left(played, result.planned, now), "dim"),
        )
        self._live.update(Group(fitted(result, err())[0], line), refresh=True)

    def _left(self, played: int, planned: int, now: float) -> str:
        """The time that is left, if games go on as fast as since this began."""
        if played <= self._had:
            return ""
        seconds = round((now - self._began) / (played - self._had) * (planned - played))
        minutes, seconds = divmod(seconds, 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left"


def report(result: Tournament) -> None:
    """The table, and what is to be known about it."""
    console = wide()
    heading = f"{title(result.start)}, {len(result.rows)} games, {result.plan.how}"
    console.print(heading, style="bold", soft_wrap=True)
    filled, names = fitted(result, console)
    for name, short in names.items():
        if name != short:
            console.print(f"{short} is {name}", soft_wrap=True)
    console.print(filled)
    with lab():
        if len(result.names) == 2:
            lines = result.head_to_head().lines()
        else:
            console.print(ratings(found := result.ratings(), names))
            lines = found.remarks()
        if result.stopping is not None:
            lines.append(f"SPRT: {result.stopping}")
        for line in lines:
            console.print(line, soft_wrap=True)


def wide() -> Console:
    """The console on standard output, as wide as need be where it is no terminal."""
    console = out()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 1000
    return console


def fitted(result: Tournament, console: Console) -> tuple[Table, dict[str, str]]:
    """The points of all in a table that fits, and the names that agents have in it."""
    full = {name: name for name in result.names}
    kinds = ((name, re.split(r"[(#]", name)[0].rpartition(".")[2]) for name in full)
    short = {name: f"{i} {kind}"[:12] for i, (name, kind) in enumerate(kinds, 1)}
    unlimited = console.options.update(max_width=1000)
    for names, details in ((full, True), (short, True), (short, False)):
        filled = scores(result, names, details)
        if Measurement.get(console, unlimited, filled).maximum <= console.width:
            break
    return filled, names


def ratings(found: Ratings, names: dict[str, str]) -> Table:
    """The ratings of all, with intervals, and how likely each is better than the next."""
    filled = table("agent", "Elo", "95 % interval", "> next")
    for column in filled.columns[1:]:
        column.justify = "right"
    for place, rating in enumerate(found.ratings):
        last = place + 1 == len(found.ratings)
        above = "" if last else likelihood(found.superiority[place][place + 1])
        filled.add_row(names[rating.agent], f"{rating.elo:.1f}", interval_of(rating), above)
    return filled


def strength(result: Tournament) -> dict[str, Any]:
    """The same for a script."""
    found: dict[str, Any] = {}
    with lab():
        found["ratings"] = result.ratings().to_dict()
        if len(result.names) == 2:
            found["head_to_head"] = result.head_to_head().to_dict()
    return found


@contextmanager
def lab() -> Iterator[None]:
    """Warn that ratings need what is not installed; points do not."""
    try:
        yield
    except ImportError as error:
        warn(str(error))


def scores(result: Tournament, names: dict[str, str], details: bool = True) -> Table:
    """The points of all by these names, the best first; ``details``: by seat, and times."""
    standings = result.standings.table()
    failed = any(standing.forfeits.total for standing in standings)
    columns = "agent", "points", "games", "score", "wins", "draws", "losses"
    more = ["first", "second", "s/game"] if details else []
    filled = table(*columns, *more, *["forfeits"] * failed)
    for column in filled.columns[1:]:
        column.justify = "right"
    for standing in standings:
        total = standing.total
        games = max(total.games, 1)
        counts = map(str, (total.wins, total.draws, total.losses))
        seats = (f"{s.points / max(s.games, 1):.1%}" for s in (standing.first, standing.second))
        time_used = f"{standing.seconds / games:.3f}"
        share = f"{total.points / games:.1%}"
        forfeits = [str(standing.forfeits)] * failed
        points = f"{total.points:g}", str(total.games), share
        more = [*seats, time_used] if details else []
        filled.add_row(names[standing.name], *points, *counts, *more, *forfeits)
    return filled


def explain(result: Tournament) -> bool:
    """Warn of repeated games and of failures; whether there were failures."""
    games = len(result.rows)
    if result.duplicates > 0.25 and games > 2:
        warn(f"{result.duplicates:.0%} of {games} games repeat others: use other --openings")
    reasons = Counter(row[-3] for row in result.rows if row[-3])
    for reason, times in reasons.most_common(10):
        warn(f"{times} of {games} games forfeited: {reason}")
    return any(standing.forfeits.total for standing in result.standings.table())


def finish(result: Tournament, path: Path | None) -> None:
    """Warn of what should be known; exit code 130 if it was interrupted, 1 for forfeits."""
    failed = explain(result)
    if not result.complete:
        warn(interrupted(f"{len(result.rows)} of {result.planned} games", path))
        raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


def interrupted(games: str, path: Path | None) -> str:
    """After how many games it was, and how to go on."""
    how = "with --out FILE it could be resumed"
    if path is not None:
        words = [word for word in sys.argv[1:] if word != "--resume"]
        how = f"go on with: {shlex.join(['adv-envs', *words, '--resume'])}"
    return f"interrupted after {games}; {how}"
