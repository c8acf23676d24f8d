"""Asks copies of an agent at the same time, such as those of a language model that is far away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Lock
from typing import Any, TypeVar

from agents.agent import Agent

from .evaluator import Answer, Evaluator

Done = TypeVar("Done")
Task = Callable[[Evaluator], Done]
"""What is done with the help of one agent."""


class Stopped(BaseException):
    """Says that the others have stopped, so that nothing more is asked."""


class TurnTaker(Evaluator):
    """Asks one copy of an agent while others are asked; only one thread does anything else."""

    def __init__(self, agent: Agent, limit: float, seed: int, turn: Lock, stopped: Event) -> None:
        super().__init__(agent, limit, seed)
        self.turn, self.stopped = turn, stopped

    def reset(self, number: int) -> str:
        """Resets the agent, as ``Evaluator.reset``; raises Stopped if the others have stopped."""
        if self.stopped.is_set():
            raise Stopped
        return super().reset(number)

    def answer(self, *question: Any) -> Answer:
        """Returns the agent's answer to a ``question``, and lets others work meanwhile."""
        if self.stopped.is_set():
            raise Stopped
        self.turn.release()
        try:
            return super().answer(*question)
        finally:
            self.turn.acquire()


class Evaluators:
    """Shares the work on a report card between copies of an agent; with one, does it in order.

    ``limit`` and ``seed`` are as for ``Evaluator``. The results do not depend on the number of
    ``agents``.
    """

    def __init__(self, agents: Sequence[Agent], limit: float, seed: int) -> None:
        self._turn, self._stopped = Lock(), Event()
        if len(agents) == 1:
            self.each = [Evaluator(agents[0], limit, seed)]
        else:
            shared = self._turn, self._stopped
            self.each = [TurnTaker(agent, limit, seed, *shared) for agent in agents]

    def results(self, tasks: Sequence[Task[Done]]) -> Iterator[Done]:
        """Yields what each of ``tasks`` returns, in their order; raises what they raise.

        Where it is left early no further question is asked, and nobody waits for answers.
        """
        if len(self.each) == 1:
            yield from (task(self.each[0]) for task in tasks)
            return
        free = SimpleQueue[Evaluator]()
        for evaluator in self.each:
            free.put(evaluator)
        threads = ThreadPoolExecutor(len(self.each))
        try:
            for result in [threads.submit(self._with_one, free, task) for task in tasks]:
                yield result.result()
        except BaseException:
            self._stopped.set()
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _with_one(self, free: SimpleQueue[Evaluator], task: Task[Done]) -> Done:
        evaluator = free.get()
        try:
            with self._turn:
                return task(evaluator)
        finally:
            free.put(evaluator)
