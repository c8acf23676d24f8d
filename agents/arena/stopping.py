"""When a tournament of two is over before its last game: SPRT, pair by pair in order."""

from __future__ import annotations

from collections.abc import Iterable

from .rating.clusters import Clusters
from .rating.head_to_head import HeadToHead
from .rating.sprt import RUNNING, Sprt
from .store import Row


class Stopping:
    """Looks at pairs in the order of the schedule, whatever the order in which they are played.

    So where it stops does not depend on the workers.
    """

    def __init__(self, sprt: Sprt, openings: int) -> None:
        """``openings``: how many the tournament has. Of a single one, see ``clusters``."""
        self.sprt = sprt
        self.end: int | None = None
        """How many games were needed, once it is decided."""
        self._clusters = Clusters(by_moves=openings == 1)
        self._waiting: dict[int, Row] = {}
        self._pairs = 0

    def see(self, rows: Iterable[Row]) -> bool:
        """Count these games; whether the test is decided."""
        self._waiting.update((row[0], row) for row in rows)
        while self.end is None and {2 * self._pairs, 2 * self._pairs + 1} <= self._waiting.keys():
            one, other = (self._waiting.pop(2 * self._pairs + seat) for seat in (0, 1))
            self._pairs += 1
            points = one[5] + 1 - other[5]  # seats are swapped
            self._clusters.add(points, one[3], (one[4], other[4]))
            if self.sprt.state(self.games) != RUNNING:
                self.end = 2 * self._pairs
        return self.end is not None

    @property
    def games(self) -> HeadToHead:
        """What the first agent got, for the test: pairs and their clusters."""
        return HeadToHead.from_clusters("", "", self._clusters)

    @property
    def verdict(self) -> str:
        """The state of the test in words."""
        return self.sprt.verdict(self.games)

    def __str__(self) -> str:
        return f"{self.sprt.line(self.games)}; {self.verdict}"
