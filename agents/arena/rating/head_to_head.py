"""Compares one agent with another: score, Elo, intervals, likelihood of superiority from pairs.

``HeadToHead.of(records, a, b)`` counts what agent ``a`` got from its pairs with ``b``; ``str``
prints it in the words of fastchess (https://github.com/Disservin/fastchess), whose formulas these
are; ``to_dict`` is plain data. Numbers that are infinite or undefined, because all pairs or
clusters ended alike, are None, and the text says what is known. The formulas are in
docs/statistics.md. Normalized Elo is the strength measured in the noise of a game, which says how
many games it takes to see it (M. Van den Bergh, "Normalized Elo"). Few pairs are never sure: LOS,
the likelihood of superiority, is no less than ``0.5 ** (n + 1)`` of n pairs and no more than 1 less
that, as a uniform prior over the share of won pairs has it where all pairs ended alike.

The unit is the pair, one opening played twice with seats swapped: the two games of a pair are not
independent of each other. A game without its twin counts among wins, draws and losses, and not
among the pairs. Players without chance repeat the same pair whenever an opening is repeated.
Independent are **clusters**: all pairs of the same two agents from the same opening. They are the
unit of every interval and test of this package. Where all pairs of two agents began with the same
opening, as in games with dice, there is no sample of openings: the result is the strength from that
position, and pairs differ by chance alone. Where ``chance`` is part of the game, each pair has dice
or cards of its own, the same in both games, and is a cluster. In other games it is that of the
agents, who may have none: then pairs that agree move by move are no news of each other, and are a
cluster.

In games of three players and more a pair is a group: all games of an opening, in all orders of the
seats. A game of p players is p (p - 1) / 2 games of two, each won by the one who won more; for two
agents the group is several pairs, each with either of them in the earlier seat. All of these are of
one cluster.

Sources on clusters: A. C. Davison, D. V. Hinkley, Bootstrap methods and their application, 1997,
section 3.8 (resampling clusters); A. C. Cameron, J. B. Gelbach, D. L. Miller, Bootstrap-based
improvements for inference with clustered errors, Review of Economics and Statistics 90, 2008 (what
few clusters do, and that Student's distribution with one degree of freedom fewer helps).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.statistics import Z95, in_words, scipy_module, score_interval, student_quantile

from ..game_record import GameRecord

NORMALIZED = 800 / math.log(10)
"""The normalized Elo of a score that is one standard deviation of a game above a half."""


FEW_CLUSTERS = 20
"""Intervals from fewer of them, for each agent, are rough."""


def clusters_of(
    records: Iterable[GameRecord], chance: bool = False
) -> list[list[list[GameRecord]]]:
    """Returns clusters, each a list of pairs, each a list of its one or two games."""
    meetings: dict[frozenset[str], dict[int, list[GameRecord]]] = {}
    for record in records:
        pairs = meetings.setdefault(frozenset(record.players), {})
        pairs.setdefault(record.pair, []).append(record)
    found: list[list[list[GameRecord]]] = []
    for pairs in meetings.values():
        by_moves = len({pair[0].opening for pair in pairs.values()}) == 1
        clusters: dict[Hashable, list[list[GameRecord]]] = defaultdict(list)
        for number, pair in pairs.items():
            moves = tuple(record.actions for record in pair)
            alone = number if chance else moves
            clusters[alone if by_moves else pair[0].opening].append(pair)
        found += clusters.values()
    return found


@dataclass(frozen=True)
class ClusterVariance:
    """Returns the variance of the scores between clusters."""

    clusters: int
    squares: float
    """The sum over clusters of the square of: the scores of its pairs (0 .. 1 each), less as many
    times the mean of all pairs."""


@dataclass
class Clusters:
    """Holds pairs of two agents, counted as they come, each in the cluster it belongs to."""

    by_moves: bool = False
    """Whether there is a single opening, so that moves tell clusters apart."""
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """How many pairs brought 0, 0.5, 1, 1.5 and 2 points."""
    _members: dict[Hashable, tuple[int, int]] = field(default_factory=dict)
    """How many pairs each has, and the half points that they brought."""
    _sums: tuple[int, int, int] = (0, 0, 0)
    """Over clusters: of squared pairs, of pairs times half points, and of squared half points."""

    def add(self, points: float, opening: Hashable, moves: Hashable = None) -> None:
        """Counts a pair with a sum of points of 0 to 2."""
        cluster = moves if self.by_moves else opening
        pairs, halves = self._members.get(cluster, (0, 0))
        more = round(2 * points)
        change = 2 * pairs + 1, pairs * more + halves + more, (2 * halves + more) * more
        a, b, c = (old + new for old, new in zip(self._sums, change, strict=True))
        self._sums = a, b, c
        self._members[cluster] = pairs + 1, halves + more
        self.counts[more] += 1

    def add_games(self, one: GameRecord, other: GameRecord, alone: bool = False) -> None:
        """Counts the two games of a pair; ``one`` is that in which the agent has the first seat.

        ``alone``: pairs of a single opening are independent even where they agree move by move.
        """
        points = one.points[0] + other.points[1]
        moves = (one.actions, other.actions)
        self.add(points, one.opening, one.number if alone else moves)

    @property
    def variance(self) -> ClusterVariance | None:
        """Returns the variance between clusters; None where each is a single pair."""
        n = sum(self.counts)
        if len(self._members) == n:
            return None
        halves, (nn, nh, hh) = sum(i * kind for i, kind in enumerate(self.counts)), self._sums
        squares = n * n * hh - 2 * n * halves * nh + halves * halves * nn  # whole: 0 is exact
        return ClusterVariance(len(self._members), squares / (4 * n) ** 2)


# ---- two agents


def elo_of(score: float) -> float:
    """Returns the difference in Elo at which ``score``, in 0 .. 1, is expected; may be infinite."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score per game is 0 to 1, not {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


