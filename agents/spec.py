"""Agents by their specs: ``make("alpha_beta(depth=4, evaluate=hex.two_distance)")``.

A spec is a name, or a name with parameters. It is data: reading one calls nothing but the agent's
class and the functions' import.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import importlib
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar, overload

from adv_envs import Position

from .agent import Agent, require_unfinished
from .equilibrium.hidden_agents import (
    CFRAgent,
    CFRPlusAgent,
    DiscountedCFRAgent,
    EquilibriumAgent,
    MCCFRAgent,
)
from .human import Human
from .knowledge import named_functions
from .mcts import MCTS, InformationSetMCTS
from .networks.league import League
from .networks.policy import Policy
from .protocols.engine import Engine
from .search import (
    AlphaBeta,
    Expectiminimax,
    MarginSolver,
    MaxN,
    Minimax,
    Paranoid,
    Perfect,
    ProofNumber,
    Retrograde,
)
from .simple import FunctionAgent, Greedy, Random
from .suitable import strong_spec


@dataclasses.dataclass(repr=False)
class Strong(Agent):
    """The strongest agent that is known for each game, at a few seconds for a move.

    The game's ``Knowledge`` names it; for other games it is a search of three seconds.
    """

    name: ClassVar[str] = "strong"
    _agents: dict[Position, Agent] = dataclasses.field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _seed: int | None = dataclasses.field(default=None, init=False, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game, with random choices from ``seed``."""
        self._seed = seed
        for agent in self._agents.values():
            agent.reset(seed)

    def agent(self, position: Position) -> Agent:
        """Returns the agent for the game of ``position``."""
        start = position.start()
        if start not in self._agents:
            self._agents[start] = make(strong_spec(start))
            self._agents[start].reset(self._seed)
        return self._agents[start]

    def act(self, position: Position) -> int:
        """Returns that agent's action; ValueError if the game is over."""
        require_unfinished(position)
        return self.agent(position).act(position)


AGENTS: dict[str, type[Agent]] = {
    agent.name: agent
    for agent in (
        Random,
        Human,
        Greedy,
        Minimax,
        AlphaBeta,
        MaxN,
        Paranoid,
        Expectiminimax,
        ProofNumber,
        MCTS,
        InformationSetMCTS,
        Retrograde,
        MarginSolver,
        Perfect,
        CFRAgent,
        CFRPlusAgent,
        DiscountedCFRAgent,
        MCCFRAgent,
        EquilibriumAgent,
        Policy,
        League,
        Engine,
        Strong,
    )
}
"""The class of each agent by its name in specs; ``register`` adds others."""


def is_required(parameter: dataclasses.Field[Any]) -> bool:
    """Whether a parameter has no default."""
    missing = dataclasses.MISSING
    return parameter.default is missing and parameter.default_factory is missing


AgentLike = str | Agent | Callable[[Any], int]
"""An agent, the spec of one, or a function from positions to actions."""

A = TypeVar("A", bound=Agent)


def register(name: str, agent: type[Agent]) -> None:
    """Makes an agent class known as ``name`` in specs.

    Tournaments and report cards can use it then, as in ``make("wary(depth=2)")``::

        @dataclass(repr=False)
        class Wary(Agent):
            depth: int = 1
            name: ClassVar[str] = "wary"

            def act(self, position: Position) -> int:
                return position.legal_actions()[-1]

        agents.register("wary", Wary)

    The same name again replaces the class. Raises TypeError unless ``agent`` is a class of agents,
    and ValueError if its ``name`` is another one, because its ``repr`` would not be its spec.
    """
    if not (isinstance(agent, type) and issubclass(agent, Agent)):
        raise TypeError(f"register needs a class of agents, not {agent!r}")
    if agent.name != name:
        raise ValueError(
            f"{agent.__name__} calls itself {agent.name!r} in its spec, not {name!r}: "
            f"set name: ClassVar[str] = {name!r} in the class"
        )
    AGENTS[name] = agent


def agent_class(name: str) -> type[Agent]:
    """Returns the class of the agent called ``name``; ValueError lists what exists."""
    if name not in AGENTS:
        raise ValueError(f"no agent {name!r}; {_suggest(name, AGENTS)}agents: {', '.join(AGENTS)}")
    return AGENTS[name]


def parameters(name: str) -> list[dataclasses.Field[Any]]:
    """Returns the parameters of the agent called ``name``."""
    return [field for field in dataclasses.fields(agent_class(name)) if field.init]


@overload
def make(spec: A) -> A: ...


@overload
def make(spec: AgentLike) -> Agent: ...


@overload
def make(spec: AgentLike, kind: type[A]) -> A: ...


def make(spec: AgentLike, kind: type[Agent] = Agent) -> Agent:
    """Returns the agent that ``spec`` describes: a name, or a name with parameters.

    Values are Python literals, or functions by name: "hex.two_distance" is what a game knows (see
    ``agents.knowledge``), "my_module.my_function" any importable function. Such a name alone is the
    function that chooses an action. An agent is returned as it is, a function as a
    ``FunctionAgent``.

    ``kind`` is the class that the agent must have, which type checkers then know::

        make("alpha_beta(depth=3)", SearchAgent).analyse(position).value

    Raises ValueError or TypeError that says what exists, and TypeError for an agent of another
    kind.
    """
    agent = _made(spec)
    if not isinstance(agent, kind):
        raise TypeError(f"a {kind.__name__} is needed, which {agent!r} is not")
    return agent


def _made(spec: AgentLike) -> Agent:
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
    missing = [field.name for field in parameters(name) if is_required(field)]
    missing = [parameter for parameter in missing if parameter not in values]
    if missing:
        needed = ", ".join(f"{parameter}=..." for parameter in missing)
        raise TypeError(f"{name} needs {' and '.join(missing)}: write {name}({needed})")
    return cls(**values)


def _function_agent(name: str) -> FunctionAgent:
    """Returns the importable function called ``name`` as an agent; ValueError if there is none."""
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
    """Returns the function called ``name``: "hex.two_distance" of a game, or "module.function"."""
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


def _suggest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]!r}? " if close else ""
