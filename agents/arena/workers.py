"""Runs worker processes that play the games of a tournament, and the pools that manage them.

A pool is told numbers of games and yields the results: ``WorkerPool`` plays in processes of this
machine, ``InProcessPool`` in this process, ``cluster.RayPool`` on a Ray cluster. ``make_pool``
chooses between the first two.
"""

from __future__ import annotations

import heapq
import os
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from multiprocessing import connection
from operator import itemgetter
from typing import Any, Protocol

from adv_envs import Position
from adv_envs.registry import title
from agents.captured_output import shortened_output
from agents.faults import CannotPlay, NobodyToBlame, incompatibility
from agents.landlock import can_contain
from agents.match_loop import Game, Task, play_game, until_undisturbed
from agents.processes import (
    FROM_OUTSIDE,
    Channel,
    Child,
    Closed,
    SharedNumbers,
    WorkerError,
    how,
    limit_memory,
    start,
)

from .clock import (
    ACTIONS,
    BEGAN,
    DEADLINE,
    GAME,
    KILL_AFTER,
    NOBODY,
    PLIES,
    TO_MOVE,
    USED,
    Clock,
)
from .game_record import GameRecord, points_of_game
from .isolation import IsolatedAgent, prepared
from .schedule import Plan
from .store import Store

SLICE = 0.1
"""Seconds after which a worker reports its results, so that an interruption loses little."""

FIRST_CHUNK = 64
"""Games that a worker is given at first; it plays as many of them as one slice of time allows.
Later it is given twice as many as were played in the last slice."""

WORKER_KILL_AFTER = 2 * KILL_AFTER
"""Seconds from the end of an agent's time and grace until the worker it plays in is killed."""

READY_KILL_AFTER = 10.0
"""Seconds from the end of the time to get ready until the worker is killed that waits for it."""

WAIT = 1.0
"""Seconds after which it is told that an agent still gets ready."""

TOO_LATE = f"no answer {WORKER_KILL_AFTER:g} s after its time and grace were over"

MOST_LIVING = 16
"""Processes of agents that a worker keeps while other agents play."""

MOST_DEATHS = 3
"""Workers that end one after the other without playing, before the tournament gives up."""


# ---- in the worker process


class GameRunner:
    """Plays games of a plan in this process.

    Agents that are not of this package are ``isolated``: see the module of that name. They play
    ``alone`` if there is no other worker. The ``late`` ones, by number, did not get ready in time
    in another worker, with what is said of that, and are not waited for again.
    """

    def __init__(
        self,
        plan: Plan,
        clock: Clock,
        isolated: bool = True,
        alone: bool = True,
        late: Iterable[tuple[int, str]] = (),
    ) -> None:
        self.plan, self.clock = plan, clock
        self._starts: dict[int, Position] = {}
        self._ready = set[int]()
        ready, memory = plan.control.ready, plan.memory
        deadline = lambda: clock.deadline  # noqa: E731 - it is asked for again at each move
        self._agents = [
            IsolatedAgent(each, plan.start, ready, deadline, memory, alone, plan.limits)
            if isolated and not each.trusted
            else each.load()
            for each in plan.participants
        ]
        self._isolated = {i: a for i, a in enumerate(self._agents) if isinstance(a, IsolatedAgent)}
        self._living: dict[int, None] = {}
        for index, why in late:
            self._isolated[index].give_up(why)

    def play(self, number: int) -> GameRecord:
        """Plays one game, again where a process was ended from outside."""
        task, plan = self.plan.schedule.task(number), self.plan
        if task.opening not in self._starts:
            self._starts[task.opening] = plan.start.after(plan.openings[task.opening])
        game = until_undisturbed(partial(self._game, self._starts[task.opening], task))
        printed = [self._printed(index) for index in task.players]
        ended = game.reason, game.loser, game.fault
        more: dict[str, Any] = {"counts": game.counts, "printed": printed}
        return plan.record(
            task, game.actions, points_of_game(game.utilities), game.seconds, *ended, **more
        )

    def _printed(self, index: int) -> str:
        """Returns what the process of an agent has printed in this game."""
        if index not in self._isolated:
            return ""
        return shortened_output(self._isolated[index].printed(ready=False))

    def _game(self, start: Position, task: Task) -> Game:
        players = [self._agents[i] for i in task.players]
        self._make_room(task.players)
        self.clock.start(task.number, players)
        try:
            for player, index in enumerate(task.players):
                if index not in self._ready:
                    self._get_ready(index, player)
            return play_game(
                start, players, task.seed, callbacks=self.clock, chance_seed=task.chance_seed
            )
        finally:
            self.clock.stop()

    def _make_room(self, players: Sequence[int]) -> None:
        """Ends the processes of agents that have not played for long, where there are many."""
        for index in players:
            if index in self._isolated:
                self._living.pop(index, None)
                self._living[index] = None  # now the last one
        for index in list(self._living)[:-MOST_LIVING]:
            self._isolated[index].close()
            del self._living[index]

    def close(self) -> None:
        """Ends the processes of agents."""
        for agent in self._isolated.values():
            agent.close()

    def incompatibility(self, index: int) -> tuple[str, str]:
        """Returns why agent ``index`` cannot play the game at all, or ""; and if it is late, so."""
        self.clock.start(NOBODY, [self._agents[index]])
        why = ""
        try:
            with suppress(NobodyToBlame):  # that does not mean that it cannot play
                error = self._get_ready(index, 0)
                why = "" if error is None else incompatibility(error)
        finally:
            self.clock.stop()
        return why, self._isolated[index].late if index in self._isolated else ""

    def _get_ready(self, index: int, player: int) -> BaseException | None:
        """Has an agent prepare for the game at its start; returns its error."""
        self.clock.get_ready(player)
        try:
            if index not in self._isolated:
                self._ready.add(index)
            return prepared(self._agents[index], self.plan.start)
        finally:
            self.clock.is_ready()


