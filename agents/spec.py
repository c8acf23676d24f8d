"""Makes agents of specs: ``make("alpha_beta(depth=4, evaluate=hex.two_distance)")``.

A spec is a name, or a name with parameters. It is data: reading one calls nothing but the agent's
class and the functions' import.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeVar, overload

from adv_envs import Position
from adv_envs.literals import HOW, call_of, expression, literal, shortened

from .agent import Agent, clean, require_unfinished
from .engine import Engine
from .equilibrium.hidden_agents import (
    CFRAgent,
    CFRPlusAgent,
    DiscountedCFRAgent,
    EquilibriumAgent,
    MCCFRAgent,
)
from .knowledge import all_knowledge, named_functions, strong_spec
from .language.model import LanguageModel
from .mcts import MCTS, InformationSetMCTS
from .networks.league import League
from .networks.policy import Policy
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
from .simple import FunctionAgent, Greedy, Human, Random
from .submitted import Submission


@dataclasses.dataclass(repr=False)
class StrongestAgent(Agent):
    """Plays as the strongest agent that is known for each game, at a few seconds for a move.

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
        position = require_unfinished(position)
        return self.agent(position).act(position)


_agents: dict[str, type[Agent]] = {
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
        LanguageModel,
        StrongestAgent,
        Submission,
    )
}


def known_agents() -> dict[str, type[Agent]]:
    """Returns the class of each agent by its name in specs; ``register`` adds others.

    It is ``agents.AGENTS``, and has those that play one game only, which their games register.
    """
    all_knowledge()
    return _agents


def is_required(parameter: dataclasses.Field[Any]) -> bool:
    """Returns whether a parameter has no default."""
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
    _agents[name] = agent


def agent_class(name: str) -> type[Agent]:
    """Returns the class of the agent called ``name``; ValueError lists what exists.

    Packages that are installed add theirs by entry points of the group ``adv_envs.agents``, from
    the agent's name to its class; one is imported when a spec first names it.
    """
    known = _agents if name in _agents else known_agents()
    if name not in known:
        for entry in metadata.entry_points(group="adv_envs.agents", name=name):
            register(name, entry.load())
    if name not in known:
        hint = _file_hint(name) or _suggest(name, known)
        raise ValueError(f"no agent {name!r}; {hint}agents: {', '.join(known)}")
    return known[name]


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
    ``FunctionAgent``. The path of a file of Python, as in "submissions/alice.py", is the agent in
    that file, which plays in a sandbox only: a ``Submission``.

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
    if "(" not in spec and spec.strip().endswith(".py"):
        return Submission(spec.strip())
    try:
        tree = _with_path(expression(spec))
        called = None if isinstance(tree, ast.Attribute) else call_of(tree)
    except ValueError:
        how = _file_hint(spec) or HOW
        raise ValueError(f"cannot read the agent {shortened(spec)}: {how.strip()}") from None
    return _function_agent(ast.unparse(tree)) if called is None else _called(*called)


def _with_path(tree: ast.expr) -> ast.expr:
    """Returns a call such as ``submission('alice.py')`` with the name of its one parameter."""
    match tree:
        case ast.Call(func=ast.Name(id="submission"), args=[path]):
            return ast.Call(tree.func, [], [ast.keyword("path", path), *tree.keywords])
    return tree


def _called(name: str, given: dict[str, ast.expr]) -> Agent:
    """Returns the agent called ``name`` with these parameters."""
    cls = agent_class(name)
    known = [field.name for field in parameters(name)]
    values = {}
    for parameter, value in given.items():
        if parameter not in known:
            choices = ", ".join(known) or "none"
            raise TypeError(f"{name} has no parameter {parameter!r}; parameters: {choices}")
        try:
            values[parameter] = _value(value)
        except ValueError as error:
            raise ValueError(f"{name}, {parameter}: {error}") from None
    missing = [field.name for field in parameters(name) if is_required(field)]
    missing = [parameter for parameter in missing if parameter not in values]
    if missing:
        needed = ", ".join(f"{parameter}=..." for parameter in missing)
        raise TypeError(f"{name} needs {' and '.join(missing)}: write {name}({needed})")
    return cls(**values)


class DidNotLoad(ValueError):
    """Says that a module of the user's fails when it is imported."""


def load_module(name: str) -> ModuleType:
    """Imports a module of the user's. ModuleNotFoundError if there is none, or DidNotLoad.

    What it prints meanwhile goes to standard error.
    """
    try:
        with redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a module of the user's own may raise anything
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise
        raise DidNotLoad(f"{name} did not load: {_describe_import(error)}") from error


def _describe_import(error: BaseException) -> str:
    """Returns an error with the file and the line where it occurred."""
    why = clean(f"{type(error).__name__}: {error}")
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError) or not frames:
        return why
    return f"{why} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _function_agent(name: str) -> FunctionAgent:
    """Returns the importable function called ``name`` as an agent; ValueError if there is none."""
    if name in named_functions():
        raise ValueError(f"{name} values positions, as in greedy(evaluate={name}): it is no agent")
    found = _imported(name)
    if found is None:
        raise ValueError(f"no agent {shortened(name)}: there is no function of that name")
    if isinstance(found, type):
        raise ValueError(f"{name} is a class: register it, and use its name")
    return FunctionAgent(found)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Attribute | ast.Name):
        return find_function(ast.unparse(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _called(*call_of(node))
    try:
        return literal(node)
    except ValueError:
        raise ValueError(
            f"{shortened(ast.unparse(node))} is neither a number nor a known name"
        ) from None


def find_function(name: str) -> Any:
    """Returns the function called ``name``: "hex.two_distance" of a game, or "module.function"."""
    known = named_functions()
    if name in known:
        return known[name]
    found = _imported(name)
    if found is None:
        raise ValueError(
            f"no function {shortened(name)}; {_suggest(name, known)}heuristics: {', '.join(known)}"
        )
    return found


def _imported(name: str) -> Any:
    """Returns what a module calls so, as in "module.function"; None if there is none.

    ValueError if the module itself cannot be imported.
    """
    module, _, attribute = name.rpartition(".")
    if not all(part.isidentifier() for part in module.split(".")):
        return None
    try:
        return getattr(load_module(module), attribute, None)
    except ModuleNotFoundError:
        return None


def _file_hint(text: str) -> str:
    """Returns what was meant, if there is a file or a folder of this name; else ""."""
    if os.path.isfile(f"{text}.py"):
        return f"did you mean the file {text}.py? "
    return f"{text} is a folder: name a file in it. " if os.path.isdir(text) else ""


def _suggest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]!r}? " if close else ""
