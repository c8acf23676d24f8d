"""Says of liar's dice how much of a game has been played, and who plays it well."""

from __future__ import annotations

import dataclasses

from adv_envs import Goofspiel, LiarsDice
from agents.games.goofspiel import small_games
from agents.knowledge import knowledge_of_class, register_knowledge

QUICK, MOST = 60_000, 400_000
"""How many histories a game may have to be solved within seconds, and within a minute."""


def num_histories(start: LiarsDice) -> int:
    """Returns how many histories the game has."""
    number, lines = 0, 1
    for _ in range(start.total):
        number += lines
        lines *= start.sides
    return number + lines * ((2 << start.liar) - 1)  # every set of bids, called or not


register_knowledge(
    LiarsDice,
    dataclasses.replace(
        knowledge_of_class(Goofspiel),
        names=("dudo", "perudo", "bluff"),
        settings=({"dice": 2},),
        progress=lambda position: (position.last_bid + 1) / position.liar,
        **small_games(num_histories, QUICK, MOST),
    ),
)
