"""Games, counted for the model of ratings: by who sat where, and by pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .bradley_terry import Array, Design
from .record import GameRecord

Game = tuple[int, int]
"""The row of the design, and what the first seat got: 0 a win, 1 a draw, 2 a loss."""

OUTCOMES = {(1.0, 0.0): 0, (0.5, 0.5): 1, (0.0, 1.0): 2}


def points_of(results: Array) -> Array:
    """The points (..., m, 2) of first and second seats that ``results`` (..., m, 3) brought."""
    halves = results[..., 1] / 2
    return np.stack([results[..., 0] + halves, results[..., 2] + halves], axis=-1)


@dataclass(frozen=True)
class Tally:
    """What was played, with pairs of equal seats and results as one kind of pair."""

    agents: tuple[str, ...]
    """In the order given, then of the number of their first game."""
    design: Design
    kinds: Array
    """(k, m, 3): the wins, draws and losses of the first seats in one pair of each kind."""
    frequencies: Array
    """(k,): how many pairs there were of each kind."""

    @classmethod
    def of(cls, records: Iterable[GameRecord], agents: Sequence[str] = ()) -> Tally:
        """Count ``records``, and ``agents`` also where they have not played yet.

        ValueError for a game against oneself and for points that are no result of a game.
        """
        numbers = {agent: number for number, agent in enumerate(agents)}
        if len(numbers) < len(agents):
            raise ValueError(f"every agent is named once, not {', '.join(agents)}")
        rows: dict[tuple[int, int], int] = {}
        pairs: dict[tuple[int, frozenset[str]], list[Game]] = defaultdict(list)
        for record in sorted(records, key=lambda record: record.number):
            if len(set(record.players)) < 2:
                raise ValueError(f"game {record.number}: {record.players[0]!r} played itself")
            outcome = OUTCOMES.get(record.points)
            if outcome is None:
                raise ValueError(
                    f"game {record.number}: points are (1, 0), (0.5, 0.5) or (0, 1), "
                    f"not {record.points}"
                )
            for player in record.players:
                numbers.setdefault(player, len(numbers))
            seats = numbers[record.players[0]], numbers[record.players[1]]
            row = rows.setdefault(seats, len(rows))
            pairs[record.pair, frozenset(record.players)].append((row, outcome))
        found = Counter(tuple(sorted(games)) for games in pairs.values())
        kinds = np.zeros((len(found), len(rows), 3))
        for kind, games in enumerate(found):
            for row, outcome in games:
                kinds[kind, row, outcome] += 1
        design = Design(np.array(list(rows), np.int64).reshape(-1, 2), len(numbers))
        return cls(tuple(numbers), design, kinds, np.array(list(found.values()), np.float64))

    @property
    def results(self) -> Array:
        """(m, 3): wins, draws and losses of the first seats in all games."""
        return np.tensordot(self.frequencies, self.kinds, 1)

    @property
    def pairs(self) -> int:
        """How many pairs were played, those of which one game is missing included."""
        return int(self.frequencies.sum())

    @property
    def alike(self) -> bool:
        """Whether all pairs of the same two agents ended alike."""
        meetings = {
            frozenset(self.design.seats[kind.any(axis=1)].flatten().tolist()) for kind in self.kinds
        }
        return self.pairs > 0 and len(meetings) == len(self.kinds)

    def resampled(self, times: int, rng: np.random.Generator) -> Array:
        """(times, m, 3): results of as many pairs, drawn with replacement from all of them."""
        shares = self.frequencies / self.pairs
        drawn = rng.multinomial(self.pairs, shares, size=times).astype(np.float64)
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
