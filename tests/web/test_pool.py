"""The processes of searches: hung, killed, hungry, too many; the server lives on."""

import asyncio
import os
import signal
from contextlib import aclosing

import pytest
from children import LONGEST
from event_loops import run_apart

from agents.web import pool as pool_module
from agents.web.game_states import GameStates
from agents.web.pool import ENDS_AT_ONCE, PoolBusy, SearchEnded, SearchPool

pytestmark = pytest.mark.compiled

NIM = GameStates().read({"game": "nim"}).plain
GO = GameStates().read({"game": "go"}).plain
LONG = {"agent": "mcts(seconds=600)"}

BAD_AGENTS = """
import os, time
from dataclasses import dataclass
from typing import ClassVar
import agents

@dataclass(repr=False)
class Stuck(agents.Agent):
    name: ClassVar[str] = "stuck"
    def act(self, position):
        while True:
            time.sleep(0.01)

@dataclass(repr=False)
class Dying(agents.Agent):
    name: ClassVar[str] = "dying"
    def act(self, position):
        os._exit(7)

@dataclass(repr=False)
class Hungry(agents.Agent):
    name: ClassVar[str] = "hungry"
    def act(self, position):
        taken = []
        while True:
            taken.append(bytearray(10**8))

@dataclass(repr=False)
class Loud(agents.Agent):
    name: ClassVar[str] = "loud"
    def act(self, position):
        os.write(1, b"nonsense\\n")
        print("nonsense")
        raise RuntimeError("it is broken")

for agent in (Stuck, Dying, Hungry, Loud):
    agents.register(agent.name, agent)
"""


@pytest.fixture
def bad_agents(tmp_path, monkeypatch):
    """The name of a user's module with agents that misbehave."""
    (tmp_path / "bad_agents_of_tests.py").write_text(BAD_AGENTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "bad_agents_of_tests"


def with_pool(work, **options):
    """Run ``await work(pool)``; all processes must have ended afterwards."""

    async def run():
        pool = SearchPool(**options)
        await pool.start()
        started = set(pool.processes)
        try:
            async with asyncio.timeout(LONGEST):
                await work(pool)
        finally:
            started |= set(pool.processes)
            await pool.close()
        assert all(process.pid is None or has_ended(process.pid) for process in started)

    run_apart(run())


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A machine with much to do may take a while to stop a search."""
    monkeypatch.setattr(pool_module, "GRACE", 60.0)


def has_ended(pid):
    """Whether there is no such process, not even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def found(pool, agent="random", job="move", page=None, game_state=NIM):
    """What a search yields."""
    messages = pool.run(job, game_state, {"agent": agent}, page)
    async with aclosing(messages):
        return [message async for message in messages]


async def first(messages):
    """The first message of a search that is no {"waiting": True}."""
    async for message in messages:
        if "waiting" not in message:
            return message
    raise AssertionError


@pytest.mark.parametrize(
    ("agent", "why", "lives"),
    [
        ("stuck", "took more than 2 s", False),
        ("dying", "process of the search has ended", False),
        ("loud", "it is broken", True),
    ],
)
def test_what_is_wrong_with_an_agent_is_said_and_the_next_search_goes_on(
    bad_agents, agent, why, lives, monkeypatch
):
    monkeypatch.setattr(pool_module, "GRACE", 0.2)

    async def work(pool):
        assert "played" in (await found(pool))[-1]
        before = {process.pid for process in pool.processes}
        pool.seconds = 2.0 if agent == "stuck" else LONGEST
        with pytest.raises(SearchEnded, match=why):
            await found(pool, agent)
        pool.seconds = LONGEST
        assert "played" in (await found(pool))[-1]
        assert (before <= {process.pid for process in pool.processes}) == lives

    with_pool(work, size=1, modules=(bad_agents,))


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux bounds memory")
def test_a_search_has_only_so_much_memory(bad_agents):
    async def work(pool):
        with pytest.raises(SearchEnded, match="ran out of memory"):
            await found(pool, "hungry")
        assert "played" in (await found(pool))[-1]

    with_pool(work, size=1, memory=1024, modules=(bad_agents,))


def test_a_process_may_be_killed_in_the_middle_of_a_search():
    async def work(pool):
        search = pool.run("analyse", GO, LONG)
        await first(search)
        os.kill(pool.processes[0].pid, signal.SIGKILL)
        with pytest.raises(SearchEnded, match="has ended"):
            await first(aiter_rest(search))
        assert "played" in (await found(pool))[-1]
        os.kill(pool.processes[0].pid, signal.SIGKILL)  # while it does nothing
        while True:
            try:
                assert "played" in (await found(pool))[-1]
                break
            except SearchEnded:  # the server did not know yet
                continue

    with_pool(work, size=1)


async def aiter_rest(search):
    """The messages of a search that are no rows."""
    async for message in search:
        if "row" not in message and "values" not in message:
            yield message


def test_a_search_that_is_not_wanted_stops_and_its_process_stays():
    async def work(pool):
        for _ in range(3):
            search = pool.run("analyse", GO, LONG)
            await first(search)
            before = pool.processes[0].pid
            await search.aclose()
            assert "played" in (await found(pool))[-1]
            assert [process.pid for process in pool.processes] == [before]

    with_pool(work, size=1)


def test_searches_that_wait_are_bounded():
    async def work(pool):
        running = pool.run("analyse", GO, LONG)
        await first(running)
        waiting = pool.run("move", NIM, {"agent": "random"})
        assert await anext(waiting) == {"waiting": True}
        with pytest.raises(PoolBusy):
            await found(pool)
        await waiting.aclose()  # which makes room
        again = pool.run("move", NIM, {"agent": "random"})
        assert await anext(again) == {"waiting": True}
        await running.aclose()
        assert "played" in await anext(again)
        await again.aclose()

    with_pool(work, size=1, waiting=1)


def test_a_page_with_many_searches_leaves_room_for_others():
    async def work(pool):
        many = [found(pool, **LONG, job="analyse", page="a", game_state=GO) for _ in range(4)]
        greedy = [asyncio.create_task(search) for search in many]
        pages = [found(pool, page=page) for page in "bcdefghij"]
        for messages in await asyncio.gather(*pages):
            assert "played" in messages[-1]
        assert not any(task.done() for task in greedy)
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)

    with_pool(work, size=2)


