"""Asks the answers of a site for all that pages ask for, so that what they import is known.

Random games are played in every game, with made-up results of engines at one position of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import agents.games  # noqa: F401  # a site has the room without its modules, which need NumPy
from adv_envs.position import CHANCE, Position
from adv_envs.random import advanced, below, scattered
from adv_envs.registry import GAMES, start_position
from agents.web.found_jobs import ENGINE_JOBS

from .site_answers import GAMES_PATH, job_reply, reply

Data = dict[str, Any]

PLAN = {"module": "none", "search": "alpha_beta", "variant": "", "name": "alpha_beta", "scale": 1.0}
SPEC = "alpha_beta(depth=2, seconds=1)"
UNITS = ("utilities", "scores", "amounts")
MOST_ROUNDS = 20
"""Results that a job may ask for; a review asks for one at each position."""


def rehearse(seed: int = 0, longest: int = 60) -> int:
    """Plays a game of each kind through the answers; returns the number of requests.

    RuntimeError for an answer that is an error.
    """
    return sum(1 for name in GAMES for _ in rehearsed_requests(name, seed, longest))


def rehearsed_requests(name: str, seed: int, longest: int) -> Iterator[str]:
    """Yields the address of each request about a random game of at most ``longest`` moves."""
    game: Data = {"game": name, "parameters": {}}
    yield GAMES_PATH
    usual = found_at(GAMES_PATH, {"game": name, "query": {}, "usual": {}})
    seats = list(range(usual["players"]))
    state = found_at("/api/position", {**game, "people": seats})
    number, midgame = scattered(seed), None
    while not state["over"] and len(state["line"]) < longest:
        number = advanced(number)
        request = {**game, "line": state["line"], "people": lookers(state, seats)}
        seen = found_at("/api/position", request)
        midgame = midgame or (seen if seen["to_move"] != CHANCE else None)
        state = found_at("/api/position", {**request, "move": chosen_move(seen, number)})
        yield "/api/position"
    yield from rehearsed_texts({**game, "line": state["line"], "people": seats}, state)
    if midgame is not None and has_words(start_position(name)):
        request = {**game, "line": midgame["line"], "people": lookers(midgame, seats)}
        yield from rehearsed_searches(request, midgame)


def has_words(start: Position) -> bool:
    """Returns whether positions can be told to an engine: all parameters are numbers."""
    return all(isinstance(value, int | float) for value in start[: len(start.parameters)])


def rehearsed_texts(request: Data, state: Data) -> Iterator[str]:
    """Yields the requests for a game as text, which are read again; a hidden game is revealed."""
    if state["hidden"] and not state["over"]:
        state = found_at("/api/position", {**request, "move": {"reveal": True}})
    yield "/api/texts"
    if state["hidden"]:
        reply("/api/texts", json.dumps(request))
        return
    for text in found_at("/api/texts", request)["formats"]:
        found_at("/api/line", {**request, "line": [], "text": text["text"]})
        yield "/api/line"


def rehearsed_searches(request: Data, state: Data) -> Iterator[str]:
    """Yields the requests for what engines have found, with results that are made up."""
    actions = [action for action, *_ in state["board"]["actions"]]
    exacts = [None, *({"name": "solver", "unit": unit} for unit in UNITS)]
    for job, exact, proven in product(ENGINE_JOBS, exacts, (False, True)):
        options = {"agent": SPEC, "seconds": 1, "action": actions[0]}
        job_request = {**request, "job": job, "options": options, "plan": PLAN, "exact": exact}
        yield "/api/found"
        rehearse_job(job_request, made_up(actions, proven))


def rehearse_job(request: Data, result: Data) -> None:
    """Does a job, as the page does, with as many searches as it wants."""
    ended: list[list[Data]] = []
    for _ in range(MOST_ROUNDS):
        answer = json.loads(job_reply(json.dumps({**request, "found": ended, "ended": True})))
        if "error" in answer or answer["found"]["search"] is None:
            return  # such as that no exact values are known where the job needs them
        ended.append([result])


def made_up(actions: list[int], proven: bool) -> Data:
    """Returns what an engine might have found where these actions are legal."""
    counts = {"nodes": 10, "leaves": 5, "depth": 2, "seconds": 0.01, "proven": proven}
    values = {str(action): 0.0 for action in actions}
    return {"action": actions[0], "value": 0.0, "line": actions[:1], **counts, "values": values}


def lookers(state: Mapping[str, Any], seats: list[int]) -> list[int]:
    """Returns who looks: the one to move first, where it is not chance."""
    player = max(state["to_move"], 0)
    return [player, *(seat for seat in seats if seat != player)]


def chosen_move(state: Mapping[str, Any], number: int) -> Data:
    """Returns a move by a random number."""
    if state["to_move"] == CHANCE:
        return {"chance": True}
    actions = state["board"]["actions"]
    return {"action": actions[below(number, len(actions))][0]}


def found_at(path: str, data: Data) -> Any:
    """Returns the answer to a request; RuntimeError, which says what was asked, for an error."""
    answer = json.loads(reply(path, json.dumps(data)))
    if "error" in answer:
        raise RuntimeError(f"{path} of {data['game']}: {answer['error']}")
    return answer["found"]
