"""What is played in a tournament: checked, and put together so that workers can play any game."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adv_envs import Position
from agents.agent import Agent, require_unfinished
from agents.human import Human
from agents.spec import AgentLike, make

from .clock import TimeControl
from .isolation import Entrant
from .openings import Line, openings
from .schedule import Schedule, gauntlet, numbered, round_robin

MODES = {"round-robin": round_robin, "gauntlet": gauntlet}
"""Who meets whom, by the name of the mode."""


@dataclass
class Plan:
    """All that is needed to play any game of a tournament. It travels to the workers."""

    start: Position
    entrants: tuple[Entrant, ...]
    """The agents, pickled."""
    names: tuple[str, ...]
    """Their specs; the second agent of the same spec has #2 behind it, and so on."""
    openings: tuple[Line, ...]
    how: str
    """What the openings are, in words."""
    schedule: Schedule
    control: TimeControl
    memory: int | None = None
    """MB that a process may take on top of the program itself; None: any."""


def make_plan(
    start: Position,
    agents: Sequence[AgentLike],
    games: int,
    kind: str,
    mode: str,
    seed: int,
    control: TimeControl,
    memory: int | None = None,
) -> Plan:
    """The plan; ValueError or TypeError, saying what would be right, for what cannot be played."""
    require_unfinished(start)
    if start.num_players != 2:
        raise ValueError(
            f"a tournament is for games of two players, not {start.num_players}: agents.match and "
            "adv-envs match play such games, with the seats rotated"
        )
    entrants = make_entrants([make(agent) for agent in agents])
    for name, value in (("games", games), ("seed", seed), ("memory", memory or 1)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be a whole number, not {value!r}")
    if games < 2 or games % 2:
        raise ValueError(
            "games must be an even number, as each opening is played twice with seats swapped, "
            f"not {games}"
        )
    if memory is not None and memory < 1:
        raise ValueError(f"memory must be at least 1 MB, not {memory}")
    if memory is not None and sys.platform != "linux":
        raise ValueError("memory is limited on Linux only: leave it out")
    if mode not in MODES:
        raise ValueError(f"mode must be {' or '.join(MODES)}, not {mode!r}")
    found = openings(start, kind, games // 2, seed)
    schedule = Schedule(MODES[mode](len(entrants)), games // 2, len(found.lines), seed)
    names = tuple(numbered([entrant.spec for entrant in entrants]))
    return Plan(start, entrants, names, found.lines, str(found), schedule, control, memory)


def settings(plan: Plan, kind: str, mode: str, sprt: Sequence[float] | None) -> dict[str, Any]:
    """Everything that decides the games, in plain data: what a file is checked by on resuming."""
    return {
        "game": repr(plan.start),
        "agents": list(plan.names),
        "mode": mode,
        "games": 2 * plan.schedule.rounds,
        "openings": kind,
        "lines": f"{len(plan.openings)}, {_digest(plan.openings)}",
        "seed": plan.schedule.seed,
        "seconds": plan.control.seconds,
        "clock": plan.control.clock,
        "grace": plan.control.grace,
        "ready": plan.control.ready,
        "memory": plan.memory,
        "sprt": sprt,
    }


def _digest(lines: Sequence[Line]) -> str:
    """What tells one list of openings from another."""
    return hashlib.sha256(repr(tuple(lines)).encode()).hexdigest()[:16]


def make_entrants(made: Sequence[Agent]) -> tuple[Entrant, ...]:
    """The agents, pickled; ValueError or TypeError unless they can play a tournament."""
    if len(made) < 2:
        raise ValueError(f"a tournament needs two agents or more, not {len(made)}")
    if any(isinstance(agent, Human) for agent in made):
        raise ValueError("a tournament is for agents; to play yourself: adv-envs play")
    return tuple(map(Entrant.of, made))
