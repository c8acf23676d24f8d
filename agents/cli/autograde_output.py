"""Grades files for ``adv-envs autograde``, and writes and prints what comes out."""

from __future__ import annotations

import csv
import io
import json as json_module
import os
from collections.abc import Sequence
from pathlib import Path

from agents.classroom.assessment import CheckOutcome, numbered
from agents.classroom.autograder import AutogradeResult, autograde, autograde_missing
from agents.classroom.course_packages import PACKAGES, write_package
from agents.classroom.platforms import RESULT_FORMATS, points_row, spreadsheet_cell
from agents.classroom.rubric import Rubric
from agents.classroom.rubric_words import RubricWords
from agents.classroom.submission import find_submissions, submission_files
from agents.sandbox import not_enforced
from agents.submitted import Submission

from .console import (
    CommandError,
    check_files,
    check_folder,
    command_errors,
    file_errors,
    out,
    print_table,
    progress_bar,
    save_file,
    table,
    warn,
)


def check_outputs(
    out_file: Path | None, form: str, html: Path | None, csv_file: Path | None, several: bool
) -> None:
    """Raises CommandError for a format that there is not, and files that cannot be written."""
    if form not in RESULT_FORMATS:
        raise CommandError(f"no format {form!r}; formats of --out: {', '.join(RESULT_FORMATS)}")
    for path in (out_file, html):
        if path is not None and several:
            check_folder(path)
        else:
            check_files(path)
    check_files(csv_file)
    if html is not None:
        from agents.reports.page import environment

        with command_errors():
            environment()


HandedIn = Submission | AutogradeResult
"""A submission, or the result where there is none to grade."""


def make_package(rubric: Rubric, folder: Path, platform: str) -> None:
    """Writes the package for a platform and lists its files."""
    if platform not in PACKAGES:
        raise CommandError(f"no platform {platform!r}; platforms: {', '.join(PACKAGES)}")
    with file_errors(folder, 1):
        written = write_package(rubric, folder, platform)
    for path in written:
        out().print(str(path), soft_wrap=True)


def chosen_files(
    rubric: Rubric, paths: Sequence[Path], student: str | None, one: bool
) -> list[HandedIn]:
    """Returns what is graded; CommandError where there is nothing."""
    if not paths:
        raise CommandError("which files? name those that students handed in, or their folder")
    if one:
        return [handed_in_by_one(rubric, paths, student)]
    found = [each for path in paths for each in graded_each(rubric, path)]
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise CommandError(f"several files are called {twice}: grade them one after the other")
    if len(found) > 1 and student is not None:
        raise CommandError("--student is for one file: several have their own names")
    return found


def graded_each(rubric: Rubric, path: Path) -> list[HandedIn]:
    """Returns a file, or all of a folder: what cannot be read there has a result that says so."""
    if not path.is_dir():
        return list(found_files(path))
    found: list[HandedIn] = []
    for file in submission_files(path):
        try:
            found.append(Submission(str(file)))
        except ValueError as error:
            found.append(autograde_missing(rubric, file.stem, str(error)))
    if not found:
        raise CommandError(f"{path} has no files of Python")
    return found


def found_files(path: Path) -> list[Submission]:
    """Returns the submissions of a file or a folder; CommandError for what cannot be read."""
    with command_errors():
        return find_submissions(path) if path.is_dir() else [Submission(str(path))]


def handed_in_by_one(rubric: Rubric, paths: Sequence[Path], student: str | None) -> HandedIn:
    """Returns the one file of a student, or the result where there is not one."""
    found = [submission for path in paths for submission in found_files(path)]
    words = RubricWords(rubric.language)
    if rubric.file:
        named = [each for each in found if Path(each.path).name == rubric.file]
        why = words("no_file", file=rubric.file)
    else:
        named = found
        names = ", ".join(Path(each.path).name for each in found) or "-"
        why = words("no_one_file", number=len(found), files=names)
    return named[0] if len(named) == 1 else autograde_missing(rubric, student or "", why)


