"""Makes report cards for games of hidden information whose trees are too large to be written down.

``grade_large(start, agents)`` asks each agent about every information set, many at once, and finds
from the policy, exactly, what a best response wins in each seat, see
``agents.equilibrium.large_games``. Only agents that answer from observations can be asked so often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adv_envs import Position, name_of
from adv_envs.position import checked
from adv_envs.registry import title
from agents.agent import Agent, label
from agents.equilibrium.game_tree import LIMIT, estimated_histories
from agents.equilibrium.large_games import Floats, LargeGame, best_values, large_game, policy_array
from agents.faults import CannotPlay, require_player
from agents.knowledge import knowledge_of
from agents.spec import AgentLike, make

from .position_sets import parameters


@dataclass(frozen=True)
class LargeCard:
    """Holds the report card of one agent."""

    agent: str
    best_responses: tuple[float, float]
    """The most that anybody can expect in each seat against it."""

    @property
    def exploitability(self) -> float:
        """Returns NashConv divided by 2, the number of players."""
        return sum(self.best_responses) / 2

    def to_dict(self) -> dict[str, Any]:
        """Returns the card as plain data, for JSON."""
        return {
            "agent": self.agent,
            "exploitability": self.exploitability,
            "nash_conv": sum(self.best_responses),
            "best_responses": list(self.best_responses),
        }


@dataclass(frozen=True)
class LargeReport:
    """Shows the cards of several agents, in the order in which they were named."""

    start: Position
    cards: tuple[LargeCard, ...]
    sets: tuple[int, int]
    """How many information sets with a choice each player has."""

    @property
    def unit(self) -> str:
        """Returns what utilities are counted in: "points per game", for example."""
        return knowledge_of(self.start).utility_unit

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "unit": self.unit,
            "information_sets": list(self.sets),
            "agents": [card.to_dict() for card in self.cards],
        }


def is_large(start: Position) -> bool:
    """Returns whether a game is graded without its tree, which has too many histories."""
    return large_game(start) is not None and estimated_histories(start) > LIMIT


def grade_large(
    start: Position,
    agents: Sequence[AgentLike],
    progress: Callable[[int, str, int], None] | None = None,
) -> LargeReport:
    """Returns the report of ``agents``, or specs, in the game from ``start``.

    ``progress(done, what, total)`` is told what is being done. Raises ValueError for a game that
    needs its tree, and CannotPlay (a ValueError) for an agent that does not answer from
    observations.
    """
    start = checked(start, whole=True).start()
    game = large_game(start)
    if game is None:
        raise ValueError(f"nothing finds exploitability in {title(start)} without its tree")
    made = [make(agent) for agent in agents]
    if not made:
        raise ValueError("name an agent to grade")
    sets = game.num_sets(0), game.num_sets(1)
    for agent in made:
        require_answers(agent, start, sum(sets))
        require_player(agent, start)
    told = progress or (lambda done, what, total: None)
    return LargeReport(start, tuple(card_of_agent(agent, game, told) for agent in made), sets)


def require_answers(agent: Agent, start: Position, sets: int) -> None:
    """Raises CannotPlay unless an agent answers from observations, many at once."""
    answers = hasattr(agent, "probabilities_on_observations")
    if not answers or not getattr(agent, "sees_observations", True):
        why = (
            f"it would be asked at {sets:,} information sets one by one; give random, or "
            "policy(path=...) of a network that sees observations, or ask for a smaller game"
        )
        raise CannotPlay(label(agent), title(start), why)


def card_of_agent(agent: Any, game: LargeGame, told: Callable[[int, str, int], None]) -> LargeCard:
    """Returns the card of one agent."""
    name, policies = label(agent), list[Floats]()
    for player in (0, 1):
        total = game.num_sets(player)

        def answer(observations: Any, masks: Any, player: int = player) -> Any:
            players = np.full(len(masks), player, np.int64)
            seen = observations.astype(np.float32)
            return agent.probabilities_on_observations(game.start, seen, masks, players)

        def count_done(done: int, total: int = total) -> None:
            told(done, f"asking {name}", total)

        policies.append(policy_array(game, player, answer, count_done))
    told(0, f"finding best responses to {name}", 1)
    return LargeCard(name, best_values(game, policies))
