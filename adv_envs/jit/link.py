"""Finds what a function uses: its globals resolved, bound and fingerprinted, all the way down.

A kernel names other functions by global names. ``Linker`` walks them once and makes copies whose
global names stand for compiled (or plain) versions, with a kernel's bindings put in place. The same
walk feeds a fingerprint: the code, the constants and the bound functions of everything reached, so
two functions with one fingerprint compile to the same thing, whatever file they were written in.
"""

from __future__ import annotations

import difflib
import dis
import enum
import functools
import hashlib
import inspect
import logging
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

FOREIGN = frozenset({"numba", "numpy", *sys.stdlib_module_names})
"""Packages whose functions are left as they are: Numba knows them by itself, or not at all."""


log = logging.getLogger("adv_envs.jit")
"""Says what is compiled, at the level INFO, for programs that want to show it; and at the level
WARNING which files of compiled code are damaged."""

INLINED: set[types.CodeType] = set()
"""The code of every function marked ``@inlined``."""


class CompileError(TypeError):
    """Says what a function uses that cannot be compiled."""


class CacheError(RuntimeError):
    """Says that the folder of compiled code is not safe to load from, and what to do."""


def plain(
    function: Callable[..., Any],
    bindings: dict[str, Any],
    wrap: Callable[[Callable[..., Any]], Any] = lambda linked: linked,
) -> Callable[..., Any]:
    """Returns ``function`` with the kernels it calls as plain functions and ``bindings`` set.

    Calls go to what ``wrap`` makes of each of these functions.
    """
    return Linker(wrap, bindings, keep=lambda value: False).link(function)  # type: ignore[no-any-return]


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
        """Returns the wrapped copy of ``function`` (a plain function or a kernel)."""
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
        return self.link(value, bindings) if _is_ours(value) and not self.keep(value) else value


def _is_ours(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and not _foreign(value)


def _foreign(function: Any) -> bool:
    return (function.__module__ or "").split(".")[0] in FOREIGN


def global_names(code: types.CodeType) -> list[str]:
    """Returns the names that ``code`` and the code nested in it may look up globally, sorted."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(global_names(constant))
    return sorted(names)


@functools.cache
def loaded_globals(code: types.CodeType) -> frozenset[str]:
    """Returns the names that ``code``, with nested code, looks up globally, without attributes."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= loaded_globals(constant)
    return frozenset(names)


def check_bindings(function: Any, names: Sequence[str], bindings: dict[str, Any]) -> None:
    """Raises ValueError unless each of ``names`` stands for one thing in all that is linked.

    ``function`` is linked with ``bindings``, those of ``names`` among them.
    """
    meanings = _meanings(function, bindings)
    for name in names:
        found = meanings.get(name, [])
        if not found:
            close = difflib.get_close_matches(name, meanings, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(
                f"neither {function.__qualname__} nor a function that it calls uses the global "
                f"name {name!r}: it cannot be bound{hint}"
            )
        user, first = found[0]
        for other, value in found[1:]:
            if value is not first and spelled_constant(value) != spelled_constant(first):
                raise ValueError(
                    f"{name!r} cannot be bound: it is one thing in {user} and another in {other}"
                )


def used_names(function: Any, bindings: dict[str, Any]) -> frozenset[str]:
    """Returns the global names used by ``function`` and all it calls, linked with ``bindings``."""
    return frozenset(_meanings(function, bindings))


def _meanings(function: Any, bindings: dict[str, Any]) -> dict[str, list[tuple[str, Any]]]:
    """Returns for each global name used by ``function`` and all it calls: who uses it, for what."""
    meanings: dict[str, list[tuple[str, Any]]] = {}
    todo, seen = [function], {function}
    for user in todo:  # the list grows while it is walked
        where = f"{user.__module__}.{user.__qualname__}"
        for name in sorted(loaded_globals(user.__code__)):
            meanings.setdefault(name, [])
            if name in user.__globals__:
                value = user.__globals__[name]
                meanings[name].append((where, value))
                value = getattr(value, "function", value) if name not in bindings else None
                if _is_ours(value) and value not in seen:
                    seen.add(value)
                    todo.append(value)
    return meanings


def fingerprint(*roots: Any) -> str:
    """Returns a digest of all that the roots (functions, kernels, classes, values) are made of."""
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
        elif isinstance(value, type) and hasattr(value, "wide_fields"):
            self.text(f"class {value.__module__}.{value.__qualname__}")
            if self._is_new(value):
                self.position_class(value)
        else:
            self.text(spelled_constant(value))

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
        """Returns what code that names ``module`` may look up in it."""
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
                self.text(spelled_constant(constant))

    def position_class(self, cls: Any) -> None:
        self.text(f"{cls._fields} {cls.field_types} {sorted(cls.wide_fields.items())}")
        kinds = types.FunctionType | property | int | float | tuple | str  # type: ignore[type-arg]
        for base in cls.__mro__[:-2]:
            for name, member in sorted(vars(base).items()):
                if isinstance(member, kinds) and not name.startswith("__"):
                    self.text(name)
                    self.feed(member)


def spelled_constant(value: Any) -> str:
    """Fingerprints constants and arrays by value; others' modules, types, functions by name."""
    if isinstance(value, tuple):
        return f"({','.join(map(spelled_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(spelled_constant, value)))}}}"
    if isinstance(value, list | dict | set):  # what can change is not compiled
        return type(value).__qualname__
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if inspect.ismodule(value):
        return f"module {value.__name__}"
    if isinstance(value, type) or callable(value):
        name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"
        return f"{name}{getattr(value, '_fields', '')}"  # of a named tuple
    return f"{type(value).__qualname__} {value!r}"
