"""The docstrings of the public interface: none is missing, and parameters are explained."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from typer.main import get_command

import adv_envs
import agents
from agents.cli import app
from agents.cli.lists import parameters_data

pytestmark = pytest.mark.plain

DOCS = Path(__file__).parent.parent / "docs"


def public_packages() -> Iterator[ModuleType]:
    """The modules with public names; those of web pages, commands and Numba are no interface."""
    for root in (adv_envs, agents):
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if found.ispkg and not re.search(r"\.(web|cli|games|jit)\b", found.name):
                module = importlib.import_module(found.name)
                if hasattr(module, "__all__"):
                    yield module


def public_things() -> Iterator[tuple[str, Any]]:
    """Every public class and function of ours once, by its name."""
    seen = set()
    for module in public_packages():
        for name in (*module.__all__, *getattr(module, "_LAZY", ())):
            try:
                value = getattr(module, name)
            except ImportError:  # it needs a library that is not there
                continue
            ours = getattr(value, "__module__", "").startswith(("adv_envs", "agents"))
            routine = inspect.isclass(value) or inspect.isroutine(value)
            if ours and routine and id(value) not in seen:
                seen.add(id(value))
                yield f"{module.__name__}.{name}", value


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines itself."""
    parts = getattr(cls, "__dataclass_fields__", {})
    for name, value in vars(cls).items():
        if name in parts:  # the default of a field, which has a string below it
            continue
        if not name.startswith("_") and isinstance(
            value, property | cached_property | staticmethod | classmethod
        ):
            yield name, getattr(value, "__func__", value)
        elif not name.startswith("_") and inspect.isfunction(value):
            yield name, value


THINGS = dict(public_things())
SELF_EVIDENT = {
    "self", "cls", "args", "kwargs", "position", "start", "action", "player", "game", "name",
    "path", "seed", "text", "row", "column", "other", "state", "tree", "policy", "positions",
}  # fmt: skip
"""Names of parameters that say what they are, everywhere the same."""
PROTOCOL_ERRORS = {
    "ArgumentTypeError", "AssertionError", "AttributeError", "NotImplementedError", "SystemExit",
}  # fmt: skip
"""Errors that belong to Python's own protocols, and those of faults of our own."""


def texts_about(cls: type, name: str) -> str:
    """What a class and its bases say of a method, and of themselves."""
    said = [inspect.getdoc(vars(base)[name]) for base in cls.__mro__ if name in vars(base)]
    return " ".join(text or "" for text in [*said, inspect.getdoc(cls)])


def unexplained(function: Any, text: str) -> list[str]:
    """The parameters that neither the name nor a word of the text explains."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in, or a kernel without a signature
        return []
    words = {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())}
    return [
        name
        for name in names
        if name not in SELF_EVIDENT
        and not any(part.rstrip("s") in words for part in name.lower().split("_"))
    ]


def unnamed_errors(function: Any, text: str) -> set[str]:
    """The errors that a function raises itself and that the text does not name."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    except (OSError, TypeError):  # built in
        return set()
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            found.add(ast.unparse(node.exc.func).rpartition(".")[2])
    return {name for name in found if name[0].isupper() and name not in text} - PROTOCOL_ERRORS


@pytest.mark.parametrize("name", THINGS)
def test_a_public_name_says_what_it_is_and_its_parameters_mean(name: str) -> None:
    value = THINGS[name]
    text = inspect.getdoc(value) or ""
    assert text, f"{name} has no docstring"
    if not inspect.isclass(value):
        assert not unexplained(value, text)
        assert not unnamed_errors(value, text)
        return
    for member, function in members(value):
        about = f"{name}.{member}"
        assert inspect.getdoc(getattr(value, member)), f"{about} has no docstring"
        assert not unnamed_errors(function, texts_about(value, member)), about
        rules = value.__module__.startswith("adv_envs.games")  # helpers are read beside the code
        if inspect.isfunction(function) and not rules:
            assert not unexplained(function, texts_about(value, member)), about


def test_the_parameters_of_agents_are_explained_one_by_one() -> None:
    ours = [a for a in agents.AGENTS.values() if a.__module__.startswith("agents.")]
    for agent in ours:
        for row in parameters_data(agent.name):
            assert row["description"], f"{agent.name}.{row['name']}"


def test_every_command_has_examples_and_explains_its_options() -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"adv-envs {name}" in command.epilog, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name}: {option.opts}"


def test_all_public_packages_are_in_the_manual() -> None:
    """Those of web pages, commands and Numba aside, which are no interface."""
    text = (DOCS / "manual" / "reference.py").read_text(encoding="utf-8")
    for module in public_packages():
        assert f'    "{module.__name__}",' in text, module.__name__
