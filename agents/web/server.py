"""Runs the server of the local page: its addresses, its WebSocket, and how it is started.

Pages: ``/`` shows the games, ``/game/NAME`` is the board, to play and to analyse;
``/follow`` leads to the files that are followed (see ``follow``). Their data:

- ``POST /api/position``: a game at a position (see ``game_states``) and perhaps a "move" to
  be made there; answers the state. Bad requests are answered with status 400 and {"error": why}.
- ``POST /api/line``: "game", "parameters" and a "text", moves or a file of the game; answers the
  line that is in it. ``POST /api/texts``: the same; answers its line in the game's formats.
- ``GET /api/games/NAME?size=7``: what there is to choose: parameters and agents.
- WebSocket ``/api/search``: the page sends {"id", "job", "game_state", "options"} and gets messages
  with that id: what the job yields, then {"done"}, or {"error"}. {"stop": id} ends a job. A
  message with moves that were "played" comes with the "state" after them instead.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

import adv_envs.pictures
import agents.engines
from adv_envs.pictures.svg import palette_rules
from adv_envs.registry import GAMES
from agents.engines.plans import FOLDER as MODULES
from agents.reports.page import STATIC as REPORTS

from . import pages
from .answers import ANSWERS, STATES, RequestAnswer
from .catalogue import answer_plan, catalogue
from .follow import Follower, Source
from .game_form import read_parameters
from .game_states import BadRequest, GameStates, shown_after
from .pool import PoolBusy, SearchEnded, SearchPool
from .python_jobs import JOBS
from .security import MOST_CONNECTIONS, Guard, PatientConnection, new_token

Handler = Callable[[Request], Awaitable[Response]]

STATIC = Path(__file__).parent / "static"
ENGINES = Path(agents.engines.__file__).parent / "static"
BOARD = Path(adv_envs.pictures.__file__).parent / "static"
LONGEST_MESSAGE = 200_000
"""Characters of a message of a page's WebSocket."""
MOST_SEARCHES = 4
"""Searches of a page at once."""
MOST_PAGES = 64
"""WebSockets at once."""
MOST_REFUSED = 100
"""Messages in a row that make no sense, until a WebSocket is closed."""


