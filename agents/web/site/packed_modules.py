"""Packs the modules of a running Python that came from zip files: compiled, in one zip file.

It runs in Pyodide when a site is built, after a rehearsal has imported all that is needed.
"""

from __future__ import annotations

import importlib.util
import io
import marshal
import sys
import zipfile
from functools import cache

OWN = ("adv_envs/", "agents/")
"""Packages whose docstrings are read: a game is described by its own."""


def packed_modules() -> bytes:
    """Returns a zip file, not compressed, with the code of every such module as .pyc."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as packed:
        for archive, name in sorted(imported_from_zip()):
            entry = zipfile.ZipInfo(f"{name}c")  # with the date of 1980: equal builds are equal
            packed.writestr(entry, compiled(_opened(archive).read(name), name))
    return found.getvalue()


def imported_from_zip() -> set[tuple[str, str]]:
    """Returns the zip file and the name in it of each imported module that came from one."""
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    parts = (file.partition(".zip/") for file in files)
    return {(f"{archive}.zip", name) for archive, mark, name in parts if mark}


def compiled(source: bytes, name: str) -> bytes:
    """Returns a module as a .pyc file that is never checked against its source."""
    optimize = 0 if name.startswith(OWN) else 2
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    unchecked = (0b01).to_bytes(4, "little") + bytes(8)
    return importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code)


@cache
def _opened(archive: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(archive)
