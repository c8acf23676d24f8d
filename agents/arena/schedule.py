"""Who meets whom, from which opening and with which seed: all of it follows from a game's number.

Nothing here depends on what was played before, so that games can be played in any order, by any
number of workers, and again, and always come out the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import NamedTuple


class Task(NamedTuple):
    """One game to be played."""

    number: int
    players: tuple[int, int]
    """Which agents; the first has the first seat."""
    opening: int
    """Which of the openings."""
    seed: int
    """What agents and chance draw their random numbers from."""


@dataclass(frozen=True)
class Schedule:
    """All games: in each round every pairing plays one opening twice, with seats swapped."""

    pairings: tuple[tuple[int, int], ...]
    """Who meets: indices of agents."""
    rounds: int
    openings: int
    """How many openings there are; round r plays number r, and begins again after the last."""
    seed: int = 0

    def __len__(self) -> int:
        return 2 * self.rounds * len(self.pairings)

    def task(self, number: int) -> Task:
        """Game ``number``, from 0. IndexError if there is none."""
        if not 0 <= number < len(self):
            raise IndexError(f"games are numbered 0 to {len(self) - 1}, not {number}")
        turn, pairing = divmod(number // 2, len(self.pairings))
        a, b = self.pairings[pairing]
        digest = blake2b(b"%d %d" % (self.seed, number), digest_size=8).digest()
        players = (b, a) if number % 2 else (a, b)
        return Task(number, players, turn % self.openings, int.from_bytes(digest, "big"))


def round_robin(agents: int) -> tuple[tuple[int, int], ...]:
    """Everybody meets everybody."""
    return tuple(combinations(range(agents), 2))


def gauntlet(agents: int) -> tuple[tuple[int, int], ...]:
    """The first meets all others, and they do not meet each other."""
    return tuple((0, other) for other in range(1, agents))


def numbered(specs: list[str]) -> list[str]:
    """The specs as names: the second agent of one spec is called spec#2, the third spec#3."""
    times: dict[str, int] = {}
    names = []
    for spec in specs:
        times[spec] = times.get(spec, 0) + 1
        names.append(spec if times[spec] == 1 else f"{spec}#{times[spec]}")
    return names
