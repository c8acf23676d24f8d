"""The assignments of examples/classroom: files that fit together, and what each solution scores."""

import ast
import contextlib
import dataclasses
import io
import re
import runpy
import tomllib
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.classroom import Submission, autograde, read_rubric
from agents.classroom.function_checks import Returns, position_in
from agents.classroom.rubric import Rubric
from agents.games.hex.evaluations import distance

FOLDER = Path(__file__).parent.parent / "examples" / "classroom"
ASSIGNMENTS = sorted(path.parent.name for path in FOLDER.glob("*/handout.md"))
RUBRICS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("**/rubric*.toml"))
every_assignment = pytest.mark.parametrize("assignment", ASSIGNMENTS)


def test_there_are_three() -> None:
    assert ASSIGNMENTS == ["connect_four", "hex_heuristic", "minimax"]
    assert len(RUBRICS) == 4 * len(ASSIGNMENTS)


@every_assignment
def test_nothing_is_missing(assignment: str) -> None:
    names = ["handout", "starter", "test_public", "rubric", "guide", "hidden/rubric"]
    found = {path.relative_to(FOLDER / assignment).as_posix() for path in files_of(assignment)}
    ends = {"handout": ("md", "es.md"), "guide": ("md", "es.md")}
    for name in names:
        default = ("toml", "es.toml") if "rubric" in name else ("py", "")
        for end in ends.get(name, default):
            assert (f"{name}.{end}" if end else f"{name}_es.py") in found
    assert {"solution/solution.py", "solution/naive.py"} <= found


def files_of(assignment: str) -> Iterator[Path]:
    """Yields the files of an assignment."""
    return (path for path in (FOLDER / assignment).rglob("*.*") if "__pycache__" not in path.parts)


# ---- what students run


@every_assignment
@pytest.mark.parametrize(
    ("end", "missing"), [("", "Still to do: write"), ("_es", "Falta: escribe")]
)
def test_the_starter_says_what_is_missing(
    assignment: str, end: str, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(FOLDER / assignment / f"starter{end}.py"), run_name="__main__")
    assert missing in capsys.readouterr().out


def submission(assignment: str, name: str, folder: Path) -> Path:
    """Writes a file of an assignment to a folder; what searches by the clock is 4 moves deep."""
    text = (FOLDER / assignment / name).read_text(encoding="utf-8")
    path = folder / Path(name).name
    path.write_text(text.replace("DEEPEST = 42", "DEEPEST = 4"), encoding="utf-8")
    return path


def public_tests(assignment: str, end: str, file: Path) -> unittest.TestResult:
    """Runs the tests for students on a file, without the one of the time."""
    found = runpy.run_path(str(FOLDER / assignment / f"test_public{end}.py"))
    tests = found["PublicTests"]
    tests.setUpClass.__func__.__globals__["FILE"] = str(file)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(tests)
    chosen = [test for test in suite if "in_time" not in test.id()]
    with contextlib.redirect_stderr(io.StringIO()):
        return unittest.TextTestRunner().run(unittest.TestSuite(chosen))


@every_assignment
@pytest.mark.parametrize("end", ["", "_es"])
def test_public_tests_tell_a_solution_from_a_starter(
    assignment: str, end: str, tmp_path: Path
) -> None:
    solved = public_tests(assignment, end, submission(assignment, "solution/solution.py", tmp_path))
    assert solved.wasSuccessful()
    assert solved.testsRun >= 7
    starter = public_tests(assignment, end, FOLDER / assignment / f"starter{end}.py")
    assert len(starter.errors) + len(starter.failures) >= 7
    naive = public_tests(assignment, end, FOLDER / assignment / "solution" / "naive.py")
    assert 1 <= len(naive.errors) + len(naive.failures) < naive.testsRun / 2


# ---- two languages


