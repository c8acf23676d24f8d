"""The plan of a tournament: its agents, its openings, and who plays whom in which game.

Players, opening and seed of a game follow from its number alone. So games can be played in any
order, by any number of workers, and repeated, with the same results.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from adv_envs import Position
from agents.agent import Agent, require_unfinished
from agents.human import Human
from agents.spec import AgentLike, make

from .clock import TimeControl
from .isolation import Entrant
from .openings import Line, openings


class Task(NamedTuple):
    """One game to be played."""

    number: int
    players: tuple[int, int]
    """Indices of the agents; the first has the first seat."""
    opening: int
    """The index of the opening."""
    seed: int
    """The seed of the agents."""
    chance_seed: int
    """The seed of chance: both games of a pair have the same."""


@dataclass(frozen=True)
class Schedule:
    """All games: in each round every pairing plays one opening twice, with seats swapped.

    Chance is the same in these two games, a pair: each seat has the same cards or dice twice. The
    pairs differ, in one opening and between pairings, and are independent of each other.
    """

    pairings: tuple[tuple[int, int], ...]
    """Indices of the two agents of each pairing."""
    rounds: int
    openings: int
    """The number of openings; round r plays opening r, modulo this number."""
    seed: int = 0

    def __len__(self) -> int:
        return 2 * self.rounds * len(self.pairings)

    def task(self, number: int) -> Task:
        """Return game ``number``, from 0. IndexError if there is none."""
        if not 0 <= number < len(self):
            raise IndexError(f"games are numbered 0 to {len(self) - 1}, not {number}")
        turn, pairing = divmod(number // 2, len(self.pairings))
        a, b = self.pairings[pairing]
        players = (b, a) if number % 2 else (a, b)
        own = _hashed(b"%d %d" % (self.seed, number))
        shared = _hashed(b"%d chance %d" % (self.seed, number // 2))
        return Task(number, players, turn % self.openings, own, shared)


def _hashed(text: bytes) -> int:
    """A number of 64 bits that the text decides."""
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def round_robin(agents: int) -> tuple[tuple[int, int], ...]:
    """All pairings of ``agents`` agents."""
    return tuple(combinations(range(agents), 2))


def gauntlet(agents: int) -> tuple[tuple[int, int], ...]:
    """The pairings of the first agent with each of the others."""
    return tuple((0, other) for other in range(1, agents))


def near(agents: int, reach: int) -> tuple[tuple[int, int], ...]:
    """The pairings of agents that are at most ``reach`` places apart."""
    return tuple((a, b) for a, b in round_robin(agents) if b - a <= reach)


def pairings_of(mode: str, agents: int) -> tuple[tuple[int, int], ...]:
    """The pairings of a mode: "round-robin", "gauntlet" or "near:3". ValueError for any other."""
    if mode in MODES:
        return MODES[mode](agents)
    if match := re.fullmatch(r"near:([1-9]\d{0,3})", mode):
        return near(agents, int(match[1]))
    raise ValueError(f"mode must be {', '.join(MODES)} or near:N, not {mode!r}")


MODES = {"round-robin": round_robin, "gauntlet": gauntlet}
"""Functions from the number of agents to the pairings, by mode."""


@dataclass
class Plan:
    """Everything that is needed to play any game of a tournament. It is sent to the workers."""

    start: Position
    entrants: tuple[Entrant, ...]
    """The agents, pickled."""
    names: tuple[str, ...]
    """Their specs; the second agent of one spec is called spec#2, and so on."""
    openings: tuple[Line, ...]
    how: str
    """The openings in words."""
    schedule: Schedule
    control: TimeControl
    memory: int | None = None
    """MB that a process may use in addition to the program itself; None: no limit."""

    def settings(self, kind: str, mode: str, sprt: Sequence[float] | None) -> dict[str, Any]:
        """Everything that decides the games, as plain data; a resumed file must have the same."""
        return {
            "game": repr(self.start),
            "agents": list(self.names),
            "mode": mode,
            "games": 2 * self.schedule.rounds,
            "openings": kind,
            "lines": f"{len(self.openings)}, {_digest(self.openings)}",
            "seed": self.schedule.seed,
            "seconds": self.control.seconds,
            "clock": self.control.clock,
            "grace": self.control.grace,
            "ready": self.control.ready,
            "memory": self.memory,
            "sprt": sprt,
        }


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
    """Return the plan; ValueError or TypeError, with what would be right, if it is not possible."""
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
    pairings = pairings_of(mode, len(entrants))
    found = openings(start, kind, games // 2, seed)
    schedule = Schedule(pairings, games // 2, len(found.lines), seed)
    names = tuple(unique_names([entrant.spec for entrant in entrants]))
    return Plan(start, entrants, names, found.lines, str(found), schedule, control, memory)


def make_entrants(made: Sequence[Agent]) -> tuple[Entrant, ...]:
    """Pickle the agents; ValueError or TypeError unless they can play a tournament."""
    if len(made) < 2:
        raise ValueError(f"a tournament needs two agents or more, not {len(made)}")
    if any(isinstance(agent, Human) for agent in made):
        raise ValueError("a tournament is for agents; to play yourself: adv-envs play")
    return tuple(map(Entrant.of, made))


def unique_names(specs: Sequence[str]) -> list[str]:
    """The specs as names: the second agent of one spec is called spec#2, the third spec#3."""
    times: dict[str, int] = {}
    names = []
    for spec in specs:
        times[spec] = times.get(spec, 0) + 1
        names.append(spec if times[spec] == 1 else f"{spec}#{times[spec]}")
    return names


def _digest(lines: Sequence[Line]) -> str:
    """A hash that tells one list of openings from another."""
    return hashlib.sha256(repr(tuple(lines)).encode()).hexdigest()[:16]
