"""Best responses as obvious as can be: over lists of histories, one recursion for each player."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from adv_envs import CHANCE, Position

Policy = Callable[[Any, int], float]
"""``policy(view, action)``: the probability with which the player to move takes the action."""


def uniform(view: Any, action: int) -> float:
    """Every legal action as likely."""
    return 1.0 / len(view.legal_actions())


def histories(position: Any) -> Iterator[Any]:
    """Every history from here on, this one first."""
    yield position
    for action in position.legal_actions():
        yield from histories(position.play(action))


def expected(position: Any, policy: Policy) -> list[float]:
    """What each player wins on average if all play by ``policy``."""
    if position.is_terminal():
        return [position.utility(player) for player in range(position.num_players)]
    values = [0.0] * position.num_players
    for action in position.legal_actions():
        share = weight(position, action, policy)
        for player, value in enumerate(expected(position.play(action), policy)):
            values[player] += share * value
    return values


def weight(position: Any, action: int, policy: Policy) -> float:
    """The probability of an action, of chance or of the player to move."""
    if position.to_move == CHANCE:
        return float(position.probability(action))
    return policy(position.hidden(position.to_move), action)


def best_response(start: Position, player: int, policy: Policy) -> float:
    """What ``player`` wins at most against the others' ``policy``."""
    chances: dict[Any, float] = {}  # of the histories, if ``player`` plays to reach them
    members: defaultdict[Any, list[Any]] = defaultdict(list)
    found: dict[Any, float] = {}

    def visit(position: Any, chance: float) -> None:
        chances[position] = chance
        own = position.to_move == player
        if own and not position.is_terminal():
            members[position.hidden(player)].append(position)
        for action in position.legal_actions():
            visit(position.play(action), chance * (own or weight(position, action, policy)))

    def value(position: Any) -> float:
        """Weighted by the chance of the history."""
        if position not in found:
            if position.is_terminal():
                found[position] = chances[position] * position.utility(player)
            elif position.to_move == player:
                found[position] = value(position.play(choice(position.hidden(player))))
            else:
                found[position] = sum(value(position.play(a)) for a in position.legal_actions())
        return found[position]

    chosen: dict[Any, int] = {}

    def choice(view: Any) -> int:
        if view not in chosen:
            here = members[view]
            totals = {a: sum(value(p.play(a)) for p in here) for a in here[0].legal_actions()}
            chosen[view] = max(totals, key=totals.__getitem__)
        return chosen[view]

    visit(start, 1.0)
    return value(start)


def nash_conv(start: Position, policy: Policy) -> float:
    """What all players together gain if each answers the others' ``policy`` as well as can be."""
    values = expected(start, policy)
    return sum(best_response(start, p, policy) - value for p, value in enumerate(values))
