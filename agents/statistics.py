"""Computes 95 % intervals: of means, of shares, of quantiles, and of the score of pairs of games.

Everything that prints an interval takes it from here: matches and tournaments, ratings, report
cards. Shares have Wilson's interval; means Student's, or that of the bootstrap, which draws whole
groups where values in a group depend on each other; for the score of pairs see
``score_interval``. SciPy, of the extra ``lab``, is imported when it is needed.

Sources: E. B. Wilson, JASA 22 (1927); B. Efron, JASA 82 (1987), for the bootstrap (BCa); L. Kish,
Survey Sampling (1965), for the design effect; A. B. Owen, Empirical Likelihood (2001).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.optional import optional_library

LEVEL = 0.95
"""The confidence of intervals."""

Z95 = 1.959963984540054
"""95 % of a normal distribution are within this number of standard deviations of its mean."""

RESAMPLES = 2000
"""Resamples of the bootstrap."""

ELO = 400 / math.log(10)
"""Elo per unit of the models of ratings, in which d units are odds of exp(d) to 1."""

PRIOR = 1000 / ELO
"""The standard deviation of the prior of ratings, in those units: 1000 Elo."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """Holds a number, and the interval that holds its true value with 95 % confidence."""

    value: float
    low: float | None = None
    """The lower end; None where there is no limit."""
    high: float | None = None
    n: int = 0
    """How many measurements, or independent groups of them, it comes from; 0 where not counted."""

    @classmethod
    def around(cls, value: float, half: float, n: int = 0) -> Interval:
        """Returns the interval that reaches ``half`` to either side of ``value``."""
        return cls(value, value - half, value + half, n)

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data."""
        return asdict(self)

    @property
    def half(self) -> float:
        """Returns half its length; infinite where there is no limit."""
        if self.low is None or self.high is None:
            return math.inf
        return (self.high - self.low) / 2

    def ends(self, write: Callable[[float], str], joint: str = " to ") -> str:
        """Returns both ends in words, see ``in_words``."""
        return in_words(self.low, self.high, write, joint)


def in_words(
    low: float | None, high: float | None, write: Callable[[float], str], joint: str = " to "
) -> str:
    """Returns the ends of an interval in words: "no limit" for None, else as ``write`` has it."""
    return joint.join("no limit" if end is None else write(end) for end in (low, high))


def signed(value: float, digits: int = 3) -> str:
    """Returns a number with its sign and ``digits`` decimals; what is rounded to 0 has none."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def scipy_module(name: str) -> Any:
    """Returns a module of SciPy; ImportError says what to install where it is missing."""
    return optional_library(name, "ratings and intervals need", "lab")


# ---- means


def student_quantile(n: int, level: float = LEVEL) -> float:
    """Returns the quantile of Student's distribution with ``n`` - 1 degrees of freedom.

    A share ``level`` lies between it and its negative. Infinite for one observation, from which no
    error can be estimated.
    """
    if n < 2:
        return math.inf
    return float(scipy_module("scipy.special").stdtrit(n - 1, 0.5 + level / 2))


def t_interval(
    values: Sequence[float] | Numbers, clusters: NDArray[np.int64] | None = None
) -> Interval:
    """Returns the mean of values with its interval by Student's distribution.

    Values of one of the ``clusters`` (n,) depend on each other; without, all are independent.
    """
    data, n = np.asarray(values, np.float64), len(values)
    if n == 0:
        return Interval(0.0)
    mean = float(data.mean())
    numbers = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    sums = np.bincount(numbers, data - mean)
    few = len(sums) / max(len(sums) - 1, 1)
    return student_interval(mean, few * float((sums**2).sum()) / n**2, len(sums))


def student_interval(value: float, variance: float, n: int) -> Interval:
    """Returns the interval of an estimate with this variance, from ``n`` independent clusters.

    There is none from one cluster, nor where all are alike.
    """
    if n < 2 or variance < 1e-18:
        return Interval(value, n=n)
    return Interval.around(value, student_quantile(n) * variance**0.5, n)


def mean_interval(
    values: Sequence[float], seed: int, groups: Sequence[int] | None = None, most: float = 1.0
) -> Interval | None:
    """Returns the mean of ``values``, each from 0 to ``most``; None without any.

    Where all are equal the bootstrap has no information; the bounds are then those of a share of
    other values, 0 or ``most``, none of them seen. If all are of one game, the interval is all
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
        low, high = bootstrap(both, lambda x, n, axis: x.sum(axis=axis) / n.sum(axis=axis), seed)
    return Interval(average, low, high, n)


