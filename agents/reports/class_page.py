"""Makes the results of a class: rows for a table, a file of CSV, and a page with all games.

``class_page_data`` has everything as plain data, ``class_html`` makes the page of it: that of a
tournament (``tournament_page``), preceded by the submissions, with what did not load, how games
were forfeited and what was printed. No code of a submission is on the page: of tracebacks it has
the places and the error.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from typing import Any

from adv_envs.registry import title
from agents.arena.game_record import GameRecord
from agents.classroom.class_tournament import ClassTournament, settings_in_words
from agents.classroom.import_checks import FORBIDDEN, findings
from agents.classroom.platforms import spreadsheet_cell
from agents.match_loop import why_lost
from agents.submitted import Submission

from .page import render
from .tournament_page import page_data, tournament_values

MOST_PRINTED = 20_000
"""Characters that the page has of what one submission printed in its games."""

MOST_SUSPICIONS = 5
"""Suspicious names of a submission that are listed."""


@dataclass(frozen=True)
class ClassRow:
    """Describes how one of the class, or of the staff, did."""

    rank: int | None
    """Among the submissions, from 1; None of the staff and of what did not load."""
    name: str
    kind: str
    """What it is: "submission", "staff" or "not loaded"."""
    elo: float | None = None
    low: float | None = None
    """The ends of the 95 % interval, None where there is no limit."""
    high: float | None = None
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """How many games it lost by failing."""
    causes: str = ""
    """By what: "3 out of time, 1 with an error"."""
    seconds_per_move: float | None = None
    lines_printed: int = 0
    note: str = ""
    """What a teacher should know, such as that another file is the same; the spec of the staff."""
    look_at: str = ""
    """What in its text a person should look at, such as "agents.make (line 1)"; not on the page."""


# ---- failures in words

CAUSES = (
    ("MemoryError", "out of memory"),
    ("was not ready", "not ready in time"),
    ("sent what is no answer", "with no answer"),
    ("its process", "with its process ended"),
    ("printed or wrote more", "with too much printed"),
)
"""What is found in the reason of a forfeit, and what it means in a word or two."""

FAULT_WORDS = {"illegal": "with an illegal move", "time": "out of time", "crash": "with an error"}


def cause_of(game: GameRecord) -> str:
    """Returns by what a game was forfeited, in a word or two; "" if it was not."""
    if game.fault not in FAULT_WORDS:
        return ""
    found = (words for part, words in CAUSES if part in game.reason)
    return next(found, FAULT_WORDS[game.fault])


def forfeits_of(games: Iterable[GameRecord], name: str) -> dict[str, list[GameRecord]]:
    """Returns the games that an agent forfeited, by what, the most frequent cause first."""
    found = defaultdict[str, list[GameRecord]](list)
    for game in games:
        if game.fault in FAULT_WORDS and game.players[game.loser or 0] == name:
            found[cause_of(game)].append(game)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def in_short(forfeits: Mapping[str, list[GameRecord]]) -> str:
    """Returns forfeits as a table has them: "3 out of time, 1 with an illegal move"."""
    return ", ".join(f"{len(lost)} {cause}" for cause, lost in forfeits.items())


def without_source(traceback: str) -> str:
    """Returns a traceback without the lines of code in it: the places, and the error."""
    return "\n".join(line for line in traceback.splitlines() if not line.startswith("    "))


def error_line(traceback: str) -> str:
    """Returns the error at the end of a traceback, without the places and without what follows."""
    lines = traceback.strip().splitlines() or [""]
    places = [number for number, line in enumerate(lines) if line.startswith(" ")]
    return lines[min(places[-1] + 1 if places else 0, len(lines) - 1)]


# ---- the rows


def class_rows(result: ClassTournament, data: Mapping[str, Any]) -> list[ClassRow]:
    """Returns a row for all that play, the strongest first, then for what did not load.

    ``data`` is what ``page_data`` has of its games; empty where nobody plays.
    """
    staff = {result.shown[label]: each.spec for label, each in result.staff.items()}
    games, notes, rank, rows = result.games(), notes_of(result), 0, list[ClassRow]()
    suspicious = {each.submission.name: suspicions_of(each.submission) for each in result.loadings}
    for rating in data["table"]["ratings"] if data else ():
        name, own = rating["agent"], data["agents"][rating["agent"]]
        rank += name not in staff
        moves = own["moves"] + sum(own["faults"].values())
        counted = {key: rating[key] for key in ("elo", "low", "high", "games", "wins", "draws")}
        rows.append(
            ClassRow(
                None if name in staff else rank,
                name,
                "staff" if name in staff else "submission",
                **counted,
                losses=rating["losses"],
                forfeits=sum(map(len, forfeits_of(games, name).values())),
                causes=in_short(forfeits_of(games, name)),
                seconds_per_move=own["seconds"] / moves if moves else None,
                lines_printed=sum(len(text.splitlines()) for _, text in printed_by(games, name)),
                note=staff.get(name, notes.get(name, "")),
                look_at="" if name in staff else suspicious.get(name, ""),
            )
        )
    for each in result.left_out:
        row = ClassRow(None, each.name, "not loaded", note=error_line(each.error))
        rows.append(replace(row, look_at=suspicious.get(each.name, "")))
    return rows


def suspicions_of(submission: Submission) -> str:
    """Returns what in the text of a submission a person should look at; "" if there is nothing.

    These are modules that students may not use by default, names of agents that search or solve,
    and ways around imports. The class from which agents are derived is no reason.
    """
    lines: dict[str, int] = {}
    for found in findings(submission.source, FORBIDDEN):
        if found.what != "agents.Agent":
            lines.setdefault(found.what, found.line)
    said = [f"{what} (line {line})" for what, line in sorted(lines.items(), key=itemgetter(1))]
    return ", ".join(said[:MOST_SUSPICIONS]) + ", ..." * (len(said) > MOST_SUSPICIONS)


def notes_of(result: ClassTournament) -> dict[str, str]:
    """Returns what a teacher should know of a submission, by name: files that are the same."""
    by_digest = defaultdict[str, list[str]](list)
    for loading in result.loadings:
        by_digest[loading.submission.digest].append(loading.submission.name)
    notes = {}
    for names in by_digest.values():
        for name in names if len(names) > 1 else ():
            notes[name] = f"the same file as {', '.join(n for n in names if n != name)}"
    return notes


def printed_by(games: Iterable[GameRecord], name: str) -> list[tuple[GameRecord, str]]:
    """Returns what an agent printed, game by game."""
    return [
        (game, text)
        for game in games
        for player, text in zip(game.players, game.printed, strict=True)
        if player == name and text
    ]


def class_csv(rows: Iterable[ClassRow]) -> str:
    """Returns the rows as CSV, with a heading."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ClassRow.__dataclass_fields__)
    for row in rows:
        values = ("" if value is None else value for value in asdict(row).values())
        writer.writerow(f"{v:.4g}" if isinstance(v, float) else spreadsheet_cell(v) for v in values)
    return text.getvalue()


