"""Evaluates an agent: its moves at test positions and in games, its own values, its time.

A failure of the agent is recorded and never ends the grading: an exception, an answer that is not a
legal action, or no answer in time. An agent in a process of its own (``agents.arena.isolated``) is
ended when its time is over; the late answers of others are waited for, and then count as failures.

``metrics_of`` answers has a 95 % interval with every number, by ``agents.statistics``. Answers in
one game are not independent: the interval of a share is then that of the number of independent
answers with the same information, and the bootstrap of a mean draws whole games.

``calibrate`` compares an agent's own values with exact ones. A value becomes a probability of
winning: on the scale of utilities, -1 to 1, by (value + 1) / 2; evaluations on a scale of their own
by 1 / (1 + exp(-factor * value)), with the factor of the least log loss (Platt scaling without a
shift, as games are fair). The truth is 1 for a won position, 0.5 for a drawn, 0 for a lost one, and
in games of chance the probability.

Sources: G. W. Brier, Monthly Weather Review 78 (1950); J. C. Platt, Advances in Large Margin
Classifiers (1999); M. P. Naeini, G. F. Cooper and M. Hauskrecht, AAAI (2015), for the expected
calibration error.
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from statistics import fmean
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.random import chance_action, derived_seed
from agents.agent import Agent, counts_of, new_counts, plays_as_analysed
from agents.arena.isolation import ask_in_place
from agents.faults import (
    Forfeit,
    IllegalAction,
    NobodyToBlame,
    describe,
    fault_of,
    legal_action,
    message_of,
    to_action,
)
from agents.knowledge import ExactValues
from agents.match_loop import random_line, until_undisturbed
from agents.simple import Resign
from agents.statistics import (
    LEVEL,
    Interval,
    Numbers,
    mean_interval,
    scipy_module,
    share_interval,
    wilson,
)

from .position_sets import TestPosition, careful_move, phase_of


@dataclass(frozen=True)
class Claim:
    """Returns an agent's own value of a position for the player to move, on its own scale."""

    value: float
    proven: bool = False


@dataclass(frozen=True)
class Answer:
    """Returns the move of an agent, or of the player of a recorded game, at a test position."""

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
    counts: Mapping[str, float] = field(default_factory=dict, hash=False)
    """What the agent counted for it, such as a language model its tokens."""

    @property
    def graded(self) -> bool:
        """Returns whether the values of the moves are known."""
        return bool(self.test.move_values)

    @property
    def kept(self) -> bool:
        """Returns whether the action keeps the value."""
        return self.action in self.test.right

    @property
    def strongest(self) -> bool:
        """Returns whether no action is stronger."""
        return self.action in self.test.strongest

    @property
    def lost(self) -> float:
        """Returns the value that the action loses."""
        return self.test.lost(self.action)

    @property
    def lost_score(self) -> float:
        """Returns the score that the action loses."""
        return self.test.lost_score(self.action)

    def to_dict(self) -> dict[str, Any]:
        """Returns the better moves, and what the action loses, as plain data."""
        name = self.test.position.name
        return {
            "right": [name(action) for action in self.test.right],
            "strongest": [name(action) for action in self.test.strongest],
            "lost": self.lost,
            "lost_score": self.lost_score,
        }


