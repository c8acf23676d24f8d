"""The table of frameworks is complete, and what is said of them in other places is the same."""

import re
import tomllib
from pathlib import Path

import pytest
from adapters.environments import FRAMEWORKS, ROOT, counts_in, digest_of, table

pytestmark = pytest.mark.plain

HERE = Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IN_TABLE = pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)


@IN_TABLE
def test_its_tests_are_there_and_marked(framework):
    text = (HERE / framework.tests).read_text(encoding="utf-8")
    assert "same_games(" in text or "record_property(" in text
    if framework.module != "gymnasium":  # which is always there
        assert f'pytest.mark.needs("{framework.name}")' in text


@IN_TABLE
def test_its_version_is_pinned_and_told(framework):
    name, version = framework.requirements[0].split("==")
    assert re.fullmatch(r"[\w.]+", version)
    text = (ROOT / framework.page).read_text(encoding="utf-8")
    row = rf"^\| [^|]*{framework.name}[^|]*\| {re.escape(version)} \|"
    assert re.search(row, text, re.IGNORECASE | re.MULTILINE)
    extras = PROJECT["optional-dependencies"]
    if framework.module != "gymnasium" and framework.name in extras:
        least = [line.partition(",")[0] for line in extras[framework.name]]
        assert f"{name}>={version}" in least


def test_no_file_of_tests_is_forgotten():
    needing = {path.name for path in HERE.glob("test_*.py") if "mark.needs(" in path.read_text()}
    assert needing - {Path(__file__).name} <= {framework.tests for framework in FRAMEWORKS}


@IN_TABLE
def test_an_environment_is_made_again_when_what_is_copied_there_changes(framework, tmp_path):
    copied = [each for each in framework.requirements if each.startswith("./")]
    for each in (".", "examples/openenv", "examples/verifiers"):
        (tmp_path / each / "__pycache__").mkdir(parents=True)
        (tmp_path / each / "pyproject.toml").write_text("")

    def changed(path):
        before = digest_of(framework, tmp_path)
        (tmp_path / path).write_text("other")
        return before != digest_of(framework, tmp_path)

    assert changed("pyproject.toml")
    assert not changed("__pycache__/cached.pyc")
    for each in ("examples/openenv", "examples/verifiers"):
        for name in ("pyproject.toml", "new.py"):
            assert changed(f"{each}/{name}") == (f"./{each}" in copied)
        assert not changed(f"{each}/__pycache__/cached.pyc")


def test_counts_are_the_least_that_any_test_has_found(tmp_path):
    report = tmp_path / "report.xml"
    assert counts_in(report) == {}
    cases = "".join(
        f'<testcase><properties><property name="games" value="{count}"/></properties></testcase>'
        for count in (50, 49, 50)
    )
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert counts_in(report) == {"games": 49}


def test_the_table_is_in_columns():
    rows = [["a", "1.0", *["50"] * 4, "9 MB", "2 s", "passed"]]
    head, row = table(rows).splitlines()
    assert head.index("same grades") == row.rindex("50")
    assert row.endswith("passed")
