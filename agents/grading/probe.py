"""Asking an agent: what it plays, what it thinks the position is worth, and how long it takes.

Whatever an agent does wrong is on record and never ends the grading: an exception, an answer that
is no legal action, and no answer in time. Time is limited by a signal where there are any and this
is the main thread, so that an agent that hangs is interrupted; elsewhere late answers count as
none, but are waited for.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import operator
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adv_envs import Position
from agents.agent import Agent, SearchAgent
from agents.faults import IllegalAction
from agents.human import Resign

from .question import Question

SETTLE = 0.05
"""Seconds in which a search that was interrupted sees that it is over."""


@dataclass(frozen=True)
class Answer:
    """What an agent, or whoever made a recorded move, answered to a question."""

    question: Question
    action: int | None
    """The action taken; None if there was no legal one."""
    seconds: float = 0.0
    """Wall-clock time of the decision."""
    claim: Claim | None = None
    """What the agent thinks the position is worth, if it says so."""
    failure: str = ""
    """Why there is no action: "crash: ValueError: ...", "illegal: 7", "time: ..."."""
    group: int = 0
    """The game it belongs to: answers of one game are not independent. Questions of a set are."""

    @property
    def graded(self) -> bool:
        """Whether it is known what moves were worth."""
        return bool(self.question.move_values)

    @property
    def kept(self) -> bool:
        """Whether the value was kept."""
        return self.action in self.question.right

    @property
    def strongest(self) -> bool:
        """Whether no move would have been stronger."""
        return self.action in self.question.strongest

    @property
    def lost(self) -> float:
        """The value given away."""
        return self.question.lost(self.action)

    @property
    def lost_score(self) -> float:
        """The score given away."""
        return self.question.lost_score(self.action)


@dataclass(frozen=True)
class Claim:
    """What an agent says a position is worth to the player to move, on a scale of its own."""

    value: float
    proven: bool = False


class TooSlow(TimeoutError):
    """An agent took longer than it may."""


class Examiner:
    """Puts questions to an agent, which may take ``limit`` seconds for each.

    ``values`` asks it for what positions are worth, too. ValueError for a limit of no time.
    """

    def __init__(self, agent: Agent, limit: float = 60.0, seed: int = 0) -> None:
        if not limit > 0:
            raise ValueError(f"the time limit must be more than 0 seconds, not {limit}")
        self.agent, self.limit, self.seed = agent, limit, seed
        search = isinstance(agent, SearchAgent)
        self.says_all_at_once = search and type(agent).act is SearchAgent.act

    def begin(self, number: int) -> str:
        """Let the agent begin game ``number``; why it failed to, or ""."""
        try:
            with time_limit(self.limit):
                self.agent.reset(self.seed + number)
        except Exception as error:  # the agent's own failure is on its card
            return reason(error)
        return ""

    def ask(self, question: Question, number: int) -> Answer:
        """The agent's answer to a question, its first of a new game, with what it thinks of it."""
        answer = self.answer(question, number, self.begin(number))
        if answer.claim is None and not answer.failure:
            return dataclasses.replace(answer, claim=self.claim(question.position))
        return answer

    def answer(self, question: Question, group: int, failure: str = "") -> Answer:
        """The agent's answer in the course of a game, unless it has failed already."""
        if failure:
            return Answer(question, None, 0.0, None, failure, group)
        action, claim = None, None
        began = time.perf_counter()
        try:
            with time_limit(self.limit):
                action, claim = self._decide(question.position)
        except Exception as error:  # the agent's own failure is on its card
            failure = reason(error)
        seconds = time.perf_counter() - began
        if seconds > self.limit and not failure:
            action, failure = None, reason(too_slow(self.limit))
        return Answer(question, action, seconds, claim, failure, group)

    def _decide(self, position: Position) -> tuple[int, Claim | None]:
        """A legal action, and what goes with it."""
        claim = None
        if self.says_all_at_once:
            result = self.agent.analyse(position)  # type: ignore[attr-defined]
            action = result.action
            claim = checked(result.value, result.proven)
        else:
            action = self.agent.act(position)
        return legal(position, action), claim

    def claim(self, position: Position) -> Claim | None:
        """What the agent says ``position`` is worth; None if it does not say, or fails to."""
        agent: Any = self.agent
        if not hasattr(agent, "analyse") and not hasattr(agent, "value"):
            return None
        try:
            with time_limit(self.limit):
                if hasattr(agent, "analyse"):
                    result = agent.analyse(position)
                    return checked(result.value, result.proven)
                return checked(agent.value(position), False)
        except Exception:  # it has none here, which is its right; moves are what it must have
            return None


def checked(value: Any, proven: bool) -> Claim | None:
    """A claim, if it is a number."""
    value = float(value)
    return None if math.isnan(value) else Claim(value, bool(proven))


def legal(position: Position, action: Any) -> int:
    """``action``; IllegalAction unless it is a legal one."""
    if not hasattr(action, "__index__") or action not in position.legal_actions():
        raise IllegalAction(f"{action!r} is not a legal action")
    return operator.index(action)


def reason(error: Exception) -> str:
    """A failure in a line that begins with its kind."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, Resign):
        return "resigned"
    if isinstance(error, IllegalAction):
        return f"illegal: {error}"
    return f"{'time' if isinstance(error, TimeoutError) else 'crash'}: {text}"


def too_slow(limit: float) -> TooSlow:
    """What an agent is interrupted with."""
    return TooSlow(f"no answer within {limit:g} s")


class _Alarm(KeyboardInterrupt):
    """The time is over: searches end as they do on Ctrl-C, and leave nothing running."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """TooSlow is raised in here after so many seconds, where signals allow it."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer") or math.isinf(seconds):
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise _Alarm

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        try:
            yield
        finally:  # where the alarm may still go off
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Alarm:
        time.sleep(SETTLE)
        raise too_slow(seconds) from None
    finally:
        signal.signal(signal.SIGALRM, before)
