"""The parameters of an agent as other programs show and set them: numbers, truths, and None."""

from __future__ import annotations

import ast
import dataclasses

import agents

Value = bool | int | float | None


def parameters_of_agent(agent: agents.Agent) -> dict[str, Value]:
    """The parameters whose values can be typed, by name."""
    values = {f.name: getattr(agent, f.name) for f in dataclasses.fields(agent) if f.init}
    return {name: value for name, value in values.items() if isinstance(value, Value)}


def parameter(agent: agents.Agent, name: str) -> Value:
    """The value of a parameter; ValueError, which lists those there are, for an unknown one."""
    known = parameters_of_agent(agent)
    if name not in known:
        raise ValueError(f"no parameter {name!r}; parameters: {', '.join(known) or 'none'}")
    return known[name]


def with_parameter(agent: agents.Agent, name: str, text: str) -> agents.Agent:
    """The agent with another value, typed as text; ValueError says what is wrong with it."""
    truth = isinstance(parameter(agent, name), bool)
    try:
        value = ast.literal_eval(text.capitalize() if truth else text)
        return dataclasses.replace(agent, **{name: bool(value) if truth else value})
    except (ValueError, TypeError, SyntaxError) as error:
        raise ValueError(f"{name} cannot be {text}: {error}") from None
