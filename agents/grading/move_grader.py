"""Grades the moves of games of messages: ``text_env(..., grade="exact")`` and "analyst".

Values are those of report cards where they take some seconds at most. Elsewhere "exact" gives no
grade, and "analyst" gives the estimates of a search: utilities, or evaluations, which become
winning chances (``agents.move_values``) times the largest utility.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adv_envs import Position
from adv_envs.position import checked
from adv_envs.text.grades import STEPPING, MoveGrade
from agents.agent import SearchAgent
from agents.knowledge import ExactValues, MoveValue, NotGraded, suitable_analyst
from agents.move_values import (
    move_values,
    scale_of,
    searching_agent,
    values_in,
    winning_of,
)
from agents.spec import make

from .exact_values import exact_for, exact_or_none
from .position_sets import TestPosition

EXACT, ANALYST = "exact", "analyst"


@dataclass(frozen=True)
class MoveGrader:
    """Grades a move at what its player saw, as ``grader(seen, action)``.

    A search gives the same grades again unless it has a limit of time. Threads may call it: one
    waits for the other.
    """

    start: Position
    has_exact_values: bool
    """Whether some positions of the game have exact values."""
    analyst: str | None
    """The spec of the agent that judges elsewhere; "analyst" for the one that suits the game; None
    for nobody."""

    def __call__(self, seen: Position, action: int) -> MoveGrade:
        """Returns the grade; all None where not all values of moves are known.

        ValueError for an action that is not legal; TypeError or ValueError for another game.
        """
        seen = checked(seen, self.start)
        if action not in (legal := seen.legal_actions()):
            raise ValueError(f"action {action!r} is not legal; legal: {legal}")
        with STEPPING:
            values, proven = self.move_utilities(seen)
        if len(values) < len(legal):
            return MoveGrade()
        moves = {each: MoveValue.of_value(value) for each, value in values.items()}
        test = TestPosition(seen, moves, phase="")
        return MoveGrade(
            kept=action in test.right,
            regret=test.lost(action) if action not in test.right else 0.0,
            value=test.value,
            best=tuple(seen.name(each) for each in test.right),
            proven=proven,
            difficulty=len(test.right) / len(values),
        )

    def move_utilities(self, seen: Position) -> tuple[Mapping[int, float], bool]:
        """Returns the utility of each move for the player to move, and whether all are exact.

        Empty where they are not known; of a search, those that it has found.
        """
        if self.has_exact_values:
            exact = exact_for(self.start)
            if exact.is_feasible(seen):
                return exact_utilities(exact, seen), True
        if self.analyst is None:
            return {}, False
        spec = suitable_analyst(seen) if self.analyst == ANALYST else self.analyst
        return estimated_utilities(searching_agent(make(spec)), seen)


def move_grader(spec: str, start: Position) -> MoveGrader:
    """Returns the grader of a spec, for the game of ``start``.

    "exact" needs exact values; "analyst" lets the agent that suits the game judge where there are
    none, and the spec of an agent lets that one judge. NotGraded, with what can be graded, where
    "exact" finds no values; ValueError or TypeError for other specs.
    """
    start = checked(start).start()
    if spec not in (EXACT, ANALYST):
        _require_search(spec)
    if spec != EXACT:
        return MoveGrader(start, exact_or_none(start) is not None, spec)
    try:
        exact_for(start)
    except NotGraded as error:
        raise NotGraded(
            f'grade="exact" needs the exact values of moves: {error}; grade="analyst" gives '
            "the estimates of a search"
        ) from None
    return MoveGrader(start, True, None)


def _require_search(spec: str) -> None:
    """Raises ValueError or TypeError if a spec is not that of an agent that searches."""
    try:
        searching_agent(make(spec))
    except (ValueError, TypeError) as error:
        raise type(error)(
            f'grade must be "exact", "analyst" or the spec of an agent that searches: {error}'
        ) from None


def exact_utilities(exact: ExactValues, position: Position) -> dict[int, float]:
    """Returns the exact utility of each move for the player to move."""
    most = exact.start.max_utility
    values = {action: move.value for action, move in exact.move_values(position).items()}
    return {a: (2 * v - 1) * most if exact.in_points else v for a, v in values.items()}


def estimated_utilities(agent: SearchAgent, seen: Position) -> tuple[dict[int, float], bool]:
    """Returns what a search says of moves, as utilities, and whether all of it is proven."""
    agent.reset(0)
    result, scale = agent.analyse(seen), scale_of(agent, seen)
    # Only an agent of hidden information may go on from what is seen.
    found = move_values(agent, seen, result) if seen.perfect_information else values_in(result)
    utilities = {
        action: winning_of(seen, each.value, each.proven, scale) * seen.max_utility
        for action, each in found.items()
    }
    return utilities, all(each.proven for each in found.values())
