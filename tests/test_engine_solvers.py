"""Engines solve games, search them and draw as Python's agents do, of all kinds but two.

Alpha-beta and MCTS have tests of their own.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adv_envs.bits import words_of
from adv_envs.random import chance_action, impossible
from adv_envs.registry import start_position
from agents import make
from agents.engines import exact_plan, plan_of
from agents.engines.array_plans import arrays_told, numbers_told
from agents.engines.plans import FOLDER
from agents.grading.exact_values import exact_for
from agents.knowledge import MoveValue
from agents.search.listing import TOO_MANY, list_and_solve, list_positions, new_list
from agents.search.perfect import Perfect

SCRIPT = Path(__file__).parent / "js" / "engine_finds.js"
NODE = Path(sys.executable).parent / "node"

FOUND = ("action", "value", "line", "nodes", "leaves", "depth", "proven", "visits")
"""What an engine and ``SearchResult`` both say of a search."""

AGENTS = (
    ("connect_four", "connect_four_solver(table_mb=1)", range(22, 40)),
    ("connect_four", "connect_four_solver(weak=True)", range(22, 40)),
    ("dots_and_boxes", "margin_solver(table_mb=1)", range(8, 23)),
    ("othello", "othello_player(nodes=500, exact=6)", range(40, 58)),
    ("nim", "nim_solver()", range(6)),
    ("pig", "pig_solver()", range(30)),
    ("tic_tac_toe", "perfect()", range(8)),
    ("thirty_one", "perfect()", range(10)),
    ("pig", "expectiminimax(nodes=3000)", range(30)),
    ("kuhn", "ismcts(simulations=500)", range(2, 4)),
    ("leduc", "ismcts(simulations=500)", range(2, 6)),
)
"""Agents that search, and how many random plies come before."""

DRAWN = (
    ("connect_four", "random()"),
    ("othello", "greedy(evaluate=othello.discs)"),
    ("pig", "greedy()"),
    ("kuhn", "cfr_plus(iterations=20)"),
    ("kuhn", "ismcts(simulations=50, mixed=True)"),
)
"""Agents whose actions are drawn."""


def answers(questions):
    """What engines say: a list of {"found", "values", "work"}."""
    asked = json.dumps({"folder": str(FOLDER), "questions": questions})
    done = subprocess.run(
        [NODE, SCRIPT], input=asked, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def question(plan, position, seed=None):
    """What is asked of an engine."""
    assert plan is not None, position
    return {"plan": plan, "words": list(map(str, words_of(position))), "seed": seed}


def random_position(start, plies, rng):
    """A position at which a player is to move, after about ``plies`` random plies."""
    while True:
        position, left = start, plies
        while not position.is_terminal() and (left > 0 or position.to_move < 0):
            legal = position.legal_actions()
            by_chance = position.to_move < 0
            action = chance_action(position, rng.random()) if by_chance else rng.choice(legal)
            position, left = position.play(action), left - 1
        if not position.is_terminal():
            return position


def by_text(numbers):
    """A mapping of actions as JSON has it."""
    return {str(action): value for action, value in numbers.items()}


@pytest.mark.needs("js")
@pytest.mark.compiled
def test_searches_find_what_python_finds():
    rng, questions, expected = random.Random(), [], []
    for game, spec, plies in AGENTS:
        start = start_position(game)
        for _ in range(3):
            position, seed = random_position(start, rng.choice(plies), rng), rng.getrandbits(40)
            questions.append(question(plan_of(make(spec), start), position, seed))
            agent = make(spec)
            agent.reset(seed)
            expected.append((spec, position, agent.analyse(position)))
    for (spec, position, found), said in zip(expected, answers(questions), strict=True):
        wanted = {name: getattr(found, name) for name in FOUND if name != "line"}
        wanted |= {"line": list(found.principal_variation), "visits": by_text(found.visits)}
        assert {name: said["found"][name] for name in FOUND} == wanted, (spec, position)
        if found.values:
            assert said["found"]["values"] == by_text(found.values), (spec, position)


@pytest.mark.needs("js")
@pytest.mark.compiled
def test_moves_are_valued_before_a_solver_takes_over_and_after():
    rng, spec = random.Random(), "othello_player(nodes=500, exact=6)"
    start = start_position("othello")
    positions = [random_position(start, plies, rng) for plies in (5, 20, 40, 56)]
    asked = [question(plan_of(make(spec), start), position) for position in positions]
    for position, said in zip(positions, answers(asked), strict=True):
        assert said["values"] == by_text(make(spec).values(position)), position


@pytest.mark.needs("js")
def test_drawn_actions_are_those_of_python():
    rng, questions, expected = random.Random(), [], []
    for game, spec in DRAWN:
        start = start_position(game)
        for _ in range(4):
            position, seed = random_position(start, rng.randrange(3), rng), rng.getrandbits(40)
            questions.append(question(plan_of(make(spec), start), position, seed))
            agent = make(spec)
            agent.reset(seed)
            expected.append((spec, position, agent.act(position)))
    for (spec, position, action), said in zip(expected, answers(questions), strict=True):
        assert said["found"]["action"] == action, (spec, position)


EXACT = (
    ("tic_tac_toe", range(8)),
    ("thirty_one", range(10)),
    ("nim", range(6)),
    ("pig", range(30)),
    ("connect_four", range(24, 40)),
    ("othello", range(50, 58)),
    ("dots_and_boxes", range(10, 23)),
)


@pytest.mark.needs("js")
@pytest.mark.compiled
def test_exact_values_are_those_of_graders():
    rng, questions, expected = random.Random(), [], []
    for game, plies in EXACT:
        start = start_position(game)
        for _ in range(2):
            position = random_position(start, rng.choice(plies), rng)
            questions.append(question(exact_plan(start), position))
            expected.append((position, exact_for(start).move_values(position)))
    for asked, (position, wanted), said in zip(
        questions, expected, answers(questions), strict=True
    ):
        told = {int(a): graded(v, asked["plan"]["unit"]) for a, v in said["values"].items()}
        assert told == wanted, position


def graded(value, unit):
    """The value of a move in a unit of plans as graders have it."""
    if unit == "scores":
        return MoveValue.of_score(value)
    return MoveValue.of_value((value + 1) / 2 if unit == "utilities" else value)


@pytest.mark.needs("js")
def test_positions_that_take_long_have_no_exact_values():
    start = start_position("connect_four")
    plan = exact_plan(start)
    (said,) = answers([question(plan, start)])
    assert said == {"found": None, "values": {}, "work": 42}
    assert plan["quick"] < plan["feasible"] < 42


def test_what_has_no_engine_has_no_plan():
    assert exact_plan(start_position("chess")) is None
    assert exact_plan(start_position("kuhn")) is None
    assert plan_of(make("cfr_plus(iterations=2)"), start_position("liars_dice")) is None
    assert plan_of(Perfect(), start_position("chess")) is None


def test_small_games_are_listed():
    start = start_position("tic_tac_toe")
    arrays = new_list(start, 6000)
    assert list_and_solve.bind(chance_of=impossible).plain(start, arrays) == 5478
    assert list_positions.plain(start, new_list(start, 100)) == TOO_MANY


def test_arrays_are_told():
    arrays = new_list(start_position("nim"), 3)
    arrays.rows[1, 0] = 7
    assert arrays_told(arrays)[1] == ["slots", "i64", len(arrays.slots)]
    assert numbers_told(arrays) == {"rows": [[arrays.rows.shape[1], "7"]]}
    with pytest.raises(ValueError, match="numbers that are not 0: too many"):
        numbers_told(arrays._replace(slots=np.ones(200, np.int64)))
