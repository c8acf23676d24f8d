"""The exact values of every move, for any game that can be solved within seconds.

Small games are solved by listing every position and working back from the ends; games with a solver
of their own have an ``exact_values`` in their record of ``agents.knowledge``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache

from adv_envs import Position, name_of
from agents.knowledge import ExactValues, MoveValue, knowledge_of
from agents.search.retrograde import Outcome, work_back

MOST_WRITTEN = 5_000_000
"""Positions that can be written down, reachable or not, of a game that is worth the attempt."""

MOST_LISTED = 250_000
"""Positions of the largest game that is solved by listing all of them, in some seconds."""


def exact_for(start: Position) -> ExactValues:
    """The exact values of moves in the game of ``start``; the same object again for the same game.

    ValueError, which says what is graded, for games that cannot be solved within seconds.
    """
    return _exact_for(start.start())


@lru_cache(maxsize=8)
def _exact_for(start: Position) -> ExactValues:
    if start.num_players != 2:
        raise ValueError(f"games of two players are graded, not of {start.num_players}")
    own = knowledge_of(start).exact_values
    return own(start) if own is not None else listed_values(start)


def listed_values(start: Position) -> ExactValues:
    """The exact values of moves in a small game, from a list of all its positions.

    ValueError if there are too many.
    """
    if (start.state_space() or 0) > MOST_WRITTEN:
        raise too_large(start)
    return ListedValues(start)


class ListedValues(ExactValues):
    """Any small game of two: every position is listed, and solved back from the ends."""

    def __init__(self, start: Position) -> None:
        super().__init__(start)
        children, self._depth = listed(self.start)
        self._outcomes: Mapping[Position, Outcome] = work_back(children)
        most = start.max_utility
        ends = (self._outcomes[p][0][0] for p, after in children.items() if not after)
        self.in_points = all(abs(value) in (0.0, most) for value in ends)
        self._most = most
        self.has_scores = self.in_points and not start.has_chance
        self._longest = max(self._depth.values())

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """By looking up the positions after the moves."""
        mover = position.to_move
        found = {}
        for action in position.legal_actions():
            utilities, plies = self._outcomes[position.play(action)]
            value = utilities[mover]
            if self.in_points:
                value = (value / self._most + 1) / 2
            found[action] = MoveValue(value, self._score(position, value, plies + 1))
        return found

    def _score(self, position: Position, value: float, plies: int) -> float:
        """The score of a game that ends after so many ``plies``."""
        if not self.has_scores:
            return value
        left = self._longest - self._depth[position]
        nth_last = (left - plies) // 2 + 1
        return float(nth_last if value > 0.5 else -nth_last if value < 0.5 else 0)

    def progress(self, position: Position) -> float:
        """As the game says, else by the number of moves."""
        progress = knowledge_of(position).progress
        if progress is not None:
            return float(progress(position))
        return self._depth[position] / max(self._longest, 1)


def too_large(start: Position) -> ValueError:
    """What is said of games with too many positions."""
    return ValueError(
        f"{name_of(start)} has more than {MOST_LISTED:,} positions with these parameters: too many "
        "to know what each move is worth; graded are small games, Connect Four, Hex up to 7 x 7 "
        "and Pig"
    )


def listed(
    start: Position,
) -> tuple[dict[Position, list[Position]], dict[Position, int]]:
    """Every reachable position with those after its actions, and how few moves lead to it.

    ValueError if there are more than MOST_LISTED.
    """
    children: dict[Position, list[Position]] = {}
    depth = {start: 0}
    todo = deque([start])
    while todo:
        position = todo.popleft()
        children[position] = [position.play(action) for action in position.legal_actions()]
        for child in children[position]:
            if child not in depth:
                depth[child] = depth[position] + 1
                todo.append(child)
        if len(depth) > MOST_LISTED:
            raise too_large(start)
    return children, depth
