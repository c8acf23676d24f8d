"""Loads the file of a student, in its own process, and finds the agent that is in it.

There are three forms: a function ``agent(position)``, a class with ``act(position)``, and a
textbook's player ``f(game, state)``.
"""

from __future__ import annotations

import inspect
import linecache
import os
import random
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from adv_envs import IllegalMove, Position, aima

from .agent import clean
from .faults import NotASubmission

EXPECTED = "a function agent(position), a class with act(position), or a function f(game, state)"
"""What a file is to have."""

MOST_NAMES = 12
"""Names of a file that an error lists."""


class StudentCode:
    """Holds a file that was run, and the agent in it.

    Raises what running it raises, and NotASubmission where no agent is found.
    """

    def __init__(self, file: Path, source: bytes) -> None:
        """Writes the ``source`` to ``file``, and runs it as a module."""
        file.write_bytes(source)
        self.file, name = file, re.sub(r"\W", "_", file.stem, flags=re.ASCII)
        self.module = ModuleType(f"submission_{name}")
        self.module.__file__ = str(file)
        sys.modules[self.module.__name__] = self.module
        lines = [f"{line}\n" for line in source.decode("utf-8", "replace").split("\n")]
        linecache.cache[str(file)] = len(source), None, lines, str(file)  # whatever becomes of it
        exec(compile(source, str(file), "exec"), vars(self.module))
        self.form, self.player = find_player(self.module, file.name)

    def reset(self, seed: int | None) -> None:
        """Resets the agent, and Python's and NumPy's own generators, which students draw from."""
        seed_generators(seed)
        self.player.reset(seed)

    def error_text(self, error: BaseException) -> str:
        """Returns the traceback of an error, from the student's own file on."""
        return error_text(error, self.file)

    def place(self, error: BaseException) -> str:
        """Returns where in the file an error was raised, such as " (alice.py, line 3)"."""
        return place_in(error, self.file)

    def function(self, name: str) -> Callable[..., Any]:
        """Returns the function of the file that has this name; AttributeError lists others."""
        found: Any = self.module
        for part in name.split("."):
            found = getattr(found, part, None)
        if not callable(found):
            known = ", ".join(_names(self.module)) or "nothing"
            raise AttributeError(f"there is no function {name} in the file; it has {known}")
        return found  # type: ignore[no-any-return]  # it is callable


def seed_generators(seed: int | None) -> None:
    """Seeds Python's own generator of random numbers, and NumPy's if that is loaded."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(None if seed is None else seed % 2**32)


# ---- errors


def error_text(error: BaseException, file: Path) -> str:
    """Returns an error as Python prints it, without what led to ``file``.

    Neither frames of this package are in it, nor the folders of Python.
    """
    try:
        found = traceback.TracebackException.from_exception(error, compact=True)
        _keep_from(found, str(file))
        text = "".join(found.format())
    except Exception as other:  # an error of the student's own class may fail to say what it is
        return f"{type(error).__name__} (its message fails: {type(other).__name__})\n"
    for folder in (file.parent, Path(sys.prefix), Path(sys.base_prefix)):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def _keep_from(found: traceback.TracebackException, file: str) -> None:
    """Removes the frames before the first one of ``file``, and those of this package, ever."""
    own = str(Path(__file__).parent)
    frames = [frame for frame in found.stack if not frame.filename.startswith(own)]
    places = [i for i, frame in enumerate(frames) if frame.filename == file]
    first = places[0] if places else len(frames)
    found.stack = traceback.StackSummary.from_list(frames[first:])
    for other in (found.__cause__, found.__context__):
        if other is not None:
            _keep_from(other, file)


def place_in(error: BaseException, file: Path) -> str:
    """Returns the name of a file and the last of its lines in an error's traceback, or ""."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [number for frame, number in frames if frame.f_code.co_filename == str(file)]
    return f" ({file.name}, line {lines[-1]})" if lines else ""