def test_a_long_search_ends_early_when_others_wait(monkeypatch):
    monkeypatch.setattr(pool_module, "PATIENCE", 0.1)

    async def work(pool):
        search = pool.run("analyse", GO, LONG, "a")
        await first(search)
        rest = asyncio.create_task(everything(search))
        assert "played" in (await found(pool, page="b"))[-1]
        await rest  # without an error: with what it has found

    with_pool(work, size=1)


async def everything(search):
    """All messages of a search."""
    return [message async for message in search]


def test_processes_that_cannot_start_are_reported_and_not_started_for_ever(tmp_path, monkeypatch):
    (tmp_path / "ends_at_once_of_tests.py").write_text("import os; os._exit(3)")
    monkeypatch.syspath_prepend(str(tmp_path))
    started = []
    start = pool_module.start
    monkeypatch.setattr(pool_module, "start", lambda *a: started.append(a) or start(*a))

    async def work(pool):
        for _ in range(5):
            with pytest.raises(SearchEnded, match=ENDS_AT_ONCE[:30]):
                await found(pool)

    with_pool(work, size=2, modules=("ends_at_once_of_tests",))
    assert len(started) <= pool_module.MOST_FAILURES + 1


def test_a_process_that_has_compiled_an_agent_gets_its_searches():
    async def work(pool):
        await found(pool, "greedy", page="a")
        knows = pool.processes[0]
        busy = pool.run("analyse", GO, LONG, "b")
        await first(busy)  # by the first process too, so that there is a second one
        await found(pool, "random", page="a")
        await busy.aclose()
        while len(pool._idle) < 2:
            await asyncio.sleep(0.01)
        other = next(process for process in pool.processes if process is not knows)
        for _ in range(3):
            await found(pool, "greedy", page="a")
            assert ("nim", "greedy") not in other.kinds

    with_pool(work, size=2)


def test_warming_says_so_and_refuses_beforehand():
    async def work(pool):
        messages = await found(pool, "alpha_beta(depth=4)", "warm")
        assert next(m for m in messages if "waiting" not in m) == {"compiling": True}
        assert messages[-1]["ready"] >= 0
        with pytest.raises(SearchEnded, match=r"\w"):
            await found(pool, "pig_solver()", "warm")

    with_pool(work, size=1)
