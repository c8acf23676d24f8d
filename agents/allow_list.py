"""Restricts the agents that a page may name to those of the project, with plain numbers.

Nothing in a request is imported, opened or started. Paths, commands and functions of other
modules are refused, whichever agent has such a parameter; the policies that come with the package
are known by their names. Numbers are bounded by what a machine can bear. Other agents, engines and
language models among them, are those that were ``named`` when the server was started, as they were
written there.
"""

from __future__ import annotations

import ast
import os

from adv_envs.literals import HOW, call_of, expression, literal
from agents.agent import Agent
from agents.knowledge import named_functions
from agents.networks import checkpoint
from agents.networks.policy import Policy
from agents.spec import known_agents, make

REFUSED = {"human", "engine", "llm", "submission"}
"""Agents that start programs, run files, ask at a terminal, or ask another server."""
LONGEST = 300
"""Characters of a spec."""
MOST = 10**9
"""The largest number that a parameter may have."""
MOST_OF = {
    "seconds": 600,
    "threads": os.cpu_count() or 1,
    "table_mb": 1024,
    "depth": 200,
    "exact": 64,
    "batch": 1024,
    "limit": 10**7,
    "iterations": 10**6,
    "simulations": 10**7,
}
"""What parameters of these names may be at most."""


named = set[str]()
"""Specs of agents that the one who started the server has named, in a process for searches."""


def allowed_agent(spec: object) -> Agent:
    """Returns the agent of a spec that a page has sent; ValueError if a page may not name it."""
    if isinstance(spec, str) and spec in named:
        return make(spec)
    if not isinstance(spec, str) or len(spec) > LONGEST:
        raise ValueError(f"an agent is named by its spec, a text of at most {LONGEST} characters")
    try:
        name, values = call_of(expression(spec))
    except ValueError:
        raise ValueError(f"cannot read the agent {spec!r}: {HOW}") from None
    if name not in known_agents() or name in REFUSED:
        allowed = ", ".join(sorted(known_agents().keys() - REFUSED))
        hint = f": start it by adv-envs serve --opponent {name}(...)" if name in REFUSED else ""
        hint = "" if name == "human" else hint
        raise ValueError(f"the page cannot play with {name!r}{hint}; agents: {allowed}")
    shipped = known_agents()[name] is Policy
    for parameter, value in values.items():
        if not (shipped and parameter == "path"):
            require_harmless(parameter, value)
    if shipped:
        return shipped_policy(values)
    try:
        return make(spec)
    except TypeError as error:
        raise ValueError(str(error)) from None


def shipped_policy(values: dict[str, ast.expr]) -> Agent:
    """Returns a policy of the package; ValueError if its path is not the name of one."""
    path, names = values.pop("path", None), checkpoint.shipped_checkpoints()
    if not isinstance(path, ast.Constant) or path.value not in names:
        raise ValueError(f"the page plays with policies of these names: {', '.join(names)}")
    numbers = {name: literal(value) for name, value in values.items()}
    try:
        return Policy(os.fspath(checkpoint.SHIPPED / f"{path.value}.safetensors"), **numbers)
    except TypeError as error:
        raise ValueError(str(error)) from None


def require_harmless(name: str, value: ast.expr) -> None:
    """Raises ValueError unless a parameter is a number, True, False, None or a game's function."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Attribute | ast.Name) and ast.unparse(value) in named_functions():
        return
    number = value.value if isinstance(value, ast.Constant) else ()
    if number is None:
        return
    if not isinstance(number, int | float):
        raise ValueError(f"{name}={ast.unparse(value)[:40]} cannot be sent by a page")
    most = MOST_OF.get(name, MOST)
    if abs(number) > most:
        raise ValueError(f"{name} can be {most} at most on a page")