def load_error(error: BaseException, file: Path) -> str:
    """Returns why a file did not load: its own traceback, or what is missing in it."""
    if isinstance(error, NotASubmission):
        return str(error)
    text = error_text(error, file)
    if isinstance(error, ModuleNotFoundError):
        text += "A submission is one file: modules beside it are not imported.\n"
    return text


# ---- which agent is in a file


class FunctionPlayer:
    """Plays by a function of a position."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.timed = parameters_of(function).get("seconds")

    def answer(self, position: Position, seconds: float | None) -> Any:
        """Returns what the function returns."""
        return self.function(position, **told(self.timed, seconds))

    def reset(self, seed: int | None) -> None:
        """Does nothing: a function has no reset."""


class ObjectPlayer:
    """Plays by an object with ``act(position)``, and ``reset(seed)`` if it has that."""

    def __init__(self, player: Any) -> None:
        self.player = player

    def answer(self, position: Position, seconds: float | None) -> Any:
        """Returns what its ``act`` returns."""
        if seconds is not None and hasattr(self.player, "seconds"):
            self.player.seconds = seconds
        timed = parameters_of(self.player.act).get("seconds")
        return self.player.act(position, **told(timed, seconds))

    def reset(self, seed: int | None) -> None:
        """Resets the object, with the seed if its ``reset`` takes one."""
        reset = getattr(self.player, "reset", None)
        if callable(reset):
            reset(*[seed][: len(positional(reset))])


class TextbookPlayer:
    """Plays by a function of the textbook's game and state, which answers with a move of these.

    A search that answers with a value and a move, as the textbook's do, is understood.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.timed = parameters_of(function).get("seconds")
        self._games: dict[Position, aima.Game] = {}

    def answer(self, position: Position, seconds: float | None) -> Any:
        """Returns the number of the move that the function returns."""
        start = position.start()
        if start not in self._games:
            kind = aima.StochasticGame if start.has_chance else aima.Game
            self._games[start] = kind(start)
        game = self._games[start]
        state = type(game.initial)(position)
        move = self.function(game, state, **told(self.timed, seconds))
        return action_of(state, move)

    def reset(self, seed: int | None) -> None:
        """Forgets games of before."""
        self._games.clear()


def action_of(state: aima.State, move: Any) -> int:
    """Returns a move of the textbook, or the second of a value and a move, as our action."""
    try:
        return state.action(move)
    except (IllegalMove, TypeError):
        if isinstance(move, tuple) and len(move) == 2:
            with suppress(IllegalMove, TypeError):
                return state.action(move[1])
        raise


def told(timed: inspect.Parameter | None, seconds: float | None) -> dict[str, Any]:
    """Returns the keyword argument for a function that wants to know its time.

    Where there is no limit, a parameter that has a default keeps it.
    """
    if timed is None or (seconds is None and timed.default is not timed.empty):
        return {}
    return {"seconds": seconds}


Player = FunctionPlayer | ObjectPlayer | TextbookPlayer


def find_player(module: ModuleType, file: str) -> tuple[str, Player]:
    """Returns the form of the agent in a file that was run, and the agent; or NotASubmission."""
    named = getattr(module, "agent", None)
    if isinstance(named, type):
        return f"class {named.__name__}", ObjectPlayer(made(named))
    if callable(getattr(named, "act", None)):
        return "agent, an object with act(position)", ObjectPlayer(named)
    if callable(named):
        return player_of_function(named, "agent")
    classes, players = _classes(module), _textbook_functions(module)
    if len(classes) == 1:
        return f"class {classes[0].__name__}", ObjectPlayer(made(classes[0]))
    if classes:
        names = ", ".join(each.__name__ for each in classes)
        raise NotASubmission(f"{file} has several agents, {names}: call the one that plays agent")
    if len(players) == 1:
        return player_of_function(players[0], players[0].__name__)
    if players:
        names = ", ".join(each.__name__ for each in players)
        raise NotASubmission(f"{file} has several players, {names}: call the one that plays agent")
    found = ", ".join(_names(module)) or "nothing"
    raise NotASubmission(f"{file} has no agent: {EXPECTED} is needed; it has {found}")


