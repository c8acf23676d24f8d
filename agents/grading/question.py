"""A question of the report card: a position, and what each of its moves is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from adv_envs import Position
from agents.knowledge import MoveValue

PHASES = "opening", "middle", "end"
"""The thirds of a game: by stones on the board, by the total, by the higher score."""

DIFFICULTIES = "one right move", "up to half right", "over half right"

SAME = 1e-9
"""Values this close are the same: those of dice have rounding errors."""


@dataclass(frozen=True)
class Question:
    """A position somebody has to move in.

    Moves are right if they keep the value of the game, and strongest if no score is better: the
    quickest win or the longest defence, where the game has scores.
    """

    position: Position
    move_values: dict[int, MoveValue]
    """The worth of each legal action for the player to move."""
    phase: str
    """One of PHASES."""
    moves: str = ""
    """The line of play that leads here from the start; "" where none is known."""

    @cached_property
    def value(self) -> float:
        """The value of the position for the player to move: that of the best move."""
        return max(worth.value for worth in self.move_values.values())

    @cached_property
    def score(self) -> float:
        """The score of the strongest move."""
        return max(worth.score for worth in self.move_values.values())

    @cached_property
    def right(self) -> tuple[int, ...]:
        """The actions that keep the value."""
        return tuple(a for a, worth in self.move_values.items() if worth.value >= self.value - SAME)

    @cached_property
    def strongest(self) -> tuple[int, ...]:
        """The actions of the best score."""
        return tuple(a for a, worth in self.move_values.items() if worth.score >= self.score - SAME)

    @property
    def value_matters(self) -> bool:
        """Whether some move is wrong."""
        return len(self.right) < len(self.move_values)

    @property
    def score_matters(self) -> bool:
        """Whether some move is not a strongest one."""
        return len(self.strongest) < len(self.move_values)

    @property
    def difficulty(self) -> str:
        """One of DIFFICULTIES, by the number of right moves among the legal ones."""
        if len(self.right) == 1:
            return DIFFICULTIES[0]
        return DIFFICULTIES[1 if 2 * len(self.right) <= len(self.move_values) else 2]

    def lost(self, action: int | None) -> float:
        """How much of the value an action gives away; None, no answer, as much as possible."""
        return max(0.0, self.value - self._worth(action).value)

    def lost_score(self, action: int | None) -> float:
        """The same of the score."""
        return max(0.0, self.score - self._worth(action).score)

    def _worth(self, action: int | None) -> MoveValue:
        if action is not None:
            return self.move_values[action]
        return MoveValue(*map(min, zip(*self.move_values.values(), strict=True)))


def phase_of(progress: float) -> str:
    """The phase of a position with so much of the game behind it, from 0 to 1."""
    return PHASES[min(int(3 * progress), 2)]
