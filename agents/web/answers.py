"""Answers what pages ask about positions and games as text: each address has a function here.

They need the standard library alone, so that the same answers are given by the server and by a
Python that runs in a browser. Games in which something is hidden are kept by ``STATES``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .found_jobs import found_messages
from .game_states import GameStates, read_text, saved_texts, shown

RequestAnswer = Callable[[dict[str, Any]], dict[str, Any]]
"""From the data of a request to the data of its answer; BadRequest says what is wrong."""

STATES = GameStates()
"""Reads the states of all requests, and keeps the codes of hidden games."""


def answer_position(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a game at a position as pages show it, after the "move" if there is one."""
    state = STATES.read(data)
    return shown(STATES.played(state, data["move"]) if "move" in data else state)


def answer_texts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the line of a game in the formats of its game."""
    return saved_texts(STATES.read(data))


def answer_found(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a job says of the results of engines (see ``found_messages``)."""
    return found_messages(STATES, data)


ANSWERS: Mapping[str, RequestAnswer] = {
    "/api/position": answer_position,
    "/api/line": read_text,
    "/api/texts": answer_texts,
    "/api/found": answer_found,
}
"""What is answered, by address."""