Difference = TypeVar("Difference", float, NDArray[np.float64])


def score_of(elo: Difference) -> Difference:
    """Returns the expected score per game of an agent that is ``elo`` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class HeadToHead:
    """Describes games of ``a`` against ``b``, from the point of view of ``a``. See the module."""

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
        """Counts the games that ``a`` and ``b`` played each other; other games are ignored.

        ``chance``: whether it is part of the game, see the module.
        """
        if a == b:
            raise ValueError(f"an agent is not compared with itself: {a!r}")
        own = (record for record in records if {a, b} <= set(record.players))
        pairs = [
            (cluster, points)
            for cluster, members in enumerate(clusters_of(own, chance))
            for group in members
            for points in duels_of(group, a, b)
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
        """Counts pairs, each the points of ``a`` in its games: 0, 0.5 or 1 in one or two of them.

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
        """Returns the comparison from clusters, which count only the points of pairs."""
        ll, ld, even, wd, ww = counted.counts
        return cls(a, b, pairs_by_points=(ll, ld, even, wd, ww), cluster_variance=counted.variance)

    # ---- what was played

    @property
    def games(self) -> int:
        """Returns all of them."""
        return self.wins + self.draws + self.losses

    @property
    def pairs(self) -> int:
        """Counts pairs with both games played."""
        return sum(self.pairs_by_points)

    @property
    def points(self) -> float:
        """Counts points over all games: 1 for a win, a half for a draw."""
        return self.wins + 0.5 * self.draws

    @property
    def clusters(self) -> int:
        """Returns how many independent clusters these pairs are."""
        return self.pairs if self.cluster_variance is None else self.cluster_variance.clusters

    # ---- estimates from the pairs; None where there is none

    @property
    def score(self) -> float | None:
        """Returns points per game, of the pairs."""
        if self.pairs == 0:
            return None
        return sum(i * n for i, n in enumerate(self.pairs_by_points)) / (4 * self.pairs)

    @property
    def variance(self) -> float | None:
        """Returns the variance of the score of one pair, per game."""
        if self.score is None:
            return None
        squares = sum(n * (i / 4 - self.score) ** 2 for i, n in enumerate(self.pairs_by_points))
        return squares / self.pairs

    @property
    def error(self) -> float | None:
        """Returns the standard error of the score; 0 where all clusters are alike."""
        if self.variance is None:
            return None
        if self.cluster_variance is None:
            return math.sqrt(self.variance / self.pairs)
        few = self.clusters / max(self.clusters - 1, 1)
        return math.sqrt(few * self.cluster_variance.squares) / self.pairs

    @property
    def design_effect(self) -> float:
        """Returns the number of pairs per independent pair of the same information; at least 1.

        Where all pairs or all clusters ended alike, a cluster counts as a single pair.
        """
        if self.cluster_variance is None:
            return 1.0
        if not self.variance or self.clusters == 1:
            return self.pairs / self.clusters
        return max(1.0, (self.error or 0.0) ** 2 * self.pairs / self.variance)

    @property
    def alike(self) -> bool:
        """Returns whether all clusters have the same score, so that the error is unknown."""
        return not self.error

    @cached_property
    def score_interval(self) -> tuple[float, float] | None:
        """Returns 95 % bounds of the score, by ``agents.statistics``; None without a pair."""
        if not self.pairs:
            return None
        few = self.clusters / max(self.clusters - 1, 1)  # Student's quantile has this already
        independent = min(self.pairs, few * self.pairs / self.design_effect)
        return score_interval(self.pairs_by_points, independent, self.clusters, self.alike)

    @property
    def elo(self) -> float | None:
        """Returns how much stronger ``a`` is; None where every game or none was won."""
        return None if self.score is None or self.score in (0, 1) else elo_of(self.score)

    @property
    def elo_interval(self) -> tuple[float | None, float | None] | None:
        """Returns its 95 % bounds, each None where it is infinite; None without a pair."""
        if self.score_interval is None:
            return None
        low, high = (elo_of(score) for score in self.score_interval)
        return (low if low > -math.inf else None), (high if high < math.inf else None)

    @property
    def elo_error(self) -> float | None:
        """Returns half the length of that interval, if it has one."""
        if self.elo is None or self.elo_interval is None or None in self.elo_interval:
            return None
        low, high = self.elo_interval
        return ((high or 0.0) - (low or 0.0)) / 2

    @property
    def normalized_elo(self) -> float | None:
        """Returns what the module describes; None where all pairs were alike."""
        if self.score is None or not self.variance:
            return None
        return (self.score - 0.5) / math.sqrt(2 * self.variance) * NORMALIZED

    @property
    def normalized_elo_error(self) -> float | None:
        """Returns half the length of its 95 % interval: of n independent pairs it depends on n."""
        if not self.variance or not self.error:
            return None
        quantile = Z95 if self.cluster_variance is None else student_quantile(self.clusters)
        return quantile * self.error / math.sqrt(2 * self.variance) * NORMALIZED

    @property
    def los(self) -> float | None:
        """Returns the likelihood of superiority, 0 .. 1; see the module for pairs all alike."""
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
        """Returns the share of pairs that ended 1 : 1."""
        return self.pairs_by_points[2] / self.pairs if self.pairs else None

    @property
    def pairs_ratio(self) -> float | None:
        """Pairs won over pairs lost; None if none was lost."""
        return _ratio(sum(self.pairs_by_points[3:]), sum(self.pairs_by_points[:2]))

    @property
    def split_ratio(self) -> float | None:
        """Returns, of pairs that ended 1 : 1, those of a win and a loss over those of two draws."""
        return _ratio(self.pairs_by_points[2] - self.drawn_twice, self.drawn_twice)

    # ---- as text and data

    def lines(self, conditions: str = "") -> list[str]:
        """Returns what fastchess prints. ``conditions``: budget, openings and so on, in words."""
        what = "pairs" if self.cluster_variance is None else "clusters of pairs"
        rough = f"Note: {self.clusters} {what} are few: these numbers are rough"
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
            *[rough] * (0 < self.clusters < FEW_CLUSTERS),
        ]

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
        ends = in_words(*self.elo_interval or (None, None), "{:.2f}".format)
        error = "" if self.elo_error is None else f" +/- {self.elo_error:.2f}"
        return f"{self.elo:.2f}{error} (95 %: {ends})"

    def _normalized_in_words(self) -> str:
        if self.normalized_elo is None:
            return "not known (all pairs ended alike)" if self.pairs else "not known"
        if self.normalized_elo_error is None:
            return f"{self.normalized_elo:.2f}, error not known"
        return f"{self.normalized_elo:.2f} +/- {self.normalized_elo_error:.2f}"

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data, for JSON; None where a number is infinite or not known."""
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
    """Returns every two agents that met, in the order of their first game; ``a`` was seen first."""
    met: dict[frozenset[str], tuple[str, str, list[GameRecord]]] = {}
    for record in records:
        for i, j, _ in record.duels:
            a, b = record.players[i], record.players[j]
            met.setdefault(frozenset((a, b)), (a, b, []))[2].append(record)
    return [HeadToHead.of(games, a, b, chance) for a, b, games in met.values()]


def duels_of(group: Iterable[GameRecord], a: str, b: str) -> list[list[float]]:
    """Returns the points of ``a`` against ``b`` in pairs of games of one opening.

    In the first game of each pair ``a`` has the earlier seat of the two, and ``b`` in the second;
    one may be missing.
    """
    earlier, later = list[float](), list[float]()
    for record in group:
        for i, j, points in record.duels:
            if (record.players[i], record.players[j]) == (a, b):
                earlier.append(points)
            elif (record.players[i], record.players[j]) == (b, a):
                later.append(1 - points)
    both = zip_longest(earlier, later)
    return [[points for points in pair if points is not None] for pair in both]


def _ratio(above: int, below: int) -> float | None:
    return above / below if below else None


def _number(value: float | None, otherwise: str) -> str:
    return otherwise if value is None else f"{value:.2f}"


def _percent(share: float | None) -> str:
    return "not known" if share is None else f"{100 * share:.2f} %"
