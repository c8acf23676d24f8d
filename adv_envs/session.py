"""Follows a game: where it began, what was played, who looks, what each player has seen.

Whatever shows a game to people asks here: the terminal, the page, the board of notebooks, and
records of games. What a player has seen of a move is what the rules announce
(``Position.seen_after``); nothing is inferred or guessed, so no name gives away what is hidden.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from .notation import line_text
from .position import Position


class SeenMove(NamedTuple):
    """Records what somebody has seen of a move."""

    player: int
    """Who made it; CHANCE for nobody."""
    name: str
    """"?" where something was done, but not what can be seen; "" where not even that."""
    action: int | None = None
    """The action, where it is seen."""


@dataclass
class Session:
    """Holds a game that is played: ``play`` goes on, ``undo`` goes back.

    Raises ValueError for ``actions`` that are not legal one after another.
    """

    start: Position
    actions: list[int] = field(default_factory=list)
    """The actions since the start, those of chance included; a given list is copied."""
    people: tuple[int, ...] = ()
    """The seats of the people who look on; none: agents play, and everything may be seen."""
    over: bool = False
    """Whether the game has ended before its end by the rules, so that everything may be seen."""
    positions: list[Position] = field(init=False, repr=False, compare=False)
    """All positions, the start first and the present one last."""

    def __post_init__(self) -> None:
        given, self.actions, self.positions = self.actions, [], [self.start]
        for number, action in enumerate(given, 1):
            if self.position.is_terminal() or not self.position.legal(action):
                raise ValueError(f"move {number} is not legal")
            self.play(action)

    @property
    def position(self) -> Position:
        """Returns the present position, all of it."""
        return self.positions[-1]

    @property
    def ended(self) -> bool:
        """Returns whether the game is over, by its rules or otherwise."""
        return self.over or self.position.is_terminal()

    @property
    def viewer(self) -> int | None:
        """Returns whose eyes see the game: of ``people`` the one to move, or else the first.

        None stands for somebody who sees everything: where no people play, nothing is hidden, or
        the game has ended.
        """
        if self.start.perfect_information or not self.people or self.ended:
            return None
        return self.position.to_move if self.position.to_move in self.people else self.people[0]

    @property
    def view(self) -> Position:
        """Returns the present position as the viewer sees it."""
        return view_of(self.position, self.viewer)

    def play(self, action: int) -> Position:
        """Plays a legal action, which is not checked, and returns the position after it."""
        self.positions.append(after := self.positions[-1].play(action))
        self.actions.append(action)
        return after

    def last_move_of(self, players: Collection[int]) -> int | None:
        """Returns the index in ``actions`` of the last move of one of ``players``, or None."""
        numbers = range(len(self.actions))
        made = (i for i in reversed(numbers) if self.positions[i].to_move in players)
        return next(made, None)

    def undo(self, players: Collection[int]) -> bool:
        """Goes back to before the last move of one of ``players``; False if there is none."""
        last = self.last_move_of(players)
        if last is None:
            return False
        del self.positions[last + 1 :], self.actions[last:]
        return True

    def seen(self, viewer: int | None) -> list[SeenMove]:
        """Returns what ``viewer`` has seen of each move by now; None has seen everything."""
        return [self._seen(number, viewer) for number in range(len(self.actions))]

    def last_seen(self, viewer: int | None) -> int | None:
        """Returns the last action, as far as ``viewer`` has seen it; else None."""
        return self._seen(len(self.actions) - 1, viewer).action if self.actions else None

    def _seen(self, number: int, viewer: int | None) -> SeenMove:
        before, after, action = *self.positions[number : number + 2], self.actions[number]
        moves_since = len(self.actions) - 1 - number
        if viewer is None or 0 <= before.seen_after(viewer, action) <= moves_since:
            return SeenMove(before.to_move, before.name(action), action)
        noticed = before.hidden(viewer) != after.hidden(viewer)
        return SeenMove(before.to_move, "?" if noticed else "")

    def text(self, viewer: int | None = None) -> str:
        """Returns the line of play as text, as ``viewer`` has seen it; None: as it was played."""
        if viewer is None or self.start.perfect_information:
            return line_text(self.positions, self.actions)
        return " ".join(move.name for move in self.seen(viewer) if move.name)


def view_of(position: Position, viewer: int | None) -> Position:
    """Returns what ``viewer`` sees of a position; None sees everything."""
    return position if viewer is None else position.hidden(viewer)
