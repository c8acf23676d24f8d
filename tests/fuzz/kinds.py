"""What a kind of input is: how one is made, what is asked about it, and how it may be refused."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .mutations import mutated


@dataclass(frozen=True)
class Kind:
    """Inputs for one entry."""

    name: str
    samples: Callable[[], list[Any]]
    """Valid inputs; they are made once in a process."""
    ask: Callable[[Any], object]
    """Passes an input to the entry; what it returns is not looked at."""
    errors: tuple[type[Exception], ...]
    """The documented errors: subclasses too."""
    share: int
    """How many of a thousand inputs are of this kind."""
    change: Callable[[Any, list[Any], random.Random], Any] = mutated
    """How an input is made from a valid one."""


KINDS: dict[str, Kind] = {}


def kind(
    samples: Callable[[], list[Any]],
    *errors: type[Exception],
    share: int,
    change: Callable[[Any, list[Any], random.Random], Any] = mutated,
) -> Callable[[Callable[[Any], object]], Callable[[Any], object]]:
    """Registers the function as what is asked about inputs of a kind that has its name."""

    def enter(ask: Callable[[Any], object]) -> Callable[[Any], object]:
        name = ask.__name__.replace("_", " ")
        KINDS[name] = Kind(name, functools.cache(samples), ask, errors, share, change)
        return ask

    return enter


def made(name: str, seed: int, index: int) -> Any:
    """Returns the input of a kind with this number."""
    found = KINDS[name]
    rng = random.Random(f"{seed} {name} {index}")
    samples = found.samples()
    return found.change(rng.choice(samples), samples, rng)
