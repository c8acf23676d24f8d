"""Numbers with their 95 % intervals: shares by Wilson's method, means by the bootstrap.

Where answers come from games, of which each gave many, they are not independent. A share's interval
is then that of as many independent answers as would tell as much (the number divided by the design
effect, Kish 1965), and a mean's bootstrap draws whole games.

Sources: E. B. Wilson, JASA 22 (1927); B. Efron, JASA 82 (1987), for the bootstrap (BCa).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000

LEVEL = 0.95

Numbers = NDArray[np.float64]


class Estimate(NamedTuple):
    """A number measured ``n`` times, and where its true value lies with a confidence of 95 %."""

    value: float
    low: float
    high: float
    n: int

    def to_dict(self) -> dict[str, float]:
        """The same as plain data."""
        return self._asdict()


def library() -> Any:
    """scipy.stats; ImportError with advice where it is missing."""
    try:
        import scipy.stats
    except ImportError as error:
        raise ImportError("report cards need SciPy: pip install 'adv-envs[lab]'") from error
    return scipy.stats


def share(hits: Sequence[bool], groups: Sequence[int] | None = None) -> Estimate | None:
    """The share of ``hits``; None of none. ``groups`` says which of them belong together."""
    n = len(hits)
    if n == 0:
        return None
    rate = sum(hits) / n
    effective = n if groups is None else n / design_effect(np.array(hits, float), np.array(groups))
    test = library().binomtest
    # the interval of a share that need not be that of a whole number of hits
    if effective == n:
        interval = test(sum(hits), n).proportion_ci(LEVEL, method="wilson")
        return Estimate(rate, float(interval.low), float(interval.high), n)
    return Estimate(rate, *wilson(rate, effective), n)


def wilson(rate: float, n: float) -> tuple[float, float]:
    """Wilson's interval for a share ``rate`` of ``n``, which need not be whole."""
    z = float(library().norm.ppf(0.5 + LEVEL / 2))
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def design_effect(values: Numbers, groups: NDArray[Any]) -> float:
    """How many times the variance of the mean is that of independent values; at least 1."""
    n, mean = len(values), values.mean()
    spread = ((values - mean) ** 2).sum() / n**2
    names = np.unique(groups)
    if len(names) < 2:
        return float(n)  # one game tells nothing of others
    if spread == 0:
        return 1.0
    sums = np.array([(values[groups == name] - mean).sum() for name in names])
    between = (sums**2).sum() / n**2 * len(names) / (len(names) - 1)
    return max(1.0, float(between / spread))


def mean(
    values: Sequence[float], seed: int, groups: Sequence[int] | None = None, most: float = 1.0
) -> Estimate | None:
    """The mean of ``values``, which are not negative; None of none.

    ``most`` is the largest they can be. Where all are the same the bootstrap knows nothing; the
    bounds are then those of a share of others, 0 or ``most``, of which none was seen. Values of one
    game tell nothing of others.
    """
    data = np.array(values, float)
    if len(data) == 0:
        return None
    average, n = float(data.mean()), len(data)
    most = max(most, average)
    if groups is not None and len(set(groups)) < 2:
        return Estimate(average, 0.0, most, n)
    if (data == data[0]).all():
        unseen = wilson(0.0, n)[1]
        return Estimate(average, average * (1 - unseen), average + (most - average) * unseen, n)
    if groups is None:
        low, high = bootstrap(data[None], lambda x, axis: x.mean(axis=axis), seed)
    else:
        where = np.unique(np.array(groups), return_inverse=True)[1]
        both = np.array([np.bincount(where, data), np.bincount(where)], float)
        low, high = bootstrap(both, ratio, seed)
    return Estimate(average, low, high, n)


def ratio(sums: Numbers, counts: Numbers, axis: int) -> Any:
    """The mean of values of which each game has a sum and a number."""
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def quantile(values: Sequence[float], part: float, seed: int) -> Estimate | None:
    """The ``part`` quantile, 0.5 being the median; None of none."""
    data = np.array(values, float)
    if len(data) == 0:
        return None
    low, high = bootstrap(data[None], lambda x, axis: np.quantile(x, part, axis=axis), seed, False)
    return Estimate(float(np.quantile(data, part)), low, high, len(data))


def bootstrap(
    samples: Numbers, statistic: Callable[..., Any], seed: int, smooth: bool = True
) -> tuple[float, float]:
    """The bootstrap interval of a statistic of ``samples`` (variables, n), drawn together.

    BCa, or the percentile method where the statistic is not ``smooth`` or BCa is undefined.
    """
    if samples.shape[1] < 2 or (samples == samples[:, :1]).all():
        only = float(statistic(*samples, axis=-1))
        return only, only
    for method in ("BCa", "percentile")[0 if smooth else 1 :]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of degenerate resamples, which the next line sees
            found = library().bootstrap(
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
