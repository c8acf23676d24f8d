"""Agents that cannot play a game at all, as other faults are told from that.

Who raises TypeError or ValueError at its first decision, as agents do that are for another game or
size, who lacks a library or a program, cannot play: it is refused before anything begins. Whatever
else goes wrong, hanging and dying included, is the agent's own fault, and on record.
"""

from __future__ import annotations

import random

from adv_envs import CHANCE, IllegalMove, Position

from .match import Forfeit, message_of
from .protocols.engine import EngineError


class CannotPlay(ValueError):
    """An agent cannot play this game at all; ``why`` is what it says itself."""

    def __init__(self, agent: str, game: str, why: str) -> None:
        super().__init__(f"{agent} cannot play {game}: {why}")
        self.agent, self.why = agent, why


def first_decision(start: Position) -> Position:
    """The start, after dice that somebody else has to throw before."""
    rng = random.Random(0)
    while start.to_move == CHANCE and not start.is_terminal():
        actions = range(start.num_actions)
        start = start.play(rng.choices(actions, [start.probability(a) for a in actions])[0])
    return start


def refusal(error: BaseException) -> str:
    """What is wrong, if this error says that the agent cannot play at all; otherwise ""."""
    if isinstance(error, Forfeit):
        return error.refusal
    missing = isinstance(error, EngineError) and isinstance(error.__cause__, OSError)
    unfit = isinstance(error, TypeError | ValueError | ImportError)
    wrong_move = isinstance(error, IllegalMove)
    if missing or (unfit and not wrong_move):
        return message_of(error) or type(error).__name__
    return ""
