"""The time of a program in a game: ``time_settings`` and ``time_left`` of GTP."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import agents

MARGIN = 0.05
"""Seconds kept in reserve in every move, for everything but the search."""

LEAST = 0.01
"""The shortest time to think, in seconds, even when the clock is about to run out."""


@dataclass
class GtpClock:
    """A player's clock: ``seconds`` for ``moves`` moves or, if that is 0, for the rest of the game.

    ``period`` is the (seconds, moves) that follow when the time is used up, again and again.
    """

    seconds: float
    moves: int = 0
    period: tuple[float, int] = (0.0, 0)

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move."""
        self.seconds -= seconds
        over = self.seconds <= 0 or self.moves == 1
        self.moves = max(self.moves - 1, 0)
        if over and self.period[1]:
            self.seconds, self.moves = self.period

    def share(self, empty: int) -> float:
        """Seconds for the next move on a board with ``empty`` empty cells.

        A game of Hex usually ends with half of the board empty or more, so a player has about
        ``empty / 4`` moves left, and at least 5 are assumed.
        """
        left = self.seconds / (self.moves or max(empty / 4, 5))
        return max(min(left, self.seconds) - MARGIN, LEAST)


@contextlib.contextmanager
def thinking_for(agent: agents.Agent, seconds: float | None) -> Iterator[None]:
    """Limit ``agent`` to ``seconds`` within the context, if it has a parameter of that name.

    The parameter is set on the agent itself: a copy would lose the agent's search tables.
    """
    own = getattr(agent, "seconds", None)
    if seconds is None or not hasattr(agent, "seconds"):
        yield
        return
    try:
        agent.seconds = seconds if own is None else min(seconds, own)
        yield
    finally:
        agent.seconds = own