def paired_interval(differences: Sequence[float], seed: int, most: float = 1.0) -> Interval:
    """Returns the mean of paired differences, each from -``most`` to ``most``.

    The interval is that of ``mean_interval``.
    """
    most = max([most, *map(abs, differences)])
    if most == 0 or not differences:
        return Interval(0.0, n=len(differences))
    scaled = mean_interval([(each / most + 1) / 2 for each in differences], seed)
    assert scaled is not None  # there are differences
    low, high = ((2 * (end or 0.0) - 1) * most for end in (scaled.low, scaled.high))
    return Interval(math.fsum(differences) / len(differences), low, high, len(differences))


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
            found = scipy_module("scipy.stats").bootstrap(
                tuple(samples),
                statistic,
                n_resamples=RESAMPLES,
                paired=True,
                vectorized=True,
                method=method,
                confidence_level=LEVEL,
                rng=np.random.default_rng(seed % 2**64),
            )
        low, high = map(float, found.confidence_interval)
        if np.isfinite([low, high]).all():
            break
    return low, high


# ---- shares


def share_interval(hits: Sequence[bool], groups: Sequence[int] | None = None) -> Interval | None:
    """Returns the share of ``hits``, which depend on each other in ``groups``; None without any."""
    n = len(hits)
    if n == 0:
        return None
    rate = sum(hits) / n
    effective = n if groups is None else n / design_effect(np.array(hits, float), np.array(groups))
    return Interval(rate, *wilson(rate, effective), n)


def wilson(rate: float, n: float) -> tuple[float, float]:
    """Returns Wilson's interval for a share ``rate`` of ``n``, which need not be whole."""
    z = Z95
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


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


# ---- scores of pairs of games

SCORES = np.linspace(0, 1, 5)
"""What a pair of games brings, per game: 0, 1/4, 1/2, 3/4 or 1 point."""


def score_interval(
    counts: Sequence[int],
    pairs: float,
    observations: int,
    alike: bool = False,
    level: float = LEVEL,
) -> tuple[float, float]:
    """Returns the interval of the mean score of pairs of games, within 0 .. 1.

    ``counts`` (5,): how many pairs brought each of ``SCORES``. ``pairs``: the number of independent
    pairs with the same information. ``observations``: the number of independent observations,
    which are pairs or clusters of pairs; ``alike``: whether all of them brought the same;
    ``level``: the confidence of the interval; that of either end alone is (1 + level) / 2.

    It is by likelihood, as in docs/statistics.md (Owen 2001, section 2.3). That is too sure where
    all observations are alike: then their share is at least (1/2 - level/2) ** (1 / observations),
    by Clopper and Pearson (1934), and the ends are the means if all others were lost, or won.
    """
    if alike:
        mean = float(np.array(counts) @ SCORES / sum(counts))
        share = (0.5 - level / 2) ** (1 / observations)
        return mean * share, 1 - (1 - mean) * share
    drop = student_quantile(observations, level) ** 2 / 2
    seen = without_zeros(counts)
    shares = seen / seen.sum()
    return _lowest_mean(shares, drop / pairs), 1 - _lowest_mean(shares[::-1], drop / pairs)


def without_zeros(counts: Sequence[int]) -> Numbers:
    """Returns ``counts`` (5,), a count of 0 being taken as 0.001, so that it has a logarithm."""
    pairs = np.array(counts, np.float64)
    return np.where(pairs == 0, 1e-3, pairs)


def _lowest_mean(shares: Numbers, drop: float) -> float:
    """Returns the lowest mean whose log-likelihood per pair is at most ``drop`` below the best.

    The likeliest distributions with a lower mean than that of ``shares`` have probabilities in
    proportion to share / (1 + tilt * score), with a tilt from 0 to infinity.
    """
    seen = list(zip(shares.tolist(), SCORES.tolist(), strict=True))  # numbers are quicker

    def tilted(log_tilt: float) -> list[float]:
        rest = math.exp(-log_tilt)
        weights = [share / (rest + (1 - rest) * score) for share, score in seen]
        total = math.fsum(weights)
        return [weight / total for weight in weights]

    def excess(log_tilt: float) -> float:
        pairs = zip(shares.tolist(), tilted(log_tilt), strict=True)
        return math.fsum(share * math.log(share / chance) for share, chance in pairs) - drop

    most = 30.0
    if excess(most) < 0:
        return 0.0  # less than 1e-12
    found = scipy_module("scipy.optimize").brentq(excess, 0.0, most, xtol=1e-10)
    return math.fsum(p * score for p, (_, score) in zip(tilted(found), seen, strict=True))
