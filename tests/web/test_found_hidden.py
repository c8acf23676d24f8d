"""Engines of a site play games of hidden information as agents of Python, by views alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from adv_envs import CHANCE
from adv_envs.bits import words_of
from adv_envs.registry import start_position
from agents import make
from agents.agent import SearchAgent
from agents.web.answers import STATES
from agents.web.catalogue import catalogue
from agents.web.game_states import HiddenGame, shown_after
from agents.web.python_jobs import JOBS

pytest.importorskip("markdown_it")
pytest.importorskip("starlette")
pytest.importorskip("jinja2")

from agents.web.site.site_answers import engines_for, job_reply, reply
from agents.web.site.site_builder import site_catalogue, write_tables

pytestmark = pytest.mark.plain

POLICY = "cfr_plus(iterations=20)"
SEARCH = "ismcts(simulations=40)"
TRIES_IN_VAIN = 0
"""The key of a game of Dark Hex in which the agent chooses a taken cell at first."""
SEATS = (0,)
"""Who is at the page."""


def game_of(name, *actions, key=0):
    """A hidden game after the deal and some actions, with the same numbers each time."""
    start = start_position(name)
    game = HiddenGame(start, SEATS, _key=bytes([key] * 16))
    state = replace(STATES.read({"game": name, "people": [*SEATS]}), game=game)
    if start.to_move == CHANCE:
        state = STATES.thrown(state)
    for action in actions:
        state = STATES.after(state, action)
    return state


def searched(search, spec):
    """What an agent of Python finds, as an engine sends it, given no more than an engine."""
    state = search["state"]
    agent = make(spec)
    seed = None if search["seed"] is None else int(search["seed"])
    agent.reset(seed)
    found = {"action": agent.act(state), "value": 0.0, "line": []}
    if isinstance(agent, SearchAgent):
        agent.reset(seed)
        result = agent.analyse(state)
        numbers = {name: getattr(result, name) for name in ("nodes", "leaves", "seconds", "value")}
        by_action = {
            name: {str(action): number for action, number in getattr(result, name).items()}
            for name in ("values", "visits", "probabilities")
        }
        found |= {**numbers, **by_action, "line": [found["action"]]}
    return found


def messages_of_engine(job, state, spec):
    """The messages of a job, and the words that engines were given."""
    search = "policy" if spec == POLICY else "ismcts"
    plan = {"name": make(spec).name, "scale": None, "search": search}
    asked = {
        **request_of(state),
        "job": job,
        "options": {"agent": spec},
        "plan": plan,
        "exact": None,
    }
    messages, found, given = [], [], []
    views = [state.position]
    while True:
        said = json.loads(job_reply(json.dumps({**asked, "found": found, "ended": True})))["found"]
        messages += said["messages"]
        search = said["search"]
        if search is None:
            assert said["done"]
            return comparable(messages), given
        given.append(search["words"])
        seen = views[-1].hidden(views[-1].to_move)
        assert search["words"] == list(map(str, words_of(seen)))
        found.append([searched({**search, "state": seen}, spec)])
        views.append(views[-1].play(found[-1][0]["action"]))


def request_of(state):
    return {"game": state.plain["game"], "line": list(state.codes), "people": [*SEATS]}


def messages_of_python(job, state, spec):
    """The same of the agent of Python."""
    found = JOBS[job](STATES.read(request_of(state)), {"agent": spec})
    return comparable([shown_after(STATES, state, each) for each in found])


def comparable(message):
    """A message as plain data, without what depends on the clock, and the codes of moves."""
    if isinstance(message, dict):
        left_out = ("seconds", "rate", "line")
        return {k: comparable(v) for k, v in message.items() if k not in left_out}
    return [comparable(each) for each in message] if isinstance(message, list | tuple) else message


CASES = [
    ("move", "kuhn", (0,), POLICY, 0),
    ("move", "dark_hex", (4,), SEARCH, 0),
    ("move", "dark_hex", (4,), "random()", TRIES_IN_VAIN),
    ("hint", "kuhn", (), POLICY, 0),
    ("hint", "dark_hex", (4, 0), SEARCH, 0),
    ("analyse", "kuhn", (), POLICY, 0),
    ("analyse", "dark_hex", (4, 0), SEARCH, 0),
    ("review", "kuhn", (0,), POLICY, 0),
]


@pytest.mark.parametrize(("job", "game", "actions", "spec", "key"), CASES)
def test_the_messages_are_those_of_python(job, game, actions, spec, key):
    state = game_of(game, *actions, key=key)
    by_engine, _ = messages_of_engine(job, state, spec)
    by_python = messages_of_python(job, game_of(game, *actions, key=key), spec)
    assert by_engine
    assert by_engine == json.loads(json.dumps(by_python))


def test_what_is_tried_in_vain_is_searched_again_and_not_told():
    state = game_of("dark_hex", 4, key=TRIES_IN_VAIN)
    (message,), given = messages_of_engine("move", state, "random()")
    assert len(given) == 2
    assert len(message["state"]["moves"]) == len(state.codes) + 1


def test_an_engine_is_given_the_same_where_only_hidden_cards_differ():
    given = []
    for deal in ((0, 1), (2, 1)):
        state = replace(game_of("kuhn"), actions=[])
        state = STATES.after(replace(state, codes=(), ends=()), *deal)
        state = STATES.after(state, 0)
        given.append(messages_of_engine("move", state, POLICY)[1])
    assert given[0] == given[1]


def test_pages_get_nothing_that_is_searched():
    state = game_of("kuhn", 0)
    plan = {"name": "cfr_plus", "scale": None}
    asked = {**request_of(state), "job": "move", "options": {"agent": POLICY}, "plan": plan}
    answer = json.loads(reply("/api/found", json.dumps(asked)))
    assert "players do not see everything" in answer["error"]
    assert json.loads(job_reply(json.dumps(asked)))["found"]["search"]


def test_what_an_agent_has_seen_is_not_told_by_errors():
    asked = {**request_of(game_of("kuhn", 0)), "job": "move", "options": {"agent": POLICY}}
    asked |= {"plan": {"name": "cfr_plus", "scale": None}, "found": [[{"action": 7}]]}
    answer = json.loads(job_reply(json.dumps({**asked, "ended": True})))
    assert answer == {"error": "cfr_plus has failed: BadRequest"}


def test_engines_are_those_for_the_same_parameters():
    kuhn = {"widths": [], "engines": {"random": {}}, "parameters": {"players": 3}}
    assert engines_for(start_position("kuhn", players=3), [kuhn])["engines"]
    assert not engines_for(start_position("kuhn"), [kuhn])["engines"]


def test_only_sites_offer_engines_and_each_table_is_a_file(tmp_path):
    assert not catalogue("kuhn")["engines"]
    offered = site_catalogue("kuhn")
    write_tables(offered, tmp_path / "kuhn")
    plan = offered["engines"][offered["opponent"]]
    assert "views" not in plan
    assert len(json.dumps(plan)) < 1000
    table = json.loads((tmp_path / "kuhn" / Path(plan["table"]).name).read_text("utf-8"))
    assert len(table) == 12
    assert [part["parameters"] for part in offered["modules"]] == [{"players": 2}, {"players": 3}]
