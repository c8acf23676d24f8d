"""Finds the folder of compiled code, and notes there which kernels are kept, without Numba.

What a kernel is filed under depends on Numba's types (``cache.py``). A search that is to answer at
once asks first whether its kernel has to be compiled, and Numba takes longer to import than a first
answer may take. So each kernel that has been compiled or loaded leaves an empty file here, named by
a digest that needs no Numba. A note may be wrong, as on another processor: that costs time, never
an answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from .link import CacheError, fingerprint

HERE = pathlib.Path(__file__).parent


@cache
def folder() -> pathlib.Path | None:
    """Returns where compiled code is kept: $ADV_ENVS_CACHE, the user's cache, or a private folder.

    Returns None if none of them can be written: then nothing is kept. Raises CacheError if the
    folder belongs to another user or can be written by others.
    """
    import platformdirs  # which a site's Python lacks

    chosen = os.environ.get("ADV_ENVS_CACHE")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    places: list[Callable[[], pathlib.Path]] = [
        partial(platformdirs.user_cache_path, "adv_envs", appauthor=False),
        lambda: pathlib.Path(tempfile.gettempdir(), f"adv_envs-{user}"),
    ]
    for place in [partial(pathlib.Path, chosen)] if chosen else places:
        try:
            path = place()
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                pass
        except OSError:
            continue
        _require_private(path)
        return path
    return None


def _require_private(path: pathlib.Path) -> None:
    """Raises CacheError unless ``path`` is ours, and only we can write to it."""
    for facts in (path.lstat(), path.stat()):  # a link to the folder, and the folder
        if hasattr(os, "getuid") and facts.st_uid != os.getuid():
            raise CacheError(
                f"the folder of compiled code, {path}, belongs to another user (id "
                f"{facts.st_uid}), who could put code into it: set ADV_ENVS_CACHE to a folder "
                "of your own"
            )
    if os.name == "posix" and others_write(path.stat()):
        raise CacheError(
            f"the folder of compiled code, {path}, can be written by other users, who could put "
            f"code into it: run `chmod go-w {path}`, or set ADV_ENVS_CACHE to another folder"
        )


def others_write(facts: os.stat_result) -> bool:
    """Returns whether other users can write to a file or folder."""
    return bool(facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


# ---- notes


@cache
def _versions() -> str:
    sources = [path.read_bytes() for path in sorted([*HERE.glob("*.py"), HERE.parent / "bits.py"])]
    numba = importlib.metadata.version("numba")
    facts = sys.version, numba, platform.machine(), hashlib.sha256(b"".join(sources)).hexdigest()
    return repr(facts)


def _note(
    function: Callable[..., Any],
    bindings: dict[str, Any],
    kinds: tuple[Any, ...],
    args: tuple[Any, ...],
) -> pathlib.Path | None:
    """Returns the file that says so; None where nothing is kept."""
    place = folder()
    if place is None:
        return None
    bound = [part for name in sorted(bindings) for part in (name, bindings[name])]
    classes = [type(arg) for arg in args if hasattr(arg, "wide_fields")]
    text = f"{fingerprint(function, *bound, *classes)} {kinds} {_versions()}"
    return place / "kept" / hashlib.sha256(text.encode()).hexdigest()[:32]


def is_kept(
    function: Callable[..., Any],
    bindings: dict[str, Any],
    kinds: tuple[Any, ...],
    args: tuple[Any, ...],
) -> bool:
    """Returns whether a note says that this kernel is on disk, or that no place is for it.

    ``kinds`` are what compiled code depends on of ``args``. CacheError as from ``folder``.
    """
    path = _note(function, bindings, kinds, args)
    return path is None or path.exists()


def note_kept(
    function: Callable[..., Any],
    bindings: dict[str, Any],
    kinds: tuple[Any, ...],
    args: tuple[Any, ...],
) -> None:
    """Notes that this kernel has been compiled or loaded; a folder that is full keeps no note."""
    path = _note(function, bindings, kinds, args)
    if path is not None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            path.touch(mode=0o600)
