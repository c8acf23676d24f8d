"""Rates all agents of a tournament, with intervals: ``rate(records)`` gives a ``RatingTable``.

**Model.** Bradley-Terry with an advantage of the first seat: the expected score of agent i in the
first seat against agent j, a draw being half a point, is

    1 / (1 + exp(-d)),   d = rating_i - rating_j + advantage

where ln 10 of these units are 400 Elo. (R. A. Bradley, M. E. Terry, Rank analysis of incomplete
block designs, Biometrika 39, 1952. The advantage is an order effect: R. R. Davidson, R. J. Beaver,
Biometrics 33, 1977.) **Draws** enter the likelihood as half a win and half a loss, as in Ordo. This
needs no assumption on when games are drawn, and is right in the mean whenever expected scores are
(quasi-likelihood: L. E. Papke, J. M. Wooldridge, Econometric methods for fractional response
variables, Journal of Applied Econometrics 11, 1996); its error must be found by other means, here
the bootstrap. The models of Davidson (1970) and of Rao and Kupper (1967) have a parameter for draws
instead: where the first seat wins or draws but never loses, as in tic-tac-toe, Davidson's has no
finite answer. An agent that has won every game would be infinitely strong. So each rating and the
advantage have a normal **prior** of mean 0 and standard deviation ``PRIOR``, 1000 Elo, which tells
as much as an eighth of a game between equals, and makes the mean rating of each group that met 0.
With several **anchors** their ratings are held, and the prior of the others has their mean.

**More players.** A game of p players counts as p (p - 1) / 2 games of two: who won more has won,
and an equal is a draw. The advantage is then that of the earlier of two seats. If the order of
players is that of Plackett and Luce's model, these are exactly Bradley and Terry's chances. The
games of two are not independent: the unit of resampling is the group, all games of an opening, see
``head_to_head``. (The composite likelihood of all pairs: C. Varin, N. Reid, D. Firth, Statistica
Sinica 21, 2011; its errors must be found by other means, too.)

**Intervals** are of 95 %, by the bootstrap over clusters of pairs, see ``head_to_head``: 1,000
times as many are drawn as there are, and rated anew. An interval is as many standard deviations of
these ratings to either side as Student's distribution says for the number of clusters that the
agent played. There is none of an agent that played in a single cluster, and none where all clusters
of the same two agents ended alike. (B. Efron, R. Tibshirani, An introduction to the bootstrap,
1993, chapter 12. The percentiles of chapter 13 hold the truth too seldom here, 93 %: ratings of few
games are too far from the mean, and those of resamples twice.) The share of the resamples in which
one agent is above another is the likelihood that it is the better one; of n clusters that tell them
apart it is at most 1 - 0.5 ** (n + 1), as a uniform prior has it.

**Connectivity.** Without the prior, ratings are finite if and only if the agents cannot be split
into two sets such that one took every point from the other (L. R. Ford, Solution of a ranking
problem from binary comparisons, American Mathematical Monthly 64, 1957): if the graph with an arrow
from each agent to all agents it took points from is strongly connected. Where it is not, the mean
rating is 0 not of all, but of a reference set: the strongly connected component that holds the
anchor, or else the largest one. An agent that won every game, or a set of agents that no other
agent took a point from, has no upper limit, and the rating that is shown depends on the prior. Its
lower end is where winning all these games has a chance of 2.5 % (the bound of Clopper and Pearson).
Likewise for agents that lost every game. ``notes`` says in words which of these cases occurred,
whether agents never met, not even by others, and whether there are too few clusters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seating import group_size
from agents.statistics import ELO, PRIOR, Interval, in_words, scipy_module, student_quantile

from ..game_record import GameRecord, points_of_game
from .head_to_head import FEW_CLUSTERS, clusters_of

Array = NDArray[np.float64]

RESAMPLES = 1000


@dataclass(frozen=True)
class Rating:
    """Holds the rating of one agent, and its games."""

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
        """Returns points per game."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class RatingTable:
    """Holds the ratings of a tournament, the best first. See the module."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float | None, ...], ...]
    """Row i, column j: how likely it is that agent i of ``ratings`` is better than agent j; None of
    agents in different groups."""
    first_seat: Interval
    """The advantage of the first seat, in Elo."""
    draw_share: Interval
    """How many of the games were drawn, 0 .. 1."""
    groups: tuple[tuple[str, ...], ...]
    """Agents that are connected by games; more than one group cannot be compared."""
    notes: tuple[str, ...]
    """Warnings about these numbers, in words."""
    games: int
    pairs: int
    clusters: int
    """How many clusters these are: see ``head_to_head``."""
    resamples: int
    players: int = 2
    """Of each game. Of more than two, ``pairs`` are groups, and wins, draws and losses are counted
    against every other player."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data, for JSON; no infinite or undefined number is in it."""
        return {
            **asdict(self),
            "ratings": [{**asdict(rating), "score": rating.score} for rating in self.ratings],
        }

    def lines(self) -> list[str]:
        """Returns the table as text. Last column: how likely an agent is better than the next."""
        widest = max([5, *(len(rating.agent) for rating in self.ratings)])
        head = f"{'Rank':>4}  {'Agent':<{widest}} {'Elo':>8}  {'95 % interval':^21} "
        lines = [head + f"{'Games':>6} {'Score':>8} {'Draws':>7} {'> next':>8}"]
        for place, rating in enumerate(self.ratings):
            share = [x / max(rating.games, 1) for x in (rating.points, rating.draws)]
            above = above_next(self.superiority, place)
            interval = interval_of(rating)
            elo = one_decimal(rating.elo)
            lines.append(
                f"{place + 1:>4}  {rating.agent:<{widest}} {elo:>8}  {interval:^21} "
                f"{rating.games:>6} {100 * share[0]:>6.1f} % {100 * share[1]:>5.1f} % {above:>8}"
            )
        return lines + self.remarks()

    def remarks(self) -> list[str]:
        """Returns the lines below the table: the first seat, draws, numbers of games, and notes."""
        seat, two, clusters = self.first_seat, self.players == 2, ""
        if self.clusters != self.pairs:
            clusters = f" and {self.clusters} clusters"
        more = f"A game of {self.players} players counts as {comb(self.players, 2)} of two."
        return [
            f"{'First' if two else 'Earlier'} seat: {one_decimal(seat.value)} Elo "
            f"({interval_of(seat)}); draws: {100 * self.draw_share.value:.1f} %; "
            f"{self.games} games in {self.pairs} {'pairs' if two else 'groups'}{clusters}.",
            *([] if two else [more]),
            *(f"Note: {note}" for note in self.notes),
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def rate(
    records: Iterable[GameRecord],
    agents: Sequence[str] = (),
    anchors: Mapping[str, float] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    chance: bool = False,
) -> RatingTable:
    """Returns the table of a tournament. ``agents`` are rated also if they have not played.

    ``anchors``: agents whose ratings are known, and these ratings; all that have met them, if only
    through others, are measured from them. Without, the mean is 0. ``chance``: whether it is part
    of the game (``start.has_chance``), see ``head_to_head``. ValueError for an anchor that is no
    agent, for fewer than 100 resamples, and for records that are no games.
    """
    if resamples < 100:
        raise ValueError(f"intervals need at least 100 resamples, not {resamples}")
    tally = Tally.of(records, agents, chance)
    anchors = dict(anchors or {})
    if missing := [name for name in anchors if name not in tally.agents]:
        raise ValueError(f"the anchor {missing[0]!r} is none of {', '.join(tally.agents)}")
    known = {tally.agents.index(name): value for name, value in anchors.items()}
    centre = sum(known.values()) / max(len(known), 1)
    several = len(known) > 1  # one is where all are measured from, which changes no difference
    held = {i: (value - centre) / ELO for i, value in known.items() if several}
    likeliest = fit_many(tally.design, points_of(tally.results)[None], held=held)[0]
    if tally.pairs:
        drawn = tally.resampled(resamples, np.random.default_rng(seed % 2**64))
        samples = fit_many(tally.design, points_of(drawn), likeliest, held=held)
    else:
        drawn, samples = np.zeros((resamples, 0, 3)), np.tile(likeliest, (resamples, 1))
    sets, elo, sampled = connectivity(tally, likeliest, known), likeliest * ELO, samples * ELO
    shares = (sets.reference / sets.reference.sum(axis=1, keepdims=True)).T
    shifted = [x[..., :-1] - x[..., :-1] @ shares for x in (elo, sampled)]
    if known:  # only the group of the anchors is measured from them
        zero, own = next(iter(known)), ~sets.apart[list(known)].all(axis=0)
        moved = [x[..., :-1] - x[..., [zero]] + known[zero] for x in (elo, sampled)]
        shifted = [np.where(own, *both) for both in zip(moved, shifted, strict=True)]
    estimates = _estimates(tally, sets, known, *shifted)
    order = sorted(range(len(tally.agents)), key=lambda i: -estimates[i].value)
    ratings = [_rating(tally, i, estimates[i]) for i in order]
    above = _superiority(sets, sampled[:, :-1])[np.ix_(order, order)]
    return RatingTable(
        tuple(ratings),
        tuple(tuple(None if np.isnan(x) else float(x) for x in row) for row in above),
        _first_seat(tally, likeliest, float(elo[-1]), sampled[:, -1]),
        _draw_share(tally, drawn),
        sets.groups,
        tuple(_notes(tally, sets, anchors)),
        tally.games,
        tally.pairs,
        tally.clusters,
        resamples,
        tally.players,
    )


def _estimates(
    tally: Tally, sets: Connectivity, known: Mapping[int, float], elo: Array, samples: Array
) -> list[Interval]:
    """Returns the ratings with their intervals, those that have no limit being opened."""
    errors = samples.std(axis=0, ddof=1)
    clusters = tally.played.astype(int)
    found = []
    for i, rated in enumerate(elo.tolist()):
        value = known.get(i, rated)
        low: float | None = None
        high: float | None = None
        if i in known:
            low = high = value
        elif clusters[i] > 1 and not tally.alike:
            error = float(errors[i]) * student_quantile(clusters[i])
            low, high = value - error, value + error
        kind, beyond = sets.kinds[i], value + float(sets.shift[i])
        if kind == "above":
            low = beyond if low is None else min(low, beyond)
        if kind == "below":
            high = beyond if high is None else max(high, beyond)
        low = None if kind in ("below", "between") else low
        high = None if kind in ("above", "between") else high
        found.append(Interval(value, low, high))
    return found


def _superiority(sets: Connectivity, samples: Array) -> Array:
    """Returns (n, n): the share of samples in which one is above the other; a tie is a half."""
    ahead = samples[:, :, None] - samples[:, None, :]
    wins = (ahead > 1e-9).sum(axis=0) + 0.5 * (np.abs(ahead) <= 1e-9).sum(axis=0)
    share = (wins + 0.5) / (len(samples) + 1)
    most = 1 - 0.5 ** (sets.evidence + 1)
    found: Array = np.clip(share, 1 - most, most)
    found[sets.apart] = np.nan
    return found


def _rating(tally: Tally, i: int, estimate: Interval) -> Rating:
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


def _first_seat(tally: Tally, likeliest: Array, value: float, samples: Array) -> Interval:
    """Limits a seat's advantage where it won every game: it is treated like an agent."""
    wins, draws, losses = tally.results.sum(axis=0)
    n = tally.clusters
    if tally.pairs and draws + min(wins, losses) == 0:
        advantage = np.zeros(len(likeliest))
        advantage[-1] = 1
        end = value + farthest(tally, likeliest, advantage, down=losses == 0)
        return Interval(value, end, None, n) if losses == 0 else Interval(value, None, end, n)
    if n < 2 or tally.alike:
        return Interval(value, n=n)
    return Interval.around(value, float(samples.std(ddof=1)) * student_quantile(n), n)


def _draw_share(tally: Tally, drawn: Array) -> Interval:
    if tally.pairs == 0:
        return Interval(0.0)
    value = float(tally.results[:, 1].sum() / tally.results.sum())
    if tally.clusters == 1:
        return Interval(value, n=1)
    games = drawn.sum(axis=(1, 2))  # of pairs of one game and of two
    low, high = np.quantile(drawn[:, :, 1].sum(axis=1) / games, [0.025, 0.975])
    return Interval(value, float(low), float(high), tally.clusters)


def _notes(tally: Tally, sets: Connectivity, anchors: Mapping[str, float]) -> Iterable[str]:
    units, agents = ("pairs", "two agents") if tally.players == 2 else ("groups", "agents")
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
        alike = f"all {units} of the same {agents} ended alike"
        yield f"{alike}: nothing tells how sure the ratings are"
    if tally.clusters < tally.pairs:
        yield (
            f"openings came again: for the intervals, {units} of the same {agents} from the same "
            "opening are one cluster, not independent of each other"
        )
    if tally.openings == 1 and 2 * tally.pairs > len(tally.design.seats):
        yield "all games began with the same opening: the ratings are those of play from there"
    if tally.clusters < FEW_CLUSTERS * len(tally.agents):
        what = units if tally.clusters == tally.pairs else f"clusters of {units}"
        few = f"{tally.clusters} {what} of {len(tally.agents)} agents are few"
        yield f"{few}: the intervals are rough"
    if anchors:
        at = ", ".join(f"{name} at {value:g}" for name, value in anchors.items())
        yield f"ratings are measured from {at}, taken to be exact"


def interval_of(found: Rating | Interval) -> str:
    """Returns the 95 % interval in words."""
    return in_words(found.low, found.high, one_decimal)


def one_decimal(elo: float) -> str:
    """Returns Elo with one decimal; what rounds to zero has no sign."""
    return f"{round(elo, 1) + 0.0:.1f}"


def above_next(superiority: Sequence[Sequence[float | None]], place: int) -> str:
    """Returns how likely the agent at a place, from 0, is better than the next; "" of the last."""
    if place + 1 == len(superiority):
        return ""
    value = superiority[place][place + 1]
    if value is None:
        return "unknown"
    return "> 99.9 %" if value > 0.999 else f"{100 * value:.1f} %"


# ---- the model


@dataclass(frozen=True)
class Design:
    """Holds the pairings and seats: the part of the model that does not depend on results.

    Parameters are the ratings of n agents and the advantage: p = n + 1 numbers.
    """

    seats: NDArray[np.int64]
    """(m, 2): row k says that agent seats[k, 0] was first in its games with agent seats[k, 1]."""
    agents: int
    """How many agents there are, n."""

    @property
    def rows(self) -> Array:
        """Returns (m, p): what d is made of."""
        found = np.zeros((len(self.seats), self.agents + 1))
        at = np.arange(len(self.seats))
        found[at, self.seats[:, 0]] += 1
        found[at, self.seats[:, 1]] -= 1
        found[:, -1] = 1
        return found

    @cached_property
    def products(self) -> Any:
        """Returns the sparse (m, p * p) products of each row with itself: nine of each are not 0.

        With them 1,000 resamples of 45 agents are fitted in a second and not in seven.
        """
        m, p = len(self.seats), self.agents + 1
        places = np.column_stack([self.seats, np.full(m, self.agents)])
        signs = np.array([1.0, -1.0, 1.0])
        columns = (places[:, :, None] * p + places[:, None, :]).reshape(-1)
        values, ends = np.tile(np.outer(signs, signs).reshape(-1), m), np.arange(0, 9 * m + 1, 9)
        sparse = scipy_module("scipy.sparse")
        return sparse.csr_matrix((values, columns, ends), shape=(m, p * p))


def expected(differences: Array) -> Array:
    """Returns the score that is expected at differences d, 0 .. 1."""
    found: Array = 0.5 + 0.5 * np.tanh(differences / 2)  # does not overflow
    return found


def derivatives(design: Design, points: Array, parameters: Array) -> tuple[Array, Array]:
    """Returns gradient (b, p) and Hessian (b, p, p) of minus the logarithm of the posterior.

    ``points`` (b, m, 2) are those of the first and the second seats: b tournaments at once.
    """
    rows, games = design.rows, points.sum(axis=-1)
    scores = expected(parameters @ rows.T)
    gradient = (games * scores - points[..., 0]) @ rows + parameters / PRIOR**2
    hessian = (design.products.T @ (games * scores * (1 - scores)).T).T
    p = rows.shape[1]
    return gradient, hessian.reshape(-1, p, p) + np.eye(p) / PRIOR**2


def fit_many(
    design: Design,
    points: Array,
    near: Array | None = None,
    steps: int = 200,
    held: Mapping[int, float] | None = None,
) -> Array:
    """Returns the likeliest parameters (b, p) of b tournaments, ``points`` (b, m, 2), all at once.

    Parameters that are ``held`` have these values. By Newton's method from ``near`` (p,), or from
    0; no step is longer than one unit, so that tournaments in which an agent won every game do not
    diverge. RuntimeError where ``steps`` are not enough.
    """
    start = np.zeros(design.agents + 1) if near is None else near
    found = np.tile(start, (len(points), 1))
    fixed = list(held or {})
    found[:, fixed] = list((held or {}).values())
    todo = np.arange(len(points))
    for _ in range(steps):
        gradient, hessian = derivatives(design, points[todo], found[todo])
        gradient[:, fixed] = hessian[:, fixed] = hessian[:, :, fixed] = 0.0
        hessian[:, fixed, fixed] = 1.0
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        longest = np.abs(step).max(axis=1)
        found[todo] -= step / np.maximum(1, longest)[:, None]
        todo = todo[longest > 1e-7]
        if len(todo) == 0:
            return found
    raise RuntimeError(f"{len(todo)} of {len(points)} fits have not come to an end")


# ---- the games, counted for the model


OUTCOMES = {1.0: 0, 0.5: 1, 0.0: 2}
"""A win, a draw and a loss of the first seat."""


def points_of(results: Array) -> Array:
    """Returns the points (..., m, 2) of first and second seats of ``results`` (..., m, 3)."""
    halves = results[..., 1] / 2
    return np.stack([results[..., 0] + halves, results[..., 2] + halves], axis=-1)


def _require_result(record: GameRecord) -> None:
    """Raises ValueError for a game against oneself, and for points that no game brings."""
    names, points = record.players, record.points
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"game {record.number}: {twice[0]!r} played itself")
    if points_of_game(points) != points:
        two = "(1, 0), (0.5, 0.5) or (0, 1)"
        said = two if len(points) == 2 else "the share of the others that each has beaten"
        raise ValueError(f"game {record.number}: points are {said}, not {points}")


