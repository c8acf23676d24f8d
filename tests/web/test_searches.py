"""Attacks on the searches of the local page: by what a page sends, and by how much of it."""

import json

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.websockets import WebSocketDisconnect
from web_client import SEARCH, ask, everything, last, our_page

from adv_envs.registry import GAMES
from agents.agent import Agent
from agents.allow_list import allowed_agent
from agents.search.limits import Stopper
from agents.web import server
from agents.web.catalogue import catalogue
from agents.web.game_states import GameStates
from agents.web.pool import do_job
from agents.web.server import MOST_REFUSED, MOST_SEARCHES


@pytest.fixture(scope="module")
def running():
    """Our own page, of a server with processes for searches."""
    with our_page(searches=2) as found:
        yield found


# ---- searches that are stopped


@pytest.mark.parametrize("agent", ["alpha_beta(depth=4)", "mcts(simulations=500)", "random"])
def test_a_move_that_is_stopped_is_made_all_the_same(agent):
    """A search of another page may want the process while this one still compiles."""
    for moment in range(3):
        said, stopper = [], Stopper()

        def reply(message, said=said, stopper=stopper, moment=moment):
            said.append(message)
            if len(said) > moment:
                stopper.stop()

        if moment == 0:
            stopper.stop()
        state = GameStates().read({"game": "tic_tac_toe"}).plain
        wanted = {"job": "move", "game_state": state, "options": {"agent": agent}}
        do_job(wanted, stopper, reply)
        assert said[-1] == {"done": True}
        (played,) = (m["message"]["played"] for m in said[:-1] if "played" in m["message"])
        assert played[0] in range(9)


# ---- agents


@pytest.mark.parametrize(
    "spec",
    [
        "engine(command='touch /tmp/x')", 'engine(command="sh")', "human", "human()",
        "policy(path='/etc/passwd')", "policy(path='../x')", "policy(path=1)", "policy", "policy()",
        "policy(path=__file__)", "policy(path='hex_5_alphazero', simulations=10**9)",
        "mcts(policy=policy(path='/etc/passwd'))", "mcts(policy=engine(command='sh'))",
        "perfect(book='/etc/passwd')", "connect_four_solver(book='/tmp/x')",
        "alpha_beta(evaluate=os.system)", "alpha_beta(evaluate=subprocess.run)",
        "greedy(evaluate=agents.web.pool.SearchProcess)", "alpha_beta(evaluate=antigravity.x)",
        "os.system", "os.system('ls')", "__import__('os')", "().__class__", "random.__class__",
        "random().__class__", "(lambda: 0)()", "[random][0]()", "random(*[1])", "random(**{})",
        "random(seed=open('/etc/passwd'))", "random(seed=(1).__class__)",
        "random(seed=1 if 1 else 2)",
        "random(seed=[1] * 10**9)", "random(seed=9**9**9)", "random(seed='x')", "random(seed=b'x')",
        "random(seed=1j)", "random(seed={})", "random(seed=f'{1}')", "random(seed=...)",
        "random(1)", "random(nothing=1)", "random; import os", "random\nimport os", "random\x00",
        "mcts(threads=1000000000)", "mcts(table_mb=1000000000)", "alpha_beta(depth=1000000000)",
        "mcts(simulations=1000000000)", "mcts(seconds=1000000)", "mcts(seconds=1e999)",
        "alpha_beta(depth=-1000000000)", "retrograde(limit=1000000000)", "mcts(batch=1000000000)",
        "cfr(iterations=1000000000)", "mcts(seconds=-1)", "mcts(seconds=0)", "nothing", "", " ",
        "(" * 299, "random(" * 40, "a" * 301, "\ud800", 7, None, True, ["random"], {"random": 1},
    ],
)  # fmt: skip
def test_agents_of_paths_commands_and_huge_numbers_are_refused(spec):
    with pytest.raises(ValueError, match=r"\w"):
        allowed_agent(spec)


