"""Teaches numba-cuda the methods of positions and the functions of ``bits``, as ``bridge`` Numba.

Most of what ``bridge`` and ``wide`` say holds for every target. Here is what differs: attributes of
positions are device functions, sets of cells are counted word by word (NVVM counts up to 64 bits),
and ``nth`` is a loop, for there is no instruction that deposits bits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from llvmlite import ir
from numba import cuda, types
from numba.cuda import cudadecl, cudaimpl
from numba.cuda.core import config
from numba.cuda.core.imputils import impl_ret_borrowed
from numba.cuda.descriptor import cuda_target
from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate
from numba.cuda.typing.typeof import typeof_impl
from numba.extending import intrinsic

from adv_envs import bits
from adv_envs.position import Position

from .bridge import PRIMITIVES, member_of, stack_array, type_of
from .link import Linker
from .wide import WideInt

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small batches are fine

MOST_SCRATCH = 512
"""The longest array that a method of a position may ask ``bits.scratch`` for: each thread of the
device keeps room for it."""

cuda_target.target_context.most_scratch = MOST_SCRATCH

KNOWN = PRIMITIVES - {bits.nth, bits.has_line}
"""Functions that are compiled as ``bridge`` says; others are compiled as written."""


class DeviceLinker(Linker):
    """Links for devices. ``scratch`` is what stands for ``bits.scratch``."""

    def __init__(self, bindings: dict[str, Any], scratch: int) -> None:
        super().__init__(cuda.jit(device=True), bindings, KNOWN.__contains__)
        self.instead = {
            bits.scratch: stack_array(scratch),
            bits.count: count_by_words,
            bits.lowest: lowest_by_words,
        }

    def _resolve(self, value: Any, bindings: dict[str, Any]) -> Any:
        if inspect.isfunction(value) and value in self.instead:
            return self.instead[value]
        return super()._resolve(value, bindings)


def link(function: Callable[..., Any], bindings: dict[str, Any], scratch: int) -> Any:
    """``function`` with ``bindings`` as a device function."""
    return DeviceLinker(bindings, scratch).link(function)


@cache
def _device_function(function: Callable[..., Any]) -> Any:
    return link(function, {}, MOST_SCRATCH)


@typeof_impl.register(Position)
def _typeof_on_device(value: Position, context: Any) -> types.Type:
    return type_of(value)


# ---- methods, properties and constants of positions


@cudadecl.registry.register_attr
class DeviceAttributes(AttributeTemplate):
    """The type of ``position.name`` in device code, for all names but those of fields."""

    key = types.BaseNamedTuple

    def generic_resolve(self, position_type: Any, name: Any) -> Any:
        """A method, the type of a property's answer or of a constant, or None."""
        member = member_of(position_type, name)
        if inspect.isfunction(member):
            _lower_method(name)
            return types.BoundFunction(_method(position_type, name), position_type)
        if isinstance(member, property):
            _lower_attribute(name)
            getter = types.Dispatcher(_device_function(member.fget))
            return getter.get_call_type(self.context, (position_type,), {}).return_type
        if isinstance(member, int | float | tuple):
            _lower_attribute(name)
            return numba.typeof(member)
        return None


def _method(position_type: Any, name: str) -> type[AbstractTemplate]:
    method = types.Dispatcher(_device_function(member_of(position_type, name)))

    class DeviceMethod(AbstractTemplate):
        key = ("method of a position", name)

        def generic(self, args: Any, kws: Any) -> Any:
            return method.get_call_type(self.context, (position_type, *args), kws).as_method()

    return DeviceMethod


@cache
def _lower_method(name: str) -> None:
    key = ("method of a position", name)

    @cudaimpl.registry.lower(key, types.BaseNamedTuple, types.VarArg(types.Any))
    def call_method(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(context, builder, member_of(signature.args[0], name), signature.args, args)

    cuda_target.target_context.refresh()


@cache
def _lower_attribute(name: str) -> None:
    @cudaimpl.registry.lower_getattr(types.BaseNamedTuple, name)
    def get(context: Any, builder: Any, position_type: Any, position: Any) -> Any:
        if name in position_type.fields:  # a field here, a property in another game
            index = position_type.fields.index(name)
            field = builder.extract_value(position, index)
            return impl_ret_borrowed(context, builder, position_type.types[index], field)
        member = member_of(position_type, name)
        if isinstance(member, property):
            return _call(context, builder, member.fget, (position_type,), (position,))
        return context.get_constant_generic(builder, numba.typeof(member), member)

    cuda_target.target_context.refresh()


def _call(context: Any, builder: Any, function: Any, arg_types: Any, args: Any) -> Any:
    """Code that calls the device function made of ``function``."""
    called = types.Dispatcher(_device_function(function))
    signature = called.get_call_type(context.typing_context, arg_types, {})
    call = context.get_function(called, signature)
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args)


# ---- sets of cells, word by word

WORD = ir.IntType(64)


def _words(builder: Any, cells: Any) -> list[Any]:
    """The 64-bit words of a set, the lowest first."""
    if cells.type.width == 64:
        return [cells]
    places = [ir.Constant(cells.type, at) for at in range(0, cells.type.width, 64)]
    return [builder.trunc(builder.lshr(cells, place), WORD) for place in places]


def _signature(cells: Any) -> Any:
    if isinstance(cells, WideInt):
        return types.int64(cells)
    return types.int64(types.int64) if isinstance(cells, types.Integer) else None


@intrinsic
def count_by_words(typing_context: Any, cells: Any) -> Any:
    """``bits.count``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        total = ir.Constant(WORD, 0)
        for word in _words(builder, args[0]):
            total = builder.add(total, builder.ctpop(word))
        return total

    return _signature(cells), codegen


@intrinsic
def lowest_by_words(typing_context: Any, cells: Any) -> Any:
    """``bits.lowest``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found, nothing = ir.Constant(WORD, 0), ir.Constant(WORD, 0)
        for i, word in reversed(list(enumerate(_words(builder, args[0])))):
            zeros = builder.cttz(word, ir.Constant(ir.IntType(1), 0))
            here = builder.add(zeros, ir.Constant(WORD, 64 * i))
            found = builder.select(builder.icmp_unsigned("!=", word, nothing), here, found)
        return found

    return _signature(cells), codegen
