"""The time a program has in a game: ``time_settings`` and ``time_left`` of GTP."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import agents

MARGIN = 0.05
"""Seconds kept back in every move, for what is not thinking."""

LEAST = 0.01
"""The shortest time to think, in seconds: with the flag about to fall, too."""


@dataclass
class Clock:
    """What one player has left: ``seconds``, for ``moves`` moves or, if that is 0, for the game.

    ``period`` is what follows when that is used up: seconds and moves, again and again.
    """

    seconds: float
    moves: int = 0
    period: tuple[float, int] = (0.0, 0)

    def spend(self, seconds: float) -> None:
        """A move took ``seconds``."""
        self.seconds -= seconds
        over = self.seconds <= 0 or self.moves == 1
        self.moves = max(self.moves - 1, 0)
        if over and self.period[1]:
            self.seconds, self.moves = self.period

    def share(self, empty: int) -> float:
        """Seconds for the next move, where ``empty`` cells are empty.

        A game of Hex is usually over with half of the board empty or more, so a player has about
        ``empty / 4`` moves left to make; the last few get more than their share would be.
        """
        left = self.seconds / (self.moves or max(empty / 4, 5))
        return max(min(left, self.seconds) - MARGIN, LEAST)


@contextlib.contextmanager
def thinking_for(agent: agents.Agent, seconds: float | None) -> Iterator[None]:
    """In here ``agent`` thinks ``seconds`` at most, if it has a parameter of that name.

    The parameter is set on the agent, not on a copy: a copy would forget what it knows.
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
