"""The commands of the Hex text protocol, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Command = Callable[..., str]
COMMANDS: dict[str, tuple[str, Command]] = {}
"""Each command, how its arguments are written, and what does it."""

F = TypeVar("F", bound=Command)


def command(usage: str = "", name: str = "") -> Callable[[F], F]:
    """Make a function a command: by its own name, with arguments as in ``usage``."""

    def enter(function: F) -> F:
        COMMANDS[name or function.__name__] = usage, function
        return function

    return enter