@dataclass
class Settings:
    """Says how the server runs."""

    lan: tuple[str, ...] = ()
    """The addresses of IPv4 in local networks by which the server goes as well."""
    port: int = 8000
    token: str = field(default_factory=new_token)
    searches: int = max(3, min(8, os.cpu_count() or 1))
    """Processes for searches, at most."""
    seconds: float = 600.0
    """The longest time of a search."""
    memory: int | None = 4096
    """MB of a search's process."""
    modules: tuple[str, ...] = ()
    """Modules that register the user's games and agents."""
    named: tuple[str, ...] = ()
    """Specs of agents that pages may play with beside those of ``agents.allow_list``."""
    followed: tuple[Source, ...] = ()
    """The files that are followed."""

    def address(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Returns what to open in a browser for the page at a path."""
        return f"http://{host}:{self.port}{path}?token={self.token}"


def make_app(settings: Settings) -> Starlette:
    """Returns the page as an ASGI application."""
    page = LocalPage(settings)
    guard = Middleware(
        Guard,
        hosts=("127.0.0.1", "localhost", *settings.lan),
        port=settings.port,
        token=settings.token,
    )
    return Starlette(
        lifespan=page.lifespan,
        routes=page.routes(),
        exception_handlers={404: pages.not_found, 500: pages.failed},
        middleware=[guard, Middleware(GZipMiddleware, minimum_size=1000)],
    )


class LocalPage:
    """Holds what the addresses answer, and the processes behind them."""

    def __init__(self, settings: Settings) -> None:
        self.states = STATES
        self.pool = SearchPool(
            settings.searches,
            settings.seconds,
            settings.memory,
            modules=settings.modules,
            named=settings.named,
        )
        self.named = settings.named
        self.follower = Follower(settings.followed, settings.memory, settings.modules)
        self.open: set[Searches] = set()

    def routes(self) -> list[BaseRoute]:
        """Returns the addresses."""
        return [
            Route("/", pages.gallery),
            Route("/icon.svg", pages.icon),
            Route("/game/{name}", pages.game),
            *self.follower.routes,
            *(Route(path, answering(find), methods=["POST"]) for path, find in ANSWERS.items()),
            Route("/api/plan", answering(answer_plan), methods=["POST"]),
            Route("/api/games/{name}", self.games),
            WebSocketRoute("/api/search", self.search),
            Route("/static/colours.css", colours),
            Mount("/static/board", StaticFiles(directory=BOARD)),
            Mount("/static/reports", StaticFiles(directory=REPORTS)),
            Mount("/static/engines", engine_files()),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    async def games(self, request: Request) -> Response:
        """Returns what there is to choose for a game."""
        name = request.path_params["name"]
        if name not in GAMES:
            return JSONResponse({"error": f"there is no game {name[:100]!r}"}, 404)
        try:
            parameters = read_parameters(name, request.query_params)
            set_up = request.query_params.get("set_up", "")
            found = await asyncio.to_thread(catalogue, name, parameters, set_up, self.named)
            return JSONResponse(found)
        except (TypeError, ValueError) as error:
            return JSONResponse({"error": str(error)}, 400)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Starts the processes, and ends them with the server."""
        await self.pool.start()
        try:
            yield
        finally:
            self.follower.close()
            await self.pool.close()

    async def search(self, websocket: WebSocket) -> None:
        """Answers one page's searches, unless too many pages are open."""
        if len(self.open) >= MOST_PAGES:
            await websocket.close(1013, "too many pages are open")
            return
        page = Searches(websocket, self.states, self.pool)
        self.open.add(page)
        try:
            await page.serve()
        finally:
            self.open.discard(page)


def engine_files() -> StaticFiles:
    """Returns the files of engines: their JavaScript, and their modules."""
    files = StaticFiles(directory=ENGINES)
    files.all_directories = [ENGINES, MODULES]
    return files


async def colours(request: Request) -> Response:
    """Returns the colours of all pictures."""
    return PlainTextResponse(palette_rules(), media_type="text/css")


def answering(find: RequestAnswer) -> Handler:
    """Returns what answers the JSON of a request with that which ``find`` finds, in a thread."""

    async def handle(request: Request) -> Response:
        data = data_of(await request.body())
        try:
            return JSONResponse(await asyncio.to_thread(find, data))
        except BadRequest as error:
            return JSONResponse({"error": str(error)}, 400)
        except UnicodeEncodeError:
            return JSONResponse({"error": "a text has half a character"}, 400)

    return handle


def data_of(text: str | bytes) -> dict[str, Any]:
    """Returns the data by name that a text of JSON has; none for other texts."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    return data if isinstance(data, dict) else {}


class Searches:
    """Holds the searches of one page, over its WebSocket."""

    def __init__(self, websocket: WebSocket, states: GameStates, pool: SearchPool) -> None:
        self.websocket, self.states, self.pool = websocket, states, pool
        self.tasks: dict[int | str, asyncio.Task[None]] = {}
        self.refused = 0

    async def serve(self) -> None:
        """Answers until the page is closed."""
        await self.websocket.accept()
        try:
            while self.refused < MOST_REFUSED:
                await self.handle(await self.websocket.receive_text())
            await self.websocket.close(1008, "too many messages that make no sense")
        except WebSocketDisconnect:
            pass
        except KeyError:
            await self.websocket.close(1003, "messages are text")
        finally:
            for task in self.tasks.values():
                task.cancel()

    async def handle(self, text: str) -> None:
        """Begins or stops a search."""
        data = data_of(text if len(text) <= LONGEST_MESSAGE else "")
        number: Any = data.get("id")
        options, wanted = data.get("options") or {}, data.get("game_state")
        if is_number(data.get("stop")):
            if data["stop"] in self.tasks:
                self.tasks[data["stop"]].cancel()
            return
        if not is_number(number):
            await self.refuse(None, "this message makes no sense")
        elif number in self.tasks:
            await self.refuse(number, "a search of this number is running")
        elif len(self.tasks) >= MOST_SEARCHES:
            await self.refuse(number, f"a page has at most {MOST_SEARCHES} searches at once")
        elif not isinstance(data.get("job"), str) or data["job"] not in JOBS:
            await self.refuse(number, "there is no such job")
        elif not isinstance(wanted, dict) or not isinstance(options, dict):
            await self.refuse(number, "a search needs a game and its line, and options by name")
        else:
            self.refused = 0
            task = asyncio.create_task(self.search(number, data["job"], wanted, options))
            self.tasks[number] = task
            task.add_done_callback(lambda _: self.tasks.pop(number, None))

    async def refuse(self, number: Any, why: str) -> None:
        """Says why there is no search."""
        self.refused += 1
        await self.send(number, {"error": why})

    async def search(self, number: Any, job: str, wanted: Any, options: Any) -> None:
        """Runs one search and sends what it finds."""
        try:
            state = await asyncio.to_thread(self.states.read, wanted)
            async with aclosing(self.pool.run(job, state.plain, options, self)) as messages:
                async for message in messages:
                    await self.send(number, shown_after(self.states, state, message))
            await self.send(number, {"done": True})
        except (BadRequest, PoolBusy, SearchEnded) as error:
            await self.send(number, {"error": str(error)})
        except WebSocketDisconnect:
            pass
        except Exception:
            logging.getLogger("uvicorn.error").exception("a search failed")
            await self.send(number, {"error": "the server failed; its terminal says why"})

    async def send(self, number: Any, message: dict[str, Any]) -> None:
        """Sends a message about search ``number``, unless the page has gone."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self.websocket.send_text(json.dumps({"id": number, **message}))


def is_number(value: object) -> bool:
    """Returns whether a value can be the number of a search."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    return len(value) <= 100 if isinstance(value, str) else abs(value) < 2**53


def serve(
    settings: Settings, listeners: Sequence[socket.socket], on_start: Callable[[], None]
) -> None:
    """Serves on sockets until Ctrl-C; ``on_start`` is called when pages are answered."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_start()

    Server(
        uvicorn.Config(
            make_app(settings),
            access_log=False,
            h11_max_incomplete_event_size=64 * 1024,
            http=PatientConnection,
            limit_concurrency=MOST_CONNECTIONS,
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            ws_max_queue=8,
            ws_max_size=LONGEST_MESSAGE,
        )
    ).run(list(listeners))
