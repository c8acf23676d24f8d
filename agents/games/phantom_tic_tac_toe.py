"""Phantom tic-tac-toe: how far a game has come, and what it is offered with."""

from __future__ import annotations

from adv_envs import PhantomTicTacToe
from adv_envs.bits import count
from agents.games.phantom import without_tree
from agents.knowledge import Knowledge, register_knowledge


def progress(position: PhantomTicTacToe) -> float:
    """Returns the share of the cells that have a stone, of those that are shown."""
    return count(position.own | position.opp) / position.num_actions


RUNGS = {
    "random": "random",
    "ismcts 10": "ismcts(simulations=10)",
    "ismcts 30": "ismcts(simulations=30)",
    "ismcts 100": "ismcts(simulations=100)",
    "ismcts 300": "ismcts(simulations=300)",
    "ismcts 1000": "ismcts(simulations=1000)",
}
"""Opponents from random play on, with more and more simulations."""

register_knowledge(
    PhantomTicTacToe, Knowledge(progress=progress, rungs=RUNGS, without_tree=without_tree)
)
