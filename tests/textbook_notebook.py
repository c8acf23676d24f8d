"""Runs aima-python's notebooks and tests of games with our modules in the place of theirs.

    python tests/textbook_notebook.py CHECKOUT

CHECKOUT is a working tree of github.com/aimacode/aima-python, of any age: those where ``games.py``
lies at the top, and newer ones with a package ``aima``. Each cell of games.ipynb and games4e.ipynb
and each test of test_games.py and test_games4e.py is a row of the table that is printed; IPython is
needed, and what the notebooks import. What fails is run with aima-python's own module, too, in a
second process, and the exit code is 1 if something fails with ours only.

A cell reads what the stored output has after "Your move?", and its output is compared with what is
stored. In games4e.ipynb, whose cells define games and searches, our classes take the place of the
games as soon as these are defined. Drawings are clicked on, until the game or the search is over.
"""

import argparse
import builtins
import contextlib
import importlib
import inspect
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

NOTEBOOKS = "games.ipynb", "games4e.ipynb"
TESTS = "test_games.py", "test_games4e.py"
SEED = 1
CLICKS = 400
"""More than any drawing needs."""


@dataclass
class Row:
    """What came of a cell or a test."""

    file: str
    title: str
    error: str = ""
    same: bool = False
    """Whether the output is the stored one."""
    theirs: str | None = None
    """The error with aima-python's own module, "" for none; None where that was not tried."""

    @property
    def failed(self) -> bool:
        """Whether it fails with our module only."""
        return bool(self.error) and not self.theirs

    def __str__(self) -> str:
        """A line of the table."""
        outcome = "runs, same output" if self.same else "runs"
        if self.error:
            outcome = f"fails{' with theirs, too' * bool(self.theirs)}: {self.error}"
        title = self.title.replace("|", "\\|")[:60]
        return f"| {self.file} | `{title}` | {outcome} |"


def files(checkout: Path, names: tuple[str, ...]) -> list[Path]:
    """Finds files of these names, without the copies for browsers."""
    found = [path for name in names for path in sorted(checkout.rglob(name))]
    return [path for path in found if "lite" not in path.relative_to(checkout).parts]


def put_in_place() -> None:
    """Gives our module the names of theirs."""
    ours = importlib.import_module("adv_envs.aima.games_py")
    sys.modules |= dict.fromkeys(("games", "games4e", "aima.games"), ours)
    with contextlib.suppress(ImportError):
        importlib.import_module("aima").games = ours  # type: ignore[attr-defined]


def told(error: BaseException | None) -> str:
    """An error in a line; "" for none."""
    return f"{type(error).__name__}: {error}".splitlines()[0] if error else ""


# ---- notebooks


@dataclass
class Cell:
    """A cell of a notebook, and what is stored as its output."""

    source: str
    printed: str

    @property
    def title(self) -> str:
        """Its first line."""
        return next((line for line in self.source.splitlines() if line.strip()), "")


def cells_of(notebook: Path) -> Iterator[Cell]:
    """Yields the cells with code of a notebook."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            outputs = [each for each in cell["outputs"] if each["output_type"] != "error"]
            texts = [each.get("text") or each["data"].get("text/plain", "") for each in outputs]
            yield Cell("".join(cell["source"]), "\n".join(map("".join, texts)))


def answers(printed: str) -> Any:
    """Stands in for ``input``: what was typed when the notebook was stored."""
    lines = re.findall(r"Your move\? *(.*)", printed)

    def typed(prompt: str = "") -> str:
        if not lines:
            raise EOFError("nothing more is typed")
        print(prompt + lines[0])
        return lines.pop(0)

    return typed


def run_notebook(notebook: Path, ours: bool) -> Iterator[Row]:
    """Yields a row for each cell, run after those before it, and for each drawing."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.reset()
    os.chdir(notebook.parent)
    random.seed(SEED)
    for number, cell in enumerate(cells_of(notebook)):
        printed, kept = io.StringIO(), builtins.input
        builtins.input = answers(cell.printed)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                result = shell.run_cell(cell.source)
        finally:
            builtins.input = kept
        error = told(result.error_before_exec or result.error_in_exec)
        same = bool(cell.printed) and plain(cell.printed) == plain(printed.getvalue())
        yield Row(notebook.name, f"{number:2} {cell.title}", error, same and not error)
        if ours and notebook.name == "games4e.ipynb":
            shell.push(our_games(cell.source))
    for name, value in list(shell.user_ns.items()):
        if name.endswith(("_viz", "_play")) and hasattr(value, "mouse_click"):
            yield Row(notebook.name, f"{name}, clicked on", click(value))


