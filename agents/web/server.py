"""The server of the local page: its addresses, its WebSocket, and how it is started.

Pages: ``/`` shows the games, ``/game/NAME`` is the board, to play and to analyse. Their data:

- ``POST /api/position``: a situation (see ``situations``) and perhaps a "move" to be made there;
  answers the state. Bad requests are answered with status 400 and {"error": why}.
- ``GET /api/games/NAME``: what there is to choose: parameters and agents.
- WebSocket ``/api/search``: the page sends {"id", "job", "situation", "options"} and gets messages
  with that id: what the job yields, then {"done"}, or {"error"}. {"stop": id} ends a job. A
  message with an "action" comes with the "state" after it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

import adv_envs.pictures
from adv_envs.pictures.svg import palette_rules
from agents.reports.page import STATIC as REPORTS

from . import gallery, pages
from .catalogue import catalogue
from .jobs import JOBS
from .pool import PoolBusy, SearchEnded, SearchPool
from .security import Guard
from .situations import BadRequest, Situation, Situations

STATIC = Path(__file__).parent / "static"
BOARD = Path(adv_envs.pictures.__file__).parent / "static"
LONGEST_MESSAGE = 200_000
"""Characters of a message of a page's WebSocket."""
MOST_SEARCHES = 4
"""Searches of a page at once."""


@dataclass
class Settings:
    """How the server runs."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    searches: int = 2
    """Processes for searches."""
    seconds: float = 600.0
    """The longest time of a search."""
    memory: int | None = 4096
    """MB of a search's process."""

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/?token={self.token}"


def make_app(settings: Settings) -> Starlette:
    """The page as an ASGI application."""
    situations = Situations()
    pool = SearchPool(settings.searches, settings.seconds, settings.memory)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await pool.close()

    async def position(request: Request) -> Response:
        data = await body(request)
        try:
            return JSONResponse(await asyncio.to_thread(answer, data))
        except BadRequest as error:
            return JSONResponse({"error": str(error)}, 400)

    def answer(data: dict[str, Any]) -> dict[str, Any]:
        situation = situations.read(data)
        if "move" in data:
            situation = situations.played(situation, data["move"])
        return situations.state(situation)

    async def search(websocket: WebSocket) -> None:
        await Searches(websocket, situations, pool).serve()

    async def games(request: Request) -> Response:
        try:
            return JSONResponse(catalogue(request.path_params["name"]))
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 404)

    async def colours(request: Request) -> Response:
        return PlainTextResponse(palette_rules(), media_type="text/css")

    return Starlette(
        lifespan=lifespan,
        routes=[
            Route("/", gallery.gallery),
            Route("/icon.svg", gallery.icon),
            Route("/game/{name}", pages.game),
            Route("/api/position", position, methods=["POST"]),
            Route("/api/games/{name}", games),
            WebSocketRoute("/api/search", search),
            Route("/static/colours.css", colours),
            Mount("/static/board", StaticFiles(directory=BOARD)),
            Mount("/static/reports", StaticFiles(directory=REPORTS)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={404: pages.not_found, 500: pages.failed},
        middleware=[
            Middleware(
                Guard,
                hosts=("127.0.0.1", "localhost", "[::1]"),
                port=settings.port,
                token=settings.token,
            ),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
    )


async def body(request: Request) -> dict[str, Any]:
    """The JSON of a request."""
    try:
        data = json.loads(await request.body())
    except ValueError:
        data = None
    return data if isinstance(data, dict) else {}


class Searches:
    """The searches of one page, over its WebSocket."""

    def __init__(self, websocket: WebSocket, situations: Situations, pool: SearchPool) -> None:
        self.websocket, self.situations, self.pool = websocket, situations, pool
        self.tasks: dict[Any, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Answer until the page is closed."""
        await self.websocket.accept()
        try:
            while True:
                text = await self.websocket.receive_text()
                await self.handle(text)
        except WebSocketDisconnect:
            pass
        finally:
            for task in self.tasks.values():
                task.cancel()

    async def handle(self, text: str) -> None:
        """Begin or stop a search."""
        try:
            data = json.loads(text) if len(text) <= LONGEST_MESSAGE else None
        except ValueError:
            data = None
        match data if isinstance(data, dict) else {}:
            case {"stop": int(number) | str(number)}:
                if number in self.tasks:
                    self.tasks[number].cancel()
            case {"id": int(number) | str(number), "job": str(job), "situation": dict(wanted)}:
                if job not in JOBS or number in self.tasks or len(self.tasks) >= MOST_SEARCHES:
                    await self.send(number, {"error": "too many searches, or none of that name"})
                    return
                options = (data or {}).get("options") or {}
                task = asyncio.create_task(self.search(number, job, wanted, options))
                self.tasks[number] = task
                task.add_done_callback(lambda _: self.tasks.pop(number, None))
            case _:
                await self.send(None, {"error": "this message makes no sense"})

    async def search(self, number: Any, job: str, wanted: Any, options: Any) -> None:
        """Run one search and send what it finds."""
        try:
            situation = await asyncio.to_thread(self.situations.read, wanted)
            plain = {
                "start": situation.start,
                "actions": situation.actions,
                "people": situation.people,
                "over": situation.over,
                "flipped": situation.flipped,
            }
            async with aclosing(self.pool.run(job, plain, options)) as messages:
                async for message in messages:
                    await self.send(number, self.with_state(situation, message))
            await self.send(number, {"done": True})
        except (BadRequest, PoolBusy, SearchEnded) as error:
            await self.send(number, {"error": str(error)})

    def with_state(self, situation: Situation, message: dict[str, Any]) -> dict[str, Any]:
        """A message; one with an action gets the state after it in place of the action."""
        if "action" not in message:
            return message
        action = message.pop("action")
        after = self.situations.after(situation, action)
        return {**message, "state": self.situations.state(after)}

    async def send(self, number: Any, message: dict[str, Any]) -> None:
        """Send a message about search ``number``."""
        await self.websocket.send_text(json.dumps({"id": number, **message}))


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C."""
    import uvicorn

    uvicorn.run(
        make_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        ws_max_size=LONGEST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