class Evaluator:
    """Asks an agent for moves and values, with a limit of ``limit`` seconds for each.

    ValueError for a limit that is not positive.
    """

    def __init__(self, agent: Agent, limit: float = 60.0, seed: int = 0) -> None:
        if not limit > 0:
            raise ValueError(f"the time limit must be more than 0 seconds, not {limit}")
        self.agent, self.limit, self.seed = agent, limit, seed
        self._counted: Mapping[str, float] = {}

    def reset(self, number: int) -> str:
        """Resets the agent for game ``number``; returns its failure, or ""."""
        self._counted = {}
        try:
            self.agent.reset(derived_seed(self.seed, "agent", number, bits=32))
        except Exception as error:  # the agent's own failure is on its card
            return self._failure_of(error)
        return ""

    def evaluate(self, test: TestPosition, number: int) -> Answer:
        """Returns the agent's answer at a test position, as the first of a new game, and claim."""
        return until_undisturbed(partial(self._evaluate, test, number))

    def _evaluate(self, test: TestPosition, number: int) -> Answer:
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
            found, *claims = ask_in_place(self.agent, decision_of, test.position)
            action, claim = legal_action(test.position, found), to_claim(*claims)
        except Exception as error:  # the agent's own failure is on its card
            failure = self._failure_of(error)
        seconds = time.perf_counter() - began
        if seconds > self.limit and not failure.startswith("time"):
            action, failure = None, self._failure_of(TimeoutError())
        return Answer(test, action, seconds, claim, failure, group, self._new_counts())

    def _new_counts(self) -> dict[str, float]:
        """Returns what the agent has counted since its last answer."""
        before, self._counted = self._counted, counts_of(self.agent)
        return new_counts(before, self._counted)

    def claim(self, position: Position) -> Claim | None:
        """Returns the agent's own value of ``position``; None if it has none, or fails."""
        try:
            return to_claim(*ask_in_place(self.agent, value_of, position))
        except (Exception, NobodyToBlame):  # agents need not have a value for every position
            return None

    def _failure_of(self, error: Exception) -> str:
        """Returns a failure as one line that begins with its kind."""
        if isinstance(error, Resign):
            return "resigned"
        kind = fault_of(error)
        if kind == "time" and (not isinstance(error, Forfeit) or "not ready" not in error.why):
            return f"time: TooSlow: no answer within {self.limit:g} s"
        if type(error) is IllegalAction:
            return f"illegal: {message_of(error)}"
        return f"{kind}: {describe(error).removeprefix('IllegalAction: ')}"


def decision_of(agent: Any, position: Position) -> list[Any]:
    """Returns the action of an agent; of a search also its value and whether that is proven."""
    if plays_as_analysed(agent):
        result = agent.analyse(position)
        return [to_action(result.action), float(result.value), bool(result.proven)]
    return [to_action(agent.act(position))]


def value_of(agent: Any, position: Position) -> list[Any]:
    """Returns an agent's own value of a position and whether it is proven, if it has one."""
    if hasattr(agent, "analyse"):
        result = agent.analyse(position)
        return [float(result.value), bool(result.proven)]
    return [float(agent.value(position)), False] if hasattr(agent, "value") else []


def to_claim(value: Any = math.nan, proven: Any = False) -> Claim | None:
    """Returns a claim, or None if ``value`` is not a number."""
    value = float(value)
    return None if math.isnan(value) else Claim(value, bool(proven))


# ---- the agent's own games

SKILLS = 0.25, 0.5, 0.75, 1.0
"""How often opponents play a right move on purpose; each has one skill for a game."""

OPENING_PLIES = 3
"""Games begin with fewer random moves than this, so that they differ."""


