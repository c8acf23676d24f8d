"""Rubrics as cells of nbgrader: notebooks handed in are graded by its own commands."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from adapters.graded_notebooks import PROGRAMS, RUBRIC, points_here, solved

from agents.classroom import read_rubric
from agents.classroom.course_packages import write_package

pytestmark = pytest.mark.needs("nbgrader")


def nbgrader(folder, *command):
    programs = Path(sys.executable).parent
    line = [str(programs / "nbgrader"), *command, "--course", "class"]
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"  # it calls programs of others
    options = {"capture_output": True, "text": True, "env": {**os.environ, "PATH": path}}
    done = subprocess.run(line, cwd=folder, check=False, **options)
    assert done.returncode == 0, done.stderr


def test_nbgrader_gives_the_same_points(tmp_path, record_property):
    from nbgrader.api import Gradebook

    course = tmp_path / "course"
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    write_package(read_rubric(tmp_path / "rubric.toml"), course, "nbgrader")
    nbgrader(course, "generate_assignment", "assignment")
    released = course / "release" / "assignment"
    text = (released / "assignment.ipynb").read_text("utf-8")
    assert '"expected"' not in text
    assert "check(" not in text.partition("returns")[2]  # its test is hidden
    for name, source in PROGRAMS.items():
        folder = course / "submitted" / name / "assignment"
        folder.mkdir(parents=True)
        shutil.copy(released / "rubric.toml", folder)
        (folder / "assignment.ipynb").write_text(solved(text, source))
    nbgrader(course, "autograde", "assignment")
    same = 0
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for name, source in PROGRAMS.items():
            grades = gradebook.find_submission("assignment", name).notebooks[0].grades
            given = {grade.name: grade.auto_score for grade in grades}
            assert given == pytest.approx(points_here(tmp_path / "rubric.toml", source, True))
            same += len(given)
    assert same == 10
    record_property("same grades", same)
