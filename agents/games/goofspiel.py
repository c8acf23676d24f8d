"""Says of Goofspiel how much of a game has been played, and who plays it well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs import Goofspiel
from agents.knowledge import Knowledge, by_number, register_knowledge

QUICK, MOST = 30_000, 400_000
"""How many histories a game may have to be solved within seconds, and within a minute."""


def num_histories(start: Goofspiel) -> int:
    """Returns how many histories the game has."""
    number, lines = 1, 1
    for turn in range(start.num_choices):
        left = start.cards - turn
        for choices in (left, left, left)[: start.plies_each]:
            lines *= choices
            number += lines
    return number


def small_games(num_histories: Callable[[Any], int], quick: int, most: int) -> dict[str, Any]:
    """Returns who plays well what CFR+ solves: ``quick`` histories in a second, or ``most``."""

    def opponent(start: Any) -> str | None:
        return "cfr_plus(iterations=300)" if num_histories(start) <= quick else None

    def strong(start: Any) -> str | None:
        return "cfr_plus(iterations=1000)" if num_histories(start) <= most else None

    return {"opponent": opponent, "analyst": opponent, "strong": strong}


register_knowledge(
    Goofspiel,
    Knowledge(
        names=("gops", "game of pure strategy"),
        progress=lambda position: position.turn / position.num_turns,
        **small_games(num_histories, QUICK, MOST),
        settings=({"cards": 5, "order": -1, "secret": True},),
        rungs={
            "random": "random",
            **by_number("ismcts %d", "ismcts(simulations=%d)", 10, 100, 1000),
            **by_number("cfr %d", "cfr(iterations=%d)", 10, 100),
            "cfr_plus 1000": "cfr_plus(iterations=1000)",
        },
    ),
)
