"""Stands in for a language model: ``ScriptedModel`` answers, ``ChatEndpoint`` serves it by HTTP."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from adv_envs.position import Position
from adv_envs.text import read_json_board

LARGEST_REQUEST = 1 << 24
"""Bytes of the largest request that is read."""


def _plain(name: str, others: list[str], rng: random.Random) -> str:
    return f"Final answer: {name}"


def _chatty(name: str, others: list[str], rng: random.Random) -> str:
    first, second = rng.choice(others), rng.choice(others)
    return (
        f"<think>Shall it be {first}, or rather {second}?</think>"
        f"Let me see. Both **{first}** and **{second}** have their points, and I like "
        f"`{first}`.\n\nAll in all:\n\n**Final answer:** `{name}`\n\nThank you for this game!"
    )


def _forgetful(name: str, others: list[str], rng: random.Random) -> str:
    kind = rng.randrange(3)
    return (f"My move is {name}.", "What was I to do?", "Final answer: zz99")[kind]


def _rude(name: str, others: list[str], rng: random.Random) -> str:
    return rng.choice(
        ("", "No, and no.", "I will not answer that.", '{"error": "bored"}', "?! " * 40)
    )


MANNERS: dict[str, Callable[[str, list[str], random.Random], str]] = {
    "plain": _plain,
    "chatty": _chatty,
    "forgetful": _forgetful,
    "rude": _rude,
}
"""How a move may be told: as asked; in many words, with other moves; in one of three replies, the
others having no move or an illegal one; never."""


class ScriptedModel:
    """Answers messages of ``text_env(..., board="json")``, from which it reads the position.

    ``act`` is a function from a position to a legal action; None stands for random ones.
    ``manner`` is one of ``MANNERS``. The same ``seed`` and messages give the same reply. ValueError
    for another manner, and for messages without a board of JSON.
    """

    def __init__(
        self, act: Callable[[Any], int] | None = None, manner: str = "plain", seed: int = 0
    ) -> None:
        if manner not in MANNERS:
            raise ValueError(f"manner must be one of {', '.join(MANNERS)}, not {manner!r}")
        self.act = act
        self.manner = manner
        self.seed = seed

    def __call__(self, messages: list[dict[str, str]]) -> str:
        """Returns the reply to ``messages``."""
        rng = random.Random(f"{self.seed} {json.dumps(messages)}")
        position = position_in(messages)
        actions = position.legal_actions()
        action = rng.choice(actions) if self.act is None else self.act(position)
        names = [position.name(each) for each in actions]
        return MANNERS[self.manner](position.name(action), names, rng)


def position_in(messages: list[dict[str, str]]) -> Position:
    """Returns the last position that ``messages`` show as JSON; ValueError if there is none."""
    for message in reversed(messages):
        for line in reversed(message["content"].split("\n")):
            if message["role"] == "user" and line.startswith('{"game"'):
                return read_json_board(line)
    raise ValueError('these messages show no position as JSON: play with board="json"')


class ChatEndpoint:
    """Serves a model on this computer, in the form of OpenAI's chat completions.

    For example::

        with ChatEndpoint(ScriptedModel(manner="chatty")) as endpoint:
            ...  # POST {"messages": [...]} to endpoint.url

    ``model`` is a function from messages to a reply. ``requests`` are the bodies of all requests.
    Each word counts as a token. A request for a "stream" is answered by server-sent events. One
    that is wrong, or that the model refuses with ValueError, is answered with status 400 and the
    reason; where the model fails otherwise, with status 500. Keys are not asked for.
    """

    def __init__(self, model: Callable[[list[dict[str, str]]], str]) -> None:
        self.model = model
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        """Returns the address of the chat completions."""
        return f"{self.base_url}/chat/completions"

    @property
    def base_url(self) -> str:
        """Returns the address that clients call ``base_url``."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, body: bytes) -> tuple[int, str]:
        """Returns the status and the answer to the ``body`` of a request: JSON, or events."""
        try:
            request = json.loads(body)
            self.requests.append(request)
            words = sum(len(each["content"].split()) for each in request["messages"])
            reply = self.model(request["messages"])
            used = {"prompt_tokens": words, "completion_tokens": len(reply.split())}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            return 400, error_text(f"{type(error).__name__}: {error}")
        except Exception as error:
            return 500, error_text(f"the model failed: {type(error).__name__}: {error}")
        message = {"role": "assistant", "content": reply}
        completion = {
            "id": f"chatcmpl-{len(self.requests)}",
            "object": "chat.completion",
            "created": 0,
            "model": str(request.get("model", "scripted")),
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {**used, "total_tokens": sum(used.values())},
        }
        if request.get("stream") is not True:
            return 200, json.dumps(completion)
        options = request.get("stream_options")
        usage = isinstance(options, dict) and options.get("include_usage") is True
        return 200, events(completion, usage)


def error_text(why: str) -> str:
    """Returns an error as the interface has it."""
    return json.dumps({"error": {"message": why, "type": "invalid_request_error"}})


def events(completion: dict[str, Any], usage: bool) -> str:
    """Returns a chat completion as the server-sent events of a stream, if asked for with usage."""
    known = {name: completion[name] for name in ("id", "created", "model")}
    choice, kind = completion["choices"][0], {"object": "chat.completion.chunk"}
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": choice["message"], "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    if usage:
        chunks.append({"choices": [], "usage": completion["usage"]})
    sent = [json.dumps({**known, **kind, **chunk}) for chunk in chunks]
    return "".join(f"data: {text}\n\n" for text in [*sent, "[DONE]"])


def _handler(endpoint: ChatEndpoint) -> type[BaseHTTPRequestHandler]:
    """Returns the class that handles the requests of an endpoint."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answers a request for a chat completion."""
            length = self.headers.get("Content-Length") or "0"
            status, text = 404, error_text(f"POST to {endpoint.url}")
            if self.path == "/v1/chat/completions":
                status, text = 400, error_text(f"Content-Length must be a number, not {length!r}")
                if length.isdecimal():
                    status, text = 413, error_text(f"more than {LARGEST_REQUEST} bytes")
                    if int(length) <= LARGEST_REQUEST:
                        status, text = endpoint.answer(self.rfile.read(int(length)))
            content, kind = text.encode(), "application/json"
            self.send_response(status)
            self.send_header("Content-Type", "text/event-stream" if text[0] == "d" else kind)
            self.send_header("Content-Length", str(len(content)))
            with suppress(ConnectionError):  # the client has gone
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            """Writes nothing."""

    return Handler
