"""Plays hold'em by equity: what share of the pot the own cards win against hands like the others'.

``equities.py`` computes equities, exactly or by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.games.holdem import ROUNDS, Holdem
from agents.agent import SeededAgent, require_game, require_unfinished
from agents.knowledge import Knowledge
from agents.spec import register

from .equities import category_counts as category_counts
from .equities import equity_by_chance as equity_by_chance
from .equities import hand_equities as hand_equities
from .equities import rank_tables, sampled_equity

MOST_RIVALS = 9
"""The most hands that the own one is compared with: there are cards for no more."""
EDGE = 0.08
"""By how much the equity must exceed a fair share of the pot for a raise."""


@dataclass(repr=False)
class EquityPlayer(SeededAgent):
    """Plays hold'em by equity and pot odds, with some bluffs; it sees what a player sees.

    The equity is that against one random hand for each other player who is in, and one more for
    each of their raises: hands that raise are better. It calls where the equity is at least the
    pot odds, and raises where it exceeds a fair share. Raises ValueError for other games, and for
    parameters that allow nothing.
    """

    samples: int = 500
    """How many boards and hands are drawn for a decision."""
    bluff: float = 0.05
    """How often it raises where it would check or fold."""
    trust: int = 1
    """How many more random hands a raise of another player stands for."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "equity_player"

    def __post_init__(self) -> None:
        """Seeds the generator; ValueError for parameters that allow nothing."""
        if self.samples < 1 or self.trust < 0 or not 0 <= self.bluff <= 1:
            raise ValueError("samples must be 1 or more, trust 0 or more, and bluff 0 to 1")
        super().__post_init__()

    def act(self, position: Position) -> int:
        """Returns the action for the player to move; ValueError if the game is over."""
        position = require_unfinished(position)
        table = require_game(position, Holdem, self.name)
        view = table.hidden(table.turn)
        return self._choice(view, self.equity(view))

    def equity(self, view: Holdem) -> float:
        """Returns the average share of the pot in a ``view`` of the player to move, by draws."""
        places = [view.turn, view.turn + view.players, *range(2 * view.players, view.dealt)]
        cards = np.array([view.card_at(place) for place in places], np.int64)
        rivals = min(rivals_of(view, self.trust), MOST_RIVALS)
        state = self.rng.getrandbits(32)
        return sampled_equity(cards, rivals, self.samples, state, rank_tables())

    def _choice(self, view: Holdem, equity: float) -> int:
        """Returns the action for an equity: a raise, or what costs nothing, or by the pot odds."""
        legal = view.legal_actions()
        raises = [action for action in legal if view.is_raise(action)]
        to_call = min(view.level(), view.stack_of(view.turn)) - view.chips(view.turn)
        pot = view.pot()
        fair = 1 / view.num_left()
        calls = equity * (pot + to_call) >= to_call
        if raises and (equity > fair + EDGE or (not calls and self.rng.random() < self.bluff)):
            return self._raise(view, raises, equity - fair)
        if to_call > 0 and not calls:
            return next(action for action in legal if view.is_fold(action))
        return next(a for a in legal if not view.is_fold(a) and not view.is_raise(a))

    def _raise(self, view: Holdem, raises: list[int], edge: float) -> int:
        """Returns the raise whose size is nearest to what the edge is worth."""
        wanted = view.level() + max(0.5, 3 * edge) * view.pot()
        sizes: Mapping[int, float] = {a: abs(view.raises_to(a) - wanted) for a in raises}
        return min(sizes, key=sizes.__getitem__)


def rivals_of(view: Holdem, trust: int) -> int:
    """Returns how many random hands the others stand for: one each, and ``trust`` for a raise."""
    raised = [0] * view.players
    for taken in raises_taken(view):
        raised[taken] += trust
    others = [p for p in range(view.players) if p != view.turn and not view.has_folded(p)]
    return sum(1 + raised[player] for player in others)


def raises_taken(view: Holdem) -> list[int]:
    """Returns who has raised, once for each raise."""
    return [
        player for taken in view.turns_taken() for player, action in taken if view.is_raise(action)
    ]


def phase(view: Holdem) -> str:
    """Returns the round of betting."""
    return ROUNDS[view.street]


def progress(position: Holdem) -> float:
    """Returns how much of the hand is over, by the cards that are dealt."""
    return position.dealt / (2 * position.players + 5)


register("equity_player", EquityPlayer)

HOLDEM = Knowledge(
    names=("poker", "holdem", "hold'em", "texas", "cards"),
    progress=progress,
    settings=({"players": 6},),
    utility_unit="chips per hand",
    phase=phase,
    opponent=lambda position: "equity_player()",
    analyst=lambda position: "ismcts(seconds=5)",
    strong=lambda position: "equity_player(samples=2000)",
    rungs={
        "random": "random",
        "ismcts 30": "ismcts(simulations=30)",
        "ismcts 300": "ismcts(simulations=300)",
        "equity, few samples": "equity_player(samples=10, bluff=0, trust=0)",
        "equity, no trust": "equity_player(samples=300, trust=0)",
        "equity": "equity_player(samples=500)",
    },
)
"""What is known about games of hold'em, whatever may be bet."""
