"""Searches in processes of their own, so that a page always answers, whatever a search does.

The server asks ``SearchPool.run(job, ...)`` and gets what the job yields. Each process does one
job at a time and keeps what it has compiled. A job that is no longer wanted is asked to stop; one
that does not, or that takes longer than it may, is ended with its process, and another process is
started. What comes from a process is plain data.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
import sys
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

Message = dict[str, Any]

GRACE = 2.0
"""Seconds that a job has to stop when it is asked to."""


class PoolBusy(RuntimeError):
    """Too many searches wait already."""


class SearchEnded(RuntimeError):
    """A search failed, took too long, or its process ended; the message says which."""


class SearchPool:
    """``size`` processes for searches.

    A search may take ``seconds``, and a process ``memory`` MB more than it had when it began. At
    most ``waiting`` searches wait for a process.
    """

    def __init__(
        self, size: int = 2, seconds: float = 600.0, memory: int | None = 4096, waiting: int = 40
    ) -> None:
        self.size, self.seconds, self.memory, self.waiting = size, seconds, memory, waiting
        self._free: asyncio.Queue[SearchProcess] = asyncio.Queue()
        self._workers: list[SearchProcess] = []
        self._waiting = 0

    async def start(self) -> None:
        """Start the processes."""
        for _ in range(self.size):
            self._add()

    def _add(self) -> None:
        worker = SearchProcess(self.memory)
        self._workers.append(worker)
        self._free.put_nowait(worker)

    async def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    async def run(
        self, job: str, situation: Mapping[str, Any], options: Mapping[str, Any]
    ) -> AsyncGenerator[Message, None]:
        """What a job yields, after {"waiting": True} if all processes are at work.

        Closing the iterator stops the job. Raises PoolBusy and SearchEnded.
        """
        if self._free.empty():
            if self._waiting >= self.waiting:
                raise PoolBusy("too many searches are running: try again in a moment")
            yield {"waiting": True}
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        healthy = False
        try:
            deadline = time.monotonic() + self.seconds
            worker.ask(job, situation, options)
            while True:
                message = await worker.answer(deadline)
                if "done" in message:
                    healthy = True
                    break
                if "error" in message:
                    healthy = True
                    raise SearchEnded(message["error"])
                yield message
        finally:
            if not healthy:
                healthy = await worker.stop()
            if healthy:
                self._free.put_nowait(worker)
            else:
                worker.end()
                self._workers.remove(worker)
                self._add()


class SearchProcess:
    """A process for searches, as the server sees it."""

    def __init__(self, memory: int | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, memory), name="search", daemon=True
        )
        self._process.start()
        theirs.close()
        self._answers: asyncio.Queue[Message] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                message = {"ended": True}
            with suppress(RuntimeError):  # the server's loop has ended
                loop.call_soon_threadsafe(self._answers.put_nowait, message)
            if "ended" in message:
                return

    def ask(self, job: str, situation: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """Begin a job."""
        with suppress(OSError):  # `answer` says that the process has ended
            self._connection.send(("job", job, situation, options))

    async def answer(self, deadline: float) -> Message:
        """The next message of the job; SearchEnded if there is none in time."""
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                message = await self._answers.get()
        except TimeoutError:
            raise SearchEnded("the search took too long and was ended") from None
        if "ended" in message:
            self._answers.put_nowait(message)
            raise SearchEnded("the process of the search has ended")
        return message

    async def stop(self) -> bool:
        """Ask the job to stop; whether it did."""
        with suppress(OSError):
            self._connection.send(("stop",))
        deadline = time.monotonic() + GRACE
        try:
            while True:
                message = await self.answer(deadline)
                if "done" in message or "error" in message:
                    return True
        except SearchEnded:
            return False

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._connection.close()


# ---- in the process


def serve(connection: Connection, memory: int | None) -> None:
    """Do jobs until the connection ends."""
    from agents.arena.isolation import limit_memory
    from agents.search.limits import Stopper

    from .jobs import JOBS
    from .situations import Situation

    if memory is not None and sys.platform == "linux":
        limit_memory(memory)
    requests: queue.Queue[Any] = queue.Queue()
    stopper = Stopper()

    def listen() -> None:
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if message[0] == "stop":
                stopper.stop()
            else:
                requests.put(message)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        _, job, situation, options = requests.get()
        stopper = Stopper()
        try:
            with stopper:
                for message in JOBS[job](Situation(**situation), options):
                    connection.send(message)
                    if stopper.stopped:
                        break
            connection.send({"done": True})
        except MemoryError:
            connection.send({"error": "the search ran out of memory"})
        except Exception as error:
            connection.send({"error": str(error) or type(error).__name__})