# ---- the page


def class_page_data(result: ClassTournament) -> dict[str, Any]:
    """Returns everything about a class as plain data; needs the extra ``lab``."""
    start = result.tournament.start
    settings = {name: str(value) for name, value in settings_in_words(result).items()}
    names = list(result.shown.values())
    data = page_data(
        start, result.games(), f"{title(start)}: a class", agents=names, settings=settings,
        table=result.ratings(),
    )  # fmt: skip
    rows = class_rows(result, data)
    return {
        **data,
        "planned": result.tournament.planned,
        "rows": [asdict(row) for row in rows],
        "submissions": [_details(result, row) for row in rows if row.kind != "staff"],
        "former": [
            {
                "name": each.member.key.name,
                "digest": each.member.key.digest[:8],
                "games": each.games,
                "points": each.points,
                "why": each.why,
            }
            for each in result.former
        ],
    }


def _details(result: ClassTournament, row: ClassRow) -> dict[str, Any]:
    """Returns what the page tells of one submission beside its row."""
    loading = next((each for each in result.loadings if each.submission.name == row.name), None)
    out = next((each for each in result.left_out if each.name == row.name), None)
    before = loading.printed if loading else ""
    games, printed, left = result.games(), [], MOST_PRINTED
    for game, text in printed_by(games, row.name):
        kept = text[:left]
        left -= len(kept)
        if kept:
            printed.append({"game": game.number, "text": kept})
    return {
        "name": row.name,
        "form": loading.form if loading else "",
        "error": without_source(out.error) if out else "",
        "loading": before[:MOST_PRINTED],
        "printed": printed,
        "cut": not left,
        "forfeits": [
            {
                "cause": cause,
                "games": [game.number for game in lost],
                "example": why_lost(lost[0].reason),
            }
            for cause, lost in forfeits_of(games, row.name).items()
        ],
    }


def class_html(data: Mapping[str, Any]) -> str:
    """Returns the page of what ``class_page_data`` returned, in one file."""
    numbered = {own["name"]: number for number, own in enumerate(data["submissions"], 1)}
    return render("class.html.j2", **tournament_values(data), numbered=numbered)
