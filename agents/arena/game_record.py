"""Records a game that was played: by whom, its moves and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GameRecord:
    """Records the agents, moves and result of a game.

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
    """Why it ended early: the player that failed, and how."""
    loser: int | None = None
    """The seat that lost it for this reason."""
    fault: str = ""
    """In a word: "illegal" action, "crash", out of "time", "resigned", or "" for none of them."""
    counts: tuple[Mapping[str, float], Mapping[str, float]] = field(default=({}, {}), hash=False)
    """What each player counted, such as a language model its tokens: ``Agent.game_counts``."""

    printed: tuple[str, str] = ("", "")
    """What each player's process printed, shortened; agents that play in a worker print nothing."""

    @property
    def pair(self) -> int:
        """Returns the pair it belongs to."""
        return self.number // 2

    @property
    def played(self) -> tuple[object, ...]:
        """Returns agents, opening and actions: equal for games that repeat each other."""
        return self.players, self.opening, self.actions
