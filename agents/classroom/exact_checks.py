"""Checks the moves of a program by exact values: how many are right, and whether too many are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

from agents.agent import Agent
from agents.faults import ask
from agents.spec import make
from agents.statistics import share_interval

from .assessment import Assessment, CheckOutcome, DrawnExample, RubricCheck, percentage, plainly

if TYPE_CHECKING:
    from agents.grading import TestPosition
    from agents.grading.evaluator import Answer

    from .rubric import Rubric


def require_exact(rubric: Rubric, positions: int) -> None:
    """Raises ValueError where the moves of the rubric's game have no exact values."""
    from agents.grading import NotGraded, exact_for

    if positions < 1:
        raise ValueError(f"positions must be at least 1, not {positions}")
    try:
        exact_for(rubric.start)
    except NotGraded as error:
        raise ValueError(f"there are no exact values of {rubric.name}: {error}") from None


def answered(assessment: Assessment, tests: Sequence[TestPosition]) -> list[Answer]:
    """Returns the program's answers at test positions."""
    from agents.grading.evaluator import Evaluator

    limit = assessment.rubric.seconds
    evaluator = Evaluator(assessment.student.agent, limit, assessment.seed_for("answers"))
    return [evaluator.answer(test, i, evaluator.reset(i)) for i, test in enumerate(tests)]


def at_random(tests: Sequence[TestPosition]) -> float:
    """Returns the share of positions at which random moves are right."""
    return fmean(len(test.right) / len(test.move_values) for test in tests)


@dataclass(frozen=True, kw_only=True)
class KeepsValue(RubricCheck):
    """Counts the moves that keep the exact value of a position, where some move does not.

    All points are given from ``share`` on, none at ``none``, and in between in proportion.
    """

    kind: ClassVar[str] = "keeps_value"
    share: float = 0.9
    none: float | None = None
    """The share that earns no points; that of random moves by default."""
    positions: int = 60

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        if not 0 < self.share <= 1:
            raise ValueError(f"share must be more than 0 and at most 1, not {self.share:g}")
        if self.none is not None and not 0 <= self.none < self.share:
            raise ValueError(f"none must be from 0 to below share, not {self.none:g}")
        require_exact(rubric, self.positions)

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, found = assessment.words, answered(assessment, assessment.tests(self.positions))
        kept, random = sum(answer.kept for answer in found), at_random([a.test for a in found])
        share = kept / len(found)
        least = min(random if self.none is None else self.none, self.share - 1e-9)
        earned = min(max((share - least) / (self.share - least), 0.0), 1.0)
        failed = sum(answer.action is None for answer in found)
        text = words(
            "keeps_value_all",
            asked=len(found),
            kept=kept,
            share=percentage(share),
            goal=percentage(self.share),
            random=percentage(random),
        )
        texts = [text] + [words("keeps_value_failed", failed=failed)] * (failed > 0)
        wrong = sorted((a for a in found if not a.kept), key=lambda a: -a.lost)
        texts += [words("keeps_value_lost")] * bool(wrong)
        data = {"asked": len(found), "kept": kept, "share": round(share, 4), "failed": failed}
        examples = [self.example(assessment, answer) for answer in wrong]
        return self.outcome(assessment, earned, "\n".join(texts), examples, data)

    def example(self, assessment: Assessment, answer: Answer) -> DrawnExample:
        """Returns a mistake with the right moves."""
        position, right = answer.test.position, answer.test.right
        better = ", ".join(map(position.name, right))
        if answer.action is None:
            why = answer.failure.partition(": ")[2] or answer.failure
            text = assessment.words("no_move", right=better, why=plainly(why).removesuffix("."))
        else:
            played = position.name(answer.action)
            text = assessment.words("your_move", played=played, right=better)
        return DrawnExample(position, text, right, answer.action)


RIVALS = ("greedy()", "alpha_beta(depth=4)", "mcts(simulations=300)")
"""Agents that a program is compared with by default: none of them solves games."""


MARGIN = 0.25
"""By how much the lower end of the share of right moves must exceed that of random moves, too."""


@dataclass(frozen=True, kw_only=True)
class SolverLike(RubricCheck):
    """Asks at the positions where all ``rivals`` are wrong; what is right there may be a solver.

    It never earns points: a person has to look at what it reports.
    """

    kind: ClassVar[str] = "solver_like"
    for_staff: ClassVar[bool] = True
    positions: int = 60
    rivals: tuple[str, ...] = RIVALS

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        require_exact(rubric, self.positions)
        if not self.rivals:
            raise ValueError("rivals must name an agent, such as alpha_beta(depth=4)")
        if self.points:
            raise ValueError("solver_like earns no points: a person looks at what it reports")
        for spec in self.rivals:
            make(spec)

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, hard = assessment.words, self.hard_tests(assessment)
        rivals = ", ".join(self.rivals)
        if not hard:
            text = words("solver_like_none", rivals=rivals)
            return self.outcome(assessment, 1, text, data={"asked": 0})
        found = answered(assessment, hard)
        interval = share_interval([answer.kept for answer in found])
        assert interval is not None  # there are positions
        random = at_random([answer.test for answer in found])
        suspicious = (interval.low or 0.0) > max(0.5, random + MARGIN)
        text = words(
            "solver_like_some",
            asked=len(found),
            kept=sum(answer.kept for answer in found),
            rivals=rivals,
            share=percentage(interval.value),
            low=percentage(interval.low or 0.0),
            high=percentage(interval.high or 0.0),
            random=percentage(random),
        )
        said = words("solver_like_suspicious" if suspicious else "solver_like_usual")
        data = {"asked": len(found), "share": round(interval.value, 4), "suspicious": suspicious}
        return self.outcome(assessment, 1, f"{text} {said}", data=data, review=suspicious)

    def hard_tests(self, assessment: Assessment) -> list[TestPosition]:
        """Returns test positions at which all rivals are wrong: of the student's, and shipped ones.

        They are rare, so it takes many positions to find some.
        """
        from agents.grading import exact_for, positions_for

        shipped = positions_for(exact_for(assessment.start), None).positions
        tests = [*assessment.tests(self.positions), *(t for t in shipped if t.value_matters)]
        for spec in self.rivals:
            rival = make(spec)
            tests = [test for i, test in enumerate(tests) if not is_right(rival, test, i)]
        return list({test.position: test for test in tests}.values())


def is_right(agent: Agent, test: TestPosition, seed: int) -> bool:
    """Returns whether an agent of ours keeps the value of a test position."""
    agent.reset(seed)
    return ask(agent, test.position) in test.right
