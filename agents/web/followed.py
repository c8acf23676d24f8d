"""What is known of a file that is followed: read, counted and drawn, in a process of its own.

The functions return plain data for JSON: ``html``, the page of the file without its frame, and what
is beside it. They never change a file, nor make its writer wait. What is wrong with a file is a
ValueError or an OSError, and the message says what.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.registry import name_of, parameters_of, position_of, title
from agents.arena import store
from agents.arena.game_files import replays
from agents.arena.schedule import pairings_of
from agents.reports.exploitability_page import hidden_values
from agents.reports.page import fragment
from agents.reports.report_card_page import card_values, record_values
from agents.reports.tournament_page import page_data, shown_settings, tournament_values
from agents.reports.training_page import read_runs, training_values

MOST_GAMES = 200_000
"""Games of a tournament that are read."""
LARGEST = 50_000_000
"""Bytes of a report card."""
LONGEST_GAME = 5000
"""Moves of a game that is drawn."""

Known = Mapping[str, Any]


def read(kind: str, paths: Sequence[str], signature: Any) -> dict[str, Any]:
    """What is known of files: {"signature", "html", ...}, or {"problem": what is wrong}.

    {"same": True} if their ``signature`` is this one still, {"missing": True} if there are none.
    """
    now = [signature_of(Path(path)) for path in paths]
    if now == signature:
        return {"same": True}
    if not any(now):
        return {"signature": now, "missing": True}
    try:
        found = READERS[kind](*map(Path, paths))
    except MemoryError:
        found = {"problem": "there is not enough memory to read it"}
    except Exception as error:  # whatever another program has written into the file
        ours = isinstance(error, OSError | ValueError | ImportError)
        said = str(error) if ours else f"{type(error).__name__}: {error}"
        found = {"problem": said if ours else f"it is damaged, or not what it seems ({said})"}
    return {"signature": now, **found}


def signature_of(path: Path) -> Any:
    """What changes when a file, or one of a folder or beside a database, changes."""
    beside = (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-lock"))
    inside = (path / "log.jsonl", path / "run.json", *sorted(path.glob("*/log.jsonl")))
    found = []
    for each in (path, *beside, *inside):
        try:
            state = os.stat(each)
        except OSError:
            continue
        found.append((each.name, state.st_mtime_ns, state.st_size, state.st_ino))
    return found


# ---- tournaments


def read_tournament(path: Path) -> dict[str, Any]:
    """A tournament: its page, its games, and how far it is."""
    settings, rows = store.read(path)
    if len(rows) > MOST_GAMES:
        raise ValueError(f"{path} has {len(rows):,} games: at most {MOST_GAMES:,} are followed")
    start = position_of(str(settings["game"]))
    records = [row.record() for row in rows]
    names = list(map(str, settings["agents"]))
    data = page_data(
        start,
        records,
        f"{title(start)}: a tournament",
        agents=names,
        settings=shown_settings(settings),
        seed=int(settings["seed"]),
        games=0,
    )
    keys = ("number", "players", "points", "opening", "plies", "reason")
    return {
        "html": fragment("tournament.html.j2", **tournament_values(data, live=True)),
        "names": sorted(names),
        "games": [{key: game[key] for key in keys} for game in data["games"]],
        "address": address_of(start),
        "done": len(records),
        "at": newest(path),
        **progress(settings, len(records), store.in_use(path)),
    }


def progress(settings: Known, played: int, in_use: bool) -> dict[str, Any]:
    """The number of games that are planned, None where it is open; and the state in words."""
    total = None
    if settings.get("mode") != "ladder":
        total = len(pairings_of(settings["mode"], len(settings["agents"]))) * settings["games"]
    if played == total:
        return {"total": total, "state": "complete"}
    if in_use:
        return {"total": total, "state": "running"}
    if total is None or settings.get("sprt"):
        return {"total": total, "state": "ended"}
    return {"total": total, "state": "stopped"}


def newest(path: Path) -> float:
    """When games were added last, in seconds since 1970."""
    log = path.with_name(f"{path.name}-wal")
    return max(each.stat().st_mtime for each in (path, log) if each.exists())


def address_of(start: Position) -> str | None:
    """The address of the board of a game; None where a position has none."""
    if not start.perfect_information or start != start.start():
        return None
    usual = parameters_of(type(start)())
    given = [f"{k}={v}" for k, v in parameters_of(start).items() if v != usual[k]]
    return f"/game/{name_of(start)}" + ("?" + "&".join(given) if given else "")


def read_game(path: Path, number: int) -> dict[str, Any]:
    """The pictures of a game, see ``replays``; ValueError if there is none of this number."""
    settings, row = store.read_game(path, number)
    record, start = row.record(), position_of(str(settings["game"]))
    actions = (*record.opening, *record.actions)
    if len(actions) > LONGEST_GAME:
        raise ValueError(f"a game of {len(actions)} moves is too long to be drawn")
    position = start
    for action in actions:
        if position.is_terminal() or not position.legal(action):
            raise ValueError(f"the game is damaged: move {action} is not legal")
        position = position.play(action)
    found = replays(start, [record], 1, 10**9)
    return {"box": found["box"], "shapes": found["shapes"], **found["games"][str(number)]}


# ---- report cards and trainings


def read_card(path: Path) -> dict[str, Any]:
    """The page of a report card that ``adv-envs grade --json`` has printed."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path} is too large for a report card")
    try:
        data = json.loads(path.read_text("utf-8"))
    except ValueError:  # no JSON, or no text
        raise ValueError(
            f"{path} is no report card, or not all of it: write it with "
            "`adv-envs grade ... --json > FILE`"
        ) from None
    if not isinstance(data, dict) or "game" not in data:
        raise ValueError(f"{path} is no report card: `adv-envs grade ... --json` prints one")
    if "against_each_other" in data:
        html = fragment("exploitability.html.j2", **hidden_values(data))
    elif "players" in data:
        values = record_values(data, address=address_of)
        html = fragment("graded_games.html.j2", **values)
    else:
        html = fragment("report_card.html.j2", **card_values(data, address=address_of))
    return {"html": html, "state": "complete"}


def read_training(*folders: Path) -> dict[str, Any]:
    """The learning curves of trainings, side by side, and how far they are."""
    runs = read_runs(folders)
    if not any(run.lines for run in runs):
        raise ValueError(
            "no training has been graded yet: its log.jsonl is looked for in "
            + ", ".join(map(str, folders))
        )
    return {
        "html": fragment("training.html.j2", **training_values(runs)),
        "state": "complete" if all(run.complete for run in runs) else "graded",
        "at": max(run.graded for run in runs),
    }


READERS: dict[str, Callable[..., dict[str, Any]]] = {
    "db": read_tournament,
    "card": read_card,
    "training": read_training,
}
"""What reads a file, by the option that names it."""
