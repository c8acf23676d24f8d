"""Evaluates an agent: its moves at test positions and in games, its own values, its time.

A failure of the agent is recorded and never ends the grading: an exception, an answer that is not a
legal action, or no answer in time. Time is limited by a signal where the platform has one and this
is the main thread, so that an agent that hangs is interrupted; elsewhere late answers are waited
for and then count as failures.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import operator
import random
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from agents.agent import Agent, SearchAgent
from agents.faults import IllegalAction
from agents.human import Resign
from agents.knowledge import ExactValues

from .position_sampling import careful_move
from .position_sets import TestPosition, phase_of

INTERRUPT_GRACE = 0.05
"""Seconds in which an interrupted search notices that it is over."""


@dataclass(frozen=True)
class Claim:
    """An agent's own value of a position for the player to move, on a scale of its own."""

    value: float
    proven: bool = False


@dataclass(frozen=True)
class Answer:
    """The move of an agent, or of the player of a recorded game, at a test position."""

    test: TestPosition
    action: int | None
    """The action taken; None if there was no legal one."""
    seconds: float = 0.0
    """Wall-clock time of the decision."""
    claim: Claim | None = None
    """The agent's own value of the position, if it has one."""
    failure: str = ""
    """Why there is no action: "crash: ValueError: ...", "illegal: 7", "time: ..."."""
    group: int = 0
    """The game it belongs to: answers in one game are not independent, those of a set are."""

    @property
    def graded(self) -> bool:
        """Whether the values of the moves are known."""
        return bool(self.test.move_values)

    @property
    def kept(self) -> bool:
        """Whether the action keeps the value."""
        return self.action in self.test.right

    @property
    def strongest(self) -> bool:
        """Whether no action is stronger."""
        return self.action in self.test.strongest

    @property
    def lost(self) -> float:
        """The value that the action loses."""
        return self.test.lost(self.action)

    @property
    def lost_score(self) -> float:
        """The score that the action loses."""
        return self.test.lost_score(self.action)


class Evaluator:
    """Asks an agent for moves and values, with a limit of ``limit`` seconds for each.

    ValueError for a limit that is not positive.
    """

    def __init__(self, agent: Agent, limit: float = 60.0, seed: int = 0) -> None:
        if not limit > 0:
            raise ValueError(f"the time limit must be more than 0 seconds, not {limit}")
        self.agent, self.limit, self.seed = agent, limit, seed
        search = isinstance(agent, SearchAgent)
        self.analyses = search and type(agent).act is SearchAgent.act

    def reset(self, number: int) -> str:
        """Resets the agent for game ``number``; returns its failure, or ""."""
        try:
            with time_limit(self.limit):
                self.agent.reset(self.seed + number)
        except Exception as error:  # the agent's own failure is on its card
            return failure_of(error)
        return ""

    def evaluate(self, test: TestPosition, number: int) -> Answer:
        """Returns the agent's answer at a test position, as the first of a new game, and claim."""
        answer = self.answer(test, number, self.reset(number))
        if answer.claim is None and not answer.failure:
            return dataclasses.replace(answer, claim=self.claim(test.position))
        return answer

    def answer(self, test: TestPosition, group: int, failure: str = "") -> Answer:
        """Returns the agent's answer in the course of a game, unless it has failed already."""
        if failure:
            return Answer(test, None, 0.0, None, failure, group)
        action, claim = None, None
        began = time.perf_counter()
        try:
            with time_limit(self.limit):
                action, claim = self._decide(test.position)
        except Exception as error:  # the agent's own failure is on its card
            failure = failure_of(error)
        seconds = time.perf_counter() - began
        if seconds > self.limit and not failure:
            action, failure = None, failure_of(too_slow(self.limit))
        return Answer(test, action, seconds, claim, failure, group)

    def _decide(self, position: Position) -> tuple[int, Claim | None]:
        """Returns a legal action, and the claim of a search."""
        claim = None
        if self.analyses:
            result = self.agent.analyse(position)  # type: ignore[attr-defined] # a SearchAgent
            action = result.action
            claim = to_claim(result.value, result.proven)
        else:
            action = self.agent.act(position)
        return to_legal_action(position, action), claim

    def claim(self, position: Position) -> Claim | None:
        """Returns the agent's own value of ``position``; None if it has none, or fails."""
        agent: Any = self.agent
        if not hasattr(agent, "analyse") and not hasattr(agent, "value"):
            return None
        try:
            with time_limit(self.limit):
                if hasattr(agent, "analyse"):
                    result = agent.analyse(position)
                    return to_claim(result.value, result.proven)
                return to_claim(agent.value(position), False)
        except Exception:  # agents need not have a value for every position
            return None


