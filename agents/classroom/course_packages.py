"""Writes what platforms need to grade by a rubric: scripts, workflows, notebooks.

Every package is a folder with the rubric, the staff's programs that it names, and the platform's
files. Notebooks are of the format nbformat 4.5.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .assessment import RubricCheck
from .play_checks import Beats
from .rubric import Rubric
from .rubric_words import RubricWords

TEMPLATES = Path(__file__).parent / "packages"

STARTER = '''def agent(position):
    """Return a legal action for the player to move."""
    return position.legal_actions()[0]'''
"""What a notebook gives to students to begin with, besides the functions that are checked."""


def write_package(rubric: Rubric, folder: Path, platform: str) -> list[Path]:
    """Writes the package for a platform into a folder, and returns its files, sorted.

    OSError where a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = PACKAGES[platform](rubric)
    support = support_folder(folder, platform)
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, "utf-8", newline="\n")
        if content.startswith("#!"):
            target.chmod(0o755)
    written = [folder / path for path in files]
    for source in (rubric.path, *staff_files(rubric)):
        target = support / source.relative_to(rubric.path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.resolve() != source.resolve():
            shutil.copyfile(source, target)
        written.append(target)
    return sorted(written)


def support_folder(folder: Path, platform: str) -> Path:
    """Returns where the rubric of a package is."""
    inside = {"github": ".github/classroom", "nbgrader": "source/assignment"}
    return folder / inside.get(platform, ".")


def staff_files(rubric: Rubric) -> list[Path]:
    """Returns the programs of the rubric's folder that play against students."""
    named = [check.opponent for check in rubric.checks if isinstance(check, Beats)]
    return [rubric.path.parent / name for name in named if name.endswith(".py")]


def template(rubric: Rubric, name: str) -> str:
    """Returns a script or a workflow with the name of the rubric."""
    return (TEMPLATES / name).read_text("utf-8").replace("RUBRIC", rubric.path.name)


# ---- notebooks


def checks_in_notebooks(rubric: Rubric) -> Iterator[tuple[int, str, RubricCheck]]:
    """Yields the checks that a notebook can have, with number and a name of its own.

    It has no file that could be loaded, or whose imports could be looked at.
    """
    seen: dict[str, int] = {}
    for number, check in enumerate(rubric.checks, 1):
        if check.kind in ("loads", "forbidden_imports") or check.for_staff:
            continue
        seen[check.kind] = seen.get(check.kind, 0) + 1
        again = f"_{seen[check.kind]}" if seen[check.kind] > 1 else ""
        yield number, check.kind + again, check


def notebook(cells: list[dict[str, Any]]) -> str:
    """Returns a notebook as its file has it."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    data = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def cell(name: str, source: str, graded: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns a cell of code; ``graded`` is what nbgrader says of it."""
    metadata = (
        {}
        if graded is None
        else {"nbgrader": {"grade_id": name, "schema_version": 3} | dict(graded)}
    )
    return {
        "cell_type": "code",
        "id": name.replace("_", "-"),
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def heading(rubric: Rubric) -> dict[str, Any]:
    """Returns the first cell: the title, and where the functions are to be written."""
    title = rubric.title or rubric.name
    return {"cell_type": "markdown", "id": "heading", "metadata": {}, "source": [f"# {title}"]}


def starter(rubric: Rubric) -> str:
    """Returns functions for students to fill in: the agent, and those that are checked."""
    names = [getattr(check, "function", "") for check in rubric.checks]
    parts = [STARTER]
    for name in dict.fromkeys(filter(None, names)):
        parts.append(f"def {name}(*arguments):\n    raise NotImplementedError")
    return "\n\n\n".join(parts)


def otter_package(rubric: Rubric) -> dict[str, str]:
    """Returns a test of otter-grader for each check, and a notebook that calls them."""
    words, files, cells = RubricWords(rubric.language), dict[str, str](), [heading(rubric)]
    cells.append(cell("otter", 'import otter\n\ngrader = otter.Notebook("assignment.ipynb")'))
    cells.append(cell("solution", starter(rubric)))
    for number, name, check in checks_in_notebooks(rubric):
        files[f"tests/{name}.py"] = OTTER_TEST.format(
            name=name,
            points=check.points,
            title=check.heading(words),
            hidden=check.hidden,
            rubric=rubric.path.name,
            number=number,
        )
        cells.append(cell(name, f'grader.check("{name}")'))
    return {**files, "assignment.ipynb": notebook(cells)}


OTTER_TEST = """from otter.test_files import test_case

OK_FORMAT = False

name = "{name}"
points = {points:g}


@test_case(name={title!r}, points={points:g}, hidden={hidden})
def test_{name}(env):
    from agents.classroom import check

    check("{rubric}", env, {number})
"""


def nbgrader_package(rubric: Rubric) -> dict[str, str]:
    """Returns a notebook for nbgrader: a cell for the solution, and one for each check."""
    solution = f"### BEGIN SOLUTION\n{starter(rubric)}\n### END SOLUTION"
    cells = [heading(rubric)]
    unlocked = {"grade": False, "solution": True, "locked": False, "task": False}
    cells.append(cell("solution", solution, unlocked))
    for number, name, check in checks_in_notebooks(rubric):
        call = f'check("{rubric.path.name}", globals(), {number}, partial=True)'
        source = f"from agents.classroom import check\n\n{call}"
        if check.hidden:
            source = f"### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS"
        graded = {"grade": True, "solution": False, "locked": True, "task": False}
        cells.append(cell(name, source, {**graded, "points": max(check.points, 0.0)}))
    return {"source/assignment/assignment.ipynb": notebook(cells)}


PACKAGES: Mapping[str, Callable[[Rubric], dict[str, str]]] = {
    "gradescope": lambda rubric: {
        name: template(rubric, name) for name in ("setup.sh", "run_autograder")
    },
    "github": lambda rubric: {".github/workflows/classroom.yml": template(rubric, "classroom.yml")},
    "classroom50": lambda rubric: {"autograder.py": template(rubric, "autograder.py.in")},
    "otter": otter_package,
    "nbgrader": nbgrader_package,
}
"""The platforms, each with the function that gives the text of its files by path."""
