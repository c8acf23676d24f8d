"""Implements ``adv-envs games`` and ``adv-envs agents``: lists, with parameters of agents."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from adv_envs.registry import GAMES, game, parameters_of
from agents.agent import Agent
from agents.describe import first_line, summary
from agents.knowledge import named_functions
from agents.spec import agent_class, is_required, known_agents
from agents.spec import parameters as parameters_of_agent

from .console import Json, command_errors, out, print_json, print_table, table

GAMES_EXAMPLES = "adv-envs games", "adv-envs --import my_module games --json"

AGENTS_EXAMPLES = "adv-envs agents", "adv-envs agents mcts", "adv-envs agents --json"

Name = Annotated[
    str | None, typer.Argument(metavar="AGENT", help="Explain one agent and its parameters.")
]


def games(json: Json = False) -> None:
    """Lists the games: their parameters, players, actions, and a description."""
    with command_errors():
        found = {name: game(name) for name in GAMES}
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "parameters": parameters_of(cls()),
            "players": cls().num_players,
            "actions": cls().num_actions,
            "description": summary(cls),
        }
        for name, cls in found.items()
    ]
    if json:
        return print_json(rows)
    print_listed("game", rows, *(column for column in rows[0] if column != "name"))
    out().print("Parameters are options: adv-envs show hex --size 5", style="dim")


def agents(name: Name = None, json: Json = False) -> None:
    """Lists the agents, or explains one; also the functions that some of them take."""
    with command_errors():
        if name is not None:
            return explain(name, json)
        players = [
            {
                "name": known,
                "parameters": {field.name: default(field) for field in parameters_of_agent(known)},
                "description": first_line(agent_class(known)),
            }
            for known in known_agents()
        ]
        functions = functions_data()
    if json:
        return print_json({"agents": players, "functions": functions})
    print_listed("agent", players, "parameters", "description")
    used = [{**row, "used as": row["use"]} for row in functions]
    print_listed("function", used, "used as", "description")
    out().print('Written as: "alpha_beta(depth=4, evaluate=hex.two_distance)"', style="dim")
    out().print("One agent and all its parameters: adv-envs agents alpha_beta", style="dim")


def print_listed(heading: str, rows: Sequence[Mapping[str, Any]], *columns: str) -> None:
    """Prints a row for each thing: its name below ``heading``, and these columns."""
    listed = table(heading, *columns)
    for row in rows:
        cells = (row[column] for column in columns)
        texts = (
            " ".join(f"{key}={value!r}" for key, value in cell.items())
            if isinstance(cell, dict)
            else str(cell)
            for cell in cells
        )
        listed.add_row(row["name"], *texts)
    print_table(listed)


def explain(name: str, json: bool) -> None:
    """Prints what an agent is, and each parameter with its type, default and meaning."""
    cls, rows = agent_class(name), parameters_data(name)
    about = paragraphs(cls)
    if json:
        return print_json({"name": name, "description": "\n\n".join(about), "parameters": rows})
    console = out()
    console.print(f"{name}({', '.join(row['name'] for row in rows)})", style="bold")
    for paragraph in about:
        console.print(f"\n{paragraph}")
    for row in rows:
        value = "must be given" if row["required"] else f"default {row['default']!r}"
        console.print(Text.assemble(("\n" + row["name"], "bold"), f": {row['type']}, {value}"))
        console.print(Padding(row["description"], (0, 0, 0, 4), expand=False))


def functions_data() -> list[dict[str, str]]:
    """Returns the evaluations and move orders of all games."""
    rows = []
    for name, function in named_functions().items():
        arguments = tuple(inspect.signature(function).parameters)
        use = {("position",): "evaluate", ("position", "action"): "order"}.get(arguments)
        if use is not None:  # others are parts of these
            rows.append({"name": name, "use": use, "description": first_line(function)})
    return rows


def default(field: dataclasses.Field[Any]) -> Any:
    """Returns the default of a parameter; None if it must be given."""
    return None if field.default is dataclasses.MISSING else field.default


# ---- parameters, as the docstrings explain them


COMMON = {
    "seed": "Decides random choices until reset gives another seed; None: new ones each time."
}
"""What is said of parameters that a docstring does not mention."""


def parameters_data(name: str) -> list[dict[str, Any]]:
    """Returns an agent's parameters: name, type, default, and what the docstrings say of each."""
    cls = agent_class(name)
    notes = attribute_docstrings(cls)
    rows = []
    for field in parameters_of_agent(name):
        said = notes.get(field.name) or sentences_about(cls, field.name) or COMMON.get(field.name)
        kind = str(getattr(field.type, "__name__", field.type))
        rows.append(
            {
                "name": field.name,
                "type": kind,
                "default": default(field),
                "required": is_required(field),
                "description": plain(said or ""),
            }
        )
    return rows


def attribute_docstrings(cls: type[Agent]) -> dict[str, str]:
    """Returns the string below each field in the source of a class and its bases."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        except (OSError, TypeError, SyntaxError):  # no source: a built-in, or typed in
            continue
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, note in itertools.pairwise(statements):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(note, ast.Expr)
                and isinstance(note.value, ast.Constant)
                and isinstance(note.value.value, str)
            ):
                found[field.target.id] = inspect.cleandoc(note.value.value)
    return found


def sentences_about(cls: type[Agent], name: str) -> str:
    """Returns a parameter's entry in a class's docstring, or the sentences that mention it."""
    text = inspect.getdoc(cls) or ""
    listed = r"\n(?= {4}\w+: |\n)" if "Parameters:\n" in text else r"\n(?=- |\n)"
    for entry in re.split(listed, text):
        if found := re.match(rf"(?:- |    )`*{name}`*: (.*)", entry.rstrip(";"), re.DOTALL):
            return found[1]
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Z`-])|;?\n- ``\w+``: ", text)
    return " ".join(s for s in sentences if re.search(rf"``{name}\b", s))


def paragraphs(cls: type[Agent]) -> list[str]:
    """Returns the paragraphs of a docstring, each on one line, without the list of parameters."""
    parts = (inspect.getdoc(cls) or "").split("\n\n")
    return [plain(part) for part in parts if not part.startswith(("- ``", "Parameters:"))]


def plain(text: str) -> str:
    """Returns text of a docstring on one line, without the marks of code."""
    return " ".join(text.replace("``", "").split())
