"""Teaches Numba the methods of positions, the functions of ``bits``, and compiles kernels."""

from __future__ import annotations

import gc
import inspect
import itertools
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from types import SimpleNamespace
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import intrinsic, lower_builtin, lower_getattr, typeof_impl
from numba.np import arrayobj

from adv_envs import bits
from adv_envs.position import Position

from . import cache as disk
from .library import EntryCompiler, InternalCompiler
from .link import INLINED, CacheError, CompileError, Linker, log
from .wide import OPTIONS, PRIMITIVES, WideInt, compiles, emits, spilled

# ---- compiling a kernel

NUMBERS = itertools.count(int.from_bytes(os.urandom(7)) + 1)
"""The numbers of what is compiled for our kernels, unlike those of any other process."""


@contextmanager
def numbered_apart() -> Iterator[None]:
    """Gives what is compiled within a number of ``NUMBERS``, and leaves Numba's counter as it was.

    Numba numbers functions from 1 in every process, and the number tells apart the symbols of two
    versions of one function. Code loaded from a file brings the numbers of the process that
    compiled it along: if they are not unique among all processes, its calls end in the wrong
    version. Nobody else can compile meanwhile.
    """
    with global_compiler_lock:
        theirs, FunctionIdentity._unique_ids = FunctionIdentity._unique_ids, NUMBERS
        try:
            yield
        finally:
            FunctionIdentity._unique_ids = theirs


@numbered_apart()
def compile_kernel(
    function: Callable[..., Any], bindings: dict[str, Any], args: tuple[Any, ...]
) -> Callable[..., Any]:
    """Returns machine code for ``function`` with ``bindings``, for arguments like ``args``."""
    try:
        signature = tuple(map(type_of, args))
        digest = disk.digest(function, bindings, signature, [type(a) for a in args])
        with suppress(NumbaError):
            return _loaded_or_compiled(function, bindings, signature, digest)
        log.info("compiling %s again, as something in it makes arrays", function.__qualname__)
        counting = _counting.set(True)
        try:
            return _loaded_or_compiled(function, bindings, signature, digest)
        finally:
            _counting.reset(counting)
    except CacheError:
        raise
    except Exception as error:  # Numba raises many kinds for what it does not know
        bound = "".join(
            f" with {name}={value.__qualname__}"
            for name, value in bindings.items()
            if hasattr(value, "__qualname__")
        )
        what = f"{function.__qualname__}{bound}"
        raise CompileError(f"cannot compile {what}: {_reason(error)}") from error


def internal_code(
    function: Callable[..., Any], bindings: dict[str, Any], args: tuple[Any, ...]
) -> Any:
    """Returns what Numba knows of ``function`` compiled, before it is code for a processor."""
    try:
        signature = tuple(map(type_of, args))
        with without_collector():
            dispatcher = _linker(bindings).link(function)
            dispatcher.compile(signature)
        return dispatcher.overloads[signature]
    except Exception as error:  # Numba raises many kinds for what it does not know
        raise CompileError(f"cannot compile {function.__qualname__}: {_reason(error)}") from error


TARGET = SimpleNamespace(portable=False)
"""Whether code is compiled without the instructions that only this processor has."""


def compile_portably() -> None:
    """Compiles without the instructions of this processor from now on.

    RuntimeError if something has been compiled already, since it would be used again.
    """
    if not TARGET.portable and _linker_of_methods.cache_info().currsize:
        raise RuntimeError("this process has compiled for its own processor: use a new one")
    TARGET.portable = True


_counting = ContextVar("counting", default=False)
"""Whether references to arrays are counted in what is compiled."""


