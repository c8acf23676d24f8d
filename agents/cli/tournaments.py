"""Implements ``adv-envs tournament``: agents meet in all pairings; every game is kept."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import title
from agents import Agent, CannotPlay, Human, make
from agents.agent import label
from agents.arena import StoreError, Tournament, run
from agents.arena.clock import READY
from agents.arena.game_files import save_sgf, write_pgn
from agents.arena.isolation import is_trusted, isolated, prepared
from agents.arena.ladder import Ladder, ladder_for
from agents.arena.rating.ratings import above_next, interval_of, one_decimal
from agents.arena.rating.winnings import WinningsTable
from agents.arena.store import read
from agents.describe import game_data, game_heading
from agents.faults import NobodyToBlame, incompatibility
from agents.reports.tournament_page import page_data, shown_settings, tournament_html
from agents.spec import DidNotLoad
from agents.statistics import Interval

from .console import (
    AGENT_HELP,
    NOT_LOADED,
    SEATS,
    SILENCE,
    UNLIMITED,
    Clock,
    CommandError,
    Json,
    Out,
    Ready,
    Resume,
    Seconds,
    Seed,
    Workers,
    agents_print_aside,
    check_files,
    command_errors,
    end,
    err,
    option,
    out,
    print_json,
    print_table,
    print_usage,
    save_file,
    table,
    tell_printed,
    warn,
)
from .show import check_sgf

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

SPRT = "Of two agents: stop when it is decided whether their difference is ELO0 or ELO1."
GAMES = "Games of each pairing, an even number, or of each group. [default: 100]"
LADDER = "The agent against the rungs of the game's ladder."
ADDRESS = "Play on a Ray cluster: HOST:PORT, auto or local."
FOLDER = "Write each game, of hex, there as SGF."


def tournament(
    start: Position,
    names: Annotated[list[str], typer.Argument(metavar="AGENT...", help=AGENT_HELP)],
    games: Annotated[int | None, option(GAMES, "N")] = None,
    openings: Annotated[str | None, option(KINDS, "KIND")] = None,
    gauntlet: Annotated[
        bool, option("The first agent against all others.", None, "--gauntlet")
    ] = False,
    ladder: Annotated[bool, option(LADDER, None, "--ladder")] = False,
    seed: Seed = None,
    seconds: Seconds = None,
    clock: Clock = None,
    grace: Annotated[float, option("Seconds by which a move may be late.", "S")] = 0.1,
    ready: Ready = READY,
    memory: Annotated[int | None, option("Memory for a process's agents.", "MB")] = None,
    sprt: Annotated[tuple[float, float] | None, option(SPRT, "ELO0 ELO1", "--sprt")] = None,
    workers: Workers = None,
    ray: Annotated[str | None, option(ADDRESS, "[ADDRESS]")] = None,
    out_file: Out = None,
    resume: Resume = False,
    pgn: Annotated[Path | None, option("Write the games as PGN.", "FILE")] = None,
    sgf: Annotated[Path | None, option(FOLDER, "FOLDER")] = None,
    html: Annotated[Path | None, option("Write a page about it.", "FILE")] = None,
    json: Json = False,
) -> None:
    """Lets agents play a tournament, each opening twice with seats swapped.

    Both games of an opening have the same dice or cards, a duplicate deal. Where games are played
    for amounts, such as chips, the table says how much each agent wins per game; in poker and other
    games in which players do not see everything that is the ranking.
    In a game of three players or more groups of as many agents play each opening in all orders of
    their seats, and a game counts as a result of every two of them: who won more has won.
    With --out every game is kept as it ends: however the tournament is stopped, the same command
    with --resume continues it, and the table will be the same. Agents play in processes of their
    own. An agent of yours whose module fails, or that cannot play the game, is left out, and the
    others play. An agent that fails, plays an illegal move, exceeds its time or ends its process
    loses that game, and the tournament continues; the exit code is then 1.
    """
    check_resume(resume, out_file)
    check_sgf(start, sgf, is_folder=True)
    check_files(out_file, pgn, html)
    with command_errors():
        for library in ("scipy.optimize", "jinja2") if html is not None else ():
            optional_library(library, "tournaments need", "lab")
        names = with_rungs(start, names) if ladder else names
    display = Display(json)
    playing, left_out = loaded(start, names, out_file if resume else None, ready)
    with agents_print_aside(), command_errors(), display.live or nullcontext():
        result = run_without_refused(
            start,
            playing,
            left_out,
            games=games,
            openings=openings,
            mode="gauntlet" if gauntlet or ladder else "round-robin",
            seed=seed,
            seconds=seconds,
            clock=clock,
            grace=grace,
            ready=ready,
            memory=memory,
            sprt=sprt,
            workers=workers,
            ray=ray,
            out=out_file,
            resume=resume,
            on_progress=display.show,
            on_wait=display.wait,
        )
    save(result, pgn, sgf, html)
    if json:
        print_data(result)
    else:
        report(result)
    finish(result, out_file, left_out)


# ---- before the first game


def loaded(
    start: Position, names: list[str], path: Path | None, ready: float
) -> tuple[list[Agent], list[str]]:
    """Returns the agents, and why others are left out: those whose modules did not load.

    If the tournament in the file of ``path`` goes on, also those that were left out when it began,
    as they could not play.
    """
    playing, left_out = list[Agent](), list[str]()
    known: set[str] | None = None
    if path is not None and path.exists():
        with suppress(StoreError):  # it is told when the tournament begins
            known = set(read(path)[0]["agents"])
    for name in names:
        try:
            with agents_print_aside():
                agent = make(name)
        except DidNotLoad as error:
            left_out.append(str(error))
            continue
        except (ValueError, TypeError) as error:
            if not NOT_LOADED:
                raise CommandError(str(error)) from error
            left_out.append(f"no agent {name!r}: {'; '.join(NOT_LOADED)}")
            continue
        why = "" if known is None or label(agent) in known else why_not(start, agent, ready)
        if why:
            left_out.append(f"{label(agent)} cannot play {title(start)}: {why}")
        else:
            playing.append(agent)
    if len(playing) < max(start.num_players, 2) and left_out:
        raise CommandError(left_out[0], 1)
    return playing, left_out


def why_not(start: Position, agent: Agent, ready: float) -> str:
    """Returns why an agent of others cannot play, as it says itself; "" if it can, or is ours."""
    if is_trusted(agent) or isinstance(agent, Human):
        return ""
    with (
        agents_print_aside(),
        suppress(NobodyToBlame),  # that does not mean that it cannot play
        isolated([agent], start, ready=ready) as (player,),
    ):
        error = prepared(player, start)
        return "" if error is None else incompatibility(error)
    return ""


def run_without_refused(
    start: Position, playing: list[Agent], left_out: list[str], **options: Any
) -> Tournament:
    """Returns the tournament without agents that cannot play, unless too few are left."""
    while True:
        try:
            return run(start, playing, **options)
        except CannotPlay as error:
            refused = [agent for agent in playing if label(agent) == error.agent]
            if any(map(is_trusted, refused)) or len(playing) - len(refused) < start.num_players:
                raise
            left_out.append(str(error))
            playing = [agent for agent in playing if agent not in refused]


def check_resume(resume: bool, path: Path | None) -> None:
    """Raises CommandError for --resume without a file."""
    if resume and path is None:
        raise CommandError("--resume continues the tournament in a file: name it with --out FILE")


def with_rungs(start: Position, names: list[str]) -> list[str]:
    """Returns the agent of ``names`` and the game's rungs; CommandError unless there is one."""
    if len(names) != 1:
        raise CommandError(f"--ladder needs one agent, not {len(names)}")
    return [*names, *(rung.spec for rung in playable(ladder_for(start)).rungs)]


