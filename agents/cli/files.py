"""Files that commands write: refused before the work begins, and never left half written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .console import Refusal, refusing


def check_files(*paths: Path | None, png: Path | None = None) -> None:
    """Refusal unless all of these, those that are not None, can be written.

    For that a file is made beside each and removed again. ``png`` needs Pillow, too.
    """
    if png is not None:
        with refusing(1):
            import PIL.Image  # noqa: F401
    for path in (*paths, png):
        if path is not None:
            with writable(path):
                if path.is_dir():
                    raise IsADirectoryError(None, "it is a folder")
                if is_ordinary(path):
                    part = part_of(path)
                    part.touch()
                    part.unlink()


def check_folder(folder: Path) -> None:
    """Make a folder, unless it is there; Refusal unless files can be written into it."""
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    check_files(folder / "file")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, which takes its place at once and whole. Refusal where that cannot be.

    What is not an ordinary file, such as /dev/stdout, is written to as it is.
    """
    data = content.encode() if isinstance(content, str) else content
    with writable(path):
        if not is_ordinary(path):
            path.write_bytes(data)
            return
        path = path.resolve()  # the file that a link leads to is replaced, not the link
        part = part_of(path)
        try:
            part.write_bytes(data)
            if path.exists():
                shutil.copymode(path, part)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


def is_ordinary(path: Path) -> bool:
    """Whether it is a file that can be replaced, or nothing yet."""
    return path.is_file() or not path.exists()


def part_of(path: Path) -> Path:
    """The name of a file while it is being written; of this process alone."""
    path = path.resolve()
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """What goes wrong in here is a Refusal that names ``path``."""
    try:
        yield
    except OSError as error:
        raise Refusal(f"cannot write {path}: {error.strerror or error}", 1) from error
