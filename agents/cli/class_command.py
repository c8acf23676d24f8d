"""Implements ``adv-envs class``: the tournament of a folder of submissions, with a staff."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from adv_envs.literals import call_of, expression, literal
from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import start_position, title
from agents.classroom.class_tournament import (
    FILE,
    ClassSettings,
    ClassTournament,
    LeftOut,
    run_class,
)
from agents.describe import game_data
from agents.match_loop import why_lost
from agents.reports.class_page import (
    ClassRow,
    class_csv,
    class_html,
    class_page_data,
    class_rows,
    forfeits_of,
)
from agents.sandbox import not_enforced
from agents.statistics import in_words

from .console import (
    CommandError,
    Json,
    Seed,
    Workers,
    check_files,
    command_errors,
    end,
    err,
    option,
    out,
    print_json,
    print_table,
    progress_bar,
    save_file,
    table,
    warn,
)

EXAMPLES = (
    "adv-envs class submissions --game connect_four --seconds 1",
    'adv-envs class submissions --game "hex(size=7)" --games 8 --seed 2026',
    'adv-envs class submissions --game othello --staff "greedy()" --staff staff/rush.py',
    "adv-envs class submissions --game kalah --no-staff --csv results.csv",
)

PAGE = "class.html"

COLUMNS = "Elo", "95 %", "+", "=", "-", "failed", "s/move"
"""The columns of the table, after rank and name; games that failed are among those lost."""

GAME = 'The game: connect_four, or with parameters, "hex(size=7)".'
GAMES = "Games of each pairing; an even number, as each opening is played from both seats."
OPENINGS = "How games begin, as in a tournament; by default as those of the game's ladder."
STAFF = "An agent or a file to play against all, instead of the usual staff; may be repeated."
READY = "Time to load a submission, and for its first move."


def class_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder with the files, one for each student.")
    ],
    game: Annotated[str, option(GAME, "GAME", "--game")],
    games: Annotated[int, option(GAMES, "N")] = 4,
    openings: Annotated[str | None, option(OPENINGS, "KIND")] = None,
    seed: Seed = None,
    seconds: Annotated[float, option("Time for each move.", "S")] = 1.0,
    ready: Annotated[float, option(READY, "S")] = 20.0,
    memory: Annotated[int, option("Memory of each submission.", "MB")] = 512,
    staff: Annotated[list[str] | None, option(STAFF, "AGENT", "--staff")] = None,
    no_staff: Annotated[bool, option("Without a staff.", None, "--no-staff")] = False,
    workers: Workers = None,
    out_file: Annotated[
        Path | None, option(f"Keep every game in FILE: DIR/{FILE}.", "FILE", "--out")
    ] = None,
    html: Annotated[Path | None, option(f"Write the page to FILE: DIR/{PAGE}.", "FILE")] = None,
    csv: Annotated[Path | None, option("Write the table as CSV.", "FILE")] = None,
    json: Json = False,
) -> None:
    """Plays the tournament of a class: all files of a folder, and a staff of known strength.

    Every .py file of DIR is a submission, whatever its name. It has a function agent(position), a
    class with act(position), or a function of the textbook's game and state. Each runs in a process
    of its own, with limits of time and memory, without network, and writes into a folder of its own
    only. What does not load is listed with its traceback; the others play. Who plays an illegal
    move, takes too long or fails loses that game.
    All submissions play each other and the staff, whose Elo is known: so all are rated on the same
    scale each year. Every game is kept as it ends: the same command goes on where it was stopped.
    New files join, and nothing is played twice; a file that has changed plays anew.
    """
    if no_staff and staff:
        raise CommandError("either --staff or --no-staff, not both")
    with command_errors():
        start = class_game(game)
        settings = ClassSettings(games, seed, seconds, ready, memory, openings)
        require_folder(folder)
        for library in ("scipy.optimize", "jinja2"):
            optional_library(library, "class needs", "lab")
    html = folder / PAGE if html is None else html
    check_files(out_file, html, csv)
    for what in not_enforced():
        warn(what)
    with command_errors(), ClassDisplay(json) as display:
        result = run_class(
            start,
            folder,
            settings,
            staff=[] if no_staff else staff,
            workers=workers,
            out=out_file,
            on_load=display.loading,
            on_wait=display.waiting,
            on_progress=display.playing,
        )
    finish_class(result, html, csv, json)


def class_game(text: str) -> Position:
    """Returns the start of a game with its parameters, "hex(size=7)"; ValueError for others."""
    try:
        name, values = call_of(expression(text))
        parameters = {key: literal(value) for key, value in values.items()}
    except ValueError:
        raise ValueError(
            f'a game is written connect_four or "hex(size=7)", not {text!r}; see: adv-envs games'
        ) from None
    return start_position(name.lower(), **parameters)


def require_folder(folder: Path) -> None:
    """Raises ValueError unless there is such a folder."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise ValueError(f"{folder} {what}: name the folder in which the submissions are")


# ---- while it runs


class ClassDisplay:
    """Shows what is loaded and how many games are played, in a terminal only."""

    def __init__(self, json: bool) -> None:
        self._bar = progress_bar("Loading", json=json)

    def __enter__(self) -> ClassDisplay:
        self._update = self._bar.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)

    def loading(self, done: int, total: int, name: str) -> None:
        """Shows that a submission is loaded."""
        self._update(done, f"Loading {name}", total)

    def waiting(self, name: str) -> None:
        """Shows that one of the staff gets ready."""
        self._update(0, f"{name} gets ready")

    def playing(self, result: ClassTournament) -> None:
        """Shows how many games are played."""
        self._update(len(result.tournament.games), "Games", result.tournament.planned)


