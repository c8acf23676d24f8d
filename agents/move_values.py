"""Values every move of a position as far as a search can say, and limits searches.

Winning chances go from -1 for a lost position to 1 for a won one; 0 is a draw, or even. Exact
values and those of searches without an evaluation are utilities, which are divided by the largest
one. Evaluations have scales of their own: value v becomes 2 / (1 + exp(-v / s)) - 1, where s is
what the game's record says, or the typical size of the evaluation in random games, so that v = s is
a chance of 0.46.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from statistics import median
from typing import Any, NamedTuple

from adv_envs import CHANCE, Position

from .agent import Agent, SearchAgent, SearchResult
from .knowledge import knowledge_of


class FoundValue(NamedTuple):
    """Holds the value of a move for the player to move, as far as a search can say."""

    value: float
    proven: bool


def on_one_scale(values: Mapping[int, FoundValue]) -> dict[int, float]:
    """Returns values to compare and draw: beside evaluations, won and lost games are infinite."""
    estimates = [found.value for found in values.values() if not found.proven]
    if not any(estimates):
        return {action: found.value for action, found in values.items()}
    return {
        action: math.copysign(math.inf, found.value)
        if found.proven and found.value
        else found.value
        for action, found in values.items()
    }


def values_in(result: SearchResult) -> dict[int, FoundValue]:
    """Returns the values in a result; those equal to a proven best one are proven as well."""
    return {a: FoundValue(v, result.proven and v == result.value) for a, v in result.values.items()}


def move_values(
    agent: SearchAgent, position: Position, found: SearchResult
) -> dict[int, FoundValue]:
    """Returns the value of every move: of the result, of the agent, or of a search below each."""
    actions = position.legal_actions()
    if len(found.values) == len(actions):
        return values_in(found)
    own = type(agent).values is not SearchAgent.values
    if own and (scale_of(agent, position) is None or position.num_players != 2):
        return {a: FoundValue(v, found.proven) for a, v in agent.values(position).items()}
    if position.num_players != 2:
        return values_in(found)
    part = in_parts(agent, len(actions))
    part.reset(0)
    below = MovesBelow(part, position, found, shallow=True)
    return {action: below.value(action) for action in actions}


class MovesBelow:
    """Values moves beside the best one of a result, by searches that look equally far ahead.

    Searches of different depths cannot be compared: evaluations are for who is to move or against
    them, so that odd depths find more than even ones. A move is worth as much less than the best
    one as a search of the same depth finds below both.
    """

    def __init__(
        self, agent: SearchAgent, position: Position, found: SearchResult, *, shallow: bool = False
    ) -> None:
        """Prepares for ``agent``, which searches below each move.

        ``shallow`` says that it has less time than the search that has ``found`` the best move:
        then moves are searched as deeply as it searches below that one.
        """
        self.agent, self.position, self.found = agent, position, found
        self.depth = found.depth
        self.results = {found.action: found}
        """What was found below each move, as ``result_below`` returns it, or for the best one."""
        self._best = {found.depth: found.value}
        if shallow and not found.proven and len(found.values) < 2:
            first = result_below(agent, position, found.action)
            if not first.proven:
                self.depth, self._best[first.depth] = first.depth, first.value

    def value(self, action: int) -> FoundValue:
        """Returns the value of a legal action, which is not above that of the best one."""
        found, known = self.found, values_in(self.found)
        if action == found.action:
            return FoundValue(found.value, found.proven)
        if action in known:
            return known[action]
        below = result_below(to_depth(self.agent, self.depth - 1), self.position, action)
        self.results[action] = below
        if below.proven or found.proven:
            return not_above(FoundValue(below.value, below.proven), found)
        return FoundValue(found.value - max(self._best_at(below.depth) - below.value, 0.0), False)

    def _best_at(self, depth: int) -> float:
        """Returns the value of the best move by a search of this depth."""
        if depth not in self._best:
            agent = to_depth(self.agent, depth - 1)
            self._best[depth] = result_below(agent, self.position, self.found.action).value
        return self._best[depth]


def to_depth(agent: SearchAgent, depth: int) -> SearchAgent:
    """Returns the agent, looking ``depth`` plies ahead at most, if it has such a limit."""
    limit = agent.limits().get("depth")
    if depth < 1 or "depth" not in agent.limits():
        return agent
    return agent.limited(depth=depth if limit is None else min(depth, limit))


def result_below(agent: SearchAgent, position: Position, action: int) -> SearchResult:
    """Returns what a search of the position after a move finds, for the player who takes it."""
    child, player = position.play(action), position.to_move
    if child.is_terminal():
        value = float(child.utility(player))
        return SearchResult(action, value, (action,), nodes=1, depth=1, proven=True)
    if child.to_move == CHANCE:  # where values are player 0's
        return SearchResult(action, agent.value(child) * (1 - 2 * player) + 0.0, (action,))
    found = agent.analyse(child)
    return dataclasses.replace(
        found,
        action=action,
        value=(found.value if child.to_move == player else -found.value) + 0.0,
        principal_variation=(action, *found.principal_variation),
        depth=found.depth + 1,
    )


def not_above(move: FoundValue, found: SearchResult) -> FoundValue:
    """Returns a move's value, not above that of the deeper search of all moves."""
    if move.proven or (found.proven and found.value > 0):
        return move
    if found.proven and found.value < 0:
        return FoundValue(found.value, True)
    return FoundValue(min(move.value, found.value), False)