def playable(ladder: Ladder) -> Ladder:
    """Returns the ladder without the rungs that cannot play; a warning names them."""
    if ladder.missing:
        warn(f"left out of the ladder: {ladder.missing}")
    return ladder.playable()


# ---- while games are played


class Display:
    """Shows the table while games are played, progress and time left, in a terminal only."""

    def __init__(self, json: bool) -> None:
        console = err()
        live = Live(console=console, transient=True, auto_refresh=False)
        self.live = live if console.is_terminal and not json else None
        columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left")
        self._progress = Progress(*columns, console=console)
        self._task = self._progress.add_task("")
        self._shown = 0.0
        self._waits: Counter[str] = Counter()

    def wait(self, name: str) -> None:
        """Says, once, that an agent takes long to get ready."""
        self._waits[name] += 1
        if self.live is not None:
            self.live.update(Text(f"{name} gets ready", "dim"), refresh=True)
        elif self._waits[name] == SILENCE:
            err().print(f"{name} gets ready ...", soft_wrap=True)

    def show(self, result: Tournament) -> None:
        """Draws it again, four times a second at most."""
        if self.live is None or time.monotonic() - self._shown < 0.25:
            return
        self._shown = time.monotonic()
        self._progress.update(self._task, completed=len(result.games), total=result.planned)
        scores = fitted(result, err())[0]
        self.live.update(Group(scores, self._progress.get_renderable()), refresh=True)