# ---- the result


def finish_class(result: ClassTournament, html: Path, csv: Path | None, json: bool) -> None:
    """Writes the files, prints the table, and exits: 130 if interrupted, 1 if nobody loaded."""
    data: dict[str, Any] | None = None
    if result.members:
        with command_errors(1):
            data = class_page_data(result)
            save_file(html, class_html(data))
    rows = [ClassRow(**row) for row in data["rows"]] if data else class_rows(result, {})
    if csv is not None:
        save_file(csv, class_csv(rows))
    if json:
        print_json(class_json(result, rows))
    else:
        print_class(result, rows)
        if data is not None:
            err().print(f"All games, and what was printed: {html}", style="dim", soft_wrap=True)
    for each in () if json else result.left_out:
        print_failure(each)
    if result.problem:
        again = shlex.join(["adv-envs", *sys.argv[1:]])
        raise CommandError(f"{result.problem}; go on with: {again}", 1)
    played, planned = len(result.tournament.games), result.tournament.planned
    again = shlex.join(["adv-envs", *sys.argv[1:]])
    stopped = f"interrupted after {played} of {planned} games; go on with: {again}"
    if not planned:
        warn("no game was played: nobody is there to play against")
    nobody = all(member.key.staff for member in result.members)
    end("" if result.complete else stopped, nobody)


def print_class(result: ClassTournament, rows: list[ClassRow]) -> None:
    """Prints the table, the strongest first."""
    tournament = result.tournament
    heading = f"{title(tournament.start)}, {len(tournament.games)} games, {tournament.plan.how}"
    out().print(heading, style="bold", soft_wrap=True)
    filled = table("rank", "name", *COLUMNS, numbers=len(COLUMNS))
    for row in rows:
        if row.kind != "not loaded":
            filled.add_row(*cells_of(row))
    print_table(filled)
    print_notes(rows)
    print_forfeits(result, rows)
    for each in result.former:
        why = {"changed": "has changed", "gone": "is gone"}.get(each.why, "did not load")
        file = "it" if each.why == "not loaded" else "the earlier file"
        old = f"{each.games} games of {file} do not count"
        out().print(f"{each.member.key.name} {why}: {old}", soft_wrap=True)
    out().print(f"seed: {tournament.seed}", style="dim")


def print_notes(rows: list[ClassRow]) -> None:
    """Prints who the staff are, what did not load, and other notes, a line for each."""
    words = {"staff": ", of the staff, is", "not loaded": " did not load:", "submission": " is"}
    for row in rows:
        if row.note and row.name != row.note:
            out().print(f"{row.name}{words[row.kind]} {row.note}", soft_wrap=True)
        if row.look_at:
            out().print(f"{row.name}, to be looked at: {row.look_at}", soft_wrap=True)


def print_forfeits(result: ClassTournament, rows: list[ClassRow]) -> None:
    """Prints by what submissions lost games, each with an example."""
    games = result.games()
    for row in rows:
        for cause, lost in forfeits_of(games, row.name).items():
            times = "1 game" if len(lost) == 1 else f"{len(lost)} games"
            said = f"{row.name} lost {times}: {cause}; such as game {lost[0].number + 1}:"
            out().print(f"{said} {why_lost(lost[0].reason)}", soft_wrap=True)


def cells_of(row: ClassRow) -> list[str]:
    """Returns a row as the table has it."""
    limits = in_words(row.low, row.high, rounded)
    if row.low is row.high is None:
        limits = "not known"
    elif row.low == row.high:
        limits = "known"
    rank = "staff" if row.rank is None else str(row.rank)
    time = "" if row.seconds_per_move is None else f"{row.seconds_per_move:.3f}"
    counts = map(str, (row.wins, row.draws, row.losses, row.forfeits or ""))
    return [rank, row.name, rounded(row.elo or 0.0), limits, *counts, time]


def rounded(elo: float) -> str:
    """Returns Elo without decimals; what rounds to zero has no sign."""
    return f"{round(elo):d}"


def print_failure(left_out: LeftOut) -> None:
    """Prints why a submission did not load: its traceback, and what it printed."""
    console = err()
    console.print(f"\n{left_out.path} did not load:", style="bold", soft_wrap=True)
    console.print(Text(left_out.error.rstrip()), soft_wrap=True)
    if left_out.printed:
        console.print(Text(f"it printed:\n{left_out.printed.rstrip()}", "dim"), soft_wrap=True)


def class_json(result: ClassTournament, rows: list[ClassRow]) -> dict[str, Any]:
    """Returns the result as plain data, for JSON."""
    found = result.tournament
    return {
        **game_data(found.start),
        "settings": found.settings,
        "opened": found.plan.how,
        "planned": found.planned,
        "played": len(found.games),
        "complete": result.complete,
        "table": [asdict(row) for row in rows],
        "not_loaded": [asdict(each) for each in result.left_out],
        "former": [
            {
                "name": each.member.key.name,
                "digest": each.member.key.digest,
                "games": each.games,
                "points": each.points,
                "why": each.why,
            }
            for each in result.former
        ],
        "games": [asdict(game) for game in result.games()],
    }
