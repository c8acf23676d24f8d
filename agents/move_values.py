"""The value of every move of a position, as far as a search can say."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from adv_envs import CHANCE, Position

from .agent import SearchAgent, SearchResult


class FoundValue(NamedTuple):
    """The value of a move for the player to move, as far as a search can say."""

    value: float
    proven: bool


def on_one_scale(values: Mapping[int, FoundValue]) -> dict[int, float]:
    """Values to compare and draw: beside mere evaluations, games won or lost are infinite."""
    estimates = [found.value for found in values.values() if not found.proven]
    if not any(estimates):
        return {action: found.value for action, found in values.items()}
    return {
        action: math.copysign(math.inf, found.value)
        if found.proven and found.value
        else found.value
        for action, found in values.items()
    }


def values_in(result: SearchResult) -> dict[int, FoundValue]:
    """The values in a search's result; those equal to a proven best one are proven as well."""
    return {a: FoundValue(v, result.proven and v == result.value) for a, v in result.values.items()}


def move_values(
    agent: SearchAgent, position: Position, found: SearchResult
) -> dict[int, FoundValue]:
    """The value of every move: from the result, from the agent, or from a search below each."""
    actions = position.legal_actions()
    if len(found.values) == len(actions):
        return values_in(found)
    own = type(agent).values is not SearchAgent.values
    if own and (getattr(agent, "evaluate", None) is None or position.num_players != 2):
        return {a: FoundValue(v, found.proven) for a, v in agent.values(position).items()}
    if position.num_players != 2:
        return values_in(found)
    part, values = in_parts(agent, len(actions)), values_in(found)
    part.reset(0)
    for action in actions:
        if action not in values:
            values[action] = limited(value_below(part, position, action), found)
    return {**values, found.action: FoundValue(found.value, found.proven)}


def value_below(agent: SearchAgent, position: Position, action: int) -> FoundValue:
    """The value of a move, by a search of the position after it."""
    child = position.play(action)
    if child.is_terminal():
        return FoundValue(float(child.utility(position.to_move)), True)
    if child.to_move == CHANCE:  # where values are player 0's
        return FoundValue(agent.value(child) * (1 - 2 * position.to_move) + 0.0, False)
    result = agent.analyse(child)
    sign = 1 if child.to_move == position.to_move else -1
    return FoundValue(sign * result.value + 0.0, result.proven)


def limited(move: FoundValue, found: SearchResult) -> FoundValue:
    """A move's value, which is not above that of the deeper search of all moves."""
    if move.proven or (found.proven and found.value > 0):
        return move
    if found.proven and found.value < 0:
        return FoundValue(found.value, True)
    return FoundValue(min(move.value, found.value), False)


def in_parts(agent: SearchAgent, parts: int) -> SearchAgent:
    """The agent with a part of its limits for each move, and one ply less of depth."""
    limits: dict[str, Any] = {}
    for field in dataclasses.fields(agent):
        value = getattr(agent, field.name)
        if field.name == "depth" and value is not None:
            limits["depth"] = max(value - 1, 1)
        elif field.name == "seconds" and value is not None:
            limits["seconds"] = value / parts
        elif field.name in ("nodes", "simulations") and value is not None:
            limits[field.name] = max(value // parts, 1)
    return dataclasses.replace(agent, **limits)