def work(channel: Channel, shared: SharedNumbers, alone: bool, late: list[tuple[int, str]]) -> None:
    """Plays the games, or checks the agents, that the parent requests, until it closes the channel.

    The first message is the plan; ``late`` are its agents that did not get ready in time before.
    """
    with suppress(Closed):
        plan: Plan = pickle.loads(channel.receive())
        limit_memory(plan.memory)
        clock = Clock(plan.control, shared.numbers)
        with closing(GameRunner(plan, clock, alone=alone, late=late)) as runner:
            while True:
                request: list[int] | int = pickle.loads(channel.receive())
                answer: Any
                if isinstance(request, int):
                    answer = runner.incompatibility(request)
                else:
                    answer = play_for_a_while(runner, request)
                channel.send(pickle.dumps(answer))


def play_for_a_while(runner: GameRunner, numbers: Sequence[int]) -> list[GameRecord] | str:
    """Plays those of the games that begin within a ``SLICE`` of time; a text describes an error."""
    results: list[GameRecord] = []
    until = time.monotonic() + SLICE
    for number in numbers:
        try:
            results.append(runner.play(number))
        except NobodyToBlame as disturbance:
            return f"game {number} cannot be played: {disturbance}"
        except Exception as error:  # of the rules, not of an agent: nobody is to blame
            return f"game {number} cannot be played: {type(error).__name__}: {error}"
        if time.monotonic() > until:
            break
    return results


# ---- pools


