"""The model behind ratings: Bradley-Terry with an advantage of the first seat.

The expected score of agent i in the first seat against agent j, a draw being half a point, is

    1 / (1 + exp(-d)),   d = rating_i - rating_j + advantage

where ln 10 of these units are 400 Elo: the definition of Elo, and so ratings are on the scale of
``HeadToHead``. (R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
39, 1952. The advantage is an order effect: R. R. Davidson, R. J. Beaver, Biometrics 33, 1977.)

**Draws** enter the likelihood as half a win and half a loss, as in Ordo: the expected scores of all
agents are those that they have scored. This needs no assumption on when games are drawn, and is
right in the mean whenever expected scores are (quasi-likelihood: L. E. Papke, J. M. Wooldridge,
Econometric methods for fractional response variables, Journal of Applied Econometrics 11, 1996);
its error must be found by other means, here the bootstrap. The models of Davidson (1970) and of Rao
and Kupper (1967) have a parameter for draws instead, and a scale that depends on it: where the
first seat wins or draws but never loses, as in tic-tac-toe, Davidson's has no finite answer.

**Prior.** An agent that has won every game would be infinitely strong. So each rating and the
advantage have a normal prior of mean 0 and standard deviation ``PRIOR``, 1000 Elo. It tells as much
as an eighth of a game between equals, and makes the mean of all ratings, in each group that met,
zero.

**Connectivity.** Without the prior, ratings are finite if and only if the agents cannot be split
into two sets such that one took every point from the other (L. R. Ford, Solution of a ranking
problem from binary comparisons, American Mathematical Monthly 64, 1957): if the graph with an arrow
from each agent to all agents it took points from is strongly connected. Where it is not, ratings
are measured from a reference set: the strongly connected component that holds the anchor, or else
the largest one. Its ratings have both limits; that of an agent that beat all of it has no upper
one, and so on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..store import GameRecord
from .clusters import clusters_of, scipy_module

Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo per unit of the model."""

PRIOR = 1000 / ELO
"""The standard deviation of the prior, in those units."""


