"""Answers the pages of a site in the browser, where Python has the standard library alone.

``reply`` is what the site's worker calls.
"""

from __future__ import annotations

import json
from typing import Any

from adv_envs.bits import wide_words
from adv_envs.position import Position
from agents.web.answers import ANSWERS
from agents.web.game_form import game_form, read_parameters
from agents.web.game_states import BadRequest, read_start

GAMES_PATH = "/api/games"
"""What is asked for a catalogue of other parameters than the usual ones."""


def reply(path: str, text: str) -> str:
    """Answers a request, both as JSON: {"found": data}, or {"error": what is wrong with it}."""
    try:
        data = json.loads(text)
        find = answer_catalogue if path == GAMES_PATH else ANSWERS[path]
        return json.dumps({"found": find(data)})
    except BadRequest as error:
        return json.dumps({"error": str(error)})


def answer_catalogue(data: dict[str, Any]) -> dict[str, Any]:
    """Returns the "usual" catalogue of a "game" for the parameters of a "query" and its set-up.

    What it says about the game is of these parameters; BadRequest if they make no sense. An engine
    is a module for positions of a number of words: other parameters may have another one, or none.
    """
    name, query = data["game"], data["query"]
    try:
        parameters = read_parameters(name, query)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    request = {"game": name, "parameters": parameters, "set_up": query.get("set_up", "")}
    start, found = read_start(request), data["usual"]
    if start != type(start)():
        found |= {"exact": None, "graded": False, "solver": None, "puzzles": False}
        found |= engines_for(start, found.pop("modules", []))
    return {**found, **game_form(start)}


def engines_for(start: Position, modules: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns what the engines of a game offer at a start: those for positions of as many words."""
    widths = widths_of_words(start)
    for each in modules:
        if each["widths"] == widths:
            return each
    return {"engines": {}, "agents": {}, "analysts": {}, "opponent": "", "analyst": ""}


def widths_of_words(start: Position) -> list[int]:
    """Returns how many words each wide field of a game has."""
    return [wide_words(start, field) for field in start.wide_fields]
