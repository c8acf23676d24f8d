"""Compiled kernels on disk, filed under the contents of everything they were made of.

A file is named by a fingerprint of the code of the kernel and of all it calls, the rules of the
positions it was compiled for, this package's compiler code, and the versions of Python, Numba and
the processor. Change any of them and the name changes: an old file can never be used by mistake.
Files are written beside their place and moved into it, so two processes may compile at once. A file
that cannot be read is compiled again; a folder that cannot be written costs time, never an answer.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numba
from numba.core import compiler, serialize

from .link import fingerprint

_ALIVE: list[Any] = []
HERE = pathlib.Path(__file__).parent


@cache
def folder() -> pathlib.Path | None:
    """Where compiled code is kept: $ADV_ENVS_CACHE, the user's cache folder, or a private one.

    None if none of them can be written: then nothing is kept.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    asked = os.environ.get("ADV_ENVS_CACHE")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    for place in [asked] if asked else [os.path.join(home, "adv_envs"), None]:
        try:
            path = pathlib.Path(place or os.path.join(tempfile.gettempdir(), f"adv_envs-{user}"))
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                pass
        except OSError:
            continue
        if not hasattr(os, "getuid") or path.stat().st_uid == os.getuid():
            return path  # never load code from a folder that somebody else made
    return None


@cache
def _platform_digest() -> bytes:
    sources = [path.read_bytes() for path in sorted([*HERE.glob("*.py"), HERE.parent / "bits.py"])]
    facts = (sys.version, numba.__version__, platform.machine(), _codegen().magic_tuple())
    return hashlib.sha256(b"".join(sources) + repr(facts).encode()).digest()


def _codegen() -> Any:
    from numba.core.registry import cpu_target

    return cpu_target.target_context.codegen()


def digest(
    function: Any, bindings: dict[str, Any], signature: Sequence[Any], classes: Sequence[type]
) -> str:
    """The name under which this kernel, compiled for these types, is kept."""
    bound = [part for name in sorted(bindings) for part in (name, bindings[name])]
    facts = fingerprint(function, *bound, *(c for c in classes if hasattr(c, "_wide_fields")))
    text = f"{facts} {signature}".encode()
    return hashlib.sha256(text + _platform_digest()).hexdigest()[:32]


def _path(digest: str) -> pathlib.Path | None:
    place = folder()
    return None if place is None else place / f"{digest}.kernel"


def load(dispatcher: Any, digest: str) -> Callable[..., Any] | None:
    """The entry point kept under ``digest``; None if there is none that can be read."""
    path = _path(digest)
    if path is None or not path.exists():
        return None
    try:
        context = dispatcher.targetctx
        context.refresh()
        result = compiler.CompileResult._rebuild(context, *pickle.loads(path.read_bytes()))
    except Exception as error:  # torn, or of another build: any failure means "compile it again"
        print(f"adv_envs: compiling again, {path} is damaged ({error!r})", file=sys.stderr)
        return None
    dispatcher.add_overload(result)
    _ALIVE.append((dispatcher, result))
    return result.entry_point  # type: ignore[no-any-return]


def save(dispatcher: Any, digest: str) -> bool:
    """Keep what ``dispatcher`` compiled, where there is a place for it.

    False if it cannot even be run as it is, because Numba left a function that recurs with other
    types than it was first called with to be found by name in the running process.
    """
    (result,) = dispatcher.overloads.values()
    if ".numba.unresolved$" in result.library.get_llvm_str():
        return False
    path = _path(digest)
    if path is None or _is_made_here(result.signature.return_type):
        return True
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=digest, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(serialize.dumps(result._reduce()))
        os.replace(temporary, path)
    except OSError:  # a full disk keeps nothing
        pathlib.Path(temporary).unlink(missing_ok=True)
    return True


def _is_made_here(returned: Any) -> bool:
    """Whether it is of a class of ``__main__``, which is another one in another process."""
    made = getattr(returned, "instance_class", None)
    return made is not None and made.__module__ == "__main__"
