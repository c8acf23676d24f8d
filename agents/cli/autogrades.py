"""Implements ``adv-envs autograde``: grades what students handed in, by a rubric."""

from __future__ import annotations

import csv
import io
import json as json_module
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from agents.classroom.assessment import CheckOutcome, numbered
from agents.classroom.autograder import AutogradeResult, autograde_missing
from agents.classroom.autograder import autograde as grade_submission
from agents.classroom.course_packages import PACKAGES, write_package
from agents.classroom.platforms import RESULT_FORMATS, points_row
from agents.classroom.rubric import Rubric, read_rubric
from agents.classroom.rubric_words import RubricWords
from agents.classroom.submission import Submission, find_submissions
from agents.sandbox import not_enforced

from .console import (
    CommandError,
    Json,
    check_files,
    check_folder,
    command_errors,
    end,
    file_errors,
    option,
    out,
    print_json,
    print_table,
    progress_bar,
    save_file,
    table,
    warn,
)

EXAMPLES = (
    "adv-envs autograde agent.py --rubric rubric.toml",
    "adv-envs autograde agent.py --rubric rubric.toml --out results.json --html feedback.html",
    "adv-envs autograde handed_in --rubric rubric.toml --csv points.csv --html feedback",
    "adv-envs autograde --rubric rubric.toml --package autograder --format gradescope",
)

FILES = "Files of Python that students handed in, or folders of them."
RUBRIC = "What is graded, and for how many points."
OUT = "Write results as a platform reads them: a file, or a folder where there are several."
FORMAT = f"Of --out: {', '.join(RESULT_FORMATS)}; of --package also otter and nbgrader."
HTML = "Write the feedback as a page, or a page for each in a folder."
CSV = "Write the points of all as a table."
STUDENT = "Name or number that decides the positions; the name of the file by default."
SEED = "Take the place of the rubric's seed."
ONE = "The files are those of one student: results are written even if there is not one."
PACKAGE = "Write what the platform of --format needs to grade by the rubric."


def autograde(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help=FILES)] = None,
    rubric_file: Annotated[Path | None, option(RUBRIC, "FILE", "--rubric")] = None,
    out_file: Annotated[Path | None, option(OUT, "FILE", "--out")] = None,
    form: Annotated[str, option(FORMAT, "NAME", "--format")] = "gradescope",
    html: Annotated[Path | None, option(HTML, "FILE")] = None,
    csv_file: Annotated[Path | None, option(CSV, "FILE", "--csv")] = None,
    student: Annotated[str | None, option(STUDENT, "ID")] = None,
    seed: Annotated[int | None, option(SEED, "N")] = None,
    one: Annotated[bool, option(ONE, None, "--one")] = False,
    package: Annotated[Path | None, option(PACKAGE, "FOLDER")] = None,
    json: Json = False,
) -> None:
    """Grades what students handed in, by the checks of a rubric.

    A rubric is a file of TOML with a game and its checks: legal moves, time, exact values at
    positions that differ by student, matches, counted leaves of a search, functions by their
    results, libraries that are not allowed. The same file gets the same points every time. Each
    program runs in a process of its own, within limits. The exit code is 0 where everything was
    graded, whatever the points.
    """
    if rubric_file is None:
        raise CommandError("which rubric? give it with --rubric, such as --rubric rubric.toml")
    with command_errors():
        rubric = read_rubric(rubric_file)
    if package is not None:
        if files or {out_file, html, csv_file, student, seed} != {None} or one or json:
            raise CommandError("--package writes files for a platform and grades nothing")
        make_package(rubric, package, form)
        return
    handed_in = chosen_files(rubric, files or [], student, one)
    several = len(handed_in) > 1
    check_outputs(out_file, form, html, csv_file, several)
    results, cut_off = graded(rubric, handed_in, student, seed, json)
    for result in results:
        write_results(result, out_file, form, html, several)
    if csv_file is not None:
        save_file(csv_file, points_table(rubric, results))
    if json:
        data = {"game": rubric.name, "most": rubric.most}
        print_json({**data, "submissions": [each.to_dict() for each in results]})
    elif several:
        report_points(rubric, results)
    elif results:
        report_one(results[0])
    end(f"interrupted after {len(results)} of {len(handed_in)} files" * cut_off)


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
    found: list[HandedIn] = []
    for path in paths:
        own = found_files(path)
        if not own:
            raise CommandError(f"{path} has no files of Python")
        found += own
    if len(found) > 1 and student is not None:
        raise CommandError("--student is for one file: several have their own names")
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
                    results.append(grade_submission(rubric, each, student, seed, on_check))
        except KeyboardInterrupt:
            return results, True
    return results, False


def write_results(
    result: AutogradeResult, out_file: Path | None, form: str, html: Path | None, several: bool
) -> None:
    """Writes what was asked for of one submission."""
    if out_file is not None:
        path = out_file / f"{result.name}.json" if several else out_file
        data = RESULT_FORMATS[form](result, os.environ)
        save_file(path, json_module.dumps(data, indent=2, ensure_ascii=False) + "\n")
    if html is not None:
        from agents.reports.autograde_page import autograde_html

        path = html / f"{result.name}.html" if several else html
        save_file(path, autograde_html(result))


def points_table(rubric: Rubric, results: Sequence[AutogradeResult]) -> str:
    """Returns the points of all submissions as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    words = RubricWords(rubric.language)
    titles = [check.heading(words) for check in rubric.checks]
    writer.writerow(["name", "student", "points", *titles])
    writer.writerows(map(points_row, results))
    return text.getvalue()


# ---- text


def report_one(result: AutogradeResult) -> None:
    """Prints the points of a submission, and the feedback of checks that are not passed."""
    console, rubric = out(), result.rubric
    words = RubricWords(rubric.language)
    console.print(f"{result.name}: {rubric.title or rubric.name}", style="bold", soft_wrap=True)
    listed = table("check", "points", "of", "", numbers=0)
    for outcome in result.outcomes:
        most = numbered(max(outcome.check.points, 0.0)) if outcome.check.points else ""
        points = numbered(outcome.points) if outcome.check.points else ""
        listed.add_row(outcome.title, points, most, verdict(outcome, words))
    print_table(listed)
    for outcome in result.outcomes:
        if outcome.passed is not True:
            console.print(f"\n{outcome.title}", style="bold", soft_wrap=True)
            console.print(outcome.text, soft_wrap=True)
        if outcome.for_staff:
            console.print(f"\n{outcome.for_staff}", soft_wrap=True)
    if result.printed.strip():
        console.print(f"\n{words('printed')}", style="bold", soft_wrap=True)
        console.print(result.printed.rstrip(), soft_wrap=True)
    console.print(f"\n{result.summary}", style="bold", soft_wrap=True)


def verdict(outcome: CheckOutcome, words: RubricWords) -> str:
    """Returns in a word whether a check is passed."""
    if outcome.passed is None:
        return words("review")
    return words("passed" if outcome.passed else "failed")


def report_points(rubric: Rubric, results: Sequence[AutogradeResult]) -> None:
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
    for result in results:
        for outcome in result.outcomes:
            said = outcome.feedback if outcome.passed is None else outcome.for_staff
            if said:
                out().print(f"\n{result.name}: {said}", soft_wrap=True)
