"""When a tournament of two is over before its last game: SPRT, pair by pair in order."""

from __future__ import annotations

from collections.abc import Iterable

from .sprt import RUNNING, Sprt
from .store import Row


class Stopping:
    """Looks at pairs in the order of the schedule, whatever the order in which they are played.

    So where it stops does not depend on the workers.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.counts = [0, 0, 0, 0, 0]
        """Pairs that brought the first agent 0, 0.5, 1, 1.5 and 2 points."""
        self.end: int | None = None
        """How many games were needed, once it is decided."""
        self._points: dict[int, float] = {}
        self._pairs = 0

    def see(self, rows: Iterable[Row]) -> bool:
        """Count these games; whether the test is decided."""
        for row in rows:
            self._points[row[0]] = 1 - row[5] if row[0] % 2 else row[5]  # seats are swapped
        while self.end is None and {2 * self._pairs, 2 * self._pairs + 1} <= self._points.keys():
            points = self._points.pop(2 * self._pairs) + self._points.pop(2 * self._pairs + 1)
            self._pairs += 1
            self.counts[round(2 * points)] += 1
            if self.sprt.state(self.counts) != RUNNING:
                self.end = 2 * self._pairs
        return self.end is not None

    def __str__(self) -> str:
        return f"{self.sprt.line(self.counts)}; {self.sprt.verdict(self.counts)}"
