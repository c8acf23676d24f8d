"""Points tables that are kept up to date game by game, for whoever watches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.results import Forfeits, Score

from .store import Row


@dataclass
class Standing:
    """What one agent has achieved so far."""

    name: str
    first: Score = field(default_factory=Score)
    """Its games in the first seat."""
    second: Score = field(default_factory=Score)
    """Its games in the second."""
    seconds: float = 0.0
    """Time it thought."""
    forfeits: Forfeits = field(default_factory=Forfeits)

    @property
    def total(self) -> Score:
        """All its games."""
        return self.first + self.second

    @property
    def share(self) -> float:
        """Its part of the points, 0 to 1; a half where nothing was played."""
        total = self.total
        return total.points / total.games if total.games else 0.5

    def to_dict(self) -> dict[str, Any]:
        """The same in plain data, for JSON."""
        return {
            "name": self.name,
            "points": self.total.points,
            "games": self.total.games,
            "first_seat": self.first.to_dict(),
            "second_seat": self.second.to_dict(),
            "forfeits": vars(self.forfeits),
            "seconds": self.seconds,
        }


class Standings:
    """The table of all agents, from the games counted so far."""

    def __init__(self, names: Sequence[str]) -> None:
        self.by_name = {name: Standing(name) for name in names}

    def count(self, rows: Iterable[Row]) -> None:
        """Add these games."""
        by_name = self.by_name
        for _, first, second, _, _, points, seconds_first, seconds_second, _, loser, fault in rows:
            a, b = by_name[first], by_name[second]
            a.first.count(points - 0.5)
            b.second.count(0.5 - points)
            a.seconds += seconds_first
            b.seconds += seconds_second
            if loser is not None and fault in vars(a.forfeits):
                forfeits = (b if loser else a).forfeits
                setattr(forfeits, fault, getattr(forfeits, fault) + 1)

    def table(self) -> list[Standing]:
        """The best first; where points are equal, in the order in which agents were named."""
        return sorted(self.by_name.values(), key=lambda standing: -standing.share)
