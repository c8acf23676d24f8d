"""Asks a server of OpenAI's chat completions: one request, its retries, its answer.

The server may be OpenAI's, or any other with the same form: vLLM, Ollama, llama.cpp, OpenRouter.
"""

from __future__ import annotations

import email.utils
import functools
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from adv_envs.optional import optional_library
from agents.agent import clean
from agents.faults import NobodyToBlame

USUAL_URL = "https://api.openai.com/v1"
URL_VARIABLE, KEY_VARIABLE = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""Environment variables of OpenAI's own clients."""

FIRST_WAIT, LONGEST_WAIT = 0.5, 300.0
"""Seconds before the second request, doubled each time; a server that asks for more is not waited
for."""
LARGEST_ANSWER = 1 << 24
"""Bytes."""
LONGEST_REASON = 300
"""Characters of what a server says about an error."""
PASSING = {408, 409, 425, 429}
"""Statuses after which a request is repeated, as after those from 500 on."""

LEFT_OUT = " (what it says is left out: it may tell what the other players do not see)"

pause = time.sleep


class NoAnswer(NobodyToBlame):
    """Says that a model's answer could not be had, through no fault of the model.

    It stops a match, a tournament or a report card, and no player loses by it.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why, final=True)


class PassingFailure(Exception):
    """Says that a request failed in a way that may pass; ``wait`` is how long to wait, if known."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


@dataclass(frozen=True)
class Completion:
    """Holds what a model has answered."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    """As the server counts them; 0 where it does not."""
    requests: int = 1
    """How many requests it took."""
    seconds: float = 0.0
    """Wall-clock time of these."""


def checked_url(url: str) -> str:
    """Returns a base URL without a slash at its end; ValueError or TypeError if it is none.

    A name and a password in it are refused, because it is part of specs and reports.
    """
    if not isinstance(url, str):
        raise TypeError(f"base_url must be a URL or None, not {url!r}")
    parts = urlsplit(url)
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"base_url must not hold a password: put the key into {KEY_VARIABLE}")
    named = parts.scheme in ("http", "https") and parts.hostname
    if not named or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise ValueError(f"base_url must be as in http://localhost:8000/v1, not {url!r}")
    return url.rstrip("/")


def usual_url() -> str:
    """Returns the base URL that the environment names, or OpenAI's."""
    return checked_url(os.environ.get(URL_VARIABLE) or USUAL_URL)


@dataclass(frozen=True)
class Endpoint:
    """Asks for chat completions at ``base_url``.

    The key is read from the environment at each request, and is in no error and no file.
    """

    base_url: str
    timeout: float = 120.0
    """The longest that a request may take, in seconds."""
    retries: int = 4
    """How often a request is repeated that fails in a way that may pass."""
    quiet: bool = False
    """Whether errors leave out what the server says, which may repeat what a player sees."""

    def complete(self, request: Mapping[str, Any]) -> Completion:
        """Returns the answer to the body of a request.

        Requests that find no server, take too long, are cut off, get an answer that is none, or a
        status such as 429 or 500, are repeated after a while, or after the time that the server
        asks for. NoAnswer if that does not help, and at once for any other status. ImportError
        without httpx.
        """
        for number in range(1, self.retries + 2):
            try:
                text, tokens_in, tokens_out = self._completion(request)
                return Completion(text, tokens_in, tokens_out, number)
            except PassingFailure as failure:
                usual = min(FIRST_WAIT * 2 ** (number - 1), LONGEST_WAIT)
                wait = usual if failure.wait is None else failure.wait
                if number > self.retries or wait > LONGEST_WAIT:
                    times = "once" if number == 1 else f"{number} times"
                    later = f", and asks to wait {wait:.0f} s" if wait > LONGEST_WAIT else ""
                    why = f"{self.base_url} {failure}{later}; it was asked {times}"
                    raise NoAnswer(why) from failure
                pause(wait)
        raise AssertionError("there is at least one request")

    def _completion(self, request: Mapping[str, Any]) -> tuple[str, int, int]:
        """Returns the text of one answer and its tokens; PassingFailure or NoAnswer."""
        status, headers, content = self._post(request)
        if status == 200:
            try:
                return read_completion(content)
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                raise PassingFailure("gave an answer that is no chat completion") from None
        reason = LEFT_OUT if self.quiet else f": {_reason(content)}"
        why = f"answered with status {status}{reason}"
        if status in PASSING or status >= 500:
            raise PassingFailure(why, _wait_of(headers))
        raise NoAnswer(f"{self.base_url} {why}")

    def _post(self, request: Mapping[str, Any]) -> tuple[int, Mapping[str, str], bytes]:
        """Returns status, headers and content of the response; PassingFailure if there is none."""
        httpx = _httpx()
        url, headers = f"{self.base_url}/chat/completions", _authorization()
        content, deadline = bytearray(), time.monotonic() + self.timeout
        options = {"headers": headers, "timeout": self.timeout, "verify": _tls()}
        late = f"had not answered after {self.timeout:g} s"
        try:
            with httpx.stream("POST", url, json=dict(request), **options) as response:
                for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > LARGEST_ANSWER:
                        raise NoAnswer(f"{self.base_url} gave an answer of more than 16 MB")
                    if time.monotonic() > deadline:
                        raise PassingFailure(late)
            return response.status_code, response.headers, bytes(content)
        except httpx.TimeoutException:
            raise PassingFailure(late) from None
        except httpx.RequestError as error:
            why = clean(f"{type(error).__name__}: {error}", LONGEST_REASON)
            raise PassingFailure(f"did not answer: {_without_key(why)}") from None


def load_client() -> None:
    """Loads all that the first request needs; ImportError, which says what to install."""
    _tls()


def _httpx() -> Any:
    return optional_library("httpx", "language models are asked with", "llm")


@functools.cache
def _tls() -> Any:
    """Returns the certificates that are trusted, which take a while to load."""
    return _httpx().create_ssl_context()


def read_completion(content: bytes) -> tuple[str, int, int]:
    """Returns the text, and the tokens of request and answer, of the body of a response.

    An answer without text, such as a refusal, is "". ValueError, LookupError, TypeError or
    AttributeError for what is no chat completion.
    """
    answer = json.loads(content)
    text = answer["choices"][0]["message"].get("content")
    if isinstance(text, list):  # in parts
        text = "".join(part.get("text") or "" for part in text)
    if not isinstance(text, str | None):
        raise TypeError("the content of a message is text")
    usage = answer.get("usage") or {}
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return text or "", int(tokens_in or 0), int(tokens_out or 0)


def _authorization() -> dict[str, str]:
    """Returns the header with the key, if there is one; NoAnswer for one that cannot be sent."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise NoAnswer(f"{KEY_VARIABLE} holds characters that no key has")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _without_key(text: str) -> str:
    key = os.environ.get(KEY_VARIABLE, "").strip()
    return text.replace(key, "***") if key else text


def _reason(content: bytes) -> str:
    """Returns what a server says about an error, in one line."""
    text = content.decode(errors="replace")
    with suppress(ValueError, LookupError, TypeError, RecursionError):  # else it is shown as it is
        text = json.loads(text)["error"]["message"]
    return clean(_without_key(str(text)), LONGEST_REASON) or "no reason"


def _wait_of(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds to wait that Retry-After asks for; None if it asks for nothing."""
    requested = headers.get("Retry-After", "").strip()
    if requested.isascii() and requested.isdigit():
        return float(requested[:9])
    try:
        then = email.utils.parsedate_to_datetime(requested)
    except ValueError:
        return None
    return max(0.0, then.timestamp() - time.time())
