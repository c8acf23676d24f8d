"""Files that commands write: refused before the work begins, and never left half written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adv_envs.files import check_writable, write_file

from .console import Refusal, refusing


def check_files(*paths: Path | None, png: Path | None = None) -> None:
    """Refusal unless all of these, those that are not None, can be written.

    ``png`` needs Pillow, too.
    """
    if png is not None:
        with refusing(1):
            import PIL.Image  # noqa: F401
    for path in (*paths, png):
        if path is not None:
            with writable(path):
                check_writable(path)


def check_folder(folder: Path) -> None:
    """Make a folder, unless it is there; Refusal unless files can be written into it."""
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    check_files(folder / "file")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one step; Refusal where that cannot be."""
    with writable(path):
        write_file(path, content)


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """What goes wrong in here is a Refusal that names ``path``."""
    try:
        yield
    except OSError as error:
        raise Refusal(f"cannot write {path}: {error.strerror or error}", 1) from error
