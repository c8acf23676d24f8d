"""How the manual is built: ``make docs``, which calls Sphinx with MyST on this folder."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from manual import figures, game_pages, reference, trees  # noqa: E402

import adv_envs  # noqa: E402

project = "adv-envs"
author = "The adv-envs developers"
copyright = "the adv-envs developers"
version = release = adv_envs.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_execution_show_tb = True
exclude_patterns = ["_build"]
nitpicky = True

myst_heading_anchors = 3

html_theme = "pydata_sphinx_theme"
html_title = "adv-envs"
html_theme_options = {"show_prev_next": False, "navigation_with_keys": False}
html_context = {"default_mode": "auto"}
html_static_path = ["static", "../agents/web/static/tree.css"]
html_css_files = ["manual.css", "tree.css"]
SITE = HERE.parent / "build" / "site"
"""What ``make site`` writes: where it is, the manual has its boards to play on."""
PLAY = {"data-play": "play/"} if (SITE / "files.json").exists() else {}
html_js_files = [("manual.js", {"defer": "defer", **PLAY})]
html_show_sourcelink = False
html_copy_source = False
html_favicon = "static/favicon.svg"
autodoc_mock_imports = [*reference.OPTIONAL]
autodoc_typehints = "none"
autodoc_member_order = "bysource"


PARTS = {
    "games": ("games/*",),
    "environments": (
        "install", "aec-loop", "training", "batches", "language-models", "language-model-scores",
        "frameworks", "learning", "alphazero", "learning-science", "own-game",
        "comparison", "migration", "performance", "faq",
    ),
    "agents": (
        "own-agent", "searching", "mcts", "solving", "hidden_information", "equilibrium",
        "hidden-benchmark", "aima",
        "reference/notebook",
        "reference/agents/index",
    ),
    "measuring": (
        "grading", "tournaments", "isolation", "statistics", "methods", "reproduce",
        "baselines/README",
    ),
    "baselines/README": ("*_*",),
    "classroom": ("classes", "autograding", "classroom-es"),
    "tools": ("command-line", "browser", "pictures", "formats-and-protocols"),
    "reference": ("reference/api/index", "reference/commands/commands", "design", "contributing"),
}  # fmt: skip
"""The pages of each part of the manual, beginning with the page that leads to them."""


MOVED = {
    "CONTRIBUTING.md": "contributing.md",
    "examples/adversarial_search.ipynb": "reference/notebook.ipynb",
}
"""Files outside this folder that are pages of the manual."""


def setup(app: Any) -> None:
    """Write the pages that come from the code, and add to those of games what is computed."""
    reference.write_pages(HERE / "reference")
    app.connect("source-read", add_to_game_page)
    app.connect("include-read", move_into_docs)
    app.connect("build-finished", leave_out_source_maps)
    app.connect("build-finished", bring_site)
    app.connect("build-finished", write_trees)


def made(place: re.Match[str]) -> str:
    """What stands for a comment such as ``<!-- figure: cache -->``."""
    kind, name = place.groups()
    if kind == "figure":
        return game_pages.raw(figures.FIGURES[name]())
    if kind == "tiles":
        return game_pages.tiles()
    if kind == "tree":
        return game_pages.raw(trees.figure(name))
    if kind == "table":
        return "\n".join(reference.position_sets())
    return place.group()


def add_to_game_page(app: Any, page: str, source: list[str]) -> None:
    """What is made for a page: figures, tables, all that is computed of a game, the way on."""
    source[0] = re.sub(r"<!-- (\w+): (\w+) -->", made, source[0])
    if page in PARTS:
        pages = "\n".join(PARTS[page])
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{pages}\n```\n"
    for file, moved in MOVED.items():
        source[0] = source[0].replace(f"../{file}", moved)
    folder, _, name = page.rpartition("/")
    if folder == "games":
        source[0] = game_pages.page(name, source[0])
        for path in game_pages.sources(name):
            app.env.note_dependency(path)


def move_into_docs(app: Any, path: Path, parent: str, content: list[str]) -> None:
    """Let the links of a file at the root of the project lead on from the folder of the manual."""
    content[0] = re.sub(
        r"\]\((?!https?:|#)(?P<file>[^)\s]+)\)",
        lambda link: f"]({os.path.relpath(HERE.parent / link['file'], HERE)})",
        content[0],
    )


def leave_out_source_maps(app: Any, error: Exception | None) -> None:
    """Remove what only those need who look for errors in the theme: 2 MB."""
    for path in Path(app.outdir, "_static").rglob("*.map"):
        path.unlink()


def bring_site(app: Any, error: Exception | None) -> None:
    """Put the site of games beside the manual, if it was built."""
    folder = Path(app.outdir, "_static", "play")
    shutil.rmtree(folder, ignore_errors=True)
    if PLAY:
        shutil.copytree(SITE, folder)


def write_trees(app: Any, error: Exception | None) -> None:
    """Write the search trees that are stepped through."""
    if error is None:
        trees.write_scripts(Path(app.outdir, "_static"))
