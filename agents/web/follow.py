"""Serves the pages that follow files: a tournament that is played, report cards, trainings.

``/follow`` lists what is followed, ``/follow/0`` shows the first. The files are those of the
command line; pages name them by number. A page asks every second for what has changed after the
version that it has, which it gets at once; the file is then read again, in a process of its own,
one file at a time, and the longer that takes the less often. A file that nobody looks at is not
read.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adv_envs import Position
from adv_envs.registry import name_of, parameters_of, position_of
from agents.arena import store
from agents.arena.game_files import replays
from agents.arena.schedule import pairings_of
from agents.describe import game_heading
from agents.processes import Channel, Child, Closed, LauncherError, limit_memory, start
from agents.reports.page import fragment
from agents.reports.report_card_page import card_values, hidden_values, record_values
from agents.reports.tournament_page import page_data, shown_settings, tournament_values
from agents.reports.training_page import read_runs, training_values

from .pages import render

EVERY, PATIENCE = 1.0, 4.0
"""Seconds between two readings of a file at least, and how many times as long as the last took."""
LONGEST = 120.0
"""Seconds that a reading may take, and the longest pause between two."""
LIBRARIES = ("jinja2", "scipy.optimize", "scipy.stats")
"""What readings need; loaded before the first, so that it is not long."""
STYLES = {"db": ["tournament.css"], "card": ["report_card.css"], "training": ["training.css"]}
KINDS = {"db": "Tournament", "card": "Report card", "training": "Training"}
MOST_GAMES = 200_000
"""Games of a tournament that are read."""
LARGEST = 50_000_000
"""Bytes of a report card."""
LONGEST_GAME = 5000
"""Moves of a game that is drawn."""


# ---- what a process of its own reads: plain data for JSON. No file is changed, no writer waits.

Known = Mapping[str, Any]


def read(kind: str, paths: Sequence[str], signature: Any) -> dict[str, Any]:
    """Returns what is known of files: {"signature", "html", ...}, or {"problem": what is wrong}.

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
    """Returns what changes when a file, or one of a folder or beside a database, changes."""
    beside = (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-lock"))
    inside = (path / "log.jsonl", path / "run.json", *sorted(path.glob("*/log.jsonl")))
    found = []
    for each in (path, *beside, *inside):
        try:
            state = os.stat(each)
        except OSError:
            continue
        found.append([each.name, state.st_mtime_ns, state.st_size, state.st_ino])
    return found


# ---- tournaments


def read_tournament(path: Path) -> dict[str, Any]:
    """Returns a tournament: its page, its games, and how far it is."""
    settings, records = store.read(path)
    if len(records) > MOST_GAMES:
        raise ValueError(f"{path} has {len(records):,} games: at most {MOST_GAMES:,} are followed")
    start = position_of(str(settings["game"]))
    names = list(map(str, settings["agents"]))
    state = progress(settings, len(records), store.in_use(path))
    secret = {"seed": None} if state["state"] == "running" else {}  # all chance is derived from it
    data = page_data(
        start,
        records,
        f"{game_heading(start)}: a tournament",
        agents=names,
        settings=shown_settings(settings | secret),
        seed=int(settings["seed"]),
        games=0,
    )
    keys = ("number", "players", "points", "opening", "plies", "reason")
    return {
        "html": fragment("tournament.html.j2", **tournament_values(data, live=True)),
        "names": sorted(rating["agent"] for rating in data["table"]["ratings"]),
        "games": [{key: game[key] for key in keys} for game in data["games"]],
        "address": address_of(start),
        "done": len(records),
        "at": newest(path),
        **state,
    }


def progress(settings: Known, played: int, in_use: bool) -> dict[str, Any]:
    """Returns the number of games planned, None where it is open, and the state in words."""
    total = None
    if settings.get("mode") not in ("ladder", "class"):
        players = position_of(str(settings["game"])).num_players
        agents, seed = len(settings["agents"]), int(settings["seed"])
        total = len(pairings_of(settings["mode"], agents, players, seed)) * settings["games"]
    if played == total:
        return {"total": total, "state": "complete"}
    if in_use:
        return {"total": total, "state": "running"}
    if total is None or settings.get("sprt"):
        return {"total": total, "state": "ended"}
    return {"total": total, "state": "stopped"}


def newest(path: Path) -> float:
    """Returns when games were added last, in seconds since 1970."""
    log = path.with_name(f"{path.name}-wal")
    return max(each.stat().st_mtime for each in (path, log) if each.exists())


def address_of(start: Position) -> str | None:
    """Returns the address of the board of a game; None where a position has none."""
    if not start.perfect_information or start != start.start():
        return None
    usual = parameters_of(type(start)())
    given = [f"{k}={v}" for k, v in parameters_of(start).items() if v != usual[k]]
    return f"/game/{name_of(start)}" + ("?" + "&".join(given) if given else "")


def read_game(path: Path, number: int) -> dict[str, Any]:
    """Returns the pictures of a game, see ``replays``; ValueError if none has this number."""
    settings, record = store.read_game(path, number)
    start = position_of(str(settings["game"]))
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
    """Returns the page of a report card that ``adv-envs grade --json`` has printed."""
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
    """Returns the learning curves of trainings, side by side, and how far they are."""
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


# ---- the process, and what is known of the files


class Source(NamedTuple):
    """Names what is followed: the option, "db", "card" or "training", and its files."""

    kind: str
    paths: tuple[str, ...]

    @property
    def name(self) -> str:
        """Returns what its files are called, without folders and endings."""
        return ", ".join(Path(path).stem or path for path in self.paths)


class Reader:
    """Runs a process that reads files, begun when it is needed."""

    def __init__(
        self, memory: int | None, modules: Sequence[str] = (), seconds: float = LONGEST
    ) -> None:
        self.memory, self.modules, self.seconds = memory, tuple(modules), seconds
        self._process: Child | None = None
        self._busy = asyncio.Lock()

    async def read(self, source: Source, signature: Any) -> dict[str, Any]:
        """Returns what ``followed.read`` does, or a problem if it is too slow or ends."""
        async with self._busy:
            return await asyncio.to_thread(self._ask, source, signature)

    def _ask(self, source: Source, signature: Any) -> dict[str, Any]:
        try:
            if self._process is None:
                self._process = start(serve_files, [self.memory, self.modules])
            channel = self._process.channel
            channel.send(json.dumps([*source, signature]).encode())
            answer = channel.receive(deadline=time.perf_counter() + self.seconds)
        except TimeoutError:
            self.close()
            return {"problem": f"reading it takes longer than {self.seconds:g} s"}
        except (Closed, LauncherError):
            self.close()
            return {"problem": "the process that reads it has ended: it may need more memory"}
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.end()


def serve_files(channel: Channel, memory: int | None, modules: Sequence[str]) -> None:
    """Reads files until the channel is closed: what the process runs."""
    for module in (*modules, *LIBRARIES):
        importlib.import_module(module)
    limit_memory(memory)
    with suppress(Closed):
        while True:
            wanted = json.loads(channel.receive())
            began = time.monotonic()
            found = {**read(*wanted), "seconds": time.monotonic() - began}
            channel.send(json.dumps(found).encode())


class Followed:
    """Holds what is followed, as it was when it was read last.

    Versions begin with the time, so that those of a server that has gone are older.
    """

    def __init__(self, source: Source, reader: Reader) -> None:
        self.source, self.reader = source, reader
        self.version = self.whole = self.drawn = time.time_ns() // 1000
        """The versions: now, that since which games were only added or changed, of the page."""
        self.html = ""
        self.problem = ""
        self.state: dict[str, Any] = {"state": "reading"}
        self.games: dict[int, tuple[int, dict[str, Any]]] = {}
        """The games, and the version that each is of."""
        self._signature: Any = None
        self._task: asyncio.Task[None] | None = None
        self._due = 0.0
        self._counts: list[tuple[float, int]] = []

    async def after(self, version: int) -> dict[str, Any]:
        """Returns what has changed after a version."""
        self.refresh()
        if self._task is not None and not self.html:
            await asyncio.wait({self._task}, timeout=1.0)
        found = {"version": self.version, "problem": self.problem, **self.state}
        found["left"] = self.seconds_left()
        if self.html and self.drawn > version:
            found["html"] = self.html
        found["all"] = self.whole > version
        found["games"] = [game for changed, game in self.games.values() if changed > version]
        return found

    def refresh(self) -> None:
        """Reads the file again, unless that is being done or was done a moment ago."""
        if self._task is None and time.monotonic() >= self._due:
            self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        seconds = LONGEST
        try:
            found = await self.reader.read(self.source, self._signature)
            seconds = found.pop("seconds", LONGEST)
            if not found.pop("same", False):
                self._accept(found)
        finally:
            self._due = time.monotonic() + max(EVERY, min(PATIENCE * seconds, LONGEST))
            self._task = None

    def _accept(self, found: dict[str, Any]) -> None:
        self.version += 1
        self._signature = found.pop("signature", None)
        self.problem = found.pop("problem", "")
        if found.get("missing"):
            self.state = {**self.state, "state": "missing"}
            return
        if self.problem:
            self.state = {**self.state, "state": "unreadable"}
            return
        html, games = found.pop("html"), found.pop("games", [])
        if html != self.html:
            self.html, self.drawn = html, self.version
        old, self.games = self.games, {}
        for game in games:
            known = old.pop(game["number"], None)
            same = known is not None and known[1] == game
            self.games[game["number"]] = known if known and same else (self.version, game)
        if old:  # games have gone: it is another file, or the end of a test
            self.whole = self.version
            self.games = {n: (self.version, game) for n, (_, game) in self.games.items()}
        self.state = found
        if "done" in found:
            self._counts = [*self._counts[-59:], (time.monotonic(), found["done"])]

    def seconds_left(self) -> float | None:
        """Returns how long it will take, if it goes on as it went while it was followed."""
        total, done = self.state.get("total"), self.state.get("done")
        if total is None or done is None or self.state["state"] != "running":
            return None
        (began, first), (now, last) = self._counts[0], self._counts[-1]
        return None if last <= first else (now - began) / (last - first) * (total - done)


class Follower:
    """Holds all that is followed, and its pages."""

    def __init__(
        self, sources: Sequence[Source], memory: int | None = None, modules: Sequence[str] = ()
    ) -> None:
        self.reader = Reader(memory, modules)
        self.followed = [Followed(source, self.reader) for source in sources]

    def close(self) -> None:
        """Ends the process that reads."""
        self.reader.close()

    @property
    def routes(self) -> list[Route]:
        """Returns the addresses."""
        return [
            Route("/follow", self.index),
            Route("/follow/{number:int}", self.page),
            Route("/api/follow/{number:int}", self.data),
            Route("/api/follow/{number:int}/games/{game:int}", self.game),
        ]

    def find(self, request: Request) -> Followed:
        """Returns what an address is about."""
        number: int = request.path_params["number"]
        if number >= len(self.followed):
            raise HTTPException(404, f"nothing is followed as number {number}")
        return self.followed[number]

    async def index(self, request: Request) -> Response:
        """Returns what is followed."""
        listed = [(KINDS[each.source.kind], each.source) for each in self.followed]
        return render("follow_list.html.j2", listed=listed)

    async def page(self, request: Request) -> Response:
        """Returns one of them."""
        source = self.find(request).source
        return render(
            "follow.html.j2",
            number=request.path_params["number"],
            source=source,
            kind=KINDS[source.kind],
            name=source.name,
            styles=STYLES[source.kind],
        )

    async def data(self, request: Request) -> Response:
        """Returns what has changed after the version of the page."""
        found = self.find(request)
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > 20:
            return JSONResponse({"error": "a version is a number"}, 400)
        return JSONResponse(await found.after(int(after)))

    async def game(self, request: Request) -> Response:
        """Returns the pictures of a game."""
        source, number = self.find(request).source, request.path_params["game"]
        try:
            if source.kind != "db" or number >= 2**62:
                raise ValueError("there is no such game")
            return JSONResponse(await asyncio.to_thread(read_game, Path(source.paths[0]), number))
        except (OSError, ValueError, TypeError, LookupError, ArithmeticError) as error:
            return JSONResponse({"error": str(error)}, 404)
