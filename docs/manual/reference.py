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
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from sphinx.ext.autodoc.mock import mock
from sphinx.pycode import ModuleAnalyzer
from typer.main import get_command

import agents
from adv_envs.registry import start_position, title
from agents import AGENTS
from agents.cli import app

from .agent_pages import agent_page, functions_page, index_page

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
    "adv_envs.text",
    "agents",
    "agents.knowledge",
    "agents.search",
    "agents.mcts",
    "agents.equilibrium",
    "agents.engines",
    "agents.networks",
    "agents.language",
    "agents.integrations",
    "agents.learning",
    "agents.learning.alphazero",
    "agents.arena",
    "agents.arena.rating",
    "agents.classroom",
    "agents.grading",
    "agents.reports",
    "agents.protocols",
)
"""The modules whose public names are described."""

OPTIONAL = (
    "anywidget", "certifi", "fastapi", "inspect_ai", "kaggle_environments", "openai", "openenv",
    "pydantic", "ray", "sb3_contrib", "stable_baselines3", "tensordict", "textarena", "tianshou",
    "torch", "torchrl", "traitlets", "verifiers",
)  # fmt: skip
"""Libraries that some public names need and that need not be there to describe them."""


MOST_NAMES = 12
"""Names that the list of all packages shows of each."""

NOTEBOOK = Path(__file__).parents[2] / "examples" / "adversarial_search.ipynb"


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
    yield "index", "\n".join(index_page())


# ---- public names


def api_pages() -> Iterator[tuple[str, str]]:
    """A page for each package, and one that lists them with what they describe."""
    modules = {package: importlib.import_module(package) for package in PACKAGES}
    homes = homes_of(modules)
    for package, module in modules.items():
        yield package, "\n".join(api_page(module, homes))
    yield "index", "\n".join(api_index(modules, homes))


def api_index(modules: dict[str, ModuleType], homes: dict[int, str]) -> Iterator[str]:
    """The packages, what each of them is, and the names that its page describes."""
    yield "# Python interface\n"
    yield "| | what is there | names |\n|---|---|---|"
    for package, module in modules.items():
        names = [n for n in public_names(module) if homes.get(id(value_of(module, n))) == package]
        shown = sorted(names, key=lambda name: (not name[0].isupper(), name))[:MOST_NAMES]
        listed = ", ".join(f"`{name}`" for name in shown) + ", …" * (len(names) > MOST_NAMES)
        yield f"| [{package}]({package}.md) | {first_sentence(module)} | {listed} |"
    yield "\n".join(["", "```{toctree}", ":hidden:\n", *modules, "```\n"])


def homes_of(modules: dict[str, ModuleType]) -> dict[int, str]:
    """The page that describes each public thing: the nearest to where it is defined."""
    homes: dict[int, str] = {}
    for package, module in modules.items():
        for name in public_names(module):
            value = value_of(module, name)
            defined = str(getattr(value, "__module__", ""))
            before = homes.get(id(value))
            nearer = f"{defined}.".startswith(f"{package}.")
            if before is None or (nearer and len(package) > len(before)):
                homes[id(value)] = package
    return homes


def api_page(module: ModuleType, homes: dict[int, str]) -> Iterator[str]:
    """The public names of a module; those that another page describes lead there."""
    elsewhere = []
    notes = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()
    yield f"# {module.__name__}\n"
    yield "```{eval-rst}"
    yield f".. automodule:: {module.__name__}\n   :no-members:\n"
    for name in public_names(module):
        value = value_of(module, name)
        kind = kind_of(value)
        home = homes[id(value)]
        if home != module.__name__:
            elsewhere.append(f"* :py:obj:`{name} <{home}.{name_in(home, value, name)}>`")
            elsewhere[-1] += f": {first_sentence(value)}" * (kind != "data")
        elif kind == "data" and ("", name) not in notes:
            elsewhere.append(f"* ``{name}``")
        else:
            yield f".. auto{kind}:: {module.__name__}.{name}"
            yield {"class": "   :members:", "data": "   :no-value:"}.get(kind, "")
            yield ""
    if elsewhere:
        yield "\n".join([".. rubric:: Described on other pages\n", *elsewhere])
    yield "```"


def value_of(module: ModuleType, name: str) -> Any:
    """What a name stands for; what it needs and is not there is made up."""
    with mock([*OPTIONAL]):
        return getattr(module, name)


def name_in(package: str, value: Any, name: str) -> str:
    """What a thing is called on the page that describes it."""
    module = importlib.import_module(package)
    names = [each for each in public_names(module) if value_of(module, each) is value]
    return name if name in names else names[0]


def first_sentence(value: Any) -> str:
    """The first sentence of a docstring."""
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return re.sub(r"(?<=[.:])\s.*", "", text).rstrip(":")


def kind_of(value: Any) -> str:
    """What Sphinx calls a thing."""
    if inspect.isclass(value):
        return "class"
    return "function" if inspect.isroutine(value) else "data"


def public_names(module: ModuleType) -> list[str]:
    """The names in ``__all__`` and those that need a library, or those that the module defines."""
    names = {*getattr(module, "__all__", ()), *getattr(module, "_LAZY", ())}
    if not names:
        names = {
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__
            and not isinstance(value, TypeVar)
        }
    return sorted(name for name in names if not name.startswith("_"))


# ---- commands


LISTED_GAMES = re.compile(r"^Commands:\n  (\w+)(?:.*\n)(?: .*\n)*", re.MULTILINE)
"""The games in the help of a command, each a command of its own, and the first of them."""


def command_pages() -> Iterator[tuple[str, str]]:
    """One page with the help of all commands."""
    commands = ["", *get_command(app).commands]
    yield "commands", "\n".join(["# All commands\n", *map(command_section, commands)])


def command_section(command: str) -> str:
    """The help of a command; in place of the list of games what follows the name of a game."""
    text = help_text(command)
    if command and (games := LISTED_GAMES.search(text + "\n")):
        of_game = help_text(command, games[1])
        arguments = re.search(r"^Arguments:\n(?: .*\n)+", of_game, re.MULTILINE)
        after = "GAME: a game that adv-envs games lists, with its parameters as options, such as\n"
        after += "  hex --size 5; adv-envs " + command + " GAME --help explains them.\n"
        after += f"\nAfter the game:\n{arguments[0].partition(chr(10))[2]}" if arguments else ""
        text = LISTED_GAMES.sub(lambda _: after, text + "\n").strip()
    return f"## {command or 'adv-envs'}\n\n```text\n{text}\n```\n"


def help_text(*command: str) -> str:
    """What ``adv-envs COMMAND --help`` prints."""
    environment = {**os.environ, "TYPER_USE_RICH": "0", "NO_COLOR": "1", "COLUMNS": "88"}
    found = subprocess.run(
        [sys.executable, "-m", "adv_envs", *filter(None, command), "--help"],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    return found.stdout.strip()


# ---- position sets


def position_sets() -> Iterator[str]:
    """The published sets of positions, as a table."""
    yield "| game | positions | seed | SHA-256 |\n|---|---:|---:|---|"
    for path in sorted((Path(agents.__file__).parent / "data" / "positions").glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        name = title(start_position(found["game"], **found["parameters"]))
        yield f"| {name} | {len(found['positions'])} | {found['seed']} | `{found['sha256']}` |"
