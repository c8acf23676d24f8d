"""Agents that cannot play a game at all are refused before the first game.

Each chooses once at the start, in a worker, within the time that it has to get ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from adv_envs.registry import title
from agents.faults import CannotPlay

from .plan import Plan


class Trial(Protocol):
    """Who can have an agent choose at the start."""

    def try_out(self, agent: int) -> str:
        """What agent number ``agent`` of the plan refuses the game with, or ""."""


def require_players(plan: Plan, trial: Trial, agents: Sequence[int]) -> None:
    """CannotPlay for the first of these agents, by number, that cannot."""
    tried: set[str] = set()
    for number in agents:
        name = plan.entrants[number].spec
        why = "" if name in tried else trial.try_out(number)
        if why:
            raise CannotPlay(name, title(plan.start), why)
        tried.add(name)
