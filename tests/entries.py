"""Tries positions that no game can have at every public entry, in a process of its own.

``python tests/entries.py`` prints a line for each entry that took one, or raised what is
neither TypeError nor ValueError. Each entry is named on the error stream before it is called, so
that what ends the process is known, too.

Entries are found: functions and classes in ``__all__`` of every module that have a parameter for
positions, the methods of these classes, and the functions that can be named in the spec of an
agent. What needs no check stands in ``TRUSTED``, each with its reason; what is new, and neither
refuses such positions nor stands there, makes ``test_entries.py`` fail.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import random
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import adv_envs
import agents
from adv_envs import GAMES, DarkHex, DotsAndBoxes, Kuhn, Position
from adv_envs.position import checked
from agents.games.connect_four import Book
from agents.games.phantom import AttemptPolicy
from agents.grading import exact_for
from agents.knowledge import named_functions
from agents.mcts import SearchTree

Entry = Callable[[Any], Any]
"""A call with a position."""

PARAMETERS = {"position", "positions", "start", "here", "first"}
"""Names of parameters for positions, besides those that are annotated so."""

BY_CLASS = "looks at the class of a position, or chooses by the game"
RECORD = "a record of what others have found"
INSIDE = "a step of another entry, which checks"

TRUSTED = {
    "agents.arena.isolated": "a context, which checks where it is entered",
    "agents.classroom.Rubric": RECORD,
    "adv_envs.Picture": INSIDE,
    "agents.Random.probabilities_on_observations": "masks alone matter, not the start",
    "adv_envs.name_of": BY_CLASS,
    "adv_envs.register": BY_CLASS,
    "adv_envs.register_picture": BY_CLASS,
    "adv_envs.pictures.picture_of": BY_CLASS,
    "adv_envs.aima.State": "made at every node of a textbook search, in plain Python",
    "adv_envs.aima.BoardState": "made at every node of a textbook search, in plain Python",
    "adv_envs.formats.pgn.PgnGame": RECORD,
    "adv_envs.formats.pgn.supports": BY_CLASS,
    "adv_envs.formats.sgf.SgfGame": RECORD,
    "adv_envs.formats.sgf.supports": BY_CLASS,
    "adv_envs.testing.check_game": "says which law a position breaks, in plain Python first",
    "agents.Agent": "the base class, whose methods do nothing",
    "agents.SearchAgent": "the base class, whose methods do nothing",
    "agents.AlphaBeta.bindings": BY_CLASS,
    "agents.AlphaBeta.switches": BY_CLASS,
    "agents.Engine": "asks another program, which is not there",
    "agents.Game": RECORD,
    "agents.Human": "shows a position to a person, in plain Python",
    "agents.InformationSetMCTS.weight": BY_CLASS,
    "agents.LanguageModel": "asks a server, which is not there",
    "agents.League": INSIDE,
    "agents.MCTS.capacity": BY_CLASS,
    "agents.MCTS.kernel": BY_CLASS,
    "agents.MCTS.node_type": BY_CLASS,
    "agents.MCTS.settings": BY_CLASS,
    "agents.OthelloPlayer.phases": BY_CLASS,
    "agents.Perfect.solver": BY_CLASS,
    "agents.PlayerExchange": "rules of a game's own",
    "agents.ProofNumber.bindings": BY_CLASS,
    "agents.ProofNumber.new_table": BY_CLASS,
    "agents.Retrograde.move_kernels": BY_CLASS,
    "agents.Solution": RECORD,
    "agents.StrongestAgent.agent": BY_CLASS,
    "agents.Symmetries": "rules of a game's own",
    "agents.board_symmetries": "makes rules of a game's own",
    "agents.knowledge_of": BY_CLASS,
    "agents.register_knowledge": BY_CLASS,
    "agents.equilibrium.Losses": RECORD,
    "agents.equilibrium.PolicyAgent": "the base class, whose methods do nothing",
    "agents.equilibrium.TabularPolicy": "looks positions up in a tree, see GameTree.find",
    "agents.games.phantom.AttemptPolicy.place": INSIDE,
    "agents.grading.ExactValues": "the base class, whose methods do nothing: see exact_for",
    "agents.grading.GradedGame": RECORD,
    "agents.grading.HiddenReport": RECORD,
    "agents.grading.ItemCard": RECORD,
    "agents.grading.MoveGrader": "made by move_grader, which checks",
    "agents.grading.PositionSet": RECORD,
    "agents.grading.RecordCard": RECORD,
    "agents.grading.ReportCard": RECORD,
    "agents.grading.TestPosition": RECORD,
    "agents.grading.Twin": RECORD,
    "agents.InformationSetMCTS.new_arrays": "sizes what analysis fills, which checks",
    "agents.learning.GreedyPolicyAgent": "observes in plain Python",
    "agents.learning.GradeLog": "evaluates what grade() and Grader grade",
    "agents.learning.TianshouGradingCallback": INSIDE,
    "agents.learning.PastSelf": "asks a policy, which checks",
    "agents.mcts.SearchTree.set_root": "calls plant() or a kernel, which check",
}
"""Entries that need no check, and why."""


def impossible() -> list[Position]:
    """Positions that no game can have, some of every game."""
    return [position for position in damaged() if is_refused(position)]


def is_refused(position: Position) -> bool:
    """Whether the one function that checks positions refuses this one."""
    try:
        checked(position)
    except (TypeError, ValueError):
        return True
    return False


def damaged() -> Iterator[Position]:
    """Positions with a field that is negative, huge, of another type, or off the board."""
    for name in GAMES:
        start, rng = adv_envs.start_position(name), random.Random(name)
        for _ in range(4):
            if not start.is_terminal():
                start = start.play(rng.choice(start.legal_actions()))
        state = start.state_fields
        yield start._replace(**{state[0]: -7})
        yield start._replace(**{state[-1]: 1 << 40})
        yield start._replace(**{state[0]: np.int64(-7), state[-1]: "x"})
        for field in start.parameters:
            if type(getattr(start, field)) is int:
                yield start._replace(**{field: -3})
                yield start._replace(**{field: 1_000_000})
    yield DotsAndBoxes(3, 3, False, 0, 0, 0, 1 << 40)


def packages() -> Iterator[Any]:
    """The packages and modules that say what is public."""
    for package in (adv_envs, agents):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.rpartition(".")[2] != "__main__":
                try:
                    module = importlib.import_module(found.name)
                except ImportError:  # of an extra that is not installed
                    continue
                if hasattr(module, "__all__"):
                    yield module


def places_for_positions(function: Any) -> list[str]:
    """The parameters of a function that take positions."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        each.name
        for each in parameters
        if each.name in PARAMETERS or re.search(r"\bPosition\b", str(each.annotation))
    ]


