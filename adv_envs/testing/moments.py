"""Environments being played, moment by moment, as values that can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any


def moments(env: Any, seed: int) -> Iterator[dict[str, Any]]:
    """Play on at random from here: all that can be seen before each step, and at the end."""
    rng = Random(seed)
    while env.agents:
        now = moment(env)
        yield now
        env.step(_random_legal(now, rng))
    yield {"agents": [], "rewards": dict(env.rewards), "position": env.unwrapped.position}


def moment(env: Any) -> dict[str, Any]:
    """All that can be seen of an environment whose game is not over for everybody."""
    seen, reward, terminated, truncated, info = env.last()
    return {
        "agent": env.agent_selection,
        "observation": seen["observation"].tolist(),
        "mask": seen["action_mask"].tolist(),
        "reward": reward,
        "over": (terminated, truncated),
        "info": dict(info),
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "position": env.unwrapped.position,
    }


def _random_legal(now: dict[str, Any], rng: Random) -> int | None:
    if any(now["over"]):
        return None
    return rng.choice([action for action, legal in enumerate(now["mask"]) if legal])


def midway(env: Any, rng: Random) -> None:
    """Reset, and play some of a game: stop before its end, if it lasts long enough."""
    env.reset(seed=rng.randrange(2**31))
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 13])):
        before = env.unwrapped.position
        env.step(_random_legal(moment(env), rng))
        if env.unwrapped.position.is_terminal():
            env.reset(options={"position": before})
            return
