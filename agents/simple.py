"""Provides the simplest agents: random, greedy, functions, and a person at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.jit import Kernel, kernel
from adv_envs.random import chance_of

from .agent import (
    Agent,
    SeededAgent,
    require_function,
    require_perfect_information,
    require_unfinished,
    spell,
)


@dataclass(repr=False)
class Random(SeededAgent):
    """Plays a legal action, each as likely as the others."""

    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "random"

    def act(self, position: Position) -> int:
        """Returns a random legal action."""
        position = require_unfinished(position)
        return self.rng.choice(position.legal_actions())

    def action_probabilities(self, position: Position) -> dict[int, float]:
        """Returns how likely each legal action is."""
        position = require_unfinished(position)
        legal = position.legal_actions()
        return dict.fromkeys(legal, 1 / len(legal))

    def probabilities_on_observations(
        self, start: Position, observations: Any, masks: Any, players: Any
    ) -> Any:
        """Returns how likely each action is, (n, num_actions), by ``masks`` of the same shape.

        ``observations`` ``(n, *observation_shape)`` and ``players`` (n,) do not matter.
        """
        return masks / masks.sum(axis=1, keepdims=True)


@dataclass(repr=False)
class Greedy(SeededAgent):
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

    def __post_init__(self) -> None:
        """Seeds the generator that breaks ties; TypeError unless the evaluation is a function."""
        require_function("evaluate", self.evaluate)
        super().__post_init__()

    def act(self, position: Position) -> int:
        """Returns the best action one ply ahead."""
        position = require_unfinished(position)
        require_perfect_information(position, self.name)
        known = getattr(self.evaluate, "trusted", self.evaluate)  # of a position of the rules
        bound = {} if known is None else {"evaluate": partial(known)}  # as it is, not linked
        value, player = Kernel(value_for.function, bound).plain, position.to_move
        values = {a: value(position.play(a), player) for a in position.legal_actions()}
        best = max(values.values())
        return self.rng.choice([action for action, value in values.items() if value == best])


def evaluate(position: Position) -> float:
    """Returns 0, as all unfinished positions are even; the evaluation of ``Greedy`` is bound."""
    return 0.0


@kernel
def value_for(position: Position, player: int) -> tuple[float, float]:
    """Returns (utility if the game is over, evaluation), both for ``player``.

    Where chance is to move, it is the expectation of both.
    """
    if position.is_terminal():
        return 1.0 * position.utility(player), 0.0
    if position.to_move != CHANCE:
        value = 1.0 * evaluate(position)
        return 0.0, value if position.to_move == player else -value
    utility, evaluation = 0.0, 0.0
    for action in range(position.num_actions):
        odds = chance_of(position, action) if position.legal(action) else 0.0
        if odds > 0.0:
            more = value_for(position.play(action), player)
            utility, evaluation = utility + odds * more[0], evaluation + odds * more[1]
    return utility, evaluation


@dataclass(repr=False)
class FunctionAgent(Agent):
    """Plays by a function from positions to actions, such as a policy of one's own.

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
        position = require_unfinished(position)
        return self.function(position)

    def __repr__(self) -> str:
        if hasattr(self.function, "__qualname__"):
            return spell(self.function)
        kind = type(self.function)
        return f"{kind.__module__}.{kind.__qualname__}"


# ---- a person at the terminal


class Resign(Exception):
    """Says that the player gives up the game."""


class TakeBack(Exception):
    """Says that the player wants the last move back."""


@dataclass(repr=False)
class Human(Agent):
    """Asks a person, who types moves by name ("b3", "4"), "help", "undo" or "resign".

    ``act`` shows the board, asks until it gets a legal move, and raises Resign or TakeBack, which
    the loop of the game must handle. The end of the input counts as resigning. A subclass can have
    more commands (``obey``) and another output (``show``, ``ask``, ``tell`` and ``help``).
    ``show_board`` prints the board before each move.
    """

    show_board: bool = True

    name: ClassVar[str] = "human"
    _shown_help: bool = field(default=False, init=False, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        """Explains the commands again in the next game."""
        self._shown_help = False

    def act(self, position: Position) -> int:
        """Returns the move that was typed."""
        position = require_unfinished(position)
        self.show(position)
        while True:
            try:
                typed = self.ask(position).strip()
            except EOFError:
                raise Resign from None
            try:
                return position.action(typed)
            except IllegalMove as error:
                if self.obey(typed.lower(), position):
                    continue
                if len(position.legal_actions()) > 20:
                    self.tell(f'Sorry, {typed!r} is not a legal move; "help" lists them.')
                else:
                    self.tell(f"Sorry, {error}.")

    def obey(self, typed: str, position: Position) -> bool:
        """Carries out a command; returns False if ``typed`` is none."""
        if typed in ("resign", "quit", "exit", "q"):
            raise Resign
        if typed in ("undo", "back", "u"):
            self.take_back()
        elif typed in ("help", "h", "?", ""):
            self.help(position)
        else:
            return False
        return True

    def take_back(self) -> None:
        """Raises TakeBack. A subclass may return instead, and another move is asked for."""
        raise TakeBack

    # ---- how it looks

    def show(self, position: Position) -> None:
        """Shows the position, and in the first one of a game what may be typed."""
        if self.show_board:
            self.tell(f"\n{position}\n")
        if not self._shown_help:
            self.tell('Type a move, or "help", "undo" or "resign".')
            self._shown_help = True

    def ask(self, position: Position) -> str:
        """Returns what the person types; EOFError at the end of input."""
        return input(f"Your move, player {position.to_move}: ")

    def help(self, position: Position) -> None:
        """Prints what may be typed."""
        self.tell(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")
        self.tell('"undo" takes your last move back, "resign" gives up the game.')

    def tell(self, text: str) -> None:
        """Prints ``text``, what a person at the terminal is told."""
        print(text)
