"""Makes pages of feedback: what a submission got for each check, with positions as pictures."""

from __future__ import annotations

from typing import Any

from adv_envs.pictures.svg import palette_rules
from agents.classroom.assessment import CheckOutcome, DrawnExample, numbered
from agents.classroom.autograder import AutogradeResult
from agents.classroom.rubric_words import RubricWords

from .page import markup, render
from .report_card_page import marked_board


def autograde_html(result: AutogradeResult, public: bool = False) -> str:
    """Returns the page that a student reads, without what only teachers are told.

    With ``public`` it is also without the feedback of hidden checks.
    ImportError, which says what to install, without Jinja.
    """
    rubric = result.rubric
    words = RubricWords(rubric.language)
    outcomes = [outcome for outcome in result.outcomes if not outcome.check.for_staff]
    return render(
        "autograde.html.j2",
        language=rubric.language,
        words=words,
        name=result.name,
        heading=rubric.title or rubric.name,
        summary=result.summary.splitlines(),
        checks=[shown_check(outcome, words, public) for outcome in outcomes],
        printed=(result.without_secrets() if public else result).printed.rstrip(),
        picture_rules=markup(palette_rules()),
    )


def shown_check(outcome: CheckOutcome, words: RubricWords, public: bool) -> dict[str, Any]:
    """Returns what the page shows of a check."""
    points, most = numbered(outcome.points), numbered(outcome.check.points)
    got = words("points_of", points=points, most=most)
    if outcome.check.points < 0:
        got = words("deduction", points=points)
    secret = public and outcome.check.hidden
    return {
        "title": outcome.title,
        "points": got if outcome.check.points else "",
        "passed": outcome.passed is not False,
        "verdict": words("passed" if outcome.passed is not False else "failed"),
        "hidden": outcome.check.hidden,
        "feedback": "" if secret else outcome.feedback,
        "examples": [] if secret else [shown_example(each) for each in outcome.examples],
    }


def shown_example(example: DrawnExample) -> dict[str, Any]:
    """Returns what the page shows of a position."""
    picture = marked_board(example.position, example.right, example.played)
    return {"picture": markup(picture), "text": example.text}
