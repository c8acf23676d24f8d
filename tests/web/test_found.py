"""What engines find becomes the messages that agents of Python send, and nonsense is refused."""

import copy
import json
import math

import pytest

from adv_envs.bits import position_of, words_of
from adv_envs.registry import start_position
from agents import make
from agents.grading.exact_values import exact_for
from agents.knowledge import NotGraded
from agents.move_values import scale_of
from agents.web.answers import ANSWERS
from agents.web.catalogue import answer_plan
from agents.web.found_jobs import limited_spec
from agents.web.game_states import BadRequest
from agents.web.python_jobs import JOBS

pytestmark = pytest.mark.plain

answer = ANSWERS["/api/found"]


def start_of(request):
    return start_position(request["game"], **request.get("parameters", {}))


def plan_for(spec, start):
    """The plan of an agent of Python that plays the part of an engine."""
    agent = make(spec)
    plan = {"name": agent.name, "scale": scale_of(agent, start), "spec": spec, **agent.limits()}
    return json.loads(json.dumps(plan))


def exact_facts(start):
    """What a catalogue says of exact values, known everywhere, which Python plays the part of."""
    exact = exact_for(start)
    unit = "scores" if exact.has_scores else "utilities" if exact.in_points else "amounts"
    name = exact.solver_name.partition("(")[0]
    return {"name": name, "unit": unit, "spec": "exact"}


def searched(search, start):
    """What an agent of Python finds: the results of a search, as an engine sends them."""
    plan, position = search["plan"], position_of(start, [int(word) for word in search["words"]])
    if plan["spec"] == "exact":
        moves = exact_for(start).move_values(position).items()
        inside = {"scores": lambda move: move.score, "utilities": lambda move: 2 * move.value - 1}
        unit = inside.get(plan["unit"], lambda move: move.value)
        return [result_of(by_text({action: unit(move) for action, move in moves}))]
    agent = make(plan["spec"])
    agent = agent.limited(**{name: plan[name] for name in agent.limits()})
    agent.reset(search["seed"])
    if search["want"] == "values":
        return [result_of(by_text(agent.values(position)))]
    return [
        {
            "action": found.action,
            "value": found.value,
            "line": list(found.principal_variation),
            **{name: getattr(found, name) for name in ("nodes", "leaves", "depth", "seconds")},
            "proven": found.proven,
            "values": by_text(found.values),
            "visits": by_text(found.visits),
        }
        for found in agent.analysis(position)
    ]


def result_of(values):
    best = max(values, key=values.get)
    return {"action": int(best), "value": values[best], "values": values}


def by_text(numbers):
    return {str(action): number for action, number in numbers.items()}


def messages_of_engine(job, request, options, plan, exact=None):
    """The messages of a job whose searches a page does: each result is sent when it is found."""
    start = start_of(request)
    asked = {**request, "job": job, "options": options, "plan": plan, "exact": exact}
    said = answer(asked)
    messages, ended = list(said["messages"]), []
    while said["search"]:
        last = []
        for found in searched(said["search"], start):
            last.append(json.loads(json.dumps(found)))
            part = answer({**asked, "found": [*ended, last], "said": len(last) - 1})
            assert part["search"] is None
            assert not part["done"]
            messages += part["messages"]
        ended.append(last[-1:])
        said = answer({**asked, "found": ended, "said": 1, "ended": True})
        messages += said["messages"]
    assert said["done"]
    return messages


def untimed(message):
    """A message without what depends on the clock."""
    if isinstance(message, dict):
        return {k: untimed(v) for k, v in message.items() if k not in ("seconds", "rate")}
    return [untimed(each) for each in message] if isinstance(message, list | tuple) else message


def messages_of_python(job, request, options):
    """The messages of the same job by an agent of Python, the state after moves included."""
    from agents.web.answers import STATES
    from agents.web.game_states import shown_after

    state = STATES.read(request)
    return [shown_after(STATES, state, each) for each in JOBS[job](state, options)]


def check(job, request, options, exact=None):
    plan = plan_for(options["agent"], start_of(request)) if "agent" in options else None
    by_engine = messages_of_engine(job, request, options, plan, exact)
    by_python = messages_of_python(job, request, options)
    assert by_engine
    assert json.loads(json.dumps(untimed(by_engine))) == json.loads(json.dumps(untimed(by_python)))
    return by_engine