@dataclass(repr=False)
class MixedStrength(Agent):
    """Plays a right move with probability ``skill``, otherwise any move.

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


def own_game(
    evaluator: Evaluator, exact: ExactValues, number: int, seed: int
) -> tuple[str, list[Answer]]:
    """Plays game ``number`` of the agent: an even one against itself, others with MixedStrength.

    Seats alternate. Returns "self" or "mixed" and the agent's answers, which in a game against
    itself are those on both seats; a failure ends the game.
    """
    play = partial(_own_game, evaluator, exact, number, seed)
    return "mixed" if number % 2 else "self", until_undisturbed(play)


def _own_game(evaluator: Evaluator, exact: ExactValues, number: int, seed: int) -> list[Answer]:
    rng = random.Random(derived_seed(seed, "game", number))
    opponent = MixedStrength(exact, rng.choice(SKILLS), rng) if number % 2 else None
    plies = 0 if exact.start.has_chance else rng.randrange(OPENING_PLIES)
    line, position = random_line(exact.start, plies, rng)
    actions, answers = list(line), list[Answer]()
    if position.is_terminal():
        actions, position = [], exact.start
    failure = evaluator.reset(number)
    while not position.is_terminal():
        player = position.to_move
        if player == CHANCE:
            action = chance_action(position, rng.random())
        elif opponent is not None and player != number // 2 % 2:
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


# ---- metrics of moves


@dataclass(frozen=True)
class RandomMetrics:
    """Computes the exact expectation of the metrics for uniformly random moves."""

    kept: float | None
    strongest: float | None
    lost: float | None
    lost_score: float | None


@dataclass(frozen=True)
class Metrics:
    """Computes the metrics of some answers.

    For the value only test positions with a wrong move count, for the score those in which some
    move is not a strongest one. None where there are no such positions.
    """

    positions: int
    """The number of answers."""
    kept: Interval | None
    """The share of moves that keep the value of the game."""
    strongest: Interval | None
    """The share of moves with the best score."""
    lost: Interval | None
    """The regret: the mean value lost per move."""
    lost_score: Interval | None
    """The mean score lost per move."""
    random: RandomMetrics
    """The same for random moves at the same positions."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the metrics as plain data, for JSON."""
        found = asdict(self)
        return {"questions": found.pop("positions"), **found}


def metrics_of(
    answers: Sequence[Answer], has_scores: bool, seed: int, clustered: bool = False
) -> Metrics:
    """Returns the metrics of ``answers``; ``clustered`` if those of a game are dependent.

    Without scores there are no metrics of the score. ``seed`` is that of the bootstrap.
    """

    def measured(
        some: list[Answer], right: str, lost: str, what: str
    ) -> tuple[Interval | None, Interval | None]:
        groups = [answer.group for answer in some] if clustered else None
        values = [[getattr(m, what) for m in a.test.move_values.values()] for a in some]
        most = average(max(each) - min(each) for each in values) or 0.0
        losses = [getattr(answer, lost) for answer in some]
        share = share_interval([getattr(answer, right) for answer in some], groups)
        return share, mean_interval(losses, seed, groups, most)

    telling = [answer for answer in answers if answer.test.value_matters]
    strong = [answer for answer in answers if has_scores and answer.test.score_matters]
    kept, lost = measured(telling, "kept", "lost", "value")
    strongest, lost_score = measured(strong, "strongest", "lost_score", "score")
    at_random = expected_random([answer.test for answer in answers], has_scores)
    return Metrics(len(answers), kept, strongest, lost, lost_score, at_random)


def expected_random(tests: Iterable[TestPosition], has_scores: bool = True) -> RandomMetrics:
    """Returns the expected metrics of uniformly random moves at ``tests``, by arithmetic.

    ``has_scores`` tells whether values are scores, so that there is a loss in points.
    """
    every = list(tests)
    telling = [t for t in every if t.value_matters]
    strong = [t for t in every if has_scores and t.score_matters]
    return RandomMetrics(
        average(len(t.right) / len(t.move_values) for t in telling),
        average(len(t.strongest) / len(t.move_values) for t in strong),
        average(fmean(map(t.lost, t.move_values)) for t in telling),
        average(fmean(map(t.lost_score, t.move_values)) for t in strong),
    )


def average(values: Iterable[float]) -> float | None:
    """Returns the mean; None without values."""
    every = list(values)
    return fmean(every) if every else None


# ---- calibration

BINS = 10
"""Bins of equal width for probabilities."""

CALIBRATION_RESAMPLES = 500

MIN_CLAIMS = 10
"""Claims that are needed for a calibration."""


@dataclass(frozen=True)
class CalibrationBin:
    """Describes the claims in one bin: their mean, and the mean of the exact values."""

    claimed: float
    true: Interval