@contextmanager
def without_collector() -> Iterator[None]:
    """Keeps the garbage collector still, which would look through the compiler again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _options() -> dict[str, Any]:
    return {**OPTIONS, "_nrt": _counting.get()}


def _loaded_or_compiled(
    function: Callable[..., Any], bindings: dict[str, Any], signature: tuple[Any, ...], digest: str
) -> Callable[..., Any]:
    """Returns machine code from the disk, or compiles it and keeps it under ``digest``."""
    dispatcher = _linker(bindings, function).link(function)
    if loaded := disk.load(dispatcher, digest):
        return loaded
    log.info("compiling %s", function.__qualname__)
    with without_collector():
        entry_point = dispatcher.compile(signature)
    if not disk.save(dispatcher, digest):
        # functions that call each other in a circle find each other through entry points
        dispatcher = Linker(_with_entry_point, bindings, PRIMITIVES.__contains__).link(function)
        entry_point = dispatcher.compile(signature)
    return entry_point  # type: ignore[no-any-return]


def _reason(error: Exception) -> str:
    """Returns the innermost complaint of a long report, which may be in colours, in one line."""
    report = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip(" -^") for line in report.splitlines()]
    noise = ("", ">>>", "During", "File", "raised from", "<source", "Failed in", "- Of which")
    told = [line for line in lines if line and not line.startswith(noise[1:])]
    signs = ("Error:", "Untyped", "Unknown", "No implementation", "not supported", "Use of")
    causes = [line for line in told if any(sign in line for sign in signs)]
    return (causes or told[:1] or [type(error).__name__])[-1][:160]


def _linker(bindings: dict[str, Any], called: Callable[..., Any] | None = None) -> Linker:
    """Returns a linker for the compiler. Python calls only the function ``called``."""
    code = getattr(called, "__code__", None)

    def wrap(linked: Callable[..., Any]) -> Any:
        return _with_entry_point(linked) if linked.__code__ is code else InternalDispatcher(linked)

    return Linker(wrap, bindings, PRIMITIVES.__contains__)


def _with_entry_point(linked: Callable[..., Any]) -> Any:
    return numba.njit(pipeline_class=EntryCompiler, no_cfunc_wrapper=True, **_options())(linked)


class InternalDispatcher(CPUDispatcher):
    """Compiles a function that only compiled code calls, without an entry point for Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        options = {
            **_options(),
            "nopython": True,
            "no_cpython_wrapper": True,
            "no_cfunc_wrapper": True,
            "forceinline": function.__code__ in INLINED,
        }
        super().__init__(function, targetoptions=options, pipeline_class=InternalCompiler)
        self._compiler._customize_flags = _without_entry_point

    def add_overload(self, result: Any) -> None:
        """Keeps what was compiled, for callers that are being compiled themselves."""
        result = result._replace(entry_point=object())  # what Numba knows it by
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result


def _without_entry_point(flags: Any) -> Any:
    flags.no_compile = True
    return flags


def _compiled(function: Any) -> Any:
    return _linker_of_methods(_counting.get()).link(function)


@cache
def _linker_of_methods(counting: bool) -> Linker:
    return _linker({})


def type_of(value: Any) -> types.Type:
    """Returns an argument's Numba type. That of a position depends on how wide its words are."""
    if isinstance(value, Position):
        plain = {int: types.int64, bool: types.boolean, float: types.float64}
        for name, field_type in zip(value._fields, value.field_types, strict=True):
            if field_type not in plain:
                raise TypeError(f"the field {name} is {field_type}, not int, bool, float or Wide")
        fields = [
            WideInt(64 * words) if (words := bits.wide_words(value, name)) else plain[field_type]
            for name, field_type in zip(value._fields, value.field_types, strict=True)
        ]
        return types.BaseTuple.from_types(fields, type(value))
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return types.int64
    return numba.typeof(value)


@typeof_impl.register(Position)
def _typeof_position(value: Position, context: Any) -> types.Type:
    return type_of(value)


# ---- methods, properties and constants of positions


def member_of(position_type: Any, name: str) -> Any:
    """Returns what a position class or one of its bases defines as ``name``; None for a field."""
    cls = getattr(position_type, "instance_class", None)
    if cls is None or not issubclass(cls, Position) or name in position_type.fields:
        return None
    member = inspect.getattr_static(cls, name, None)
    return getattr(member, "__wrapped__", member) if name == "legal" else member


@infer_getattr
class PositionAttributes(AttributeTemplate):
    """Returns the type of ``position.name`` in compiled code, for all names but fields."""

    key = types.BaseNamedTuple

    def generic_resolve(self, position_type: Any, name: Any) -> Any:
        """Returns a method, the type of a property's answer or of a constant, or None."""
        member = member_of(position_type, name)
        if inspect.isfunction(member):
            _lower_method(name)
            return types.BoundFunction(_method(position_type, name), position_type)
        if isinstance(member, property):
            _lower_attribute(name)
            getter = types.Dispatcher(_compiled(member.fget))
            return getter.get_call_type(self.context, (position_type,), {}).return_type
        if isinstance(member, int | float | tuple):
            _lower_attribute(name)
            return numba.typeof(member)
        return None


