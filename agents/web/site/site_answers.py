"""Answers the pages of a site in the browser, where Python has the standard library alone.

The site's worker calls ``reply`` with what pages ask, and ``job_reply`` with what it asks itself.
"""

from __future__ import annotations

import json
from typing import Any

from adv_envs.bits import wide_words
from adv_envs.position import Position
from adv_envs.registry import parameters_of
from agents.web.answers import ANSWERS, STATES, RequestAnswer
from agents.web.found_jobs import found_messages
from agents.web.game_form import game_form, read_parameters
from agents.web.game_states import BadRequest, read_start

GAMES_PATH = "/api/games"
"""What is asked for a catalogue of other parameters than the usual ones."""


def reply(path: str, text: str) -> str:
    """Answers a request, both as JSON: {"found": data}, or {"error": what is wrong with it}."""
    return answered(answer_catalogue if path == GAMES_PATH else ANSWERS[path], text)


def job_reply(text: str) -> str:
    """Answers what a job needs next, likewise, in games of hidden information as well.

    The answer is not for pages but for the worker, which alone knows what engines search.
    """
    return answered(lambda data: found_messages(STATES, data, trusted=True), text)


def answered(find: RequestAnswer, text: str) -> str:
    """Returns what is found for data, both as JSON; BadRequest becomes an {"error"}."""
    try:
        return json.dumps({"found": find(json.loads(text))})
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
        found |= {"exact": None, "graded": False, "solver": None, "puzzles": {}}
        found |= engines_for(start, found.pop("modules", []))
    return {**found, **game_form(start)}


def engines_for(start: Position, modules: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns what the engines of a game offer at a start: those for positions of as many words.

    In games of hidden information they are those for the same parameters.
    """
    widths, parameters = widths_of_words(start), parameters_of(start)
    for each in modules:
        if each["widths"] == widths and each.get("parameters", parameters) == parameters:
            return each
    return {"engines": {}, "agents": {}, "analysts": {}, "opponent": "", "analyst": ""}


def widths_of_words(start: Position) -> list[int]:
    """Returns how many words each wide field of a game has."""
    return [wide_words(start, field) for field in start.wide_fields]