@dataclass(frozen=True)
class Design:
    """The pairings and seats: the part of the model that does not depend on results.

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
    minimize: Callable[..., Any] = scipy_module("scipy.optimize").minimize

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
    which an agent won every game do not diverge. RuntimeError where ``steps`` are not enough.
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


# ---- the games, counted for the model

Outcome = tuple[int, int]
"""The row of the design, and what the first seat got: 0 a win, 1 a draw, 2 a loss."""

OUTCOMES = {(1.0, 0.0): 0, (0.5, 0.5): 1, (0.0, 1.0): 2}


def points_of(results: Array) -> Array:
    """The points (..., m, 2) of first and second seats that ``results`` (..., m, 3) brought."""
    halves = results[..., 1] / 2
    return np.stack([results[..., 0] + halves, results[..., 2] + halves], axis=-1)


@dataclass(frozen=True)
class Tally:
    """What was played, with clusters of equal seats and results as one kind of cluster."""

    agents: tuple[str, ...]
    """In the order given, then of the number of their first game."""
    design: Design
    kinds: Array
    """(k, m, 3): the wins, draws and losses of the first seats in one cluster of each kind."""
    sizes: Array
    """(k,): how many pairs are in it, those of which one game is missing included."""
    frequencies: Array
    """(k,): how many clusters there were of each kind."""
    openings: int
    """How many different ones the games began with."""

    @classmethod
    def of(
        cls, records: Iterable[GameRecord], agents: Sequence[str] = (), chance: bool = False
    ) -> Tally:
        """Count ``records``, and ``agents`` also where they have not played yet.

        ``chance``: whether it is part of the game, see ``clusters``. ValueError for a game against
        oneself and for impossible points.
        """
        numbers = {agent: number for number, agent in enumerate(agents)}
        if len(numbers) < len(agents):
            raise ValueError(f"every agent is named once, not {', '.join(agents)}")
        rows: dict[tuple[int, int], int] = {}
        in_order = sorted(records, key=lambda record: record.number)
        for record in in_order:
            require_result(record)
            for player in record.players:
                numbers.setdefault(player, len(numbers))
            rows.setdefault((numbers[record.players[0]], numbers[record.players[1]]), len(rows))

        def game(record: GameRecord) -> Outcome:
            first, second = record.players
            return rows[numbers[first], numbers[second]], OUTCOMES[record.points]

        found = Counter(
            (len(pairs), tuple(sorted(game(record) for pair in pairs for record in pair)))
            for pairs in clusters_of(in_order, chance)
        )
        kinds = np.zeros((len(found), len(rows), 3))
        for kind, (_, games) in enumerate(found):
            for row, outcome in games:
                kinds[kind, row, outcome] += 1
        design = Design(np.array(list(rows), np.int64).reshape(-1, 2), len(numbers))
        sizes = np.array([size for size, _ in found], np.float64)
        frequencies = np.array(list(found.values()), np.float64)
        openings = len({record.opening for record in in_order})
        return cls(tuple(numbers), design, kinds, sizes, frequencies, openings)

    @property
    def results(self) -> Array:
        """(m, 3): wins, draws and losses of the first seats in all games."""
        return np.tensordot(self.frequencies, self.kinds, 1)

    @property
    def evidence(self) -> Array:
        """(m, 3): the results, each cluster counting as a single pair."""
        return np.tensordot(self.frequencies / self.sizes, self.kinds, 1)

    @property
    def pairs(self) -> int:
        """How many pairs were played, those of which one game is missing included."""
        return int(self.frequencies @ self.sizes)

    @property
    def clusters(self) -> int:
        """How many clusters they are."""
        return int(self.frequencies.sum())

    @property
    def between(self) -> Array:
        """(n, n): how many clusters of pairs any two agents played."""
        found = np.zeros((len(self.agents), len(self.agents)))
        for kind, frequency in zip(self.kinds, self.frequencies, strict=True):
            first, second = self.design.seats[kind.any(axis=1)][0]
            found[first, second] += frequency
            found[second, first] += frequency
        return found

    @property
    def alike(self) -> bool:
        """Whether all clusters of the same two agents ended alike, pair by pair."""
        ends: dict[frozenset[int], Array] = {}
        for kind, size in zip(self.kinds, self.sizes, strict=True):
            met = frozenset(self.design.seats[kind.any(axis=1)].flatten().tolist())
            if not np.allclose(ends.setdefault(met, kind / size), kind / size):
                return False
        return self.pairs > 0

    def resampled(self, times: int, rng: np.random.Generator) -> Array:
        """(times, m, 3): results of as many clusters, drawn with replacement from all of them."""
        shares = self.frequencies / self.clusters
        drawn = rng.multinomial(self.clusters, shares, size=times).astype(np.float64)
        found: Array = np.tensordot(drawn, self.kinds, 1)
        return found

    def taken(self) -> Array:
        """(n, n): the points that each agent took from each other."""
        points = np.zeros((len(self.agents), len(self.agents)))
        brought = points_of(self.results)
        for (first, second), (mine, others) in zip(self.design.seats, brought, strict=True):
            points[first, second] += mine
            points[second, first] += others
        return points


def require_result(record: GameRecord) -> None:
    """ValueError for a game against oneself and for impossible points."""
    if len(set(record.players)) < 2:
        raise ValueError(f"game {record.number}: {record.players[0]!r} played itself")
    if record.points not in OUTCOMES:
        raise ValueError(
            f"game {record.number}: points are (1, 0), (0.5, 0.5) or (0, 1), not {record.points}"
        )


# ---- connectivity


@dataclass(frozen=True)
class Connectivity:
    """Which ratings the games leave open. Arrays have one entry for each agent."""

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


def connectivity(tally: Tally, likeliest: Array, anchor: int | None = None) -> Connectivity:
    """Return the connectivity of a tournament; ``likeliest`` are the fitted parameters (p,)."""
    connected: Callable[..., tuple[int, NDArray[np.int64]]]
    connected = scipy_module("scipy.sparse.csgraph").connected_components
    took = tally.taken() > 0
    _, group = connected(took, directed=False)
    _, strong = connected(took, connection="strong")
    n, reach = len(tally.agents), _reachable(took)
    reference, shift, sets = np.zeros((n, n), bool), np.zeros(n), []
    kinds = np.full(n, "", "<U7")
    for number in dict.fromkeys(strong.tolist()):
        inside = strong == number
        own = group == group[inside][0]
        base = _reference_set(strong, own, anchor)
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
    least = np.minimum(met.sum(axis=1)[:, None], met.sum(axis=1)[None, :])
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
    """The kind of the set ``inside`` of a group measured from ``base``; see ``Connectivity``."""
    if base is not None and base[inside].all():
        return ""  # the others are measured from it
    if (inside == group).all() and (inside.sum() > 1 or len(took) == 1 or _played(took, inside)):
        return ""  # the group is one set: its ratings are finite
    others = group & ~inside if base is None else base
    beats, beaten = reach[inside][:, others].any(), reach[others][:, inside].any()
    return "between" if beats == beaten else "above" if beats else "below"


def _reference_set(
    strong: NDArray[np.int64], group: NDArray[np.bool_], anchor: int | None
) -> NDArray[np.bool_] | None:
    """The reference set of a group: the component of the anchor, or the largest one.

    None if no two agents are in one component: then the mean of all is 0.
    """
    if anchor is not None and group[anchor]:
        found: NDArray[np.bool_] = strong == strong[anchor]
        return found
    numbers, sizes = np.unique(strong[group], return_counts=True)
    largest: NDArray[np.bool_] = strong == numbers[sizes.argmax()]
    return largest if sizes.max() > 1 else None


def _reachable(took: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, n): whether a chain of points leads from one agent to another; every agent to itself."""
    reach = took | np.eye(len(took), dtype=bool)
    for through in range(len(took)):
        reach |= reach[:, [through]] & reach[through]
    return reach


def _played(took: NDArray[np.bool_], inside: NDArray[np.bool_]) -> bool:
    """Whether the agents inside played anybody."""
    return bool(took[inside].any() or took[:, inside].any())


def farthest(tally: Tally, likeliest: Array, direction: Array, down: bool) -> float:
    """How far parameters can move until the results have a chance of only 2.5 %, in Elo.

    ``direction`` (p,) says which parameters move, and ``down`` that they decrease. The results are
    those of the games that depend on them, all won by the same side; the games of a cluster count
    as a single pair.
    """
    rows, points = tally.design.rows, points_of(tally.evidence)
    outward = rows @ direction != 0

    def excess(distance: float) -> float:
        d = rows @ (likeliest + distance * direction)
        lost = np.logaddexp(0, -d) * points[:, 0] + np.logaddexp(0, d) * points[:, 1]
        return -float(lost[outward].sum()) - math.log(0.025)

    find_root: Callable[..., float] = scipy_module("scipy.optimize").brentq
    return ELO * find_root(excess, 0.0, -200.0 if down else 200.0)