def arguments(function: Any, position: Any) -> dict[str, Any]:
    """Arguments for a call with ``position``: for all parameters that have no default."""
    given: dict[str, Any] = {}
    chosen = places_for_positions(function)
    for name, each in inspect.signature(function).parameters.items():
        several = each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        if name in chosen:
            given[name] = [position] if name == "positions" else position
        elif each.default is each.empty and not several and name != "self":
            given[name] = OTHERS[name](position)
    return given


OTHERS: dict[str, Entry] = {
    "action": lambda position: 0,
    "form": lambda position: "grid",
    "reply": lambda position: "a1",
    "actions": lambda position: [0],
    "agent": lambda position: agents.make("random"),
    "agents": lambda position: ["random", "random"],
    "array": lambda position: np.zeros(1),
    "capacity": lambda position: 16,
    "dtype": lambda position: np.dtype([("width", np.int64), ("first", np.int64)]),
    "exact": lambda position: exact_for(adv_envs.TicTacToe()),
    "items": lambda position: [],
    "folder": lambda position: "never made",
    "function": lambda position: lambda view: {},
    "masks": lambda position: np.ones((1, 1), np.int8),
    "n": lambda position: 1,
    "name": lambda position: "a game",
    "observations": lambda position: np.zeros((1, 1), np.float32),
    "path": lambda position: "never written",
    "played": lambda position: 0,
    "player": lambda position: 0,
    "players": lambda position: [0] if position is None else ["random", "random"],
    "policy": lambda position: None,
    "second": lambda position: None,
    "submission": lambda position: agents.make("random"),
    "submissions": lambda position: [],
    "renaming": lambda position: None,
    "rng": lambda position: random.Random(0),
    "seed": lambda position: 0,
    "spec": lambda position: "analyst",
    "values": lambda position: {0: 1.0},
    "workspace": lambda position: np.zeros(1, np.int64),
}
"""Arguments beside positions, by the names of their parameters."""


def policy(position: Any) -> Any:
    """A policy that ships with the package."""
    return agents.make("policy(path='hex_5_alphazero')")


def begun_boards(position: Any) -> Any:
    """A batch of the game of a position that has begun, without compiling how it begins."""
    boards = adv_envs.Boards(type(position)(), 1)
    boards._begun = True
    return boards


