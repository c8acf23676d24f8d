"""Grades submissions by a rubric: runs its checks, adds up the points, gives the feedback."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from .assessment import STUDENT_FAILURES, Assessment, CheckOutcome, RubricCheck, numbered, why_of
from .rubric import Rubric
from .rubric_words import RubricWords
from .students import LoadingFailed, Student, submitted
from .submission import Submission

Progress = Callable[[int, str], None]
"""``on_check(done, title)`` is called before each check, with the number of those that are done."""


@dataclass(frozen=True)
class AutogradeResult:
    """Holds what a submission got for each check of a rubric."""

    rubric: Rubric
    name: str
    student: str
    """The name or number that its seed comes from."""
    digest: str
    outcomes: tuple[CheckOutcome, ...]
    printed_before: str = ""
    """What the program printed before the first check."""

    @property
    def printed(self) -> str:
        """Returns the beginning of what the program printed."""
        said = [self.printed_before, *(outcome.printed for outcome in self.outcomes)]
        return shortened_print("".join(said))

    def without_secrets(self) -> AutogradeResult:
        """Returns the result of the checks that students see at once, and what was printed there.

        A program may print, in a hidden check, the positions that it is asked at.
        """
        seen = (outcome for outcome in self.outcomes if not outcome.check.secret)
        return replace(self, outcomes=tuple(seen))

    @property
    def missed(self) -> CheckOutcome | None:
        """Returns the first required check that failed, if one did."""
        failed = (each for each in self.outcomes if each.check.required and not each.passed)
        return next(failed, None)

    @property
    def points(self) -> float:
        """Returns the total: at least 0, and 0 where a required check failed."""
        if self.missed is not None:
            return 0.0
        return max(0.0, round(sum(outcome.points for outcome in self.outcomes), 2))

    @property
    def most(self) -> float:
        """Returns the points for which all of it passes."""
        return sum(outcome.check.most for outcome in self.outcomes)

    @property
    def summary(self) -> str:
        """Returns the total in words, and why it is 0 where a required check failed."""
        words = RubricWords(self.rubric.language)
        points, most = numbered(self.points), numbered(self.most)
        text = words("total", points=points, most=most)
        if self.missed is not None:
            text += "\n" + words("required_failed", title=self.missed.title)
        return text

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as plain data, for JSON."""
        return {
            "name": self.name,
            "student": self.student,
            "sha256": self.digest,
            "points": self.points,
            "most": self.rubric.most,
            "checks": [
                {
                    "kind": outcome.check.kind,
                    "title": outcome.title,
                    "points": outcome.points,
                    "most": outcome.check.most,
                    "passed": outcome.passed,
                    "hidden": outcome.check.hidden,
                    "feedback": outcome.feedback,
                    "for_staff": outcome.for_staff,
                    "examples": [each.to_dict() for each in outcome.examples],
                    "data": dict(outcome.data),
                }
                for outcome in self.outcomes
            ],
            "printed": self.printed,
        }


def seed_of(rubric: Rubric, student: str, seed: int | None = None) -> int:
    """Returns the seed of a student's positions: of the rubric's seed, or another, and the name."""
    text = f"{rubric.seed if seed is None else seed}\n{student}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


LONGEST_PRINTED, MOST_LINES = 2000, 20
"""Characters and lines that are shown of what a program printed."""


def shortened_print(text: str) -> str:
    """Returns the beginning of what a program printed; "..." stands for the rest."""
    shown = "\n".join(text[:LONGEST_PRINTED].split("\n")[:MOST_LINES]).rstrip()
    return shown if len(shown) >= len(text.rstrip()) else f"{shown}\n..."


def autograde(
    rubric: Rubric,
    submission: Submission,
    student: str | None = None,
    seed: int | None = None,
    on_check: Progress | None = None,
) -> AutogradeResult:
    """Grades one submission, in a process of its own.

    ``student`` is the name or number that decides its positions, that of the file by default; the
    ``seed`` takes the place of the rubric's. The same values give the same result. ``on_check`` is
    called before each check, with the number of those that are done, and its title.
    """
    who = submission.name if student is None else student
    outcomes, printed = list[CheckOutcome](), ""
    with ExitStack() as stack:
        try:
            loaded = stack.enter_context(submitted(submission, rubric))
        except LoadingFailed as error:
            outcomes = not_loaded(rubric, error.why)
        else:
            printed = loaded.printed()
            outcomes = run_checks(rubric, loaded, seed_of(rubric, who, seed), on_check)
    return AutogradeResult(
        rubric, submission.name, who, submission.digest, tuple(outcomes), printed
    )


def run_checks(
    rubric: Rubric, student: Student, seed: int, on_check: Progress | None = None
) -> list[CheckOutcome]:
    """Returns what comes out of each check of a program that is loaded.

    Those that students do not see at once are run after the others, in whose feedback a program
    could tell the positions of the former.
    """
    assessment, outcomes = Assessment(rubric, student, seed), dict[int, CheckOutcome]()
    order = sorted(range(len(rubric.checks)), key=lambda number: rubric.checks[number].secret)
    for done, number in enumerate(order):
        check = rubric.checks[number]
        if on_check is not None:
            on_check(done, check.heading(assessment.words))
        outcome = run_check(check, assessment)
        outcomes[number] = replace(outcome, printed=student.printed())
    return [outcome for _, outcome in sorted(outcomes.items())]


def run_check(check: RubricCheck, assessment: Assessment) -> CheckOutcome:
    """Returns what comes out of a check; where the program fails altogether it earns nothing."""
    try:
        return check.run(assessment)
    except STUDENT_FAILURES as error:
        text = assessment.words("program_failed", why=why_of(error))
        return check.outcome(assessment, 0, text)


def not_loaded(rubric: Rubric, error: str) -> list[CheckOutcome]:
    """Returns what comes out where the file cannot be loaded: no points, and once the error."""
    words, outcomes = RubricWords(rubric.language), list[CheckOutcome]()
    told = next((each for each in rubric.checks if each.kind == "loads"), rubric.checks[0])
    for check in rubric.checks:
        text = words("loads_no", error=error) if check is told else words("not_run")
        outcomes.append(CheckOutcome(check, check.heading(words), 0.0, False, text))
    return outcomes


def autograde_missing(rubric: Rubric, student: str, why: str) -> AutogradeResult:
    """Returns the result where there is no file to grade, and ``why``: no points."""
    return AutogradeResult(rubric, student, student, "", tuple(not_loaded(rubric, why)))
