"""Writes results as platforms read them: Gradescope, GitHub Classroom, Classroom 50.

Sources: Gradescope, *Autograder Specifications*; ``autograding-grading-reporter`` of GitHub
Classroom, which reads version 1 of a runner's result; Classroom 50, the contract of
``result.json``, schema ``classroom50/result/v1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .assessment import CheckOutcome, numbered
from .autograder import AutogradeResult
from .rubric_words import RubricWords

LEADERBOARD_KINDS = "keeps_value", "beats"
"""Checks whose shares stand on a leaderboard."""


def gradescope_results(result: AutogradeResult) -> dict[str, Any]:
    """Returns results.json of Gradescope: every check is a test, some are on the leaderboard.

    Its score has all points, which Gradescope shows when it shows all tests. What students see
    before, and of each other, is without hidden checks.
    """
    rubric, seen = result.rubric, result.without_secrets()
    found: dict[str, Any] = {
        "score": result.points,
        "output": "\n\n".join([seen.summary, *printed(seen)]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [gradescope_test(outcome) for outcome in result.outcomes],
        "extra_data": {"student": result.student, "sha256": result.digest},
    }
    if rubric.leaderboard:
        found["leaderboard"] = leaderboard(seen)
    return found


def printed(result: AutogradeResult) -> list[str]:
    """Returns what the program printed, with its heading, if it did."""
    if not result.printed.strip():
        return []
    return [f"{RubricWords(result.rubric.language)('printed')}\n{result.printed.rstrip()}"]


def gradescope_test(outcome: CheckOutcome) -> dict[str, Any]:
    """Returns a test of results.json; one without points tells only whether it is passed."""
    check = outcome.check
    test: dict[str, Any] = {"name": outcome.title}
    if check.points:
        test |= {"score": outcome.points, "max_score": max(check.points, 0.0)}
    visibility = "hidden" if check.for_staff else "after_published" if check.hidden else "visible"
    return test | {
        "status": "failed" if outcome.passed is False else "passed",
        "output": outcome.text,
        "output_format": "text",
        "visibility": visibility,
        "tags": [check.kind],
        "extra_data": {**outcome.data, "for_staff": outcome.for_staff},
    }


def leaderboard(result: AutogradeResult) -> list[dict[str, Any]]:
    """Returns the total, and the shares in percent of matches and of exact positions."""
    words = RubricWords(result.rubric.language)
    found = [{"name": words("leaderboard_points"), "value": result.points, "order": "desc"}]
    for outcome in result.outcomes:
        if outcome.check.kind in LEADERBOARD_KINDS:
            share = round(100 * outcome.data.get("share", 0.0), 1)
            found.append({"name": f"{outcome.title} (%)", "value": share, "order": "desc"})
    return found


def github_result(result: AutogradeResult) -> dict[str, Any]:
    """Returns a runner's result, as the reporter of GitHub Classroom reads it.

    Hidden checks count, but their feedback is left out: students can see what a workflow writes.
    """
    words = RubricWords(result.rubric.language)
    tests = []
    for outcome in public(result):
        passed = outcome.passed is not False
        shown = words("hidden") if outcome.check.hidden else outcome.text
        tests.append(
            {
                "name": outcome.title,
                "status": "pass" if passed else "fail",
                "score": outcome.points if result.points else 0.0,
                "message": shown,
                "test_code": "",
                "filename": "",
                "line_no": 0,
                "duration": 0,
            }
        )
    return {
        "version": 1,
        "status": "pass" if all(test["status"] == "pass" for test in tests) else "fail",
        "max_score": result.rubric.most,
        "tests": tests,
    }


def public(result: AutogradeResult) -> list[CheckOutcome]:
    """Returns the outcomes that are not for teachers only."""
    return [outcome for outcome in result.outcomes if not outcome.check.for_staff]


RUNNER_VALUES = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""What result.json of Classroom 50 repeats of the environment of its runner."""


def classroom50_result(result: AutogradeResult, environment: Mapping[str, str]) -> dict[str, Any]:
    """Returns result.json of Classroom 50, whose scores are whole numbers: ours are rounded."""
    tests = []
    for outcome in public(result):
        most = round(max(outcome.check.points, 0.0))
        score = round(outcome.points) if result.points else 0
        passed = outcome.passed is not False
        tests.append(
            {"test-name": outcome.title, "passed": passed, "score": score, "max-score": most}
        )
    named = {key: environment.get(variable, "") for key, variable in RUNNER_VALUES.items()}
    return {
        "schema": "classroom50/result/v1",
        **named,
        "review": named["review"] or named["commit"],
        "datetime": environment.get("SUBMISSION_TIME", ""),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


RESULT_FORMATS: Mapping[str, Callable[[AutogradeResult, Mapping[str, str]], dict[str, Any]]] = {
    "gradescope": lambda result, _: gradescope_results(result),
    "github": lambda result, _: github_result(result),
    "classroom50": classroom50_result,
}
"""The formats of results by name."""


def points_row(result: AutogradeResult) -> list[str]:
    """Returns a line of a table of points: name, student, total, and the points of each check."""
    points = [numbered(outcome.points) for outcome in result.outcomes]
    return [result.name, result.student, numbered(result.points), *points]


def spreadsheet_cell(value: Any) -> Any:
    """Returns a value as it is written to CSV: a text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and re.match(r"[=+\-@\t\r]", value) else value
