"""Output of all commands: tables, errors on one line, JSON, progress, and files.

Terminals get colours and tables that fit their width; a pipe or a file gets plain text of any
width, so that nothing is cut off, unless the variable COLUMNS is set.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from adv_envs.files import check_writable, write_file

UNLIMITED = 1_000_000
"""Columns of a line where there is no terminal."""

NARROWEST = 24
"""Columns that the last column of a table needs at least, unless its cells are shorter."""


class CommandError(Exception):
    """What the user asked for cannot be done: one line, and the exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


@contextmanager
def command_errors(code: int = 2) -> Iterator[None]:
    """A context in which errors in what the user asked for become CommandErrors."""
    try:
        yield
    except BrokenPipeError:  # the reader of the output is gone
        raise
    except (ValueError, TypeError, AttributeError, ImportError, OSError) as error:
        raise CommandError(str(error), code) from error


# ---- consoles


def out() -> Console:
    """The console on standard output. Printed text is never read as markup, as specs have [...]."""
    return _console(stderr=False)


def err() -> Console:
    """The console on standard error."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else UNLIMITED
    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


def print_message(kind: str, message: str, style: str) -> None:
    """Print an error or a warning on standard error, on one line."""
    err().print(Text.assemble((f"{kind}: ", style), message), soft_wrap=True)


def warn(message: str) -> None:
    """Print a warning on standard error."""
    print_message("Warning", message, "bold yellow")


def print_json(data: Any) -> None:
    """Print data for a script."""
    print(json.dumps(data, indent=2))


# ---- tables


def table(*columns: str, numbers: int = 0) -> Table:
    """An empty table; its last ``numbers`` columns are aligned to the right."""
    empty = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        right = i >= len(columns) - numbers
        style = "bold" if i == 0 else None
        empty.add_column(column, style=style, overflow="fold", justify="right" if right else "left")
    return empty


def print_table(filled: Table, console: Console | None = None) -> None:
    """Print a table, or a list of its rows where the terminal is too narrow for the columns.

    Only the last column is folded within words.
    """
    console = console or out()
    for column in filled.columns[:-1]:
        cells = [str(column.header), *map(str, column.cells)]
        column.min_width = max(len(word) for cell in cells for word in cell.split() or [""])
    last = filled.columns[-1]
    longest = max(cell_len(str(cell)) for cell in (last.header, *last.cells))
    last.min_width = min(longest, NARROWEST)
    widths = [(column.min_width or 0) + 1 for column in filled.columns]
    if sum(widths) > console.width:
        print_rows(filled, console)
    elif console.is_terminal:
        console.print(filled)
    else:  # without the spaces that fill up the last column
        with console.capture() as lines:
            console.print(filled)
        console.print("\n".join(line.rstrip() for line in lines.get().splitlines()), soft_wrap=True)


def print_rows(filled: Table, console: Console) -> None:
    """Print each row of a table as a list of its cells."""
    names = [str(column.header) for column in filled.columns]
    for first, *cells in zip(*(column.cells for column in filled.columns), strict=True):
        console.print(Text(f"\n{first}", "bold"), overflow="fold")
        for name, cell in zip(names[1:], cells, strict=True):
            if str(cell).strip():
                console.print(Text.assemble((f"{name}: ", "dim"), str(cell)), overflow="fold")
    console.print()


# ---- progress


def busy(console: Console, what: str) -> AbstractContextManager[Any]:
    """A sign of activity in a terminal, with an ``update(text)``; elsewhere None."""
    return console.status(Text(what, "dim")) if console.is_terminal else nullcontext()


class Bar:
    """A progress bar on standard error, in a terminal only and not beside JSON."""

    def __init__(self, what: str, total: int | None = None, json: bool = False) -> None:
        console = err()
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        hidden = json or not console.is_terminal
        self._progress = Progress(
            *columns, TimeRemainingColumn(), console=console, transient=True, disable=hidden
        )
        self._task = self._progress.add_task(what, total=total)

    def __enter__(self) -> Bar:
        if not self._progress.disable:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, done: int, what: str | None = None, total: int | None = None) -> None:
        """Show how much is done."""
        self._progress.update(self._task, completed=done, description=what, total=total)


# ---- files


def check_files(*paths: Path | None, png: Path | None = None) -> None:
    """CommandError unless these files, those that are not None, can be written.

    A ``png`` needs Pillow, too. Called before the work begins.
    """
    if png is not None:
        try:
            import PIL.Image  # noqa: F401  # is it there?
        except ImportError as error:
            raise CommandError("PNG pictures need Pillow: pip install pillow") from error
    for path in (*paths, png):
        if path is not None:
            with file_errors(path, 2):
                check_writable(path)


def check_folder(folder: Path) -> None:
    """Create a folder if it does not exist; CommandError unless files can be written into it."""
    with file_errors(folder, 2):
        folder.mkdir(parents=True, exist_ok=True)
    check_files(folder / "file")


def save_file(path: Path, content: str | bytes) -> None:
    """Write a file in one step; CommandError if it cannot be written."""
    with file_errors(path, 1):
        write_file(path, content)


def save_png(path: Path, pixels: Any) -> None:
    """Write an array of shape (height, width, 3) as PNG."""
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    save_file(path, data.getvalue())


@contextmanager
def file_errors(path: Path, code: int) -> Iterator[None]:
    """A context in which an OSError becomes a CommandError that names ``path``."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}", code) from error
