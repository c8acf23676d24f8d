"""Implements the sequential probability ratio test, which stops a match once one accepts.

``Sprt(0, 20)`` tests H0, "a is at most 0 Elo stronger than b", against H1, "at least 20". After
every pair of games the log-likelihood ratio (LLR) of the two is computed from the pentanomial
counts of ``HeadToHead``; the match is over once it leaves its ``bounds``. ``alpha`` is the chance
to accept H1 where H0 is true, ``beta`` the other one (A. Wald, Sequential tests of statistical
hypotheses, 1945). The LLR is the generalised one, as in fastchess and Fishtest, with their two
models (formulas: docs/statistics.md):

- "normalized", the default: Elo is measured in the noise of a game, so tests take equally long
  whatever the share of draws and of pairs decided by the opening. M. Van den Bergh, Comments on
  normalized Elo, section 4.1, https://www.cantate.be/Fishtest/normalized_elo_practical.pdf
- "logistic": Elo is ``-400 log10(1 / score - 1)``. M. Van den Bergh, Comparing the approximations
  for the generalized log likelihood ratio of a multinomial distribution, proposition 1.1,
  https://www.cantate.be/Fishtest/comparing_approximations.pdf

Both take pairs to be independent. Where openings come again they are not, and the LLR of
``HeadToHead`` is divided by its ``design_effect`` (J. N. K. Rao, A. J. Scott, On chi-squared tests
for multiway contingency tables with cell proportions estimated from survey data, Annals of
Statistics 12, 1984: their first-order correction). So a test of players without chance comes to
rest when all openings were played. Bare counts are taken to be of independent pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.statistics import SCORES, scipy_module, without_zeros

from .head_to_head import NORMALIZED, HeadToHead, score_of

Distribution = NDArray[np.float64]
"""The probabilities, or shares, of 0, 0.5, 1, 1.5 and 2 points of a pair."""

RUNNING, ACCEPT_H0, ACCEPT_H1 = "running", "H0", "H1"
MODELS = ("normalized", "logistic")


@dataclass(frozen=True)
class Sprt:
    """Defines a test; see the module. ValueError for impossible hypotheses and error rates."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        """Checks everything."""
        for name in ("elo0", "elo1", "alpha", "beta"):
            value = getattr(self, name)
            if isinstance(value, bool) or not hasattr(value, "__float__"):
                raise TypeError(f"{name} must be a number, not {value!r}")
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                "alpha and beta must be above 0, and less than 1 together, "
                f"not {self.alpha} and {self.beta}"
            )
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, not {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Returns the LLR at which H0 is accepted, and the one at which H1 is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, games: HeadToHead | Sequence[int]) -> float:
        """Returns the log-likelihood ratio of H1 to H0, of the pairs of ``games`` or their counts.

        0 where there is no pair. Counts are of independent pairs; see the module for others.
        """
        counts = games.pairs_by_points if isinstance(games, HeadToHead) else tuple(games)
        if len(counts) != 5 or min(counts) < 0:
            raise ValueError(f"the counts of pairs are five, and none is negative: not {counts}")
        if sum(counts) == 0:
            return 0.0
        pairs = without_zeros(counts)
        shares = pairs / pairs.sum()
        under0, under1 = (
            _likeliest_by_noise(shares, elo)
            if self.model == "normalized"
            else _tilted(shares, SCORES - score_of(elo))
            for elo in (self.elo0, self.elo1)
        )
        effect = games.design_effect if isinstance(games, HeadToHead) else 1.0
        return float(pairs.sum() * shares @ (np.log(under1) - np.log(under0))) / effect

    def state(self, games: HeadToHead | Sequence[int]) -> str:
        """Returns ``RUNNING``, ``ACCEPT_H0`` or ``ACCEPT_H1``."""
        llr, (lower, upper) = self.llr(games), self.bounds
        return ACCEPT_H1 if llr >= upper else ACCEPT_H0 if llr <= lower else RUNNING

    def line(self, games: HeadToHead | Sequence[int]) -> str:
        """Returns fastchess's line: the LLR, its part of the bound in percent, and the bounds."""
        llr, (lower, upper) = self.llr(games), self.bounds
        way = llr / upper if llr >= 0 else -llr / lower
        return (
            f"LLR: {llr:.2f} ({100 * way:.1f}%) ({lower:.2f}, {upper:.2f}) "
            f"[{self.elo0:.2f}, {self.elo1:.2f}]"
        )

    def verdict(self, games: HeadToHead | Sequence[int]) -> str:
        """Returns the state in words."""
        state = self.state(games)
        if state == RUNNING:
            return "undecided: the test goes on"
        side = f"at least {self.elo1:g}" if state == ACCEPT_H1 else f"at most {self.elo0:g}"
        kind = "normalized " if self.model == "normalized" else ""
        return f"{state} accepted: {side} {kind}Elo"


def _likeliest_by_noise(shares: Distribution, elo: float) -> Distribution:
    """Returns the likeliest distribution, given the shares seen, whose mean is 1/2 + t sigma.

    The condition is linearised until it holds.
    """
    t = math.sqrt(2) * elo / NORMALIZED
    under = np.full(5, 0.2)
    for _ in range(10):
        mean = under @ SCORES
        sigma = math.sqrt(under @ (SCORES - mean) ** 2)
        condition = SCORES - 0.5 - 0.5 * t * sigma * (1 + ((SCORES - mean) / sigma) ** 2)
        before, under = under, _tilted(shares, condition)
        if np.abs(under - before).max() < 1e-7:
            break
    return under


def _tilted(shares: Distribution, condition: Distribution) -> Distribution:
    """Returns the likeliest distribution p, given the shares seen, with p @ condition = 0."""
    if condition.min() >= 0 or condition.max() <= 0:
        raise ValueError("no distribution of pairs has the Elo of this hypothesis: it is too large")
    find_root: Callable[..., float] = scipy_module("scipy.optimize").brentq
    low, high = -1 / float(condition.max()), -1 / float(condition.min())
    seen = list(zip(shares.tolist(), condition.tolist(), strict=True))  # numbers are quicker

    def excess(theta: float) -> float:
        return math.fsum(share * c / (1 + theta * c) for share, c in seen)

    margin = 1e-12 * (high - low)
    theta = find_root(excess, low + margin, high - margin, xtol=1e-10)
    return np.asarray(shares / (1 + theta * condition), np.float64)
