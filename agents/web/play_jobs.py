"""The searches of those who play: an agent's move, and a hint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from adv_envs import Position
from agents.agent import Agent, SearchAgent, SearchResult
from agents.describe import judgement
from agents.match import ask

from .allow_list import allowed_agent
from .situations import Situation

Message = dict[str, Any]
SHORTEST, LONGEST = 0.02, 600.0
"""Seconds that an agent can be given for a move."""


def move(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """The moves that an agent plays next, {"played": [3], "said": "about even"}.

    They are several where the viewer does not notice the first ones: nobody at the page can count
    what a player tries in vain. "agent" is the spec, "seconds" what is left for the move. Where
    everything is seen a search says in between what it would play, {"thought": ...}.
    """
    agent = limited(allowed_agent(options.get("agent")), options.get("seconds"))
    agent.reset(options.get("seed"))
    here = situation.position
    if here.perfect_information:
        yield from thoughts(here, agent)
        return
    player, viewer, played = here.to_move, situation.viewer, []
    before = seen(here, viewer)
    while True:
        played.append(quiet_move(agent, here))
        here = here.play(played[-1])
        if here.is_terminal() or here.to_move != player or seen(here, viewer) != before:
            break
    yield {"played": played, "said": ""}


def thoughts(here: Position, agent: Agent) -> Iterator[Message]:
    """What an agent would play, again and again, and at last what it plays."""
    if not isinstance(agent, SearchAgent) or type(agent).act is not SearchAgent.act:
        yield {"played": [ask(agent, here)], "said": ""}
        return
    found = None
    for found in agent.analysis(here):
        yield {"thought": {"action": found.action, "depth": found.depth, "nodes": found.nodes}}
    assert found is not None
    if not here.legal(found.action):
        raise ValueError(f"{agent.name} would play {found.action}, which is not legal")
    yield {"played": [found.action], "said": said(here, agent, found), "seconds": found.seconds}


def said(here: Position, agent: SearchAgent, found: SearchResult) -> str:
    """What an agent that has moved expects for itself."""
    verb = "expects" if found.proven else "sees itself"
    return f"{agent.name} {verb} {judgement(here, agent, found)}"


def quiet_move(agent: Agent, here: Position) -> int:
    """The action of an agent; if it fails, not even the error tells what the agent has seen."""
    try:
        return ask(agent, here)
    except ValueError as error:
        if "needs perfect information" in str(error):
            raise
        raise ValueError(f"{agent.name} has failed: {type(error).__name__}") from None
    except Exception as error:
        raise RuntimeError(f"{agent.name} has failed: {type(error).__name__}") from None


def seen(position: Position, viewer: int | None) -> Position:
    """What a viewer sees of a position; None sees everything."""
    return position if viewer is None else position.hidden(viewer)


def hint(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """What an agent would play for the viewer: {"hint": {"action", "name", "said"}}."""
    agent = allowed_agent(options.get("agent"))
    agent.reset(options.get("seed", 0))
    here = situation.seen
    if situation.viewer is not None and here.to_move != situation.viewer:
        raise ValueError("it is not your turn")
    words = ""
    if isinstance(agent, SearchAgent) and type(agent).act is SearchAgent.act:
        found = agent.analyse(here)
        action, words = found.action, judgement(here, agent, found)
    else:
        action = ask(agent, here)
    yield {"hint": {"action": action, "name": here.name(action), "said": words}}


def limited(agent: Agent, seconds: object) -> Agent:
    """The agent with no more than ``seconds`` for a move, if it is one that keeps to a limit."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return agent
    if "seconds" not in {field.name for field in fields(agent)} or not seconds > 0:
        return agent
    own = getattr(agent, "seconds", None)
    most = min(max(seconds, SHORTEST), LONGEST, own if own is not None else LONGEST)
    changes: dict[str, Any] = {"seconds": most}
    return replace(agent, **changes)
