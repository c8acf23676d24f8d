"""One agent against another: score, Elo, intervals and likelihood of superiority from pairs.

The unit is the pair, one opening played twice with seats swapped: the two games of a pair are not
independent of each other. ``HeadToHead.of(records, a, b)`` counts what agent ``a`` got from its
pairs with ``b``; ``str`` prints it in the words of fastchess, line by line; ``to_dict`` is plain
data. A game without its twin counts among wins, draws and losses, and not among the pairs.

With n pairs, score s per game and variance v of a pair's score (per game), the formulas are those
of fastchess (https://github.com/Disservin/fastchess):

- Elo ``400 log10(s / (1 - s))``, its error half the distance of the Elo at s +- 1.96 sqrt(v / n);
- normalized Elo ``(s - 1/2) / sqrt(2 v) * 800 / ln 10``: the strength measured in the noise of a
  game, which says how many games it takes to see it (M. Van den Bergh, "Normalized Elo");
- LOS, the likelihood of superiority, ``(1 + erf((s - 1/2) / sqrt(2 v / n))) / 2``, but no less than
  ``0.5 ** (n + 1)`` and no more than 1 less that: few pairs are never sure, see below;
- draw ratio: the share of pairs that ended 1 : 1; pairs ratio: pairs won over pairs lost.

Where openings come again, pairs are not independent of each other either, but their ``clusters``
are (see the module of that name). The error of the score, sqrt(v / n) above, is then that of the
mean of k clusters, the square root of

    k / (k - 1) * sum over clusters of (their scores - their pairs * s) ** 2 / n ** 2

and Student's distribution with k - 1 degrees of freedom replaces the normal one.

Where these have no answer, because all pairs or clusters ended alike, numbers are None in place of
infinite or undefined ones, and the text says what is known: of n independent pairs that were all
won, the two-sided 95 % interval of Clopper and Pearson says that the score is at least
0.025 ** (1 / n), and LOS is that of a uniform prior over the share of won pairs,
1 - 0.5 ** (n + 1).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..store import GameRecord
from .clusters import (
    FEW_CLUSTERS,
    Z95,
    Clusters,
    ClusterVariance,
    clusters_of,
    quantile,
    scipy_module,
)

NORMALIZED = 800 / math.log(10)
"""The normalized Elo of a score that is one standard deviation of a game above a half."""


def elo_of(score: float) -> float:
    """The difference in Elo at which ``score``, in 0 .. 1, is expected; may be infinite."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score per game is 0 to 1, not {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The expected score per game of an agent that is ``elo`` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class HeadToHead:
    """Games of ``a`` against ``b``, from the point of view of ``a``. See the module."""

    a: str
    b: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs_by_points: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """How many pairs brought 0, 0.5, 1, 1.5 and 2 points: [LL, LD, WL + DD, WD, WW]."""
    drawn_twice: int = 0
    """Those of the pairs with 1 point that were two draws."""
    cluster_variance: ClusterVariance | None = None
    """Of their clusters; None where pairs are independent."""

    @classmethod
    def of(cls, records: Iterable[GameRecord], a: str, b: str, chance: bool = False) -> HeadToHead:
        """Count the games that ``a`` and ``b`` played each other; other games are ignored.

        ``chance``: whether it is part of the game, see ``clusters``.
        """
        if a == b:
            raise ValueError(f"an agent is not compared with itself: {a!r}")
        own = (record for record in records if {a, b} == set(record.players))
        pairs = [
            (cluster, [record.points[record.players.index(a)] for record in pair])
            for cluster, members in enumerate(clusters_of(own, chance))
            for pair in members
        ]
        return cls.from_points(a, b, [points for _, points in pairs], [c for c, _ in pairs])

    @classmethod
    def from_points(
        cls,
        a: str,
        b: str,
        pairs: Sequence[Sequence[float]],
        clusters: Sequence[Hashable] | None = None,
    ) -> HeadToHead:
        """Count pairs, each the points of ``a`` in its games: 0, 0.5 or 1 in one or two of them.

        ``clusters`` says which cluster each belongs to; without, each is one of its own.
        """
        games, counted, drawn_twice = Counter[float](), Clusters(), 0
        for cluster, points in zip(clusters or range(len(pairs)), pairs, strict=True):
            if len(points) not in (1, 2) or not all(p in (0, 0.5, 1) for p in points):
                raise ValueError(
                    f"a pair is one or two games of 0, 0.5 or 1 points, not {[*points]}"
                )
            games.update(points)
            if len(points) == 2:
                counted.add(sum(points), cluster)
                drawn_twice += points[0] == points[1] == 0.5
        found = cls.from_clusters(a, b, counted)
        return replace(
            found, wins=games[1], draws=games[0.5], losses=games[0], drawn_twice=drawn_twice
        )

    @classmethod
    def from_clusters(cls, a: str, b: str, counted: Clusters) -> HeadToHead:
        """The comparison from clusters, which count only the points of pairs."""
        ll, ld, even, wd, ww = counted.counts
        return cls(a, b, pairs_by_points=(ll, ld, even, wd, ww), cluster_variance=counted.variance)

    # ---- what was played

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def pairs(self) -> int:
        """Pairs with both games played."""
        return sum(self.pairs_by_points)

    @property
    def points(self) -> float:
        """A win is 1, a draw a half; over all games."""
        return self.wins + 0.5 * self.draws

    @property
    def clusters(self) -> int:
        """How many independent clusters these pairs are."""
        return self.pairs if self.cluster_variance is None else self.cluster_variance.clusters

    # ---- estimates from the pairs; None where there is none

    @property
    def score(self) -> float | None:
        """Points per game, of the pairs."""
        if self.pairs == 0:
            return None
        return sum(i * n for i, n in enumerate(self.pairs_by_points)) / (4 * self.pairs)

    @property
    def variance(self) -> float | None:
        """Of the score of one pair, per game."""
        if self.score is None:
            return None
        squares = sum(n * (i / 4 - self.score) ** 2 for i, n in enumerate(self.pairs_by_points))
        return squares / self.pairs

    @property
    def error(self) -> float | None:
        """The standard error of the score; 0 where all clusters, or the only one, are alike."""
        if self.variance is None:
            return None
        if self.cluster_variance is None:
            return math.sqrt(self.variance / self.pairs)
        few = self.clusters / max(self.clusters - 1, 1)
        return math.sqrt(few * self.cluster_variance.squares) / self.pairs

    @property
    def design_effect(self) -> float:
        """The number of pairs over that of independent pairs with the same information; at least 1.

        Where all pairs or all clusters ended alike, a cluster counts as a single pair.
        """
        if self.cluster_variance is None:
            return 1.0
        if not self.variance or self.clusters == 1:
            return self.pairs / self.clusters
        return max(1.0, (self.error or 0.0) ** 2 * self.pairs / self.variance)

    @property
    def alike(self) -> bool:
        """Whether all clusters have the same score, so that the error is unknown."""
        return not self.error

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """95 % bounds of the score; None without a pair or an error.

        Where all pairs were won, or all lost, the bounds are those of Clopper and Pearson.
        """
        if self.score is None or self.error is None:
            return None
        if self.score in (0, 1):
            worst = 0.025 ** (1 / self.clusters)
            return (worst, 1.0) if self.score == 1 else (0.0, 1 - worst)
        if self.alike:
            return None
        half = self._quantile * self.error
        return max(0.0, self.score - half), min(1.0, self.score + half)

    @property
    def elo(self) -> float | None:
        """How much stronger ``a`` is; None where every game or none was won."""
        return None if self.score is None or self.score in (0, 1) else elo_of(self.score)

    @property
    def elo_interval(self) -> tuple[float | None, float | None] | None:
        """95 % bounds of it, None for one that is infinite."""
        if self.score_interval is None:
            return None
        low, high = (elo_of(score) for score in self.score_interval)
        return (low if low > -math.inf else None), (high if high < math.inf else None)

    @property
    def elo_error(self) -> float | None:
        """Half the length of that interval, if it has one."""
        if self.elo is None or self.elo_interval is None or None in self.elo_interval:
            return None
        low, high = self.elo_interval
        return ((high or 0.0) - (low or 0.0)) / 2

    @property
    def normalized_elo(self) -> float | None:
        """See the module; None where all pairs were alike."""
        if self.score is None or not self.variance:
            return None
        return (self.score - 0.5) / math.sqrt(2 * self.variance) * NORMALIZED

    @property
    def normalized_elo_error(self) -> float | None:
        """Half the length of its 95 % interval: of n independent pairs it depends on n alone."""
        if not self.variance or not self.error:
            return None
        return self._quantile * self.error / math.sqrt(2 * self.variance) * NORMALIZED

    @property
    def los(self) -> float | None:
        """The likelihood of superiority, 0 .. 1; see the module for pairs that were all alike."""
        if self.score is None:
            return None
        least = 0.5 ** (self.clusters + 1)
        if not self.error:
            return 0.5 if self.score == 0.5 else 1 - least if self.score > 0.5 else least
        ahead = (self.score - 0.5) / self.error
        if self.cluster_variance is not None:
            found = float(scipy_module("scipy.special").stdtr(self.clusters - 1, ahead))
        else:
            found = (1 + math.erf(ahead / math.sqrt(2))) / 2
        return min(max(found, least), 1 - least)

    @property
    def draw_ratio(self) -> float | None:
        """The share of pairs that ended 1 : 1."""
        return self.pairs_by_points[2] / self.pairs if self.pairs else None

    @property
    def pairs_ratio(self) -> float | None:
        """Pairs won over pairs lost; None if none was lost."""
        return _ratio(sum(self.pairs_by_points[3:]), sum(self.pairs_by_points[:2]))

    @property
    def split_ratio(self) -> float | None:
        """Of the pairs that ended 1 : 1, those of a win and a loss over those of two draws."""
        return _ratio(self.pairs_by_points[2] - self.drawn_twice, self.drawn_twice)

    @property
    def _quantile(self) -> float:
        return Z95 if self.cluster_variance is None else quantile(self.clusters)

    # ---- as text and data

    def lines(self, conditions: str = "") -> list[str]:
        """What fastchess prints. ``conditions``: budget, openings and the like, in words."""
        return [
            f"Results of {self.a} vs {self.b}{f' ({conditions})' if conditions else ''}:",
            f"Elo: {self._elo_in_words()}, nElo: {self._normalized_in_words()}",
            f"LOS: {_percent(self.los)}, DrawRatio: {_percent(self.draw_ratio)}, "
            f"PairsRatio: {_number(self.pairs_ratio, 'no pair lost')}",
            f"Games: {self.games}, Wins: {self.wins}, Losses: {self.losses}, Draws: {self.draws}, "
            f"Points: {self.points:.1f} "
            f"({_percent(self.points / self.games if self.games else None)})",
            f"Ptnml(0-2): [{', '.join(map(str, self.pairs_by_points))}], "
            f"WL/DD Ratio: {_number(self.split_ratio, 'no pair of draws')}",
            *self._warnings(),
        ]

    def _warnings(self) -> list[str]:
        if not 0 < self.clusters < FEW_CLUSTERS:
            return []
        what = "pairs" if self.cluster_variance is None else "clusters of pairs"
        return [f"Note: {self.clusters} {what} are few: these numbers are rough"]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _elo_in_words(self) -> str:
        if self.pairs == 0:
            return "not known (no pair is complete)"
        if self.elo is None:
            won, interval = self.score == 1, self.elo_interval or (None, None)
            bound = (interval[0] if won else interval[1]) or 0.0
            how = f"{self.pairs} of {self.pairs} pairs {'won' if won else 'lost'}"
            if self.cluster_variance is not None:
                how += f", in {self.clusters} cluster{'s' * (self.clusters > 1)}"
            return f"{'above' if won else 'below'} {bound:.2f} with 95 % confidence ({how})"
        if self.elo_interval is None:
            return f"{self.elo:.2f}, error not known ({self._alike_in_words()})"
        if self.elo_error is None:
            low, high = self.elo_interval
            if low is None and high is None:
                return f"{self.elo:.2f} (95 %: no limits)"
            end = f"at most {high:.2f}" if low is None else f"at least {low:.2f}"
            return f"{self.elo:.2f} (95 %: {end})"
        return f"{self.elo:.2f} +/- {self.elo_error:.2f}"

    def _alike_in_words(self) -> str:
        if self.cluster_variance is None or not self.variance:
            return f"all pairs ended alike: {self.pairs}"
        return f"all {self.clusters} openings ended alike"

    def _normalized_in_words(self) -> str:
        if self.normalized_elo is None:
            return "not known (all pairs ended alike)" if self.pairs else "not known"
        if self.normalized_elo_error is None:
            return f"{self.normalized_elo:.2f}, error not known"
        return f"{self.normalized_elo:.2f} +/- {self.normalized_elo_error:.2f}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON; None where a number is infinite or not known."""
        names = ("a", "b", "games", "pairs", "clusters", "wins", "draws", "losses", "points")
        told = ("score", "elo", "elo_error", "normalized_elo", "normalized_elo_error", "los")
        more = ("draw_ratio", "pairs_ratio")
        found = {name: getattr(self, name) for name in (*names, *told, *more)}
        interval = self.elo_interval
        return {
            **found,
            "elo_interval": None if interval is None else list(interval),
            "pairs_by_points": list(self.pairs_by_points),
        }


def all_against_all(records: Iterable[GameRecord], chance: bool = False) -> list[HeadToHead]:
    """Every two agents that met, in the order of their first game; the one seen first is ``a``."""
    met: dict[frozenset[str], list[GameRecord]] = defaultdict(list)
    for record in records:
        met[frozenset(record.players)].append(record)
    return [HeadToHead.of(games, *games[0].players, chance) for games in met.values()]


def _ratio(above: int, below: int) -> float | None:
    return above / below if below else None


def _number(value: float | None, otherwise: str) -> str:
    return otherwise if value is None else f"{value:.2f}"


def _percent(share: float | None) -> str:
    return "not known" if share is None else f"{100 * share:.2f} %"
