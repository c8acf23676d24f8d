"""The crew on a Ray cluster: the same games, played on many machines.

Each CPU of the cluster has an actor, and each actor a ``Crew`` of one worker. So on every machine
clocks, limits of memory and the blame for what fails are those of a tournament without a cluster.
"""

from __future__ import annotations

import os
import pickle
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from .crew import MOST_DEATHS, Crew, WorkerError
from .plan import Plan
from .store import Row
from .waiting import Waiting

REPORT = 0.5
"""Seconds after which an actor reports what it has: much longer than its answer travels."""

PATIENCE = 0.25
"""Seconds after which ``results`` gives an empty list, if there are none."""


class Player:
    """What an actor does: it has a worker process play, as many games as a ``REPORT`` is long."""

    def __init__(self, plan: bytes) -> None:
        self._crew = Crew(pickle.loads(plan), 1)

    def play(self, numbers: Sequence[int]) -> list[Row] | str:
        """The first games of these, at least one if there is any; or an error, in words."""
        found: list[Row] = []
        until = time.monotonic() + REPORT
        try:
            for rows in self._crew.results(numbers):
                found += rows
                if rows and time.monotonic() > until:  # between two games: the worker is free
                    break
        except WorkerError as error:
            return str(error)
        return found


@dataclass
class Hand:
    """An actor, as the program that hired it sees it."""

    actor: Any
    losses: int
    """How many were lost in a row, one replacing the other, before it was hired."""
    free: bool = False
    """It has started, and waits for games."""
    numbers: list[int] = field(default_factory=list)
    """The games that it was given."""


class Cluster:
    """Actors on a Ray cluster in place of a crew; ``address`` is what ``ray.init`` takes.

    "auto" is the cluster that this program is connected to already, that of the environment
    variable RAY_ADDRESS, or one that runs on this machine; "local" starts one on this machine, that
    ends with the tournament. ``workers`` None means one for each CPU that the cluster has now.
    Every node needs the same releases of Python, Ray and this package, and the modules of agents
    and games of one's own.

    An actor that is lost, alone or with its node, is nobody's fault: its games are played again,
    and another is hired, which starts when there is a CPU for it. If that happens ``MOST_DEATHS``
    times in a row without a game being played in between, there is a WorkerError; so there is if
    the cluster cannot be reached. ImportError without Ray, TypeError for agents that are defined in
    the program that runs, which no node can import.
    """

    def __init__(self, plan: Plan, workers: int | None, address: str) -> None:
        self._ray = require_ray()
        pickled = pickle.dumps(plan)
        if b"__main__" in pickled:
            raise TypeError(
                "agents and games that are defined in the program that runs cannot be sent to a "
                "cluster: put them into a module that all nodes have"
            )
        self._answers: dict[Any, Hand] = {}
        """Who is to answer, by the promise of it."""
        self._hands: list[Hand] = []
        self._ours = _connect(self._ray, address)
        self._size = workers or int(self._ray.cluster_resources().get("CPU", 0))
        if not self._size:
            self.close()
            raise WorkerError("the Ray cluster has no CPU")
        self._tried, self._plan = plan, self._ray.put(pickled)  # goes to each node once
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(Player)
        self._waiting = Waiting()
        self._losses = 0

    def results(self, numbers: Sequence[int]) -> Iterator[list[Row]]:
        """These games as they end, some at a time; an empty list now and then while none does."""
        self._waiting.fill(numbers)
        while self._waiting or any(hand.numbers for hand in self._hands):
            self._employ()
            ready, _ = self._ray.wait(list(self._answers), timeout=PATIENCE)
            yield self._hear(ready[0]) if ready else []

    def try_out(self, agent: int) -> str:
        """What an agent refuses the game with, or "", as a process of this machine finds out."""
        with closing(Crew(self._tried, 1)) as crew:
            return crew.try_out(agent)

    def close(self) -> None:
        """End all actors, and the connection if it was made here."""
        for hand in self._hands:
            self._end(hand)
        self._hands = []
        self._answers = {}
        if self._ours:
            self._ray.shutdown()

    def _employ(self) -> None:
        """Give everybody who is free something to play, and hire while there is more."""
        for hand in self._hands:
            if hand.free and self._waiting:
                self._give(hand, self._waiting.take(len(self._hands)))
        starting = sum(not hand.numbers for hand in self._hands)
        for _ in range(min(self._size - len(self._hands), len(self._waiting) - starting)):
            hand = Hand(self._actor.remote(self._plan), self._losses)
            self._hands.append(hand)
            self._give(hand, [])  # it answers as soon as it has started, which may take its time

    def _give(self, hand: Hand, numbers: list[int]) -> None:
        hand.free, hand.numbers = False, numbers
        self._answers[hand.actor.play.remote(numbers)] = hand

    def _hear(self, answer: Any) -> list[Row]:
        """What an actor answers; nothing if it is lost."""
        hand = self._answers.pop(answer)
        results: list[Row] | str = []
        try:
            results = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            self._lose(hand, error)
        else:
            hand.free = True
        if isinstance(results, str):
            raise WorkerError(results)
        self._waiting.give_back(hand.numbers, results)
        hand.numbers = []
        if results:
            self._losses = 0
            for other in self._hands:
                other.losses = 0
        return results

    def _lose(self, hand: Hand, error: Exception) -> None:
        """An actor is lost. Those that go down together, with their node, count once."""
        self._end(hand)
        self._hands.remove(hand)
        self._losses = max(self._losses, hand.losses + 1)
        if self._losses >= MOST_DEATHS:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            why = lines[-1] if lines else type(error).__name__
            raise WorkerError(
                f"{self._losses} Ray actors in a row were lost before they played: {why}"
            ) from error

    def _end(self, hand: Hand) -> None:
        with suppress(self._ray.exceptions.RayError):  # it is gone, or all of Ray is
            self._ray.kill(hand.actor)  # its worker ends with it


def require_ray() -> Any:
    """The module ``ray``; ImportError says what to install where it is missing."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody asked it to report anything
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        message = 'a cluster needs ray: pip install "adv-envs[ray]", in an environment of its own'
        raise ImportError(message) from error
    return ray


def _connect(ray: Any, address: str) -> bool:
    """Connect to a cluster; whether this made the connection. WorkerError if it cannot be."""
    if address == "auto" and ray.is_initialized():
        return False
    options: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    try:
        _require_listener(address)
        ray.init(address, log_to_driver=False, logging_level="error", **options)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = str(error).strip().partition(". ")[0].partition("\n")[0]
        hint = "; `ray start --head` starts one, and --ray local one for this tournament"
        raise WorkerError(
            f"cannot use a Ray cluster at {address!r}: {why}" + hint * (address == "auto")
        ) from error
    return True


def _require_listener(address: str) -> None:
    """OSError if nothing listens at HOST:PORT, for which Ray would wait more than a minute."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
