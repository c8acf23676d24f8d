"""Answers the pages of a site in the browser, where Python has the standard library alone.

``reply`` is what the site's worker calls. ``rehearse`` asks for all that pages ask for, in every
game, so that the build knows which modules there must be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from adv_envs.position import CHANCE
from adv_envs.random import advanced, below, scattered
from adv_envs.registry import GAMES
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

    What it says about the game is of these parameters; BadRequest if they make no sense.
    """
    name, query = data["game"], data["query"]
    try:
        parameters = read_parameters(name, query)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    request = {"game": name, "parameters": parameters, "set_up": query.get("set_up", "")}
    return {**data["usual"], **game_form(read_start(request))}


# ---- a rehearsal


def rehearse(seed: int = 0, longest: int = 60) -> int:
    """Plays a game of each kind through the answers; returns the number of requests.

    RuntimeError for an answer that is an error.
    """
    count = 0
    for name in GAMES:
        for _ in rehearse_game(name, seed, longest):
            count += 1
    return count


def rehearse_game(name: str, seed: int, longest: int) -> Iterator[str]:
    """Yields the address of each request of a random game of at most ``longest`` moves."""
    game: dict[str, Any] = {"game": name, "parameters": {}}
    seats = read_start(game).num_players
    state = _found("/api/position", {**game, "people": list(range(seats))})
    yield "/api/position"
    number = scattered(seed)
    while not state["over"] and len(state["line"]) < longest:
        number = advanced(number)
        request = {**game, "line": state["line"], "people": state_people(state, seats)}
        seen = _found("/api/position", request)
        state = _found("/api/position", {**request, "move": _move(seen, number)})
        yield "/api/position"
    if state["hidden"] and not state["over"]:
        state = _found("/api/position", {**request, "move": {"reveal": True}})
    request = {**game, "line": state["line"], "people": list(range(seats))}
    texts = _found("/api/texts", request)["formats"] if state["over"] else []
    yield "/api/texts"
    for text in texts if not state["hidden"] else ():
        _found("/api/line", {**game, "text": text["text"]})
        yield "/api/line"
    _found(GAMES_PATH, {"game": name, "query": {}, "usual": {}})
    yield GAMES_PATH


def state_people(state: dict[str, Any], seats: int) -> list[int]:
    """Returns who looks: the one to move first, where it is not chance."""
    player = max(state["to_move"], 0)
    return [player, *(seat for seat in range(seats) if seat != player)]


def _move(state: dict[str, Any], number: int) -> dict[str, Any]:
    if state["to_move"] == CHANCE:
        return {"chance": True}
    actions = state["board"]["actions"]
    return {"action": actions[below(number, len(actions))][0]}


def _found(path: str, data: dict[str, Any]) -> Any:
    answer = json.loads(reply(path, json.dumps(data)))
    if "error" in answer:
        raise RuntimeError(f"{path} of {data['game']}: {answer['error']}")
    return answer["found"]
