"""Makes engines play as agents do that hand over to a solver towards the end: ``Phases``."""

from __future__ import annotations

from typing import Any

import numpy as np

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel

from . import alpha_beta_engine, exact_engine
from .rules_engine import LIKE, Row, bound_to

NAME = "phases"

PARTS = {"early": alpha_beta_engine, "late": exact_engine}
"""The kinds of search of the two agents."""


def left(position: Position) -> int:
    """Returns how far the end of the game is; an agent's own is bound."""
    return 0


@kernel
def left_words(row: Row) -> int:
    """Returns how far the end of the game is."""
    return int(left(position_of(LIKE, row)))


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays as ``agent`` does; None unless it has phases of these kinds."""
    if not hasattr(agent, "phases"):
        return None
    phases = agent.phases(start)
    parts = {name: kind.plan(getattr(phases, name), start) for name, kind in PARTS.items()}
    if None in parts.values():
        return None
    told = {name: {"search": PARTS[name].NAME, **(part or {})} for name, part in parts.items()}
    return {"limit": phases.limit, **told}


def exports(agent: Any, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels of both phases, and of what tells them apart."""
    phases = agent.phases(start)
    row = np.array(words_of(start), np.int64)
    found: dict[str, Any] = {"left": (bound_to(left_words.bind(left=phases.left), start), (row,))}
    for part, kind in PARTS.items():
        made = kind.exports(getattr(phases, part), start)
        found |= {f"{part}_{name}": export for name, export in made.items()}
    return found
