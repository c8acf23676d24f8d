"""What each move is worth, as far as a search can say."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import agents
from adv_envs.position import CHANCE, Position


class Worth(NamedTuple):
    """What a move is worth to the player to move."""

    value: float
    proven: bool


def on_one_scale(values: dict[int, Worth]) -> dict[int, float]:
    """Values to be compared and drawn: beside mere evaluations, decided games are infinite."""
    estimates = [worth.value for worth in values.values() if not worth.proven]
    if not any(estimates):
        return {action: worth.value for action, worth in values.items()}
    return {
        action: math.copysign(math.inf, worth.value)
        if worth.proven and worth.value
        else worth.value
        for action, worth in values.items()
    }


def told(result: agents.SearchResult) -> dict[int, Worth]:
    """What a search says about each move; those as good as a best one that is proven are too."""
    return {a: Worth(v, result.proven and v == result.value) for a, v in result.values.items()}


def move_values(
    agent: agents.SearchAgent, position: Position, found: agents.SearchResult
) -> dict[int, Worth]:
    """What each move is worth: what the search told, or the agent does, or a search below each."""
    actions = position.legal_actions()
    if len(found.values) == len(actions):
        return told(found)
    own = type(agent).values is not agents.SearchAgent.values
    if own and (getattr(agent, "evaluate", None) is None or position.num_players != 2):
        return {a: Worth(value, found.proven) for a, value in agent.values(position).items()}
    if position.num_players != 2:
        return told(found)
    part, values = in_parts(agent, len(actions)), told(found)
    part.reset(0)
    for action in actions:
        if action not in values:
            values[action] = limited(below(part, position, action), found)
    return {**values, found.action: Worth(found.value, found.proven)}


def below(agent: agents.SearchAgent, position: Position, action: int) -> Worth:
    """What a move is worth, by a search of the position that it leads to."""
    child = position.play(action)
    if child.is_terminal():
        return Worth(float(child.utility(position.to_move)), True)
    if child.to_move == CHANCE:  # where values are player 0's
        return Worth(agent.value(child) * (1 - 2 * position.to_move) + 0.0, False)
    result = agent.analyse(child)
    sign = 1 if child.to_move == position.to_move else -1
    return Worth(sign * result.value + 0.0, result.proven)


def limited(worth: Worth, found: agents.SearchResult) -> Worth:
    """No move is worth more than the one that the deeper search of them all found to be best."""
    if worth.proven or (found.proven and found.value > 0):
        return worth
    if found.proven and found.value < 0:
        return Worth(found.value, True)
    return Worth(min(worth.value, found.value), False)


def in_parts(agent: agents.SearchAgent, parts: int) -> agents.SearchAgent:
    """The agent with a part of its time for each move, and a ply less to look ahead."""
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
