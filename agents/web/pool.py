"""Searches in processes of their own, so that a page always answers, whatever a search does.

The server asks ``SearchPool.run(job, ...)`` and gets what the job yields. Each process does one
job at a time and keeps what it has compiled. A job that is no longer wanted is asked to stop; one
that does not, or that takes longer than it may, is ended with its process, and another process is
started. Messages are lines of JSON both ways: see ``search_process``.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]

GRACE = 2.0
"""Seconds that a job has to stop when it is asked to."""
PATIENCE = 30.0
"""Seconds after which a search is asked to stop when a page that has none waits."""
MOST_FAILURES = 3
"""Processes in a row that end before they are ready, until no more are started for a while."""
PAUSE = 10.0
"""How long that while is, in seconds."""
ENDS_AT_ONCE = "the processes of searches end as soon as they start: the terminal may say why"

START = "import sys; sys.path[:] = sys.argv[3:]; from agents.web.search_process import main; main()"
"""What a process runs. It finds modules where this one does, and in no other folder before."""


class PoolBusy(RuntimeError):
    """Too many searches wait already."""


class SearchEnded(RuntimeError):
    """A search failed, took too long, or its process ended; the message says which."""


@dataclass(eq=False)
class WaitingSearch:
    """A search that waits for a process."""

    page: Hashable
    kinds: set[tuple[str, str]]
    """Game and agent: such searches go to the same process, which has compiled what they need."""
    process: asyncio.Future[SearchProcess] = field(repr=False)


class SearchPool:
    """Up to ``size`` processes for searches: one from the start, others when they are needed.

    A search may take ``seconds``, and a process ``memory`` MB more than it had when it began. At
    most ``waiting`` searches wait for a process. A page never has all processes, and those with
    fewer searches come first. Each process imports ``modules``.
    """

    def __init__(
        self,
        size: int = 2,
        seconds: float = 600.0,
        memory: int | None = 4096,
        waiting: int = 40,
        modules: Sequence[str] = (),
    ) -> None:
        self.size, self.seconds, self.memory, self.waiting = size, seconds, memory, waiting
        self.modules = tuple(modules)
        self.processes: list[SearchProcess] = []
        self._idle: list[SearchProcess] = []
        self._queue: list[WaitingSearch] = []
        self._running: Counter[Hashable] = Counter()
        self._failures = 0
        self._paused_until = 0.0
        self._open = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the first process."""
        self._open = True
        self._add()

    async def close(self) -> None:
        """End the processes."""
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
        situation: Mapping[str, Any],
        options: Mapping[str, Any],
        page: Hashable = None,
    ) -> AsyncGenerator[Message, None]:
        """What a job yields, after {"waiting": True} if it has to wait for a process.

        Closing the iterator stops the job. Raises PoolBusy and SearchEnded.
        """
        game, agent = str(situation.get("game")), str(options.get("agent"))
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
            process.ask(job, situation, options)
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
        """The next message of a search that ``began`` then; SearchEnded if its time is over."""
        while True:
            passed = time.monotonic() - began
            if passed >= self.seconds:
                raise SearchEnded(f"the search took more than {self.seconds:g} s and was ended")
            if passed > PATIENCE and self._others_wait(page):
                process.ask_to_stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(1.0, self.seconds)):
                    return await process.answer()

    def _others_wait(self, page: Hashable) -> bool:
        return any(s.page != page and not self._running[s.page] for s in self._queue)

    # ---- who gets a process

    def _enqueue(self, page: Hashable, kinds: set[tuple[str, str]]) -> WaitingSearch:
        if len(self._queue) >= self.waiting:
            raise PoolBusy("too many searches are running: try again in a moment")
        if self._paused:
            raise SearchEnded(ENDS_AT_ONCE)
        search = WaitingSearch(page, kinds, asyncio.get_running_loop().create_future())
        self._queue.append(search)
        self._assign()
        return search

    def _withdraw(self, search: WaitingSearch) -> None:
        """Forget a search that is no longer wanted, or give its process to another."""
        if search in self._queue:
            self._queue.remove(search)
        elif search.process.done() and not (
            search.process.cancelled() or search.process.exception()
        ):
            self._running[search.page] -= 1
            self._release(search.process.result())

    def _assign(self) -> None:
        """Give idle processes to searches that wait, and start another if one is needed."""
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
        """Let a process do other searches."""
        if process in self.processes:
            self._failures = 0
            self._idle.append(process)
        self._assign()

    async def _stop(self, process: SearchProcess) -> None:
        """Ask the job of a process to stop; end the process if it does not."""
        if await process.stop():
            self._release(process)
        elif process in self.processes:
            process.end()
            self._lost(process)

    # ---- processes

    def _add(self) -> None:
        self.processes.append(SearchProcess(self.memory, self.modules, self._release, self._lost))

    def _grow(self, wanted: int) -> None:
        """Start a process, unless as many are starting as are wanted, or there are enough."""
        starting = sum(not process.ready for process in self.processes)
        if starting < wanted and len(self.processes) < self.size and self._open:
            self._add()

    @property
    def _paused(self) -> bool:
        return time.monotonic() < self._paused_until

    def _lost(self, process: SearchProcess) -> None:
        """Start another process in the place of one that has ended, unless they keep ending."""
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
    """A process for searches, as the server sees it."""

    def __init__(
        self,
        memory: int | None,
        modules: Sequence[str],
        on_ready: Callable[[SearchProcess], None],
        on_end: Callable[[SearchProcess], None],
    ) -> None:
        self.kinds: set[tuple[str, str]] = set()
        """The kinds of searches that it has done."""
        self.ready = False
        """Whether it has begun to take jobs."""
        self._stopping = False
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, str(memory or 0), ",".join(modules), *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._answers: asyncio.Queue[Message] = asyncio.Queue()
        self._on_ready, self._on_end = on_ready, on_end
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._process.stdout is not None
        with suppress(RuntimeError), self._process.stdout as lines:  # the loop has ended
            for line in lines:
                with suppress(ValueError):  # half a line, of a process that was ended
                    loop.call_soon_threadsafe(self._receive, json.loads(line))
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
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # `answer` says that the process has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def ask(self, job: str, situation: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """Begin a job."""
        self._stopping = False
        self._send({"job": job, "situation": situation, "options": options})

    def ask_to_stop(self) -> None:
        """Ask the job to end early, with what it has found."""
        if not self._stopping:
            self._stopping = True
            self._send({"stop": True})

    async def answer(self) -> Message:
        """The next message of the job; SearchEnded if the process has ended."""
        message = await self._answers.get()
        if "ended" in message:
            self._answers.put_nowait(message)
            raise SearchEnded("the process of the search has ended; another one takes its place")
        return message

    async def stop(self) -> bool:
        """Ask the job to stop; whether it did."""
        self.ask_to_stop()
        with suppress(SearchEnded, TimeoutError):
            async with asyncio.timeout(GRACE):
                while True:
                    message = await self.answer()
                    if "done" in message or "error" in message:
                        return True
        return False

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]  # it is a pipe
