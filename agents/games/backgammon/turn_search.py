"""Turn search: expectiminimax by whole turns, as programs for Backgammon search."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from adv_envs import CHANCE, Backgammon, Position
from adv_envs.bits import digit
from adv_envs.jit import kernel
from adv_envs.jit.kernel import Kernel
from adv_envs.position import Wide
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_position,
    require_unfinished,
)

from .network import network
from .solver import MOST, Indices, Values, bear_off, side_key
from .whole_turns import best_value

DEEPEST = 2
"""Two turns take some hundredths of a second, three would take some hundred times as long."""

Context = tuple[Indices, Values]
"""What ``bear_off`` knows: the number of each side, and the values of pairs."""


def evaluate(position: Backgammon) -> float:
    """Returns the points of the player to roll; an evaluation is bound in its place."""
    return 0.0


@kernel
def is_bearing_off(men: Wide) -> bool:
    """Returns whether at most ``MOST`` men are left, all on the last six points."""
    number = digit(men, 25)
    if number < 15 - MOST:
        return False
    for place in range(19, 25):
        number += digit(men, place)
    return number == 15


@kernel
def static_value(position: Backgammon, context: Context) -> float:
    """Returns the value of the end of a turn for the player who has played it."""
    if position.is_terminal():
        return float(position.utility(position.turn))
    own, opp = position.own, position.opp
    if is_bearing_off(own) and is_bearing_off(opp):
        return -float(context[1][context[0][side_key(own)], context[0][side_key(opp)]])
    return -evaluate(position)


def best_reply(position: Backgammon, context: Context) -> float:
    """Returns ``best_value`` with the static value, which is bound in its place."""
    return 0.0


@kernel
def value_after_rolls(position: Backgammon, context: Context) -> float:
    """Returns the value of the end of a turn from the opponent's best replies to all rolls."""
    if position.is_terminal():
        return float(position.utility(position.turn))
    value = 0.0
    for roll in range(36):
        probability = position.probability(roll)
        if probability > 0.0:
            value -= probability * best_reply(position.play(roll), context)
    return value


@dataclass(repr=False)
class TurnSearch(SearchAgent):
    """Looks ``depth`` whole turns ahead, 1 or 2, in Backgammon.

    At depth 1 it compares all ends of the own turn by ``evaluate``, at depth 2 the opponent's best
    replies to all rolls. ``evaluate(position)`` is asked where the dice are to be rolled: what the
    player to roll will win, in points (None: the network). Endings with a few men are exact.
    """

    depth: int = 1
    """Whole turns looked ahead."""
    evaluate: Callable[[Any], float] | None = None
    """A function of a position where the dice are to be rolled: what the player to roll will win,
    in points; None: the network."""

    name: ClassVar[str] = "turn_search"

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for what it cannot search with."""
        if self.depth not in range(1, DEEPEST + 1):
            raise ValueError(f"depth must be 1 to {DEEPEST}, not {self.depth}")
        require_function("evaluate", self.evaluate)

    def act(self, position: Position) -> int:
        """Returns the best action, without a search if it is the only one."""
        self._require(position)
        legal = position.legal_actions()
        return legal[0] if len(legal) == 1 else self.analyse(position).action

    def analyse(self, position: Position) -> SearchResult:
        """Returns the best action and the value of each; ValueError where nobody is to move."""
        here = self._require(position)
        began = time.perf_counter()
        values = self.values(position)
        line = [max(values, key=values.__getitem__)]
        while (here := here.play(line[-1])).dice != 0:
            line.append(self.act(here))
        seconds = time.perf_counter() - began
        return SearchResult(
            line[0],
            values[line[0]],
            tuple(line),
            nodes=len(values),
            depth=self.depth,
            seconds=seconds,
            values=values,
        )

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each legal action for the player to move; empty at the end."""
        require_position(position)
        if position.is_terminal():
            return {}
        legal = self._require(position).legal_actions()
        exact, best = bear_off(), self._kernel()
        context = exact.number_of, exact.values
        return {action: float(best(position.play(action), context)) for action in legal}

    def _require(self, position: Position) -> Backgammon:
        require_unfinished(position)
        if not isinstance(position, Backgammon):
            raise ValueError(f"{self.name} plays backgammon, not {type(position).__name__}")
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here the dice are to be rolled")
        return position

    def _kernel(self) -> Kernel[..., float]:
        """Returns the search, bound to the evaluation and to the depth."""
        value = static_value.bind(evaluate=self.evaluate or network)
        if self.depth == 2:
            reply = best_value.bind(value_of_end=value)
            value = value_after_rolls.bind(best_reply=reply)
        return best_value.bind(value_of_end=value)
