"""Clusters of pairs of games that depend on each other, for the errors of scores.

A pair is one opening, played twice with seats swapped. Two agents that play without chance repeat
the same pair whenever an opening is repeated, so pairs are not independent. Independent are
**clusters**: all pairs of the same two agents from the same opening. They are the unit of every
interval and test here. Where no opening is repeated, each pair is a cluster.

Where all pairs of two agents began with the same opening, as in games with dice, there is no sample
of openings: the result is the strength from that position. Then pairs differ by chance alone. Where
``chance`` is part of the game, each pair has dice or cards of its own, the same in both games, and
is a cluster. In other games it is that of the agents, who may have none: then pairs that agree move
by move are no news of each other, and are a cluster.

Sources: A. C. Davison, D. V. Hinkley, Bootstrap methods and their application, 1997, section 3.8
(resampling clusters); A. C. Cameron, J. B. Gelbach, D. L. Miller, Bootstrap-based improvements for
inference with clustered errors, Review of Economics and Statistics 90, 2008 (what few clusters do,
and that Student's distribution with one degree of freedom fewer than clusters helps).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from adv_envs.optional import optional_library

from ..store import GameRecord, GameRow

Z95 = 1.959963984540054
"""95 % of a normal distribution are within this number of standard deviations of its mean."""


FEW_CLUSTERS = 20
"""Intervals from fewer of them, for each agent, are rough."""


def clusters_of(
    records: Iterable[GameRecord], chance: bool = False
) -> list[list[list[GameRecord]]]:
    """Clusters, each a list of pairs, each a list of its games, one or two, as they come."""
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
    """The variance of the scores between clusters."""

    clusters: int
    squares: float
    """The sum over clusters of the square of: the scores of its pairs (0 .. 1 each), less as many
    times the mean of all pairs."""


@dataclass
class Clusters:
    """Pairs of two agents that are counted as they come, each in the cluster that it belongs to."""

    by_moves: bool = False
    """Whether there is a single opening, so that moves tell clusters apart."""
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """How many pairs brought 0, 0.5, 1, 1.5 and 2 points."""
    _members: dict[Hashable, tuple[int, int]] = field(default_factory=dict)
    """How many pairs each has, and the half points that they brought."""
    _sums: tuple[int, int, int] = (0, 0, 0)
    """Over clusters: of squared pairs, of pairs times half points, and of squared half points."""

    def add(self, points: float, opening: Hashable, moves: Hashable = None) -> None:
        """Count a pair with a sum of points of 0 to 2."""
        cluster = moves if self.by_moves else opening
        pairs, halves = self._members.get(cluster, (0, 0))
        more = round(2 * points)
        change = 2 * pairs + 1, pairs * more + halves + more, (2 * halves + more) * more
        a, b, c = (old + new for old, new in zip(self._sums, change, strict=True))
        self._sums = a, b, c
        self._members[cluster] = pairs + 1, halves + more
        self.counts[more] += 1

    def add_games(self, one: GameRow, other: GameRow, alone: bool = False) -> None:
        """Count the two games of a pair; ``one`` is that in which the agent has the first seat.

        ``alone``: pairs of a single opening are independent even where they agree move by move.
        """
        points = one.points + 1 - other.points
        moves = (one.actions, other.actions)
        self.add(points, one.opening, one.number if alone else moves)

    @property
    def variance(self) -> ClusterVariance | None:
        """The variance between clusters; None where each is a single pair."""
        n = sum(self.counts)
        if len(self._members) == n:
            return None
        halves, (nn, nh, hh) = sum(i * kind for i, kind in enumerate(self.counts)), self._sums
        squares = n * n * hh - 2 * n * halves * nh + halves * halves * nn  # whole: 0 is exact
        return ClusterVariance(len(self._members), squares / (4 * n) ** 2)


def scipy_module(name: str) -> Any:
    """Return a module of SciPy; ImportError says what to install where it is missing."""
    return optional_library(name, "tournaments need", "lab")


def quantile(clusters: int) -> float:
    """The 97.5 % quantile of Student's distribution with ``clusters`` - 1 degrees of freedom.

    Infinite for one cluster, from which no error can be estimated.
    """
    if clusters < 2:
        return math.inf
    return float(scipy_module("scipy.special").stdtrit(clusters - 1, 0.975))
