"""The model behind ratings: Bradley-Terry with an advantage of the first seat.

Of agent i in the first seat against agent j one expects the score, a draw being half a point,

    1 / (1 + exp(-d)),   d = rating_i - rating_j + advantage

where ln 10 of these units are 400 Elo: the definition of Elo, and so ratings are on the scale of
``HeadToHead``. (R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
39, 1952. The advantage is an order effect: R. R. Davidson, R. J. Beaver, Biometrics 33, 1977.)

**Draws** enter the likelihood as half a win and half a loss, as in Ordo: everybody is expected to
have scored what they have scored. This needs no assumption on when games are drawn, and is right in
the mean whenever expected scores are (quasi-likelihood: L. E. Papke, J. M. Wooldridge, Econometric
methods for fractional response variables, Journal of Applied Econometrics 11, 1996); how sure it is
must be found by other means, here the bootstrap. The models of Davidson (1970) and of Rao and
Kupper (1967) have a parameter for draws instead, and a scale that depends on it: where the first
seat wins or draws but never loses, as in tic-tac-toe, Davidson's has no finite answer.

**Prior.** Who has won every game would be infinitely strong. So each rating and the advantage have
a normal prior of mean 0 and standard deviation ``PRIOR``, 1000 Elo. It tells as much as an eighth
of a game between equals, and makes the mean of all ratings, in each group that met, zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..extra import library

Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""So many Elo are one unit of the model."""

PRIOR = 1000 / ELO
"""The standard deviation of the prior, in those units."""


@dataclass(frozen=True)
class Design:
    """Who met whom, and in which seats: the part of the model that stays as results change.

    Parameters are the ratings of n agents and the advantage: p = n + 1 numbers.
    """

    seats: NDArray[np.int64]
    """(m, 2): row k says that agent seats[k, 0] was first in its games with agent seats[k, 1]."""
    agents: int
    """How many agents there are, n."""

    @property
    def rows(self) -> Array:
        """(m, p): what d is made of."""
        found = np.zeros((len(self.seats), self.agents + 1))
        at = np.arange(len(self.seats))
        found[at, self.seats[:, 0]] += 1
        found[at, self.seats[:, 1]] -= 1
        found[:, -1] = 1
        return found


def expected(differences: Array) -> Array:
    """The score that is expected at differences d, 0 .. 1."""
    found: Array = 0.5 + 0.5 * np.tanh(differences / 2)  # does not overflow
    return found


def derivatives(design: Design, points: Array, parameters: Array) -> tuple[Array, Array, Array]:
    """Minus the logarithm of the posterior (b,), its gradient (b, p) and Hessian (b, p, p).

    ``points`` (b, m, 2) are those of the first and the second seats: b tournaments at once.
    """
    rows = design.rows
    games, d = points.sum(axis=-1), parameters @ rows.T
    scores = expected(d)
    lost = np.logaddexp(0, -d) * points[..., 0] + np.logaddexp(0, d) * points[..., 1]
    value = lost.sum(axis=1) + (parameters**2).sum(axis=1) / (2 * PRIOR**2)
    gradient = (games * scores - points[..., 0]) @ rows + parameters / PRIOR**2
    products = rows[:, :, None] * rows[:, None, :]
    hessian = np.tensordot(games * scores * (1 - scores), products, 1)
    return value, gradient, hessian + np.eye(rows.shape[1]) / PRIOR**2


def fit(design: Design, points: Array) -> Array:
    """The likeliest parameters (p,) of one tournament, ``points`` (m, 2)."""
    minimize: Callable[..., Any] = library("scipy.optimize").minimize

    def part(x: Array, order: int) -> Any:
        return derivatives(design, points[None], x[None])[order][0]

    found = minimize(
        part,
        np.zeros(design.agents + 1),
        (0,),
        method="trust-exact",
        jac=lambda x, _: part(x, 1),
        hess=lambda x, _: part(x, 2),
        options={"gtol": 1e-9 * (1 + points.sum())},
    )
    likeliest: Array = found.x
    return likeliest


def fit_many(design: Design, points: Array, near: Array, steps: int = 200) -> Array:
    """The likeliest parameters (b, p) of b tournaments, ``points`` (b, m, 2), all at once.

    By Newton's method from ``near`` (p,); no step is longer than one unit, so that tournaments in
    which somebody won everything do not run away. RuntimeError where ``steps`` are not enough.
    """
    found = np.tile(near, (len(points), 1))
    todo = np.arange(len(points))
    for _ in range(steps):
        _, gradient, hessian = derivatives(design, points[todo], found[todo])
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        longest = np.abs(step).max(axis=1)
        found[todo] -= step / np.maximum(1, longest)[:, None]
        todo = todo[longest > 1e-7]
        if len(todo) == 0:
            return found
    raise RuntimeError(f"{len(todo)} of {len(points)} fits have not come to an end")