def _method(position_type: Any, name: str) -> type[AbstractTemplate]:
    method = types.Dispatcher(_compiled(member_of(position_type, name)))

    class Method(AbstractTemplate):
        key = ("method of a position", name)

        def generic(self, args: Any, kws: Any) -> Any:
            return method.get_call_type(self.context, (position_type, *args), kws).as_method()

    return Method


@cache
def _lower_method(name: str) -> None:
    @lower_builtin(("method of a position", name), types.BaseNamedTuple, types.VarArg(types.Any))
    def call_method(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(context, builder, member_of(signature.args[0], name), signature.args, args)

    cpu_target.target_context.refresh()  # or a name met for the first time is known too late


@cache
def _lower_attribute(name: str) -> None:
    @lower_getattr(types.BaseNamedTuple, name)
    def get(context: Any, builder: Any, position_type: Any, position: Any) -> Any:
        if name in position_type.fields:  # a field here, a property in another game
            index = position_type.fields.index(name)
            field = builder.extract_value(position, index)
            return impl_ret_borrowed(context, builder, position_type.types[index], field)
        member = member_of(position_type, name)
        if isinstance(member, property):
            return _call(context, builder, member.fget, (position_type,), (position,))
        return context.get_constant_generic(builder, numba.typeof(member), member)

    cpu_target.target_context.refresh()


def _call(context: Any, builder: Any, function: Any, arg_types: Any, args: Any) -> Any:
    """Returns code that calls the compiled ``function``."""
    dispatcher = types.Dispatcher(_compiled(function))
    signature = dispatcher.get_call_type(context.typing_context, arg_types, {})
    call = context.get_function(dispatcher, signature)
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args)


# ---- the functions of bits


