"""Compiles in another process what a timed search needs, which answers in plain Python meanwhile.

In the context ``answering_in_time`` of an agent with a limit of ``seconds``, kernels that have not
been compiled yet run in plain Python, much slower and with the same results. A process of its own
lets a copy of the agent make one short move, which compiles what it needs and keeps it on disk; a
thread loads it from there, and the next call of a kernel runs compiled. So the first answer comes
in time, and is weaker. What that process cannot compile is compiled before the next search.

Agents without a limit of time never take this path: the same seed gives the same game. What
measures agents, or prepares them, does not either: ``compiled_first``. Where compiled code cannot
be kept on disk, and where an agent cannot be sent to another process, as its functions are defined
in the program itself, everything is compiled before the search.
"""

from __future__ import annotations

import atexit
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any, NamedTuple

from adv_envs import Position
from adv_envs.jit import Kernel, compiling_elsewhere

SHORTLY = 0.01
"""Seconds of the move that an agent makes in the other process."""

LONGEST_END = 5.0
"""Seconds that the end of a program waits for code that is being loaded."""


Takes = Callable[[Kernel[..., Any], tuple[Any, ...]], bool]
"""See ``compiling_elsewhere``."""


class NotCompiled(Exception):
    """Says that a kernel would have to be compiled."""


@contextmanager
def answering_in_time(agent: Any, position: Position) -> Iterator[None]:
    """Lets an agent with a limit of ``seconds`` answer within it, though nothing is compiled yet.

    ``position`` is what it is asked about. The context of an agent without such a limit compiles
    first, as does all within ``compiled_first``.
    """
    forced = _active.forced
    if forced is not None or getattr(agent, "seconds", None) is None:
        with _searching(None, forced):
            yield
    else:
        with _searching(PlainSearch(agent, position), None):
            yield


@contextmanager
def compiled_first() -> Iterator[None]:
    """Lets searches within the context compile what they need before they begin."""
    with _searching(None, COMPILER.wait_for):
        yield


@contextmanager
def compiled_only() -> Iterator[None]:
    """Lets searches within the context raise NotCompiled where they would have to compile."""
    with _searching(None, _refuse):
        yield


def _refuse(kernel: Kernel[..., Any], args: tuple[Any, ...]) -> bool:
    if not kernel.is_quick(*args):
        raise NotCompiled(f"{kernel} has to be compiled")
    return False


@contextmanager
def _searching(search: PlainSearch | None, forced: Takes | None) -> Iterator[None]:
    before = _active.search, _active.forced
    _active.search, _active.forced = search, forced
    try:
        with compiling_elsewhere(search.takes if search else forced or COMPILER.wait_for):
            yield
    finally:
        _active.search, _active.forced = before


class PlainSearch:
    """Represents a search that may begin in plain Python, while its kernels are compiled."""

    def __init__(self, agent: Any, position: Position) -> None:
        self._agent, self._position = agent, position
        self.waits = False
        """Whether a kernel of it is being compiled."""
        self.compiled: list[Callable[[], None]] = []
        """What is called, in another thread, when one has been compiled."""

    def takes(self, kernel: Kernel[..., Any], args: tuple[Any, ...]) -> bool:
        """Has ``kernel`` compiled for such arguments; False if that is to be done here and now."""
        if kernel.is_quick(*args) or self.request is None:
            return False
        taken = COMPILER.compile(kernel, args, self.request, self._tell)
        self.waits = self.waits or taken
        return taken

    @cached_property
    def request(self) -> bytes | None:
        """Returns what the process that compiles is sent; None if it would not understand it."""
        try:
            pickled = pickle.dumps((without_delay(self._agent), self._position))
        except (pickle.PicklingError, AttributeError, TypeError):  # a function without a name
            return None
        return None if b"__main__" in pickled else pickled

    def _tell(self) -> None:
        for tell in self.compiled:
            tell()


class _ThreadSearch(threading.local):
    search: PlainSearch | None = None
    forced: Takes | None = None
    """What is asked whatever agents say."""


_active = _ThreadSearch()


def waiting_search() -> PlainSearch | None:
    """Returns the search that this thread does in plain Python; None if it runs compiled."""
    search = _active.search
    return search if search is not None and search.waits else None


# ---- compiling


class CompileJob(NamedTuple):
    """Represents a kernel that is to be compiled."""

    kernel: Kernel[..., Any]
    args: tuple[Any, ...]
    """Small arguments of the same kinds."""
    request: bytes
    """What the other process is asked."""
    tell: list[Callable[[], None]]
    """What is called when it is done."""
    done: threading.Event


