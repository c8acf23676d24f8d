"""Who may talk to the local page: this machine, this address, this origin, with this token.

A page of another site that the same browser shows can send requests to any address, and by a name
that it controls (DNS rebinding) even read the answers. So the Host must be ours, writes and
WebSockets must come from our own pages, and every request must have the token that only the
terminal has printed: in the address at first, then in a cookie that other sites never send.
"""

from __future__ import annotations

import hmac
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
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


class Guard:
    """ASGI middleware that lets only our own pages in.

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
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self.objection(scope)
        if refused is None:
            await self.app(scope, limited(receive), secured(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        else:
            await refused(scope, receive, secured(send))

    def objection(self, scope: Scope) -> Response | None:
        """What is answered to a request that is not let in; None for others."""
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
        """The address without its token, on this server; None if the token is not there."""
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if not any(key == "token" and self.is_token(value) for key, value in query):
            return None
        rest = urlencode([(key, value) for key, value in query if key != "token"])
        path = "/" + quote(scope["path"].lstrip("/\\"))
        return path + ("?" + rest if rest else "")

    def is_token(self, given: str) -> bool:
        """Whether this is the token, in constant time."""
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def only(headers: Headers, name: str) -> str:
    """The value of a header that must be there once; "" otherwise."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""


def cookies(headers: Headers, name: str) -> list[str]:
    """The values of the cookies of that name: another port of this machine may have set others."""
    pairs = (part.partition("=") for all in headers.getlist("cookie") for part in all.split(";"))
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def limited(receive: Receive) -> Receive:
    """``receive``, which refuses a body that turns out too long."""
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
    """``send``, which adds the headers of every answer."""

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = message.setdefault("headers", [])
            headers += [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
        await send(message)

    return send_secured
