"""Runs the pool on a Ray cluster: the same games, played on many machines.

Each CPU of the cluster has an actor, and each actor a ``WorkerPool`` of one worker. So on every
machine clocks, limits of memory and forfeits are those of a tournament without a cluster.
"""

from __future__ import annotations

import os
import pickle
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from agents.processes import WorkerError

from .game_record import GameRecord
from .schedule import Plan
from .workers import MOST_DEATHS, WorkerPool, WorkQueue

REPORT = 0.5
"""Seconds after which an actor reports its results: much longer than the report takes."""

TIMEOUT = 0.25
"""Seconds after which ``results`` yields an empty list, if there are none."""


class RayActor:
    """Returns the actors' class: a worker process plays ``REPORT`` seconds at a time for each."""

    def __init__(self, plan: bytes) -> None:
        self._pool = WorkerPool(pickle.loads(plan), 1, alone=False)

    def play(self, numbers: Sequence[int]) -> list[GameRecord] | str:
        """Plays the first of these games, at least one if any; a text describes an error."""
        found: list[GameRecord] = []
        until = time.monotonic() + REPORT
        try:
            for rows in self._pool.results(numbers):
                found += rows
                if rows and time.monotonic() > until:  # between two games: the worker is free
                    break
        except WorkerError as error:
            return str(error)
        return found


@dataclass
class RayWorker:
    """Represents an actor as this program sees it."""

    actor: Any
    losses: int
    """The number of actors that were lost in a row before it was started."""
    free: bool = False
    """Whether it has started, and waits for games."""
    numbers: list[int] = field(default_factory=list)
    """The games that it was given."""


class RayPool:
    """Pools actors on a Ray cluster; ``address`` is that of ``ray.init``.

    "auto" is the cluster that this program is connected to already, that of the environment
    variable RAY_ADDRESS, or one that runs on this machine; "local" starts one on this machine, that
    ends with the tournament. ``workers`` None means one for each CPU that the cluster has now.
    Every node needs the same releases of Python, Ray and this package, and the modules of agents
    and games of one's own.

    When an actor is lost, alone or with its node, its games are played again, by another actor that
    starts when there is a CPU for it. Raises WorkerError if that happens ``MOST_DEATHS`` times in a
    row without a game being played in between, and if the cluster cannot be reached. ImportError
    without Ray, TypeError for agents that are defined in the program that runs, which no node can
    import.
    """

    def __init__(self, plan: Plan, workers: int | None, address: str) -> None:
        self._ray = require_ray()
        pickled = pickle.dumps(plan)
        if b"__main__" in pickled:
            raise TypeError(
                "agents and games that are defined in the program that runs cannot be sent to a "
                "cluster: put them into a module that all nodes have"
            )
        self._answers: dict[Any, RayWorker] = {}
        """The workers by the reference to their next answer."""
        self._workers: list[RayWorker] = []
        self._ours = connect(self._ray, address)
        self._size = workers or int(self._ray.cluster_resources().get("CPU", 0))
        if not self._size:
            self.close()
            raise WorkerError("the Ray cluster has no CPU")
        self._local_plan, self._plan = plan, self._ray.put(pickled)  # goes to each node once
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(RayActor)
        self._queue = WorkQueue()
        self._losses = 0

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Yields these games as they end; now and then an empty list while none ends."""
        self._queue.fill(numbers)
        while self._queue or any(worker.numbers for worker in self._workers):
            self._assign()
            ready, _ = self._ray.wait(list(self._answers), timeout=TIMEOUT)
            yield self._receive(ready[0]) if ready else []

    def incompatibility(self, agent: int, on_wait: Callable[[], None] | None = None) -> str:
        """Returns why an agent cannot play the game, or "", as a process here finds out."""
        with closing(WorkerPool(self._local_plan, 1)) as pool:
            return pool.incompatibility(agent, on_wait)

    def close(self) -> None:
        """Ends all actors, and the connection if it was made here."""
        for worker in self._workers:
            self._end(worker)
        self._workers = []
        self._answers = {}
        if self._ours:
            self._ray.shutdown()

    def _assign(self) -> None:
        """Gives games to all idle actors, and starts more actors while there are games left."""
        for worker in self._workers:
            if worker.free and self._queue:
                self._give(worker, self._queue.take(len(self._workers)))
        starting = sum(not worker.numbers for worker in self._workers)
        for _ in range(min(self._size - len(self._workers), len(self._queue) - starting)):
            worker = RayWorker(self._actor.remote(self._plan), self._losses)
            self._workers.append(worker)
            self._give(worker, [])  # it answers as soon as it has started, which may take long

    def _give(self, worker: RayWorker, numbers: list[int]) -> None:
        worker.free, worker.numbers = False, numbers
        self._answers[worker.actor.play.remote(numbers)] = worker

    def _receive(self, answer: Any) -> list[GameRecord]:
        """Returns the results that an actor sends; none if it is lost."""
        worker = self._answers.pop(answer)
        results: list[GameRecord] | str = []
        try:
            results = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            self._handle_exit(worker, error)
        else:
            worker.free = True
        if isinstance(results, str):
            raise WorkerError(results)
        self._queue.put_back(worker.numbers, results)
        worker.numbers = []
        if results:
            self._losses = 0
            for other in self._workers:
                other.losses = 0
        return results

    def _handle_exit(self, worker: RayWorker, error: Exception) -> None:
        """Removes a lost actor. Those that are lost together, with their node, count once."""
        self._end(worker)
        self._workers.remove(worker)
        self._losses = max(self._losses, worker.losses + 1)
        if self._losses >= MOST_DEATHS:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            why = lines[-1] if lines else type(error).__name__
            raise WorkerError(
                f"{self._losses} Ray actors in a row were lost before they played: {why}"
            ) from error

    def _end(self, worker: RayWorker) -> None:
        with suppress(self._ray.exceptions.RayError):  # it is gone, or all of Ray is
            self._ray.kill(worker.actor)  # its worker ends with it


def require_ray() -> Any:
    """Returns the module ``ray``; ImportError says what to install where it is missing."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody asked it to report anything
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        message = 'a cluster needs ray: pip install "adv-envs[ray]", in an environment of its own'
        raise ImportError(message) from error
    return ray


def connect(ray: Any, address: str) -> bool:
    """Connects to a cluster; returns whether there was none before. WorkerError on failure."""
    if address == "auto" and ray.is_initialized():
        return False
    options: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    host, _, port = address.rpartition(":")
    try:
        if port.isdigit() and "/" not in host:  # else Ray would wait for more than a minute
            socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
        ray.init(address, log_to_driver=False, logging_level="error", **options)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = str(error).strip().partition(". ")[0].partition("\n")[0]
        hint = "; `ray start --head` starts one, and --ray local one for this command"
        raise WorkerError(
            f"cannot use a Ray cluster at {address!r}: {why}" + hint * (address == "auto")
        ) from error
    return True
