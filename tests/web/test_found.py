"""What engines find becomes the messages that agents of Python send, and nonsense is refused."""

import json

import pytest

from adv_envs.bits import position_of
from adv_envs.registry import start_position
from agents import make
from agents.grading.exact_values import exact_for
from agents.knowledge import NotGraded
from agents.move_values import scale_of
from agents.web.answers import ANSWERS
from agents.web.python_jobs import JOBS

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
