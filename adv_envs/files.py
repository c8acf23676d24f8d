"""Writes files so that a reader sees the old contents or the new ones, never a part of them.

Objects of JSON that are read again have a checksum: see ``with_checksum``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_file(
    path: str | os.PathLike[str], content: str | bytes, *, mode: int | None = None
) -> None:
    """Writes ``content``, text as UTF-8, to the file ``path`` in one step.

    The content is written to a temporary file in the same folder, which then replaces ``path``. A
    link stays a link. Permissions are ``mode``, less the process's umask; by default those of the
    file that is replaced, or 0o666 for a new one. Anything but an ordinary file, such as
    /dev/stdout, is written to directly. Raises OSError; ``path`` is then unchanged and no temporary
    file is left.
    """
    data = content.encode() if isinstance(content, str) else content
    path = Path(path)
    if not is_replaceable(path):
        path.write_bytes(data)
        return
    path = path.resolve()
    part = temporary_name(path)
    part.unlink(missing_ok=True)  # of a process that was killed
    try:
        new = 0o666 if mode is None else mode
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, new)) as file:
            file.write(data)
        if mode is None and path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raises OSError unless ``write_file(path, ...)`` can write; the file is left as it is."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if is_replaceable(path):
        part = temporary_name(path.resolve())
        part.touch()
        part.unlink()


def is_replaceable(path: Path) -> bool:
    """Returns whether ``path`` is an ordinary file, or does not exist yet."""
    return path.is_file() or not path.exists()


def temporary_name(path: Path) -> Path:
    """Returns the name of the file while it is written; different in each process and thread."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")


# ---- files of ours that are read again

CHECKSUM = "sha256"
"""The name of the checksum in an object of JSON."""


def with_checksum(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns ``data``, which JSON can hold, with the SHA-256 of all of it under ``CHECKSUM``."""
    return {**data, CHECKSUM: _digest(data)}


def without_checksum(data: dict[str, Any]) -> dict[str, Any]:
    """Returns what ``with_checksum`` was given; ValueError if it is not as it was.

    Data without a checksum, of earlier releases, is returned as it is.
    """
    rest = {name: value for name, value in data.items() if name != CHECKSUM}
    if CHECKSUM in data and data[CHECKSUM] != _digest(rest):
        raise ValueError("it is torn or was changed: its SHA-256 is not what it says")
    return rest


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
