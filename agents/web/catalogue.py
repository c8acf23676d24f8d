"""What there is to choose for a game: its parameters, and the agents that play it."""

from __future__ import annotations

from typing import Any

from adv_envs.registry import game, parameters_of
from agents.describe import summary
from agents.knowledge import knowledge_of
from agents.suitable import suitable_analyst, suitable_opponent


def catalogue(name: str) -> dict[str, Any]:
    """The choices for a game, as plain data for JSON; ValueError if there is no such game."""
    start = game(name)()
    knowledge = knowledge_of(start)
    return {
        "game": name,
        "summary": summary(type(start)),
        "players": start.num_players,
        "parameters": parameters_of(start),
        "opponent": suitable_opponent(start),
        "analyst": suitable_analyst(start),
        "agents": dict(knowledge.rungs),
        "chance": start.has_chance,
        "evaluations": [f"{name}.{evaluation}" for evaluation in knowledge.evaluations],
    }
