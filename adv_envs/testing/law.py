"""What every law needs: a way to break it with a message that helps, and random lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from adv_envs.position import CHANCE, Position

P = TypeVar("P", bound=Position)


if not __debug__:
    raise ImportError("the laws are assertions, and python -O switches assertions off")


@contextmanager
def law(text: str | None, where: object) -> Iterator[None]:
    """Whatever is raised inside breaks the law that ``text`` begins with, at ``where``."""
    try:
        yield
    except Exception as error:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        name = (text or "").strip().partition("\n")[0]
        raise AssertionError(f"{kind}{error}\n  the law: {name}\n  broken by {where!r}") from error


def random_action(position: Position, rng: Random) -> int:
    """A legal action of an unfinished position; where chance moves, one that may happen."""
    actions = position.legal_actions()
    if position.to_move == CHANCE:
        return rng.choices(actions, [position.probability(action) for action in actions])[0]
    return rng.choice(actions)


def some(choices: list[Any], rng: Random, count: int = 4) -> list[Any]:
    """A few of ``choices``, or all where there are few."""
    return choices if len(choices) <= count else rng.sample(choices, count)