def graded(
    rubric: Rubric,
    handed_in: Sequence[HandedIn],
    student: str | None,
    seed: int | None,
    json: bool,
) -> tuple[list[AutogradeResult], bool]:
    """Returns the results, and whether Ctrl-C came before the last of them."""
    for said in not_enforced():
        warn(said)
    results: list[AutogradeResult] = []
    checks = len(rubric.checks)
    with progress_bar("", len(handed_in) * checks, json) as update:
        try:
            for number, each in enumerate(handed_in):
                if isinstance(each, AutogradeResult):
                    results.append(each)
                    continue

                def on_check(
                    done: int, title: str, each: Submission = each, n: int = number
                ) -> None:
                    update(n * checks + done, f"{each.name}: {title}")

                with command_errors(1):
                    results.append(autograde(rubric, each, student, seed, on_check))
        except KeyboardInterrupt:
            return results, True
    return results, False


def write_results(
    result: AutogradeResult,
    out_file: Path | None,
    form: str,
    html: Path | None,
    several: bool,
    public: bool,
) -> None:
    """Writes what was asked for of one submission."""
    if out_file is not None:
        path = out_file / f"{result.name}.json" if several else out_file
        data = RESULT_FORMATS[form](result, os.environ)
        save_file(path, json_module.dumps(data, indent=2, ensure_ascii=False) + "\n")
    if html is not None:
        from agents.reports.autograde_page import autograde_html

        path = html / f"{result.name}.html" if several else html
        save_file(path, autograde_html(result, public))


def points_table(rubric: Rubric, results: Sequence[AutogradeResult]) -> str:
    """Returns the points of all submissions as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    words = RubricWords(rubric.language)
    titles = [check.heading(words) for check in rubric.checks]
    rows = [["name", "student", "points", *titles], *map(points_row, results)]
    writer.writerows([spreadsheet_cell(value) for value in row] for row in rows)
    return text.getvalue()


# ---- text


def report_one(result: AutogradeResult, public: bool) -> None:
    """Prints the points of a submission, and the feedback of checks that are not passed."""
    console, rubric = out(), result.rubric
    words = RubricWords(rubric.language)
    console.print(f"{result.name}: {rubric.title or rubric.name}", style="bold", soft_wrap=True)
    listed = table("check", "points", "of", "", numbers=0)
    outcomes = [each for each in result.outcomes if not (public and each.check.for_staff)]
    for outcome in outcomes:
        most = numbered(max(outcome.check.points, 0.0)) if outcome.check.points else ""
        points = numbered(outcome.points) if outcome.check.points else ""
        listed.add_row(outcome.title, points, most, verdict(outcome, words))
    print_table(listed)
    for outcome in outcomes:
        if public and outcome.check.hidden:
            continue
        if outcome.passed is not True:
            console.print(f"\n{outcome.title}", style="bold", soft_wrap=True)
            console.print(outcome.text, soft_wrap=True)
        if outcome.for_staff and not public:
            console.print(f"\n{outcome.for_staff}", soft_wrap=True)
    printed = (result.without_secrets() if public else result).printed.rstrip()
    if printed:
        console.print(f"\n{words('printed')}", style="bold", soft_wrap=True)
        console.print(printed, soft_wrap=True)
    console.print(f"\n{result.summary}", style="bold", soft_wrap=True)


def verdict(outcome: CheckOutcome, words: RubricWords) -> str:
    """Returns in a word whether a check is passed."""
    if outcome.passed is None:
        return words("review")
    return words("passed" if outcome.passed else "failed")


def report_points(rubric: Rubric, results: Sequence[AutogradeResult], public: bool) -> None:
    """Prints a line for each submission, and what teachers should look at."""
    words = RubricWords(rubric.language)
    out().print(f"{rubric.title or rubric.name}: {len(results)} files", style="bold")
    numbers = [str(i) for i in range(1, len(rubric.checks) + 1)]
    listed = table("name", "points", *numbers, numbers=len(numbers) + 1)
    for result in results:
        name, _, total, *points = points_row(result)
        listed.add_row(name, total, *points)
    print_table(listed)
    for number, check in enumerate(rubric.checks, 1):
        most = f" ({numbered(check.points)})" if check.points else ""
        out().print(f"{number} {check.heading(words)}{most}", style="dim", soft_wrap=True)
    for result in () if public else results:
        for outcome in result.outcomes:
            said = outcome.feedback if outcome.passed is None else outcome.for_staff
            if said:
                out().print(f"\n{result.name}: {said}", soft_wrap=True)
