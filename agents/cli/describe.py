"""Games, positions and results in words."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from typing import Any

from adv_envs.pictures.picture import picture_of
from adv_envs.position import CHANCE, Board, Position
from adv_envs.registry import name_of

# ---- a game


def parameters(cls: type[Position]) -> dict[str, Any]:
    """The parameters that can be written on a command line, and their defaults."""
    start = cls()
    values = {key: getattr(start, key) for key in cls.parameters}
    return {key: value for key, value in values.items() if isinstance(value, int | float | str)}


def summary(cls: type[Position]) -> str:
    """The game in one line: of its module, if that is the game's own, or of its class."""
    module = sys.modules[cls.__module__]
    own = cls.__module__.rpartition(".")[2].replace("_", "") == cls.__name__.lower()
    return _plain((inspect.getdoc(module if own else cls) or "").partition("\n")[0])


def about(cls: type[Position]) -> str:
    """What the class says of its parameters, after its first paragraph."""
    text = (inspect.getdoc(cls) or "").partition("\n\n")[2].replace("\n\n", "\f")
    text = " ".join(text.replace("Raises ValueError unless", "Allowed if").split("\n"))
    return _plain(text.replace("\f", "\n\n"))


def _plain(text: str) -> str:
    return text.replace("``", "")


def title(position: Position) -> str:
    """The game and those of its parameters that are not usual: "hex, size=7"."""
    usual = parameters(type(position))
    values = {key: getattr(position, key) for key in usual}
    shown = [f"{key}={value!r}" for key, value in values.items() if value != usual[key]]
    return ", ".join([name_of(position), *shown])


def game_data(position: Position) -> dict[str, Any]:
    """The game for JSON."""
    values = {key: getattr(position, key) for key in parameters(type(position))}
    return {"game": name_of(position), "parameters": values}


# ---- a position


def seat(position: Position, player: int) -> str:
    """How a player is called: by their stones, or by number."""
    if player == CHANCE:
        return "chance"
    return position.symbols[player] if isinstance(position, Board) else f"player {player}"


def task(position: Position, player: int) -> str:
    """What a player of a game has to do that the other does not, in brackets."""
    tasks = picture_of(position).tasks
    return f" ({tasks[player]})" if tasks else ""


def outcome(
    position: Position,
    utilities: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
) -> str:
    """How a game ended: "X wins", "a draw". ``utilities`` are given if it did not end by itself."""
    players = range(position.num_players)
    utilities = utilities or [position.utility(player) for player in players]
    names = names or [seat(position, player) for player in players]
    if not any(utilities):
        return "a draw"
    if sorted(utilities) == [-1, 1]:
        return f"{names[utilities.index(1)]} wins"
    return ", ".join(f"{n} gets {u:g}" for n, u in zip(names, utilities, strict=True))


def worth(value: float, most: float) -> str:
    """A proven value in words: "a win", "a draw", "a loss", or the number."""
    if value in (0, most, -most):
        return "a draw" if value == 0 else "a win" if value > 0 else "a loss"
    return f"{value:+.4g}"