def player_of_function(function: Callable[..., Any], name: str) -> tuple[str, Player]:
    """Returns the form and the player of a function; NotASubmission for a wrong signature."""
    require_plain(function, name)
    needed = [each for each in positional(function) if each.default is each.empty]
    names = [each.name for each in needed if each.name != "seconds"]
    names += [
        each.name
        for each in parameters_of(function).values()
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty and each.name != "seconds"
    ]
    if names[:2] == ["game", "state"] and len(names) == 2:
        return f"{name}(game, state)", TextbookPlayer(function)
    if len(names) > 1 or not (names or positional(function) or takes_any(function)):
        said = f"{name}{_signature(function)}"
        raise NotASubmission(
            f"{said} cannot be asked: it is called with the position alone, {name}(position), and "
            f"with seconds=... if it has that parameter; or with the textbook's (game, state)"
        )
    return f"{name}(position)", FunctionPlayer(function)


def require_plain(function: Callable[..., Any], name: str) -> None:
    """Raises NotASubmission for a function whose call returns no move: with yield, or async."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise NotASubmission(f"{name} has yield in it: it must return one move")
    if inspect.iscoroutinefunction(function):
        raise NotASubmission(f"{name} is written async def: it must be a function, with def alone")


def made(cls: type) -> Any:
    """Returns an object of a class, which must need no arguments; else NotASubmission."""
    if not callable(getattr(cls, "act", None)):
        raise NotASubmission(f"the class {cls.__name__} has no method act(position)")
    require_plain(cls.act, f"act of the class {cls.__name__}")  # type: ignore[attr-defined]
    needed = [each for each in positional(cls) if each.default is each.empty]
    names = [each.name for each in needed if each.name != "seconds"]
    if names:
        said = ", ".join(names)
        raise NotASubmission(
            f"the class {cls.__name__} needs {said} to be made: give each a default"
        )
    return cls(**({"seconds": None} if needed else {}))


def parameters_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Returns the parameters by name; none of what does not tell."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Returns the parameters that can be given by place."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each for each in parameters_of(function).values() if each.kind in kinds]


def takes_any(function: Callable[..., Any]) -> bool:
    """Returns whether a function takes any arguments, or does not tell which."""
    try:
        each = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(parameter.kind is parameter.VAR_POSITIONAL for parameter in each)


def _signature(function: Callable[..., Any]) -> str:
    with suppress(TypeError, ValueError):
        return clean(str(inspect.signature(function)), 200)
    return "(...)"


def _own(module: ModuleType, kind: type) -> list[Any]:
    """Returns the classes or functions that a file defines itself, without private ones."""
    own = [value for name, value in vars(module).items() if not name.startswith("_")]
    found = [v for v in own if isinstance(v, kind) and v.__module__ == module.__name__]
    return list(dict.fromkeys(found))


def _classes(module: ModuleType) -> list[type]:
    """Returns the classes with ``act`` from which no other of them is derived."""
    found = [each for each in _own(module, type) if callable(getattr(each, "act", None))]
    return [one for one in found if not any(o is not one and issubclass(o, one) for o in found)]


def _textbook_functions(module: ModuleType) -> list[Callable[..., Any]]:
    """Returns the functions of a game and a state; those called players, if there are such."""
    found = []
    for function in _own(module, FunctionType):
        needed = [each.name for each in positional(function) if each.default is each.empty]
        if needed[:2] == ["game", "state"] and set(needed[2:]) <= {"seconds"}:
            found.append(function)
    players = [each for each in found if re.search("player|agent", each.__name__)]
    return players or found


def _names(module: ModuleType) -> list[str]:
    """Returns what a file defines, as an error lists it."""
    functions = [f"{f.__name__}{_signature(f)}" for f in _own(module, FunctionType)]
    classes = [f"class {cls.__name__}" for cls in _own(module, type)]
    found = functions + classes
    return [*found[:MOST_NAMES], *(["..."] if len(found) > MOST_NAMES else [])]
