"""Worker processes that play the games of a tournament, and the pools that manage them.

A pool is told numbers of games and yields the results: ``WorkerPool`` plays in processes of this
machine, ``InProcessPool`` in this process, ``cluster.RayPool`` on a Ray cluster. ``make_pool``
chooses between the first two.
"""

from __future__ import annotations

import heapq
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing import connection
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, Protocol

from adv_envs import Position
from adv_envs.registry import title
from agents.agent import Agent
from agents.faults import FAILURES, CannotPlay, first_decision, incompatibility
from agents.match import play_game
from agents.results import Game

from .clock import (
    ACTIONS,
    BEGAN,
    DEADLINE,
    FIRST_USED,
    GAME,
    KILL_AFTER,
    MOST_ACTIONS,
    NOBODY,
    PLIES,
    SECOND_USED,
    TO_MOVE,
    Clock,
)
from .isolation import FROM_OUTSIDE, IsolatedAgent, how, limit_memory
from .schedule import Plan, Task
from .store import GameRow, Store, actions_text

SLICE = 0.1
"""Seconds after which a worker reports its results, so that an interruption loses little."""

FIRST_CHUNK = 64
"""Games that a worker is given at first; it plays as many of them as one slice of time allows.
Later it is given twice as many as were played in the last slice."""

WORKER_KILL_AFTER = 2 * KILL_AFTER
"""Seconds from the end of an agent's time and grace until the worker it plays in is killed."""

TOO_LATE = f"no answer {WORKER_KILL_AFTER:g} s after its time and grace were over"

MOST_DEATHS = 3
"""Workers that end one after the other without playing, before the tournament gives up."""


class WorkerError(RuntimeError):
    """Workers cannot work, and no agent is to blame."""


# ---- in the worker process


@dataclass
class GameRunner:
    """Plays games of a plan in this process.

    Agents that are not of this package are ``isolated``: see the module of that name.
    """

    plan: Plan
    clock: Clock
    isolated: bool = True
    _agents: list[Agent] = field(init=False)
    _starts: dict[int, Position] = field(default_factory=dict, init=False)
    _lines: dict[int, str] = field(default_factory=dict, init=False)
    _ready: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Load the agents that play in this process."""
        self._agents = [
            IsolatedAgent(entrant, self.clock, self.plan.memory)
            if self.isolated and not entrant.trusted
            else entrant.load()
            for entrant in self.plan.entrants
        ]

    def play(self, number: int) -> GameRow:
        """Play one game."""
        task = self.plan.schedule.task(number)
        start = self._starts.get(task.opening)
        if start is None:
            start = self.plan.start.after(self.plan.openings[task.opening])
            self._starts[task.opening] = start
            self._lines[task.opening] = actions_text(self.plan.openings[task.opening])
        game = self._game(start, task)
        if game.loser is not None and self._recover(task)[game.loser]:
            game = self._game(start, task)
            self._recover(task)
        utility = game.utilities[0]
        names = self.plan.names
        return GameRow(
            number,
            names[task.players[0]],
            names[task.players[1]],
            self._lines[task.opening],
            actions_text(game.actions),
            1.0 if utility > 0 else 0.5 if utility == 0 else 0.0,
            game.seconds[0],
            game.seconds[1],
            game.reason,
            game.loser,
            game.fault,
        )

    def _game(self, start: Position, task: Task) -> Game:
        players = [self._agents[i] for i in task.players]
        self.clock.start(task.number, players)
        if not self._ready.issuperset(task.players):
            for player, (agent, index) in enumerate(zip(players, task.players, strict=True)):
                if index not in self._ready:
                    self._get_ready(index, player, agent, start, task.seed)
        game = play_game(
            start, players, task.seed, callbacks=self.clock, chance_seed=task.chance_seed
        )
        self.clock.stop()
        return game

    def _recover(self, task: Task) -> list[bool]:
        """Make agents ready again whose processes failed; whether each was killed from outside.

        The operator kills processes, or the system when memory runs out: the game is repeated then.
        """
        killed = []
        for index in task.players:
            agent = self._agents[index]
            failure = agent.failure if isinstance(agent, IsolatedAgent) else None
            killed.append(failure is not None and failure.outside)
            if isinstance(agent, IsolatedAgent) and failure is not None and agent.recover():
                self._ready.discard(index)
        return killed

    def close(self) -> None:
        """End the processes of agents."""
        for agent in self._agents:
            if isinstance(agent, IsolatedAgent):
                agent.close()

    def incompatibility(self, index: int) -> str:
        """Why agent ``index`` of the plan cannot play the game at all, or ""."""
        agent = self._agents[index]
        self.clock.start(NOBODY, [agent])
        error = self._get_ready(index, 0, agent, self.plan.start)
        self.clock.stop()
        if isinstance(agent, IsolatedAgent) and agent.failure is not None and agent.recover():
            self._ready.discard(index)
        return "" if error is None else incompatibility(error)

    def _get_ready(
        self, index: int, player: int, agent: Agent, start: Position, seed: int = 0
    ) -> BaseException | None:
        """Have an agent make a move that does not count, to compile its search; return its error.

        An error is no loss here: it will occur again in a game.
        """
        self._ready.add(index)
        self.clock.get_ready(player)
        first = first_decision(start)
        try:
            agent.reset(seed)
            agent.act(first.hidden(first.to_move))
        except FAILURES as error:
            return error
        finally:
            self.clock.is_ready()
        return None


def work(connection: Connection, lifeline: Connection, shared: Any, plan: Plan) -> None:
    """Play the games, or check the agents, that the parent requests, until it closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's
    end_with_parent(lifeline)
    os.dup2(2, 1)  # what agents print is not the tournament's output
    if plan.memory is not None:
        limit_memory(plan.memory)
    shared[0] = NOBODY
    view: Any = memoryview(shared).cast("B").cast("d")  # is written faster than through ctypes
    with closing(GameRunner(plan, Clock(plan.control, view))) as runner:
        while True:
            try:
                request: list[int] | int = connection.recv()
            except EOFError:
                return
            if isinstance(request, int):
                connection.send(runner.incompatibility(request))
            else:
                connection.send(play_for_a_while(runner, request))


