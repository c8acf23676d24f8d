"""Compiles kernels to WebAssembly, so that the same rules run in browsers.

``module_of`` makes one module of several kernels: the LLVM code that Numba generates of them, made
for wasm32 by llvmlite, and linked by ``wasm-ld``. That is done when engines are built; who runs
them needs neither. The interface of a module is small:

- each kernel is an export. An array is passed as the address of its first element in the module's
  memory, followed by its lengths, one for each axis; a whole number or a truth value as i32, a
  float as f64; a named tuple as its fields one after the other. Positions are rows of int64 words
  (``bits.words_of``), which kernels read by ``bits.position_of``. The result is an i32 or an f64.
- ``memory`` is the module's, ``__heap_base`` the first address that is free for arrays.
- imported are only those of ``IMPORTS`` that are used: mathematics, and a clock in milliseconds.

No function that is called may return an array: it would come back in the form that it has here, as
code is optimised in part before it is made for wasm32. A kernel that fails traps. Numbers are as
they are here, bit for bit, as far as no function of ``IMPORTS`` is used.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np import arrayobj

from . import bridge
from .kernel import Kernel, milliseconds
from .link import CompileError, log
from .wide import emits

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
"""What all browsers have had since 2023."""
IMPORTS = frozenset({"clock", "cos", "exp", "log", "pow", "sin", "tanh"})
"""Functions that a module may ask of whoever runs it."""
STACK = 4 * 2**20
"""Bytes of the stack of a module."""
RUNTIME = Path(__file__).with_name("runtime.ll")
"""What the generated code calls that the processor does here, as LLVM code."""


class Export(NamedTuple):
    """Describes a kernel of a module by arguments like those that it will get."""

    kernel: Kernel[..., Any]
    arguments: tuple[Any, ...]


def module_of(exports: Mapping[str, Export]) -> bytes:
    """Returns a WebAssembly module with the kernels under the given names.

    CompileError for what cannot be compiled, needs another import, or without a linker. A process
    that has compiled kernels for its own processor cannot make modules: RuntimeError.
    """
    bridge.compile_portably()
    whole, *others = [compiled_part(name, *export) for name, export in exports.items()]
    for part in others:
        whole.link_in(part)  # what several call is there once
    return linked([emitted(str(whole), set(exports))], list(exports))


def compiled_part(name: str, kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Returns an LLVM module of a kernel with all that it calls, and its export."""
    log.info("compiling %s to WebAssembly", name)
    result = bridge.internal_code(kernel.function, kernel.bindings, arguments)
    whole = result.library._get_module_for_linking().clone()
    if re.search(r" alloca [^,]*[{,] ptr\b", str(whole)):
        raise CompileError(f"{name} calls a function that returns an array: write it out there")
    whole.link_in(llvm.parse_assembly(str(entry(name, result))))
    return whole


