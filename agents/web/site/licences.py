"""Lists the works of others that a site contains, with their licences."""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from .pyodide_core import PYODIDE

PSF = "https://docs.python.org/3/license.html"
MPL = "https://www.mozilla.org/MPL/2.0/"


class SitePart(NamedTuple):
    """Describes a work that a site contains."""

    name: str
    version: str
    licence: str
    does: str
    home: str
    text: str
    """The address of the licence: of a file of the site, or where its owner has it."""


def write_licences(folder: Path, core: Path) -> list[SitePart]:
    """Writes the licences' texts into a folder, ``licences``; returns the parts, ours first."""
    folder.mkdir()
    lock = json.loads((core / "pyodide-lock.json").read_text("utf-8"))["info"]
    does = {
        "adv-envs": ("MIT", "the games and these pages", ""),
        "sgfmill": ("MIT", "reads and writes SGF files", "https://mjw.woodcraft.me.uk/sgfmill/"),
        "markdown-it-py": (
            "MIT",
            "writes the rules as HTML",
            "https://markdown-it-py.readthedocs.io",
        ),
        "mdurl": ("MIT", "a part of it", "https://github.com/executablebooks/mdurl"),
    }
    packages = [
        SitePart(name, metadata.version(name), licence, what, home, package_licence(name, folder))
        for name, (licence, what, home) in does.items()
    ]
    python = Path(os.__file__).parent / "LICENSE.txt"
    text = PSF
    if python.is_file():
        (folder / "python.txt").write_bytes(python.read_bytes())
        text = "../licences/python.txt"
    return [
        *packages,
        SitePart(
            "CPython", lock["python"], "PSF-2.0", "runs the rules", "https://www.python.org", text
        ),
        SitePart("Pyodide", PYODIDE, "MPL-2.0", "CPython for browsers", "https://pyodide.org", MPL),
    ]


def package_licence(name: str, folder: Path) -> str:
    """Writes the licences that come with an installed package; returns the text's address.

    A package without such a file states its licence and its author in its metadata.
    """
    files = [file for file in metadata.files(name) or () if "LICENSE" in file.name]
    texts = [file.read_text("utf-8") for file in files]
    text = "\n\n".join(texts) or metadata.distribution(name).read_text("METADATA") or ""
    (folder / f"{name}.txt").write_text(text, "utf-8")
    return f"../licences/{name}.txt"
