"""Runs searches in processes of their own, so that a page always answers.

The server asks ``SearchPool.run(job, ...)`` and gets what the job yields. Each process does one
job at a time and keeps what it has compiled. A job that is no longer wanted is asked to stop; one
that does not, or that takes longer than it may, is ended with its process, and another process is
started. Messages are JSON both ways.

A job is a generator. It is given a ``GameState`` and the options of the request, and yields plain
data for JSON as it goes on; what it finds for hidden games is what the viewer may know. It ends
early where ``Stopper`` stops its search. ``do_jobs`` is what a process runs.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import queue
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from agents import allow_list
from agents.faults import NobodyToBlame
from agents.processes import Channel, Child, Closed, LauncherError, limit_memory, start
from agents.search.limits import Stopper

from .game_states import GameState, Message, finite
from .python_jobs import JOBS

GRACE = 2.0
"""Seconds that a job has to stop when it is asked to."""
PATIENCE = 30.0
"""Seconds after which a search is asked to stop when a page that has none waits."""
MOST_FAILURES = 3
"""Processes in a row that end before they are ready, until no more are started for a while."""
PAUSE = 10.0
"""How long that while is, in seconds."""
ENDS_AT_ONCE = "the processes of searches end as soon as they start: the terminal may say why"


class PoolBusy(RuntimeError):
    """Says that too many searches wait already."""


class SearchEnded(RuntimeError):
    """Says that a search failed, took too long, or its process ended."""


@dataclass(eq=False)
class WaitingSearch:
    """Waits for a process, as a search."""

    page: Hashable
    kinds: set[tuple[str, str]]
    """Game and agent: such searches go to the same process, which has compiled what they need."""
    process: asyncio.Future[SearchProcess] = field(repr=False)


class SearchPool:
    """Holds up to ``size`` processes for searches, which are started when they are needed.

    A search may take ``seconds``, and a process ``memory`` MB more than it had when it began. At
    most ``waiting`` searches wait for a process. A page never has all processes, and those with
    fewer searches come first. Each process imports ``modules``, and plays with the agents ``named``
    by their specs beside those that any page may name.
    """

    def __init__(
        self,
        size: int = 2,
        seconds: float = 600.0,
        memory: int | None = 4096,
        waiting: int = 40,
        modules: Sequence[str] = (),
        named: Sequence[str] = (),
    ) -> None:
        self.size, self.seconds, self.memory, self.waiting = size, seconds, memory, waiting
        self.options = memory, list(modules), list(named)
        self.processes: list[SearchProcess] = []
        self._idle: list[SearchProcess] = []
        self._queue: list[WaitingSearch] = []
        self._running: Counter[Hashable] = Counter()
        self._failures = 0
        self._paused_until = 0.0
        self._open = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begins to take searches; processes are started when they are needed."""
        self._open = True

    async def close(self) -> None:
        """Ends the processes."""
        self._open = False
        for process in self.processes:
            process.end()
        self.processes.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def run(
        self,
        job: str,
        game_state: Mapping[str, Any],
        options: Mapping[str, Any],
        page: Hashable = None,
    ) -> AsyncGenerator[Message, None]:
        """Yields what a job yields, after {"waiting": True} if it has to wait for a process.

        Closing the iterator stops the job. Raises PoolBusy and SearchEnded.
        """
        game, agent = str(game_state.get("game")), str(options.get("agent"))
        kinds = {(game, agent), (game, agent.partition("(")[0])}
        search = self._enqueue(page, kinds)
        try:
            if not search.process.done():
                yield {"waiting": True}
            process = await search.process
        except (asyncio.CancelledError, GeneratorExit):
            self._withdraw(search)
            raise
        finished, began = False, time.monotonic()
        try:
            process.kinds |= kinds
            process.ask(job, game_state, options)
            while not finished:
                message = await self._answer(process, page, began)
                finished = "done" in message or "error" in message
                if "error" in message:
                    raise SearchEnded(message["error"])
                if not finished:
                    yield message["message"]
        finally:
            self._running[page] -= 1
            self._running += Counter()  # forgets pages without searches
            if finished:
                self._release(process)
            else:
                task = asyncio.create_task(self._stop(process))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(self, process: SearchProcess, page: Hashable, began: float) -> Message:
        """Returns the next message of a search that ``began`` then; SearchEnded if late."""
        while True:
            passed = time.monotonic() - began
            if passed >= self.seconds:
                raise SearchEnded(f"the search took more than {self.seconds:g} s and was ended")
            others = (s.page for s in self._queue if s.page != page)
            if passed > PATIENCE and not all(self._running[other] for other in others):
                process.ask_to_stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(1.0, self.seconds)):
                    return await process.answer()

    # ---- who gets a process

    def _enqueue(self, page: Hashable, kinds: set[tuple[str, str]]) -> WaitingSearch:
        if len(self._queue) >= self.waiting:
            raise PoolBusy("too many searches are running: try again in a moment")
        if time.monotonic() < self._paused_until:
            raise SearchEnded(ENDS_AT_ONCE)
        search = WaitingSearch(page, kinds, asyncio.get_running_loop().create_future())
        self._queue.append(search)
        self._assign()
        return search

    def _withdraw(self, search: WaitingSearch) -> None:
        """Forgets a search that is no longer wanted, or gives its process to another."""
        if search in self._queue:
            self._queue.remove(search)
        elif search.process.done() and not (
            search.process.cancelled() or search.process.exception()
        ):
            self._running[search.page] -= 1
            self._release(search.process.result())

    def _assign(self) -> None:
        """Gives idle processes to searches that wait, and starts another if one is needed."""
        most = max(1, self.size - 1)
        while waiting := [s for s in self._queue if self._running[s.page] < most]:
            search = min(waiting, key=lambda s: self._running[s.page])
            if not self._idle:
                self._grow(len(waiting))
                return
            process = min(self._idle, key=lambda p: (len(search.kinds - p.kinds), len(p.kinds)))
            self._idle.remove(process)
            self._queue.remove(search)
            self._running[search.page] += 1
            search.process.set_result(process)

    def _release(self, process: SearchProcess) -> None:
        if process in self.processes:
            self._failures = 0
            self._idle.append(process)
        self._assign()

    async def _stop(self, process: SearchProcess) -> None:
        """Asks the job of a process to stop; ends the process if it does not."""
        if await process.stop():
            self._release(process)
        elif process in self.processes:
            process.end()
            self._lost(process)

    # ---- processes

    def _add(self) -> None:
        self.processes.append(SearchProcess(self.options, self._release, self._lost))

    def _grow(self, wanted: int) -> None:
        """Starts a process, unless as many are starting as are wanted, or there are enough."""
        starting = sum(not process.ready for process in self.processes)
        if starting < wanted and len(self.processes) < self.size and self._open:
            self._add()

    def _lost(self, process: SearchProcess) -> None:
        """Starts another process in the place of one that has ended, unless they keep ending."""
        if process not in self.processes:
            return
        self.processes.remove(process)
        if process in self._idle:
            self._idle.remove(process)
        process.end()
        self._failures += not process.ready
        if self._failures >= MOST_FAILURES:
            self._failures = 0
            self._paused_until = time.monotonic() + PAUSE
            queued, self._queue = self._queue, []
            for search in queued:
                search.process.set_exception(SearchEnded(ENDS_AT_ONCE))
        elif self._open and not self.processes:
            self._add()
        self._assign()