INSTANCES: dict[str, Entry] = {
    "adv_envs.Boards": begun_boards,
    "adv_envs.GymEnv": lambda position: adv_envs.GymEnv(type(position)()),
    "agents.FunctionAgent": lambda position: agents.make(lambda position: 0),
    "agents.Policy": policy,
    "agents.classroom.Submission": lambda position: agents.make(__file__),
    "agents.equilibrium.GameTree": lambda position: agents.equilibrium.game_tree(Kuhn()),
    "agents.games.connect_four.Book": lambda position: Book(6, 7, 8, 8, np.zeros(1, np.int64)),
    "agents.games.phantom.AttemptPolicy": lambda position: AttemptPolicy.uniform(DarkHex(2), 0),
    "agents.mcts.SearchTree": lambda position: SearchTree.__new__(SearchTree),
}
"""How classes with more than positions are made for their methods to be called."""


def also() -> Iterator[tuple[str, Entry]]:
    """Entries that are no parameters."""

    def assigned(position: Any) -> None:
        env = adv_envs.Env(type(position)(), "a game")
        env.reset()
        env.position = position

    def reset(position: Any) -> None:
        adv_envs.Env(type(position)(), "a game").reset(options={"position": position})

    def reset_gym(position: Any) -> None:
        adv_envs.GymEnv(type(position)()).reset(options={"position": position})

    yield "adv_envs.Env.position", assigned
    yield "adv_envs.Env.reset", reset
    yield "adv_envs.GymEnv.reset", reset_gym
    yield "agents.grading.exact_for().move_values", move_values
    for name, function in named_functions().items():
        several = "action" in inspect.signature(function).parameters
        call = (lambda p, f=function: f(p, 0)) if several else function
        yield f"named_functions()[{name!r}]", call


def move_values(position: Any) -> Any:
    """The exact values of the moves of a game; of those that are listed, of one only."""
    start = type(position)()
    if agents.knowledge_of(start).exact_values is None:
        start = adv_envs.TicTacToe()
    return exact_for(start).move_values(position)


def entries() -> Iterator[tuple[str, Entry]]:
    """Every public entry for positions, by name: what calls it with one."""
    seen = set()
    for module in packages():
        for name in sorted(set(module.__all__)):
            try:
                value = getattr(module, name)
            except ImportError:  # of an extra that is not installed
                continue
            if id(value) not in seen and callable(value):
                seen.add(id(value))
                yield from entries_of(f"{module.__name__}.{name}", value)
    yield from also()


def entries_of(name: str, value: Any) -> Iterator[tuple[str, Entry]]:
    """The entries of a function, or of a class and its methods."""
    if not inspect.isclass(value):
        if places_for_positions(value):
            by_place = hasattr(value, "ready")  # a kernel
            yield (
                name,
                lambda position: (
                    value(*arguments(value, position).values())
                    if by_place
                    else value(**arguments(value, position))
                ),
            )
    elif not issubclass(value, Position):
        if places_for_positions(value):
            yield name, lambda position: value(**arguments(value, position))
        for member in dir(value):
            found = inspect.getattr_static(value, member)
            function = getattr(found, "__func__", found)
            own = not member.startswith("_") and not hasattr(tuple, member)
            if own and places_for_positions(function):
                yield f"{name}.{member}", method(name, value, member, found is function)


def method(name: str, cls: Any, member: str, of_instance: bool) -> Entry:
    """What calls a method of a new object of a class, or a class method."""

    def call(position: Any) -> Any:
        made = INSTANCES.get(name, lambda position: cls())(position) if of_instance else cls
        function = getattr(made, member)
        return function(**arguments(function, position))

    return call


def is_trusted(name: str) -> bool:
    """Whether an entry, or the class that it belongs to, stands in ``TRUSTED``."""
    return name in TRUSTED or name.rpartition(".")[0] in TRUSTED


def complaint(call: Entry, position: Any) -> str:
    """What is wrong with the way in which an entry treats an impossible position, or ""."""
    try:
        answer = call(position)
        if hasattr(answer, "__next__"):
            list(itertools.islice(answer, 3))
    except (TypeError, ValueError) as error:
        told = str(error)
        unasked = "positional argument" in told or "keyword" in told  # a wrong call of ours
        return f"cannot be called: {told}" if unasked else ""
    except Exception as error:  # what must not be, of any kind
        return repr(error)
    return f"took {position!r}"


def main() -> None:
    """Print every entry that treats some position wrongly."""
    tried, found = set(), impossible()
    for name, call in entries():
        tried.add(name)
        if is_trusted(name):
            continue
        print(name, file=sys.stderr, flush=True)
        wrong = next(filter(None, (complaint(call, position) for position in found)), "")
        if wrong:
            print(f"{name}: {wrong[:300]}", flush=True)
    for name in TRUSTED:
        if not any(each == name or each.startswith(f"{name}.") for each in tried):
            print(f"{name}: is trusted, but is no entry")
    print(f"{len(found)} positions at {len(tried)} entries", file=sys.stderr)


if __name__ == "__main__":
    main()
