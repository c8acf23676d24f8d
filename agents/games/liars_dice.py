"""Liar's dice: how much of a game has been played, and who plays it well."""

from __future__ import annotations

from adv_envs import LiarsDice
from agents.knowledge import Knowledge, register_knowledge

QUICK, MOST = 60_000, 400_000
"""How many histories a game may have to be solved within seconds, and within a minute."""


def num_histories(start: LiarsDice) -> int:
    """Returns how many histories the game has."""
    number, lines = 0, 1
    for _ in range(start.total):
        number += lines
        lines *= start.sides
    return number + lines * ((2 << start.liar) - 1)  # every set of bids, called or not


def progress(position: LiarsDice) -> float:
    """Returns how much of the game has been played, 0 to 1, by the height of the last bid."""
    return (position.last_bid + 1) / position.liar


def opponent(start: LiarsDice) -> str | None:
    """Returns the spec of an equilibrium, as near as takes a second, where the game is small."""
    return "cfr_plus(iterations=300)" if num_histories(start) <= QUICK else None


def strong(start: LiarsDice) -> str | None:
    """Returns the same for larger games, with more time."""
    return "cfr_plus(iterations=1000)" if num_histories(start) <= MOST else None


register_knowledge(
    LiarsDice,
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
