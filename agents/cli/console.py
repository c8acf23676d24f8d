"""What every command prints with: to people in colour, to scripts as JSON, refusals on one line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from rich.console import Console
from rich.text import Text


class Refusal(Exception):
    """What the user asked for cannot be done. The message is one line, ``code`` the exit status."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


@contextmanager
def refusing(code: int = 2) -> Iterator[None]:
    """Errors in here are about what the user asked for: a Refusal with the same message."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, ImportError, OSError) as error:
        raise Refusal(str(error), code) from error


def out() -> Console:
    """The console on standard output: a terminal's width, or 100 columns where there is none.

    Nothing printed is read as markup, since specs like ``[...]`` would be lost.
    """
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 100
    return Console(width=width, highlight=False, markup=False, emoji=False)


def err() -> Console:
    """The console on standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def say_on_one_line(kind: str, message: str, style: str) -> None:
    """An error or a warning, on standard error."""
    line = Text.assemble((f"{kind}: ", style), message)
    err().print(line, soft_wrap=True)


def warn(message: str) -> None:
    """Say on standard error what the user should know."""
    say_on_one_line("Warning", message, "bold yellow")


def warn_that_nothing_is_known() -> None:
    """Say where to look when a solver is interrupted before it is sure of any move."""
    warn("no move is solved yet; `adv-envs analyse` says which one looks best")


def print_json(data: Any) -> None:
    """Data for a script."""
    print(json.dumps(data, indent=2))


def busy(console: Console, what: str) -> AbstractContextManager[Any]:
    """A sign of life while something takes its time; nothing where nobody watches."""
    return console.status(Text(what, "dim")) if console.is_terminal else nullcontext()
