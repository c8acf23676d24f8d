"""Agents by their specs: ``make("alpha_beta(depth=4, evaluate=hex.two_distance)")``."""

from __future__ import annotations

import ast
import dataclasses
import difflib
import importlib
from collections.abc import Callable
from typing import Any

from .agent import Agent
from .knowledge import named_functions
from .simple import FunctionAgent

AGENTS: dict[str, str | type[Agent]] = {
    "random": "agents.simple:Random",
    "human": "agents.human:Human",
    "greedy": "agents.simple:Greedy",
    "minimax": "agents.search.minimax:Minimax",
    "alpha_beta": "agents.search.alpha_beta:AlphaBeta",
    "max_n": "agents.search.multiplayer:MaxN",
    "paranoid": "agents.search.multiplayer:Paranoid",
    "expectiminimax": "agents.search.expectiminimax:Expectiminimax",
    "proof_number": "agents.search.proof_number:ProofNumber",
    "mcts": "agents.mcts.mcts:MCTS",
    "retrograde": "agents.search.retrograde:Retrograde",
    "perfect": "agents.search.perfect:Perfect",
    "policy": "agents.networks.policy:Policy",
    "engine": "agents.protocols.engine:Engine",
}
"""Each agent's name and its class, or where to find it."""


def register(name: str, agent: str | type[Agent]) -> None:
    """Make ``agent``, a class or "module:Class", known as ``name`` in specs."""
    AGENTS[name] = agent


def agent_class(name: str) -> type[Agent]:
    """The class of the agent called ``name``; ValueError lists what exists."""
    if name not in AGENTS:
        raise ValueError(f"no agent {name!r}; {_suggest(name, AGENTS)}agents: {', '.join(AGENTS)}")
    found = AGENTS[name]
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        found = AGENTS[name] = getattr(importlib.import_module(module), attribute)
    return found


def parameters(name: str) -> list[dataclasses.Field[Any]]:
    """The parameters of the agent called ``name``."""
    return [field for field in dataclasses.fields(agent_class(name)) if field.init]


AgentLike = str | Agent | Callable[[Any], int]
"""An agent, the spec of one, or a function from positions to actions."""


def make(spec: AgentLike) -> Agent:
    """The agent that ``spec`` describes: a name, or a name with parameters.

    Values are Python literals, or functions by name: "hex.two_distance" is a heuristic of ours,
    "my_module.my_function" any importable function. Such a name alone is the function that chooses
    an action. An agent is given back as it is, a function as a ``FunctionAgent``. Raises ValueError
    or TypeError, saying what exists.
    """
    if isinstance(spec, Agent):
        return spec
    if isinstance(spec, type):
        raise TypeError(f"an agent is needed, {spec.__name__}(), and not its class")
    if callable(spec):
        return FunctionAgent(spec)
    if not isinstance(spec, str):
        raise TypeError(
            "an agent, the spec of one, or a function from positions to actions is needed, "
            f"not {spec!r}"
        )
    try:
        tree = ast.parse(spec.strip(), mode="eval").body
    except SyntaxError:
        tree = ast.Constant(None)
    if isinstance(tree, ast.Attribute):
        return _function_agent(spec.strip())
    call = tree if isinstance(tree, ast.Call) else ast.Call(tree, [], [])
    if not isinstance(call.func, ast.Name) or call.args:
        raise ValueError(f"cannot read the agent {spec!r}: write name(parameter=value, ...)")
    name = call.func.id
    cls = agent_class(name)
    known = [field.name for field in parameters(name)]
    values = {}
    for keyword in call.keywords:
        if keyword.arg not in known:
            choices = ", ".join(known) or "none"
            raise TypeError(f"{name} has no parameter {keyword.arg!r}; parameters: {choices}")
        try:
            values[keyword.arg] = _value(keyword.value)
        except ValueError as error:
            raise ValueError(f"{name}, {keyword.arg}: {error}") from None
    return cls(**values)


def _function_agent(name: str) -> FunctionAgent:
    """The agent that is the importable function called ``name``; ValueError if there is none."""
    if name in named_functions():
        raise ValueError(f"{name} values positions, as in greedy(evaluate={name}): it is no agent")
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError):
        raise ValueError(f"no agent {name!r}: there is no function of that name") from None
    if isinstance(found, type):
        raise ValueError(f"{name} is a class: register it, and use its name")
    return FunctionAgent(found)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Attribute | ast.Name):
        return find_function(ast.unparse(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return make(ast.unparse(node))
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)!r} is neither a number nor a known name") from None


def find_function(name: str) -> Any:
    """The function called ``name``: "hex.two_distance" of a game, or any "module.function"."""
    known = named_functions()
    if name in known:
        return known[name]
    module_name, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError):
        pass
    raise ValueError(
        f"no function {name!r}; {_suggest(name, known)}heuristics: {', '.join(known)}"
    ) from None


def _suggest(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]!r}? " if close else ""
