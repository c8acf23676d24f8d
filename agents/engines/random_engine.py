"""Makes engines play at random, as ``agents.simple.Random`` does: that needs no kernels."""

from __future__ import annotations

from typing import Any

from adv_envs import Position
from agents.simple import Random

NAME = "random"


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays as ``agent`` does; None unless it plays at random."""
    return {} if type(agent) is Random else None


def exports(agent: Random, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns no kernels."""
    return {}
