"""Rubrics as tests of otter-grader: graded by its own ``grade_submission``."""

import subprocess
import sys
from pathlib import Path

import pytest
from adapters.graded_notebooks import PROGRAMS, RUBRIC, points_here, solved

from agents.classroom import read_rubric
from agents.classroom.course_packages import write_package

pytestmark = pytest.mark.needs("otter")


def test_otter_gives_the_same_points(tmp_path, record_property):
    from otter.api import grade_submission

    (tmp_path / "rubric.toml").write_text(RUBRIC)
    rubric, package = read_rubric(tmp_path / "rubric.toml"), tmp_path / "package"
    write_package(rubric, package, "otter")
    command = [str(Path(sys.executable).with_name("otter")), "generate", "-t", "tests"]
    subprocess.run([*command, "rubric.toml"], cwd=package, check=True, capture_output=True)
    same = 0
    for name, source in PROGRAMS.items():
        handed_in = tmp_path / f"{name}.ipynb"
        handed_in.write_text(solved((package / "assignment.ipynb").read_text("utf-8"), source))
        results = grade_submission(str(handed_in), str(package / "autograder.zip"), quiet=True)
        given = {test: result.score for test, result in results.results.items()}
        assert given == points_here(rubric.path, source, partial=False)
        same += len(given)
    assert same == 10
    record_property("same grades", same)