@dataclass(frozen=True)
class Tally:
    """Holds what was played; clusters of equal seats and results are one kind."""

    agents: tuple[str, ...]
    """In the order given, then of the number of their first game."""
    design: Design
    kinds: Any
    """Sparse, (k, m * 3): the wins, draws and losses of the first seats in one cluster of each
    kind."""
    sizes: Array
    """(k,): how many pairs are in it, those of which one game is missing included."""
    frequencies: Array
    """(k,): how many clusters there were of each kind."""
    openings: int
    """How many different ones the games began with."""
    players: int = 2
    """Of each game; a game of more than two counts as a game of every two of them."""

    @classmethod
    def of(
        cls, records: Iterable[GameRecord], agents: Sequence[str] = (), chance: bool = False
    ) -> Tally:
        """Counts ``records``, and ``agents`` also where they have not played yet.

        ``chance``: whether it is part of the game, see ``head_to_head``. ValueError for a game
        against oneself and for impossible points.
        """
        numbers = {agent: number for number, agent in enumerate(agents)}
        if len(numbers) < len(agents):
            raise ValueError(f"every agent is named once, not {', '.join(agents)}")
        rows: dict[tuple[int, int], int] = {}
        in_order = sorted(records, key=lambda record: record.number)
        for record in in_order:
            _require_result(record)
            seats = [numbers.setdefault(player, len(numbers)) for player in record.players]
            for i, j, _ in record.duels:
                rows.setdefault((seats[i], seats[j]), len(rows))

        def duels(record: GameRecord) -> list[tuple[int, int]]:
            seats = [numbers[player] for player in record.players]
            return [(rows[seats[i], seats[j]], OUTCOMES[points]) for i, j, points in record.duels]

        found = Counter(
            (len(pairs), tuple(sorted(duel for pair in pairs for r in pair for duel in duels(r))))
            for pairs in clusters_of(in_order, chance)
        )
        places = [
            (kind, 3 * row + outcome)
            for kind, (_, games) in enumerate(found)
            for row, outcome in games
        ]
        at, ones = np.array(places, np.int64).reshape(-1, 2).T, np.ones(len(places))
        sparse = scipy_module("scipy.sparse")
        kinds = sparse.csr_matrix((ones, at), shape=(len(found), 3 * len(rows)))
        design = Design(np.array(list(rows), np.int64).reshape(-1, 2), len(numbers))
        sizes = np.array([size for size, _ in found], np.float64)
        frequencies = np.array(list(found.values()), np.float64)
        openings = len({record.opening for record in in_order})
        players = len(in_order[0].players) if in_order else 2
        return cls(tuple(numbers), design, kinds, sizes, frequencies, openings, players)

    @property
    def results(self) -> Array:
        """Returns (m, 3): wins, draws and losses of the first seats in all games."""
        return np.reshape(self.kinds.T @ self.frequencies, (-1, 3))

    @property
    def evidence(self) -> Array:
        """Returns (m, 3): the results, each cluster counting as a single pair.

        Of more players, each agent of a cluster has two results, as it has in a pair.
        """
        each = group_size(self.players) * (self.players - 1) / 2
        return np.reshape(self.kinds.T @ (self.frequencies / self.sizes), (-1, 3)) / each

    @property
    def games(self) -> int:
        """Returns how many games were played."""
        return int(self.results.sum()) // comb(self.players, 2)

    @property
    def pairs(self) -> int:
        """Returns how many pairs or groups were played, also those with a game missing."""
        return int(self.frequencies @ self.sizes)

    @property
    def clusters(self) -> int:
        """Returns how many clusters they are."""
        return int(self.frequencies.sum())

    @property
    def between(self) -> Array:
        """Returns (n, n): how many clusters of pairs any two agents played."""
        found = np.zeros((len(self.agents), len(self.agents)))
        for kind, frequency in enumerate(self.frequencies):
            own = self.kinds.indices[slice(*self.kinds.indptr[kind : kind + 2])]
            for pair in {frozenset(seats) for seats in self.design.seats[own // 3].tolist()}:
                first, second = pair
                found[first, second] += frequency
                found[second, first] += frequency
        return found

    @property
    def played(self) -> Array:
        """Returns (n,): how many clusters each agent played."""
        found: Array = self.between.sum(axis=0) / (self.players - 1)
        return found

    @property
    def alike(self) -> bool:
        """Returns whether all clusters of the same two agents ended alike, pair by pair."""
        ends: dict[frozenset[int], dict[int, float]] = {}
        for kind, size in enumerate(self.sizes):
            own = slice(*self.kinds.indptr[kind : kind + 2])
            places, numbers = self.kinds.indices[own].tolist(), self.kinds.data[own] / size
            end = dict(zip(places, numbers.round(9).tolist(), strict=True))
            met = frozenset(self.design.seats[np.array(places) // 3].ravel().tolist())
            if ends.setdefault(met, end) != end:
                return False
        return self.pairs > 0

    def resampled(self, times: int, rng: np.random.Generator) -> Array:
        """Returns (times, m, 3): results of as many clusters, drawn with replacement."""
        shares = self.frequencies / self.clusters
        drawn = rng.multinomial(self.clusters, shares, size=times).astype(np.float64)
        return np.reshape((self.kinds.T @ drawn.T).T, (times, -1, 3))

    def taken(self) -> Array:
        """Returns (n, n): the points that each agent took from each other."""
        points = np.zeros((len(self.agents), len(self.agents)))
        brought = points_of(self.results)
        for (first, second), (mine, others) in zip(self.design.seats, brought, strict=True):
            points[first, second] += mine
            points[second, first] += others
        return points


# ---- connectivity


@dataclass(frozen=True)
class Connectivity:
    """Describes which ratings the games leave open. Arrays have one entry for each agent."""

    groups: tuple[tuple[str, ...], ...]
    """Agents that are connected by games."""
    open_sets: tuple[tuple[tuple[str, ...], str], ...]
    """Sets within a group whose rating lacks a limit: "above" the reference set, which took no
    point from them, "below" it, or "between" other sets."""
    kinds: NDArray[np.str_]
    """The kind of the set of each agent; "" where its rating has both limits. Those "above" and
    "between" have no upper limit, those "below" and "between" no lower one."""
    reference: NDArray[np.bool_]
    """(n, n): row i is the reference set of agent i, whose mean rating is 0."""
    shift: Array
    """How far such a set would have to move for its results to have a chance of 2.5 %, in Elo."""
    evidence: Array
    """(n, n): by how many clusters of pairs they are told apart."""
    apart: NDArray[np.bool_]
    """(n, n): whether two agents are in different groups."""


def connectivity(tally: Tally, likeliest: Array, anchors: Iterable[int] = ()) -> Connectivity:
    """Returns the connectivity of a tournament; ``likeliest`` are the fitted parameters (p,).

    The ``anchors`` are one set, as their differences are known.
    """
    known = list(anchors)
    connected: Callable[..., tuple[int, NDArray[np.int64]]]
    connected = scipy_module("scipy.sparse.csgraph").connected_components
    took = tally.taken() > 0
    took[np.ix_(known, known)] |= ~np.eye(len(known), dtype=bool)
    _, group = connected(took, directed=False)
    _, strong = connected(took, connection="strong")
    n = len(tally.agents)
    reach = took | np.eye(n, dtype=bool)  # whether a chain of points leads from one to another
    for through in range(n):
        reach |= reach[:, [through]] & reach[through]
    reference, shift, sets = np.zeros((n, n), bool), np.zeros(n), []
    kinds = np.full(n, "", "<U7")
    for number in dict.fromkeys(strong.tolist()):
        inside = strong == number
        own = group == group[inside][0]
        base = _reference_set(strong, own, known[0] if known else None)
        reference[inside] = own if base is None else base
        kinds[inside] = kind = _kind(took, reach, inside, own, base)
        if kind in ("above", "below"):  # agents that are even farther away move with it
            farther = reach[:, inside] if kind == "above" else reach[inside].T
            direction = np.append(farther.any(axis=1).astype(np.float64), 0.0)
            shift[inside] = farthest(tally, likeliest, direction, down=kind == "above")
        if kind and not (inside == own).all():
            names = tuple(tally.agents[i] for i in np.flatnonzero(inside))
            sets.append((names, kind))
    met = tally.between
    least = np.minimum(tally.played[:, None], tally.played[None, :])
    members = [np.flatnonzero(group == g) for g in dict.fromkeys(group.tolist())]
    return Connectivity(
        tuple(tuple(tally.agents[i] for i in inside) for inside in members),
        tuple(sets),
        kinds,
        reference,
        shift,
        np.where(met > 0, met, least),
        group[:, None] != group[None, :],
    )


def _kind(
    took: NDArray[np.bool_],
    reach: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    group: NDArray[np.bool_],
    base: NDArray[np.bool_] | None,
) -> str:
    """Returns the kind of the set ``inside`` of a group from ``base``; see ``Connectivity``."""
    if base is not None and base[inside].all():
        return ""  # the others are measured from it
    played = took[inside].any() or took[:, inside].any()
    if (inside == group).all() and (inside.sum() > 1 or len(took) == 1 or played):
        return ""  # the group is one set: its ratings are finite
    others = group & ~inside if base is None else base
    beats, beaten = reach[inside][:, others].any(), reach[others][:, inside].any()
    return "between" if beats == beaten else "above" if beats else "below"


def _reference_set(
    strong: NDArray[np.int64], group: NDArray[np.bool_], anchor: int | None
) -> NDArray[np.bool_] | None:
    """Returns the reference set of a group: the component of the anchor, or the largest one.

    None if no two agents are in one component: then the mean of all is 0.
    """
    if anchor is not None and group[anchor]:
        found: NDArray[np.bool_] = strong == strong[anchor]
        return found
    numbers, sizes = np.unique(strong[group], return_counts=True)
    largest: NDArray[np.bool_] = strong == numbers[sizes.argmax()]
    return largest if sizes.max() > 1 else None


def farthest(tally: Tally, likeliest: Array, direction: Array, down: bool) -> float:
    """Returns how far parameters can move until the results have a chance of only 2.5 %, in Elo.

    ``direction`` (p,) says which parameters move, and ``down`` that they decrease. The results are
    those of the games that depend on them, all won by the same side; the games of a cluster count
    as a single pair. 0 where they have no more chance as it is: many agents together that lose all.
    """
    rows, points = tally.design.rows, points_of(tally.evidence)
    outward = rows @ direction != 0

    def excess(distance: float) -> float:
        d = rows @ (likeliest + distance * direction)
        lost = np.logaddexp(0, -d) * points[:, 0] + np.logaddexp(0, d) * points[:, 1]
        return -float(lost[outward].sum()) - math.log(0.025)

    if excess(0.0) <= 0:
        return 0.0
    find_root: Callable[..., float] = scipy_module("scipy.optimize").brentq
    return ELO * find_root(excess, 0.0, -200.0 if down else 200.0)
