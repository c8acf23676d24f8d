"""Writes files so that a reader sees the old contents or the new ones, never a part of them."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path


def write_file(
    path: str | os.PathLike[str], content: str | bytes, *, mode: int | None = None
) -> None:
    """Write ``content``, text as UTF-8, to the file ``path`` in one step.

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
    """Raise OSError unless ``write_file(path, ...)`` can write; the file is left as it is."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if is_replaceable(path):
        part = temporary_name(path.resolve())
        part.touch()
        part.unlink()


def is_replaceable(path: Path) -> bool:
    """Whether ``path`` is an ordinary file, or does not exist yet."""
    return path.is_file() or not path.exists()


def temporary_name(path: Path) -> Path:
    """The name of the file while it is written; different in each process and thread."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