class SearchProcess:
    """Represents a process for searches, as the server sees it."""

    def __init__(
        self,
        options: Sequence[Any],
        on_ready: Callable[[SearchProcess], None],
        on_end: Callable[[SearchProcess], None],
    ) -> None:
        """Starts it with the ``options`` of ``do_jobs``."""
        self.kinds: set[tuple[str, str]] = set()
        """The kinds of searches that it has done."""
        self.ready = False
        """Whether it has begun to take jobs."""
        self._stopping = self._ended = False
        self._child: Child | None = None
        self._starting = threading.Lock()
        self._answers: asyncio.Queue[Message] = asyncio.Queue()
        self._on_ready, self._on_end = on_ready, on_end
        listen = threading.Thread(
            target=self._listen, args=(asyncio.get_running_loop(), options), daemon=True
        )
        listen.start()

    @property
    def pid(self) -> int | None:
        """Returns the number of the process; None before it has one."""
        return None if self._child is None else self._child.pid

    def _listen(self, loop: asyncio.AbstractEventLoop, options: Sequence[Any]) -> None:
        """Starts the process, and hand on what it sends: in a thread, as both are waited for."""
        with suppress(RuntimeError):  # the loop has ended
            with suppress(Closed, LauncherError):
                with self._starting:
                    if self._ended:
                        return
                    self._child = start(do_jobs, options)
                while True:
                    message = json.loads(self._child.channel.receive())
                    loop.call_soon_threadsafe(self._receive, message)
            loop.call_soon_threadsafe(self._receive, {"ended": True})

    def _receive(self, message: Message) -> None:
        if "started" in message:
            self.ready = True
            self._on_ready(self)
            return
        self._answers.put_nowait(message)
        if "ended" in message:
            self._on_end(self)

    def _send(self, message: Message) -> None:
        assert self._child is not None  # it is ready
        with suppress(Closed):  # `answer` says that the process has ended
            self._child.channel.send(json.dumps(message).encode())

    def ask(self, job: str, game_state: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """Sends a job to the process, which answers it by messages."""
        self._stopping = False
        self._send({"job": job, "game_state": game_state, "options": options})

    def ask_to_stop(self) -> None:
        """Asks the job to end early, with what it has found."""
        if not self._stopping:
            self._stopping = True
            self._send({"stop": True})

    async def answer(self) -> Message:
        """Returns the next message of the job; SearchEnded if the process has ended."""
        message = await self._answers.get()
        if "ended" in message:
            self._answers.put_nowait(message)
            raise SearchEnded("the process of the search has ended; another one takes its place")
        return message

    async def stop(self) -> bool:
        """Asks the job to stop; whether it did."""
        self.ask_to_stop()
        with suppress(SearchEnded, TimeoutError):
            async with asyncio.timeout(GRACE):
                while True:
                    message = await self.answer()
                    if "done" in message or "error" in message:
                        return True
        return False

    def end(self) -> None:
        """Ends the process."""
        with self._starting:
            self._ended = True
        if self._child is not None:
            self._child.end()


# ---- what a process does


def do_jobs(channel: Channel, memory: int | None, modules: list[str], named: list[str]) -> NoReturn:
    """Does the jobs that come in, until the server closes the channel: what a process runs.

    It takes ``memory`` MB at most, imports the user's ``modules``, and plays with agents ``named``.
    """
    for module in modules:
        importlib.import_module(module)
    allow_list.named.update(named)
    import adv_envs.jit.cache  # noqa: F401  # the compiler, which takes a while and all jobs need

    limit_memory(memory)
    waiting: queue.Queue[tuple[Message, Stopper]] = queue.Queue()

    def listen() -> None:
        stopper = Stopper()
        with suppress(Closed):
            while True:
                message = json.loads(channel.receive())
                if "stop" in message:
                    stopper.stop()
                else:
                    stopper = Stopper()
                    waiting.put((message, stopper))
        os._exit(0)

    def reply(message: Message) -> None:
        channel.send(as_json(message).encode())

    threading.Thread(target=listen, daemon=True).start()
    with suppress(Closed):  # the server has ended
        reply({"started": True})
        while True:
            do_job(*waiting.get(), reply)
    os._exit(0)


def do_job(request: Message, stopper: Stopper, reply: Callable[[Message], None]) -> None:
    """Does one job: replies {"message": ...}, and at last {"done": True} or {"error": why}.

    A job that is stopped ends with the next message, but a move that was thought about is made.
    """
    try:
        game_state = GameState.from_plain(request["game_state"])
        with stopper:
            for message in JOBS[request["job"]](game_state, request["options"]):
                reply({"message": message})
                if stopper.stopped and "thought" not in message:
                    break
        reply({"done": True})
    except Closed:
        raise
    except MemoryError:
        reply({"error": "the search ran out of memory: give it a smaller table, or less to do"})
    except (Exception, NobodyToBlame) as error:
        reply({"error": str(error) or type(error).__name__})


def as_json(message: Message) -> str:
    """Returns a message as JSON that browsers can read: numbers that JSON lacks are null."""
    try:
        return json.dumps(message, allow_nan=False, default=number)
    except ValueError:
        return json.dumps(finite(message), default=number)


def number(value: Any) -> Any:
    """Returns a number of NumPy as one of Python; TypeError for what is no number."""
    if hasattr(value, "item"):
        return finite(value.item())
    raise TypeError(f"{value!r} is no plain data")