def in_parts(agent: SearchAgent, parts: int) -> SearchAgent:
    """Returns the agent with a part of its limits for each move, and one ply less of depth."""
    limits = {name: limit for name, limit in agent.limits().items() if limit is not None}
    for name, limit in limits.items():
        if name == "depth":
            limits[name] = max(limit - 1, 1)
        else:
            limits[name] = limit / parts if name == "seconds" else max(limit // parts, 1)
    return agent.limited(**limits)


def searching_agent(
    agent: Agent, seconds: float | None = None, only_time: bool = False
) -> SearchAgent:
    """Returns an agent that searches, with ``seconds`` for a decision if it has such a limit.

    With ``only_time`` it has no other limit of its work then, so that more time is a deeper search.
    Raises ValueError, which names those that search, for an agent that does not.
    """
    if not isinstance(agent, SearchAgent):
        from .spec import known_agents  # which imports every agent

        names = ", ".join(
            name for name, kind in known_agents().items() if issubclass(kind, SearchAgent)
        )
        raise ValueError(f"{agent.name} does not search; {names} do")
    if seconds is None or "seconds" not in agent.limits():
        return agent
    others = [name for name in ("nodes", "simulations") if only_time and name in agent.limits()]
    limits: dict[str, Any] = {"seconds": seconds, **dict.fromkeys(others)}
    return agent.limited(**limits)


# ---- winning chances

RANDOM_GAMES, RANDOM_PLIES = 4, 40
"""The games in which the size of an evaluation is measured, and how long they are at most."""


def evaluation_of(agent: SearchAgent) -> Any:
    """Returns the evaluation whose values an agent finds, or None."""
    return getattr(agent, "evaluate", None)


def scale_of(agent: SearchAgent, position: Position) -> float | None:
    """Returns the typical size of the evaluation whose values an agent finds; None without one.

    An agent whose evaluation is elsewhere has it as ``scale``.
    """
    scale: float | None = getattr(agent, "scale", None)
    evaluate = evaluation_of(agent)
    return scale if evaluate is None else typical_size(position.start(), evaluate)


def winning_of(position: Position, value: float, proven: bool, scale: float | None) -> float:
    """Returns a value as winning chances; ``scale``: of its evaluation, or None."""
    if proven or scale is None:
        return max(-1.0, min(1.0, value / position.max_utility)) + 0.0
    if math.isinf(value):
        return math.copysign(1.0, value)
    return math.tanh(value / scale / 2)  # which is 2 / (1 + exp(-ratio)) - 1


@lru_cache(maxsize=32)
def typical_size(start: Position, evaluate: Callable[[Any], float]) -> float:
    """Returns the scale of an evaluation: as the game's record says, or by random games.

    That is the median size where it is not 0; 1 where it always is.
    Kernels are called as plain Python: so few calls are not worth compiling.
    """
    knowledge = knowledge_of(start)
    usual = knowledge.evaluations.get(knowledge.default_evaluation or "")
    if knowledge.scale is not None and evaluate == usual:
        return knowledge.scale
    evaluate = getattr(evaluate, "plain", evaluate)
    rng, sizes = random.Random(0), []
    for _ in range(RANDOM_GAMES):
        position = start
        for _ in range(RANDOM_PLIES):
            position = position.play(rng.choice(position.legal_actions()))
            if position.is_terminal():
                break
            if position.to_move != CHANCE:
                sizes.append(abs(float(evaluate(position))))
    return median([size for size in sizes if size] or [1.0])
