"""Defines failures of agents: those that lose a game, and incompatibility with a game.

An agent that raises TypeError or ValueError at its first decision, as agents for another game or
size do, or that lacks a library or a program, cannot play: it is refused before anything begins.
Every other failure, hanging and dying included, loses the agent that game, on record.
"""

from __future__ import annotations

import dataclasses
import operator
import random
from typing import Any

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.random import chance_action
from adv_envs.registry import name_of_class, title

from .agent import Agent, clean, label
from .knowledge import named_functions
from .simple import Human

FAILURES = Exception, SystemExit
"""Exceptions by which an agent loses its game. Ctrl-C is not one of them."""

FAULTS = "illegal", "crash", "time", "resigned"
"""How an agent may lose a game early: see ``Game.fault``."""


class IllegalAction(IllegalMove):
    """Says that an agent's answer was not a legal action."""


class Forfeit(Exception):
    """Says that an agent that plays in another process loses its game."""

    def __init__(self, fault: str, why: str, incompatible: str = "") -> None:
        super().__init__(why)
        self.fault = fault
        """One of ``FAULTS``."""
        self.why = why
        self.incompatible = incompatible
        """What is wrong if it cannot play this game at all; otherwise ""."""
        self.ended: float | None = None
        """Until when it was waited for, by ``perf_counter``, if it was stopped then."""


class NotASubmission(ValueError):
    """Says that a file of Python has no agent in it, or more than one."""


class NobodyToBlame(BaseException):
    """Says that a process was ended from outside during a game, which is played again.

    It is no Exception, so that it does not pass for a failure of an agent.
    """

    def __init__(self, why: str, final: bool = False) -> None:
        super().__init__(why)
        self.final = final
        """Whether this has happened so often that the game is not played again."""


def fault_of(error: BaseException) -> str:
    """Returns the failure of an agent for anything it raises, one word of ``FAULTS``."""
    if isinstance(error, Forfeit):
        fault = vars(error).get("fault")
        return fault if type(fault) is str and fault in FAULTS else "crash"
    if isinstance(error, IllegalMove):
        return "illegal"
    return "time" if isinstance(error, TimeoutError) else "crash"


def describe(error: BaseException) -> str:
    """Returns the error in a line, as a traceback ends; a long message is cut."""
    if isinstance(error, Forfeit):
        return clean(vars(error).get("why"))
    return clean(f"{type(error).__name__}: {message_of(error)}".removesuffix(": "))


def message_of(error: BaseException) -> str:
    """Returns what an error says, as text that can be stored; a long message is cut."""
    try:
        return clean(str(error))
    except Exception as other:
        return f"(its message fails: {clean(type(other).__name__)})"


def to_action(answer: Any) -> int:
    """Returns an agent's answer as an integer; IllegalAction if it is not one."""
    try:
        action = operator.index(answer)
    except TypeError:
        raise IllegalAction(f"{answer!r} is not a legal action") from None
    if not -(2**63) <= action < 2**63:
        raise IllegalAction("an integer of more than 64 bits is not a legal action")
    return action


# ---- agents that cannot play a game


class CannotPlay(ValueError):
    """Says that an agent cannot play this game at all; ``why`` is what it says itself."""

    def __init__(self, agent: str, game: str, why: str) -> None:
        super().__init__(f"{agent} cannot play {game}: {why}")
        self.agent, self.why = agent, why


def require_player(agent: Agent, start: Position, in_time: bool = False) -> None:
    """Raises CannotPlay if ``agent`` cannot be prepared for the game; people are not asked.

    With ``in_time`` a search with a limit of time compiles in the background.
    """
    if isinstance(agent, Human):
        return
    try:
        agent.reset(0)
        first = first_decision(start)
        in_time = in_time and type(agent).prepare is Agent.prepare
        (agent.act if in_time else agent.prepare)(first.hidden(first.to_move))
    except FAILURES as error:
        if why := incompatibility(error) or foreign_function(agent, start):
            raise CannotPlay(label(agent), title(start), why) from error


def foreign_function(agent: Agent, start: Position) -> str:
    """Says which parameter of ``agent`` is a function of another game; "" if there is none."""
    games = {name_of_class(base) for base in type(start).__mro__ if issubclass(base, Position)}
    for field in dataclasses.fields(agent):
        value = getattr(agent, field.name)
        names = [name for name, function in named_functions().items() if value is function]
        owners = [name.partition(".")[0] for name in names]
        if names and games.isdisjoint(owners):
            return f"{field.name}={names[0]} is for {' and '.join(owners)}"
    return ""


def first_decision(start: Position) -> Position:
    """Returns the first position from ``start`` where a player is to move; dice are thrown."""
    rng = random.Random(0)
    while start.to_move == CHANCE and not start.is_terminal():
        start = start.play(chance_action(start, rng.random()))
    return start


def incompatibility(error: BaseException) -> str:
    """Returns what is wrong, if this error says that the agent cannot play at all; otherwise ""."""
    if isinstance(error, Forfeit):
        why = vars(error).get("incompatible")
        return clean(why) if why else ""
    unfit = isinstance(error, TypeError | ValueError | ImportError)
    if unfit and not isinstance(error, IllegalMove):
        return message_of(error) or type(error).__name__
    return ""


def ask(agent: Agent, position: Position) -> int:
    """Returns the action of the agent to move, by its view; IllegalAction if not legal."""
    position = position.hidden(position.to_move)
    return legal_action(position, agent.act(position))


def legal_action(position: Position, answer: Any) -> int:
    """Returns an answer as an integer; IllegalAction unless it is a legal action."""
    action = to_action(answer)
    if not position.legal(action):
        raise IllegalAction(f"{action} is not a legal action")
    return action
