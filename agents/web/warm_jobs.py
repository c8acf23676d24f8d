"""Compiling what an agent needs while the page opens, so that its first move comes at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.random import chance_action
from agents.agent import Agent, SearchAgent
from agents.match import ask
from agents.search.limits import Stopper
from agents.spec import Strong

from .allow_list import allowed_agent
from .situations import Situation

LONGEST = 20.0
"""Seconds after which a search that answers late is stopped; compiling goes on to its end."""


def warm(situation: Situation, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Compile what an agent needs in a game: {"compiling": True}, then {"ready": seconds}.

    "agent" is its spec. The kernels stay with the process, and on disk for the next one. An agent
    that cannot play the game with its parameters says so here.
    """
    agent = allowed_agent(options.get("agent"))
    yield {"compiling": True}
    began = time.monotonic()
    stopper = Stopper.active.stopper
    timer = threading.Timer(LONGEST, stopper.stop if stopper is not None else int)
    timer.daemon = True
    timer.start()
    try:
        search_a_little(agent, first_decision(situation.start))
    finally:
        timer.cancel()
    yield {"ready": time.monotonic() - began}


def first_decision(start: Position) -> Position:
    """The first position of a game, with some chance, in which a player is to move."""
    position = start
    while position.to_move == CHANCE and not position.is_terminal():
        position = position.play(chance_action(position, 0.5))
    return position


def search_a_little(agent: Agent, position: Position) -> None:
    """Let an agent do as little as it can, but for what it needs for a move."""
    if isinstance(agent, Strong):
        agent = agent.agent(position)
    view = position.hidden(position.to_move)
    if not isinstance(agent, SearchAgent) or type(agent).act is not SearchAgent.act:
        ask(agent, position)
        return
    found = agent.analysis(view)
    next(found)
    if hasattr(found, "close"):
        found.close()
