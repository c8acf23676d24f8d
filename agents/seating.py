"""Says how many games an opening is played in, so that all agents of a group have every seat."""

from __future__ import annotations

from math import factorial

MOST_PERMUTED = 4
"""The most players that take their seats in every order, which are 24."""


def group_size(players: int) -> int:
    """Returns how many games of a tournament an opening is played in: 2, 6, 24, 5, 6, 7 ...

    All orders of the seats of up to ``MOST_PERMUTED`` players; of more, each has each seat once.
    """
    return factorial(players) if players <= MOST_PERMUTED else players
