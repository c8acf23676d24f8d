"""Agents that cannot play a game at all are refused before the first game.

Each chooses once at the start, in a worker, within the time that it has to get ready. Who raises
TypeError or ValueError there, as agents do that are for another game or size, who lacks a library
or a program, cannot play. Whatever else goes wrong, hanging and dying included, is no refusal: it
loses games, and the tournament goes on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from adv_envs import CHANCE, IllegalMove, Position
from agents.program import EngineError

from .plan import Plan, named


class CannotPlay(ValueError):
    """An agent cannot play this game at all; ``why`` is what it says itself."""

    def __init__(self, agent: str, start: Position, why: str) -> None:
        super().__init__(f"{agent} cannot play {named(start)}: {why}")
        self.agent, self.why = agent, why


class Trial(Protocol):
    """Who can have an agent choose at the start."""

    def try_out(self, agent: int) -> str:
        """What agent number ``agent`` of the plan refuses the game with, or ""."""


def require_players(plan: Plan, trial: Trial, agents: Sequence[int]) -> None:
    """CannotPlay for the first of these agents, by number, that cannot."""
    tried: set[str] = set()
    for number in agents:
        name = repr(plan.agents[number])
        why = "" if name in tried else trial.try_out(number)
        if why:
            raise CannotPlay(name, plan.start, why)
        tried.add(name)


def first_decision(start: Position) -> Position:
    """The start, after dice that somebody else has to throw before."""
    rng = random.Random(0)
    while start.to_move == CHANCE and not start.is_terminal():
        actions = range(start.num_actions)
        start = start.play(rng.choices(actions, [start.probability(a) for a in actions])[0])
    return start


def refusal(error: BaseException) -> str:
    """What is wrong, if this error says that the agent cannot play at all; otherwise ""."""
    missing = isinstance(error, EngineError) and isinstance(error.__cause__, OSError)
    unfit = isinstance(error, TypeError | ValueError | ImportError)
    wrong_move = isinstance(error, IllegalMove)
    return str(error) or type(error).__name__ if missing or (unfit and not wrong_move) else ""