def test_every_agent_that_is_offered_is_allowed():
    for name in GAMES:
        offered = catalogue(name)
        specs = {*offered["agents"].values(), *offered["analysts"].values()}
        assert {offered["opponent"], offered["analyst"]} & specs
        for spec in specs | {offered["opponent"], offered["analyst"]}:
            assert isinstance(allowed_agent(spec), Agent)
            assert "command" not in spec
            assert "/" not in spec


# ---- searches


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", "7", "[" * 100_000, "NaN", "{}", '{"id": true, "job": "move"}',
     '{"id": 1.5}', '{"id": {}}', '{"id": null}', '{"id": "' + "x" * 101 + '"}',
     '{"id": ' + "9" * 4000 + "}", '{"stop": {}}', '{"stop": []}', '{"stop": true}',
     '{"id": 1}', '{"id": 1, "job": []}', '{"id": 1, "job": "__class__", "game_state": {}}',
     '{"id": 1, "job": "move", "game_state": []}', '{"id": 1, "job": "move", "game_state": "nim"}',
     '{"id": 1, "job": "move", "game_state": {}, "options": [1]}',
     '{"id": 1, "job": "move", "game_state": {}, "options": "x"}',
     '{"id": 1, "job": "move", "game_state": {"game": "nim", "line": [99]}}',
     '{"id": 1, "job": "move", "game_state": {"game": "nim"}}',
     '{"id": 1, "job": "move", "game_state": {"game": "nim"}, "options": {"agent": "human"}}',
     '{"id": 1, "job": "move", "game_state": {"game": "nim"}, "options": {"agent": ["x"]}}',
     '{"id": 1, "job": "move", "game_state": {"game": "nim"}, '
     '"options": {"agent": "random", "seed": {}}}',
     '{"id": 1, "job": "analyse", "game_state": {"game": "nim"}, "options": {"agent": "random"}}'],
)  # fmt: skip
def test_messages_that_make_no_sense_are_answered_in_words(running, text):
    with running.websocket_connect(SEARCH) as socket:
        socket.send_text(text)
        while "error" not in (message := socket.receive_json()):
            assert "waiting" in message
        assert message["error"]
        ask(socket, 5)
        assert "done" in last(socket, 5)


def test_bytes_end_the_connection(running):
    with running.websocket_connect(SEARCH) as socket:
        socket.send_bytes(b"\x00\xff")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_a_flood_of_searches_is_bounded_and_ends_the_connection(running):
    with running.websocket_connect(SEARCH) as socket:
        for number in range(MOST_SEARCHES + MOST_REFUSED):
            ask(socket, number, "analyse", "mcts(seconds=600)", {"game": "go"})
        said = everything(socket)
    assert sum("error" in message.get("text", "") for message in said) == MOST_REFUSED
    assert said[-1]["code"] == 1008
    with running.websocket_connect(SEARCH) as socket:  # and the next page goes on
        ask(socket, 1)
        assert "done" in last(socket, 1)


def test_a_page_cannot_stop_or_reuse_the_search_of_another(running):
    with running.websocket_connect(SEARCH) as one, running.websocket_connect(SEARCH) as other:
        ask(one, 1, "analyse", "mcts(seconds=600)", {"game": "go"})
        other.send_json({"stop": 1})
        ask(other, 1)
        assert "done" in last(other, 1)
        ask(one, 1)
        assert "running" in last(one, 1)["error"]
        while "row" not in one.receive_json():  # it goes on
            pass


def test_only_so_many_pages_are_open(monkeypatch, running):
    monkeypatch.setattr(server, "MOST_PAGES", 1)
    with running.websocket_connect(SEARCH) as socket:
        with pytest.raises(WebSocketDisconnect), running.websocket_connect(SEARCH):
            pass
        ask(socket, 1)
        assert "done" in last(socket, 1)


def test_plain_data_only_goes_to_a_search():
    """What reaches a process is JSON: nothing can hide in it."""
    from agents.web.game_states import GameStates

    read = GameStates().read({"game": "hex", "parameters": {"size": 5}, "line": [3, 4]})
    plain = json.loads(json.dumps(read.plain))
    assert type(read).from_plain(plain).position == read.position
