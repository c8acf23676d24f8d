"""The agents that a page may name: those of the project, with parameters that are plain numbers.

Nothing of what a page sends is imported, opened or started. Paths, commands and functions of other
modules are refused, whichever agent has such a parameter.
"""

from __future__ import annotations

import ast
from typing import Any

from agents.agent import Agent
from agents.knowledge import named_functions
from agents.spec import AGENTS, make

REFUSED = {"human", "engine", "policy"}
"""Agents that read files, start programs, or ask at a terminal."""
LONGEST = 300
"""Characters of a spec."""
MOST = 10**9
"""The largest number that a parameter may have."""


def allowed_agent(spec: object) -> Agent:
    """The agent of a spec that a page has sent; ValueError if a page may not name it."""
    if not isinstance(spec, str) or len(spec) > LONGEST:
        raise ValueError(f"an agent is named by its spec, a text of at most {LONGEST} characters")
    try:
        tree = ast.parse(spec.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"cannot read the agent {spec!r}") from None
    call = tree if isinstance(tree, ast.Call) else ast.Call(tree, [], [])
    if not isinstance(call.func, ast.Name) or call.args:
        raise ValueError(f"cannot read the agent {spec!r}: write name(parameter=value, ...)")
    if call.func.id not in AGENTS or call.func.id in REFUSED:
        allowed = ", ".join(sorted(AGENTS.keys() - REFUSED))
        raise ValueError(f"the page cannot play with {call.func.id!r}; agents: {allowed}")
    for keyword in call.keywords:
        require_harmless(keyword.arg, keyword.value)
    try:
        return make(spec)
    except TypeError as error:
        raise ValueError(str(error)) from None


def require_harmless(name: str | None, value: ast.expr) -> None:
    """ValueError unless a parameter is a number, True, False, None, or a function of a game."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Attribute | ast.Name) and ast.unparse(value) in named_functions():
        return
    if isinstance(value, ast.Constant) and is_number(value.value):
        return
    raise ValueError(f"{name}={ast.unparse(value)[:40]} cannot be sent by a page")


def is_number(value: Any) -> bool:
    """Whether a value is None, True, False, or a number that is not too large."""
    return value is None or (isinstance(value, int | float) and abs(value) <= MOST)