@emits(milliseconds)
def clock(typing_context: Any) -> Any:
    """Asks for the time; it is imported."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.DoubleType(), [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "clock"), [])

    return types.float64(), codegen


# ---- what JavaScript calls


def entry(name: str, result: Any) -> ir.Module:
    """Returns a module with the function that is exported for what Numba has compiled."""
    context, signature = result.target_context, result.signature
    module = ir.Module(name)
    module.triple, module.data_layout = llvm.get_default_triple(), context.codegen()._data_layout
    kind = ir.FunctionType(plain_type(signature.return_type), parameters(signature.args))
    function = ir.Function(module, kind, name)
    builder = ir.IRBuilder(function.append_basic_block())
    given = iter(function.args)
    values = [argument(context, builder, kind, given) for kind in signature.args]
    called = context.declare_function(module, result.fndesc)
    status, found = context.call_conv.call_function(
        builder, called, signature.return_type, signature.args, values
    )
    with cgutils.if_unlikely(builder, status.is_error):
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
        builder.unreachable()
    answer(builder, signature.return_type, found)
    return module


def plain_type(kind: Any) -> Any:
    """Returns the type of a number that is passed; CompileError for what is none."""
    if isinstance(kind, types.NoneType):
        return ir.VoidType()
    if isinstance(kind, types.Float):
        return ir.DoubleType()
    if isinstance(kind, types.Integer | types.Boolean):
        return ir.IntType(32)
    raise CompileError(f"{kind} cannot be passed to or from WebAssembly; numbers and arrays can")


def parameters(kinds: Any) -> list[Any]:
    """Returns the types of the parameters of an export for arguments of these types."""
    found: list[Any] = []
    for kind in kinds:
        if isinstance(kind, types.Array):
            found += [ir.IntType(32)] * (1 + kind.ndim)
        elif isinstance(kind, types.BaseTuple):
            found += parameters(kind.types)
        else:
            found.append(plain_type(kind))
    return found


def argument(context: Any, builder: Any, kind: Any, given: Any) -> Any:
    """Returns the argument of this type that is made of the next parameters."""
    if isinstance(kind, types.Array):
        return array(context, builder, kind, given)
    if isinstance(kind, types.BaseTuple):
        parts = [argument(context, builder, part, given) for part in kind.types]
        return context.make_tuple(builder, kind, parts)
    value = next(given)
    if isinstance(kind, types.Boolean):
        return builder.icmp_signed("!=", value, ir.Constant(value.type, 0))
    wanted = context.get_value_type(kind)
    if isinstance(kind, types.Integer):
        return builder.sext(value, wanted) if wanted.width > 32 else builder.trunc(value, wanted)
    return value if wanted == value.type else builder.fptrunc(value, wanted)


def array(context: Any, builder: Any, kind: Any, given: Any) -> Any:
    """Returns an array in the order of C, of an address and lengths."""
    if kind.layout != "C":
        raise CompileError(
            "arrays that are passed to WebAssembly are contiguous, in the order of C"
        )
    word = ir.IntType(64)
    address = builder.inttoptr(next(given), context.get_data_type(kind.dtype).as_pointer())
    shape = [builder.zext(next(given), word) for _ in range(kind.ndim)]
    size = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    made = context.make_array(kind)(context, builder)
    packed = [cgutils.pack_array(builder, part) for part in (shape, strides)]
    arrayobj.populate_array(made, address, *packed, size, meminfo=None)
    return made._getvalue()


def answer(builder: Any, kind: Any, found: Any) -> None:
    """Returns a result from the function that ``builder`` writes."""
    wanted = plain_type(kind)
    if isinstance(kind, types.NoneType):
        builder.ret_void()
    elif isinstance(kind, types.Float):
        builder.ret(found if found.type == wanted else builder.fpext(found, wanted))
    else:
        width = found.type.width
        change = builder.trunc if width > 32 else builder.zext if width < 32 else lambda x, _: x
        builder.ret(change(found, wanted))


# ---- code for another processor


def emitted(code: str, exported: set[str]) -> bytes:
    """Returns an object file for wasm32 of LLVM code that was generated for this processor."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(retargeted(code))
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exported else "internal"
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def retargeted(code: str) -> str:
    """Returns LLVM code with the wasm32 target, and without what is of this processor.

    References are not counted. A function that was not known yet where it is called, as it calls
    itself, is found by its name.
    """
    for pattern, replacement in (
        (r"^target triple = .*$", f'target triple = "{TRIPLE}"'),
        (r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"'),
        (r'"target-(?:cpu|features)"="[^"]*"', ""),
        (r" common (?:local_unnamed_addr )?global ", " internal global "),
        (
            r'^@"\.numba\.unresolved\$([^"]+)" = .*?global ptr null',
            r'@".numba.unresolved$\1" = internal constant ptr @\1',
        ),
    ):
        code = re.sub(pattern, replacement, code, flags=re.MULTILINE)
    counting = r"^(define (?:linkonce_odr )?void @NRT_(?:inc|dec)ref\(.*?\{)\n.*?^\}"
    return re.sub(counting, r"\1\n  ret void\n}", code, flags=re.MULTILINE | re.DOTALL)


def runtime() -> bytes:
    """Returns the object file of what generated code calls by itself."""
    code = RUNTIME.read_text(encoding="utf-8")
    names = re.findall(r"^define [^@]*@(\w+)", code, flags=re.MULTILINE)
    return emitted(
        f'target triple = "{TRIPLE}"\ntarget datalayout = "{LAYOUT}"\n{code}', set(names)
    )


def linked(objects: list[bytes], exported: list[str]) -> bytes:
    """Returns the module of object files; CompileError if something is missing."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, content in enumerate([*objects, runtime()]):
            files.append(Path(folder, f"{i}.o"))
            files[-1].write_bytes(content)
        made = Path(folder, "module.wasm")
        allowed = Path(folder, "imports")
        allowed.write_text("\n".join(sorted(IMPORTS)), encoding="utf-8")
        flags = ["--no-entry", "--gc-sections", "--strip-all", f"-zstack-size={STACK}"]
        flags += ["--stack-first", f"--allow-undefined-file={allowed}"]
        flags += [f"--export={name}" for name in [*exported, "__heap_base"]]
        done = subprocess.run(
            [*linker(), *flags, "-o", made, *files],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CompileError(f"the module cannot be linked: {done.stderr.strip()[:500]}")
        return made.read_bytes()


def linker() -> list[str]:
    """Returns the command of ``wasm-ld``: the system's, or that of the package ziglang."""
    if found := shutil.which("wasm-ld"):
        return [found]
    try:
        import ziglang  # noqa: F401
    except ImportError:
        raise CompileError(
            "there is no linker for WebAssembly: pip install 'adv-envs[wasm]', or install lld"
        ) from None
    return [sys.executable, "-m", "ziglang", "wasm-ld"]
