"""Asks copies of an agent at the same time, such as those of a language model that is far away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from adv_envs import Position, name_of
from agents.agent import Agent, label
from agents.arena.isolation import prepared
from agents.faults import CannotPlay, incompatibility
from agents.match_loop import until_undisturbed

from .evaluator import Answer, Claim, Evaluator

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

    @contextmanager
    def _others_work(self) -> Iterator[None]:
        """Lets others work meanwhile; raises Stopped if they have stopped."""
        if self.stopped.is_set():
            raise Stopped
        self.turn.release()
        try:
            yield
        finally:
            self.turn.acquire()

    def reset(self, number: int) -> str:
        """Resets the agent, as ``Evaluator.reset``, and lets others work meanwhile."""
        with self._others_work():
            return super().reset(number)

    def answer(self, *question: Any) -> Answer:
        """Returns the agent's answer to a ``question``, and lets others work meanwhile."""
        with self._others_work():
            return super().answer(*question)

    def claim(self, position: Position) -> Claim | None:
        """Returns the agent's own value of ``position``, and lets others work meanwhile."""
        with self._others_work():
            return super().claim(position)


class Evaluators:
    """Shares the work on a report card between copies of an agent; with one, does it in order.

    ``limit`` and ``seed`` are as for ``Evaluator``. The results do not depend on the number of
    ``agents``. ValueError for an agent that is there twice, and for different ones.
    """

    def __init__(self, agents: Sequence[Agent], limit: float, seed: int) -> None:
        require_copies(agents)
        self._turn, self._stopped = Lock(), Event()
        if len(agents) == 1:
            self.each = [Evaluator(agents[0], limit, seed)]
        else:
            shared = self._turn, self._stopped
            self.each = [TurnTaker(agent, limit, seed, *shared) for agent in agents]

    def prepare(self, start: Position) -> None:
        """Prepares the first agent for the game of ``start``, then all copies at the same time.

        They find compiled what the first one needs. CannotPlay if it cannot play this game at all.
        """
        first, *copies = (evaluator.agent for evaluator in self.each)
        error = until_undisturbed(partial(prepared, first, start))
        if error is not None and (why := incompatibility(error)):
            raise CannotPlay(label(first), name_of(start), why) from error
        tasks = [partial(until_undisturbed, partial(prepared, copy, start)) for copy in copies]
        for future in [in_background(task) for task in tasks]:
            future.result()

    def results(self, tasks: Sequence[Task[Done]]) -> Iterator[Done]:
        """Yields what each of ``tasks`` returns, in their order; raises what they raise.

        Where it is left early no further question is asked, and nobody waits for answers.
        """
        if len(self.each) == 1:
            yield from (task(self.each[0]) for task in tasks)
            return
        futures = [Future[Done]() for _ in tasks]
        todo = zip(futures, tasks, strict=True)
        try:
            for evaluator in self.each:
                in_background(partial(self._work, evaluator, todo))
            for future in futures:
                yield future.result()
        except BaseException:
            self._stopped.set()
            raise

    def _work(self, evaluator: Evaluator, todo: Iterator[tuple[Future[Done], Task[Done]]]) -> None:
        """Does tasks ``todo`` with one agent, until there are no more or one fails."""
        with self._turn:  # so that no two threads take the same task
            for future, task in todo:
                try:
                    future.set_result(task(evaluator))
                except BaseException as error:
                    future.set_exception(error)  # is raised where results are waited for
                    return


def require_copies(agents: Sequence[Agent]) -> None:
    """Raises ValueError unless ``agents`` are different objects with the same repr."""
    if len({id(agent) for agent in agents}) < len(agents):
        raise ValueError(f"copies must be other objects: one {label(agents[0])} is there twice")
    for copy in agents:
        if label(copy) != label(agents[0]):
            raise ValueError(f"copies of {label(agents[0])} must be as it is, not {label(copy)}")


def in_background(work: Callable[[], Done]) -> Future[Done]:
    """Returns what ``work`` will return or raise, done by a thread that no program waits for."""
    future = Future[Done]()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # it is raised where the result is waited for
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