class Pool(Protocol):
    """Plays games of a plan."""

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Yields these games as they end; now and then an empty list while none ends."""

    def incompatibility(self, agent: int, on_wait: Callable[[], None] | None = None) -> str:
        """Returns why agent number ``agent`` of the plan cannot play the game at all, or ""."""

    def close(self) -> None:
        """Ends all processes."""


def make_pool(plan: Plan, workers: int | None) -> Pool:
    """Returns a pool of ``workers`` processes, None for one per core, or for 0 this process.

    ValueError for a negative number.
    """
    if workers is None:
        workers = available_cores()
    if workers < 0:
        raise ValueError(f"workers must be at least 1, or 0 for none, not {workers}")
    return WorkerPool(plan, workers) if workers else InProcessPool(plan)


def available_cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_compatible(
    store: Store,
    plan: Plan,
    pool: Pool,
    agents: Sequence[int],
    on_wait: Callable[[str], None] | None = None,
) -> None:
    """Raises CannotPlay if one of ``agents`` cannot play the game at all.

    Each chooses an action at the start, within the time that it has to get ready; ``on_wait`` is
    called with its name now and then meanwhile. Skipped where ``store`` has games already; where an
    agent is refused, no file is left.
    """
    first = {plan.participants[number].spec: number for number in reversed(agents)}
    for name, number in () if len(store) else sorted(first.items(), key=itemgetter(1)):
        tell = None if on_wait is None else partial(on_wait, name)
        if why := pool.incompatibility(number, tell):
            store.discard()
            raise CannotPlay(name, title(plan.start), why)


class WorkQueue:
    """Holds the games that are not given to a worker yet, by number, the lowest first."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._chunk = FIRST_CHUNK

    def __len__(self) -> int:
        return len(self._numbers)

    def fill(self, numbers: Iterable[int]) -> None:
        """Replaces all games by these."""
        self._numbers = sorted(numbers)

    def take(self, workers: int) -> list[int]:
        """Removes and returns a chunk, small enough for all ``workers`` to be busy to the end."""
        share = -(-len(self._numbers) // (2 * workers))
        return [heapq.heappop(self._numbers) for _ in range(min(share, self._chunk))]

    def put_back(self, given: Iterable[int], played: Sequence[GameRecord]) -> None:
        """Puts back the games of a chunk that were not played."""
        done = {row.number for row in played}
        for number in given:
            if number not in done:
                heapq.heappush(self._numbers, number)
        if played:
            self._chunk = 2 * len(played)


@dataclass
class Worker:
    """Represents a worker process for its parent, and the games that it was given."""

    process: Child
    shared: SharedNumbers
    """What the worker is doing: see ``clock``."""
    numbers: list[int] = field(default_factory=list)
    late: bool = False
    """Whether it was killed because a move took too long."""

    @property
    def ends(self) -> list[Any]:
        """Returns what is readable when it has answered or ended."""
        return [self.process.channel.socket, self.process.sentinel]


class WorkerPool:
    """Pools ``workers`` processes: iterate over ``results``, as often as needed; ``close``.

    Agents of this package play in the worker, others in processes of their own, which the worker
    watches (see ``isolation``). If the worker itself ends in the middle of a game:

    - Its move is not there a second after its time and grace are over: it is killed, and the
      player to move loses, if it plays in the worker. The fault is "time".
    - It exits, or is ended by a signal such as that of a segmentation fault: the player to move
      loses, if it plays in the worker and nobody else can have sent the signal. The fault is
      "crash".
    - Else nobody is to blame, and the game is played again. WorkerError is raised if that happens
      ``MOST_DEATHS`` times in one game.

    If all are lost, because the process that started them was ended, they are started again. The
    time of that move, in the record, ends when the end of the worker is noticed, or when it was to
    be killed. ``alone``: whether
    no others play at the same time, on a cluster.
    """

    def __init__(self, plan: Plan, workers: int, alone: bool = True) -> None:
        self._plan = plan
        self._pickled = pickle.dumps(plan)
        self._needs_main = b"__main__" in self._pickled
        self._queue = WorkQueue()
        self._workers: list[Worker] = []
        self._size = workers
        self._alone = alone and workers == 1
        self._interruptions: Counter[int] = Counter()
        self._late: dict[int, str] = {}
        self._deaths = 0

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Yields these games as they end; now and then an empty list while none ends."""
        self._queue.fill(numbers)
        while self._queue or any(worker.numbers for worker in self._workers):
            self._assign()
            busy = [worker for worker in self._workers if worker.numbers]
            ends = [end for worker in busy for end in worker.ends]
            timeout = 0.05 if self._plan.control.limited else 0.25
            ready = set(connection.wait(ends, timeout))
            found: list[GameRecord] = []
            for worker in busy:
                if worker not in self._workers:  # it was lost with another one
                    continue
                if not ready.isdisjoint(worker.ends):
                    found += self._receive(worker)
                elif time.perf_counter() > worker.shared.numbers[DEADLINE] + WORKER_KILL_AFTER:
                    worker.late = True
                    worker.process.kill()
                    found += self._receive(worker)
            yield found

    def incompatibility(self, agent: int, on_wait: Callable[[], None] | None = None) -> str:
        """Returns why an agent cannot play the game, or "". Takes as long as to get ready.

        ``on_wait`` is called now and then meanwhile.
        """
        if not self._workers:
            self._workers.append(self._start_worker())
        worker = self._workers[0]
        until = time.perf_counter() + self._plan.control.ready + READY_KILL_AFTER
        with suppress(Closed):  # it dies, which does not mean that it cannot play
            worker.process.channel.send(pickle.dumps(agent))
            limited = self._plan.control.limited or not self._plan.participants[agent].trusted
            while time.perf_counter() < until or not limited:
                if connection.wait(worker.ends, WAIT):
                    why, late = pickle.loads(worker.process.channel.receive())
                    if late:
                        self._late[agent] = late
                    return str(why)
                if on_wait is not None:
                    on_wait()
        worker.process.end()
        self._workers.remove(worker)
        return ""

    def close(self) -> None:
        """Ends all workers."""
        for worker in self._workers:
            worker.process.end()
        self._workers = []

    def _assign(self) -> None:
        """Gives games to all idle workers, starting more workers if needed."""
        while self._queue:
            free = next((worker for worker in self._workers if not worker.numbers), None)
            if free is None:
                if len(self._workers) == self._size:
                    return
                self._workers.append(free := self._start_worker())
            with suppress(Closed):  # it has died meanwhile, which ``_receive`` notices
                free.numbers = self._queue.take(self._size)
                free.process.channel.send(pickle.dumps(free.numbers))

    def _start_worker(self) -> Worker:
        shared = SharedNumbers(USED + self._plan.start.num_players)
        shared.numbers[GAME], shared.numbers[DEADLINE] = NOBODY, inf
        late = sorted(self._late.items())
        process = start(work, [self._alone, late], shared, launches=True, main=self._needs_main)
        with suppress(Closed):  # it has died, which ``_receive`` notices
            process.channel.send(self._pickled)
        return Worker(process, shared)

    def _receive(self, worker: Worker) -> list[GameRecord]:
        """Returns the results that a worker sends; if it has ended, those of ``_handle_exit``."""
        results: list[GameRecord] | str = []
        with suppress(Closed, TimeoutError):
            deadline = time.perf_counter() + 1
            results = pickle.loads(worker.process.channel.receive(deadline=deadline))
        if isinstance(results, str):
            raise WorkerError(results)
        if not results:
            worker.process.join(1)  # its channel ends a little before the process does
            results = self._handle_exit(worker)
        self._queue.put_back(worker.numbers, results)
        worker.numbers = []
        if results:
            self._deaths = 0
        return results

    def _handle_exit(self, worker: Worker) -> list[GameRecord]:
        """Removes a worker that has ended; returns the game that is forfeited by that, if any."""
        worker.process.end()
        self._workers.remove(worker)
        code = worker.process.exitcode
        if code is None:  # all are lost, which counts once
            self._count_death(f"all workers were lost, {MOST_DEATHS} times in a row")
            for other in self._workers:
                other.process.end()
                self._queue.put_back(other.numbers, [])
            self._workers = []
            return []
        doing = worker.shared.numbers
        game, to_move = int(doing[GAME]), int(doing[TO_MOVE])
        if game not in worker.numbers:
            hint = "; agents defined in this program need a guard: if __name__ == '__main__':"
            why = f"{MOST_DEATHS} workers {how(code)} before they could play"
            self._count_death(why + hint * self._needs_main)
            return []
        players, participants = self._plan.schedule.task(game).players, self._plan.participants
        inside = to_move != NOBODY and participants[players[to_move]].trusted
        if worker.late:
            if doing[DEADLINE] > time.perf_counter():
                return []  # it has moved at the last moment
            if inside:
                return [self._forfeit(worker, game, to_move, "time", TOO_LATE)]
        elif inside and -code not in FROM_OUTSIDE:
            others = any(not participant.trusted for participant in participants)
            if self._alone or not others or can_contain():  # no agent can have sent the signal
                return [self._forfeit(worker, game, to_move, "crash", f"its process {how(code)}")]
        self._interruptions[game] += 1
        if self._interruptions[game] >= MOST_DEATHS:
            raise WorkerError(
                f"game {game} cannot be played: its worker {how(code)}, {MOST_DEATHS} times; "
                "no agent is to blame for that"
            )
        return []

    def _count_death(self, why: str) -> None:
        """Counts that workers have ended outside of games. WorkerError if that happens often."""
        self._deaths += 1
        if self._deaths >= MOST_DEATHS:
            raise WorkerError(why)

    def _forfeit(self, worker: Worker, game: int, loser: int, fault: str, why: str) -> GameRecord:
        task, doing = self._plan.schedule.task(game), worker.shared.numbers
        actions = [int(doing[ACTIONS + i]) for i in range(int(doing[PLIES]))]
        spec = self._plan.participants[task.players[loser]].spec
        reason = f"player {loser}, {spec}, failed: {why}"
        players = range(len(task.players))
        used = [doing[USED + player] for player in players]
        points = points_of_game([-float(player == loser) for player in players])
        ended = min(time.perf_counter(), doing[DEADLINE] + WORKER_KILL_AFTER)
        used[loser] += ended - doing[BEGAN]
        return self._plan.record(task, actions, points, used, reason, loser, fault)


class InProcessPool:
    """Plays in this process, for debuggers: an agent that hangs or dies ends everything."""

    def __init__(self, plan: Plan) -> None:
        clock = Clock(plan.control, [0.0] * (USED + plan.start.num_players))
        self._runner = GameRunner(plan, clock, isolated=False)

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Yields these games as they end."""
        done = 0
        while done < len(numbers):
            found = play_for_a_while(self._runner, numbers[done:])
            if isinstance(found, str):
                raise WorkerError(found)
            done += len(found)
            yield found

    def incompatibility(self, agent: int, on_wait: Callable[[], None] | None = None) -> str:
        """Returns why an agent cannot play the game, or ""."""
        return self._runner.incompatibility(agent)[0]

    def close(self) -> None:
        """Does nothing: there is nothing to be ended."""