@intrinsic
def _nth_int64(typing_context: Any, cells: Any, n: Any) -> Any:
    """Computes ``bits.nth`` by one instruction: deposits bit n into the cells, sees where."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        chosen = builder.call(deposit, [builder.shl(ir.Constant(word, 1), args[1]), args[0]])
        return builder.cttz(chosen, context.get_constant(types.boolean, True))

    return types.int64(types.int64, types.int64), codegen


@compiles(bits.nth)
def _nth(cells: Any, n: Any) -> Any:
    if _has("bmi2"):
        return lambda cells, n: _nth_int64(cells, n)
    counted = _compiled(bits.nth)
    return lambda cells, n: counted(cells, n)


def _in_frame(typing_context: Any, number: Any) -> Any:
    """Returns an array in the frame of the function, which nobody counts the references to.

    It is written where it is used: the frame of a function of its own would be given to others as
    soon as that function is inlined, although the array is still used.
    """
    array = types.Array(types.int64, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        room = cgutils.alloca_once(builder, word, ir.Constant(word, bits.MOST_SCRATCH))
        made = context.make_array(array)(context, builder)
        size, shape = ir.Constant(word, 8), cgutils.pack_array(builder, [args[0]])
        strides = cgutils.pack_array(builder, [size])
        arrayobj.populate_array(made, room, shape, strides, size, meminfo=None)
        return made._getvalue()

    return array(types.int64), codegen


emits(bits.scratch)(_in_frame)
_stack_array = intrinsic(_in_frame)


@compiles(bits.list_cells)
def _list_cells(cells: Any, stride: Any, numbers: Any) -> Any:
    def write(cells: Any, stride: Any, numbers: Any) -> Any:
        words, number, inverse = spilled(cells), 0, (1 << 32) // stride + 1
        for i in range(len(words) - 1):
            word = words[i]
            while word != 0:
                cell = bits.lowest(word) + 64 * i
                word &= word - 1
                numbers[number] = cell - (cell * inverse >> 32)  # cell // stride
                number += 1
        return number

    return write


@compiles(bits.write_planes)
def _write_planes(sets: Any, room: Any, stride: Any, planes: Any, number: Any, swap: Any) -> Any:
    def write(sets: Any, room: Any, stride: Any, planes: Any, number: Any, swap: Any) -> Any:
        words, row_of, turn = spilled(sets), _stack_array(number), 1 if swap else 0
        for row in range(bits.index(planes.shape[0])):
            for i in range(number):
                at = (i ^ turn) * room + row * stride
                word, by = bits.index(at >> 6), types.uint64(at & 63)
                low = types.uint64(words[word]) >> by
                row_of[i] = low | types.uint64(words[word + 1]) << 1 << 63 - by
            for column in range(bits.index(planes.shape[1])):
                for i in range(number):
                    planes[row, column, bits.index(i)] = row_of[i] >> column & 1

    return write


@compiles(bits.fill_plane)
def _fill_plane(planes: Any, plane: Any) -> Any:
    def fill(planes: Any, plane: Any) -> None:
        for row in range(planes.shape[0]):
            for column in range(planes.shape[1]):
                planes[bits.index(row), bits.index(column), bits.index(plane)] = 1

    return fill


@emits(bits.index)
def _index(typing_context: Any, number: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], *signature.args, signature.return_type)

    return types.uint64(number), codegen


@compiles(bits.has_room)
def _has_room(cells: Any, by: Any) -> Any:
    if isinstance(cells, types.Integer):
        return lambda cells, by: by < 64
    return lambda cells, by: True


@compiles(bits.sort_first)
def _sort_first(numbers: Any, n: Any) -> Any:
    def insert(numbers: Any, n: Any) -> None:
        for i in range(1, n):
            number, j = numbers[i], i - 1
            while j >= 0 and numbers[j] > number:
                numbers[j + 1] = numbers[j]
                j -= 1
            numbers[j + 1] = number

    return insert


@compiles(bits.has_line)
def _has_line(stones: Any, k: Any, stride: Any) -> Any:
    among = _compiled(bits.line_among)
    return lambda stones, k, stride: among(stones, k, stride)


def _state_fields(position: types.BaseNamedTuple) -> list[tuple[str, int]]:
    """Returns the fields that ``pack`` writes, each with its number of words; 0 if not wide."""
    cls = position.instance_class
    typed = zip(cls._fields, position.types, strict=True)
    state = list(typed)[len(cls.parameters) :]
    return [(name, t.bits // 64 if isinstance(t, WideInt) else 0) for name, t in state]


@compiles(bits.num_words)
def _num_words(position: Any) -> Any:
    words = sum(max(count, 1) for _, count in _state_fields(position))
    return lambda position: words


@compiles(bits.pack)
def _pack(position: Any, row: Any) -> Any:
    return _writer(position, "position, row", "row[{}]")


@compiles(bits.pack_row)
def _pack_row(position: Any, rows: Any, i: Any) -> Any:
    return _writer(position, "position, rows, i", "rows[i, {}]")


@compiles(bits.unpack)
def _unpack(like: Any, row: Any) -> Any:
    return _reader(like, "like, row", "row[{}]")


@compiles(bits.unpack_row)
def _unpack_row(like: Any, rows: Any, i: Any) -> Any:
    return _reader(like, "like, rows, i", "rows[i, {}]")


@compiles(bits.position_of)
def _position_of(like: Any, row: Any) -> Any:
    return _reader(like, "like, row", "row[{}]", whole=True)


def _writer(position: types.BaseNamedTuple, arguments: str, place: str) -> Any:
    """Returns a function that writes the words of a position, the i-th to ``place`` of i."""
    from .wide import word

    lines, i = [f"def write({arguments}):"], 0
    for name, count in _state_fields(position):
        for part in range(max(count, 1)):
            value = f"word(position.{name}, {part})" if count else f"position.{name}"
            lines.append(f"    {place.format(i)} = {value}")
            i += 1
    space: dict[str, Any] = {"word": word}
    exec("\n".join(lines), space)
    return space["write"]


def _reader(like: types.BaseNamedTuple, arguments: str, place: str, whole: bool = False) -> Any:
    """Returns a function that makes a position of the words that ``_writer`` wrote.

    The parameters are those of ``like`` or, ``whole``, in the words before.
    """
    from .wide import as_float, placed

    cls, values, i = like.instance_class, list[str](), 0
    for name, kind in zip(cls.parameters, like.types, strict=False):
        word = place.format(i)
        i += whole
        told = f"as_float({word})" if isinstance(kind, types.Float) else word
        told = f"{word} != 0" if kind == types.boolean else told
        values.append(told if whole else f"like.{name}")
    for name, count in _state_fields(like):
        words = [place.format(i + part) for part in range(max(count, 1))]
        i += len(words)
        if count:
            words = [f"placed({word}, {part}, like.{name})" for part, word in enumerate(words)]
        is_bool = like.types[cls._fields.index(name)] == types.boolean
        values.append(f"{words[0]} != 0" if is_bool else " | ".join(words))
    space: dict[str, Any] = {"as_float": as_float, "placed": placed, "Position": cls}
    exec(f"def read({arguments}):\n    return Position({', '.join(values)})", space)
    return space["read"]


@compiles(bits.unpack_bits)
def _unpack_bits(words: Any, sources: Any, span: Any, out: Any, at: Any, end: Any) -> Any:
    exactly, vectors = _compiled(_unpack_exactly), _has("avx2")

    def write(words: Any, sources: Any, span: Any, out: Any, at: Any, end: Any) -> Any:
        first, number = span
        if vectors and at + number + bits.BEYOND < end:
            for i in range(0, number, 32):
                _unpack_32_bits(words, sources, first + i, out, at + i)
        else:
            exactly(words, sources, first, number, out, at)

    return write


def _unpack_exactly(words: Any, sources: Any, first: int, number: int, out: Any, at: int) -> None:
    """Does ``bits.unpack_bits`` without writing beyond the last number."""
    for i in range(number):
        place, bit = int(sources[0, first + i]), int(sources[1, first + i])
        out[at + i] = words[place >> 3] >> 8 * (place & 7) & bit != 0


@intrinsic
def _unpack_32_bits(
    typing_context: Any, words: Any, sources: Any, first: Any, out: Any, at: Any
) -> Any:
    """Does ``bits.unpack_bits`` of 32 numbers, by an instruction of AVX2 that picks bytes."""
    byte, word = ir.IntType(8), ir.IntType(64)
    ones = ir.Constant(ir.VectorType(byte, 32), [1] * 32)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table, target = (
            context.make_array(signature.args[i])(context, builder, args[i]) for i in (1, 3)
        )

        def vector(data: Any, start: Any, element: Any) -> Any:
            kind = ir.VectorType(element, 32).as_pointer()
            return builder.bitcast(builder.gep(data, [start]), kind)

        starts = args[2], builder.add(args[2], builder.extract_value(table.shape, 1))
        places, there = (builder.load(vector(table.data, start, byte), align=1) for start in starts)
        pair = ir.Constant(ir.VectorType(word, 2), ir.Undefined)
        for i in (0, 1):
            one = builder.extract_value(args[0], i)
            pair = builder.insert_element(pair, one, ir.Constant(ir.IntType(32), i))
        bytes_of = builder.bitcast(pair, ir.VectorType(byte, 16))  # the lowest byte comes first
        twice = ir.Constant(ir.VectorType(ir.IntType(32), 32), [i % 16 for i in range(32)])
        kind = ir.FunctionType(ones.type, [ones.type, ones.type])
        pick = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx2.pshuf.b")
        picked = builder.call(pick, [builder.shuffle_vector(bytes_of, bytes_of, twice), places])
        found = builder.and_(picked, there)
        found = builder.select(builder.icmp_unsigned("<", found, ones), found, ones)
        element = context.get_data_type(signature.args[3].dtype)
        if not isinstance(element, ir.IntType):
            found = builder.uitofp(found, ir.VectorType(element, 32))
        elif element.width > 8:
            found = builder.zext(found, ir.VectorType(element, 32))
        builder.store(found, vector(target.data, args[4], element), align=1)
        return context.get_dummy_value()

    number = types.int64
    return types.void(words, sources, number, out, number), codegen


def _has(feature: str) -> bool:
    """Returns whether the processor that code is compiled for has this."""
    known = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return not TARGET.portable and f"+{feature}" in known