def play_for_a_while(runner: GameRunner, numbers: Sequence[int]) -> list[GameRow] | str:
    """Play those of the games that begin within a ``SLICE`` of time; a text describes an error."""
    results: list[GameRow] = []
    until = time.monotonic() + SLICE
    for number in numbers:
        try:
            results.append(runner.play(number))
        except Exception as error:  # of the rules, not of an agent: nobody is to blame
            return f"game {number} cannot be played: {type(error).__name__}: {error}"
        if time.monotonic() > until:
            break
    return results


def end_with_parent(lifeline: Connection) -> None:
    """End this process when its parent has ended, even if the parent was killed by SIGKILL.

    ``lifeline`` is a pipe into which nothing is ever written. When its other end is closed the
    system sends SIGIO, which ends the process even inside a compiled search.
    """
    if sys.platform != "linux":  # elsewhere it ends when it wants to send its next results
        return
    import fcntl

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    if lifeline.poll():  # it ended before this
        sys.exit()


# ---- pools


class Pool(Protocol):
    """Plays games of a plan."""

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRow]]:
        """Yield these games as they end; now and then an empty list while none ends."""

    def incompatibility(self, agent: int) -> str:
        """Why agent number ``agent`` of the plan cannot play the game at all, or ""."""

    def close(self) -> None:
        """End all processes."""


def make_pool(plan: Plan, workers: int | None) -> Pool:
    """A pool of ``workers`` processes, None for one per core, or for 0 this process.

    ValueError for a negative number.
    """
    if workers is None:
        workers = available_cores()
    if workers < 0:
        raise ValueError(f"workers must be at least 1, or 0 for none, not {workers}")
    return WorkerPool(plan, workers) if workers else InProcessPool(plan)


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_compatible(store: Store, plan: Plan, pool: Pool, agents: Sequence[int]) -> None:
    """Raise CannotPlay if one of ``agents`` cannot play the game at all.

    Each chooses an action at the start, within the time that it has to get ready. Skipped where
    ``store`` has games already; where an agent is refused, no file is left.
    """
    if len(store):
        return
    checked: set[str] = set()
    for number in agents:
        name = plan.entrants[number].spec
        why = "" if name in checked else pool.incompatibility(number)
        if why:
            store.discard()
            raise CannotPlay(name, title(plan.start), why)
        checked.add(name)


