"""``adv-envs games`` and ``adv-envs agents``: what there is."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from adv_envs.registry import GAMES, game

from .console import out, print_json, refusing
from .describe import parameters, summary

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def table(*columns: str) -> Table:
    """An empty table of text."""
    empty = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        empty.add_column(column, style="bold" if i == 0 else None, overflow="fold")
    return empty


def print_table(filled: Table) -> None:
    """Print a table; where it is narrow the last column is folded first, and words last."""
    for column in filled.columns[:-1]:
        cells = [str(column.header), *map(str, column.cells)]
        column.min_width = max(len(word) for cell in cells for word in cell.split() or [""])
    out().print(filled)


def games(json: Json = False) -> None:
    """The games: their parameters, players, actions, and what they are."""
    with refusing():
        found = {name: game(name) for name in GAMES}
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "parameters": parameters(cls),
            "players": cls().num_players,
            "actions": cls().num_actions,
            "description": summary(cls),
        }
        for name, cls in found.items()
    ]
    if json:
        return print_json(rows)
    listed = table("game", "parameters", "players, actions", "what it is")
    listed.columns[2].max_width = len("2 players,")
    for row in rows:
        numbers = f"{row['players']} players, {row['actions']} actions"
        listed.add_row(row["name"], _spelled(row["parameters"]), numbers, row["description"])
    print_table(listed)
    out().print("Parameters are options: adv-envs show hex --size 5", style="dim")


def agents(json: Json = False) -> None:
    """The agents, their parameters, and the heuristics that some of them take."""
    with refusing():
        players, functions = _agents(), _heuristics()
    if json:
        return print_json({"agents": players, "heuristics": functions})
    listed = table("agent", "parameters", "what it is")
    for row in players:
        listed.add_row(row["name"], _spelled(row["parameters"]), row["description"])
    print_table(listed)
    listed = table("heuristic", "used as", "what it is")
    for row in functions:
        listed.add_row(row["name"], row["use"], row["description"])
    print_table(listed)
    out().print('Written as: "alpha_beta(depth=4, evaluate=hex.two_distance)"', style="dim")


def _spelled(values: dict[str, Any]) -> str:
    return " ".join(f"{key}={value!r}" for key, value in values.items())


def _agents() -> list[dict[str, Any]]:
    from agents.spec import AGENTS, agent_class
    from agents.spec import parameters as fields

    return [
        {
            "name": name,
            "parameters": {field.name: _default(field) for field in fields(name)},
            "description": _first_line(agent_class(name)),
        }
        for name in AGENTS
    ]


def _default(field: dataclasses.Field[Any]) -> Any:
    return None if field.default is dataclasses.MISSING else field.default


def _heuristics() -> list[dict[str, str]]:
    from agents.knowledge import named_functions
    from agents.spec import find_function

    rows = []
    for name in [*named_functions()]:
        function = find_function(name)
        arguments = tuple(inspect.signature(function).parameters)
        use = {("position",): "evaluate", ("position", "action"): "order"}.get(arguments)
        if use is not None:  # others are parts of these
            rows.append({"name": name, "use": use, "description": _first_line(function)})
    return rows


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("``", "")
