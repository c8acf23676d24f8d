"""What the compiled searches share: the scale of values, counters, limits, interruption."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import CompileError, Kernel

WIN = 1e6
"""Inside a search a finished game is worth its utility times WIN, so that no evaluation, however
it is scaled, is ever preferred to a win or feared more than a loss."""

NODES, LEAVES, CUT_OFF, NODE_LIMIT, STOP, ABORTED = range(6)
"""The counters, an int64 array of shape (10,): positions visited, of them valued, of them at the
depth limit; how many may be visited; not 0 once the search must end; and once it did before it was
through."""

SHALLOW, USE_KILLERS, USE_HISTORY, NULL_WINDOW = range(6, 10)
"""What alpha-beta is to do, beside the counters: how many last plies need neither table nor order,
and whether (not 0) to use killers, history and null windows."""

STEP = 2.0**-20
"""What a won game loses, and a lost one gains, for each ply it takes: the quickest win is the best,
and so is the longest defence. Small enough never to outweigh a difference between two utilities,
and a power of two, so that adding and taking away is exact."""

EVALUATION_LIMIT = 0.999 * WIN
"""Evaluations are cut to this size."""

UNLIMITED = 1 << 62


def counters(nodes: int | None = None) -> NDArray[np.int64]:
    """Fresh counters with a limit of ``nodes`` (None: no limit)."""
    counts = np.zeros(10, np.int64)
    counts[NODE_LIMIT] = UNLIMITED if nodes is None else nodes
    return counts


def prepared(kernel: Kernel[Any, Any], *args: Any) -> Callable[..., Any]:
    """The kernel, compiled for such arguments, so that no compilation falls into a time limit.

    If a function given to it cannot be compiled the search runs in plain Python, much slower, and
    a RuntimeWarning says so.
    """
    try:
        kernel.prepare(*args)
    except CompileError as error:
        warnings.warn(f"{error}; searching in plain Python, much slower", RuntimeWarning, 4)
        return kernel.plain
    return kernel


def call(search: Callable[..., Any], counts: NDArray[np.int64], *args: Any) -> Any:
    """Call a search that will not take long."""
    return search(*args)


def run(search: Callable[..., Any], counts: NDArray[np.int64], *args: Any) -> Any:
    """Call a search so that Ctrl-C stops it: compiled code cannot see the key by itself.

    A search that may take long runs beside the main thread, which waits, and which sets STOP when
    it is interrupted.
    """
    if counts[NODE_LIMIT] <= 10_000_000:
        return search(*args)
    outcome: list[Any] = []
    worker = threading.Thread(target=lambda: outcome.append(_attempt(search, args)), daemon=True)
    worker.start()
    try:
        worker.join()
    except KeyboardInterrupt:
        counts[STOP] = 1
        worker.join()
        raise
    result, error = outcome[0]
    if error is not None:
        raise error
    return result


def _attempt(search: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return search(*args), None
    except Exception as error:  # raised again in the thread that waits
        return None, error


class Deadline:
    """A context in which ``counts[STOP]`` is set after ``seconds`` (None: never)."""

    def __init__(self, counts: NDArray[np.int64], seconds: float | None) -> None:
        self.timer = None if seconds is None else threading.Timer(seconds, self._stop, (counts,))

    @staticmethod
    def _stop(counts: NDArray[np.int64]) -> None:
        counts[STOP] = 1

    def __enter__(self) -> None:
        if self.timer is not None:
            self.timer.daemon = True
            self.timer.start()

    def __exit__(self, *exception: object) -> None:
        if self.timer is not None:
            self.timer.cancel()


def require_no_chance(position: Position, who: str) -> None:
    """Raise ValueError where dice are thrown, now or later."""
    if position.to_move == CHANCE:
        raise ValueError(f"{who} chooses actions; here chance is to move")
    if position.has_chance:
        raise ValueError(f"{who} plays games without chance, which {type(position).__name__} has")


def in_utilities(value: float, proven: bool) -> float:
    """A search value for people: a utility where it is one, else the evaluation as it came."""
    return float(value / WIN if proven else value) + 0.0  # + 0.0 turns -0.0 into 0.0


def read_line(line: NDArray[np.int64]) -> tuple[int, ...]:
    """Best play from the root: line[0] up to the first -1."""
    actions = line[0].tolist()
    return tuple(actions[: actions.index(-1)])
