"""Ratings of all agents of a tournament, with intervals: ``rate(records)`` gives a ``RatingTable``.

- Ratings and the advantage of the first seat are the likeliest ones under the model of the module
  ``bradley_terry``, in which a draw is half a win and half a loss, under a prior that is worth an
  eighth of a game. A difference in Elo says what score to expect of a game in neutral seats.
- **Intervals** are of 95 %, by the bootstrap over clusters: all pairs of two agents from the same
  opening, a pair being the opening played from both sides, are one thing that is drawn or not (see
  ``clusters``, also for what is done where all games have the same opening). As many clusters as
  there are in the tournament are drawn with replacement, 1,000 times, and rated anew. What an
  opening does to its games, and that players without chance repeat them, is thereby accounted for.
  An interval is as many standard deviations of these ratings to either side as Student's
  distribution says for the number of clusters that the agent played: 1.96 of many, 2.2 of twelve.
  There is no interval of an agent that played in a single cluster, and none where all clusters of
  the same two agents ended alike: then there is no variance. (B. Efron, R. Tibshirani,
  An introduction to the bootstrap, 1993, chapter 12. The percentiles of chapter 13 hold the truth
  too seldom here, 93 %: ratings of few games are too far from the mean, and those of resamples
  twice.) The share of the resamples in which one agent is above another is the likelihood that it
  is the better one; of n clusters that tell them apart it is at most 1 - 0.5 ** (n + 1), as a
  uniform prior over the share of won clusters has it.
- **Anchor**: the mean of all ratings is 0 (of the largest set of agents, where others won or lost
  everything against it: see there); or a named agent has a rating that is given.
- **Perfect scores**: an agent that won every game (or a set of agents that no other agent took a
  point from) has no upper limit: the data would fit any larger rating, and the one that is shown
  depends on the prior. Its lower end is where winning all these games has a chance of 2.5 % (the
  bound of Clopper and Pearson). Likewise for agents that lost every game. The limits of all others
  do not change by that.
- **Groups** of agents that never met, not even by others, are reported: their ratings cannot be
  compared, and each group has a mean of its own.

``notes`` says in words which of these cases occurred, and whether there are fewer than twenty
clusters for each agent, so that the bootstrap is rough. All results depend on ``seed`` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.results import ConfidenceInterval

from ..store import GameRecord
from .bradley_terry import (
    ELO,
    PRIOR,
    Array,
    Connectivity,
    Tally,
    connectivity,
    farthest,
    fit,
    fit_many,
    points_of,
)
from .clusters import FEW_CLUSTERS, quantile

RESAMPLES = 1000


@dataclass(frozen=True)
class Rating:
    """The rating of one agent, and its games."""

    agent: str
    elo: float
    low: float | None
    """The lower end of the 95 % interval; None where there is no limit."""
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    as_first: tuple[int, int, int]
    """Wins, draws and losses of the games in the first seat."""

    @property
    def score(self) -> float | None:
        """Points per game."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class RatingTable:
    """The ratings of a tournament, the best first. See the module."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float | None, ...], ...]
    """Row i, column j: how likely it is that agent i of ``ratings`` is better than agent j; None of
    agents in different groups."""
    first_seat: ConfidenceInterval
    """The advantage of the first seat, in Elo."""
    draw_share: ConfidenceInterval
    """How many of the games were drawn, 0 .. 1."""
    groups: tuple[tuple[str, ...], ...]
    """Agents that are connected by games; more than one group cannot be compared."""
    notes: tuple[str, ...]
    """Warnings about these numbers, in words."""
    games: int
    pairs: int
    clusters: int
    """How many clusters these are: see the module of that name."""
    resamples: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON; no infinite or undefined number is in it."""
        return {
            **asdict(self),
            "ratings": [{**asdict(rating), "score": rating.score} for rating in self.ratings],
        }

    def lines(self) -> list[str]:
        """The table as text. The last column: how likely an agent is better than the next."""
        widest = max([5, *(len(rating.agent) for rating in self.ratings)])
        head = f"{'Rank':>4}  {'Agent':<{widest}} {'Elo':>8}  {'95 % interval':^21} "
        lines = [head + f"{'Games':>6} {'Score':>8} {'Draws':>7} {'> next':>8}"]
        for place, rating in enumerate(self.ratings):
            share = [x / max(rating.games, 1) for x in (rating.points, rating.draws)]
            last = place + 1 == len(self.ratings)
            above = "" if last else likelihood(self.superiority[place][place + 1])
            interval = interval_of(rating)
            lines.append(
                f"{place + 1:>4}  {rating.agent:<{widest}} {rating.elo:>8.1f}  {interval:^21} "
                f"{rating.games:>6} {100 * share[0]:>6.1f} % {100 * share[1]:>5.1f} % {above:>8}"
            )
        return lines + self.remarks()

    def remarks(self) -> list[str]:
        """The lines below the table: the first seat, draws, numbers of games, and notes."""
        seat = self.first_seat
        return [
            f"First seat: {_end(seat.value)} Elo ({interval_of(seat)}); "
            f"draws: {100 * self.draw_share.value:.1f} %; "
            f"{self.games} games in {self.pairs} pairs{self._clustered()}.",
            *(f"Note: {note}" for note in self.notes),
        ]

    def _clustered(self) -> str:
        return "" if self.clusters == self.pairs else f" and {self.clusters} clusters"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def rate(
    records: Iterable[GameRecord],
    agents: Sequence[str] = (),
    anchor: tuple[str, float] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    chance: bool = False,
) -> RatingTable:
    """The table of a tournament. ``agents`` are rated also if they have not played.

    ``anchor``: an agent and the rating it is to have; without, the mean is 0. ``chance``: whether
    it is part of the game (``start.has_chance``), see ``clusters``. ValueError for an anchor that
    is no agent, for fewer than 100 resamples, and for records that are no games.
    """
    if resamples < 100:
        raise ValueError(f"intervals need at least 100 resamples, not {resamples}")
    tally = Tally.of(records, agents, chance)
    if anchor is not None and anchor[0] not in tally.agents:
        raise ValueError(f"the anchor {anchor[0]!r} is none of {', '.join(tally.agents)}")
    likeliest = fit(tally.design, points_of(tally.results))
    if tally.pairs:
        drawn = tally.resampled(resamples, np.random.default_rng(seed % 2**64))
        samples = fit_many(tally.design, points_of(drawn), likeliest)
    else:
        drawn, samples = np.zeros((resamples, 0, 3)), np.tile(likeliest, (resamples, 1))
    zero, value = (None, 0.0) if anchor is None else (tally.agents.index(anchor[0]), anchor[1])
    sets, elo, sampled = connectivity(tally, likeliest, zero), likeliest * ELO, samples * ELO
    shifted = (_from_anchor(x[..., :-1], sets, zero, value) for x in (elo, sampled))
    estimates = _estimates(tally, sets, zero, *shifted)
    order = sorted(range(len(tally.agents)), key=lambda i: -estimates[i].value)
    ratings = [_rating(tally, i, estimates[i]) for i in order]
    above = _superiority(sets, sampled[:, :-1])[np.ix_(order, order)]
    return RatingTable(
        tuple(ratings),
        tuple(tuple(None if np.isnan(x) else float(x) for x in row) for row in above),
        _first_seat(tally, likeliest, float(elo[-1]), sampled[:, -1]),
        _draw_share(tally, drawn),
        sets.groups,
        tuple(_notes(tally, sets, anchor)),
        int(tally.results.sum()),
        tally.pairs,
        tally.clusters,
        resamples,
    )


