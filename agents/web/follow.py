"""The pages that follow files: a tournament that is played, report cards, trainings.

``/follow`` lists what is followed, ``/follow/0`` shows the first. The files are those of the
command line; pages name them by number. A page asks every second for what has changed after the
version that it has, which it gets at once; the file is then read again, in a process of its own,
one file at a time, and the longer that takes the less often. A file that nobody looks at is not
read.
"""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .followed import read, read_game
from .pages import render

EVERY, PATIENCE = 1.0, 4.0
"""Seconds between two readings of a file at least, and how many times as long as the last took."""
LONGEST = 120.0
"""Seconds that a reading may take, and the longest pause between two."""
LIBRARIES = ("jinja2", "scipy.optimize", "scipy.stats")
"""What readings need; loaded before the first, so that it is not long."""
STYLES = {"db": ["tournament.css"], "card": ["report_card.css"], "training": ["training.css"]}
KINDS = {"db": "Tournament", "card": "Report card", "training": "Training"}


class Source(NamedTuple):
    """What is followed: the option that names it, "db", "card" or "training", and its files."""

    kind: str
    paths: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its files, as they were named."""
        return ", ".join(self.paths)


class Reader:
    """A process that reads files, begun when it is needed."""

    def __init__(
        self, memory: int | None, modules: Sequence[str] = (), seconds: float = LONGEST
    ) -> None:
        self.memory, self.modules, self.seconds = memory, tuple(modules), seconds
        self._process: Any = None
        self._connection: Connection | None = None
        self._busy = asyncio.Lock()

    async def read(self, source: Source, signature: Any) -> dict[str, Any]:
        """See ``followed.read``; also a problem if it takes too long, or the process ends."""
        async with self._busy:
            return await asyncio.to_thread(self._ask, source, signature)

    def _ask(self, source: Source, signature: Any) -> dict[str, Any]:
        connection = self._connection or self._begin()
        try:
            connection.send((*source, signature))
            if not connection.poll(self.seconds):
                self.close()
                return {"problem": f"reading it takes longer than {self.seconds:g} s"}
            found: dict[str, Any] = connection.recv()
        except (EOFError, OSError):
            self.close()
            return {"problem": "the process that reads it has ended: it may need more memory"}
        return found

    def _begin(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve_files, args=(theirs, self.memory, self.modules), name="follow", daemon=True
        )
        self._process.start()
        theirs.close()
        return self._connection

    def close(self) -> None:
        """End the process."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None:
            process.kill()
            process.join()
        if connection is not None:
            connection.close()


def serve_files(connection: Connection, memory: int | None, modules: Sequence[str]) -> None:
    """Read files until the connection ends: the main function of the process."""
    from agents.arena.isolation import limit_memory

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    for module in (*modules, *LIBRARIES):
        importlib.import_module(module)
    if memory is not None and sys.platform == "linux":
        limit_memory(memory)
    with suppress(EOFError, OSError):
        while True:
            wanted = connection.recv()
            began = time.monotonic()
            connection.send({**read(*wanted), "seconds": time.monotonic() - began})


class Followed:
    """What is followed, as it was when it was read last.

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
        """What has changed after a version."""
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
        """Read the file again, unless that is being done or was done a moment ago."""
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
        """How long it will take, if it goes on as it went while it was followed."""
        total, done = self.state.get("total"), self.state.get("done")
        if total is None or done is None or self.state["state"] != "running":
            return None
        (began, first), (now, last) = self._counts[0], self._counts[-1]
        return None if last <= first else (now - began) / (last - first) * (total - done)


class Follower:
    """All that is followed, and its pages."""

    def __init__(
        self, sources: Sequence[Source], memory: int | None = None, modules: Sequence[str] = ()
    ) -> None:
        self.reader = Reader(memory, modules)
        self.followed = [Followed(source, self.reader) for source in sources]

    def close(self) -> None:
        """End the process that reads."""
        self.reader.close()

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/follow", self.index),
            Route("/follow/{number:int}", self.page),
            Route("/api/follow/{number:int}", self.data),
            Route("/api/follow/{number:int}/games/{game:int}", self.game),
        ]

    def find(self, request: Request) -> Followed:
        """What an address is about."""
        number: int = request.path_params["number"]
        if number >= len(self.followed):
            raise HTTPException(404, f"nothing is followed as number {number}")
        return self.followed[number]

    async def index(self, request: Request) -> Response:
        """What is followed."""
        listed = [(KINDS[each.source.kind], each.source.name) for each in self.followed]
        return render("follow_list.html.j2", listed=listed)

    async def page(self, request: Request) -> Response:
        """One of them."""
        source = self.find(request).source
        return render(
            "follow.html.j2",
            number=request.path_params["number"],
            source=source,
            kind=KINDS[source.kind],
            name=", ".join(Path(path).name for path in source.paths),
            styles=STYLES[source.kind],
        )

    async def data(self, request: Request) -> Response:
        """What has changed after the version of the page."""
        found = self.find(request)
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > 20:
            return JSONResponse({"error": "a version is a number"}, 400)
        return JSONResponse(await found.after(int(after)))

    async def game(self, request: Request) -> Response:
        """The pictures of a game."""
        source, number = self.find(request).source, request.path_params["game"]
        try:
            if source.kind != "db" or number >= 2**62:
                raise ValueError("there is no such game")
            return JSONResponse(await asyncio.to_thread(read_game, Path(source.paths[0]), number))
        except (OSError, ValueError, TypeError, LookupError, ArithmeticError) as error:
            return JSONResponse({"error": str(error)}, 404)
