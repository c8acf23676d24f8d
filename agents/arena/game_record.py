"""Records a game that was played: by whom, its moves and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from agents.seating import group_size


@dataclass(frozen=True)
class GameRecord:
    """Records the agents, moves and result of a game.

    Games 2 n and 2 n + 1 are pair n: one opening, played twice with seats swapped. Of more players
    it is a group of as many games as ``group_size`` says, in all orders of seats.
    """

    number: int
    """Its place in the schedule, from 0."""
    players: tuple[str, ...]
    """The specs of the agents; the first had the first seat."""
    opening: tuple[int, ...]
    """The actions before the agents took over."""
    actions: tuple[int, ...]
    """Those that followed."""
    points: tuple[float, ...]
    """1 for a win, 0.5 for a draw, 0 for a loss; see ``points_of_game`` for more players."""
    seconds: tuple[float, ...]
    """Time each player thought."""
    reason: str = ""
    """Why it ended early: the player that failed, and how."""
    loser: int | None = None
    """The seat that lost it for this reason."""
    fault: str = ""
    """In a word: "illegal" action, "crash", out of "time", "resigned", or "" for none of them."""
    counts: tuple[Mapping[str, float], ...] = field(default=(), hash=False)
    """What each player counted, such as a language model its tokens: ``Agent.game_counts``."""

    printed: tuple[str, ...] = ()
    """What each player's process printed, shortened; agents that play in a worker print nothing."""

    def __post_init__(self) -> None:
        """Has everybody count and print nothing, where it is not given."""
        for name, nothing in (("counts", {}), ("printed", "")):
            given: tuple[Any, ...] = getattr(self, name) or (nothing,) * len(self.players)
            object.__setattr__(self, name, given)

    @property
    def pair(self) -> int:
        """Returns the pair it belongs to, of more players the group."""
        return self.number // group_size(len(self.players))

    @property
    def turn(self) -> int:
        """Returns its place in the pair or group, from 0."""
        return self.number % group_size(len(self.players))

    @property
    def duels(self) -> list[tuple[int, int, float]]:
        """Returns for every two seats: the earlier, the later, and 1, 0.5 or 0 for the earlier.

        Who has more points has beaten the other. Of two players it is the game itself.
        """
        points = self.points
        return [
            (i, j, 1.0 if points[i] > points[j] else 0.5 if points[i] == points[j] else 0.0)
            for i, j in combinations(range(len(points)), 2)
        ]

    @property
    def played(self) -> tuple[object, ...]:
        """Returns agents, opening and actions: equal for games that repeat each other."""
        return self.players, self.opening, self.actions


def points_of_game(utilities: Sequence[float]) -> tuple[float, ...]:
    """Returns the points of all seats, from 0 to 1: the share of the others that each has beaten.

    Who won more has beaten the other; an equal counts a half. The points of p players add up to
    p / 2.
    """
    others = len(utilities) - 1
    return tuple(
        (sum(own > other for other in utilities) + (utilities.count(own) - 1) / 2) / others
        for own in utilities
    )
