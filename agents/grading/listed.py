"""The exact worth of moves in small games: every position is listed, and solved from the ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from adv_envs import Position, ThirtyOne, name_of
from adv_envs.position import Board
from agents.search.retrograde import Outcome, work_back

from .exact import Exact, Worth

MOST_LISTED = 250_000
"""Positions of the largest game that is solved by listing all of them, in some seconds."""


class ExactListed(Exact):
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

    def worths(self, position: Position) -> dict[int, Worth]:
        """By looking up the positions after the moves."""
        mover = position.to_move
        found = {}
        for action in position.legal_actions():
            utilities, plies = self._outcomes[position.play(action)]
            value = utilities[mover]
            if self.in_points:
                value = (value / self._most + 1) / 2
            found[action] = Worth(value, self._score(position, value, plies + 1))
        return found

    def _score(self, position: Position, value: float, plies: int) -> float:
        """The score of a game that ends after so many ``plies``."""
        if not self.has_scores:
            return value
        left = self._longest - self._depth[position]
        nth_last = (left - plies) // 2 + 1
        return float(nth_last if value > 0.5 else -nth_last if value < 0.5 else 0)

    def progress(self, position: Position) -> float:
        """As usual where the game says so, else by the number of moves."""
        if isinstance(position, Board | ThirtyOne):
            return super().progress(position)
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
