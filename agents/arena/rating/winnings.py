"""Computes what agents win per game, in games played for amounts: chips per hand in poker.

Where a game is worth more to win high than to win often, wins and losses do not tell who is better:
who folds every hand but the best loses most games of poker. ``winnings(start, records)`` gives a
``WinningsTable`` of the utilities themselves:

- **mean**: what an agent won per game of those that it played. Where all have played each other
  equally often this is the ranking by total bankroll of the Annual Computer Poker Competition.
- **rating**: what it can be expected to win per game against the average of the agents, by the
  least-squares fit in docs/statistics.md. Ratings add up to 0 (of each group of agents that met,
  even if by others). It is Bradley and Terry's model with amounts in place of wins, and that of K.
  Massey, Statistical models applied to the rating of sports teams, 1997; like theirs, it knows
  nothing of agents that beat each other in a circle: the results of each two are in ``meetings``.
- **Intervals** are of 95 %, and allow for games that depend on each other: each of the
  ``clusters`` is a duplicate deal, the same cards or dice for both seats, with seats swapped.
  For two agents this is the t-interval of the mean of the clusters. (A. C. Cameron, D. L. Miller, A
  practitioner's guide to cluster-robust inference, Journal of Human Resources 50, 2015.) There is
  no interval from one cluster, nor where all ended alike.

A game that an agent lost by failing or resigning cost it ``max_utility``; of more than two players
1, which the others share. Of more players a cluster is all games of the same deal, in all orders of
seats; the fit is to the utility of every seat, its rating less the mean of the others' and the
advantage (less its part of the others'); and a meeting is what one won in the games of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from agents.knowledge import knowledge_of
from agents.match_loop import amount, forfeited
from agents.statistics import Interval, scipy_module, student_interval, t_interval

from ..game_record import GameRecord
from .head_to_head import FEW_CLUSTERS, clusters_of
from .ratings import Design, above_next

Array = NDArray[np.float64]


def utilities_of(start: Position, record: GameRecord) -> list[float]:
    """Returns what a game from ``start`` was worth to each seat."""
    seats = range(start.num_players)
    if record.loser is not None:
        return list(forfeited(start, record.loser))
    for action in (*record.opening, *record.actions):
        start = start.play(action)
    return [float(start.utility(seat)) for seat in seats]


@dataclass(frozen=True)
class Winnings:
    """Describes what one agent won. See the module."""

    agent: str
    games: int
    mean: Interval
    """Per game."""
    rating: Interval
    """Per game, against the average of the agents."""


@dataclass(frozen=True)
class Meeting:
    """Describes what ``a`` won per game against ``b``."""

    a: str
    b: str
    games: int
    clusters: int
    """Duplicate deals, or other clusters: see ``head_to_head``."""
    mean: Interval


@dataclass(frozen=True)
class WinningsTable:
    """Holds what a tournament's agents won, the highest rating first. See the module."""

    winnings: tuple[Winnings, ...]
    superiority: tuple[tuple[float | None, ...], ...]
    """Row i, column j: how likely it is that the rating of i is above that of j; None of agents in
    different groups, and where nothing tells."""
    first_seat: Interval
    """What the first seat wins per game, between equals."""
    meetings: tuple[Meeting, ...]
    """Every two agents that met, in the order of their first game."""
    games: int
    clusters: int
    unit: str
    """What is counted: "chips per hand", for example."""
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data, for JSON; no infinite or undefined number is in it."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Returns the table as text. Last column: how likely an agent is better than the next."""
        widest = max([5, *(len(won.agent) for won in self.winnings)])
        head = f"{'Rank':>4}  {'Agent':<{widest}} {'Games':>6}  {self.unit:<24} "
        lines = [head + f"{'against the average':<24} {'> next':>8}"]
        for place, won in enumerate(self.winnings):
            lines.append(
                f"{place + 1:>4}  {won.agent:<{widest}} {won.games:>6}  {amount(won.mean):<24} "
                f"{amount(won.rating):<24} {above_next(self.superiority, place):>8}"
            )
        return lines + self.remarks()

    def remarks(self) -> list[str]:
        """Returns the lines below the table: the first seat, numbers of games, and notes."""
        return [
            f"First seat: {amount(self.first_seat)} {self.unit}; {self.games} games in "
            f"{self.clusters} clusters.",
            *(f"Note: {note}" for note in self.notes),
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def winnings(
    start: Position, records: Iterable[GameRecord], agents: Sequence[str] = ()
) -> WinningsTable:
    """Returns what agents won in games that began with ``start``; ``agents`` may have no game.

    ValueError for a game against oneself.
    """
    found = _Games(start, sorted(records, key=lambda record: record.number), agents)
    ratings, advantage, superiority = _fit(found)
    order = sorted(range(len(found.names)), key=lambda i: -ratings[i].value)
    rows = tuple(
        Winnings(found.names[i], int(found.played(i).sum()), found.mean_of(i), ratings[i])
        for i in order
    )
    return WinningsTable(
        rows,
        tuple(tuple(superiority[i][j] for j in order) for i in order),
        advantage,
        tuple(found.meetings()),
        len(found.utilities),
        len(set(found.clusters.tolist())),
        knowledge_of(start).utility_unit,
        tuple(found.notes()),
    )


class _Games:
    """Holds the games as arrays, one entry for each."""

    def __init__(
        self, start: Position, records: Sequence[GameRecord], agents: Sequence[str]
    ) -> None:
        members = clusters_of(records, start.has_chance)
        numbered = [
            (number, record)
            for number, pairs in enumerate(members)
            for pair in pairs
            for record in pair
        ]
        numbered.sort(key=lambda item: item[1].number)
        played = [record for _, record in numbered]
        if any(len(set(record.players)) < len(record.players) for record in played):
            raise ValueError("an agent does not play against itself")
        self.names = [*dict.fromkeys([*agents, *(p for r in played for p in r.players)])]
        index = {name: i for i, name in enumerate(self.names)}
        seats = [[index[name] for name in record.players] for record in played]
        self.seats = np.array(seats, np.int64).reshape(-1, start.num_players)
        self.clusters = np.array([number for number, _ in numbered], np.int64)
        utilities = [utilities_of(start, record) for record in played]
        self.utilities = np.array(utilities, np.float64).reshape(self.seats.shape)

    def played(self, agent: int) -> NDArray[np.bool_]:
        """Returns which games an agent has played."""
        found: NDArray[np.bool_] = (self.seats == agent).any(axis=1)
        return found

    def mean_of(self, agent: int, other: int | None = None) -> Interval:
        """Returns what an agent won per game, of all games or of those against another."""
        own = self.played(agent)
        if other is not None:
            own &= self.played(other)
        won = np.where(self.seats == agent, self.utilities, 0.0).sum(axis=1)
        return t_interval(won[own], self.clusters[own])

    def meetings(self) -> Iterator[Meeting]:
        """Yields every two agents that met."""
        met = (pair for seats in self.seats.tolist() for pair in combinations(sorted(seats), 2))
        for a, b in dict.fromkeys(met):
            both = self.played(a) & self.played(b)
            clusters, games = len(set(self.clusters[both].tolist())), int(both.sum())
            mean = self.mean_of(a, b)
            yield Meeting(self.names[a], self.names[b], games, clusters, mean)

    def groups(self) -> NDArray[np.int64]:
        """Returns each agent's group: agents that met, directly or by others."""
        met = np.zeros((len(self.names), len(self.names)), np.bool_)
        for seat in range(1, self.seats.shape[1]):
            met[self.seats[:, 0], self.seats[:, seat]] = True
        found: NDArray[np.int64] = scipy_module("scipy.sparse.csgraph").connected_components(met)[1]
        return found

    def observations(self) -> tuple[Array, Array, NDArray[np.int64]]:
        """Returns the rows (m, n + 1) of the model, the utilities (m,) and clusters (m,) they have.

        Of two players one for each game, as the second seat's tells no more; else one for each
        seat.
        """
        games, seats = self.seats.shape
        if seats == 2:
            return Design(self.seats, len(self.names)).rows, self.utilities[:, 0], self.clusters
        rows = np.full((games, seats, len(self.names) + 1), 0.0)
        at = np.arange(games)
        for own in range(seats):
            for seat in range(seats):
                rows[at, own, self.seats[:, seat]] = 1.0 if seat == own else -1 / (seats - 1)
            rows[:, own, -1] = -1 / (seats - 1) if own else 1.0
        width = rows.shape[-1]
        return rows.reshape(-1, width), self.utilities.reshape(-1), np.repeat(self.clusters, seats)

    def notes(self) -> Iterator[str]:
        """Returns warnings, in words."""
        clusters = len(set(self.clusters.tolist()))
        if clusters == 0:
            yield "no game was played: nothing is known of anybody"
            return
        if len(set(self.groups().tolist())) > 1:
            yield "some agents never met, not even by others: their ratings cannot be compared"
        if clusters < FEW_CLUSTERS * (len(self.names) - 1):
            yield f"{clusters} clusters of {len(self.names)} agents are few: intervals are rough"


def _fit(games: _Games) -> tuple[list[Interval], Interval, list[list[float | None]]]:
    """Returns the ratings of all, the advantage of the first seat, and who is better how likely."""
    n, (rows, utilities, of_cluster) = len(games.names), games.observations()
    fitted = np.linalg.lstsq(rows, utilities, rcond=None)[0]  # the shortest: sums are 0
    inverse = np.linalg.pinv(rows.T @ rows, hermitian=True)
    numbers, place = np.unique(of_cluster, return_inverse=True)
    sums = np.zeros((len(numbers), n + 1))
    np.add.at(sums, place, rows * (utilities - rows @ fitted)[:, None])
    few = len(numbers) / max(len(numbers) - 1, 1)
    covariance = few * inverse @ (sums.T @ sums) @ inverse
    clusters = [len(set(games.clusters[games.played(i)].tolist())) for i in range(n)]
    *ratings, advantage = (
        student_interval(float(fitted[i]), float(covariance[i, i]), count)
        for i, count in enumerate([*clusters, len(numbers)])
    )
    groups = games.groups()
    superiority: list[list[float | None]] = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            if groups[i] == groups[j] and variance > 1e-18:
                degrees = max(min(clusters[i], clusters[j]) - 1, 1)
                ahead = (fitted[i] - fitted[j]) / variance**0.5
                superiority[i][j] = float(scipy_module("scipy.special").stdtr(degrees, ahead))
    return ratings, advantage, superiority
