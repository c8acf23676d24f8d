"""Positions with the moves that led there, each played and named once, and what a player saw of it.

In games in which players do not see everything, what is said of a move is worked out from what the
player sees before and after it, and from nothing else: so no name can give away what is hidden.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from adv_envs import Position
from adv_envs.random import scattered

MOST_POSITIONS = 4096
"""Positions that are remembered, so that a line is not played from its start at every request."""
GUESSES = 50
"""Positions that are tried for what a player may be looking at."""


class SeenMove(NamedTuple):
    """What a player has seen of a move."""

    name: str
    """"?" where something was done, but not what can be seen; "" where not even that."""
    action: int | None = None


UNKNOWN, UNNOTICED = SeenMove("?"), SeenMove("")


class History:
    """A position, and how the game came there."""

    __slots__ = ("_seen", "_short", "action", "parent", "position")

    def __init__(self, position: Position, parent: History | None = None, action: int = -1) -> None:
        self.position, self.parent, self.action = position, parent, action
        self._short: bool | None = None
        self._seen: dict[tuple[Any, bool], SeenMove] = {}

    def path(self) -> list[History]:
        """All positions from the start to this one, the start left out."""
        found = []
        here = self
        while here.parent is not None:
            found.append(here)
            here = here.parent
        return found[::-1]

    @property
    def before(self) -> Position:
        """The position in which the last move was made."""
        assert self.parent is not None
        return self.parent.position

    @property
    def player(self) -> int:
        """Who made the last move."""
        return self.before.to_move

    @property
    def was_among_short_names(self) -> bool:
        """Whether every move that could be made in place of the last has a name of one letter."""
        if self._short is None:
            before = self.before
            self._short = all(len(before.name(action)) == 1 for action in before.legal_actions())
        return self._short

    def seen(self, viewer: int | None) -> SeenMove:
        """What ``viewer`` saw of the last move when it was made; None sees everything."""
        return self._once(viewer, False, self._find_seen)

    def answered(self, viewer: int | None) -> SeenMove:
        """What the last move, the viewer's own, has shown of the move before it.

        So one learns what the other has chosen where both choose at the same time.
        """
        return self._once(viewer, True, self._find_answered)

    def _once(self, viewer: int | None, later: bool, find: Callable[[int], SeenMove]) -> SeenMove:
        known = self._seen.get((viewer, later))
        if known is None:
            if viewer is None or self.before.perfect_information:
                known = SeenMove(self.before.name(self.action), self.action)
            else:
                known = find(viewer)
            self._seen[viewer, later] = known
        return known

    def _find_seen(self, viewer: int) -> SeenMove:
        before, after = self.before.hidden(viewer), self.position.hidden(viewer)
        if self.player == viewer:
            return SeenMove(before.name(self.action), self.action)
        if before == after:
            return UNNOTICED
        return only(
            SeenMove(guess.name(action), action)
            for guess in guesses(before, viewer)
            for action in guess.legal_actions()
            if guess.play(action).hidden(viewer) == after
        )

    def _find_answered(self, viewer: int) -> SeenMove:
        earlier, after = self.parent, self.position.hidden(viewer)
        assert earlier is not None
        between = earlier.position.hidden(viewer)

        def fits(there: Position) -> bool:
            return (
                there.hidden(viewer) == between and there.play(self.action).hidden(viewer) == after
            )

        return only(
            SeenMove(guess.name(action), action)
            for guess in guesses(earlier.before.hidden(viewer), viewer)
            for action in guess.legal_actions()
            if fits(guess.play(action))
        )


def guesses(view: Position, viewer: int) -> Iterator[Position]:
    """Positions that ``viewer``, who sees ``view``, may be in."""
    tried = set()
    for seed in range(GUESSES):
        guess = view.determinized(viewer, scattered(seed))
        if guess not in tried:
            tried.add(guess)
            yield guess


def only(possible: Iterator[SeenMove]) -> SeenMove:
    """The one move there is; unknown where there are several, or none was found."""
    first = next(possible, UNKNOWN)
    return first if all(other == first for other in possible) else UNKNOWN


def moves_seen(here: History, viewer: int | None) -> list[SeenMove]:
    """What ``viewer`` knows of each move from the start to ``here``."""
    path = here.path()
    found = [each.seen(viewer) for each in path]
    for i, later in enumerate(path[1:]):
        if found[i] == UNKNOWN and later.player == viewer:
            found[i] = later.answered(viewer)
    return found


def line_text(here: History) -> str:
    """The line from the start to ``here``, as ``notation.write_line`` has it."""
    path = here.path()
    joined = all(each.was_among_short_names for each in path)
    return ("" if joined else " ").join(each.seen(None).name for each in path)


_histories: OrderedDict[tuple[Position, tuple[int, ...]], History] = OrderedDict()


def history_of(start: Position, actions: Sequence[int]) -> History:
    """The position after ``actions`` with its history; ValueError if one of them is not legal."""
    actions = tuple(actions)
    here = None
    known = len(actions) + 1
    while here is None:
        known -= 1
        here = _histories.get((start, actions[:known])) if known else History(start)
    for i, action in enumerate(actions[known:], known + 1):
        position = here.position
        if position.is_terminal() or not position.legal(action):
            raise ValueError(f"move {i} is not legal")
        here = History(position.play(action), here, action)
        _histories[start, actions[:i]] = here
        if len(_histories) > MOST_POSITIONS:
            with suppress(KeyError):  # another thread has taken the last one
                _histories.popitem(last=False)
    with suppress(KeyError):
        _histories.move_to_end((start, actions))
    return here
