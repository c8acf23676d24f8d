"""Guards the page: only by its own addresses, from its own origin, with its token it is talked to.

It listens on this computer only or, where that was wished, at its addresses in local networks too.

A page of another site that the same browser shows can send requests to any address, and by a name
that it controls (DNS rebinding) even read the answers. So the Host must be ours, writes and
WebSockets must come from our own pages, and every request must have the token that only the
terminal has printed: in the address at first, then in a cookie that other sites never send. The
token of a port is kept for a while, as pages that are open outlive their server.

A client that opens many connections and sends half a request over each would keep others out, and
needs no token for that. So a request has some seconds to arrive, and where all connections are
taken, the one that has waited longest is closed for the one that comes.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import platformdirs
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
LARGEST_BODY = 1_000_000
"""Bytes of a request."""
LONGEST_PATH = 4000
"""Characters of an address, without its query."""
TOO_LARGE = f"a request has at most {LARGEST_BODY} bytes"
KEPT = 12 * 3600.0
"""Seconds after its last start in which a server at the same port has the same token."""
MOST_CONNECTIONS = 256
"""Connections at once; if all are being answered, others are answered that the server is busy."""
SECONDS = 20.0
"""How long a request may take to arrive, and how long a connection may wait for the next one."""


class Guard:
    """Lets only our own pages in; an ASGI middleware.

    ``hosts`` are the names that the server goes by, ``port`` is its port. ``token`` must be in the
    address of the first page, as ``?token=``, and is in a cookie from then on.
    """

    def __init__(self, app: ASGIApp, *, hosts: tuple[str, ...], port: int, token: str) -> None:
        self.app, self.token = app, token
        self.hosts = {f"{host}:{port}" for host in hosts}
        if port == 80:
            self.hosts |= set(hosts)
        self.cookie = f"adv_envs_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self.objection(scope)
        if refused is None:
            await self.app(scope, bounded(receive), secured(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        else:
            await refused(scope, receive, secured(send))

    def objection(self, scope: Scope) -> Response | None:
        """Returns what is answered to a request that is not let in; None for others."""
        headers = Headers(scope=scope)
        host = only(headers, "host")
        if host not in self.hosts:
            return PlainTextResponse("this page is only at its own address", 421)
        writes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = only(headers, "origin")
        if origin != f"http://{host}" and (writes or "origin" in headers):
            return PlainTextResponse("requests must come from the page itself", 403)
        length = only(headers, "content-length") if "content-length" in headers else "0"
        if not (length.isascii() and length.isdigit() and len(length) < 20):
            return PlainTextResponse("the length of the request makes no sense", 400)
        if int(length) > LARGEST_BODY:
            return PlainTextResponse(TOO_LARGE, 413)
        if len(scope["path"]) > LONGEST_PATH:
            return PlainTextResponse(f"an address has at most {LONGEST_PATH} characters", 414)
        if any(self.is_token(value) for value in cookies(headers, self.cookie)):
            return None
        if not writes and (rest := self.without_token(scope)) is not None:
            moved = RedirectResponse(rest, 303)
            moved.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return moved
        return PlainTextResponse(
            "Open the address that `adv-envs serve` has printed: it contains a token.", 403
        )

    def without_token(self, scope: Scope) -> str | None:
        """Returns the address without its token, on this server; None if the token is not there."""
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if not any(key == "token" and self.is_token(value) for key, value in query):
            return None
        rest = urlencode([(key, value) for key, value in query if key != "token"])
        path = "/" + quote(scope["path"].lstrip("/\\"))
        return path + ("?" + rest if rest else "")

    def is_token(self, given: str) -> bool:
        """Returns whether this is the token, in constant time."""
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def only(headers: Headers, name: str) -> str:
    """Returns the value of a header that must be there once; "" otherwise."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""


def cookies(headers: Headers, name: str) -> list[str]:
    """Returns the values of the cookies of a name: another port here may have set others."""
    pairs = (part.partition("=") for all in headers.getlist("cookie") for part in all.split(";"))
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def bounded(receive: Receive) -> Receive:
    """Returns ``receive`` that refuses a body that turns out too long."""
    size = 0

    async def receive_some() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if size > LARGEST_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return receive_some


def secured(send: Send) -> Send:
    """Returns ``send`` that adds the headers of every answer."""

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = message.setdefault("headers", [])
            headers += [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
        await send(message)

    return send_secured


# ---- the token of a port


def new_token() -> str:
    """Returns a token that nobody can guess."""
    return secrets.token_urlsafe(24)


def kept_token(port: int) -> str:
    """Returns the token of the last server at this port, or a new one, which is kept.

    It is in a file of the user's that nobody else may read; a file that others can read, or that is
    not ours, does not count, and where none can be written the token is new each time.
    """
    place = platformdirs.user_state_path("adv_envs", appauthor=False) / f"token_{port}"
    token = token_in(place) or new_token()
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(place, flags, 0o600), "w") as file:
            file.write(token)
    return token


def token_in(place: Path) -> str | None:
    """Reads the token of a file, if nobody else can have put it there or read it, and it is new."""
    try:
        facts = place.lstat()
        if not stat.S_ISREG(facts.st_mode) or time.time() - facts.st_mtime > KEPT:
            return None
        if os.name == "posix" and (facts.st_uid != os.getuid() or facts.st_mode & 0o077):
            return None
        token = place.read_text()
    except (OSError, ValueError):
        return None
    return token if re.fullmatch(r"[\w-]{32}", token, re.ASCII) else None


# ---- connections that wait


class PatientConnection(H11Protocol):
    """Closes a connection of HTTP/1.1 when its request does not arrive in time."""

    since = 0.0
    """Since when it waits for a request, by the clock of the loop."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begins to wait, and closes another connection if there are too many."""
        super().connection_made(transport)
        self._wait()
        waiting = [each for each in self.connections if getattr(each, "waits", False)]
        if len(self.connections) >= MOST_CONNECTIONS and waiting:
            oldest: Any = min(waiting, key=lambda each: getattr(each, "since", 0.0))
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        self._cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begins to wait for the next request."""
        super().on_response_complete()
        self._wait()

    @property
    def waits(self) -> bool:
        """Returns whether a request is still to arrive, or a part of it."""
        cycle = self.cycle
        return cycle is None or cycle.more_body or cycle.response_complete

    def _wait(self) -> None:
        self._cancel()
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(SECONDS, self.close_if_waiting)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def close_if_waiting(self) -> None:
        """Closes the connection unless a request is being answered."""
        if self.waits and self.transport.get_protocol() is self:  # and no WebSocket has taken over
            self.transport.abort()