class BackgroundCompiler:
    """Compiles kernels in a process of its own, which ends when there is nothing left to do."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begins with nothing to do, as in a fork of a process that compiles."""
        self._jobs: dict[Any, CompileJob] = {}
        self._queue: deque[Any] = deque()
        self._refused: set[Any] = set()
        self._thread: threading.Thread | None = None
        self._child: Any = None
        self._closed = False
        self._lock = threading.Lock()

    def compile(
        self,
        kernel: Kernel[..., Any],
        args: tuple[Any, ...],
        request: bytes,
        tell: Callable[[], None],
    ) -> bool:
        """Has ``kernel`` compiled for such arguments; ``tell`` is called then.

        ``request`` is what ``make_moves`` is asked. False if that was tried in vain.
        """
        key = kernel, kernel.variant(*args)
        with self._lock:
            if self._closed or key in self._refused:
                return False
            if key not in self._jobs:
                small = tuple(map(small_like, args))
                self._jobs[key] = CompileJob(kernel, small, request, [], threading.Event())
                self._queue.append(key)
            self._jobs[key].tell.append(tell)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
        return True

    def wait_for(self, kernel: Kernel[..., Any], args: tuple[Any, ...]) -> bool:
        """Waits until this kernel is compiled, if it is being compiled here; returns False."""
        job = self._jobs.get((kernel, kernel.variant(*args)))
        if job is not None:
            job.done.wait()
        return False

    def wait(self) -> None:
        """Waits until everything is compiled."""
        while (thread := self._thread) is not None:
            thread.join()

    def close(self) -> None:
        """Ends the process, and waits for code that is being loaded: the program ends."""
        with self._lock:
            self._closed = True
            self._queue.clear()
            child, thread = self._child, self._thread
        if child is not None:
            child.kill()
        if thread is not None:
            thread.join(LONGEST_END)

    def _work(self) -> None:
        """Does all jobs, in a thread."""
        request = b""
        while True:
            with self._lock:
                if not self._queue:
                    child, self._child, self._thread = self._child, None, None
                    break
                key = self._queue.popleft()
                job = self._jobs[key]
            made = False
            with suppress(Exception):  # the next search that needs it finds out by itself
                if job.request != request:
                    request = job.request
                    self._ask(request)
                if job.kernel.is_quick(*job.args) and not self._closed:
                    job.kernel.prepare(*job.args)
                    made = True
            with self._lock:
                del self._jobs[key]
                self._refused |= set() if made else {key}
            job.done.set()
            for tell in job.tell if made else ():
                tell()
        if child is not None:
            child.end()

    def _ask(self, request: bytes) -> None:
        """Waits until the process has made a move, or has ended."""
        from agents.processes import Closed, LauncherError, start

        try:
            child = self._child or start(make_moves, [])
            with self._lock:
                self._child = child
                if self._closed:
                    raise Closed
            child.channel.send(request)
            child.channel.receive(gone=lambda: child.ended)
        except (Closed, LauncherError, OSError, ValueError):
            if self._child is not None:
                self._child.end()
                self._child = None


COMPILER = BackgroundCompiler()
"""The one of this process."""

atexit.register(COMPILER.close)

if hasattr(os, "register_at_fork"):  # the thread and the other process are not the fork's
    os.register_at_fork(after_in_child=COMPILER.forget)


def without_delay(agent: Any) -> Any:
    """Returns a copy of an agent that moves at once, if it has a limit of time."""
    timed = getattr(agent, "seconds", None) is not None and "seconds" in agent.limits()
    return agent.limited(seconds=SHORTLY) if timed else agent


def make_moves(channel: Any) -> None:
    """Lets agents that are sent make a move, which compiles what they need, and answers then."""
    from agents.processes import Closed

    with suppress(Closed):
        while True:
            agent, position = pickle.loads(channel.receive())
            with suppress(Exception), compiled_first():  # who asks finds out by itself
                agent.act(position)
            channel.send(b"")


def small_like(argument: Any) -> Any:
    """Returns an argument for which the same code is made, with few elements in its arrays."""
    if getattr(argument, "ndim", 0):
        import numpy as np  # which a site's Python lacks

        flags = argument.flags
        either = flags.c_contiguous and flags.f_contiguous
        order: Any = "C" if flags.c_contiguous else "F"
        small = np.zeros((1 if either else 2,) * argument.ndim, argument.dtype, order=order)
        small.flags.writeable = flags.writeable
        return small if flags.c_contiguous or flags.f_contiguous else argument
    if isinstance(argument, tuple) and not isinstance(argument, Position):
        parts = map(small_like, argument)
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    return argument