HEX = {"game": "hex", "parameters": {"size": 3}, "line": [4, 1]}
FLIPPED = {"game": "breakthrough", "line": [145, 25], "flipped": True}
COUNTED = {"game": "kalah", "parameters": {"pits": 2, "seeds": 2}, "line": [0]}
DEPTH_2 = "alpha_beta(depth=2, evaluate=hex.two_distance)"


@pytest.mark.parametrize("job", ["move", "hint", "analyse", "review"])
@pytest.mark.parametrize(
    ("request_", "agent"),
    [
        (HEX, DEPTH_2),
        (HEX, "alpha_beta(nodes=300)"),
        (FLIPPED, "alpha_beta(depth=1, evaluate=breakthrough.runners)"),
        (COUNTED, "alpha_beta(depth=3, evaluate=kalah.lead)"),
        (
            {"game": "pig", "parameters": {"target": 12}},
            "expectiminimax(depth=2, evaluate=pig.lead)",
        ),
    ],
)
def test_the_messages_are_those_of_python(job, request_, agent):
    check(job, request_, {"agent": agent, "seed": 7}, facts_or_none(start_of(request_)))


def facts_or_none(start):
    try:
        return exact_facts(start)
    except NotGraded:
        return None


@pytest.mark.parametrize("job", ["move", "hint"])
def test_searches_that_draw_are_seeded(job):
    check(job, HEX, {"agent": "mcts(simulations=64)", "seed": 7})


# ---- puzzles


@pytest.mark.parametrize("job", ["puzzle_move", "puzzle_reply"])
@pytest.mark.parametrize(
    "request_",
    [
        {"game": "hex", "parameters": {"size": 3}, "line": [4, 1]},
        {"game": "nim", "line": [0]},
        {"game": "thirty_one", "parameters": {"limit": 12, "copies": 2}, "line": [0]},
        {"game": "kalah", "parameters": {"pits": 2, "seeds": 2}},
    ],
)
def test_puzzles_are_judged_by_an_engines_exact_values(job, request_):
    check(job, request_, {}, exact_facts(start_of(request_)))


def test_exact_values_that_an_engine_does_not_find_are_left_out():
    plan = {**exact_facts(start_of(HEX)), "quick": 3, "feasible": 5}
    agent = plan_for(DEPTH_2, start_of(HEX))
    asked = {**HEX, "job": "analyse", "options": {"agent": DEPTH_2}, "plan": agent, "exact": plan}
    first = answer(asked)["search"]
    assert (first["want"], first["plan"]["feasible"]) == ("values", 5)
    second = answer({**asked, "found": [[]], "ended": True})["search"]
    assert (second["want"], second["plan"]["name"]) == ("best", "alpha_beta")
    review = {**asked, "job": "review", "options": {"agent": DEPTH_2, "ply": 1}}
    assert answer(review)["search"]["plan"]["feasible"] == 3
    with pytest.raises(BadRequest, match="take long to find"):
        answer({**asked, "job": "puzzle_move", "options": {}, "found": [[]], "ended": True})


# ---- one step after the other

PLAN = {"name": "alpha_beta", "scale": None, "nodes": 100, "depth": 5, "seconds": None}
MOVE = {"game": "tic_tac_toe", "line": [4], "job": "move", "options": {"agent": "alpha_beta()"}}
ASKED = {**MOVE, "plan": PLAN}
FOUND = {"action": 0, "value": 0.5, "line": [0, 1], "nodes": 9, "leaves": 5, "depth": 2}


def test_a_job_says_which_search_it_needs():
    found = answer({**ASKED, "options": {"agent": "alpha_beta()", "seed": 3, "seconds": 2}})
    assert found["messages"] == []
    assert found["search"].pop("words") == [str(word) for word in words_of(start_of(MOVE).play(4))]
    assert found["search"] == {"plan": {**PLAN, "seconds": 2}, "want": "best", "seed": 3}


def test_what_was_said_is_not_said_again():
    thought = {"thought": {"action": 0, "depth": 2, "nodes": 9}}
    assert answer({**ASKED, "found": [[FOUND]]})["messages"] == [thought]
    assert answer({**ASKED, "found": [[FOUND, FOUND]], "said": 1})["messages"] == [thought]
    assert answer({**ASKED, "found": [[FOUND]], "said": 1})["messages"] == []
    at_end = answer({**ASKED, "found": [[FOUND]], "said": 1, "ended": True})
    (played,) = at_end["messages"]
    assert at_end["done"]
    assert played["state"]["line"] == [4, 0]
    assert played["said"] == "alpha_beta sees itself ahead, value +0.5"


