"""Backgammon: evaluations, symmetry, and what the game is offered with.

- ``evaluations``: estimates of the points that the player to move will win;
- ``network``: a small network, trained by playing against itself;
- ``whole_turns``, ``turn_search``: searches by whole turns;
- ``solver``: the exact values of endings with a few men.
"""

from __future__ import annotations

from adv_envs import Backgammon
from agents.agent import SearchAgent
from agents.knowledge import Knowledge, SolutionText, Symmetries, register_knowledge
from agents.spec import register

from .evaluations import blots_and_points, race
from .network import network
from .solver import BearOffSolver, BearOffValues, random_ending
from .turn_search import TurnSearch


def num_images(position: Backgammon) -> int:
    """Returns 2: the position, and that with the players exchanged."""
    return 2


def image(position: Backgammon, i: int) -> Backgammon:
    """Returns the position with the players exchanged; the men are stored by whose turn it is."""
    turn = position.turn if i == 0 or position.turn < 0 else 1 - position.turn
    return Backgammon(position.gammons, position.own, position.opp, position.dice, turn)


def image_action(position: Backgammon, action: int, i: int) -> int:
    """Returns the same action; of the first roll, that with the dice exchanged."""
    if i == 1 and position.turn < 0:
        return action % 6 * 6 + action // 6
    return action


def inverse_image(position: Backgammon, i: int) -> int:
    """Returns ``i``: exchanging twice changes nothing."""
    return i


def progress(position: Backgammon) -> float:
    """Returns the larger share of men that a player has borne off: hits undo all other progress."""
    return max(position.men(player)[25] for player in (0, 1)) / 15


RUNGS = {
    "random": "random",
    "mcts 30": "mcts(simulations=30)",
    "points": "turn_search(evaluate=backgammon.blots_and_points)",
    "greedy": "greedy(evaluate=backgammon.network)",
    "depth 1": "turn_search()",
    "depth 2": "turn_search(depth=2)",
}
"""Opponents, the weakest first."""


def solver(position: Backgammon) -> type[SearchAgent]:
    """Returns the solver of endings, which refuses other positions."""
    return BearOffSolver


register("bear_off", BearOffSolver)
register("turn_search", TurnSearch)
register_knowledge(
    Backgammon,
    Knowledge(
        evaluations={"race": race, "blots_and_points": blots_and_points, "network": network},
        default_evaluation="network",
        symmetries=Symmetries(num_images, image, image_action, inverse_image),
        solver=solver,
        exact_values=BearOffValues,
        random_position=random_ending,
        progress=progress,
        solution=SolutionText(
            name="expected points",
            in_numbers=lambda position, value: f"{value:+.4f}",
            in_words=lambda position, value: f"{value:+.4f} points by best play",
        ),
        opponent=lambda start: "turn_search()",
        analyst=lambda position: "turn_search(depth=2)",
        strong=lambda start: "turn_search(depth=2)",
        rungs=RUNGS,
    ),
)