class WithoutWords(ast.NodeTransformer):
    """Replaces texts that people read: docstrings and sentences."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        words = isinstance(node.value, str) and (" " in node.value or node.value.endswith(".py"))
        return ast.Constant("...") if words else node


@every_assignment
@pytest.mark.parametrize("name", ["starter", "test_public"])
def test_spanish_code_is_the_english_code(assignment: str, name: str) -> None:
    english, spanish = (
        WithoutWords().visit(ast.parse((FOLDER / assignment / file).read_text(encoding="utf-8")))
        for file in (f"{name}.py", f"{name}_es.py")
    )
    assert ast.dump(english) == ast.dump(spanish)


def test_the_comparison_of_code_sees_more_than_words() -> None:
    one, other = (ast.dump(WithoutWords().visit(ast.parse(c))) for c in ("f(1)", "f(2)"))
    assert one != other


@pytest.mark.parametrize("name", [name for name in RUBRICS if not name.endswith(".es.toml")])
def test_spanish_rubrics_are_the_english_ones(name: str) -> None:
    def rules(path: Path) -> dict[str, Any]:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for table in (data, *data["check"]):
            table.pop("title", None)
        if "public" not in data.pop("seed"):
            assert "hidden" in path.parts
        return data

    path = FOLDER / name
    english, spanish = rules(path), rules(path.with_name("rubric.es.toml"))
    assert (english.pop("language"), spanish.pop("language")) == ("en", "es")
    assert english == spanish


# ---- points


def points_listed(page: Path) -> list[float]:
    """Returns the numbers in the last column of the table of points in a page, but for the sum."""
    rows = re.findall(r"^\| (.+?) \| (\d+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [float(number) for _, number in rows]


@every_assignment
@pytest.mark.parametrize("end", ["", ".es"])
def test_handouts_list_the_points_of_the_rubric(assignment: str, end: str) -> None:
    rubric = read_rubric(FOLDER / assignment / "hidden" / f"rubric{end}.toml")
    page = FOLDER / assignment / f"handout{end}.md"
    listed = points_listed(page)
    assert sorted(listed) == sorted(c.points for c in rubric.checks if c.points)
    total = re.search(r"\*\*(\d+)\*\*", page.read_text(encoding="utf-8"))
    assert total is not None
    assert float(total[1]) == rubric.most == 20
    public = read_rubric(FOLDER / assignment / f"rubric{end}.toml")
    kinds = {check.kind for check in rubric.checks}
    assert {check.kind for check in public.checks} <= kinds
    assert not any(check.hidden for check in public.checks)


@pytest.mark.parametrize("name", [name for name in RUBRICS if name.startswith("hex")])
def test_paths_that_are_expected_are_the_shortest(name: str) -> None:
    rubric = read_rubric(FOLDER / name)
    checks = [check for check in rubric.checks if isinstance(check, Returns)]
    paths = [c for check in checks if check.function == "shortest_path" for c in check.cases]
    assert len(paths) >= 3
    for case in paths:
        position: Any = position_in(rubric, case["position"])
        assert case["expected"] == distance(position, case["player"])


def test_wins_that_take_time_are_found_with_time_and_not_without() -> None:
    rubric = read_rubric(FOLDER / "connect_four" / "hidden" / "rubric.toml")
    checks = [check for check in rubric.checks if isinstance(check, Returns)]
    (timed,) = (check for check in checks if check.function == "agent")
    solution = runpy.run_path(str(FOLDER / "connect_four" / "solution" / "solution.py"))
    for case in timed.cases:
        position = position_in(rubric, case["position"])
        assert solution["agent"](position, 600.0) == case["expected"]  # a win ends the search
        assert solution["best_move"](position, 4) != case["expected"]


def quickly(rubric: Rubric) -> Rubric:
    """Returns a rubric with fewer games, and no limit of time that a slow computer would reach."""
    fewer = {"games": 12, "positions": 30}
    checks = []
    for check in rubric.checks:
        by_clock = isinstance(check, Returns) and check.function == "agent"
        if check.kind in ("solver_like", "in_time") or by_clock:
            continue
        keys = {each.name for each in dataclasses.fields(check)} & fewer.keys()
        checks.append(dataclasses.replace(check, **{key: fewer[key] for key in keys}))
    return dataclasses.replace(rubric, checks=tuple(checks), seconds=60.0, ready=120.0)


@pytest.mark.slow
@pytest.mark.compiled
@every_assignment
def test_points_tell_starter_naive_and_solution_apart(assignment: str, tmp_path: Path) -> None:
    """Grades for real; twice the same."""
    rubric = quickly(read_rubric(FOLDER / assignment / "hidden" / "rubric.toml"))
    rubric = dataclasses.replace(
        rubric, checks=tuple(check for check in rubric.checks if not check.extra_credit)
    )
    starter, naive, solution, again = (
        autograde(rubric, Submission(str(submission(assignment, name, tmp_path))))
        for name in ("starter.py", "solution/naive.py", *["solution/solution.py"] * 2)
    )
    assert starter.outcomes[0].points == 1
    assert starter.points <= 0.2 * rubric.most
    assert 0.4 * rubric.most < naive.points < 0.85 * rubric.most
    assert solution.points == rubric.most
    assert again.to_dict() == solution.to_dict()
    assert all(outcome.passed for outcome in solution.outcomes)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_textbooks_own_searches_earn_nothing(tmp_path: Path) -> None:
    rubric = quickly(read_rubric(FOLDER / "minimax" / "hidden" / "rubric.toml"))
    text = submission("minimax", "solution/solution.py", tmp_path).read_text(encoding="utf-8")
    copied = tmp_path / "copied.py"
    copied.write_text(
        text
        + "\n\nfrom adv_envs.aima import alphabeta_search as alpha_beta_search  # noqa: F811\n",
        encoding="utf-8",
    )
    result = autograde(rubric, Submission(str(copied)))
    assert result.points == 0
    assert result.missed is not None
    assert result.missed.check.kind == "forbidden_imports"
