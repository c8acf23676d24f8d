"""The workers as their parent sees them: who plays what, who hangs, who died and by whose fault."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing import connection
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

from .clock import (
    ACTIONS,
    BEGAN,
    DEADLINE,
    FIRST_USED,
    GAME,
    KILL_AFTER,
    MOST_ACTIONS,
    MOVER,
    NOBODY,
    PLIES,
    SECOND_USED,
    Clock,
)
from .isolation import FROM_OUTSIDE, how
from .plan import Plan
from .store import Row, spell
from .waiting import Waiting
from .worker import Table, play_for_a_while, work

WORKER_KILL_AFTER = 2 * KILL_AFTER
"""Seconds after the time and the grace of an agent are over that the worker it is in is killed."""

TOO_LATE = f"no answer {WORKER_KILL_AFTER:g} s after its time and grace were over"

MOST_DEATHS = 3
"""Workers that die one after the other without playing, before the tournament gives up."""


class WorkerError(RuntimeError):
    """Workers cannot work, and no agent is to blame."""


@dataclass
class Worker:
    """One process, and what it was asked to play."""

    process: Any  # multiprocessing's contexts have process types of their own
    connection: Connection
    lifeline: Connection
    shared: Any
    """What it is doing: see ``clock``."""
    numbers: list[int] = field(default_factory=list)
    late: bool = False
    """It was killed because a move took too long."""

    def give(self, numbers: list[int]) -> None:
        """Have it play these games."""
        self.numbers = numbers
        self.connection.send(numbers)

    def leave(self) -> None:
        """Let the process end the processes of agents, and all that these have started, if idle."""
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


class Crew:
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

    The time of that move, in the record, is what passed until its worker's end was noticed.
    """

    def __init__(self, plan: Plan, workers: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        method = "forkserver" if "forkserver" in methods else "spawn"
        self._context: Any = multiprocessing.get_context(method)
        if method == "forkserver":  # imports once what all workers need
            self._context.set_forkserver_preload([work.__module__])
        self._plan = plan
        self._needs_main = b"__main__" in pickle.dumps(plan)
        self._waiting = Waiting()
        self._workers: list[Worker] = []
        self._size = workers
        self._interruptions: Counter[int] = Counter()
        self._deaths = 0

    def results(self, numbers: Sequence[int]) -> Iterator[list[Row]]:
        """These games as they end, some at a time; an empty list now and then while none does."""
        self._waiting.fill(numbers)
        while self._waiting or any(worker.numbers for worker in self._workers):
            self._employ()
            busy = [worker for worker in self._workers if worker.numbers]
            ends = [end for w in busy for end in (w.connection, w.process.sentinel)]
            ready = set(connection.wait(ends, self._patience()))
            found: list[Row] = []
            for worker in busy:
                if worker.connection in ready or worker.process.sentinel in ready:
                    found += self._hear(worker)
                elif time.perf_counter() > worker.shared[DEADLINE] + WORKER_KILL_AFTER:
                    worker.late = True
                    worker.process.kill()  # its end is noticed in the next round
            yield found

    def try_out(self, agent: int) -> str:
        """What an agent refuses the game with, or "". It may take as long as getting ready."""
        if not self._workers:
            self._workers.append(self._hire())
        worker = self._workers[0]
        with suppress(EOFError, OSError):  # it dies, which is no refusal
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

    def _patience(self) -> float:
        return 0.05 if self._plan.control.limited else 0.25

    def _employ(self) -> None:
        """Give everybody who is free something to play."""
        while self._waiting:
            free = next((worker for worker in self._workers if not worker.numbers), None)
            if free is None:
                if len(self._workers) == self._size:
                    return
                self._workers.append(free := self._hire())
            with suppress(OSError):  # it has died meanwhile, which is seen when it is heard
                free.give(self._waiting.take(self._size))

    def _hire(self) -> Worker:
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

    def _hear(self, worker: Worker) -> list[Row]:
        """What a worker sends; if it has died, what is to be said of the game that it played."""
        results: list[Row] | str = []
        with suppress(EOFError, OSError):
            results = worker.connection.recv() if worker.connection.poll() else []
        if isinstance(results, str):
            raise WorkerError(results)
        if not results:
            if worker.process.is_alive() and not worker.connection.closed:
                worker.process.join(1)  # its pipe ends a little before the process does
            results = self._bury(worker)
        self._waiting.give_back(worker.numbers, results)
        worker.numbers = []
        if results:
            self._deaths = 0
        return results

    def _bury(self, worker: Worker) -> list[Row]:
        """A worker has died: the game that this decides, if it does."""
        worker.end()
        self._workers.remove(worker)
        game, mover = int(worker.shared[GAME]), int(worker.shared[MOVER])
        code = worker.process.exitcode
        if game not in worker.numbers or mover == NOBODY:
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
            return [self._forfeit(worker, game, mover, "time", TOO_LATE)]
        if -code in FROM_OUTSIDE and not self._interruptions[game]:
            self._interruptions[game] += 1
            return []
        return [self._forfeit(worker, game, mover, "crash", f"its process {how(code)}")]

    def _forfeit(self, worker: Worker, game: int, mover: int, fault: str, why: str) -> Row:
        plies = int(worker.shared[PLIES])
        actions = spell(int(action) for action in worker.shared[ACTIONS : ACTIONS + plies])
        plan, task = self._plan, self._plan.schedule.task(game)
        reason = f"player {mover}, {plan.entrants[task.players[mover]].spec}, failed: {why}"
        first, second = (plan.names[i] for i in task.players)
        line = spell(plan.openings[task.opening])
        used = [worker.shared[FIRST_USED], worker.shared[SECOND_USED]]
        used[mover] += time.perf_counter() - worker.shared[BEGAN]
        return game, first, second, line, actions, float(mover), *used, reason, mover, fault


class Alone:
    """This process in place of a crew, for debuggers: an agent that hangs or dies ends it all."""

    def __init__(self, plan: Plan) -> None:
        clock = Clock(plan.control, [0.0] * (ACTIONS + MOST_ACTIONS))
        self._table = Table(plan, clock, isolated=False)

    def results(self, numbers: Sequence[int]) -> Iterator[list[Row]]:
        """These games as they end, some at a time."""
        done = 0
        while done < len(numbers):
            found = play_for_a_while(self._table, numbers[done:])
            if isinstance(found, str):
                raise WorkerError(found)
            done += len(found)
            yield found

    def try_out(self, agent: int) -> str:
        """What an agent refuses the game with, or ""."""
        return self._table.try_out(agent)

    def close(self) -> None:
        """Nothing to be ended."""


@contextmanager
def without_main() -> Iterator[None]:
    """In here new processes do not import the program that runs, which need not expect to be.

    It is the only place where multiprocessing looks for it. Agents that are defined in that program
    itself do need it; then it must begin with ``if __name__ == "__main__":``, as always.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
