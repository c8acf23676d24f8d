"""Leduc hold'em: how far a game has come."""

from __future__ import annotations

from adv_envs import Leduc
from agents.knowledge import Knowledge, register_knowledge


def progress(position: Leduc) -> float:
    """Returns the plies made as a share of the longest game's."""
    return position.ply / (position.players + 1 + 2 * position.most_actions)


register_knowledge(Leduc, Knowledge(progress=progress))
