"""Defines time controls, and the clock that enforces them and reports the player to move.

What a worker is doing is written into memory that its parent sees: the game, the player to move,
since when and until when (by ``perf_counter``, which all processes share), the moves so far, and
the time that all have used before. So if the process hangs or dies, the player to blame and
its time are known.
"""

from __future__ import annotations

import re
import time
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from agents.agent import Agent
from agents.match_loop import MoveCallbacks

GAME, TO_MOVE, BEGAN, DEADLINE, PLIES, ACTIONS = range(6)
"""Indices of the shared numbers; the actions follow, and the time that each player used."""

MOST_ACTIONS = 1000
"""The most actions that are recorded of a game that ends with the death of a process."""

USED = ACTIONS + MOST_ACTIONS
"""The index of the time that the first player used."""

NOBODY = -1

KILL_AFTER = 0.5
"""Seconds from the end of its time and grace until the process of an agent is killed."""

READY = 60.0
"""Seconds that an agent has to get ready, unless it is said otherwise."""

SHARE = 20
"""An agent is told to think for 1 / SHARE of the time left on its clock."""


class OutOfTime(TimeoutError):
    """Says that a move took longer than the time control allows."""


@dataclass(frozen=True)
class TimeControl:
    """Sets how long agents may think. With neither ``seconds`` nor ``clock`` there is no limit.

    A parameter ``seconds`` of an agent is lowered to what it may use in this move. Raises TypeError
    or ValueError for impossible times.
    """

    seconds: float | None = None
    """For each move."""
    clock: tuple[float, float] | None = None
    """For a whole game, and the increment after each move."""
    grace: float = 0.1
    """Seconds by which a move may exceed its time, for delays of the machine."""
    ready: float = READY
    """The limit of the move that does not count, which an agent makes before its first game in a
    process, so that compilation does not cost time on the clock; and of every reset. For agents in
    processes of their own it holds always, for others where moves are limited."""

    def __post_init__(self) -> None:
        """Checks the times."""
        base, increment = self.clock or (None, 0.0)
        for name, value, least in (
            ("seconds", self.seconds, 0.0),
            ("clock", base, 0.0),
            ("increment", increment, -inf),
            ("grace", self.grace, -inf),
            ("ready", self.ready, 0.0),
        ):
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number of seconds, not {value!r}")
            if not (isfinite(value) and value > least and value >= 0):
                least_of_all = "more than 0" if least == 0 else "at least 0"
                raise ValueError(f"{name} must be {least_of_all} seconds, not {value}")
        if self.seconds is not None and self.clock is not None:
            raise ValueError("time is given for each move or for the game, not both")

    @property
    def limited(self) -> bool:
        """Returns whether there is a limit."""
        return self.seconds is not None or self.clock is not None


def read_clock(text: str) -> tuple[float, float]:
    """Reads a clock such as "60+0.5": seconds for a game and the increment; or ValueError."""
    number = r"(\d+(?:\.\d*)?|\.\d+)"
    found = re.fullmatch(rf"{number}(?:\+{number})?", text.strip())
    if not found:
        raise ValueError(f'a clock is written "60" or "60+0.5", in seconds, not {text!r}')
    return float(found[1]), float(found[2] or 0)


def advised_seconds(allowed: float) -> float:
    """Returns how long an agent is told to think for an answer: a little less than it may take."""
    return max(0.9 * allowed, allowed - 0.05)


class Clock(MoveCallbacks):
    """Keeps the clock of one process, called before and after each move (see ``play_game``)."""

    def __init__(self, control: TimeControl, shared: MutableSequence[float]) -> None:
        self.control = control
        self._shared = shared
        self._limited = control.limited
        self.deadline = inf
        """When the player to move must have answered, its grace included."""

    def start(self, number: int, players: Sequence[Agent]) -> None:
        """Begins a game."""
        self._noted = 0  # moves of the game in the shared numbers
        self._used = [0.0] * len(players)
        self._players = players
        self._left = [self.control.clock[0] if self.control.clock else inf] * len(players)
        self._told = [getattr(agent, "seconds", None) for agent in players]
        shared = self._shared
        shared[TO_MOVE], shared[PLIES], shared[GAME] = NOBODY, 0, number
        for player in range(len(players)):
            shared[USED + player] = 0.0

    def stop(self) -> None:
        """Ends the game: restores the parameters of the agents."""
        self._shared[GAME] = NOBODY
        if self._limited:
            self._set_deadline(inf)
            agents: Sequence[Any] = self._players
            for agent, seconds in zip(agents, self._told, strict=True):
                if hasattr(agent, "seconds"):
                    agent.seconds = seconds

    def get_ready(self, player: int) -> None:
        """Notes that the agent is about to make the move that does not count."""
        self.before_reset(player)
        if self._limited:
            self._tell(player)

    def is_ready(self) -> None:
        """Notes that it has made it."""
        self._set_deadline(inf)
        self._shared[TO_MOVE] = NOBODY

    def before_reset(self, player: int) -> None:
        """Notes that the agent of ``player`` is about to be reset, with the time to get ready."""
        began = time.perf_counter()
        self._shared[TO_MOVE], self._shared[BEGAN] = player, began
        if self._limited:
            self._set_deadline(began + self.control.ready)

    def before(self, player: int, actions: Sequence[int], began: float) -> None:
        """Notes that ``player`` is asked for a move, after ``actions``."""
        shared = self._shared
        while self._noted < len(actions) and self._noted < MOST_ACTIONS:
            shared[ACTIONS + self._noted] = actions[self._noted]
            self._noted += 1
        shared[PLIES] = self._noted
        shared[TO_MOVE], shared[BEGAN] = player, began
        if self._limited:
            self._tell(player)
            self._set_deadline(began + self._allowed(player) + self.control.grace)

    def after(self, player: int, seconds: float) -> None:
        """Notes that the move took ``seconds``. OutOfTime if that is too long."""
        self._used[player] = self._shared[USED + player] = self._used[player] + seconds
        if not self._limited:
            return
        self._set_deadline(inf)
        allowed = self._allowed(player)
        if seconds > allowed + self.control.grace:
            limits = f"{allowed:.2f} s and {self.control.grace:g} s of grace"
            raise OutOfTime(f"{seconds:.2f} s for a move that may take {limits}")
        if self.control.clock:
            self._left[player] = max(allowed - seconds, 0.0) + self.control.clock[1]

    def _set_deadline(self, deadline: float) -> None:
        self.deadline = self._shared[DEADLINE] = deadline

    def _allowed(self, player: int) -> float:
        return self._left[player] if self.control.seconds is None else self.control.seconds

    def _tell(self, player: int) -> None:
        """Has an agent think for a little less than a move may take, or a share of its clock."""
        agent: Any = self._players[player]
        if not hasattr(agent, "seconds"):
            return
        allowed, own = self._allowed(player), self._told[player]
        seconds = advised_seconds(allowed)
        if self.control.clock:
            share = allowed / SHARE + self.control.clock[1]
            seconds = max(min(share, 0.9 * allowed), 0.001)
        agent.seconds = seconds if own is None else min(own, seconds)
