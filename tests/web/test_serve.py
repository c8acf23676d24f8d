"""``adv-envs serve`` as a program: started, stopped, killed, with many clients."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys

import httpx
import pytest
from children import LONGEST, wait_for_the_end_of
from event_loops import run_apart
from local_page import Site

import agents
from adv_envs.testing import ChatEndpoint, ScriptedModel
from agents.processes import descendants

connect = pytest.importorskip("websockets.asyncio.client").connect
pytest.importorskip("starlette")

pytestmark = pytest.mark.compiled

LINUX = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
CLIENTS = 20


def page_of(site):
    """The WebSocket of a page; ``async with`` it."""
    host, token = site.origin.removeprefix("http://"), site.address.rpartition("=")[2]
    cookie = {"Cookie": f"adv_envs_{host.rpartition(':')[2]}={token}"}
    return connect(
        f"ws://{host}/api/search", origin=site.origin, additional_headers=cookie, proxy=None
    )


async def asked(page, job, agent, line=(), game="connect_four"):
    """The messages of a search, until it is done."""
    game_state = {"game": game, "line": list(line)}
    await page.send(
        json.dumps({"id": 1, "job": job, "game_state": game_state, "options": {"agent": agent}})
    )
    found = []
    while not found or not {"done", "error"} & found[-1].keys():
        found.append(json.loads(await asyncio.wait_for(page.recv(), 120)))
    return found


async def played(site, line, plies):
    """Play so many plies by an agent, on the server that runs; the line then."""
    async with page_of(site) as page:
        for _ in range(plies):
            messages = await asked(page, "move", "alpha_beta(depth=4)", line)
            assert "done" in messages[-1], messages[-1]
            line = next(m["state"]["line"] for m in messages if "state" in m)
    return line


def test_twenty_clients_play_and_go_on_with_another_server(tmp_path):
    environment = {"XDG_STATE_HOME": str(tmp_path)}

    async def all_play(site, lines):
        return await asyncio.gather(*(played(site, line, 3) for line in lines))

    with Site(**environment) as first:  # which finds a free port
        port = first.origin.rpartition(":")[2]
    with Site("--port", port, **environment) as site:
        lines = run_apart(all_play(site, [[]] * CLIENTS))
        assert {len(line) for line in lines} == {3}
        address = site.address
    with Site("--port", port, **environment) as site:  # the one before was killed
        assert site.address == address
        lines = run_apart(all_play(site, lines))
        assert {len(line) for line in lines} == {6}


@LINUX
def test_a_server_that_is_killed_leaves_no_processes():
    with Site() as site:
        run_apart(played(site, [], 1))
        processes = descendants(site.process.pid)
        assert len(processes) > 1
        site.process.kill()
        wait_for_the_end_of(processes)


@LINUX
def test_a_server_that_ends_during_a_search_leaves_no_processes():
    async def begin(site):
        async with page_of(site) as page:
            message = {"id": 1, "job": "analyse", "game_state": {"game": "go"}}
            await page.send(json.dumps({**message, "options": {"agent": "mcts(seconds=600)"}}))
            while "row" not in json.loads(await page.recv()):
                pass
            processes = descendants(site.process.pid)
            site.process.send_signal(signal.SIGINT)
            return processes

    with Site() as site:
        processes = run_apart(begin(site))
        assert site.process.wait(LONGEST) in {0, 130}
        wait_for_the_end_of(processes)


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_ctrl_c_ends_it_quietly():
    command = [sys.executable, "-m", "adv_envs", "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert "token=" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LONGEST)
    assert process.returncode in {0, 130}
    assert "Traceback" not in errors
    assert len(errors.split()) <= 1


def test_a_port_that_is_taken_is_an_error_on_one_line():
    with Site() as site:
        port = site.origin.rpartition(":")[2]
        command = [sys.executable, "-m", "adv_envs", "serve", "--port", port]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert f"port {port} cannot be used" in found.stderr
    assert found.stdout == ""


MODULE = '''
from dataclasses import dataclass
from typing import ClassVar
import adv_envs, agents
from adv_envs import Nim

class OwnNim(Nim):
    """A game of one's own."""

@dataclass(repr=False)
class Last(agents.Agent):
    name: ClassVar[str] = "last_one"
    def act(self, position):
        return position.legal_actions()[-1]

adv_envs.register("own_nim", OwnNim)
agents.register("last_one", Last)
'''


def test_games_and_agents_of_ones_own_are_played(tmp_path, monkeypatch):
    (tmp_path / "own_game_of_tests.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.pathsep.join(sys.path)}")

    async def play(site):
        async with page_of(site) as page:
            return await asked(page, "move", "last_one", game="own_nim")

    command = [sys.executable, "-m", "adv_envs", "--import", "own_game_of_tests", "serve",
               "own-nim", "--port", "0"]  # fmt: skip
    site = Site.__new__(Site)
    site.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with site:
        site.address = site.process.stdout.readline().split()[-1]
        site.origin = site.address.partition("/game/own_nim?token=")[0]
        messages = run_apart(play(site))
    assert "done" in messages[-1], messages


def test_who_is_named_at_the_start_plays(tmp_path):
    """A language model, at this very spec: a page cannot name another one."""

    async def play(site, spec):
        async with page_of(site) as page:
            ready = await asked(page, "warm", spec)
            asked_for_warmth = len(endpoint.requests)
            others = [await asked(page, "move", f"llm(model='{name}')") for name in ("own", "x")]
            return ready, asked_for_warmth, await asked(page, "move", spec), others

    with ChatEndpoint(ScriptedModel(lambda position: 3)) as endpoint:
        cache = tmp_path / ("a long name " * 20)
        given = f'llm(model="own",base_url="{endpoint.base_url}", board="json", retries=0,'
        given += f'cache="{cache}")'
        spec = repr(agents.make(given))
        with Site("--opponent", given, "--opponent", "random(seed=5)") as site:
            ready, number, found, others = run_apart(play(site, spec))
            answered = len(endpoint.requests)
            shutil.rmtree(cache)
            endpoint.model = json.loads  # which refuses all messages
            down = run_apart(play(site, spec))[2]
            offered = offers(site, "connect_four")
    assert [m["ready"] for m in ready if "ready" in m] == [0]
    assert (number, answered) == (0, 1)
    assert [m["state"]["line"] for m in found if "state" in m] == [[3]]
    assert all("cannot play with 'llm': start it by adv" in each[-1]["error"] for each in others)
    assert "answered with status 400" in down[-1]["error"]
    assert offered[spec] == spec
    assert offered["random(seed=5)"] == "random(seed=5)"


def offers(site, game):
    """The agents that a page offers."""
    with httpx.Client(base_url=site.origin, trust_env=False) as client:
        client.get(site.address)
        return client.get(f"/api/games/{game}").json()["agents"]


@pytest.mark.parametrize(
    ("spec", "error"),
    [("human", "people sit down on the page"), ("llm(", "cannot read"), ("nobody", "no agent 'n")],
)
def test_who_cannot_be_named_is_an_error_on_one_line(spec, error):
    command = [sys.executable, "-m", "adv_envs", "serve", "--port", "0", "--opponent", spec]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert error in found.stderr
    assert found.stderr.count("\n") == 1
