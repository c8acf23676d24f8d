"""What a function uses: its globals resolved, bound and fingerprinted, all the way down.

A kernel names other functions by global names. ``Linker`` walks them once and makes copies whose
global names stand for compiled (or plain) versions, with a kernel's bindings put in place. The same
walk feeds a fingerprint: the code, the constants and the bound functions of everything reached, so
two functions with one fingerprint compile to the same thing, whatever file they were written in.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

FOREIGN = frozenset({"numba", "numpy", *sys.stdlib_module_names})
"""Packages whose functions are left as they are: Numba knows them by itself, or not at all."""


def plain(function: Callable[..., Any], bindings: dict[str, Any]) -> Callable[..., Any]:
    """``function`` with the kernels it calls as plain functions and ``bindings`` in place."""
    return Linker(lambda linked: linked, bindings, keep=lambda value: False).link(function)


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
        bindings = {**getattr(function, "bindings", {}), **(bindings or self.bindings)}
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
            if name in names or name in bindings:
                names[name] = self._resolve(bindings.get(name, names.get(name)), bindings)
        return wrapped

    def _resolve(self, value: Any, bindings: dict[str, Any]) -> Any:
        if hasattr(value, "function") and hasattr(value, "bindings"):  # a kernel
            return self.link(value, bindings)
        if isinstance(value, types.FunctionType) and not _foreign(value) and not self.keep(value):
            return self.link(value, bindings)
        return value


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
    digest = hashlib.sha256()
    seen: set[int] = set()

    def feed(value: Any) -> None:
        bindings = getattr(value, "bindings", None)
        if bindings is not None and hasattr(value, "function"):  # a kernel
            for name in sorted(bindings):
                digest.update(f"bind {name}".encode())
                feed(bindings[name])
            value = value.function
        if isinstance(value, types.FunctionType):
            feed_function(value)
        elif isinstance(value, property):
            feed(value.fget)
        elif isinstance(value, type) and hasattr(value, "_wide_fields"):
            feed_class(value)
        else:
            digest.update(_spell(value).encode())

    def feed_function(function: types.FunctionType) -> None:
        digest.update(f"def {function.__qualname__}".encode())
        if id(function) in seen or _foreign(function):
            return
        seen.add(id(function))
        feed_code(function.__code__)
        for cell in function.__closure__ or ():
            feed(cell.cell_contents)
        feed(function.__defaults__)
        for name in global_names(function.__code__):
            if name in function.__globals__:
                digest.update(name.encode())
                feed(function.__globals__[name])

    def feed_code(code: types.CodeType) -> None:
        digest.update(code.co_code)
        digest.update(repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                feed_code(constant)
            else:
                digest.update(_spell(constant).encode())

    def feed_class(cls: type) -> None:
        digest.update(f"class {cls.__module__}.{cls.__qualname__}".encode())
        digest.update(f"{cls._fields} {sorted(cls._wide_fields)}".encode())  # type: ignore[attr-defined]
        if id(cls) in seen:
            return
        seen.add(id(cls))
        for base in cls.__mro__[:-2]:
            for name, member in sorted(vars(base).items()):
                if isinstance(member, types.FunctionType | property | int | float | tuple | str):
                    if not name.startswith("__"):
                        digest.update(name.encode())
                        feed(member)

    for root in roots:
        feed(root)
    return digest.hexdigest()[:32]


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