def _from_anchor(elo: Array, sets: Connectivity, zero: int | None, value: float) -> Array:
    """Ratings (n,) or (b, n) from the anchor, or from the mean of the reference sets."""
    elo = elo - elo @ (sets.reference / sets.reference.sum(axis=1, keepdims=True)).T
    if zero is not None:  # only its own group is measured from it
        elo = np.where(sets.apart[zero], elo, elo - elo[..., [zero]] + value)
    return elo


def _estimates(
    tally: Tally, sets: Connectivity, zero: int | None, elo: Array, samples: Array
) -> list[ConfidenceInterval]:
    """The ratings with their intervals, those that have no limit being opened."""
    errors = samples.std(axis=0, ddof=1)
    clusters = tally.between.sum(axis=0).astype(int)
    found = []
    for i, value in enumerate(elo.tolist()):
        low: float | None = None
        high: float | None = None
        if i == zero:
            low = high = value
        elif clusters[i] > 1 and not tally.alike:
            error = float(errors[i]) * quantile(clusters[i])
            low, high = value - error, value + error
        kind, beyond = sets.kinds[i], value + float(sets.shift[i])
        if kind == "above":
            low = beyond if low is None else min(low, beyond)
        if kind == "below":
            high = beyond if high is None else max(high, beyond)
        low = None if kind in ("below", "between") else low
        high = None if kind in ("above", "between") else high
        found.append(ConfidenceInterval(value, low, high))
    return found


def _superiority(sets: Connectivity, samples: Array) -> Array:
    """(n, n): the share of samples in which one is above the other; a tie is a half."""
    ahead = samples[:, :, None] - samples[:, None, :]
    wins = (ahead > 1e-9).sum(axis=0) + 0.5 * (np.abs(ahead) <= 1e-9).sum(axis=0)
    share = (wins + 0.5) / (len(samples) + 1)
    most = 1 - 0.5 ** (sets.evidence + 1)
    found: Array = np.clip(share, 1 - most, most)
    found[sets.apart] = np.nan
    return found


