"""``adv-envs tournament``: agents meet in all pairings, and every game is kept as it ends."""

from __future__ import annotations

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

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import title
from agents import CannotPlay
from agents.arena import Tournament, WorkerError, run
from agents.arena.game_files import save_sgf, write_pgn
from agents.arena.ladder import Ladder, ladder_for
from agents.arena.rating.ratings import RatingTable, interval_of, likelihood
from agents.arena.rating.winnings import WinningsTable
from agents.describe import game_data
from agents.reports.tournament_page import page_data, shown_settings, tournament_html
from agents.results import ConfidenceInterval

from .console import (
    UNLIMITED,
    CommandError,
    check_files,
    check_folder,
    command_errors,
    err,
    out,
    print_json,
    print_table,
    save_file,
    table,
    warn,
)
from .show import Json, check_sgf

KINDS = (
    "How games begin: balanced, balanced:N, random:N, all:N (N plies), first, none or file:PATH. "
    "By default random:2, and none where players do not see everything."
)

EXAMPLES = (
    'adv-envs tournament tic_tac_toe random greedy "alpha_beta()" --games 100',
    'adv-envs tournament connect_four "mcts(simulations=100)" "alpha_beta(depth=4)" --out t.db',
    "adv-envs tournament hex --size 7 rush random greedy --openings first --games 98",
    'adv-envs tournament leduc "ismcts(simulations=100)" "ismcts(simulations=20)" random',
    'adv-envs tournament hex "mcts()" "alpha_beta()" --clock 60+0.5 --out t.db --resume',
    'adv-envs tournament hex "mcts()" "alpha_beta()" --ray 10.0.0.1:6379 --out t.db',
)

Names = Annotated[list[str], typer.Argument(metavar="AGENT...", help="See: adv-envs agents.")]
Games = Annotated[int, typer.Option(metavar="N", help="Games of each pairing; an even number.")]
Openings = Annotated[str | None, typer.Option(metavar="KIND", help=KINDS)]
Gauntlet = Annotated[bool, typer.Option("--gauntlet", help="The first agent against all others.")]
OnLadder = Annotated[
    bool, typer.Option("--ladder", help="The agent against the rungs of the game's ladder.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides openings and all random choices.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Time for each move.")]
Clock = Annotated[
    str | None,
    typer.Option(metavar="60+0.5", help="Seconds for a game, and seconds added after each move."),
]
Grace = Annotated[float, typer.Option(metavar="S", help="Seconds by which a move may be late.")]
Memory = Annotated[int | None, typer.Option(metavar="MB", help="Memory for a process's agents.")]
Sprt = Annotated[
    tuple[float, float] | None,
    typer.Option(
        "--sprt",
        metavar="ELO0 ELO1",
        help="Of two agents: stop when it is decided whether their difference is ELO0 or ELO1.",
    ),
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Processes; one for each core.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster: HOST:PORT, auto or local."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Keep every game in FILE.")]
Pgn = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the games as PGN.")]
SgfFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each game, of hex, there as SGF.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page about it.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the tournament in --out FILE.")]


