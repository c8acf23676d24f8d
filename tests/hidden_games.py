"""Games, policies and solvers that the tests of hidden information share."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from adv_envs import CHANCE, Kuhn, Leduc, Position
from adv_envs.random import chance_action
from adv_envs.registry import GAMES as REGISTERED
from adv_envs.registry import game
from agents.equilibrium import (
    TabularPolicy,
    constant,
    discounted,
    game_tree,
    plus,
)
from agents.equilibrium.regret_matching import Schedule

HIDDEN = [name for name in REGISTERED if not game(name)().perfect_information]
SMALLER: dict[str, dict[str, Any]] = {
    "gin_rummy": {"ranks": 3, "hand_size": 1},
    "hanabi": {"colours": 1, "ranks": 2, "hand_size": 1},
}
"""Parameters of games that are usually so large that no two of them look the same to a player."""
STARTS: list[tuple[str, dict[str, Any]]] = [
    *((name, SMALLER.get(name, {})) for name in HIDDEN),
    ("kuhn", {"players": 3}),
    ("leduc", {"blinds": True}),
    ("liars_dice", {"dice": 2, "sides": 3}),
    ("goofspiel", {"cards": 4, "secret": True}),
    ("rock_paper_scissors", {"rounds": 3}),
    ("phantom_tic_tac_toe", {"abrupt": True}),
]
"""Every game of hidden information, and variants."""

LONGEST = 60
"""Moves of a random game."""


def random_game(start: Position, seed: int) -> list[int]:
    """The actions of a random game, or of the beginning of a long one."""
    rng, position, actions = random.Random(seed), start, list[int]()
    while not position.is_terminal() and len(actions) < LONGEST:
        if position.to_move == CHANCE:
            action = chance_action(position, rng.random())
        else:
            action = rng.choice(position.legal_actions())
        actions.append(action)
        position = position.play(action)
    return actions


def observed(start: Position, actions: list[int], player: int) -> tuple[Any, ...]:
    """All that ``player`` has seen and done: each new view, and the player's own moves."""
    position, views = start, [start.hidden(player)]
    for action in actions:
        own = action if position.to_move == player else None
        position = position.play(action)
        if own is not None or position.hidden(player) != views[-1]:
            views += [own, position.hidden(player)]
    return tuple(views)


class LeducInOtherOrder(Leduc):
    """Leduc hold'em with OpenSpiel's numbers: 0 fold, 1 call or check, 2 raise.

    Where regrets are equal, the order of a sum decides by its rounding what is played next.
    """

    def set_up(self) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.set_up(self))

    def check(self) -> None:
        Leduc(*self).check()

    def hidden(self, player: int) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.hidden(self, player))

    def _own(self, action: int) -> int:
        if self.to_move == CHANCE:
            return action
        return (2, 0 if Leduc.legal(self, 0) else 3, 1)[action] if action < 3 else -1

    def legal(self, action: int) -> bool:
        own = self._own(action)
        return own >= 0 and Leduc.legal(self, own)

    def play(self, action: int) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.play(self, self._own(action)))


SCHEDULES: dict[str, Schedule] = {"cfr": constant, "cfr_plus": plus, "discounted": discounted()}

GAMES: list[Position] = [Kuhn(), Kuhn(3)]


def as_function(policy: TabularPolicy) -> Callable[[Any, int], float]:
    """A policy as the naive functions take it."""
    return lambda view, action: policy.probabilities(view)[action]


def some_policy(start: Position, seed: int) -> TabularPolicy:
    """A policy drawn by chance, in which some actions are never taken."""
    tree = game_tree(start)
    weights = np.random.default_rng(seed).random(tree.num_slots)
    return TabularPolicy.of_weights(tree, np.maximum(weights - 0.3, 0))
