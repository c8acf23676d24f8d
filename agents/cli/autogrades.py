"""Implements ``adv-envs autograde``: grades what students handed in, by a rubric."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import CommandError, Json, command_errors, end, option, print_json, save_file

EXAMPLES = (
    "adv-envs autograde agent.py --rubric rubric.toml",
    "adv-envs autograde agent.py --rubric rubric.toml --out results.json --html feedback.html",
    "adv-envs autograde handed_in --rubric rubric.toml --csv points.csv --html feedback",
    "adv-envs autograde --rubric rubric.toml --package autograder --format gradescope",
)

FILES = "Files of Python that students handed in, or folders of them."
RUBRIC = "What is graded, and for how many points."
OUT = "Write results as a platform reads them: a file, or a folder where there are several."
FORMAT = "Of --out: gradescope, github, classroom50; of --package also otter and nbgrader."
HTML = "Write the feedback as a page, or a page for each in a folder."
CSV = "Write the points of all as a table."
STUDENT = "Name or number that decides the positions; the name of the file by default."
SEED = "Take the place of the rubric's seed."
ONE = "The files are those of one student: results are written even if there is not one."
PUBLIC = "Show only what students may see: no hidden feedback, and no notes for teachers."
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
    public: Annotated[bool, option(PUBLIC, None, "--public")] = False,
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
    from agents.classroom.rubric import read_rubric

    from . import autograde_output as output

    with command_errors():
        rubric = read_rubric(rubric_file)
    if package is not None:
        if files or {out_file, html, csv_file, student, seed} != {None} or one or json:
            raise CommandError("--package writes files for a platform and grades nothing")
        output.make_package(rubric, package, form)
        return
    handed_in = output.chosen_files(rubric, files or [], student, one)
    several = len(handed_in) > 1
    output.check_outputs(out_file, form, html, csv_file, several)
    results, cut_off = output.graded(rubric, handed_in, student, seed, json)
    for result in results:
        output.write_results(result, out_file, form, html, several, public)
    if csv_file is not None:
        save_file(csv_file, output.points_table(rubric, results))
    if json:
        data = {"game": rubric.name, "most": rubric.most}
        print_json({**data, "submissions": [each.to_dict() for each in results]})
    elif several:
        output.report_points(rubric, results, public)
    elif results:
        output.report_one(results[0], public)
    end(f"interrupted after {len(results)} of {len(handed_in)} files" * cut_off)