# ---- the result


def save(result: Tournament, pgn: Path | None, sgf: Path | None, html: Path | None) -> None:
    """Writes the files that are requested."""
    start, games = result.start, result.games
    if pgn is not None:
        save_file(pgn, write_pgn(start, games, title(start)))
    with command_errors(1):
        if sgf is not None:
            save_sgf(sgf, start, games)
        if html is not None:
            page = f"{game_heading(start)}: a tournament"
            settings = shown_settings(result.settings, result.plan.how)
            options: dict[str, Any] = {"agents": result.names, "settings": settings}
            data = page_data(start, games, page, table=result.ratings(), **options)
            save_file(html, tournament_html(data))


def report(result: Tournament) -> None:
    """Prints the table, the ratings, and what is known from the games of two agents."""
    console = out()
    heading = f"{title(result.start)}, {len(result.games)} games, {result.plan.how}"
    console.print(heading, style="bold", soft_wrap=True)
    filled, names = fitted(result, console)
    for name, short in names.items():
        if name != short:
            console.print(f"{short} is {name}", soft_wrap=True)
    print_table(filled)
    if models := result.standings.models(names):
        print_usage(models)
    with needs_libraries():
        if result.standings.amounts:
            report_winnings(result.winnings(), names)
        if len(result.names) == 2:
            lines = result.head_to_head().lines()
        else:
            found = result.ratings()
            rows = (
                (
                    names[a.agent],
                    one_decimal(a.elo),
                    interval_of(a),
                    above_next(found.superiority, i),
                )
                for i, a in enumerate(found.ratings)
            )
            columns = "Elo", "95 % interval", "> next"
            print_table(table("agent", *columns, numbers=3, rows=rows))
            lines = found.remarks()
        if result.stopping is not None:
            lines.append(f"SPRT: {result.stopping}")
        for line in lines:
            console.print(line, soft_wrap=True)
    console.print(f"seed: {result.seed}", style="dim")


def fitted(result: Tournament, console: Console) -> tuple[Table, dict[str, str]]:
    """Returns the points of all agents in a table that fits, and the names that they have in it."""
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
    """Prints what all have won per game, and what each two have won against each other."""
    many = len(names) > 2
    columns = [found.unit, "95 % interval", *["rating", "95 % interval"] * many, "> next"]
    won = table("agent", *columns, numbers=len(columns))
    for place, each in enumerate(found.winnings):
        values = (each.mean, each.rating) if many else (each.mean,)
        cells = [text for value in values for text in amount_cells(value)]
        won.add_row(names[each.agent], *cells, above_next(found.superiority, place))
    print_table(won)
    if many:
        rows = (
            (names[met.a], names[met.b], *amount_cells(met.mean), str(met.games))
            for met in found.meetings
        )
        columns = ["against", found.unit, "95 % interval", "games"]
        print_table(table("agent", *columns, numbers=3, rows=rows))
    for line in found.remarks():
        out().print(line, soft_wrap=True)


