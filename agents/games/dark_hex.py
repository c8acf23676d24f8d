"""Says of Dark Hex how far a game has come, and what it is offered with."""

from __future__ import annotations

from adv_envs import DarkHex
from agents.games.phantom import RUNGS, large_game, progress
from agents.knowledge import Knowledge, register_knowledge


def equilibrium(position: DarkHex) -> str | None:
    """Returns the spec of an exact equilibrium on 2 x 2, the only size whose tree is small."""
    return "equilibrium()" if position.size == 2 else None


register_knowledge(
    DarkHex,
    Knowledge(
        names=("phantom hex", "kriegspiel"),
        progress=progress,
        settings=({"size": 4},),
        opponent=equilibrium,
        analyst=equilibrium,
        strong=equilibrium,
        rungs=RUNGS,
        large_game=large_game,
    ),
)
