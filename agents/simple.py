"""The simplest agents: random, greedy, and functions."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import CHANCE, Position

from .agent import (
    Agent,
    require_function,
    require_perfect_information,
    require_unfinished,
    spell,
)


@dataclass(repr=False)
class Random(Agent):
    """Plays a legal action, each as likely as the others."""

    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "random"
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Seeds the generator."""
        self._random = random.Random(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Draws from ``seed`` from now on; None goes on as before."""
        if seed is not None:
            self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns a random legal action."""
        require_unfinished(position)
        return self._random.choice(position.legal_actions())

    def action_probabilities(self, position: Position) -> dict[int, float]:
        """Returns how likely each legal action is."""
        require_unfinished(position)
        legal = position.legal_actions()
        return dict.fromkeys(legal, 1 / len(legal))


@dataclass(repr=False)
class Greedy(Agent):
    """Plays the action with the best position after it: a win, or by ``evaluate(position)``.

    ``evaluate`` values a position for the player to move. Where chance is to move, the expectation
    over what may come of it counts. Among equals the choice is random.
    """

    evaluate: Callable[[Any], float] | None = None
    """A function of a position, its value for the player to move; None: all unfinished positions
    are even."""
    seed: int | None = None
    """Breaks ties until ``reset`` gives another seed; None: new choices each time."""

    name: ClassVar[str] = "greedy"
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Seeds the generator that breaks ties; TypeError unless the evaluation is a function."""
        require_function("evaluate", self.evaluate)
        self._random = random.Random(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Breaks ties by ``seed`` from now on; None goes on as before."""
        if seed is not None:
            self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns the best action one ply ahead."""
        require_unfinished(position)
        require_perfect_information(position, self.name)
        player, values = position.to_move, dict[int, tuple[float, float]]()
        for action in position.legal_actions():
            values[action] = self._value(position.play(action), player)
        best = max(values.values())
        return self._random.choice([action for action, value in values.items() if value == best])

    def _value(self, position: Position, player: int) -> tuple[float, float]:
        """Returns (utility if the game is over, evaluation), both for ``player``."""
        if position.is_terminal():
            return position.utility(player), 0.0
        if position.to_move == CHANCE:
            utility, evaluation = 0.0, 0.0
            for action in position.legal_actions():
                more = self._value(position.play(action), player)
                odds = position.probability(action)
                utility, evaluation = utility + odds * more[0], evaluation + odds * more[1]
            return utility, evaluation
        if self.evaluate is None:
            return 0.0, 0.0
        sign = 1 if position.to_move == player else -1
        return 0.0, sign * float(self.evaluate(position))


@dataclass(repr=False)
class FunctionAgent(Agent):
    """A function from positions to actions as an agent, such as a policy of one's own.

    Its spec is the name of the function, "my_module.my_function". It has no seed but the function's
    own. TypeError for what cannot be called.
    """

    function: Callable[[Any], int]

    name: ClassVar[str] = "function"

    def __post_init__(self) -> None:
        """Raises TypeError for what is no function."""
        if not callable(self.function):
            raise TypeError(f"function must be a function of a position, not {self.function!r}")

    def act(self, position: Position) -> int:
        """Returns what the function answers."""
        require_unfinished(position)
        return self.function(position)

    def __repr__(self) -> str:
        if hasattr(self.function, "__qualname__"):
            return spell(self.function)
        kind = type(self.function)
        return f"{kind.__module__}.{kind.__qualname__}"