def amount_cells(found: Interval) -> tuple[str, str]:
    """Returns a mean and its interval, each for a column."""
    limits = "not known" if found.low is None else found.ends("{:+.3f}".format)
    return f"{found.value:+.3f}", limits


def print_data(result: Tournament) -> None:
    """Prints the result and the ratings as JSON."""
    found: dict[str, Any] = {**game_data(result.start), **result.to_dict()}
    with needs_libraries():
        found["ratings"] = result.ratings().to_dict()
        if result.standings.amounts:
            found["winnings"] = result.winnings().to_dict()
        if len(result.names) == 2:
            found["head_to_head"] = result.head_to_head().to_dict()
    print_json(found)


@contextmanager
def needs_libraries() -> Iterator[None]:
    """Yields a context that warns if a library is missing: the points are printed without it."""
    try:
        yield
    except ImportError as error:
        warn(str(error))


def scores(result: Tournament, names: dict[str, str], details: bool = True) -> Table:
    """Returns the points of all by these names, the best first; ``details``: by seat, and times."""
    standings, amounts = result.standings.table(), result.standings.amounts
    failed = any(standing.forfeits.total for standing in standings)
    columns = [*["won/game"] * amounts, "points", "games", "score", "wins", "draws", "losses"]
    columns += [*SEATS[: result.start.num_players], "s/game"] * details + ["forfeits"] * failed
    filled = table("agent", *columns, numbers=len(columns))
    for own in standings:
        games, total = max(own.games, 1), own.score
        cells = [*[f"{own.mean:+.3f}"] * amounts, f"{own.points:g}", str(own.games)]
        cells += [f"{own.points / games:.1%}"]
        cells += map(str, (total.wins, total.draws, total.losses))
        if details:
            seats = (seat.score for seat in own.seats)
            cells += [f"{seat.points / max(seat.games, 1):.1%}" for seat in seats]
            cells += [f"{own.seconds / games:.3f}"]
        filled.add_row(names[own.name], *cells, *[str(own.forfeits)] * failed)
    return filled


def finish(result: Tournament, path: Path | None, left_out: list[str]) -> None:
    """Warns of repeated games, of failures and of agents that are left out.

    The exit code is 130 if it was interrupted, and 1 if agents failed or are left out.
    """
    for why in left_out:
        warn(why)
    tell_printed(
        pair for row in result.games for pair in zip(row.players, row.printed, strict=True)
    )
    games = len(result.games)
    if result.duplicates > 0.25 and games > 2 and not result.start.has_chance:
        warn(f"{result.duplicates:.0%} of {games} games repeat others: use other --openings")
    failed = warn_of_forfeits(row.reason for row in result.games)
    planned = f"{games} of {result.planned} games"
    end("" if result.complete else interrupted(planned, path), bool(left_out) or failed)


def warn_of_forfeits(reasons: Iterable[str]) -> bool:
    """Warns of games that ended early, "" being the reason of others; returns if there are any."""
    counted = Counter(reasons)
    games = counted.total()
    del counted[""]
    for reason, times in counted.most_common(10):
        warn(f"{times} of {games} games forfeited: {reason}")
    return bool(counted)


def interrupted(games: str, path: Path | None) -> str:
    """Tells when it was interrupted, and how to continue."""
    how = "with --out FILE it could be resumed"
    if path is not None:
        words = [word for word in sys.argv[1:] if word != "--resume"]
        how = f"continue with: {shlex.join(['adv-envs', *words, '--resume'])}"
    return f"interrupted after {games}; {how}"
