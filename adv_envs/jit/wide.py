"""Defines a native integer of N bits: Python's own int when plain, an LLVM ``iN`` when compiled."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import infer_global, make_intrinsic_template
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_cast,
    models,
    overload,
    register_model,
    unbox,
)
from numba.np import arrayobj

from adv_envs import bits

from .library import InternalCompiler

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Kernels allocate nothing, so references to the arrays that they are given need not be counted:
that took a third of the time of alpha-beta, and three quarters of expectiminimax's."""


PRIMITIVES: set[Any] = set()
"""Functions with a compiled version of their own; everything else is compiled as written."""


def compiles(function: Any, **options: Any) -> Any:
    """Registers what follows as the compiled version of ``function``: Numba's ``overload``.

    What follows maps types to an implementation, or to None. Numba's strict mode wants the same
    annotations in both, and nothing else that the tests would not find.
    """
    PRIMITIVES.add(function)
    internal = {
        "pipeline_class": InternalCompiler,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    return overload(function, jit_options=OPTIONS | internal | options, strict=False)


def emits(*functions: Any) -> Any:
    """Registers what follows as the machine code of ``functions``.

    What follows is as for Numba's ``intrinsic``: it maps types to a signature and a function that
    writes the code, or to None. This suits what is a few instructions: they are written where they
    are used. As a function of its own, by ``compiles``, each would take much longer to compile.
    """

    def register(define: Any) -> Any:
        for function in functions:
            PRIMITIVES.add(function)
            template = make_intrinsic_template(function, define, function.__name__)
            infer_global(function, types.Function(template))
        return define

    return register


class WideInt(types.Type):
    """Represents the type of a set of cells that is ``bits`` wide, a multiple of 64."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"WideInt({bits})")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Widens small integers, so that ``cells & 1`` and ``cells = 0`` mean what they say."""
        from numba.core.typeconv import Conversion

        return Conversion.safe if isinstance(other, types.Integer) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Returns a variable that is a wide set here and a small integer there is a wide set."""
        return self if isinstance(other, types.Integer) else None


SETS = WideInt, types.Integer
"""The types of sets of cells."""


@register_model(WideInt)
class _Model(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: WideInt) -> None:
        super().__init__(dmm, fe_type, ir.IntType(fe_type.bits))


@lower_constant(WideInt)
def _constant(context: Any, builder: Any, typ: WideInt, value: int) -> Any:
    return ir.Constant(ir.IntType(typ.bits), value)


@lower_cast(types.Integer, WideInt)
def _widen(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    extend = builder.sext if fromty.signed else builder.zext
    return extend(value, ir.IntType(toty.bits))


@lower_cast(WideInt, types.Boolean)
def _truth(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0))


# ---- operators: a wide set and a wide set (or a small integer), or a shift by a small integer


def _wide_of(a: Any, b: Any) -> WideInt | None:
    wide = [t for t in (a, b) if isinstance(t, WideInt)]
    small = [t for t in (a, b) if isinstance(t, types.Integer)]
    return wide[0] if wide and len(wide) + len(small) == 2 and wide[0] == wide[-1] else None


def _emit_binary(functions: tuple[Any, ...], instruction: str, compares: bool = False) -> None:
    @emits(*functions)
    def define(typing_context: Any, a: Any, b: Any) -> Any:
        wide = _wide_of(a, b)
        if wide is None:
            return None
        result = types.boolean if compares else wide

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if compares:
                return builder.icmp_unsigned(instruction, *args)
            return getattr(builder, instruction)(*args)

        return result(wide, wide), codegen


def _emit_shift(functions: tuple[Any, ...], instruction: str) -> None:
    @emits(*functions)
    def define(typing_context: Any, cells: Any, by: Any) -> Any:
        if not isinstance(cells, WideInt) or not isinstance(by, types.Integer):
            return None

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _shifted(builder, instruction, *args)

        return cells(cells, types.int64), codegen


def _shifted(builder: Any, instruction: str, cells: Any, by: Any) -> Any:
    """Shifts ``cells`` as Python does: nothing is left after the width or more."""
    fits = builder.icmp_unsigned("<", by, ir.Constant(by.type, cells.type.width))
    shifted = getattr(builder, instruction)(cells, builder.zext(by, cells.type))
    return builder.select(fits, shifted, ir.Constant(cells.type, 0))


_emit_binary((operator.and_, operator.iand), "and_")
_emit_binary((operator.or_, operator.ior), "or_")
_emit_binary((operator.xor, operator.ixor), "xor")
_emit_binary((operator.add, operator.iadd), "add")
_emit_binary((operator.sub, operator.isub), "sub")
_emit_binary((operator.mul, operator.imul), "mul")
_emit_binary((operator.eq,), "==", compares=True)
_emit_binary((operator.ne,), "!=", compares=True)
_emit_shift((operator.lshift, operator.ilshift), "shl")
_emit_shift((operator.rshift, operator.irshift), "lshr")


def _emit_unary(function: Any, kinds: Any, emit: Any, narrow: bool = False) -> None:
    @emits(function)
    def define(typing_context: Any, cells: Any) -> Any:
        if not isinstance(cells, kinds):
            return None
        kind = cells if isinstance(cells, WideInt) else types.int64

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = emit(builder, args[0])
            return builder.trunc(value, ir.IntType(64)) if narrow else value

        return (types.int64 if narrow else kind)(kind), codegen


_emit_unary(operator.invert, WideInt, lambda builder, cells: builder.not_(cells))
_emit_unary(bits.count, SETS, lambda builder, cells: builder.ctpop(cells), narrow=True)
_emit_unary(
    bits.lowest,
    SETS,
    lambda builder, cells: builder.cttz(cells, ir.Constant(ir.IntType(1), 1)),
    narrow=True,
)


@emits(bits.single)
def _single(typing_context: Any, cell: Any, like: Any) -> Any:
    kind = like if isinstance(like, WideInt) else types.int64

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one = ir.Constant(args[1].type, 1)
        wide = isinstance(like, WideInt)
        return _shifted(builder, "shl", one, args[0]) if wide else builder.shl(one, args[0])

    return kind(types.int64, kind), codegen


@emits(bits.digit)
def _digit(typing_context: Any, number: Any, place: Any) -> Any:
    kind = number if isinstance(number, WideInt) else types.int64

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        amount = builder.shl(args[1], ir.Constant(args[1].type, 2))
        if isinstance(number, WideInt):
            low = builder.trunc(_shifted(builder, "lshr", args[0], amount), ir.IntType(64))
        else:
            low = builder.ashr(args[0], amount)
        return builder.and_(low, ir.Constant(ir.IntType(64), 15))

    return types.int64(kind, types.int64), codegen


@emits(bits.resized)
def _resized(typing_context: Any, cells: Any, like: Any) -> Any:
    wide = isinstance(cells, WideInt) or isinstance(like, WideInt)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = context.get_value_type(signature.return_type)
        if kind.width > args[0].type.width:
            return builder.zext(args[0], kind)
        return builder.trunc(args[0], kind) if kind.width < args[0].type.width else args[0]

    return (like if wide else cells)(cells, like), codegen


@emits(bits.has_word)
def _has_word(typing_context: Any, words: Any, word: Any) -> Any:
    """Compares all words at once, as a vector."""
    if not isinstance(words, WideInt):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = args[0].type.width // 64
        kind, index = ir.VectorType(ir.IntType(64), size), ir.IntType(32)
        wanted = builder.insert_element(ir.Constant(kind, ir.Undefined), args[1], index(0))
        zeros = ir.Constant(ir.VectorType(index, size), [0] * size)
        wanted = builder.shuffle_vector(wanted, wanted, zeros)
        equal = builder.icmp_unsigned("==", builder.bitcast(args[0], kind), wanted)
        found = builder.bitcast(equal, ir.IntType(size))
        return builder.icmp_unsigned("!=", found, ir.Constant(found.type, 0))

    return types.boolean(words, types.int64), codegen


@intrinsic
def word(typing_context: Any, cells: Any, index: Any) -> Any:
    """Returns the 64 bits of ``cells`` that start at 64 * index, as an int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index = builder.zext(args[1], args[0].type)
        amount = builder.mul(index, ir.Constant(args[0].type, 64))
        return builder.trunc(builder.lshr(args[0], amount), ir.IntType(64))

    return types.int64(cells, types.int64), codegen


@intrinsic
def placed(typing_context: Any, word: Any, index: Any, like: Any) -> Any:
    """Returns the set, as wide as ``like``, whose 64 bits from 64 * index on are an int64's."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = args[2].type
        amount = builder.mul(builder.zext(args[1], kind), ir.Constant(kind, 64))
        return builder.shl(builder.zext(args[0], kind), amount)

    return like(types.int64, types.int64, like), codegen


@intrinsic
def as_float(typing_context: Any, word: Any) -> Any:
    """Returns the double whose bits are those of an int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


@intrinsic
def spilled(typing_context: Any, cells: Any) -> Any:
    """Returns the words of a set, and 0 after them, as an array in the frame of the function."""
    array = types.Array(types.int64, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, word = args[0].type.width // 64 + 1, ir.IntType(64)
        kind = ir.ArrayType(word, number)
        room = cgutils.alloca_once(builder, kind)
        builder.store(ir.Constant(kind, [0] * number), room)
        builder.store(args[0], builder.bitcast(room, args[0].type.as_pointer()), align=8)
        made = context.make_array(array)(context, builder)
        start = builder.bitcast(room, word.as_pointer())
        shape = cgutils.pack_array(builder, [ir.Constant(word, number)])
        strides = cgutils.pack_array(builder, [ir.Constant(word, 8)])
        size = ir.Constant(word, 8)
        arrayobj.populate_array(made, start, shape, strides, size, meminfo=None)
        return made._getvalue()

    return array(cells), codegen


# ---- in from and out to Python's int, a word at a time


@unbox(WideInt)
def _from_python(typ: WideInt, obj: Any, c: Any) -> NativeValue:
    number = ir.IntType(typ.bits)
    mask = c.builder.module  # the C function reads the low 64 bits of any int
    getter = cgutils.get_or_insert_function(
        mask, ir.FunctionType(ir.IntType(64), [c.pyapi.pyobj]), "PyLong_AsUnsignedLongLongMask"
    )
    value = ir.Constant(number, 0)
    for i in range(typ.bits // 64):
        shift = c.pyapi.long_from_longlong(ir.Constant(ir.IntType(64), 64 * i))
        part = c.pyapi.number_rshift(obj, shift)
        bits64 = c.builder.zext(c.builder.call(getter, [part]), number)
        value = c.builder.or_(value, c.builder.shl(bits64, ir.Constant(number, 64 * i)))
        c.pyapi.decref(part)
        c.pyapi.decref(shift)
    return NativeValue(value, is_error=c.pyapi.c_api_error())


@box(WideInt)
def _to_python(typ: WideInt, value: Any, c: Any) -> Any:
    total = c.pyapi.long_from_longlong(ir.Constant(ir.IntType(64), 0))
    for i in range(typ.bits // 64):
        bits64 = c.builder.trunc(
            c.builder.lshr(value, ir.Constant(value.type, 64 * i)), ir.IntType(64)
        )
        part = c.pyapi.long_from_ulonglong(bits64)
        shift = c.pyapi.long_from_longlong(ir.Constant(ir.IntType(64), 64 * i))
        shifted = c.pyapi.number_lshift(part, shift)
        added = c.pyapi.number_or(total, shifted)
        for done in (part, shift, shifted, total):
            c.pyapi.decref(done)
        total = added
    return total
