"""A game of a tournament, in plain data: what is stored, counted and shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GameRecord:
    """Who played whom, from where, and what came of it.

    Games 2 n and 2 n + 1 are pair n: one opening, played twice with seats swapped.
    """

    number: int
    """Its place in the schedule, from 0."""
    players: tuple[str, str]
    """The specs of the agents; the first had the first seat."""
    opening: tuple[int, ...]
    """The actions before the agents took over."""
    actions: tuple[int, ...]
    """Those that followed."""
    points: tuple[float, float]
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    seconds: tuple[float, float]
    """Time each player thought."""
    reason: str = ""
    """Why it ended before its end: who failed, and how."""
    loser: int | None = None
    """The seat that lost it for this reason."""
    fault: str = ""
    """In a word: "illegal" action, "crash", out of "time", "resigned", or "" for none of them."""

    @property
    def pair(self) -> int:
        """The pair it belongs to."""
        return self.number // 2
