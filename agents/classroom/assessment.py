"""Defines what a check of a rubric is, what comes out of it, and what it is run on.

A kind of check is a subclass of ``RubricCheck``: a dataclass whose fields are the keys that a
rubric may give it. ``Assessment`` holds the student's program and what several checks need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from adv_envs import IllegalMove, Position
from adv_envs.random import derived_seed
from agents.agent import Agent, clean
from agents.arena.isolation import TOO_LATE
from agents.faults import CannotPlay, Forfeit, NobodyToBlame, first_decision
from agents.match_loop import MatchResult, match
from agents.simple import Random

from .rubric_words import RubricWords

if TYPE_CHECKING:
    from agents.grading import TestPosition

    from .rubric import Rubric
    from .students import Student

MOST_EXAMPLES = 3
"""Positions that are drawn in the feedback of a check."""


@dataclass(frozen=True)
class DrawnExample:
    """Shows a position in feedback: a sentence, and the moves that are marked."""

    position: Position
    text: str
    right: tuple[int, ...] = ()
    played: int | None = None

    def __str__(self) -> str:
        drawn = "\n".join(f"    {line}" for line in str(self.position).splitlines())
        return f"{drawn}\n{self.text}"

    def to_dict(self) -> dict[str, Any]:
        """Returns the example as plain data, for JSON."""
        name = self.position.name
        return {
            "position": repr(self.position),
            "text": self.text,
            "right": [name(action) for action in self.right],
            "played": None if self.played is None else name(self.played),
        }


@dataclass(frozen=True)
class CheckOutcome:
    """Holds what came out of a check."""

    check: RubricCheck
    title: str
    points: float
    """Points that it earns, rounded to hundredths; negative where the check only deducts."""
    passed: bool | None
    """Whether it passed fully; None where a person is to look at it."""
    feedback: str
    examples: tuple[DrawnExample, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Numbers behind it, as plain data."""
    for_staff: str = ""
    """What only teachers are told."""
    printed: str = ""
    """What the program printed meanwhile."""

    @property
    def text(self) -> str:
        """Returns the feedback with its positions drawn as text."""
        return "\n\n".join([self.feedback, *map(str, self.examples)])


@dataclass(frozen=True, kw_only=True)
class RubricCheck:
    """Represents one check of a rubric; subclasses have a ``kind`` and say how it is run."""

    kind: ClassVar[str] = ""
    for_staff: ClassVar[bool] = False
    """Whether only teachers ever see it."""
    title: str = ""
    """What students read; a sentence of the language by default."""
    points: float = 0.0
    """Points at most; of a negative number, what is taken away where it fails."""
    hidden: bool = False
    """Whether students see it only after grades are published."""
    required: bool = False
    """Whether the total is 0 where it fails."""
    extra_credit: bool = False
    """Whether its points come on top of the total."""

    @property
    def secret(self) -> bool:
        """Returns whether students do not see at once what comes out."""
        return self.hidden or self.for_staff

    @property
    def most(self) -> float:
        """Returns the points that count for the total of the rubric."""
        return 0.0 if self.extra_credit else max(self.points, 0.0)

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError, which says why, where this game or rubric cannot have the check."""

    def heading(self, words: RubricWords) -> str:
        """Returns the title that students read."""
        return self.title or words(f"title_{self.kind}", **self.named())

    def named(self) -> dict[str, str]:
        """Returns the values that the title of this kind has."""
        return {}

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; failures of the student's program are part of what comes out."""
        raise NotImplementedError

    def outcome(
        self,
        assessment: Assessment,
        share: float,
        feedback: str,
        examples: Sequence[DrawnExample] = (),
        data: Mapping[str, Any] | None = None,
        *,
        review: bool = False,
        for_staff: str = "",
    ) -> CheckOutcome:
        """Returns what comes out where a ``share``, 0 to 1, of the points is earned.

        With ``review`` it neither passes nor fails: a person is to look at it.
        """
        earned = self.points * share if self.points >= 0 else self.points * (1 - share)
        return CheckOutcome(
            self,
            self.heading(assessment.words),
            round(earned, 2) + 0.0,
            None if review else share >= 1,
            feedback,
            tuple(examples[:MOST_EXAMPLES]),
            data or {},
            for_staff,
        )


def numbered(value: float) -> str:
    """Returns a number for a sentence: 2, 0.5, 83.3."""
    return f"{round(value, 2):g}"


def percentage(share: float) -> str:
    """Returns a share in percent, without the sign: 83.3."""
    return numbered(round(100 * share, 1))


def shown(value: Any) -> str:
    """Returns a result of a student's function for a sentence, at most 200 characters of it."""
    return clean(repr(value), 200)


def why_of(error: BaseException) -> str:
    """Returns what a failure of a student's program says."""
    return plainly(error.why if isinstance(error, Forfeit | CannotPlay) else str(error))


def plainly(why: str) -> str:
    """Returns why a program failed, in words for students."""
    return clean(why.removeprefix("IllegalAction: ").replace(TOO_LATE, "no answer in time"))


def view(position: Position) -> Position:
    """Returns what the player to move sees of a position."""
    return position.hidden(position.to_move)


STUDENT_FAILURES = Forfeit, NobodyToBlame, CannotPlay, IllegalMove
"""What questions to a student's program raise where it fails, or where its process does."""


class Assessment:
    """Holds one submission while it is graded: the rubric, the program, and its seed."""

    def __init__(self, rubric: Rubric, student: Student, seed: int) -> None:
        self.rubric, self.student, self.seed = rubric, student, seed
        self.words = RubricWords(rubric.language)
        self.games: Callable[[int], MatchResult] = cache(self._games)
        self.tests: Callable[[int], Sequence[TestPosition]] = cache(self._tests)

    @property
    def start(self) -> Position:
        """Returns the first position of the game."""
        return self.rubric.start

    @property
    def first(self) -> Position:
        """Returns what the first player sees when there is something to choose."""
        return view(first_decision(self.start))

    def seed_for(self, *what: Any) -> int:
        """Returns the seed for some purpose, another one for every student."""
        return derived_seed(self.seed, *what, bits=53)

    def _games(self, number: int) -> MatchResult:
        """Plays games against random moves, in every seat the same number of them."""
        seats = self.start.num_players
        others: list[Agent] = [Random() for _ in range(seats - 1)]
        pairs, seed = -(-number // seats), self.seed_for("games")
        return match(self.start, self.student.agent, *others, pairs=pairs, seed=seed)

    def _tests(self, number: int) -> Sequence[TestPosition]:
        """Returns test positions at which some move is wrong, drawn for this student."""
        from agents.grading import NotGraded, exact_for, positions_for

        found = positions_for(exact_for(self.start), 2 * number, self.seed_for("positions"))
        tests = [test for test in found.positions if test.value_matters][:number]
        if not tests:
            raise NotGraded(f"no position of {self.rubric.name} was found at which a move is wrong")
        return tests
