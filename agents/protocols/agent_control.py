"""Sets what programs that control an agent may set: its parameters, and its time for a move."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import sys
from collections.abc import Callable, Iterator

import agents
from adv_envs.literals import literal

Value = bool | int | float | None
"""What can be typed as the value of a parameter."""

MARGIN = 0.05
"""Seconds kept in reserve in every move, for everything but the search."""

LEAST = 0.01
"""The shortest time to think, in seconds, even when the clock is about to run out."""


def parameters_of_agent(agent: agents.Agent) -> dict[str, Value]:
    """Returns the parameters whose values can be typed, by name."""
    values = {f.name: getattr(agent, f.name) for f in dataclasses.fields(agent) if f.init}
    return {name: value for name, value in values.items() if isinstance(value, Value)}


def parameter(agent: agents.Agent, name: str) -> Value:
    """Returns a parameter's value; ValueError, which lists those there are, if it is unknown."""
    known = parameters_of_agent(agent)
    if name not in known:
        raise ValueError(f"no parameter {name!r}; parameters: {', '.join(known) or 'none'}")
    return known[name]


def with_parameter(agent: agents.Agent, name: str, text: str) -> agents.Agent:
    """Returns the agent with another value, typed as text; ValueError if it makes no sense."""
    truth = isinstance(parameter(agent, name), bool)
    try:
        value = literal(text.capitalize() if truth else text)
        if not isinstance(value, Value) or (truth and value not in (0, 1)):
            raise ValueError("a number is needed, or True, False or None")
        return dataclasses.replace(agent, **{name: bool(value) if truth else value})
    except (ValueError, TypeError) as error:
        raise ValueError(f"{name} cannot be {text[:80]}: {error}") from None


def share(seconds: float, moves: float) -> float:
    """Returns the seconds for the next of ``moves`` moves that are made in ``seconds``."""
    return max(min(seconds / moves, seconds) - MARGIN, LEAST)


@contextlib.contextmanager
def thinking_for(agent: agents.Agent, seconds: float | None, **more: int | None) -> Iterator[None]:
    """Limits ``agent`` to ``seconds`` within the context, if it has a parameter of that name.

    ``more`` are other parameters that limit a search, such as ``depth``. None is no limit, and the
    agent's own limits hold too. The parameters are set on the agent itself: a copy would lose the
    agent's search tables. What it prints goes to standard error, so that it is not taken for an
    answer.
    """
    limits = {"seconds": seconds, **more}
    limits = {k: v for k, v in limits.items() if v is not None and hasattr(agent, k)}
    own = {name: getattr(agent, name) for name in limits}
    try:
        for name, limit in limits.items():
            setattr(agent, name, limit if own[name] is None else min(limit, own[name]))
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        for name, value in own.items():
            setattr(agent, name, value)


@contextlib.contextmanager
def compiling_told(tell: Callable[[], None]) -> Iterator[None]:
    """Calls ``tell``, once, when something has to be compiled within the context."""

    class Notice(logging.Handler):
        """Calls it."""

        def emit(self, record: logging.LogRecord) -> None:
            if not told:
                told.append(True)
                tell()

    told: list[bool] = []
    log, notice = logging.getLogger("adv_envs.jit"), Notice()
    level = log.level
    log.addHandler(notice)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(notice)
        log.setLevel(level)
