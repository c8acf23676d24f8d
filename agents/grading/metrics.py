"""Metrics of answers: shares of right moves, value lost, and how far an agent's values are true.

Every number comes with its 95 % interval: shares by Wilson's method, means and quantiles by the
bootstrap. Answers in one game are not independent: the interval of a share is then that of the
number of independent answers with the same information (the number divided by the design effect,
Kish 1965), and the bootstrap of a mean draws whole games.

Calibration compares an agent's own values with exact ones. A value becomes a probability of
winning: on the scale of utilities, -1 to 1, by (value + 1) / 2; evaluations on a scale of their own
by 1 / (1 + exp(-factor * value)), with the factor of the least log loss (Platt scaling without a
shift, as games are fair). The truth is 1 for a won position, 0.5 for a drawn, 0 for a lost one, and
in games of chance the probability.

Sources: E. B. Wilson, JASA 22 (1927); B. Efron, JASA 82 (1987), for the bootstrap (BCa); G. W.
Brier, Monthly Weather Review 78 (1950); J. C. Platt, Advances in Large Margin Classifiers (1999);
M. P. Naeini, G. F. Cooper and M. Hauskrecht, AAAI (2015), for the expected calibration error.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.optional import optional_library

from .evaluator import Answer, Claim
from .position_sets import TestPosition

RESAMPLES = 2000
"""Resamples of the bootstrap."""

LEVEL = 0.95
"""The confidence of intervals."""

Numbers = NDArray[np.float64]


class Interval(NamedTuple):
    """A number measured ``n`` times, and the interval of its true value with 95 % confidence."""

    value: float
    low: float
    high: float
    n: int

    def to_dict(self) -> dict[str, float]:
        """Returns the fields as plain data."""
        return self._asdict()


# ---- metrics of moves


@dataclass(frozen=True)
class RandomMetrics:
    """The exact expectation of the metrics for uniformly random moves."""

    kept: float | None
    strongest: float | None
    lost: float | None
    lost_score: float | None


@dataclass(frozen=True)
class Metrics:
    """Metrics of some answers.

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
        measured = {
            "kept": self.kept,
            "strongest": self.strongest,
            "lost": self.lost,
            "lost_score": self.lost_score,
        }
        return {
            "questions": self.positions,
            **{name: found and found.to_dict() for name, found in measured.items()},
            "random": vars(self.random),
        }


def metrics_of(
    answers: Sequence[Answer], has_scores: bool, seed: int, clustered: bool = False
) -> Metrics:
    """Returns the metrics of ``answers``; ``clustered`` if those of a game are dependent.

    Without scores there are no metrics of the score. ``seed`` is that of the bootstrap.
    """
    telling = [answer for answer in answers if answer.test.value_matters]
    strong = [answer for answer in answers if has_scores and answer.test.score_matters]

    def groups(some: list[Answer]) -> list[int] | None:
        return [answer.group for answer in some] if clustered else None

    return Metrics(
        len(answers),
        share_interval([a.kept for a in telling], groups(telling)),
        share_interval([a.strongest for a in strong], groups(strong)),
        mean_interval(
            [a.lost for a in telling], seed, groups(telling), mean_range(telling, "value")
        ),
        mean_interval(
            [a.lost_score for a in strong], seed, groups(strong), mean_range(strong, "score")
        ),
        expected_random([answer.test for answer in answers], has_scores),
    )


def mean_range(answers: Sequence[Answer], what: str) -> float:
    """Returns the mean difference of the best and the worst move, by "value" or "score"."""
    values = [[getattr(m, what) for m in a.test.move_values.values()] for a in answers]
    return average(max(some) - min(some) for some in values) or 0.0


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
        average(over_moves(t, t.lost) for t in telling),
        average(over_moves(t, t.lost_score) for t in strong),
    )


def over_moves(test: TestPosition, lost: Callable[[int], float]) -> float:
    """Returns the mean of ``lost`` over the legal moves."""
    return sum(map(lost, test.move_values)) / len(test.move_values)


def average(values: Iterable[float]) -> float | None:
    """Returns the mean; None without values."""
    every = list(values)
    return sum(every) / len(every) if every else None


# ---- calibration

BINS = 10
"""Bins of equal width for probabilities."""

CALIBRATION_RESAMPLES = 500

MIN_CLAIMS = 10
"""Claims that are needed for a calibration."""


class CalibrationBin(NamedTuple):
    """The claims in one bin: their mean, and the mean of the exact values."""

    claimed: float
    true: Interval