@dataclass(frozen=True)
class Calibration:
    """Measures how well an agent's own values agree with the exact ones."""

    factor: float | None
    """The factor of the evaluations; None where the values are utilities."""
    brier: Interval
    """The mean squared error of the claimed probabilities: 0 is perfect, 0.25 is uninformed."""
    baseline: float
    """The Brier score of always claiming the mean of the exact values."""
    error: Interval
    """The expected calibration error: the mean difference of claims and truth by bins."""
    tau: float | None
    """Kendall's rank correlation, tau-b, of claims and truth; None if either is constant."""
    bins: tuple[CalibrationBin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Returns the calibration as plain data, for JSON."""
        found = asdict(self)
        return {
            "scale": "utilities" if self.factor is None else "fitted",
            "brier_of_the_mean": found.pop("baseline"),
            "calibration_error": found.pop("error"),
            "kendall_tau": found.pop("tau"),
            **found,
        }


def calibrate(
    claims: Sequence[Claim], truths: Sequence[float], max_utility: float, seed: int
) -> Calibration | None:
    """Returns the calibration of claims about positions with exact values ``truths``, 0 to 1.

    None for fewer than MIN_CLAIMS. ``max_utility`` is the largest utility of the game.
    """
    if len(claims) < MIN_CLAIMS:
        return None
    values = np.array([claim.value / max_utility for claim in claims])
    values = np.array([v if math.isfinite(v) else math.copysign(1e9, v) for v in values])
    sure = np.array([c.proven or not math.isfinite(c.value) for c in claims])
    true = np.array(truths, float)
    open_values = values[~sure]
    factor = None
    chances = (np.clip(values, -1, 1) + 1) / 2
    if len(open_values) and np.abs(open_values).max() > 1 + 1e-9:
        factor = fit_factor(open_values, true[~sure])
        chances[~sure] = 0.5 * (1 + np.tanh(0.5 * factor * open_values))  # does not overflow
    brier = mean_interval(((chances - true) ** 2).tolist(), seed)
    assert brier is not None  # there are claims
    ranked, tau = np.where(sure, np.sign(values) * 1e12, values), None
    if len(np.unique(ranked)) > 1 and len(np.unique(true)) > 1:
        tau = float(scipy_module("scipy.stats").kendalltau(ranked, true).statistic)
    return Calibration(
        factor,
        brier,
        float(((true - true.mean()) ** 2).mean()),
        calibration_error(chances, true, seed),
        tau,
        tuple(calibration_bins(chances, true)),
    )


def fit_factor(values: Numbers, true: Numbers) -> float:
    """Returns the factor of ``values`` with the least log loss."""
    from scipy.optimize import minimize_scalar

    def loss(log_factor: float) -> float:
        x = math.exp(log_factor) * values
        return float((np.logaddexp(0, x) - true * x).mean())

    scale = float(np.abs(values).mean())
    middle = -math.log(scale)
    found = minimize_scalar(loss, bounds=(middle - 12, middle + 6), method="bounded")
    return math.exp(float(found.x))


def bin_numbers(chances: Numbers) -> NDArray[np.int64]:
    """Returns the bin of each probability."""
    return np.minimum((chances * BINS).astype(np.int64), BINS - 1)


def calibration_bins(chances: Numbers, true: Numbers) -> list[CalibrationBin]:
    """Returns the bins that are not empty, the lowest first."""
    numbers, found = bin_numbers(chances), []
    for number in np.unique(numbers):
        inside = numbers == number
        n, rate = int(inside.sum()), float(true[inside].mean())
        interval = Interval(rate, *wilson(rate, n), n)
        found.append(CalibrationBin(float(chances[inside].mean()), interval))
    return found


def calibration_error(chances: Numbers, true: Numbers, seed: int) -> Interval:
    """Returns the expected calibration error, with a percentile interval of the bootstrap."""
    numbers, gaps, n = bin_numbers(chances), chances - true, len(true)

    def error(chosen: NDArray[np.int64]) -> float:
        sums = np.bincount(numbers[chosen], gaps[chosen], BINS)
        return float(np.abs(sums).sum() / n)

    rng = np.random.default_rng(seed % 2**64)
    resampled = [error(rng.integers(0, n, n)) for _ in range(CALIBRATION_RESAMPLES)]
    low, high = np.quantile(resampled, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2])
    return Interval(error(np.arange(n)), float(low), float(high), n)
