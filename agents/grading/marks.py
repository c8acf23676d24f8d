"""What answers are worth together: shares of right moves, value lost, and what chance would get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .probe import Answer
from .question import Question
from .statistics import Estimate, mean, share


@dataclass(frozen=True)
class Expected:
    """What a player who takes any legal move with the same probability gets on average, exactly."""

    kept: float | None
    strongest: float | None
    lost: float | None
    lost_score: float | None


@dataclass(frozen=True)
class Marks:
    """What some answers are worth.

    Only questions that can tell count: for the value those with a wrong move, for the strength
    those in which some move is not a strongest one. None where there are no such questions.
    """

    questions: int
    kept: Estimate | None
    """The share of moves that keep the value of the game."""
    strongest: Estimate | None
    """The share of moves that no score beats."""
    lost: Estimate | None
    """The regret: the value lost per move."""
    lost_score: Estimate | None
    """The score lost per move."""
    random: Expected
    """The same of random moves, on the same questions."""

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        estimates = {
            "kept": self.kept,
            "strongest": self.strongest,
            "lost": self.lost,
            "lost_score": self.lost_score,
        }
        return {
            "questions": self.questions,
            **{name: e and e.to_dict() for name, e in estimates.items()},
            "random": vars(self.random),
        }


def marks(answers: Sequence[Answer], has_scores: bool, seed: int, clustered: bool = False) -> Marks:
    """The marks for ``answers``; ``clustered`` if those of a game are to be taken together.

    Without scores a strongest move is a right one, and only that is told.
    """
    telling = [answer for answer in answers if answer.question.value_matters]
    strong = [answer for answer in answers if has_scores and answer.question.score_matters]

    def groups(some: list[Answer]) -> list[int] | None:
        return [answer.group for answer in some] if clustered else None

    return Marks(
        len(answers),
        share([a.kept for a in telling], groups(telling)),
        share([a.strongest for a in strong], groups(strong)),
        mean([a.lost for a in telling], seed, groups(telling), spread(telling, "value")),
        mean([a.lost_score for a in strong], seed, groups(strong), spread(strong, "score")),
        expected_random([answer.question for answer in answers], has_scores),
    )


def spread(answers: Sequence[Answer], what: str) -> float:
    """How far apart the best and the worst move are, on average."""
    pairs = [[getattr(w, what) for w in a.question.move_values.values()] for a in answers]
    return average(max(pair) - min(pair) for pair in pairs) or 0.0


def expected_random(questions: Iterable[Question], has_scores: bool = True) -> Expected:
    """What random moves get on ``questions``, by arithmetic."""
    every = list(questions)
    telling = [q for q in every if q.value_matters]
    strong = [q for q in every if has_scores and q.score_matters]
    return Expected(
        average(len(q.right) / len(q.move_values) for q in telling),
        average(len(q.strongest) / len(q.move_values) for q in strong),
        average(over_moves(q, q.lost) for q in telling),
        average(over_moves(q, q.lost_score) for q in strong),
    )


def over_moves(question: Question, lost: Callable[[int], float]) -> float:
    """What is lost on average over the legal moves."""
    return sum(map(lost, question.move_values)) / len(question.move_values)


def average(values: Iterable[float]) -> float | None:
    """The mean; None of none."""
    every = list(values)
    return sum(every) / len(every) if every else None