def our_games(source: str) -> dict[str, Any]:
    """Our classes for those of the games that a cell defines, as in games4e.ipynb."""
    ours = importlib.import_module("adv_envs.aima")
    defined = re.findall(r"^class (\w+)", source, re.MULTILINE)
    return {name: getattr(ours, name) for name in defined if hasattr(ours, name)}


def click(drawing: Any) -> str:
    """Clicks all over a drawing; the error, "" if its game or its search has come to the end."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for number in range(CLICKS):
                if is_over(drawing):
                    return ""
                x, y = number % 3 + 0.5, number // 3 % 3 + 0.5
                drawing.mouse_click(x * drawing.width / 3, y * drawing.height * 2 / 7)
    except Exception as error:
        return told(error)
    return "it does not end"


def is_over(drawing: Any) -> bool:
    """Whether a game has ended, or the value of the root has been found."""
    if hasattr(drawing, "ttt"):
        return bool(drawing.ttt.terminal_test(drawing.state))
    return 0 in drawing.explored


def plain(printed: str) -> str:
    """What was printed, without colours, numbers of cells and spaces at the ends of lines."""
    text = re.sub(r"\x1b\[[0-9;]*m|^Out\[\d*\]: ?", "", printed, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


# ---- tests


def run_tests(file: Path) -> Iterator[Row]:
    """Yields a row for each test of a file."""
    scope: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
    try:
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)  # noqa: S102
    except Exception as error:
        yield Row(file.name, "the file itself", told(error))
    for name, test in scope.items():
        if name.startswith("test_") and inspect.isfunction(test):
            yield Row(file.name, name, failure(test))


def failure(test: Any) -> str:
    """The error of a test; "" for none."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            test()
    except Exception as error:
        return told(error)
    return ""


# ---- all of it


def run(checkout: Path, ours: bool) -> Iterator[Row]:
    """Runs everything in a checkout; yields a row for each cell, drawing and test."""
    if not files(checkout, NOTEBOOKS + TESTS):
        raise SystemExit(f"{checkout} holds none of {', '.join(NOTEBOOKS + TESTS)}")
    sys.path.insert(0, str(checkout))
    if ours:
        put_in_place()
    for notebook in files(checkout, NOTEBOOKS):
        yield from run_notebook(notebook, ours)
    for file in files(checkout, TESTS):
        yield from run_tests(file)


def errors_of_theirs(checkout: Path) -> dict[tuple[str, str], str]:
    """What fails with aima-python's own module, by file and title."""
    command = [sys.executable, __file__, str(checkout), "--theirs"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [Row(**json.loads(line)) for line in lines]
    return {(row.file, row.title): row.error for row in rows}


def summary(rows: list[Row]) -> str:
    """A table with a line for each file: how many run, and what else there is."""
    lines = ["| file | run | same output | fail with aima-python's module, too | fail |"]
    lines.append("|---|---|---|---|---|")
    for file in dict.fromkeys(row.file for row in rows):
        of_file = [row for row in rows if row.file == file]
        run = sum(not row.error for row in of_file)
        same, failed = sum(row.same for row in of_file), sum(row.failed for row in of_file)
        rest = len(of_file) - run - failed
        lines.append(f"| {file} | {run} of {len(of_file)} | {same} | {rest} | {failed} |")
    return "\n".join(lines)


def main() -> int:
    """Prints the table, and how many fail."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--theirs", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    rows = list(run(checkout, not arguments.theirs))
    if arguments.theirs:
        print("\n".join(json.dumps(asdict(row)) for row in rows))
        return 0
    if any(row.error for row in rows):
        theirs = errors_of_theirs(checkout)
        for row in rows:
            row.theirs = theirs.get((row.file, row.title))
    print("| file | cell or test | outcome |", "|---|---|---|", *rows, "", sep="\n")
    print(summary(rows))
    failed = sum(row.failed for row in rows)
    print(f"\n{failed} of {len(rows)} fail with our module only")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
