"""Holds the questions that checks put to a student's program, which run where the program is.

Each is a function of the submission and one argument, and returns plain data.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any, NamedTuple

from adv_envs.position import Position
from agents.agent import clean
from agents.faults import Forfeit, describe, fault_of
from agents.student_code import find_player


class FunctionCall(NamedTuple):
    """Names a function of a student's file, and the arguments that it is called with."""

    function: str
    arguments: tuple[Any, ...]


def call_result(submission: Any, call: FunctionCall) -> Any:
    """Returns what a function returns, as plain data; Forfeit, with the line, for what it raises.

    That is printed there, as Python does. TypeError if what it returns is no plain data.
    """
    code = submission.code()
    function = code.function(call.function)
    try:
        found = function(*call.arguments)
    except Exception as error:  # all that it raises is its own
        sys.stderr.write(code.error_text(error))
        raise Forfeit(fault_of(error), describe(error) + code.place(error)) from None
    return plain(found)


def plain(value: Any) -> Any:
    """Returns a value as JSON has it: numbers of NumPy as Python's, sets as sorted lists.

    TypeError for what is no plain data.
    """
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        kind = clean(type(value).__name__)
        raise TypeError(f"{kind} is no number, text, list or dictionary of these") from None


def parameter_count(submission: Any, name: str) -> int:
    """Returns how many parameters of a function must be given."""
    parameters = inspect.signature(submission.code().function(name)).parameters.values()
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return sum(each.kind in kinds and each.default is each.empty for each in parameters)


class ImportQuestion(NamedTuple):
    """Names modules that are not allowed, and the file that may import them."""

    source: str
    modules: tuple[str, ...]
    position: Position
    """A position at which the file's agent is asked."""


def matching(name: str, modules: Sequence[str]) -> bool:
    """Returns whether a name is one of these modules, or in one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def imports_while_playing(submission: Any, question: ImportQuestion) -> list[str]:
    """Returns which of some modules a file imports while it is run and chooses a move.

    The text of the file is run again, with an ``__import__`` of ours, which also sees imports by
    ``exec``; ``importlib.import_module`` is watched, too.
    """
    seen: dict[str, None] = {}
    usual, by_name = builtins.__import__, importlib.import_module

    def note(names: Sequence[str]) -> None:
        seen.update(dict.fromkeys(name for name in names if matching(name, question.modules)))

    def importing(
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if not level:
            note([name, *(f"{name}.{each}" for each in fromlist or ())])
        return usual(name, globals, locals, fromlist or (), level)

    def import_module(name: str, package: str | None = None) -> Any:
        note([name])
        return by_name(name, package)

    module = ModuleType("watched")
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": importing}
    importlib.import_module = import_module
    try:
        with suppress(Exception, SystemExit):  # what it imported before is known
            exec(compile(question.source, "watched.py", "exec"), vars(module))  # noqa: S102
            find_player(module, "watched.py")[1].answer(question.position, None)
    finally:
        importlib.import_module = by_name
    return list(seen)
