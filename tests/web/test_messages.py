"""What the types of the JavaScript say of messages is what the server sends."""

import re
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from agents.web.answers import ANSWERS
from agents.web.catalogue import catalogue
from agents.web.game_states import GameStates, read_text, saved_texts, shown
from agents.web.python_jobs import JOBS

analyse, review, hint, move, puzzle, puzzle_move, tree = (
    JOBS[job] for job in ["analyse", "review", "hint", "move", "puzzle", "puzzle_move", "tree"]
)

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]
TYPES = "\n".join(
    (ROOT / file).read_text("utf-8")
    for file in ("adv_envs/pictures/board_data.d.ts", "agents/web/messages.d.ts")
)
INTERFACE = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.M | re.S)
INTERFACES = {name: (base, body) for name, base, body in INTERFACE.findall(TYPES)}


def fields(name):
    """The fields of an interface, and whether each is always there."""
    base, body = INTERFACES[name]
    own = re.findall(r"^  (\w+)(\??): ", body, re.MULTILINE)
    return {**(fields(base) if base else {}), **{field: not optional for field, optional in own}}


def holds(name, data):
    """Whether data have what an interface says; the server may send more than pages need."""
    missing = {field for field, needed in fields(name).items() if needed} - {*data}
    assert not missing, f"{name} has {missing}, which is not sent"
    return True


def only(name, data):
    """Whether data have what an interface says and nothing else."""
    assert {*data} <= {*fields(name)}, f"{name} has not { ({*data} - {*fields(name)}) }"
    return holds(name, data)


REQUEST = {"game": "tic_tac_toe", "line": [4, 0], "people": [0]}


@pytest.fixture
def state():
    return GameStates().read(REQUEST)


def one(messages, key):
    """The last message that has a key, and what it is there."""
    return [message[key] for message in messages if key in message][-1]


def test_states_and_their_boards(state):
    found = shown(state)
    assert only("State", found)
    assert only("BoardData", found["board"])
    assert all(only("Move", each) for each in found["moves"])
    assert only("GameState", {**REQUEST, "parameters": {}, "flipped": False})


def test_lines_and_texts(state):
    assert only("Line", read_text({"game": "tic_tac_toe", "text": "b2"}))
    assert all(only("SavedText", each) for each in saved_texts(state)["formats"])


def test_what_there_is_to_choose():
    found = catalogue("hex")
    assert only("Catalogue", found)
    assert all(holds("Field", each) for each in found["form"])


def test_analysis(state):
    messages = list(analyse(state, {"agent": "alpha_beta(depth=2)", "seconds": 1}))
    assert holds("Row", one(messages, "row"))
    values = one(messages, "values")
    assert only("Values", values)
    assert all(only("ValuedMove", each) for each in values["moves"])
    assert all(only("BestLine", each) for each in one(messages, "lines"))
    assert all(only("Review", each) for each in review(state, {"agent": "alpha_beta(depth=2)"}))


def test_play(state):
    assert only("Thought", one(move(state, {"agent": "alpha_beta(depth=2)"}), "thought"))
    assert {*one(hint(state, {"agent": "alpha_beta(depth=2)"}), "hint")} == {
        "action",
        "name",
        "said",
    }


def test_what_engines_have_found():
    plan = {"name": "alpha_beta", "scale": None, "nodes": 100}
    options = {"agent": "alpha_beta(nodes=100)"}
    found = ANSWERS["/api/found"]({**REQUEST, "job": "move", "options": options, "plan": plan})
    assert only("FoundAnswer", found)
    assert {*found["search"]} == {"plan", "words", "want", "seed"}


def test_puzzles():
    start = GameStates().read({"game": "tic_tac_toe"})
    found = one(puzzle(start, {"seed": 1, "level": "easy"}), "puzzle")
    assert only("Puzzle", found)
    state = GameStates().read({"game": "tic_tac_toe", "line": found["state"]["line"]})
    assert {"right", "said", "line", "plies"} <= {*list(puzzle_move(state, {}))[-1]}


@pytest.mark.parametrize("agent", ["alpha_beta(depth=2)", "mcts(simulations=16, seed=0)"])
def test_trees(state, agent):
    found = one(tree(state, {"agent": agent, "nodes": 30}), "tree")
    assert only("Tree", found)
    assert all(only("TreeNode", each) for each in found["nodes"])
    assert all(only("TreeStep", each) for each in found["steps"])


def test_a_field_that_is_not_sent_is_noticed(state):
    found = shown(state)
    with pytest.raises(AssertionError, match="viewer"):
        holds("State", {key: found[key] for key in found if key != "viewer"})
    with pytest.raises(AssertionError, match="news"):
        only("State", {**found, "news": 1})
