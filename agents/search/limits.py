"""Provides what compiled searches share: scale of values, counters, limits, interruption."""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import CompileError, Kernel, inlined, kernel, milliseconds
from agents.agent import SearchResult
from agents.background import waiting_search

P = ParamSpec("P")
R = TypeVar("R")

WIN = 1e6
"""Inside a search a finished game has the value utility * WIN, so that no evaluation, whatever its
scale, is preferred to a win or feared more than a loss."""

EVALUATION_LIMIT = 0.999 * WIN
"""Evaluations are clipped to this size."""

STEP = 2.0**-20
"""What a won game loses and a lost one gains for each ply that it takes, so that the quickest win
and the longest defence are best. It is too small to outweigh a difference between two utilities,
and a power of two, so that adding and subtracting it is exact."""

MAX_DEPTH = 512
"""The largest depth, in plies, of searches without a depth limit."""

NOISY_PLIES = 32
"""How many plies beyond its depth a search follows noisy actions at most."""

DEFAULT_NODES = 1_000_000
"""The limit of nodes for one decision where none was given."""

UNLIMITED = 1 << 62

BRIEF = 0.02
"""Seconds in which iterations are not interrupted."""

Counts = NDArray[np.int64]
"""The counters and switches of one search, shape (12,); the names of the elements follow."""

NODES, LEAVES, CUT_OFF, NODE_LIMIT, STOP, ABORTED = range(6)
"""Counters: positions visited; those of them that were evaluated; those of the leaves that are at
the depth limit; how many nodes may be visited; STOP is set from outside to end the search; ABORTED
is set by the search when it ended early."""

SHALLOW, USE_KILLERS, USE_HISTORY, NULL_WINDOW = range(6, 10)
"""Switches of alpha-beta: the number of last plies that use neither table nor move ordering, and
whether (not 0) killers, history and null windows are used."""

LOOK, DEADLINE = range(10, 12)
"""In engines, where nobody sets STOP: at how many nodes the clock is looked at next, and what it
says in milliseconds when the time is over; 0: never."""

NODES_PER_LOOK = 1024
"""How many nodes are visited from one look at the clock to the next."""


def counters(nodes: int | None = None) -> Counts:
    """Returns fresh counters with a limit of ``nodes`` (None: no limit)."""
    counts = np.zeros(12, np.int64)
    counts[NODE_LIMIT] = UNLIMITED if nodes is None else nodes
    if Stopper.active.stopper is not None:
        Stopper.active.stopper.add(counts)
    return counts


@inlined
@kernel
def must_end(counts: Counts) -> bool:
    """Returns whether the limit of nodes is reached or STOP is set; the search is ABORTED then."""
    if counts[NODES] < counts[NODE_LIMIT] and counts[STOP] == 0:
        return False
    counts[ABORTED] = 1
    return True


@kernel
def must_end_in_time(counts: Counts) -> bool:
    """Returns what ``must_end`` does, after a look at the clock; bound in its place in engines."""
    if counts[NODES] >= counts[LOOK]:
        counts[LOOK] = counts[NODES] + NODES_PER_LOOK
        if 0 < counts[DEADLINE] <= milliseconds():
            counts[STOP] = 1
    return must_end(counts)


class Stopper:
    """Ends searches that its thread begins in this context early when ``stop`` is called.

    ``stop`` is for another thread. A search that is stopped answers with the best that it has
    found, as when its time has run out.
    """

    class _Active(threading.local):
        stopper: Stopper | None = None

    active = _Active()

    def __init__(self) -> None:
        self.stopped = False
        self._counts: list[Counts] = []
        self._lock = threading.Lock()

    def add(self, counts: Counts) -> None:
        """Includes the search with these counters."""
        with self._lock:
            self._counts.append(counts)
            counts[STOP] = self.stopped

    def stop(self) -> None:
        """Ends the searches, also those that begin later."""
        with self._lock:
            self.stopped = True
            for counts in self._counts:
                counts[STOP] = 1

    def __enter__(self) -> Stopper:
        Stopper.active.stopper = self
        return self

    def __exit__(self, *exception: object) -> None:
        Stopper.active.stopper = None


@contextlib.contextmanager
def traced(wrap: Callable[[Callable[..., Any]], Any], **facts: Any) -> Iterator[None]:
    """Lets searches that this thread begins meanwhile run in plain Python, with a trace.

    ``wrap`` is as in ``Kernel.traced``; ``facts`` are bound in the kernels that use them.
    """
    _tracing.link = lambda kernel: kernel.bind_used(**facts).traced(wrap)
    try:
        yield
    finally:
        _tracing.link = None