def _rating(tally: Tally, i: int, estimate: ConfidenceInterval) -> Rating:
    results = tally.results.astype(int)
    first = results[tally.design.seats[:, 0] == i].sum(axis=0)
    second = results[tally.design.seats[:, 1] == i].sum(axis=0)[::-1]
    wins, draws, losses = map(int, first + second)
    return Rating(
        tally.agents[i],
        estimate.value,
        estimate.low,
        estimate.high,
        wins + draws + losses,
        wins,
        draws,
        losses,
        wins + draws / 2,
        (int(first[0]), int(first[1]), int(first[2])),
    )


def _first_seat(tally: Tally, likeliest: Array, value: float, samples: Array) -> ConfidenceInterval:
    """Where one seat won every game it has no limit on one side, and is treated like an agent."""
    wins, draws, losses = tally.results.sum(axis=0)
    if tally.pairs == 0:
        return ConfidenceInterval(value, None, None)
    if draws + min(wins, losses) == 0:
        advantage = np.zeros(len(likeliest))
        advantage[-1] = 1
        end = value + farthest(tally, likeliest, advantage, down=losses == 0)
        return (
            ConfidenceInterval(value, end, None)
            if losses == 0
            else ConfidenceInterval(value, None, end)
        )
    if tally.clusters == 1 or tally.alike:
        return ConfidenceInterval(value, None, None)
    error = float(samples.std(ddof=1)) * quantile(tally.clusters)
    return ConfidenceInterval(value, value - error, value + error)


def _draw_share(tally: Tally, drawn: Array) -> ConfidenceInterval:
    if tally.pairs == 0:
        return ConfidenceInterval(0.0, None, None)
    value = float(tally.results[:, 1].sum() / tally.results.sum())
    if tally.clusters == 1:
        return ConfidenceInterval(value, None, None)
    games = drawn.sum(axis=(1, 2))  # of pairs of one game and of two
    low, high = np.quantile(drawn[:, :, 1].sum(axis=1) / games, [0.025, 0.975])
    return ConfidenceInterval(value, float(low), float(high))


def _notes(tally: Tally, sets: Connectivity, anchor: tuple[str, float] | None) -> Iterable[str]:
    if tally.pairs == 0:
        yield "no game was played: nothing is known of anybody"
        return
    if len(sets.groups) > 1:
        groups = "; ".join(", ".join(group) for group in sets.groups)
        yield f"these groups never met, and their ratings cannot be compared: {groups}"
    weight = f"a prior with standard deviation {PRIOR * ELO:.0f} Elo"
    for members, kind in sets.open_sets:
        names = ", ".join(members)
        if kind == "above":
            yield f"nobody below took a point from {names}: no upper limit, rated by {weight}"
        elif kind == "below":
            yield f"nobody above lost a point to {names}: no lower limit, rated by {weight}"
        else:
            yield f"in between, with sure wins and losses: {names}; the rating is by {weight}"
    wins, draws, losses = tally.results.sum(axis=0)
    if draws + min(wins, losses) == 0:
        yield f"one seat won every game: what it is worth is by {weight}"
    if tally.alike:
        yield "all pairs of the same two agents ended alike: nothing tells how sure the ratings are"
    if tally.clusters < tally.pairs:
        yield (
            "openings came again: for the intervals, pairs of the same two agents from the same "
            "opening are one cluster, not independent of each other"
        )
    if tally.openings == 1 and 2 * tally.pairs > len(tally.design.seats):
        yield "all games began with the same opening: the ratings are those of play from there"
    if tally.clusters < FEW_CLUSTERS * len(tally.agents):
        what = "pairs" if tally.clusters == tally.pairs else "clusters of pairs"
        few = f"{tally.clusters} {what} of {len(tally.agents)} agents are few"
        yield f"{few}: the intervals are rough"
    if anchor is not None:
        yield f"ratings are measured from {anchor[0]} at {anchor[1]:g}, so it has no interval"


def interval_of(found: Rating | ConfidenceInterval) -> str:
    """The 95 % interval in words."""
    return f"{_end(found.low)} to {_end(found.high)}"


def _end(value: float | None) -> str:
    return "no limit" if value is None else f"{round(value, 1) + 0.0:.1f}"


def likelihood(value: float | None) -> str:
    """A likelihood in percent, that of the best is not rounded to 100."""
    if value is None:
        return "unknown"
    return "> 99.9 %" if value > 0.999 else f"{100 * value:.1f} %"
