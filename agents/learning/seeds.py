"""Results of several trainings that differ by their seed: means with intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def mean_over_seeds(values: ArrayLike) -> tuple[Any, Any]:
    """Returns the mean over the first axis, and half of its 95 % interval.

    ``values`` has a row, or a number, for each seed; the results have the shape of one. The
    interval is by Student's distribution; NaN for a single seed, which tells nothing of others.
    """
    from scipy import stats

    rows: Array = np.asarray(values, np.float64)
    mean = rows.mean(0)
    if len(rows) < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, stats.t.ppf(0.975, len(rows) - 1) * stats.sem(rows)


def plus_minus(mean: float, half: float, form: str = ".1%") -> str:
    """Returns a mean with ``half`` of its interval, as "12.3% ± 0.8%"; the mean alone for NaN.

    ``form`` is how both are written, as ``format`` takes it.
    """
    return format(mean, form) + (f" ± {half:{form}}" if np.isfinite(half) else "")
