"""What `make check` runs over the JavaScript of the pages finds the faults that it is there for."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("js")

ROOT = Path(__file__).parents[2]
STATIC = (
    "adv_envs/pictures/static",
    "agents/reports/static",
    "agents/web/static",
    "docs/static",
    "agents/engines/static",
)
"""The folders of all JavaScript that pages have."""

BOARD, REPORTS, WEB, MANUAL, _ = STATIC
LINES = re.compile(r"^\t\$\((TSC|NODE)\) (.*)", re.MULTILINE)
"""Of the Makefile: how `make check` runs the tools."""


def commands():
    """The commands of `make check` by what runs them: the compiler, the linter, the tests."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    node = str(Path(sys.executable).parent / "node")
    compiler = re.search(r"^TSC := \$\(NODE\) (.*)", makefile, re.MULTILINE)[1]
    found = []
    for variable, rest in LINES.findall(makefile):
        before = [compiler] if variable == "TSC" else []
        found.append([node, *before, *rest.replace('"', "").split()])
    kinds = ("types", "types of the tests", "types alone", "lint", "tests")
    return dict(zip(kinds, found, strict=True))


COMMANDS = commands()


@pytest.fixture
def copy(tmp_path):
    """A copy of all that is checked, in which faults can be planted."""
    for name in ("package.json", "tsconfig.json", "eslint.config.js"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "agents/data/engines", tmp_path / "agents/data/engines")
    for folder in (*STATIC, "tests/js"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for path in (p for package in ("adv_envs", "agents") for p in (ROOT / package).rglob("*.d.ts")):
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    return tmp_path


def refused(copy, kind):
    """What a tool says against the copy; "" if it has nothing against it."""
    done = subprocess.run(
        COMMANDS[kind], cwd=copy, capture_output=True, text=True, check=False, timeout=120
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def plant(copy, file, right, wrong):
    """Write something wrong into a file, once."""
    text = (copy / file).read_text("utf-8")
    assert text.count(right) == 1, f"{file} has {text.count(right)} times {right!r}"
    (copy / file).write_text(text.replace(right, wrong), "utf-8")


def test_no_javascript_is_elsewhere():
    files = subprocess.run(
        ["git", "ls-files", "*.js", "*.mjs", "*.cjs", "*.ts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if files.returncode:
        pytest.skip("not a clone")
    checked = (*STATIC, "agents/web/site", "tests/js")
    others = [f for f in files.stdout.split() if not f.endswith(".d.ts")]
    assert others
    assert not [
        path
        for path in map(Path, others)
        if path.parent != Path() and not any(map(path.is_relative_to, checked))
    ]


def test_nothing_is_hidden_from_the_compiler():
    for folder in STATIC:
        for path in (ROOT / folder).glob("*.js"):
            text = path.read_text("utf-8")
            assert not re.search(r"@ts-(ignore|nocheck|expect-error)|eslint-disable", text), path
            assert not re.search(r"@(type|param|returns|typedef)\b.*\bany\b", text), path


def test_the_pages_pass(copy):
    for kind in COMMANDS:
        assert not refused(copy, kind)


@pytest.mark.parametrize(
    ("file", "right", "wrong", "code"),
    [
        # a property that no state has
        (f"{WEB}/play_state.js", "return this.game.here.state;", "return this.game.state;", 2339),
        (f"{WEB}/words.js", "state.turn_text;", "state.board.name;", 2339),
        # an element that the page may not have
        (f"{WEB}/page.js", 'findButton("#keys")', 'document.querySelector("#keys")', 2531),
        # a wrong argument, and none
        (f"{WEB}/screen.js", "this.say(wordsOf(error), true);", "this.say(error, true);", 2345),
        (f"{WEB}/turns.js", "diceOf(here.move.name)", "diceOf()", 2554),
        # a job of another's options
        (f"{WEB}/play.js", 'search("hint",', 'search("hunt",', 2345),
        (f"{BOARD}/board.js", ".boxOn(this.svg)", ".boxOn(5)", 2345),
        (f"{REPORTS}/tournament.js", "String(game.number + 1)", "game.number + 1", 2345),
    ],
)  # fmt: skip
def test_the_compiler_refuses(copy, file, right, wrong, code):
    plant(copy, file, right, wrong)
    said = refused(copy, "types")
    assert file in said
    assert f"TS{code}" in said


def test_the_compiler_looks_at_the_tests(copy):
    plant(copy, "tests/js/clock.test.js", "timeText(20_000)", 'timeText("20")')
    assert "TS2345" in refused(copy, "types of the tests")


@pytest.mark.parametrize(
    ("file", "right", "wrong", "rule"),
    [
        (f"{WEB}/dom.js", "element.hidden =", "const unused =", "no-unused-vars"),
        (f"{WEB}/theme.js", 'theme === "light"', 'theme == "light"', "eqeqeq"),
        (f"{WEB}/memory.js", "sessionStorage.setItem(", "sesionStorage.setItem(", "no-undef"),
        (f"{MANUAL}/manual.js", "const part =", "let part =", "prefer-const"),
    ],
)  # fmt: skip
def test_the_linter_refuses(copy, file, right, wrong, rule):
    plant(copy, file, right, wrong)
    said = refused(copy, "lint")
    assert file in said
    assert rule in said


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        (f"{WEB}/clock.js", "seconds / 60", "seconds / 100"),
        (f"{WEB}/match.js", "(player + this.shift) % number", "player % number"),
        (f"{WEB}/game.js", "all.indexOf(node) + step", "all.indexOf(node) - step"),
        (f"{BOARD}/area.js", "const flat = Math.sqrt(3) / 2;", "const flat = 1;"),
    ],
)
def test_the_unit_tests_refuse(copy, file, right, wrong):
    plant(copy, file, right, wrong)
    assert refused(copy, "tests")
    assert not refused(copy, "types")
