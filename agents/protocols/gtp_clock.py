"""The time of a program in a game, as controllers set it, and what an agent may spend of it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import agents

MARGIN = 0.05
"""Seconds kept in reserve in every move, for everything but the search."""

LEAST = 0.01
"""The shortest time to think, in seconds, even when the clock is about to run out."""

FEWEST_MOVES = 5
"""At least so many moves of a player are assumed to be still to come."""


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

    def share(self, moves_left: float) -> float:
        """Seconds for the next move of a player who expects to make ``moves_left`` of them."""
        return share(self.seconds, self.moves or max(moves_left, FEWEST_MOVES))


def share(seconds: float, moves: float) -> float:
    """Seconds for the next of ``moves`` moves that are made in ``seconds``."""
    return max(min(seconds / moves, seconds) - MARGIN, LEAST)


@contextlib.contextmanager
def thinking_for(agent: agents.Agent, seconds: float | None, **more: int | None) -> Iterator[None]:
    """Limit ``agent`` to ``seconds`` within the context, if it has a parameter of that name.

    ``more`` are other parameters that limit a search, such as ``depth``. None is no limit, and the
    agent's own limits hold too. The parameters are set on the agent itself: a copy would lose the
    agent's search tables. What it prints goes to standard error, so that it is not taken for an
    answer.
    """
    limits = {"seconds": seconds, **more}
    limits = {k: v for k, v in limits.items() if v is not None and hasattr(agent, k)}
    own = {name: getattr(agent, name) for name in limits}
    try:
        for name, limit in limits.items():
            setattr(agent, name, limit if own[name] is None else min(limit, own[name]))
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        for name, value in own.items():
            setattr(agent, name, value)
