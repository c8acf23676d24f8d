"""Computes digests of the source of kernels: the same for every version of Python.

Bytecode is another one for each.

It is of everything that a kernel can reach: functions, those methods and constants of positions
whose names are used somewhere, what is bound, constants and arrays. Docstrings, comments and line
breaks do not count.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import io
import textwrap
import tokenize
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adv_envs.bits import wide_words
from adv_envs.position import Position

from .link import FOREIGN, INLINED, global_names, spelled_constant

COMPILER = "bridge.py", "library.py", "link.py", "runtime.ll", "webassembly.py", "wide.py"
"""The files of this folder that decide what a kernel becomes as WebAssembly."""


def digest_of_sources(*roots: Any) -> str:
    """Returns a digest of all that the ``roots`` (kernels, positions, values) are made of."""
    walk = _Walk()
    told = [walk.told(root) for root in roots]
    walk.finish()
    text = "\n".join([*told, *sorted(walk.entries), digest_of_compiler()])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@functools.cache
def digest_of_compiler() -> str:
    """Returns a digest of the source of what makes WebAssembly."""
    folder, found = Path(__file__).parent, hashlib.sha256()
    for name in COMPILER:
        text = (folder / name).read_text(encoding="utf-8")
        found.update((bare(text) if name.endswith(".py") else text).encode())
    return found.hexdigest()


def bare(source: str) -> str:
    """Returns Python source without docstrings and comments, on one line: blocks are in braces."""
    lines = [*source.splitlines(keepends=True), ""]
    for token, instead in reversed(list(_replaced(source))):
        (top, left), (bottom, right) = token.start, token.end
        rest = lines[bottom - 1][right:]
        lines[top - 1 : bottom] = [lines[top - 1][:left] + instead + rest]
    return " ".join("".join(lines).split())


def _replaced(source: str) -> Iterator[tuple[tokenize.TokenInfo, str]]:
    """Yields comments and texts that are statements, and where blocks begin and end, as braces."""
    blank = {tokenize.COMMENT, tokenize.NL}
    braces = {tokenize.INDENT: "{ ", tokenize.DEDENT: "} "}
    before, begins = tokenize.NEWLINE, {tokenize.NEWLINE, *braces}
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        alone = before in begins and after.type in (tokenize.NEWLINE, tokenize.COMMENT)
        if token.type in braces:
            yield token, braces[token.type]
        elif token.type == tokenize.COMMENT or (token.type == tokenize.STRING and alone):
            yield token, ""
        before = before if token.type in blank else token.type


@functools.cache
def source_of(code: types.CodeType) -> str:
    """Returns the source of a function without docstrings and comments."""
    return bare(textwrap.dedent(inspect.getsource(code)))


class _Walk:
    """Collects whatever the roots can reach, each thing once."""

    def __init__(self) -> None:
        self.entries: set[str] = set()
        self.names: set[str] = set()
        """All names that functions use, of globals and attributes."""
        self.classes: set[type] = set()
        self.seen: set[Any] = set()
        self.last: dict[type, str] = {}
        """The entries of the classes so far."""

    def told(self, value: Any) -> str:
        """Returns what tells a value from others, and collects what it is made of."""
        if hasattr(value, "function") and hasattr(value, "bindings"):  # a kernel
            bound = (f"{n}={self.told(value.bindings[n])}" for n in sorted(value.bindings))
            return f"{self.told(value.function)}({', '.join(bound)})"
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, property):
            return self.told(value.fget)
        if isinstance(value, enum.EnumMeta):
            return repr(list(value))
        if isinstance(value, Position):
            words = [wide_words(value, field) for field in value.wide_fields]
            return f"{self.told(type(value))} of {words} words"
        if isinstance(value, type) and issubclass(value, Position):
            self.classes.add(value)
            return f"{value.__module__}.{value.__qualname__}"
        return spelled_constant(value)

    def function(self, function: types.FunctionType) -> str:
        name = f"{function.__module__}.{function.__qualname__}"
        if name.split(".", maxsplit=1)[0] in FOREIGN or function in self.seen:
            return name
        self.seen.add(function)
        used = global_names(function.__code__)
        self.names.update(used)
        parts = [source_of(function.__code__)] + ["inlined"] * (function.__code__ in INLINED)
        parts += [self.told(cell.cell_contents) for cell in function.__closure__ or ()]
        parts += [self.told(value) for value in function.__defaults__ or ()]
        for used_name in used:
            if used_name in function.__globals__:
                value = function.__globals__[used_name]
                parts += [f"{used_name}={self.told(value)}", *self.module(value, used)]
        self.entries.add(f"{name}: {'; '.join(parts)}")
        return name

    def module(self, value: Any, names: list[str]) -> list[str]:
        """Returns what code that names a module of ours may look up in it."""
        if not inspect.ismodule(value) or value.__name__.split(".")[0] in FOREIGN:
            return []
        return [f"{n}={self.told(vars(value)[n])}" for n in names if n in vars(value)]

    def finish(self) -> None:
        """Collects the members of positions that are used, and what these use in turn."""
        before: set[str] = set()
        while before != self.entries:
            before = set(self.entries)
            for cls in sorted(self.classes, key=lambda cls: f"{cls.__module__}.{cls.__qualname__}"):
                self.members(cls)

    def members(self, cls: Any) -> None:
        fields = [f"{cls._fields} {cls.field_types} {sorted(cls.wide_fields.items())}"]
        kinds = types.FunctionType | property | int | float | tuple | str  # type: ignore[type-arg]
        for name in sorted(self.names & set(dir(cls))):
            member = inspect.getattr_static(cls, name)
            if isinstance(member, kinds) and not name.startswith("__"):
                fields.append(f"{name}={self.told(getattr(member, '__wrapped__', member))}")
        self.entries.discard(self.last.get(cls, ""))
        self.last[cls] = f"{cls.__module__}.{cls.__qualname__}: {'; '.join(fields)}"
        self.entries.add(self.last[cls])
