"""Whether an agent's own values mean what they say: reliability, Brier score, rank correlation.

A claim becomes a chance of winning: on the scale of utilities, -1 to 1, by (value + 1) / 2. Where
claims are evaluations on a scale of their own, by 1 / (1 + exp(-factor * value)), with the factor
that makes them as right as they can be (Platt scaling without a shift, as games are fair). The
truth is exact: 1 for a won position, 0.5 for a drawn, 0 for a lost one, with dice the chance.

Sources: G. W. Brier, Monthly Weather Review 78 (1950); J. C. Platt, Advances in Large Margin
Classifiers (1999); M. P. Naeini, G. F. Cooper and M. Hauskrecht, AAAI (2015), for the expected
calibration error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .probe import Claim
from .statistics import LEVEL, Estimate, library, mean, wilson

BINS = 10

RESAMPLES = 500

LEAST = 10
"""Claims that are needed to say anything."""

Numbers = NDArray[np.float64]


class Bin(NamedTuple):
    """Claims that lie close together: their mean, and the mean of what was true."""

    claimed: float
    true: Estimate


@dataclass(frozen=True)
class Calibration:
    """How far an agent's values can be believed."""

    factor: float | None
    """What evaluations were multiplied with; None where claims are utilities as they are."""
    brier: Estimate
    """The mean squared error of the claimed chances: 0 is perfect, 0.25 knows nothing."""
    baseline: float
    """The Brier score of always claiming the mean of what is true."""
    error: Estimate
    """The expected calibration error: how far claims in a bin lie from the truth, on average."""
    tau: float | None
    """Kendall's rank correlation, tau-b, of claims and truth; None if either is always the same."""
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
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
    claims: Sequence[Claim], truths: Sequence[float], most: float, seed: int
) -> Calibration | None:
    """The calibration of claims about positions of these true values, 0 to 1; None of too few.

    ``most`` is the largest utility of the game.
    """
    if len(claims) < LEAST:
        return None
    values = np.array([claim.value / most for claim in claims])
    values = np.array([v if math.isfinite(v) else math.copysign(1e9, v) for v in values])
    sure = np.array([c.proven or not math.isfinite(c.value) for c in claims])
    true = np.array(truths, float)
    open_values = values[~sure]
    factor = None
    chances = (np.clip(values, -1, 1) + 1) / 2
    if len(open_values) and np.abs(open_values).max() > 1 + 1e-9:
        factor = fit(open_values, true[~sure])
        chances[~sure] = logistic(factor * open_values)
    brier = mean(((chances - true) ** 2).tolist(), seed)
    assert brier is not None  # there are claims
    return Calibration(
        factor,
        brier,
        float(((true - true.mean()) ** 2).mean()),
        error_of(chances, true, seed),
        rank_correlation(np.where(sure, np.sign(values) * 1e12, values), true),
        tuple(bins_of(chances, true)),
    )


def logistic(x: Numbers) -> Numbers:
    """1 / (1 + exp(-x)), also for large x."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)), np.float64)


def fit(values: Numbers, true: Numbers) -> float:
    """The factor with which ``values`` say most about what is true: the least log loss."""
    from scipy.optimize import minimize_scalar

    def loss(log_factor: float) -> float:
        x = math.exp(log_factor) * values
        return float((np.logaddexp(0, x) - true * x).mean())

    scale = float(np.abs(values).mean())
    middle = -math.log(scale)
    found = minimize_scalar(loss, bounds=(middle - 12, middle + 6), method="bounded")
    return math.exp(float(found.x))


def bin_numbers(chances: Numbers) -> NDArray[np.int64]:
    """The bin of each chance."""
    return np.minimum((chances * BINS).astype(np.int64), BINS - 1)


def bins_of(chances: Numbers, true: Numbers) -> list[Bin]:
    """The bins that are not empty, the lowest first."""
    numbers, found = bin_numbers(chances), []
    for number in np.unique(numbers):
        inside = numbers == number
        n, rate = int(inside.sum()), float(true[inside].mean())
        estimate = Estimate(rate, *wilson(rate, n), n)
        found.append(Bin(float(chances[inside].mean()), estimate))
    return found


def error_of(chances: Numbers, true: Numbers, seed: int) -> Estimate:
    """The expected calibration error, with a percentile interval of the bootstrap."""
    numbers, gaps, n = bin_numbers(chances), chances - true, len(true)

    def error(chosen: NDArray[np.int64]) -> float:
        sums = np.bincount(numbers[chosen], gaps[chosen], BINS)
        return float(np.abs(sums).sum() / n)

    rng = np.random.default_rng(seed)
    resampled = [error(rng.integers(0, n, n)) for _ in range(RESAMPLES)]
    low, high = np.quantile(resampled, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2])
    return Estimate(error(np.arange(n)), float(low), float(high), n)


def rank_correlation(values: Numbers, true: Numbers) -> float | None:
    """Kendall's tau-b."""
    if len(np.unique(values)) < 2 or len(np.unique(true)) < 2:
        return None
    return float(library().kendalltau(values, true).statistic)