@pytest.mark.parametrize(
    ("spec", "limits", "text"),
    [
        ("alpha_beta()", {"seconds": 2.0, "nodes": None}, "alpha_beta(seconds=2.0)"),
        (
            "alpha_beta(nodes=5, evaluate=hex.x)",
            {"depth": 3},
            "alpha_beta(depth=3, nodes=5, evaluate=hex.x)",
        ),
        ("mcts(simulations=9, solver=False)", {"simulations": None}, "mcts(solver=False)"),
    ],
)
def test_a_spec_with_other_limits(spec, limits, text):
    assert limited_spec(spec, limits) == text


# ---- nonsense


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"job": "tree"}, "engines do these jobs"),
        ({"job": ["move"]}, "engines do these jobs"),
        ({"options": [1]}, "options are given by name"),
        ({"options": {"agent": 7}}, "named by its spec"),
        ({"options": {"agent": "x" * 301}}, "named by its spec"),
        ({"options": {"agent": "alpha_beta()", "seed": "x"}}, "a seed is a whole number"),
        ({"game": "kuhn", "line": []}, "the server searches"),
        ({"plan": None}, "needs a plan"),
        ({"plan": {**PLAN, "name": "<b>"}}, "name in a plan"),
        ({"plan": {**PLAN, "scale": 0}}, "scale in a plan"),
        ({"plan": {**PLAN, "nodes": "x"}}, "nodes in a plan"),
        ({"plan": {**PLAN, "more": "x" * 5000}}, "needs a plan"),
        ({"found": {}}, "found is a list"),
        ({"found": [7]}, "found is a list"),
        ({"found": [[7]]}, "found is a list"),
        ({"found": [[]], "ended": True}, "found nothing"),
        ({"said": -1}, "said is a number"),
        ({"found": [[{**FOUND, "action": 4}]]}, "not a legal action"),
        ({"found": [[{**FOUND, "action": "0"}]]}, "not a legal action"),
        ({"found": [[{**FOUND, "action": True}]]}, "not a legal action"),
        ({"found": [[{**FOUND, "value": math.nan}]]}, "are numbers"),
        ({"found": [[{**FOUND, "value": None}]]}, "are numbers"),
        ({"found": [[{**FOUND, "seconds": -1}]]}, "are numbers"),
        ({"found": [[{**FOUND, "nodes": 1.5}]]}, "nodes is a whole number"),
        ({"found": [[{**FOUND, "nodes": 10**30}]]}, "nodes is a whole number"),
        ({"found": [[{**FOUND, "line": [0, 0]}]]}, "not legal"),
        ({"found": [[{**FOUND, "line": "0"}]]}, "list of actions"),
        ({"found": [[{**FOUND, "values": {"4": 1}}]]}, "4 is not a legal action"),
        ({"found": [[{**FOUND, "values": {"x": 1}}]]}, "numbers by action"),
        ({"found": [[{**FOUND, "visits": {"0": math.inf}}]]}, "numbers by action"),
        ({"found": [[{**FOUND, "values": [1]}]]}, "numbers by action"),
        ({"found": [[{**FOUND, "visits": {"0": -1}}]]}, "visits are numbers from 0 on"),
        ({"found": [[{**FOUND, "probabilities": {"0": -0.5}}]]}, "are numbers from 0 on"),
        ({"line": [0, 3, 1, 4, 2]}, "the game is over"),
        ({"line": [0, 3, 1, 4, 2], "job": "hint"}, "the game is over"),
    ],
)
def test_nonsense_is_refused_in_words(wrong, why):
    with pytest.raises(BadRequest, match=why):
        answer({**copy.deepcopy(ASKED), **wrong})


@pytest.mark.parametrize(
    "agent",
    [7, None, "", "((((", "engine(command='sh')", "pig_solver", "nim_solver", "hex_solver",
     "random(1)", "alpha_beta(evaluate=hex.two_distance)", "policy(path='/etc/passwd')",
     "llm(model='x')"],
)  # fmt: skip
@pytest.mark.parametrize("game", ["tic_tac_toe", "chess", "kuhn"])
def test_there_is_no_plan_for_what_no_engine_plays(game, agent):
    assert answer_plan({"game": game, "agent": agent}) == {"plan": None}


def test_the_plan_of_a_typed_spec():
    found = answer_plan({"game": "tic_tac_toe", "agent": "alpha_beta(nodes=77)"})["plan"]
    assert (found["name"], found["nodes"]) == ("alpha_beta", 77)
    with pytest.raises(BadRequest, match="no game"):
        answer_plan({"game": "tic_tac_toes", "agent": "alpha_beta()"})