_tracing = threading.local()


def prepared(kernel: Kernel[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
    """Returns the kernel, compiled for such arguments, so that a time limit excludes compilation.

    It trusts the positions that it is given.

    If a function bound to it cannot be compiled, the search runs in plain Python, much slower, and
    a RuntimeWarning says so. In the context ``traced`` it runs in plain Python, and in that of
    ``agents.background.answering_in_time`` until it is compiled.
    """
    if link := getattr(_tracing, "link", None):
        return link(kernel)  # type: ignore[no-any-return]
    try:
        ready = kernel.ready(*args, **kwargs)
    except CompileError as error:
        warnings.warn(f"{error}; searching in plain Python, much slower", RuntimeWarning, 4)
        return kernel.plain
    return kernel.available if ready == kernel.available else kernel.trusted


def anew_when_compiled(counts: Counts) -> None:
    """Interrupts a search that runs in plain Python for now when its kernels are compiled."""

    def interrupt() -> None:
        counts[ABORTED] = 1

    if (search := waiting_search()) is not None:
        search.compiled.append(interrupt)


def begins_anew(counts: Counts) -> bool:
    """Returns whether a search was interrupted for that; it can go on, as nothing was ABORTED."""
    anew = counts[ABORTED] != 0 and counts[STOP] == 0 and counts[NODES] < counts[NODE_LIMIT]
    if anew:
        counts[ABORTED] = 0
    return bool(anew)


def is_over(counts: Counts) -> bool:
    """Returns whether a search has ended early, and does not begin anew."""
    return counts[STOP] != 0 or (counts[ABORTED] != 0 and not begins_anew(counts))


def run(search: Callable[P, R], counts: Counts, *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a search so that Ctrl-C stops it, which compiled code cannot notice by itself.

    A search that may take long runs in a thread. The main thread waits for it, and sets STOP when
    it is interrupted.
    """
    if counts[NODE_LIMIT] <= 10_000_000:
        return search(*args, **kwargs)
    results: list[R] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            results.append(search(*args, **kwargs))
        except Exception as error:  # raised again in the thread that waits
            errors.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        worker.join()
    except KeyboardInterrupt:
        counts[STOP] = 1
        worker.join()
        raise
    if errors:
        raise errors[0]
    return results[0]


def search_result(
    counts: Counts,
    began: float,
    action: int,
    value: float,
    line: tuple[int, ...],
    **found: Any,
) -> SearchResult:
    """Returns a result with what ``counts`` say, and the time since ``began``."""
    seconds = time.perf_counter() - began
    nodes, leaves = int(counts[NODES]), int(counts[LEAVES])
    return SearchResult(action, value, line, nodes, leaves, seconds=seconds, **found)


def interruptible(search: Callable[P, R], counts: Counts, began: float) -> Callable[P, R]:
    """Returns ``search`` for one more iteration: as ``run`` calls it, unless that is soon over.

    ``began`` is the time at which the first iteration began; the early ones end before anybody
    could interrupt them.
    """
    return search if time.perf_counter() - began <= BRIEF else partial(run, search, counts)


class Deadline:
    """Sets ``counts[STOP]`` after ``seconds`` (None: never), within a context."""

    def __init__(self, counts: Counts, seconds: float | None) -> None:
        self.timer = None if seconds is None else threading.Timer(seconds, self._stop, (counts,))

    @staticmethod
    def _stop(counts: Counts) -> None:
        counts[STOP] = 1

    def __enter__(self) -> None:
        if self.timer is not None:
            self.timer.daemon = True
            self.timer.start()

    def __exit__(self, *exception: object) -> None:
        if self.timer is not None:
            self.timer.cancel()


def require_no_chance(position: Position, who: str) -> None:
    """Raises ValueError for games with chance, and where chance is to move."""
    if position.to_move == CHANCE:
        raise ValueError(f"{who} chooses actions; here chance is to move")
    if position.has_chance:
        raise ValueError(f"{who} plays games without chance, which {type(position).__name__} has")


def in_utilities(value: float, proven: bool) -> float:
    """Returns a search value as users see it: a utility if proven, otherwise as it is."""
    return float(value / WIN if proven else value) + 0.0  # + 0.0 turns -0.0 into 0.0
