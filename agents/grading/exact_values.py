"""Computes the exact values of every move, for any game that can be solved within seconds.

Small games are solved by listing every position and working back from the ends; games with a solver
of their own have ``exact_values`` in their record of ``agents.knowledge``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache

from adv_envs import Position, name_of
from adv_envs.position import checked
from adv_envs.random import impossible
from agents.knowledge import LISTED, ExactValues, MoveValue, NotGraded, knowledge_of
from agents.search.exact_play import MoveKernels
from agents.search.listing import (
    list_and_solve,
    listed_score,
    listed_share,
    listed_utility,
    new_list,
)
from agents.search.retrograde import Outcome, work_back

MAX_STATE_SPACE = 5_000_000
"""Positions that can be written down, reachable or not, of a game that is tried to be listed."""

MAX_LISTED = 250_000
"""Positions of the largest game that is solved by listing all of them, in some seconds."""


def exact_for(start: Position) -> ExactValues:
    """Returns the exact values of moves in the game of ``start``, the same object for each game.

    NotGraded, with what can be graded, for games that cannot be solved within seconds.
    """
    return _exact_for(checked(start).start())


@lru_cache(maxsize=8)
def _exact_for(start: Position) -> ExactValues:
    if not start.perfect_information:
        raise NotGraded(
            "a move alone has an exact value only with perfect information, and in this game "
            "players do not see everything"
        )
    if start.cooperative:
        raise NotGraded("a team's moves are not graded: agents.match tells its mean score")
    if start.num_players != 2:
        raise NotGraded(f"games of two players are graded, not of {start.num_players}")
    exact_values = knowledge_of(start).exact_values
    return exact_values(start) if exact_values is not None else listed_values(start)


def exact_or_none(start: Position) -> ExactValues | None:
    """Returns the same; None for games that cannot be solved within seconds."""
    try:
        return exact_for(start)
    except NotGraded:
        return None


def listed_values(start: Position) -> ExactValues:
    """Returns the exact values of moves in a small game, from a list of all its positions.

    ValueError if there are too many.
    """
    if (start.state_space() or 0) > MAX_STATE_SPACE:
        raise too_large(start)
    return ListedValues(start)


class ListedValues(ExactValues):
    """Computes the exact values of a small game of two players, by retrograde analysis."""

    name = "retrograde"
    solver_name = "retrograde()"
    source = LISTED
    of_start = True

    def __init__(self, start: Position) -> None:
        super().__init__(start)
        children: dict[Position, list[Position]] = {}
        self._depth, queue = {self.start: 0}, deque([self.start])
        while queue:
            position = queue.popleft()
            children[position] = [position.play(action) for action in position.legal_actions()]
            for child in children[position]:
                if child not in self._depth:
                    self._depth[child] = self._depth[position] + 1
                    queue.append(child)
            if len(self._depth) > MAX_LISTED:
                raise too_large(start)
        self._outcomes: Mapping[Position, Outcome] = work_back(children)
        self._max_utility = start.max_utility
        ends = (self._outcomes[p][0][0] for p, after in children.items() if not after)
        self.in_points = all(abs(value) in (0.0, self._max_utility) for value in ends)
        self.has_scores = self.in_points and not start.has_chance
        self._longest = max(self._depth.values())

    def move_kernels(self, start: Position) -> MoveKernels:
        """Returns the same values as kernels, in the unit of those of solvers."""
        value = listed_score if self.has_scores else listed_utility
        if self.in_points and not self.has_scores:
            value = listed_share
        bound = {} if start.has_chance else {"chance_of": impossible}
        arrays = new_list(start, len(self._depth) + 1)
        return MoveKernels(value, arrays, list_and_solve, bindings=bound, begins="start")

    def is_quick(self, position: Position) -> bool:
        """Returns whether the game leads to ``position``: one that was set up is not listed."""
        return position in self._outcomes

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action; empty where the game is over.

        ValueError for a position that play does not lead to from the start.
        """
        position = checked(position, self.start)
        if position not in self._depth:
            raise ValueError(f"play does not lead to {position!r}: its values are not listed")
        player, found = position.to_move, dict[int, MoveValue]()
        for action in position.legal_actions():
            utilities, plies = self._outcomes[position.play(action)]
            value = utilities[player]
            if self.in_points:
                value = (value / self._max_utility + 1) / 2
            found[action] = MoveValue(value, self._score(position, value, plies + 1))
        return found

    def _score(self, position: Position, value: float, plies: int) -> float:
        """Returns the score of a game that ends ``plies`` plies after ``position``."""
        if not self.has_scores:
            return value
        left = self._longest - self._depth[position]
        nth_last = (left - plies) // 2 + 1
        return float(nth_last if value > 0.5 else -nth_last if value < 0.5 else 0)

    def progress(self, position: Position) -> float:
        """Returns the progress of the game's record, else the share of the longest game.

        It is 0 where the game does not lead to ``position``.
        """
        if knowledge_of(position).progress is not None:
            return super().progress(position)
        return self._depth.get(position, 0) / max(self._longest, 1)


def too_large(start: Position) -> NotGraded:
    """Returns the error for a game with too many positions."""
    return NotGraded(
        f"{name_of(start)} has more than {MAX_LISTED:,} positions with these parameters, too many "
        "to know the value of each move, and no exact_values in its record of agents.knowledge"
    )