class WorkQueue:
    """The games that are not given to a worker yet, by number, the lowest first."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._chunk = FIRST_CHUNK

    def __len__(self) -> int:
        return len(self._numbers)

    def fill(self, numbers: Iterable[int]) -> None:
        """Replace all games by these."""
        self._numbers = sorted(numbers)

    def take(self, workers: int) -> list[int]:
        """Remove and return a chunk, small enough for all ``workers`` to be busy to the end."""
        share = -(-len(self._numbers) // (2 * workers))
        return [heapq.heappop(self._numbers) for _ in range(min(share, self._chunk))]

    def put_back(self, given: Iterable[int], played: Sequence[GameRow]) -> None:
        """Put back the games of a chunk that were not played."""
        done = {row.number for row in played}
        for number in given:
            if number not in done:
                heapq.heappush(self._numbers, number)
        if played:
            self._chunk = 2 * len(played)


@dataclass
class Worker:
    """A worker process as its parent sees it, and the games that it was given."""

    process: Any  # multiprocessing's contexts have process types of their own
    connection: Connection
    lifeline: Connection
    shared: Any
    """What the worker is doing: see ``clock``."""
    numbers: list[int] = field(default_factory=list)
    late: bool = False
    """Whether it was killed because a move took too long."""

    def give(self, numbers: list[int]) -> None:
        """Request these games."""
        self.numbers = numbers
        self.connection.send(numbers)

    def leave(self) -> None:
        """End the process; if idle, it first ends the processes of its agents in an orderly way."""
        if not self.numbers:
            self.connection.close()
            self.process.join(1)
        self.end()

    def end(self) -> None:
        """End the process now."""
        self.process.kill()
        self.process.join()
        for end in (self.connection, self.lifeline):
            end.close()


class WorkerPool:
    """A pool of ``workers`` processes: iterate over ``results``, as often as needed, and ``close``.

    Agents of this package play in the worker, others in processes of their own, which the worker
    watches (see ``isolation``). If the worker itself ends in the middle of a game:

    - It exits, or is ended by a signal such as that of a segmentation fault: the player to move,
      whose agent did it, loses. The fault is "crash".
    - Its move is not there a second after its time and grace are over: it is killed, and the
      player to move loses. The fault is "time".
    - It is ended by SIGKILL, SIGTERM, SIGINT or SIGHUP, which come from outside: the game is played
      again. If that happens twice in one game, the player to move loses it; "crash".
    - Nobody is to move: the game is played again.

    The time of that move, in the record, ends when the end of the worker is noticed.
    """

    def __init__(self, plan: Plan, workers: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        method = "forkserver" if "forkserver" in methods else "spawn"
        self._context: Any = multiprocessing.get_context(method)
        if method == "forkserver":  # imports once what all workers need
            self._context.set_forkserver_preload([work.__module__])
        self._plan = plan
        self._needs_main = b"__main__" in pickle.dumps(plan)
        self._queue = WorkQueue()
        self._workers: list[Worker] = []
        self._size = workers
        self._interruptions: Counter[int] = Counter()
        self._deaths = 0

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRow]]:
        """Yield these games as they end; now and then an empty list while none ends."""
        self._queue.fill(numbers)
        while self._queue or any(worker.numbers for worker in self._workers):
            self._assign()
            busy = [worker for worker in self._workers if worker.numbers]
            ends = [end for w in busy for end in (w.connection, w.process.sentinel)]
            timeout = 0.05 if self._plan.control.limited else 0.25
            ready = set(connection.wait(ends, timeout))
            found: list[GameRow] = []
            for worker in busy:
                if worker.connection in ready or worker.process.sentinel in ready:
                    found += self._receive(worker)
                elif time.perf_counter() > worker.shared[DEADLINE] + WORKER_KILL_AFTER:
                    worker.late = True
                    worker.process.kill()  # its end is noticed in the next round
            yield found

    def incompatibility(self, agent: int) -> str:
        """Why an agent cannot play the game, or "". Takes as long as the agent to get ready."""
        if not self._workers:
            self._workers.append(self._start_worker())
        worker = self._workers[0]
        with suppress(EOFError, OSError):  # it dies, which does not mean that it cannot play
            worker.connection.send(agent)
            if worker.connection.poll(self._plan.control.ready + WORKER_KILL_AFTER):
                answer: str = worker.connection.recv()
                return answer
        worker.end()
        self._workers.remove(worker)
        return ""

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.leave()
        self._workers = []

    def _assign(self) -> None:
        """Give games to all idle workers, starting more workers if needed."""
        while self._queue:
            free = next((worker for worker in self._workers if not worker.numbers), None)
            if free is None:
                if len(self._workers) == self._size:
                    return
                self._workers.append(free := self._start_worker())
            with suppress(OSError):  # it has died meanwhile, which ``_receive`` notices
                free.give(self._queue.take(self._size))

    def _start_worker(self) -> Worker:
        shared = self._context.RawArray("d", ACTIONS + MOST_ACTIONS)
        shared[GAME], shared[DEADLINE] = NOBODY, inf
        ours, theirs = self._context.Pipe()
        line, held = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=work, args=(theirs, line, shared, self._plan), name="tournament worker"
        )
        with nullcontext() if self._needs_main else without_main():
            process.start()
        theirs.close()
        line.close()
        return Worker(process, ours, held, shared)

    def _receive(self, worker: Worker) -> list[GameRow]:
        """The results that a worker sends; if it has ended, those of ``_handle_exit``."""
        results: list[GameRow] | str = []
        with suppress(EOFError, OSError):
            results = worker.connection.recv() if worker.connection.poll() else []
        if isinstance(results, str):
            raise WorkerError(results)
        if not results:
            if worker.process.is_alive() and not worker.connection.closed:
                worker.process.join(1)  # its pipe ends a little before the process does
            results = self._handle_exit(worker)
        self._queue.put_back(worker.numbers, results)
        worker.numbers = []
        if results:
            self._deaths = 0
        return results

    def _handle_exit(self, worker: Worker) -> list[GameRow]:
        """Remove a worker that has ended; return the game that is forfeited by that, if any."""
        worker.end()
        self._workers.remove(worker)
        game, to_move = int(worker.shared[GAME]), int(worker.shared[TO_MOVE])
        code = worker.process.exitcode
        if game not in worker.numbers or to_move == NOBODY:
            self._deaths += 1
            if self._deaths >= MOST_DEATHS:
                hint = "; agents defined in this program need a guard: see without_main"
                raise WorkerError(
                    f"{self._deaths} workers {how(code)} before they could play"
                    + hint * self._needs_main
                )
            return []
        if worker.late:
            if worker.shared[DEADLINE] > time.perf_counter():
                return []  # it has moved at the last moment
            return [self._forfeit(worker, game, to_move, "time", TOO_LATE)]
        if -code in FROM_OUTSIDE and not self._interruptions[game]:
            self._interruptions[game] += 1
            return []
        return [self._forfeit(worker, game, to_move, "crash", f"its process {how(code)}")]

    def _forfeit(self, worker: Worker, game: int, loser: int, fault: str, why: str) -> GameRow:
        plies = int(worker.shared[PLIES])
        actions = actions_text(int(action) for action in worker.shared[ACTIONS : ACTIONS + plies])
        plan, task = self._plan, self._plan.schedule.task(game)
        reason = f"player {loser}, {plan.entrants[task.players[loser]].spec}, failed: {why}"
        first, second = (plan.names[i] for i in task.players)
        line = actions_text(plan.openings[task.opening])
        used = [worker.shared[FIRST_USED], worker.shared[SECOND_USED]]
        used[loser] += time.perf_counter() - worker.shared[BEGAN]
        points = float(loser)  # of the first seat
        return GameRow(
            game, first, second, line, actions, points, used[0], used[1], reason, loser, fault
        )


class InProcessPool:
    """Plays in this process, for debuggers: an agent that hangs or dies ends everything."""

    def __init__(self, plan: Plan) -> None:
        clock = Clock(plan.control, [0.0] * (ACTIONS + MOST_ACTIONS))
        self._runner = GameRunner(plan, clock, isolated=False)

    def results(self, numbers: Sequence[int]) -> Iterator[list[GameRow]]:
        """Yield these games as they end."""
        done = 0
        while done < len(numbers):
            found = play_for_a_while(self._runner, numbers[done:])
            if isinstance(found, str):
                raise WorkerError(found)
            done += len(found)
            yield found

    def incompatibility(self, agent: int) -> str:
        """Why an agent cannot play the game, or ""."""
        return self._runner.incompatibility(agent)

    def close(self) -> None:
        """Nothing to be ended."""


@contextmanager
def without_main() -> Iterator[None]:
    """A context in which new processes do not import the program that runs.

    So the program needs no guard. Only agents that are defined in that program itself require it to
    be imported; then it must begin with ``if __name__ == "__main__":``, as always with
    multiprocessing.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
