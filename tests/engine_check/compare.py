"""What one game's engine answers, and what Python does."""

from random import Random
from typing import Any

from adv_envs import Position
from adv_envs.bits import words_of
from agents.engines import engine_info

from .hosts import Host
from .rules import MOST_PLIES, digests
from .searches import agents_of, expected, float_of, job_of, positions

PLAIN_SHARE = 25
"""One game of so many is played by plain Python, too."""

ROUNDED = {"turn_search"}
"""Agents whose evaluation takes ``exp``, of which libraries differ in the last bit."""


def compare_games(
    module: str, start: Position, plies: int, rng: Random, hosts: dict[str, Host]
) -> tuple[int, list[str]]:
    """How many plies were played, and what differs."""
    seeds: list[int] = []
    played: list[tuple[int, int]] = []
    while sum(number for _, number in played) < plies:
        more = [rng.randrange(1, 2**32) for _ in range(5)]
        seeds += more
        played += digests(start, more)
    job = {"module": module, "info": engine_info()[module]}
    words = [str(word) for word in words_of(start)]
    games = {"words": words, "seeds": seeds, "most": MOST_PLIES}
    found = {name: host(job | {"games": games}) for name, host in hosts.items()}
    some = slice(None, None, PLAIN_SHARE)
    found["plain Python"] = [None] * len(seeds)
    found["plain Python"][some] = [[*each] for each in digests(start, seeds[some], plain=True)]
    wrong = [
        f"{start!r}: the game with seed {seed} is another one in {name}"
        for name, each in found.items()
        for seed, here, there in zip(seeds, played, each, strict=True)
        if there is not None and [*here] != there
    ]
    return sum(number for _, number in played), wrong


def compare_searches(
    module: str, start: Position, number: int, rng: Random, hosts: dict[str, Host]
) -> tuple[int, int, list[str]]:
    """How many searches were made, how many agents have no engine, and what differs."""
    lacking, wrong, done = 0, list[str](), 0
    for spec, agent in agents_of(start):
        if agent is None:
            lacking += 1
            continue
        valued = hasattr(agent, "values") and start.perfect_information
        tried = [
            (position, rng.getrandbits(32), values)
            for i, position in enumerate(positions(start, agent, number, rng))
            for values in ([False, True] if valued and i % 4 == 0 else [False])
        ]
        jobs = [job_of(position, agent, seed, values) for position, seed, values in tried]
        wanted = [expected(position, agent, seed, values) for position, seed, values in tried]
        done += len(tried)
        job = {"module": module, "info": engine_info()[module], "searches": jobs}
        for name, host in hosts.items():
            for (position, seed, _), here, there in zip(tried, wanted, host(job), strict=True):
                if differs(here, there) and not (agent.name in ROUNDED and near(here, there)):
                    wrong.append(
                        f"{spec} with seed {seed} at {position!r}: {told(here, there, name)}"
                    )
    return done, lacking, wrong


def differs(here: Any, there: Any) -> bool:
    """Whether a host says something else than Python does, of what Python says."""
    if isinstance(here, dict):
        return any(here[key] != there[key] for key in here)
    return bool(here != there)


def near(here: Any, there: Any) -> bool:
    """Whether two results, or lists of values, are the same but for the last bits of values."""
    if isinstance(here, dict):
        rest = {key: here[key] for key in here if key not in ("value", "values")}
        alike = not differs(rest, there) and near([[0, here["value"]]], [[0, there["value"]]])
        return alike and near(here.get("values", []), there.get("values", []))
    return len(here) == len(there) and all(
        a == b and abs(float_of(value) - float_of(other)) < 1e-13
        for (a, value), (b, other) in zip(here, there, strict=True)
    )


def told(here: Any, there: Any, name: str) -> str:
    """What differs between two results, or lists of values."""
    if isinstance(here, dict):
        keys = [key for key in here if here[key] != there.get(key)]
        here, there = ({key: found.get(key) for key in keys} for found in (here, there))
    return f"{str(here)[:300]} here, {str(there)[:300]} in {name}"
