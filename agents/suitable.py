"""The agents that suit a game: an opponent, an analyst, the strongest one that is known."""

from __future__ import annotations

from adv_envs import Position

from .knowledge import knowledge_of


def suitable_opponent(start: Position) -> str:
    """The spec of an opponent that plays a game well."""
    own = knowledge_of(start).opponent
    if own is not None and (spec := own(start)) is not None:
        return spec
    if not start.perfect_information:
        return "ismcts(simulations=1000)"
    if start.num_players != 2:
        return "greedy()" if start.has_chance else "max_n(depth=4)"
    return "expectiminimax(nodes=100000)" if start.has_chance else "alpha_beta(nodes=100000)"


def suitable_analyst(position: Position) -> str:
    """The spec of an agent that analyses a game well."""
    own = knowledge_of(position).analyst
    if own is not None and (spec := own(position)) is not None:
        return spec
    if not position.perfect_information:
        return "ismcts(seconds=3)"
    if position.num_players != 2:
        return "mcts(seconds=3)"
    return "expectiminimax(seconds=3)" if position.has_chance else "alpha_beta(seconds=3)"


def strong_spec(start: Position) -> str:
    """Returns the spec of the strongest agent that is known for the game of ``start``."""
    known = knowledge_of(start)
    for own in (known.strong, known.analyst):
        if own is not None and (spec := own(start)) is not None:
            return spec
    if not start.perfect_information:
        return "ismcts(seconds=3)"
    if start.num_players != 2:
        return "mcts(seconds=3)"
    return "expectiminimax(seconds=3)" if start.has_chance else "alpha_beta(seconds=3)"
