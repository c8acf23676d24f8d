"""Players: functions from ``(game, state)`` to a move."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from .game import Game, Strategy
from .state import Move, State


def player(search: Callable[[Game, Any], tuple[float, Move]]) -> Strategy:
    """The player who makes the move that ``search`` finds."""
    return lambda game, state: search(game, state)[1]


def random_player(game: Game, state: Any) -> Move:
    """Any legal move; ``random.seed`` decides which. See ``seeded_random_player``."""
    return random.choice(list(game.actions(state)))


def seeded_random_player(seed: int) -> Strategy:
    """A random player with dice of its own: the same seed makes the same choices."""
    dice = random.Random(seed)
    return lambda game, state: dice.choice(list(game.actions(state)))


def query_player(game: Game, state: Any) -> Move:
    """Ask at the terminal until a legal move is entered; EOFError if the person leaves instead.

    A move may be written as it is, (1, 1) or 1 1, by its name, b2, or as our number for it, 4 (not
    where names are numbers). "q" leaves the game.
    """
    readings = _readings(game, state)
    legal = "legal moves: " + ", ".join(_name(state, move) for move in game.actions(state))
    game.display(state)
    print(legal)
    while True:
        try:
            text = input(f"Your move, {game.to_move(state)} (q to leave)? ")
        except EOFError:
            raise EOFError("the game is not over, but there is no more input to play it") from None
        if _plain(text) in readings:
            return readings[_plain(text)]
        if _plain(text) in ("q", "quit"):
            raise EOFError(f"{game.to_move(state)} left the game")
        print(f"Sorry, {text.strip()!r} cannot be played here; {legal}")


def _name(state: Any, move: Move) -> str:
    """What a move is usually called."""
    return state.position.name(state.action(move)) if isinstance(state, State) else str(move)


def _readings(game: Game, state: Any) -> dict[str, Move]:
    """Every way to write a legal move, and what it means; in doubt, the move as it is."""
    moves = list(game.actions(state))
    readings = {_plain(str(move)): move for move in moves}
    for move in moves:
        name = _plain(_name(state, move))
        readings.setdefault(name, move)
        if isinstance(state, State) and not name.isdigit():
            readings.setdefault(str(state.action(move)), move)
    return readings


def _plain(text: str) -> str:
    """``text`` without what may be left out: "(1, 1)" is "1 1"."""
    return " ".join(re.sub(r"[,()]", " ", text.lower()).split())
