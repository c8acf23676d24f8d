"""Keeps compiled kernels on disk, filed under the contents of everything they were made of.

A file is named by a fingerprint of the code of the kernel and of all it calls, the rules of the
positions it was compiled for, this package's compiler code, and the versions of Python, Numba and
the processor. Change any of them and the name changes: an old file can never be used by mistake.
Files are written beside their place and moved into it, so two processes may compile at once.

These files are machine code and pickles. Each begins with a checksum of its name and contents,
which is verified before anything is loaded; a file that fails is compiled again and replaced. The
folder must belong to the user, and nobody else may write to it: any other is refused with a
CacheError. A folder that cannot be written costs time, never an answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import pickle
import platform
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numba
from llvmlite.binding import address_of_symbol
from numba.core import compiler, serialize
from numba.core.registry import cpu_target

from adv_envs.files import write_file

from .folder import folder, others_write
from .link import fingerprint, log

_ALIVE: list[Any] = []
HERE = pathlib.Path(__file__).parent
CHECKSUM_BYTES = 32


@cache
def _platform_digest() -> bytes:
    sources = [path.read_bytes() for path in sorted([*HERE.glob("*.py"), HERE.parent / "bits.py"])]
    target = cpu_target.target_context.codegen().magic_tuple()
    facts = (sys.version, numba.__version__, platform.machine(), target)
    return hashlib.sha256(b"".join(sources) + repr(facts).encode()).digest()


def digest(
    function: Any, bindings: dict[str, Any], signature: Sequence[Any], classes: Sequence[type]
) -> str:
    """Returns the name under which this kernel, compiled for these types, is kept."""
    bound = [part for name in sorted(bindings) for part in (name, bindings[name])]
    facts = fingerprint(function, *bound, *(c for c in classes if hasattr(c, "wide_fields")))
    text = f"{facts} {signature} {list(map(_field_names, signature))}".encode()
    return hashlib.sha256(text + _platform_digest()).hexdigest()[:32]


def _field_names(kind: Any) -> Any:
    """Returns the field names of a tuple's type and of tuples in it, which types do not tell."""
    return getattr(kind, "fields", ()), [*map(_field_names, getattr(kind, "types", ()))]


def _path(digest: str) -> pathlib.Path | None:
    place = folder()
    return None if place is None else place / f"{digest}.kernel"


def _checksum(digest: str, payload: bytes) -> bytes:
    """Returns what a file called ``digest`` with this payload begins with."""
    return hashlib.blake2b(digest.encode() + payload, digest_size=CHECKSUM_BYTES).digest()


def _payload(path: pathlib.Path, digest: str) -> bytes:
    """Returns the contents of a file, verified. ValueError if it is not as it was written."""
    with path.open("rb") as file:
        if os.name == "posix" and others_write(os.fstat(file.fileno())):
            raise ValueError("other users can write to it")
        contents = file.read()
    checksum, payload = contents[:CHECKSUM_BYTES], contents[CHECKSUM_BYTES:]
    if checksum != _checksum(digest, payload):
        raise ValueError("its checksum is wrong")
    return payload


def load(dispatcher: Any, digest: str) -> Callable[..., Any] | None:
    """Returns the entry point kept under ``digest``; None if there is none that can be read."""
    path = _path(digest)
    if path is None or not path.exists():
        return None
    try:
        payload = _payload(path, digest)
        context = dispatcher.targetctx
        symbols, parts = pickle.loads(payload)
        if not all(map(address_of_symbol, symbols)):
            context.refresh()  # Numba loads all that it knows, which takes longer than the rest
        result = compiler.CompileResult._rebuild(context, *parts)
    except Exception as error:  # torn, or of another build: any failure means "compile it again"
        log.warning("compiling again, %s is damaged (%r)", path, error)
        return None
    dispatcher.add_overload(result)
    _ALIVE.append((dispatcher, result))
    return result.entry_point  # type: ignore[no-any-return]


def save(dispatcher: Any, digest: str) -> bool:
    """Keeps what ``dispatcher`` compiled, where there is a place for it.

    False if it cannot even be run as it is, because Numba left a function that recurs with other
    types than it was first called with to be found by name in the running process.
    """
    (result,) = dispatcher.overloads.values()
    if ".numba.unresolved$" in result.library.get_llvm_str():
        return False
    path, made = _path(digest), getattr(result.signature.return_type, "instance_class", None)
    if path is None or (made is not None and made.__module__ == "__main__"):
        return True  # there is no place, or ``made`` is another class in another process
    functions = result.library._final_module.functions
    symbols = [f.name for f in functions if f.is_declaration and not f.name.startswith("llvm.")]
    payload = serialize.dumps((symbols, result._reduce()))
    with contextlib.suppress(OSError):  # a full disk keeps nothing
        write_file(path, _checksum(digest, payload) + payload, mode=0o600)
    return True
