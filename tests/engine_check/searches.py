"""The same searches everywhere: by every agent that an engine can play, with small limits."""

import dataclasses
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.bits import words_of
from adv_envs.random import chance_action
from agents.engines import plan_of
from agents.engines.build import offered_specs
from agents.equilibrium.hidden_agents import PolicyAgent
from agents.games.connect_four.solver import ConnectFourSolver
from agents.grading.exact_values import exact_or_none
from agents.search import Perfect
from agents.spec import make

LIMITS = {"nodes": 3000, "simulations": 300}
"""Of each search: what it has of these is no more than that."""
AS_ENGINES = {"seconds": None, "threads": 1, "reuse": False, "knowledge": 0}
"""Nor does it look at the clock, go on from the one before, or ask for proven moves in Python."""

SOLVERS = Perfect, ConnectFourSolver
"""Agents that have a book and a table of their own here, so that they visit other positions."""


def agents_of(start: Position) -> Iterator[tuple[str, Any]]:
    """The agents that a page offers for a game, by their specs: with small limits, or None.

    None stands for an agent that no engine plays.
    """
    seen = set()
    for spec in offered_specs(start):
        agent = make(spec)
        if plan_of(agent, start) is None:
            yield spec, None
        elif (small := repr(limited(agent))) not in seen:
            seen.add(small)
            yield small, limited(agent)


def limited(agent: Any) -> Any:
    """The agent with small limits."""
    fields = {field.name for field in dataclasses.fields(agent) if field.init}
    given: dict[str, Any] = {key: value for key, value in AS_ENGINES.items() if key in fields}
    for key, most in LIMITS.items():
        if key in fields:
            own = getattr(agent, key)
            given[key] = most if own is None else min(own, most)
    return dataclasses.replace(agent, **given)


def positions(start: Position, agent: Any, number: int, rng: Random) -> Iterator[Position]:
    """Positions of random games in which somebody is to move, as that player sees them.

    For a solver those of the second half of games that it solves soon.
    """
    exact = exact_or_none(start)
    solves = exact is not None and isinstance(agent, Perfect | type(exact.solver))
    solver = exact if solves else None
    while number > 0:
        line = [start]
        while not line[-1].is_terminal() and len(line) < 300:
            position = line[-1]
            if position.to_move == CHANCE:
                action = chance_action(position, rng.random())
            else:
                action = rng.choice(position.legal_actions())
            line.append(position.play(action))
        able = [p for p in line if p.to_move != CHANCE and not p.is_terminal()]
        if solver is not None:  # from the second half of a game
            able = [p for p in able[len(able) // 2 :] if solver.is_quick(p)]
        chosen = rng.sample(able, min(len(able), number, 5))
        number -= len(chosen)
        yield from (position.hidden(position.to_move) for position in chosen)


def job_of(position: Position, agent: Any, seed: int, values: bool) -> dict[str, Any]:
    """The search as a job for a host."""
    plan = plan_of(agent, position.start())
    words = list(map(str, words_of(position)))
    return {"words": words, "plan": plan, "seed": seed, "values": values}


def expected(position: Position, agent: Any, seed: int, values: bool) -> Any:
    """What Python finds, as the hosts tell it, with nothing left from another search."""
    agent = dataclasses.replace(agent)
    agent.reset(seed)
    if values:
        found = agent.values(position)
        return [[action, bits(value)] for action, value in found.items()]
    if isinstance(agent, PolicyAgent) or not hasattr(agent, "analyse"):  # drawn, as in play
        return {"action": agent.act(position)}
    result = agent.analyse(position)
    told = {"action": result.action, "proven": result.proven, "value": bits(result.value)}
    if not isinstance(agent, SOLVERS):
        told |= {name: getattr(result, name) for name in ("nodes", "leaves", "depth")}
        told["line"] = [*result.principal_variation]
    if result.values:
        told["values"] = [[action, bits(value)] for action, value in sorted(result.values.items())]
    if result.visits:
        told["visits"] = [[str(action), number] for action, number in sorted(result.visits.items())]
    return told


def bits(value: float) -> str:
    """The bits of a double, as text."""
    return str(struct.unpack("<q", struct.pack("<d", value))[0])


def float_of(text: str) -> float:
    """The double of such a text."""
    found: float = struct.unpack("<d", struct.pack("<q", int(text)))[0]
    return found
