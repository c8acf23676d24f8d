"""Games, counted for the model of ratings: by who sat where, and by cluster of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..record import GameRecord
from .bradley_terry import Array, Design
from .clusters import clusters_of

Game = tuple[int, int]
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
    def of(cls, records: Iterable[GameRecord], agents: Sequence[str] = ()) -> Tally:
        """Count ``records``, and ``agents`` also where they have not played yet.

        ValueError for a game against oneself and for points that are no result of a game.
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

        def game(record: GameRecord) -> Game:
            first, second = record.players
            return rows[numbers[first], numbers[second]], OUTCOMES[record.points]

        found = Counter(
            (len(pairs), tuple(sorted(game(record) for pair in pairs for record in pair)))
            for pairs in clusters_of(in_order)
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
    """ValueError for a game against oneself and for points that are no result of a game."""
    if len(set(record.players)) < 2:
        raise ValueError(f"game {record.number}: {record.players[0]!r} played itself")
    if record.points not in OUTCOMES:
        raise ValueError(
            f"game {record.number}: points are (1, 0), (0.5, 0.5) or (0, 1), not {record.points}"
        )
