"""Pages that are written from the code alone: every agent, every public name, every command."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.pycode import ModuleAnalyzer
from typer.main import get_command

import agents
from adv_envs.registry import start_position, title
from agents.arena.ladder import ladders
from agents.cli import app
from agents.cli.lists import functions_data, paragraphs, parameters_data
from agents.spec import AGENTS, agent_class

from . import game_pages

PACKAGES = (
    "adv_envs",
    "adv_envs.position",
    "adv_envs.notation",
    "adv_envs.registry",
    "adv_envs.pictures",
    "adv_envs.envs",
    "adv_envs.batch",
    "adv_envs.formats",
    "adv_envs.aima",
    "adv_envs.testing",
    "agents",
    "agents.knowledge",
    "agents.search",
    "agents.mcts",
    "agents.equilibrium",
    "agents.networks",
    "agents.learning",
    "agents.arena",
    "agents.arena.rating",
    "agents.grading",
    "agents.reports",
    "agents.protocols",
)
"""The modules whose public names are described."""


PSEUDOCODE = Path(__file__).parent / "pseudocode"
NOTEBOOK = Path(__file__).parents[2] / "examples" / "adversarial_search.ipynb"
IMAGES = Path(__file__).parent.parent / "images"
PICTURES = {"minimax": "figure_5_2.svg", "alpha_beta": "figure_5_5.svg", "mcts": "mcts.svg"}
"""Pictures of the trees of agents."""


def write_pages(folder: Path) -> None:
    """Write all of them into ``folder``, and remove those that are no more."""
    folder.mkdir(exist_ok=True)
    shutil.copyfile(NOTEBOOK, folder / "notebook.ipynb")
    for part, pages in (
        ("agents", agent_pages()),
        ("api", api_pages()),
        ("commands", command_pages()),
    ):
        within = folder / part
        within.mkdir(parents=True, exist_ok=True)
        wanted = dict(pages)
        for old in within.glob("*.md"):
            if old.stem not in wanted:
                old.unlink()
        for name, text in wanted.items():
            path = within / f"{name}.md"
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")


# ---- agents


def agent_pages() -> Iterator[tuple[str, str]]:
    """A page for each agent, and one that lists them."""
    for name in AGENTS:
        yield name, "\n".join(agent_page(name))
    yield "functions", "\n".join(functions_page())
    yield "index", index("All agents", [*AGENTS, "functions"])


def index(title: str, pages: Iterable[str]) -> str:
    """A page that leads to ``pages``."""
    return "\n".join([f"# {title}\n", "```{toctree}\n:maxdepth: 1\n", *pages, "```\n"])


def agent_page(name: str) -> Iterator[str]:
    """What an agent is, and its parameters."""
    yield f"# {name}\n"
    for paragraph in paragraphs(agent_class(name)):
        yield f"{escaped(paragraph)}\n"
    text = PSEUDOCODE / f"{name}.txt"
    if text.exists():
        yield f"## How it works\n\n```text\n{text.read_text(encoding='utf-8')}```\n"
    if name in PICTURES:
        yield game_pages.raw((IMAGES / PICTURES[name]).read_text(encoding="utf-8"))
    yield from strength(name)
    rows = parameters_data(name)
    if rows:
        yield "## Parameters\n"
    for row in rows:
        value = "must be given" if row["required"] else f"default `{row['default']!r}`"
        yield f"`{name}.{row['name']}`: `{row['type']}`, {value}"
        yield f": {escaped(row['description']) or 'See above.'}\n"
    if any(row["name"] in ("evaluate", "order") for row in rows):
        yield "What `evaluate` and `order` can be: [evaluations and move orders](functions.md).\n"


def functions_page() -> Iterator[str]:
    """The evaluations and move orders of all games."""
    yield "# Evaluations and move orders\n"
    yield "Functions of games that searches can use, by the names that specs have.\n"
    yield "| name | used as | |\n|---|---|---|"
    for each in functions_data():
        yield f"| `{each['name']}` | `{each['use']}` | {escaped(each['description'])} |"


def strength(name: str) -> Iterator[str]:
    """Where settings of the agent stand on the ladders."""
    rows = [
        f"| {ladder.game} | `{rung.spec}` | {rung.rating:.0f} | {game_pages.interval(rung)} "
        f"| {rung.seconds:.2g} |"
        for ladder in ladders()
        for rung in ladder.rungs
        if rung.spec.partition("(")[0] == name
    ]
    if rows:
        yield "## Measured strength\n"
        yield "In Elo above random play, with 95 % intervals; ratings compare within a game only.\n"
        yield "| game | spec | rating | interval | seconds a move |\n|---|---|---:|---|---:|"
        yield from rows
        yield ""


def escaped(text: str) -> str:
    """Text in which nothing is Markdown."""
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text)


# ---- public names


def api_pages() -> Iterator[tuple[str, str]]:
    """A page for each package."""
    described: dict[int, str] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        yield package, "\n".join(api_page(module, described))
    yield "index", index("Python interface", PACKAGES)


def api_page(module: ModuleType, described: dict[int, str]) -> Iterator[str]:
    """The public names of a module; those that another page has ``described`` are only named."""
    elsewhere = []
    notes = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()
    yield f"# {module.__name__}\n"
    yield "```{eval-rst}"
    yield f".. automodule:: {module.__name__}\n   :no-members:\n"
    for name in public_names(module):
        value = getattr(module, name)
        kind = kind_of(value)
        if id(value) in described or (kind == "data" and ("", name) not in notes):
            elsewhere.append(described.get(id(value), f"``{module.__name__}.{name}``"))
            continue
        described[id(value)] = f":py:obj:`{module.__name__}.{name}`"
        yield f".. auto{kind}:: {module.__name__}.{name}"
        yield {"class": "   :members:", "data": "   :no-value:"}.get(kind, "")
        yield ""
    if elsewhere:
        yield f"Names that are described elsewhere: {', '.join(elsewhere)}."
    yield "```"


def kind_of(value: Any) -> str:
    """What Sphinx calls a thing."""
    if inspect.isclass(value):
        return "class"
    return "function" if inspect.isroutine(value) else "data"


def public_names(module: ModuleType) -> list[str]:
    """The names in ``__all__``, or those that the module defines."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
        ]
    return sorted(name for name in names if not name.startswith("_"))


# ---- commands


def command_pages() -> Iterator[tuple[str, str]]:
    """One page with the help of all commands."""
    yield "commands", "\n".join(["# All commands\n", *map(help_text, get_command(app).commands)])


def help_text(command: str) -> str:
    """What ``adv-envs COMMAND --help`` prints."""
    environment = {**os.environ, "TYPER_USE_RICH": "0", "NO_COLOR": "1", "COLUMNS": "88"}
    found = subprocess.run(
        [sys.executable, "-m", "adv_envs", command, "--help"],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    return f"## {command}\n\n```text\n{found.stdout.strip()}\n```\n"


# ---- position sets


def position_sets() -> Iterator[str]:
    """The published sets of positions, as a table."""
    yield "| game | positions | seed | SHA-256 |\n|---|---:|---:|---|"
    for path in sorted((Path(agents.__file__).parent / "data" / "positions").glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        name = title(start_position(found["game"], **found["parameters"]))
        yield f"| {name} | {len(found['positions'])} | {found['seed']} | `{found['sha256']}` |"
