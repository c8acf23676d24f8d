"""Failures of agents: those that lose a game, and incompatibility with a game.

An agent that raises TypeError or ValueError at its first decision, as agents for another game or
size do, or that lacks a library or a program, cannot play: it is refused before anything begins.
Every other failure, hanging and dying included, loses the agent that game, on record.
"""

from __future__ import annotations

import dataclasses
import random

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.random import chance_action
from adv_envs.registry import name_of_class, title

from .agent import Agent
from .human import Human
from .knowledge import named_functions
from .protocols.process import EngineError
from .results import label

FAILURES = Exception, SystemExit
"""Exceptions by which an agent loses its game. Ctrl-C is not one of them."""

LONGEST_MESSAGE = 2000
"""Characters that are kept of the message of an error."""


class IllegalAction(IllegalMove):
    """An agent's answer was not a legal action."""


class Forfeit(Exception):
    """An agent that plays in another process loses its game."""

    def __init__(self, fault: str, why: str, incompatible: str = "") -> None:
        super().__init__(why)
        self.fault = fault
        """See ``Game.fault``."""
        self.why = why
        self.incompatible = incompatible
        """What is wrong if it cannot play this game at all; otherwise ""."""


def fault_of(error: BaseException) -> str:
    """The kind of failure in a word: see ``Game.fault``."""
    if isinstance(error, Forfeit):
        return error.fault
    if isinstance(error, IllegalMove):
        return "illegal"
    return "time" if isinstance(error, TimeoutError) else "crash"


def describe(error: BaseException) -> str:
    """The error in a line, as a traceback ends; a long message is cut."""
    if isinstance(error, Forfeit):
        return error.why
    return f"{type(error).__name__}: {message_of(error)}"


def message_of(error: BaseException) -> str:
    """What an error says, as text that can be stored; a long message is cut."""
    try:
        text = str(error)
    except Exception as other:
        return f"(its message fails: {type(other).__name__})"
    if len(text) > LONGEST_MESSAGE:
        text = f"{text[:LONGEST_MESSAGE]}... ({len(text)} characters)"
    return text.encode("utf-8", "backslashreplace").decode()


# ---- agents that cannot play a game


class CannotPlay(ValueError):
    """An agent cannot play this game at all; ``why`` is what it says itself."""

    def __init__(self, agent: str, game: str, why: str) -> None:
        super().__init__(f"{agent} cannot play {game}: {why}")
        self.agent, self.why = agent, why


def require_player(agent: Agent, start: Position) -> None:
    """Raise CannotPlay if ``agent`` cannot choose an action at the start; people are not asked."""
    if isinstance(agent, Human):
        return
    try:
        agent.reset(0)
        first = first_decision(start)
        agent.act(first.hidden(first.to_move))
    except FAILURES as error:
        if why := incompatibility(error) or foreign_function(agent, start):
            raise CannotPlay(label(agent), title(start), why) from error


def foreign_function(agent: Agent, start: Position) -> str:
    """Says which parameter of ``agent`` is a function of another game; "" if there is none."""
    games = {name_of_class(base) for base in type(start).__mro__ if issubclass(base, Position)}
    for field in dataclasses.fields(agent):
        for name, function in named_functions().items():
            owner = name.partition(".")[0]
            if getattr(agent, field.name) is function and owner not in games:
                return f"{field.name}={name} is for {owner}"
    return ""


def first_decision(start: Position) -> Position:
    """The first position from ``start`` on at which a player is to move; dice are thrown."""
    rng = random.Random(0)
    while start.to_move == CHANCE and not start.is_terminal():
        start = start.play(chance_action(start, rng.random()))
    return start


def incompatibility(error: BaseException) -> str:
    """What is wrong, if this error says that the agent cannot play at all; otherwise ""."""
    if isinstance(error, Forfeit):
        return error.incompatible
    missing = isinstance(error, EngineError) and isinstance(error.__cause__, OSError)
    unfit = isinstance(error, TypeError | ValueError | ImportError)
    wrong_move = isinstance(error, IllegalMove)
    if missing or (unfit and not wrong_move):
        return message_of(error) or type(error).__name__
    return ""
