"""Goofspiel: how much of a game has been played, and who plays it well."""

from __future__ import annotations

from adv_envs import Goofspiel
from agents.knowledge import Knowledge, register_knowledge

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


def progress(position: Goofspiel) -> float:
    """Returns how much of the game has been played, 0 to 1."""
    return position.turn / position.num_turns


def opponent(start: Goofspiel) -> str | None:
    """Returns the spec of an equilibrium, as near as takes a second, where the game is small."""
    return "cfr_plus(iterations=300)" if num_histories(start) <= QUICK else None


def strong(start: Goofspiel) -> str | None:
    """Returns the same for larger games, with more time."""
    return "cfr_plus(iterations=1000)" if num_histories(start) <= MOST else None


register_knowledge(
    Goofspiel,
    Knowledge(
        progress=progress,
        opponent=opponent,
        analyst=opponent,
        strong=strong,
        rungs={
            "random": "random",
            "ismcts 10": "ismcts(simulations=10)",
            "ismcts 100": "ismcts(simulations=100)",
            "ismcts 1000": "ismcts(simulations=1000)",
            "cfr 10": "cfr(iterations=10)",
            "cfr 100": "cfr(iterations=100)",
            "cfr_plus 1000": "cfr_plus(iterations=1000)",
        },
    ),
)
