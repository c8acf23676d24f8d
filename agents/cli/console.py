"""Provides what all commands share: options, tables, errors on one line, JSON, progress, files.

Terminals get colours and tables that fit their width; a pipe or a file gets plain text of any
width, so that nothing is cut off, unless the variable COLUMNS is set.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer
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
from agents.agent import clean
from agents.faults import CannotPlay, NobodyToBlame
from agents.language import ModelUsage, usage_cells
from agents.processes import WorkerError

UNLIMITED = 1_000_000
"""Columns of a line where there is no terminal."""

NARROWEST = 24
"""Columns that the last column of a table needs at least, unless its cells are shorter."""

NOT_LOADED: list[str] = []
"""Why modules of this command's ``--import`` did not load, where it can go on without them."""

# ---- options


def option(help: str, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """Returns a command's option, by default of the parameter's name; ``metavar``: its value."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


AGENT_HELP = "See: adv-envs agents."
Clock = Annotated[
    str | None, option("Seconds for a game, and seconds added after each move.", "60+0.5")
]
Json = Annotated[bool, option("Print JSON, for scripts.", None, "--json")]
Moves = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MOVES",
        help='Moves: a1 b2, or "4455"; of go and hex also game.sgf; of chess game.pgn, or a FEN.',
    ),
]
Out = Annotated[Path | None, option("Keep every game in FILE.", "FILE", "--out")]
Ready = Annotated[
    float, option("Time for an agent to load and to warm up, apart from its moves.", "S")
]
Repeat = Annotated[int | None, option("Repeat all random choices.", "N")]
Resume = Annotated[bool, option("Continue the tournament in --out FILE.", None, "--resume")]
Seconds = Annotated[float | None, option("Time for each move.", "S")]
Seed = Annotated[
    int | None, option("Decides openings and random choices; random, and printed.", "N")
]
Workers = Annotated[int | None, option("Processes; one for each core.", "N")]


# ---- errors, and the end of a command


class CommandError(Exception):
    """Says that what the user asked for cannot be done: one line, and the exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


@contextmanager
def command_errors(code: int = 2) -> Iterator[None]:
    """Yields a context in which errors in what the user asked for become CommandErrors.

    Their exit code is ``code``; 1 if an agent cannot play the game, or processes or servers fail.
    """
    try:
        yield
    except (CannotPlay, NobodyToBlame, WorkerError) as error:
        raise CommandError(str(error), 1) from error
    except BrokenPipeError:  # the reader of the output is gone
        raise
    except (ValueError, TypeError, AttributeError, ImportError, OSError) as error:
        raise CommandError(str(error), code) from error


def end(interrupted: str = "", failed: bool = False) -> None:
    """Exits with 130 after what was ``interrupted``, with a warning, or 1 if it failed."""
    if interrupted:
        warn(interrupted)
        raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


# ---- consoles


def out() -> Console:
    """Returns the console on standard output. No text is read as markup: specs have [...]."""
    return _console(stderr=False)


def err() -> Console:
    """Returns the console on standard error."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else UNLIMITED
    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


def print_message(kind: str, message: str, style: str) -> None:
    """Prints an error or a warning on standard error, on one line."""
    err().print(Text.assemble((f"{kind}: ", style), message), soft_wrap=True)


def warn(message: str) -> None:
    """Prints a warning on standard error."""
    print_message("Warning", message, "bold yellow")


def print_json(data: Any) -> None:
    """Prints data for a script."""
    print(json.dumps(data, indent=2))


# ---- tables


def table(*columns: str, numbers: int = 0, rows: Iterable[Iterable[str]] = ()) -> Table:
    """Returns a table with these rows; its last ``numbers`` columns are aligned to the right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        right = i >= len(columns) - numbers
        style = "bold" if i == 0 else None
        made.add_column(column, style=style, overflow="fold", justify="right" if right else "left")
    for row in rows:
        made.add_row(*row)
    return made


def print_usage(rows: Sequence[ModelUsage]) -> None:
    """Prints what language models answered, and what it took; the sum is below a rule."""
    heads, cells = usage_cells(rows)
    filled = table(*heads, numbers=len(heads) - 1)
    for number, row in enumerate(cells, 2):
        filled.add_row(*row, end_section=len(cells) > 2 and number == len(cells))
    print_table(filled)


def print_table(filled: Table, console: Console | None = None) -> None:
    """Prints a table, or a list of its rows where the terminal is too narrow for the columns.

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
        names = [str(column.header) for column in filled.columns[1:]]
        for first, *cells in zip(*(column.cells for column in filled.columns), strict=True):
            console.print(Text(f"\n{first}", "bold"), overflow="fold")
            for name, cell in zip(names, map(str, cells), strict=True):
                if cell.strip():
                    console.print(Text.assemble((f"{name}: ", "dim"), cell), overflow="fold")
        console.print()
    elif console.is_terminal:
        console.print(filled)
    else:  # without the spaces that fill up the last column
        with console.capture() as lines:
            console.print(filled)
        console.print("\n".join(line.rstrip() for line in lines.get().splitlines()), soft_wrap=True)


MOST_LINES = 4
"""Lines of what an agent printed that are shown."""


def tell_printed(printed: Iterable[tuple[str, str]]) -> None:
    """Says on standard error what agents have printed, by their names: how it begins and ends."""
    every: dict[str, list[str]] = {}
    for name, text in printed:
        every.setdefault(name, []).extend(filter(None, map(str.strip, text.splitlines())))
    for name, lines in every.items():
        if not lines:
            continue
        count = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        shown = [clean(line, 100) for line in lines]
        if len(shown) > MOST_LINES:
            shown = [*shown[: MOST_LINES - 1], "...", shown[-1]]
        err().print(f"{name} printed {count}: {' | '.join(shown)}", soft_wrap=True)


# ---- progress


SEATS = "first", "second", "third", "fourth", "fifth", "sixth", "7th", "8th", "9th", "10th"
SILENCE = 10.0
"""Seconds after which it is said what takes so long, where there is no terminal."""


@contextmanager
def busy(console: Console, what: str, announced: bool = False) -> Iterator[Any]:
    """Shows activity in a terminal: a context that gives ``update(text)``; elsewhere None.

    With ``announced`` a line on standard error says it there, if it takes long.
    """
    if console.is_terminal:
        with console.status(Text(what, "dim")) as status:
            yield status
        return
    timer = threading.Timer(SILENCE, lambda: err().print(f"{what} ..."))
    timer.daemon = True
    if announced:
        timer.start()
    try:
        yield None
    finally:
        timer.cancel()


@contextmanager
def agents_print_aside() -> Iterator[None]:
    """Yields a context in which what agents and libraries print goes to standard error.

    So do the texts of libraries that write past Python's streams, such as Ray's. So tables and JSON
    on standard output stay whole.
    """
    sys.stdout.flush()
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(output, 1)
        os.close(output)


@contextmanager
def progress_bar(
    what: str, total: int | None = None, json: bool = False
) -> Iterator[Callable[..., None]]:
    """Yields a progress bar on standard error, in a terminal only and not beside JSON.

    Gives a function ``update(done, what, total)``; what is None there stays as it is.
    """
    console = err()
    hidden = json or not console.is_terminal
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=hidden
    ) as progress:
        task = progress.add_task(what, total=total)

        def update(done: int, what: str | None = None, total: int | None = None) -> None:
            progress.update(task, completed=done, description=what, total=total)

        yield update


# ---- files


def check_files(*paths: Path | None, png: Path | None = None) -> None:
    """Raises CommandError unless these files, those that are not None, can be written.

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
    """Creates a folder if it does not exist; CommandError unless files can be written into it."""
    with file_errors(folder, 2):
        folder.mkdir(parents=True, exist_ok=True)
    check_files(folder / "file")


def save_file(path: Path, content: str | bytes) -> None:
    """Writes a file in one step; CommandError if it cannot be written."""
    with file_errors(path, 1):
        write_file(path, content)


def save_png(path: Path, pixels: Any) -> None:
    """Writes an array of shape (height, width, 3) as PNG."""
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    save_file(path, data.getvalue())


@contextmanager
def file_errors(path: Path, code: int) -> Iterator[None]:
    """Yields a context in which an OSError becomes a CommandError that names ``path``."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}", code) from error
