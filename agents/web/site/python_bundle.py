"""Packs the Python of a site: the modules that answer, and those of the standard library."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

from .pyodide_core import CORE_FILES, LOCK_FILE, SiteError, program

PACKAGES = ("adv_envs", "agents", "markdown_it", "mdurl", "sgfmill")
"""Packages in pure Python: of their modules only those that are imported are packed."""

KNOWLEDGE = Path("agents/games")
"""Its modules need NumPy: on a site nothing is known of games but what plans of engines say."""

PACKED = ".packed"
"""The ending of files that are compressed by gzip; hosts must not know it as an encoding."""


def write_python(core: Path, folder: Path, workshop: Path) -> dict[str, Any]:
    """Writes Pyodide's core and the packed modules into a folder; returns what Node.js says.

    ``workshop`` is a folder for what is in between. SiteError if the packed Python does not answer.
    """
    sources, modules = workshop / "sources.zip", workshop / "modules.zip"
    write_sources(sources)
    script = Path(__file__).parent / "pack.mjs"
    command = [program("node"), str(script), str(core.resolve()), str(sources), str(modules)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2][:300]
        raise SiteError(f"the Python of the site was not packed: {why or 'no reason given'}")
    folder.mkdir(parents=True)
    write_packed(folder / "python.zip", modules.read_bytes())
    for name in CORE_FILES:
        data = (core / name).read_bytes()
        if name.endswith(".wasm"):
            write_packed(folder / name, data)
        else:
            (folder / name).write_bytes(without_map(data))
    lock = json.loads((core / LOCK_FILE).read_text("utf-8"))
    (folder / LOCK_FILE).write_text(json.dumps({"info": lock["info"], "packages": {}}), "utf-8")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def write_sources(file: Path) -> None:
    """Writes the modules of all ``PACKAGES`` into a zip file, but for those of ``KNOWLEDGE``."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for package in PACKAGES:
            spec = importlib.util.find_spec(package)
            if spec is None or spec.origin is None:
                raise SiteError(f"a site needs {package}: pip install 'adv-envs[web]'")
            root = Path(spec.origin).parent
            for path in sorted(root.rglob("*.py")):
                name = Path(package) / path.relative_to(root)
                if KNOWLEDGE not in name.parents or name == KNOWLEDGE / "__init__.py":
                    archive.write(path, name)


def write_packed(path: Path, data: bytes) -> None:
    """Writes data compressed by gzip, without a date, to a path with the ending ``PACKED``."""
    path.with_name(path.name + PACKED).write_bytes(gzip.compress(data, 9, mtime=0))


def without_map(script: bytes) -> bytes:
    """Returns a script without the address of its source map, which a site does not have."""
    return script.rpartition(b"//# sourceMappingURL=")[0] or script