@dataclass(frozen=True)
class Calibration:
    """How well an agent's own values agree with the exact ones."""

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
        return {
            "scale": "utilities" if self.factor is None else "fitted",
            "factor": self.factor,
            "brier": self.brier.to_dict(),
            "brier_of_the_mean": self.baseline,
            "calibration_error": self.error.to_dict(),
            "kendall_tau": self.tau,
            "bins": [{"claimed": b.claimed, "true": b.true.to_dict()} for b in self.bins],
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
        chances[~sure] = logistic(factor * open_values)
    brier = mean_interval(((chances - true) ** 2).tolist(), seed)
    assert brier is not None  # there are claims
    return Calibration(
        factor,
        brier,
        float(((true - true.mean()) ** 2).mean()),
        calibration_error(chances, true, seed),
        rank_correlation(np.where(sure, np.sign(values) * 1e12, values), true),
        tuple(calibration_bins(chances, true)),
    )


def logistic(x: Numbers) -> Numbers:
    """Returns 1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)), np.float64)


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

    rng = np.random.default_rng(seed)
    resampled = [error(rng.integers(0, n, n)) for _ in range(CALIBRATION_RESAMPLES)]
    low, high = np.quantile(resampled, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2])
    return Interval(error(np.arange(n)), float(low), float(high), n)


def rank_correlation(values: Numbers, true: Numbers) -> float | None:
    """Returns Kendall's tau-b; None if either is constant."""
    if len(np.unique(values)) < 2 or len(np.unique(true)) < 2:
        return None
    return float(scipy_stats().kendalltau(values, true).statistic)


# ---- intervals


def scipy_stats() -> Any:
    """Returns scipy.stats; ImportError with advice where it is missing."""
    return optional_library("scipy.stats", "report cards need", "lab")


def share_interval(hits: Sequence[bool], groups: Sequence[int] | None = None) -> Interval | None:
    """Returns the share of ``hits``, which depend on each other in ``groups``; None without any."""
    n = len(hits)
    if n == 0:
        return None
    rate = sum(hits) / n
    effective = n if groups is None else n / design_effect(np.array(hits, float), np.array(groups))
    test = scipy_stats().binomtest
    # otherwise the interval for a number that need not be whole
    if effective == n:
        interval = test(sum(hits), n).proportion_ci(LEVEL, method="wilson")
        return Interval(rate, float(interval.low), float(interval.high), n)
    return Interval(rate, *wilson(rate, effective), n)


def wilson(rate: float, n: float) -> tuple[float, float]:
    """Returns Wilson's interval for a share ``rate`` of ``n``, which need not be whole."""
    z = float(scipy_stats().norm.ppf(0.5 + LEVEL / 2))
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def design_effect(values: Numbers, groups: NDArray[Any]) -> float:
    """Returns the variance of the mean relative to that of independent values; at least 1."""
    n, mean = len(values), values.mean()
    within = ((values - mean) ** 2).sum() / n**2
    names = np.unique(groups)
    if len(names) < 2:
        return float(n)  # one game says nothing about others
    if within == 0:
        return 1.0
    sums = np.array([(values[groups == name] - mean).sum() for name in names])
    between = (sums**2).sum() / n**2 * len(names) / (len(names) - 1)
    return max(1.0, float(between / within))


def mean_interval(
    values: Sequence[float], seed: int, groups: Sequence[int] | None = None, most: float = 1.0
) -> Interval | None:
    """Returns the mean of ``values``, which are from 0 to ``most``; None without any.

    Where all are equal the bootstrap has no information; the bounds are then those of a share of
    other values, 0 or ``most``, of which none was seen. If all are of one game, the interval is all
    of 0 to ``most``.
    """
    data = np.array(values, float)
    if len(data) == 0:
        return None
    average, n = float(data.mean()), len(data)
    most = max(most, average)
    if groups is not None and len(set(groups)) < 2:
        return Interval(average, 0.0, most, n)
    if (data == data[0]).all():
        unseen = wilson(0.0, n)[1]
        return Interval(average, average * (1 - unseen), average + (most - average) * unseen, n)
    if groups is None:
        low, high = bootstrap(data[None], lambda x, axis: x.mean(axis=axis), seed)
    else:
        where = np.unique(np.array(groups), return_inverse=True)[1]
        both = np.array([np.bincount(where, data), np.bincount(where)], float)
        low, high = bootstrap(both, ratio, seed)
    return Interval(average, low, high, n)


def ratio(sums: Numbers, counts: Numbers, axis: int) -> Any:
    """Returns the mean of values, given by their sum and number in each game."""
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def quantile_interval(values: Sequence[float], part: float, seed: int) -> Interval | None:
    """Returns the ``part`` quantile, 0.5 being the median; None without values."""
    data = np.array(values, float)
    if len(data) == 0:
        return None
    low, high = bootstrap(data[None], lambda x, axis: np.quantile(x, part, axis=axis), seed, False)
    return Interval(float(np.quantile(data, part)), low, high, len(data))


def bootstrap(
    samples: Numbers, statistic: Callable[..., Any], seed: int, smooth: bool = True
) -> tuple[float, float]:
    """Returns the bootstrap interval of a statistic of ``samples`` (variables, n), drawn jointly.

    By BCa, or the percentile method where the statistic is not ``smooth`` or BCa is undefined.
    """
    if samples.shape[1] < 2 or (samples == samples[:, :1]).all():
        only = float(statistic(*samples, axis=-1))
        return only, only
    for method in ("BCa", "percentile")[0 if smooth else 1 :]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of degenerate resamples, which give NaN
            found = scipy_stats().bootstrap(
                tuple(samples),
                statistic,
                n_resamples=RESAMPLES,
                paired=True,
                vectorized=True,
                method=method,
                confidence_level=LEVEL,
                rng=np.random.default_rng(seed),
            )
        low, high = map(float, found.confidence_interval)
        if np.isfinite([low, high]).all():
            break
    return low, high