def tournament(
    start: Position,
    names: Names,
    games: Games = 100,
    openings: Openings = None,
    gauntlet: Gauntlet = False,
    ladder: OnLadder = False,
    seed: Seed = 0,
    seconds: Seconds = None,
    clock: Clock = None,
    grace: Grace = 0.1,
    memory: Memory = None,
    sprt: Sprt = None,
    workers: Workers = None,
    ray: Ray = None,
    out_file: Out = None,
    resume: Resume = False,
    pgn: Pgn = None,
    sgf: SgfFolder = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Let agents play a tournament, each opening twice with seats swapped.

    Both games of an opening have the same dice or cards, a duplicate deal. Where games are played
    for amounts, such as chips, the table says how much each agent wins per game; in poker and other
    games in which players do not see everything that is the ranking.
    With --out every game is kept as it ends: however the tournament is stopped, the same command
    with --resume continues it, and the table will be the same. Agents play in processes of their
    own. An agent that fails, plays an illegal move, exceeds its time or ends its process loses that
    game, and the tournament continues; the exit code is then 1.
    """
    check_resume(resume, out_file)
    check_outputs(start, out_file, pgn, sgf, html)
    if ladder:
        names, gauntlet = on_ladder(start, names), True
    display = Display(json)
    with tournament_errors(start), display:
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
        print_json({**game_data(start), **result.to_dict(), **ratings_data(result)})
    else:
        report(result)
    finish(result, out_file)


# ---- before the first game


def check_resume(resume: bool, path: Path | None) -> None:
    """CommandError for --resume without a file."""
    if resume and path is None:
        raise CommandError("--resume continues the tournament in a file: name it with --out FILE")


def check_outputs(
    start: Position,
    out_file: Path | None,
    pgn: Path | None,
    sgf: Path | None,
    html: Path | None,
) -> None:
    """CommandError unless all that is to be written can be written."""
    check_sgf(start, sgf is not None)
    check_files(out_file, pgn, html)
    if sgf is not None:
        check_folder(sgf)
    if html is not None:
        with command_errors():
            optional_library("scipy.optimize", "tournaments need", "lab")  # the ratings on the page
            optional_library("jinja2", "tournaments need", "lab")


@contextmanager
def tournament_errors(start: Position) -> Iterator[None]:
    """A context in which a tournament's errors become CommandErrors."""
    with command_errors():
        try:
            yield
        except CannotPlay as error:
            why = f"{error.agent} cannot play {title(start)}: {error.why}"
            raise CommandError(why, 1) from error
        except WorkerError as error:
            raise CommandError(str(error), 1) from error


def on_ladder(start: Position, names: list[str]) -> list[str]:
    """The one agent, and all rungs of the ladder that can play."""
    if len(names) != 1:
        raise CommandError(f"--ladder needs one agent, not {len(names)}")
    with command_errors():
        return [*names, *(rung.spec for rung in playable(ladder_for(start)).rungs)]


def playable(ladder: Ladder) -> Ladder:
    """The ladder without the rungs that cannot play; a warning names them."""
    if ladder.missing:
        warn(f"left out of the ladder: {ladder.missing}")
    return ladder.playable()


# ---- while games are played


class Display:
    """The table while games are played, with progress and the time left, in a terminal only."""

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
        """Draw it again, four times a second at most."""
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


# ---- the result


def save(result: Tournament, pgn: Path | None, sgf: Path | None, html: Path | None) -> None:
    """Write the files that are asked for."""
    if pgn is not None:
        save_file(pgn, write_pgn(result.start, result.games, title(result.start)))
    with command_errors(1):
        if sgf is not None:
            save_sgf(sgf, result.start, result.games)
        if html is not None:
            save_file(html, tournament_html(tournament_data(result)))


def tournament_data(result: Tournament) -> dict[str, Any]:
    """The tournament for its page."""
    return page_data(
        result.start,
        result.games,
        f"{title(result.start)}: a tournament",
        agents=result.names,
        settings=shown_settings(result.settings, result.plan.how),
        table=result.ratings(),
    )


def report(result: Tournament) -> None:
    """Print the table, the ratings, and what is known from the games of two agents."""
    console = out()
    heading = f"{title(result.start)}, {len(result.rows)} games, {result.plan.how}"
    console.print(heading, style="bold", soft_wrap=True)
    filled, names = fitted(result, console)
    for name, short in names.items():
        if name != short:
            console.print(f"{short} is {name}", soft_wrap=True)
    print_table(filled)
    with needs_libraries():
        if result.standings.amounts:
            report_winnings(result.winnings(), names)
        if len(result.names) == 2:
            lines = result.head_to_head().lines()
        else:
            print_table(ratings_table(found := result.ratings(), names))
            lines = found.remarks()
        if result.stopping is not None:
            lines.append(f"SPRT: {result.stopping}")
        for line in lines:
            console.print(line, soft_wrap=True)


def fitted(result: Tournament, console: Console) -> tuple[Table, dict[str, str]]:
    """The points of all agents in a table that fits, and the names that they have in it."""
    full = {name: name for name in result.names}
    kinds = ((name, re.split(r"[(#]", name)[0].rpartition(".")[2]) for name in full)
    short = {name: f"{i} {kind}"[:12] for i, (name, kind) in enumerate(kinds, 1)}
    unlimited = console.options.update(max_width=UNLIMITED)
    for names, details in ((full, True), (short, True), (short, False)):
        filled = scores(result, names, details)
        if Measurement.get(console, unlimited, filled).maximum <= console.width:
            break
    return filled, names


def report_winnings(found: WinningsTable, names: dict[str, str]) -> None:
    """Print what all have won per game, and what each two have won against each other."""
    many = len(names) > 2
    columns = [found.unit, "95 % interval", *["rating", "95 % interval"] * many, "> next"]
    won = table("agent", *columns, numbers=len(columns))
    for place, each in enumerate(found.winnings):
        values = (each.mean, each.rating) if many else (each.mean,)
        cells = [text for value in values for text in amount_cells(value)]
        won.add_row(names[each.agent], *cells, found.above_next(place))
    print_table(won)
    if many:
        met = table("agent", "against", found.unit, "95 % interval", "games", numbers=3)
        for meeting in found.meetings:
            pair = names[meeting.a], names[meeting.b]
            met.add_row(*pair, *amount_cells(meeting.mean), str(meeting.games))
        print_table(met)
    for line in found.remarks():
        out().print(line, soft_wrap=True)


def amount_cells(found: ConfidenceInterval) -> tuple[str, str]:
    """A mean and its interval, each for a column."""
    if found.low is None or found.high is None:
        return f"{found.value:+.3f}", "not known"
    return f"{found.value:+.3f}", f"{found.low:+.3f} to {found.high:+.3f}"


def ratings_table(found: RatingTable, names: dict[str, str]) -> Table:
    """The ratings of all, with intervals, and how likely each is better than the next."""
    filled = table("agent", "Elo", "95 % interval", "> next", numbers=3)
    for place, rating in enumerate(found.ratings):
        last = place + 1 == len(found.ratings)
        above = "" if last else likelihood(found.superiority[place][place + 1])
        filled.add_row(names[rating.agent], f"{rating.elo:.1f}", interval_of(rating), above)
    return filled


def ratings_data(result: Tournament) -> dict[str, Any]:
    """The ratings for JSON."""
    found: dict[str, Any] = {}
    with needs_libraries():
        found["ratings"] = result.ratings().to_dict()
        if result.standings.amounts:
            found["winnings"] = result.winnings().to_dict()
        if len(result.names) == 2:
            found["head_to_head"] = result.head_to_head().to_dict()
    return found


@contextmanager
def needs_libraries() -> Iterator[None]:
    """A context that warns if a library is missing: the points are printed without it."""
    try:
        yield
    except ImportError as error:
        warn(str(error))


def scores(result: Tournament, names: dict[str, str], details: bool = True) -> Table:
    """The points of all by these names, the best first; ``details``: by seat, and times."""
    standings = result.standings.table()
    failed = any(standing.forfeits.total for standing in standings)
    amounts = result.standings.amounts
    columns = [*["won/game"] * amounts, "points", "games", "score", "wins", "draws", "losses"]
    columns += ["first", "second", "s/game"] * details + ["forfeits"] * failed
    filled = table("agent", *columns, numbers=len(columns))
    for standing in standings:
        total = standing.total
        games = max(total.games, 1)
        counts = map(str, (total.wins, total.draws, total.losses))
        seats = (f"{s.points / max(s.games, 1):.1%}" for s in (standing.first, standing.second))
        time_used = f"{standing.seconds / games:.3f}"
        share = f"{total.points / games:.1%}"
        forfeits = [str(standing.forfeits)] * failed
        won = [f"{standing.mean:+.3f}"] * amounts
        points = *won, f"{total.points:g}", str(total.games), share
        more = [*seats, time_used] if details else []
        filled.add_row(names[standing.name], *points, *counts, *more, *forfeits)
    return filled


def finish(result: Tournament, path: Path | None) -> None:
    """Warn of repeated games and failures; exit code 130 if interrupted, 1 for forfeits."""
    games = len(result.rows)
    if result.duplicates > 0.25 and games > 2 and not result.start.has_chance:
        warn(f"{result.duplicates:.0%} of {games} games repeat others: use other --openings")
    reasons = Counter(row.reason for row in result.rows if row.reason)
    for reason, times in reasons.most_common(10):
        warn(f"{times} of {games} games forfeited: {reason}")
    if not result.complete:
        warn(interrupted(f"{games} of {result.planned} games", path))
        raise typer.Exit(130)
    if any(standing.forfeits.total for standing in result.standings.table()):
        raise typer.Exit(1)


def interrupted(games: str, path: Path | None) -> str:
    """When it was interrupted, and how to continue."""
    how = "with --out FILE it could be resumed"
    if path is not None:
        words = [word for word in sys.argv[1:] if word != "--resume"]
        how = f"continue with: {shlex.join(['adv-envs', *words, '--resume'])}"
    return f"interrupted after {games}; {how}"
