"""The games that nobody plays yet, given out in chunks that grow with how fast they are played."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from .store import Row

FIRST_CHUNK = 64
"""Games that a player is given at once; it plays as many of them as a slice of time allows. Later
it is given twice as many as were played in the last slice."""


class Waiting:
    """Games by number, the first of the schedule first."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._chunk = FIRST_CHUNK

    def __len__(self) -> int:
        return len(self._numbers)

    def fill(self, numbers: Iterable[int]) -> None:
        """Have these games, and no others."""
        self._numbers = sorted(numbers)

    def take(self, players: int) -> list[int]:
        """A chunk for one of so many players: so few that all have some to the end."""
        share = -(-len(self._numbers) // (2 * players))
        return [heapq.heappop(self._numbers) for _ in range(min(share, self._chunk))]

    def give_back(self, given: Iterable[int], played: Sequence[Row]) -> None:
        """These were given out, and those of them played: the others wait again."""
        done = {row[0] for row in played}
        for number in given:
            if number not in done:
                heapq.heappush(self._numbers, number)
        if played:
            self._chunk = 2 * len(played)
