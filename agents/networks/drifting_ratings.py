"""Rates a learner's past selves, from the learner's own games against them.

The model is Bradley and Terry's, with an advantage of the first seat, as in ``agents.arena``: the
expected score of the learner against past self i, a draw being half a point, is

    1 / (1 + exp(-d)),   d = learner - rating_i + advantage   (- advantage in the second seat)

where ln 10 of these units are 400 Elo. Past selves stay as they are; the learner's rating is a
random walk, see ``DRIFT``, and a new past self is as strong as the learner is at that moment. All
ratings together have one normal distribution, with all covariances, which is conditioned on the
games since the last time by Laplace's method: Newton's iteration finds the likeliest ratings, and
the curvature there gives the covariance. Sources:

- L. Fahrmeir, G. Tutz, Dynamic stochastic models for time-dependent ordered paired comparison
  systems, Journal of the American Statistical Association 89, 1994: the model and such a filter;
- M. E. Glickman, Parameter estimation in large dynamic paired comparison experiments, Applied
  Statistics 48, 1999: the same without covariances, known as Glicko;
- C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, algorithm 3.1:
  the iteration, in a form that needs no inverse of the covariance, which is singular where a past
  self has just been added.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.statistics import ELO, PRIOR, Z95, Interval

Array = NDArray[np.float64]


DRIFT = 50 / ELO
"""The standard deviation of the change of the learner in 1,000 games, and whenever a past self is
added, in these units."""

ADVANTAGE, LEARNER, FIRST = 0, 1, 2
"""The indices of parameters; past self i has the index FIRST + i."""


class DriftingRatings:
    """Holds the joint distribution of the first seat's advantage and all ratings.

    ``mean`` (2 + n,) and ``covariance`` (2 + n, 2 + n), in units of the model; n is the number of
    past selves, at first 0. Ratings in Elo are those above the first of the past selves.
    """

    def __init__(self) -> None:
        self.mean: Array = np.zeros(FIRST)
        self.covariance: Array = np.eye(FIRST) * PRIOR**2

    def __len__(self) -> int:
        """Returns how many past selves there are."""
        return len(self.mean) - FIRST

    def add(self) -> None:
        """Adds a past self that is as strong as the learner is now."""
        same = [*range(len(self.mean)), LEARNER]
        self.mean = self.mean[same]
        self.covariance = self.covariance[np.ix_(same, same)]
        self.covariance[LEARNER, LEARNER] += DRIFT**2  # it may learn from what is not reported

    def remove(self, number: int) -> None:
        """Removes a past self; what is known of the others stays as it is."""
        kept = np.delete(np.arange(len(self.mean)), FIRST + number)
        self.mean = self.mean[kept]
        self.covariance = self.covariance[np.ix_(kept, kept)]

    def update(self, games: Array, points: Array) -> None:
        """Learns from games, (n, 2), and the learner's points in them, (n, 2).

        Row i has those against past self i: of the learner in the first seat, and in the second.
        """
        self.covariance[LEARNER, LEARNER] += games.sum() / 1000 * DRIFT**2
        selves, seats = np.nonzero(games)
        if len(selves) == 0:
            return
        rows, at = np.zeros((len(selves), len(self.mean))), np.arange(len(selves))
        rows[at, LEARNER], rows[at, FIRST + selves] = 1, -1
        rows[at, ADVANTAGE] = 1 - 2 * seats
        weights, root, inner = _likeliest(
            rows @ self.mean,
            rows @ self.covariance @ rows.T,
            games[selves, seats],
            points[selves, seats],
        )
        gain = self.covariance @ rows.T
        self.mean = self.mean + gain @ weights
        scaled = gain * root
        self.covariance = self.covariance - scaled @ np.linalg.solve(inner, scaled.T)
        self.covariance = (self.covariance + self.covariance.T) / 2

    def expected(self) -> Array:
        """Returns the learner's expected score against each past self, (n,), the mean of seats."""
        ahead = self.mean[LEARNER] - self.mean[FIRST:]
        both = ahead + self.mean[ADVANTAGE], ahead - self.mean[ADVANTAGE]
        scores: Array = 0.5 + 0.25 * sum(np.tanh(d / 2) for d in both)
        return scores

    def rating(self, number: int) -> Interval:
        """Returns the rating of a past self in Elo above the first one, with its 95 % interval."""
        return self._above_first(FIRST + number)

    def learner(self) -> Interval:
        """Returns the rating of the learner in Elo above its first self, with its 95 % interval."""
        return self._above_first(LEARNER)

    def advantage(self) -> Interval:
        """Returns the first seat's advantage in Elo, with its 95 % interval."""
        return _interval(self.mean[ADVANTAGE], self.covariance[ADVANTAGE, ADVANTAGE])

    def _above_first(self, index: int) -> Interval:
        cov = self.covariance
        variance = cov[index, index] + cov[FIRST, FIRST] - 2 * cov[index, FIRST]
        return _interval(self.mean[index] - self.mean[FIRST], variance)

    def state_dict(self) -> dict[str, Any]:
        """Returns everything as lists of numbers."""
        return {"mean": self.mean.tolist(), "covariance": self.covariance.tolist()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues from what ``state_dict`` returned; ValueError if it is not that."""
        mean = np.array(state["mean"], np.float64)
        covariance = np.array(state["covariance"], np.float64)
        if len(mean) < FIRST or covariance.shape != (len(mean), len(mean)):
            raise ValueError(f"no ratings: {mean.shape} and {covariance.shape} numbers")
        self.mean, self.covariance = mean, covariance


def _interval(value: float, variance: float) -> Interval:
    return Interval.around(float(value) * ELO, Z95 * math.sqrt(max(float(variance), 0.0)) * ELO)


def _likeliest(
    mean: Array, covariance: Array, games: Array, points: Array
) -> tuple[Array, Array, Array]:
    """Returns the weights a, where mean + covariance a are the likeliest differences d, all (m,).

    Also the roots of the curvature W of the likelihood there, (m,), and the matrix
    I + W^1/2 covariance W^1/2, (m, m). No step changes a difference by more than one unit.
    RuntimeError if Newton's iteration does not come to an end.
    """
    weights = np.zeros(len(mean))
    for _ in range(1000):
        moved = covariance @ weights
        scores = 0.5 + 0.5 * np.tanh((mean + moved) / 2)
        curvature = games * scores * (1 - scores)
        root = np.sqrt(curvature)
        inner = np.eye(len(mean)) + root[:, None] * covariance * root
        wanted = curvature * moved + points - games * scores
        found = wanted - root * np.linalg.solve(inner, root * (covariance @ wanted))
        change = found - weights
        longest = float(np.abs(covariance @ change).max())
        weights = weights + change / max(1.0, longest)
        if longest < 1e-7:
            return weights, root, inner
    raise RuntimeError("the ratings have not come to an end")
