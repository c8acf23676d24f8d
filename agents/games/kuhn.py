"""Kuhn poker: how far a game has come."""

from __future__ import annotations

from adv_envs import Kuhn
from agents.knowledge import Knowledge, register_knowledge


def progress(position: Kuhn) -> float:
    """Returns the plies made as a share of the longest game's."""
    return position.ply / (3 * position.players - 1)


register_knowledge(Kuhn, Knowledge(progress=progress))
