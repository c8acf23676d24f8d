"""Games as text: a line of play such as "4455" or "a1 b2 c3", read and written."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from .position import Position

P = TypeVar("P", bound="Position")


class IllegalMove(ValueError):
    """A move that the rules do not allow in this position; the message says which ones they do."""


def play_line(position: P, moves: str | Iterable[int | str]) -> P:
    """The position after ``moves``, see ``read_line``."""
    for action in read_line(position, moves):
        position = position.play(action)
    return position


def read_line(position: Position, moves: str | Iterable[int | str]) -> list[int]:
    """The actions of a line of play from ``position``.

    ``moves`` is text, in which moves are separated by spaces or commas or not at all ("4455" is
    four moves of Connect Four; where names run together the longest legal one is read), or a list
    of actions and names. A name may be that of a second notation, if the game has one. Raises
    IllegalMove, which says what would be legal, or TypeError.
    """
    tokens = re.split(r"[\s,]+", moves.strip()) if isinstance(moves, str) else list(moves)
    actions: list[int] = []
    for token in tokens:
        rest = token
        while rest != "":
            action, rest = _read_move(position, rest, len(actions) + 1)
            actions.append(action)
            position = position.play(action)
    return actions


def write_line(position: Position, actions: Sequence[int]) -> str:
    """The line of play as text: "4455" where no name is longer, else "a1 b2 c3"."""
    names, joined = [], True
    for action in actions:
        joined = joined and all(len(position.name(a)) == 1 for a in position.legal_actions())
        names.append(position.name(action))
        position = position.play(action)
    return ("" if joined else " ").join(names)


def _read_move(position: Position, text: str | int, number: int) -> tuple[int, str]:
    """The first move of ``text``, and what is left of it."""
    legal = position.legal_actions()
    if isinstance(text, str):
        names = {position.name(action).lower(): action for action in legal}
        found = [name for name in names if text.lower().startswith(name)]
        if not found:
            other = position.alias(text)
            if other is None:
                _raise_illegal(position, text.lower(), number)
            return other, ""
        name = max(found, key=len)
        return names[name], text[len(name) :]
    try:
        action = operator.index(text)
    except TypeError:
        raise TypeError(f"move {number} must be an action or its name, not {text!r}") from None
    if action not in legal:
        _raise_illegal(position, f"action {action}", number)
    return action, ""


def _raise_illegal(position: Position, move: str, number: int) -> NoReturn:
    raise IllegalMove(f"move {number}, {move!r}, is not legal; {position.choices()}")
