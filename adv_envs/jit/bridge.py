"""Teaches Numba the methods of positions, the functions of ``bits``, and compiles kernels."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic, overload, overload_attribute, overload_method, typeof_impl

from .. import bits
from ..position import Position
from . import cache as disk
from .kernel import CompileError
from .link import Linker
from .wide import WideInt

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

PRIMITIVES = {bits.single, bits.lowest, bits.count, bits.pack, bits.num_words}
"""Functions with a compiled version of their own, below; everything else is compiled as written."""


# ---- compiling a kernel


def compile_kernel(
    function: Callable[..., Any], bindings: dict[str, Any], args: tuple[Any, ...]
) -> Callable[..., Any]:
    """Machine code for ``function`` with ``bindings``, for arguments of the kinds of ``args``."""
    for arg in args:
        if isinstance(arg, Position):
            teach(type(arg))
    signature = tuple(map(type_of, args))
    dispatcher = _linker(bindings).link(function)
    digest = disk.digest(function, bindings, signature, [type(a) for a in args])
    try:
        return disk.load(dispatcher, digest) or disk.compile_and_save(dispatcher, signature, digest)
    except NumbaError as error:
        raise CompileError(f"cannot compile {function.__qualname__}: {_reason(error)}") from error


def _reason(error: NumbaError) -> str:
    """The innermost complaint of a long report."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(("-", ">>>", "During", "File"))]
    causes = [line for line in told if "Error:" in line or "Untyped" in line or "Unknown" in line]
    return (causes or told or [type(error).__name__])[-1]


def _linker(bindings: dict[str, Any]) -> Linker:
    return Linker(lambda linked: numba.njit(**OPTIONS)(linked), bindings, PRIMITIVES.__contains__)


@cache
def _compiled(function: Callable[..., Any]) -> Any:
    return _linker({}).link(function)


def type_of(value: Any) -> types.Type:
    """The Numba type of an argument. Positions look at their values: how wide are the words?"""
    if isinstance(value, Position):
        wide = word_type(value)
        plain = {int: types.int64, bool: types.boolean, float: types.float64}
        fields = [
            wide if name in value._wide_fields else plain[field_type]
            for name, field_type in zip(value._fields, value._field_types, strict=True)
        ]
        return types.BaseTuple.from_types(fields, type(value))
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return types.int64
    return numba.typeof(value)


def word_type(position: Position) -> types.Type:
    """The type of the ``Wide`` fields of ``position``."""
    words = bits.wide_words(position)
    return types.int64 if words == 1 else WideInt(64 * words)


@typeof_impl.register(Position)
def _typeof_position(value: Position, context: Any) -> types.Type:
    return type_of(value)


# ---- methods, properties and constants of positions


@cache
def teach(cls: type) -> None:
    """Make every member of ``cls`` and of its bases up to Position usable in compiled code."""
    for base in cls.__mro__[:-2]:
        for name, member in vars(base).items():
            if name.startswith("__"):
                continue
            if inspect.isfunction(member):
                _teach_method(name, member)
            elif isinstance(member, property | int | float | tuple):
                _teach_attribute(name)


def _member(position_type: types.Type, name: str) -> Any:
    cls = getattr(position_type, "instance_class", None)
    return None if cls is None else inspect.getattr_static(cls, name, None)


_ARITY: dict[str, int] = {}


def _teach_method(name: str, method: Callable[..., Any]) -> None:
    """Numba types a method by its name, so in all classes it takes as many arguments."""
    arity = method.__code__.co_argcount
    if _ARITY.setdefault(name, arity) != arity:
        raise CompileError(
            f"{method.__qualname__} takes {arity - 1} arguments, but compiled methods of that name "
            f"take {_ARITY[name] - 1} in another game: give it another name"
        )
    _teach_method_name(name, ", ".join(f"a{i}" for i in range(1, arity)))


@cache
def _teach_method_name(name: str, arguments: str) -> None:
    def find(self):  # type: ignore[no-untyped-def]
        method = _member(self, name)
        return None if method is None else _compiled(method).py_func

    space = {"find": find}
    exec(f"def call(self, {arguments}): return find(self)", space)
    overload_method(types.BaseNamedTuple, name, jit_options=OPTIONS, strict=False)(space["call"])


@cache
def _teach_attribute(name: str) -> None:
    @overload_attribute(types.BaseNamedTuple, name, jit_options=OPTIONS)
    def get(self):  # type: ignore[no-untyped-def]
        value = _member(self, name)
        if isinstance(value, property):
            return _compiled(value.fget).py_func
        if value is not None and name in self.fields:  # a field here, a property in another game
            return eval(f"lambda self: self[{self.fields.index(name)}]")
        return None if value is None else lambda self: value


# ---- the functions of bits


@intrinsic
def _count_int64(typing_context, cells):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _lowest_int64(typing_context, cells):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), codegen


@overload(bits.single, jit_options=OPTIONS)
def _single(cell, like):  # type: ignore[no-untyped-def]
    if isinstance(like, types.Integer):
        return lambda cell, like: 1 << cell
    return None


@overload(bits.count, jit_options=OPTIONS)
def _count(cells):  # type: ignore[no-untyped-def]
    if isinstance(cells, types.Integer):
        return lambda cells: _count_int64(cells)
    return None


@overload(bits.lowest, jit_options=OPTIONS)
def _lowest(cells):  # type: ignore[no-untyped-def]
    if isinstance(cells, types.Integer):
        return lambda cells: _lowest_int64(cells)
    return None


def _state_fields(position: types.BaseNamedTuple) -> list[tuple[str, int]]:
    """The fields that ``pack`` writes, each with its number of 64-bit words."""
    cls = position.instance_class
    typed = zip(cls._fields, position.types, strict=True)
    state = list(typed)[len(cls.parameters) :]
    return [(name, t.bits // 64 if isinstance(t, WideInt) else 1) for name, t in state]


@overload(bits.num_words, jit_options=OPTIONS)
def _num_words(position):  # type: ignore[no-untyped-def]
    words = sum(count for _, count in _state_fields(position))
    return lambda position: words


@overload(bits.pack, jit_options=OPTIONS)
def _pack(position, row):  # type: ignore[no-untyped-def]
    lines, i = ["def write(position, row):"], 0
    for name, count in _state_fields(position):
        for word in range(count):
            value = f"position.{name}" if count == 1 else f"word(position.{name}, {word})"
            lines.append(f"    row[{i}] = {value}")
            i += 1
    from .wide import word

    space: dict[str, Any] = {"word": word}
    exec("\n".join(lines), space)
    return space["write"]
