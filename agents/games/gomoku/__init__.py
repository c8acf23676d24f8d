"""What is known about gomoku and every other k in a row on a board.

``threat_search.py`` is an agent that proves wins by threats (``threat_proof.py``) and looks ahead
by alpha-beta, both on counts of the stones in every row (``row_counts.py``); ``evaluations.py`` has
an evaluation, a move order, playouts and symmetries for all other searches.
"""

from __future__ import annotations

from adv_envs import Gomoku
from agents.knowledge import ExactValues, Knowledge, NotGraded, Symmetries, register_knowledge
from agents.spec import register

from .evaluations import (
    heaviest,
    image,
    image_action,
    inverse_image,
    nearby,
    num_images,
    threats,
    winning_action,
)
from .threat_search import ThreatSearch

__all__ = ["ThreatSearch"]

MAX_GRADED_CELLS = 12
"""Cells of the largest board that is graded, from a list of all positions."""


def exact_values(start: Gomoku) -> ExactValues:
    """Returns the exact values from a list of all positions."""
    from agents.grading.exact_values import listed_values

    if start.num_stone_actions > MAX_GRADED_CELLS or start.swap2:
        raise NotGraded(
            f"k in a row is graded on boards of up to {MAX_GRADED_CELLS} cells without swap2, "
            f"such as 3 x 4; this one has {start.num_stone_actions}"
        )
    return listed_values(start)


def strong(start: Gomoku) -> str:
    """Returns threat search, for some seconds."""
    return "threat_search(seconds=4)"


RUNGS = {
    "random": "random",
    "mcts 100": "mcts(simulations=100)",
    "mcts 1000": "mcts(simulations=1000)",
    "greedy": "greedy(evaluate=gomoku.threats)",
    "depth 2": "alpha_beta(depth=2, evaluate=gomoku.threats)",
    "threats": "threat_search(nodes=1000, width=0)",
    "look 300": "threat_search(nodes=300)",
    "look 3000": "threat_search(nodes=3000)",
    "look 10000": "threat_search(nodes=10000)",
}
"""Opponents from random to the strongest that can be played in minutes."""

register("threat_search", ThreatSearch)
register_knowledge(
    Gomoku,
    Knowledge(
        evaluations={"threats": threats},
        default_evaluation="threats",
        orders={"heaviest": heaviest},
        order=heaviest,
        symmetries=Symmetries(num_images, image, image_action, inverse_image),
        playout=lambda position: nearby,
        winning_move=lambda position: winning_action,
        grave=1,  # won 14 of 20 games against none at 1,000 simulations
        exact_values=exact_values,
        progress=lambda position: position.ply / position.num_stone_actions,
        sample_plies=lambda start: range(start.num_stone_actions - 1),
        opponent=lambda start: "threat_search(nodes=10000)",
        analyst=lambda position: "threat_search(seconds=3)",
        strong=strong,
        rungs=RUNGS,
    ),
)