def to_claim(value: Any, proven: bool) -> Claim | None:
    """Returns a claim, or None if ``value`` is not a number."""
    value = float(value)
    return None if math.isnan(value) else Claim(value, bool(proven))


def to_legal_action(position: Position, action: Any) -> int:
    """Returns ``action`` as an integer; IllegalAction unless it is a legal one."""
    if not hasattr(action, "__index__") or action not in position.legal_actions():
        raise IllegalAction(f"{action!r} is not a legal action")
    return operator.index(action)


def failure_of(error: Exception) -> str:
    """Returns a failure as one line that begins with its kind."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, Resign):
        return "resigned"
    if isinstance(error, IllegalAction):
        return f"illegal: {error}"
    return f"{'time' if isinstance(error, TimeoutError) else 'crash'}: {text}"


# ---- time


class TooSlow(TimeoutError):
    """An agent took longer than the limit."""


def too_slow(limit: float) -> TooSlow:
    """Returns the error that ends the decision of an agent."""
    return TooSlow(f"no answer within {limit:g} s")


class _Alarm(KeyboardInterrupt):
    """The time is over: searches end as they do on Ctrl-C, and leave nothing running."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TooSlow in its block after ``seconds``, where signals allow it."""
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
        time.sleep(INTERRUPT_GRACE)
        raise too_slow(seconds) from None
    finally:
        signal.signal(signal.SIGALRM, before)


# ---- the agent's own games

SKILLS = 0.25, 0.5, 0.75, 1.0
"""How often opponents play a right move on purpose; each has one skill for a game."""

OPENING_PLIES = 3
"""Games begin with fewer random moves than this, so that they differ."""


@dataclass(repr=False)
class MixedStrength(Agent):
    """An opponent that plays a right move with probability ``skill``, otherwise any move.

    Where the exact values take long it only avoids losing at once.
    """

    exact: ExactValues
    skill: float
    rng: random.Random = field(default_factory=random.Random)

    name: ClassVar[str] = "mixed"

    def act(self, position: Position) -> int:
        """Returns a right move, or any."""
        if self.rng.random() >= self.skill:
            return self.rng.choice(position.legal_actions())
        if not self.exact.is_quick(position):
            return careful_move(position, self.rng)
        move_values = self.exact.move_values(position)
        best = max(move.score for move in move_values.values())
        return self.rng.choice([a for a, move in move_values.items() if move.score == best])


def own_games(
    evaluator: Evaluator, exact: ExactValues, games: int, seed: int
) -> Iterator[tuple[str, list[Answer]]]:
    """Plays ``games`` games of the agent against itself and as many against MixedStrength.

    Seats alternate. Yields for each game "self" or "mixed" and the agent's answers; a failure ends
    its game.
    """
    for number in range(2 * games):
        rng = random.Random(f"{seed} game {number}")
        opponent = MixedStrength(exact, rng.choice(SKILLS), rng) if number % 2 else None
        seat = number // 2 % 2
        yield (
            "mixed" if opponent else "self",
            play_graded(evaluator, exact, opponent, seat, rng, number),
        )


def play_graded(
    evaluator: Evaluator,
    exact: ExactValues,
    opponent: Agent | None,
    seat: int,
    rng: random.Random,
    number: int,
) -> list[Answer]:
    """Returns the agent's answers in one game; on both seats if there is no ``opponent``."""
    actions = random_opening(exact.start, rng)
    position, answers = exact.start.after(actions), list[Answer]()
    failure = evaluator.reset(number)
    while not position.is_terminal():
        player = position.to_move
        if player == CHANCE:
            action = chance_action(position, rng.random())
        elif opponent is not None and player != seat:
            action = opponent.act(position)
        else:
            test = to_test_position(position, exact, exact.start, actions)
            answers.append(evaluator.answer(test, number, failure))
            if answers[-1].action is None:
                break
            action = answers[-1].action
        actions.append(action)
        position = position.play(action)
    return answers


def random_opening(start: Position, rng: random.Random) -> list[int]:
    """Returns up to two random actions; none in games with chance or if the game would end."""
    position, actions = start, list[int]()
    for _ in range(0 if start.has_chance else rng.randrange(OPENING_PLIES)):
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        if position.is_terminal():
            return []
        actions.append(action)
    return actions


def to_test_position(
    position: Position,
    exact: ExactValues,
    start: Position,
    actions: list[int],
    patient: bool = False,
) -> TestPosition:
    """Returns ``position``, reached by ``actions``, as a test position.

    Its values are left empty where they take more than a second, or with ``patient`` more than some
    seconds.
    """
    known = exact.is_quick(position) or (patient and exact.is_feasible(position))
    moves = "" if exact.start.has_chance else write_line(start, actions)
    move_values = exact.move_values(position) if known else {}
    return TestPosition(position, move_values, phase_of(exact.progress(position)), moves)
