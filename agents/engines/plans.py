"""Says which agents the engines can play, and how: plans, as data for JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.bits import wide_words, words_of
from adv_envs.jit import Kernel
from adv_envs.position import checked
from adv_envs.registry import name_of_class
from agents.move_values import evaluation_of, typical_size

from .kinds import KINDS, Exports, Kind

FOLDER = Path(__file__).parent.parent / "data" / "engines"
"""Where the modules lie, and ``engines.json``, which says what they are."""

UNBOUND = frozenset({"LIKE", "PARAMETERS"})
"""What is bound in every kernel of a game: it tells no variant from another."""


@lru_cache(maxsize=1)
def engine_info() -> dict[str, Any]:
    """Returns what ``engines.json`` says of each module, by its name."""
    found: dict[str, Any] = json.loads((FOLDER / "engines.json").read_text(encoding="utf-8"))
    return found


def plan_of(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays what ``agent`` does in the game of ``start``.

    None where no engine does. Plans are opaque but for these keys: "module", the name of the
    module's file; "game" and "parameters", for whose positions it is; "search", the kind of search;
    "name", the agent's name in sentences; "scale", the typical size of its evaluation, or None
    where it has none.
    """
    start = checked(start)
    module = module_of_game(start)
    found = searched(agent, start) if module is not None else None
    if module is None or found is None:
        return None
    kind, plan = found
    variants = engine_info()[module]["variants"].get(kind.NAME, [])
    variant = key_of(kind.exports(agent, start))
    if variant not in variants:
        return None
    evaluate = evaluation_of(agent)
    return {
        "module": module,
        "game": name_of_class(type(start)),
        "parameters": list(map(str, words_of(start)[: len(start.parameters)])),
        "search": kind.NAME,
        "variant": f"{kind.NAME}_{variants.index(variant)}",
        "name": agent.name,
        "scale": None if evaluate is None else typical_size(start.start(), evaluate),
        **plan,
    }


def searched(agent: Any, start: Position) -> tuple[Kind, dict[str, Any]] | None:
    """Returns the kind of search that can do what ``agent`` does, and its part of the plan."""
    for kind in KINDS:
        if (plan := kind.plan(agent, start)) is not None:
            return kind, plan
    return None


def module_of_game(start: Position) -> str | None:
    """Returns the name of the module for the game of ``start``; None where there is none."""
    name, widths = name_of_class(type(start)), list(widths_of(start))
    for module, told in engine_info().items():
        if told["game"] == name and told["widths"] == widths:
            return module
    return None


def widths_of(start: Position) -> tuple[int, ...]:
    """Returns how many words each wide field of a game has; 0 where it is one signed word."""
    return tuple(wide_words(start, field) for field in start.wide_fields)


def key_of(exports: Exports) -> str:
    """Returns what tells a variant of a search from others: all that is bound in its kernels."""
    return "; ".join(f"{name} {spelled(kernel)}" for name, (kernel, _) in sorted(exports.items()))


def spelled(value: Any) -> str:
    """Returns a function or constant that is bound as text, with all that is bound in it."""
    if isinstance(value, Kernel):
        bound = ", ".join(bindings_of(value))
        return f"{spelled(value.function)}({bound})" if bound else spelled(value.function)
    if callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def bindings_of(kernel: Kernel[..., Any]) -> Iterator[str]:
    """Yields the names that are bound in a kernel, each with what it stands for."""
    for name, value in sorted(kernel.bindings.items()):
        if name not in UNBOUND:
            yield f"{name}={spelled(value)}"
