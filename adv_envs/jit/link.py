"""What a function uses: its globals resolved, bound and fingerprinted, all the way down.

A kernel names other functions by global names. ``Linker`` walks them once and makes copies whose
global names stand for compiled (or plain) versions, with a kernel's bindings put in place. The same
walk feeds a fingerprint: the code, the constants and the bound functions of everything reached, so
two functions with one fingerprint compile to the same thing, whatever file they were written in.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

FOREIGN = frozenset({"numba", "numpy", *sys.stdlib_module_names})
"""Packages whose functions are left as they are: Numba knows them by itself, or not at all."""


INLINED: set[types.CodeType] = set()
"""The code of every function marked ``@inlined``."""


def plain(function: Callable[..., Any], bindings: dict[str, Any]) -> Callable[..., Any]:
    """``function`` with the kernels it calls as plain functions and ``bindings`` in place."""
    linker = Linker(lambda linked: linked, bindings, keep=lambda value: False)
    return linker.link(function)  # type: ignore[no-any-return]


class Linker:
    """Copies functions so that their global names stand for ``wrap``-ped versions of what they use.

    ``wrap`` turns a linked plain function into what callers should call; ``keep`` says which plain
    functions stay as they are because the callers know them already.
    """

    def __init__(
        self,
        wrap: Callable[[Callable[..., Any]], Any],
        bindings: dict[str, Any],
        keep: Callable[[Any], bool],
    ) -> None:
        self.wrap, self.bindings, self.keep = wrap, bindings, keep
        self.linked: dict[Any, Any] = {}

    def link(self, function: Any, bindings: dict[str, Any] | None = None) -> Any:
        """The wrapped copy of ``function`` (a plain function or a kernel)."""
        given = self.bindings if bindings is None else bindings
        bindings = {**getattr(function, "bindings", {}), **given}
        function = getattr(function, "function", function)
        key = function, tuple(sorted((name, id(value)) for name, value in bindings.items()))
        if key in self.linked:
            return self.linked[key]
        names = dict(function.__globals__)
        copy = types.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        wrapped = self.linked[key] = self.wrap(copy)
        for name in global_names(function.__code__):
            if name in bindings:  # what is bound keeps its own names
                names[name] = self._resolve(bindings[name], {})
            elif name in names:
                names[name] = self._resolve(names[name], bindings)
        return wrapped

    def _resolve(self, value: Any, bindings: dict[str, Any]) -> Any:
        if hasattr(value, "function") and hasattr(value, "bindings"):  # a kernel
            return self.link(value, bindings)
        ours = isinstance(value, types.FunctionType) and not _foreign(value)
        return self.link(value, bindings) if ours and not self.keep(value) else value


def _foreign(function: Any) -> bool:
    return (function.__module__ or "").split(".")[0] in FOREIGN


def global_names(code: types.CodeType) -> list[str]:
    """The names that ``code`` and the code nested in it may look up globally, sorted."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(global_names(constant))
    return sorted(names)


def fingerprint(*roots: Any) -> str:
    """A digest of everything the roots (functions, kernels, classes, values) are made of."""
    walk = _Fingerprint()
    for root in roots:
        walk.feed(root)
    return walk.digest.hexdigest()[:32]


class _Fingerprint:
    """Walks whatever a function or a position class can reach, each thing once."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: set[int] = set()

    def text(self, text: str) -> None:
        self.digest.update(f"{text}\n".encode())

    def feed(self, value: Any) -> None:
        if hasattr(value, "function") and hasattr(value, "bindings"):  # a kernel
            for name in sorted(value.bindings):
                self.text(f"bind {name}")
                self.feed(value.bindings[name])
            value = value.function
        value = getattr(value, "py_func", value)  # of a function compiled by Numba itself
        if isinstance(value, types.FunctionType):
            self.text(f"def {value.__qualname__}")
            if self._is_new(value) and not _foreign(value):
                self.function(value)
        elif isinstance(value, property):
            self.feed(value.fget)
        elif isinstance(value, enum.EnumMeta):
            self.text(repr(list(value)))
        elif isinstance(value, type) and hasattr(value, "_wide_fields"):
            self.text(f"class {value.__module__}.{value.__qualname__}")
            if self._is_new(value):
                self.position_class(value)
        else:
            self.text(_spell(value))

    def _is_new(self, value: Any) -> bool:
        new = id(value) not in self.seen
        self.seen.add(id(value))
        return new

    def function(self, function: types.FunctionType) -> None:
        self.code(function.__code__)
        if function.__code__ in INLINED:
            self.text("inlined")
        for cell in function.__closure__ or ():
            self.feed(cell.cell_contents)
        self.feed(function.__defaults__)
        names = global_names(function.__code__)
        for name in names:
            if name in function.__globals__:
                value = function.__globals__[name]
                self.text(name)
                self.feed(value)
                if inspect.ismodule(value) and value.__name__.split(".")[0] not in FOREIGN:
                    self.module(value, names)

    def module(self, module: types.ModuleType, names: list[str]) -> None:
        """What code that names ``module`` may look up in it."""
        for name in names:
            if name in vars(module):
                self.text(name)
                self.feed(vars(module)[name])

    def code(self, code: types.CodeType) -> None:
        self.digest.update(code.co_code)
        self.text(repr((code.co_names, code.co_varnames, code.co_freevars)))
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.text(_spell(constant))

    def position_class(self, cls: Any) -> None:
        self.text(f"{cls._fields} {cls._field_types} {sorted(cls._wide_fields)}")
        kinds = types.FunctionType | property | int | float | tuple | str  # type: ignore[type-arg]
        for base in cls.__mro__[:-2]:
            for name, member in sorted(vars(base).items()):
                if isinstance(member, kinds) and not name.startswith("__"):
                    self.text(name)
                    self.feed(member)


def _spell(value: Any) -> str:
    """Constants and arrays by value; modules, types and functions of others by name."""
    if isinstance(value, tuple):
        return f"({','.join(map(_spell, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_spell, value)))}}}"
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if inspect.ismodule(value):
        return f"module {value.__name__}"
    if isinstance(value, type) or callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"
    return f"{type(value).__qualname__} {value!r}"
